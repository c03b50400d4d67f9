"""Datasets of the Hugging Face hub by name, downloaded once, and local copies in the released layout.

What stands in the files is not known here: `core.formats` finds that out.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from huggingface_hub import snapshot_download
from huggingface_hub.errors import (
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
)
from tqdm.asyncio import tqdm_asyncio

from core.errors import InputError, TouchstoneError
from core.progress import OnProgress, Progress

__all__ = ["DATASETS", "PREFIX", "Dataset", "HubError", "fetch", "find", "local_files"]

PREFIX = "hub:"
"""What a source that names a dataset of the hub begins with: hub:evalplus/humanevalplus."""
_ENDINGS = (".jsonl", ".json", ".parquet", ".jsonl.gz", ".jsonl.zst", ".json.gz", ".json.zst")


class HubError(TouchstoneError):
    """The hub could not be asked; the message says what to do without it."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset that is known here.

    Attributes:
        name: owner/name on the hub.
        about: for a person, half a line.
        parts: name of a part -> pattern of its files in the repository; the first one is usual.
    """

    name: str
    about: str
    parts: Mapping[str, str]


DATASETS: Mapping[str, Dataset] = {
    one.name: one
    for one in (
        Dataset(
            "nvidia/Scoring-Verifiers",
            "HE-R, HE-R+, MBPP-R and MBPP-R+: scored and ranked solutions",
            {
                "HE-R+": "HE-R+.jsonl",
                "HE-R": "HE-R.jsonl",
                "MBPP-R+": "MBPP-R+.jsonl",
                "MBPP-R": "MBPP-R.jsonl",
            },
        ),
        Dataset("evalplus/humanevalplus", "HumanEval+, 164 problems", {"test": "data/test-*.parquet"}),
        Dataset("evalplus/mbppplus", "MBPP+, 378 problems", {"test": "data/test-*.parquet"}),
        Dataset(
            "google-research-datasets/mbpp",
            "MBPP, 974 problems; sanitized: 427",
            {"full": "full/*.parquet", "sanitized": "sanitized/*.parquet"},
        ),
        Dataset(
            "openai/openai_humaneval",
            "HumanEval, 164 problems",
            {"test": "openai_humaneval/test-*.parquet"},
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Files of one part of a dataset.

    Attributes:
        dataset: owner/name.
        part: its name; "" for all data files of a dataset that is not known here.
        pattern: of the files.
    """

    dataset: str
    part: str
    pattern: str

    @property
    def name(self) -> str:
        """What to call what comes of it: "HE-R+", "humanevalplus", "mbpp-sanitized"."""
        own = self.dataset.partition("/")[2]
        if self.part.endswith(("-R", "-R+")):
            return self.part
        return f"{own}-{self.part}" if self.part == "sanitized" else own


def find(text: str) -> Wanted:
    """What a name stands for: "evalplus/mbppplus", "nvidia/Scoring-Verifiers:HE-R+", with or without `hub:`.

    A dataset that is not known here is taken whole, or one file of it: "owner/name:folder/file.jsonl".

    Raises:
        InputError: it is no name of a dataset, or the dataset has no such part.
    """
    name, _, part = text.removeprefix(PREFIX).strip().partition(":")
    if name.count("/") != 1 or not all(name.split("/")):
        raise InputError(f"{text!r}: expected owner/name of a dataset, as evalplus/humanevalplus")
    known = DATASETS.get(name)
    if known is None:
        return Wanted(name, part, part or "*")
    part = part or next(iter(known.parts))
    if part not in known.parts:
        raise InputError(f"{name}: has no part {part!r}; expected one of {', '.join(known.parts)}")
    return Wanted(name, part, known.parts[part])


def fetch(
    wanted: Wanted, on_progress: OnProgress | None = None, *, endpoint: str | None = None
) -> tuple[Path, ...]:
    """Download the files, or take those that were downloaded before where the hub can't be reached.

    Args:
        wanted: what.
        on_progress: told of the bytes that came.
        endpoint: another hub than huggingface.co; HF_ENDPOINT also names one.

    Raises:
        InputError: there is no such dataset, or no such file in it.
        HubError: the hub can't be reached and nothing was downloaded before.
    """
    try:
        folder = snapshot_download(
            wanted.dataset,
            repo_type="dataset",
            allow_patterns=[wanted.pattern],
            endpoint=endpoint,
            tqdm_class=_bar(f"downloading {wanted.dataset}", on_progress),
        )
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise InputError(
            f"{wanted.dataset}: there is no such dataset on the hub, or it is not public"
        ) from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError) as error:
        why = type(error.__cause__ or error).__name__
        raise HubError(
            f"{wanted.dataset}: can't be fetched, the hub does not answer ({why}). Download {wanted.pattern} "
            "of the dataset elsewhere, and give the file or its folder in place of the name."
        ) from error
    return _matching(Path(folder), wanted)


def local_files(folder: Path) -> tuple[Path, ...]:
    """The data files of a local copy: those right in the folder, else of the dataset whose layout it has.

    Raises:
        InputError: there are none, or the folder holds several parts.
    """
    found = _data_files(folder.iterdir())
    if found and len({PurePath(path.name).suffixes[-1] for path in found}) == 1 and not _several(folder):
        return found
    parts = {
        (one.name, part): files
        for one in DATASETS.values()
        for part, pattern in one.parts.items()
        if (files := _data_files(folder.glob(pattern)))
    }
    distinct = set(parts.values())
    if len(distinct) == 1:
        return next(iter(distinct))
    if distinct:
        choices = ", ".join(sorted({str(_shown(files, folder)) for files in distinct}))
        raise InputError(f"{folder}: holds several datasets or parts; expected one of {choices}")
    raise InputError(f"{folder}: is a folder without data files; expected JSONL, JSON or Parquet in it")


def _several(folder: Path) -> bool:
    """Whether files right in the folder are parts of a dataset and not pieces of one."""
    scoring = DATASETS["nvidia/Scoring-Verifiers"].parts.values()
    return sum((folder / name).exists() for name in scoring) > 1


def _shown(files: tuple[Path, ...], folder: Path) -> Path:
    return files[0] if files[0].parent == folder else files[0].parent


def _matching(folder: Path, wanted: Wanted) -> tuple[Path, ...]:
    found = _data_files(folder.rglob("*") if wanted.pattern == "*" else folder.glob(wanted.pattern))
    if not found:
        raise InputError(f"{wanted.dataset}: has no data file {wanted.pattern}")
    return found


def _data_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(path for path in paths if path.name.endswith(_ENDINGS) and path.is_file()))


def _bar(phase: str, on_progress: OnProgress | None) -> type[tqdm_asyncio[Any]]:
    """A progress bar that draws nothing and tells the bytes to `on_progress`."""
    started = time.monotonic()

    class Bar(tqdm_asyncio):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            kwargs.pop("name", None)
            super().__init__(*args, **{**kwargs, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            shown = super().update(n)
            if self.unit == "B" and on_progress is not None:
                done, total = int(self.n), int(self.total or 0)
                on_progress(Progress(phase, done, max(done, total), "bytes", 0, time.monotonic() - started))
            return shown

    return Bar
