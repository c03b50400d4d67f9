"""What whoever watches hears of long work."""

from pathlib import Path

import pytest

from core.progress import Progress, read_progress, telling


def test_the_end_of_work_is_told(tmp_path: Path) -> None:
    """Listener and folder hear the last that was told, as done."""
    seen: list[Progress] = []
    with telling(tmp_path, seen.append) as tell:
        for done in range(1000):
            tell(Progress("working", done, 2000))
    assert seen[-1] == read_progress(tmp_path) == Progress("working", 999, 2000, state="done")


def test_turns_are_told_at_once_and_the_rest_seldom(tmp_path: Path) -> None:
    """The first of a phase, its last and new messages get through, whatever came just before."""
    seen: list[Progress] = []
    with telling(tmp_path, seen.append) as tell:
        for phase in ("a", "b"):
            for done in range(101):
                tell(Progress(phase, done, 100))
        tell(Progress("b", 50, 100, message="odd"))
    told = [(p.phase, p.done) for p in seen]
    assert {("a", 0), ("a", 100), ("b", 0), ("b", 100), ("b", 50)} <= set(told)
    assert len(told) < 50


@pytest.mark.parametrize(
    ("error", "state", "message"),
    [
        (KeyboardInterrupt(), "stopped", "stopped; resume it to go on"),
        (ValueError("odd"), "failed", "odd"),
    ],
)
def test_broken_work_says_how_it_ended(
    tmp_path: Path, error: BaseException, state: str, message: str
) -> None:
    """A stop and an error are told apart, keep how far it was, and go on to the caller."""
    with pytest.raises(type(error)), telling(tmp_path, None) as tell:
        tell(Progress("working", 3, 7))
        raise error
    assert read_progress(tmp_path) == Progress("working", 3, 7, state=state, message=message)


def test_a_part_that_ended_is_not_the_end(tmp_path: Path) -> None:
    """Progress of a part of the work that says "done" is told as running."""
    with telling(tmp_path, None) as tell:
        tell(Progress("part", 7, 7, state="done"))
        found = read_progress(tmp_path)
        assert found is not None
        assert found.state == "running"
