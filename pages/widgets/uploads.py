"""Files that a visitor gives: kept once for each content, checked once, not at every rerun."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from core.views import intake
from core.views.intake import Intake, Report
from core.workspace import Workspace
from pages.widgets import data

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_KEPT = "uploads kept"


def kept(file: UploadedFile) -> Path:
    """Where an upload is kept; it is written at the first rerun that has it."""
    paths: dict[str, Path] = st.session_state.setdefault(_KEPT, {})
    path = paths.get(file.file_id)
    if path is None or not path.exists():
        path = paths[file.file_id] = intake.keep_upload(data.workspace(), file.name, file)
    return path


def checked(tests: Path, benchmark: Path) -> Report:
    """What is wrong with a tests file for a benchmark."""
    return _checked(tests, _version(tests), benchmark, _version(benchmark))


def taken_in(path: Path) -> Intake:
    """Find out what a file is and keep it where its kind belongs."""
    found = _taken_in(data.workspace().root, path, _version(path))
    if found.saved is not None and not found.saved.exists():
        _taken_in.clear(data.workspace().root, path, _version(path))
        return _taken_in(data.workspace().root, path, _version(path))
    return found


@st.cache_data(max_entries=32, show_spinner="Checking the file …", show_time=True)
def _checked(tests: Path, version: tuple[int, int], benchmark: Path, other: tuple[int, int]) -> Report:  # noqa: ARG001
    return intake.check_tests(tests, benchmark)


@st.cache_data(max_entries=32, show_spinner="Reading and checking …", show_time=True)
def _taken_in(root: Path, path: Path, version: tuple[int, int]) -> Intake:  # noqa: ARG001
    return intake.take_in(Workspace(root), path)


def _version(path: Path) -> tuple[int, int]:
    """Changes with the file; an upload's folder has its content's hash besides."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size
