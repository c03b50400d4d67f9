"""The rules of an app that others can reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.files import write_json
from core.jobs import JobError
from core.progress import Progress, write_progress
from core.views import serving, work
from core.views.work import Backend
from core.workspace import Workspace

WEAK = Backend("process", works=True, full=False, guarantees=("limits",), missing=("files can be read",))
STRONG = Backend("docker", works=True, full=True, guarantees=("all",), missing=())
ABSENT = Backend("bubblewrap", works=False, full=False, guarantees=(), missing=("not installed",))


@pytest.mark.parametrize(
    ("address", "served"),
    [
        ("127.0.0.1", False),
        ("localhost", False),
        ("::1", False),
        ("127.8.8.8", False),
        ("0.0.0.0", True),
        ("::", True),
        ("192.168.1.7", True),
        ("lab.example.org", True),
        ("", True),
        (None, True),
    ],
)
def test_only_loopback_is_private(monkeypatch: pytest.MonkeyPatch, address: str | None, served: bool) -> None:
    """Any address but loopback counts as served, no address at all too."""
    monkeypatch.delenv(serving.SERVED_VARIABLE, raising=False)
    assert serving.is_served(address) is served


def test_the_environment_says_that_a_proxy_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """TOUCHSTONE_SERVED=1 makes a loopback server a served one; 0 does not make a public one private."""
    monkeypatch.setenv(serving.SERVED_VARIABLE, "1")
    assert serving.is_served("127.0.0.1")
    monkeypatch.setenv(serving.SERVED_VARIABLE, "0")
    assert serving.is_served("0.0.0.0")


def test_served_runs_take_the_first_isolating_backend() -> None:
    """Auto passes over what works but does not isolate."""
    assert serving.isolating_backend("auto", (ABSENT, WEAK, STRONG)) == "docker"


@pytest.mark.parametrize(
    ("name", "found"),
    [("auto", (ABSENT, WEAK)), ("process", (WEAK, STRONG)), ("auto", ()), ("new", (STRONG,))],
)
def test_served_runs_refuse_a_weak_backend(name: str, found: tuple[Backend, ...]) -> None:
    """Without full isolation nothing starts, and the message says what would."""
    with pytest.raises(JobError, match=r"served to others.*command line"):
        serving.isolating_backend(name, found)


def test_a_weak_backend_is_refused_with_what_it_lacks() -> None:
    """The message has the backend's own words."""
    with pytest.raises(JobError, match="process: files can be read"):
        serving.isolating_backend("process", (WEAK, STRONG))


def test_a_file_of_the_data_folder_may_be_named(tmp_path: Path) -> None:
    """A path relative to the data folder, or an absolute one below it, is taken."""
    (tmp_path / "tests").mkdir()
    file = tmp_path / "tests" / "a.jsonl"
    file.write_text("{}", encoding="utf-8")
    assert serving.file_below(tmp_path, "tests/a.jsonl") == file
    assert serving.file_below(tmp_path, f" {file} ") == file


@pytest.mark.parametrize(
    "text", ["/etc/passwd", "../secret", "x/../../secret", "link", "~/secret", "a\0b", ""]
)
def test_files_elsewhere_may_not_be_named(tmp_path: Path, text: str) -> None:
    """Neither dots nor a link nor an absolute path lead out of the data folder."""
    (tmp_path / "secret").write_text("key", encoding="utf-8")
    root = tmp_path / "data"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError):
        serving.file_below(root, text)


def test_a_resumed_job_gets_the_backend_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that took any backend goes on in the isolating one only."""
    folder = Workspace(tmp_path).run_dir("mine-1")
    write_json(folder / "job.json", {"command": ["run", "--sandbox", "auto"], "pid": 1, "create_time": 1.0})
    write_progress(folder, Progress("running tests", 1, 2, state="stopped"))
    started: list[list[str]] = []
    monkeypatch.setattr(work.jobs, "start", lambda command, folder: started.append(list(command)))
    (card,) = work.job_cards(Workspace(tmp_path))
    assert work.backend_of(card) == "auto"
    work.resume(card, "docker")
    assert started == [["run", "--sandbox", "auto", "--resume", "--sandbox", "docker"]]


@pytest.mark.parametrize(
    ("command", "takes_one"),
    [
        (["export", "a", "--out", "b"], False),
        (["study", "sizes", "a"], False),
        (["bugs", "ask", "a"], False),
        (["evolve", "round", "a"], True),
        (["hunt", "--pairs", "a"], True),
    ],
)
def test_only_commands_that_run_programs_get_a_backend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], takes_one: bool
) -> None:
    """Work without programs goes on by its own command, which would refuse `--sandbox`."""
    folder = Workspace(tmp_path).run_dir("mine-1")
    write_json(folder / "job.json", {"command": command, "pid": 1, "create_time": 1.0})
    write_progress(folder, Progress("working", 1, 2, state="stopped"))
    started: list[list[str]] = []
    monkeypatch.setattr(work.jobs, "start", lambda command, folder: started.append(list(command)))
    (card,) = work.job_cards(Workspace(tmp_path))
    work.resume(card, "docker")
    assert started == [[*command, "--sandbox", "docker"] if takes_one else command]
