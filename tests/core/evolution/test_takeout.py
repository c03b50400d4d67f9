"""Evolved suites for others, and pools of solutions."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core import formats
from core.evolution.filters import Rules
from core.evolution.takeout import Layout, pool, take_out
from core.model import Assertion, Origin, Problem, Solution, StdioTest
from tests.core.evolution.trials import trial

KEEP = Rules(min_tests=1)


def test_evolvecoders_layout_reads_back_as_such(tmp_path: Path) -> None:
    """The file is one of the released data set's format, with the tests that the filter left."""
    out = tmp_path / "out.jsonl"
    done = take_out(
        [trial("PP", "PF"), trial("P", "P", task_id="q")], out, Layout.EVOLVECODER, Rules(min_tests=2)
    )
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"id": "p", "question": "Double x.", "tests": ["assert f(0) == 0", "assert f(1) == 2"]}
    ]
    assert (done.written, done.counts.problems_before, done.counts.tests_after) == (1, 2, 2)
    loaded = formats.load(out)
    assert loaded.format == "evolvecoder-22k"
    assert not loaded.errors


def test_touchstones_layout_keeps_origins(tmp_path: Path) -> None:
    """The file loads as suites whose tests say where they are from, whatever their kind."""
    out = tmp_path / "out.jsonl"
    subject = replace(
        trial("PP"), tests=(Assertion("assert f(1) == 2", Origin("m", "x", 2)), StdioTest("1", "2"))
    )
    take_out([subject], out, Layout.TOUCHSTONE, KEEP)
    (suite,) = formats.load(out).suites
    assert suite.tests[0].origin == Origin("m", "x", 2)
    assert isinstance(suite.tests[1], StdioTest)


def test_prompts_hold_what_the_reward_needs(tmp_path: Path) -> None:
    """A row has messages, tests, entry point and the helpers that tests may rely on."""
    out = tmp_path / "out.jsonl"
    prompt = 'import math\n\ndef f(x):\n    """Double x."""\n'
    subject = replace(trial("P"), problem=Problem("p", prompt, entry_point="f", metadata={"source": "taco"}))
    take_out([subject], out, Layout.PROMPTS, KEEP)
    row = json.loads(out.read_text())
    assert "Double x." in row["prompt"][-1]["content"]
    assert (row["tests"], row["entry_point"], row["data_source"]) == (["assert f(0) == 0"], "f", "taco")
    assert row["support"] == "import math\n"
    assert row["question"] == prompt


def test_tests_that_a_layout_can_not_hold_are_counted(tmp_path: Path) -> None:
    """Tests by standard input are left out of assertion layouts, and said."""
    subject = replace(trial("PP"), tests=(Assertion("assert f(1) == 2"), StdioTest("1", "2")))
    assert take_out([subject], tmp_path / "x", Layout.EVOLVECODER, KEEP).left_out == 1


def test_a_pool_keeps_every_solution_and_counts_models() -> None:
    """Nothing is dropped; equal ids are told apart; problems without solutions are left out."""
    problems = [
        Problem("p", "x", entry_point="f", reference_solution="def f(): return 1"),
        Problem("q", "x", entry_point="f", reference_solution="def f(): return 1"),
    ]
    solutions = {"p": [Solution("0", "a", "m"), Solution("0", "b", "n"), Solution("0", "a", "n")]}
    made, counts = pool(problems, solutions, "pool")
    assert [problem.task_id for problem in made.problems] == ["p"]
    assert [(one.id, one.source, one.code) for one in made.solutions["p"][1:]] == [
        ("0", "m", "a"),
        ("n/0", "n", "b"),
        ("n/0/1", "n", "a"),
    ]
    assert made.solutions["p"][0].reference_score == 1.0
    assert counts == {"reference": 1, "m": 1, "n": 2}


@pytest.mark.parametrize("layout", list(Layout))
def test_without_a_suite_the_file_is_empty(tmp_path: Path, layout: Layout) -> None:
    """Filters that leave nothing leave a file without rows."""
    out = tmp_path / "out"
    assert take_out([trial("P")], out, layout, Rules()).written == 0
    assert out.read_text() == ""
