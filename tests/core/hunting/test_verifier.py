import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.formats.touchstone import write_benchmark
from core.hunting import verifier
from core.hunting.model import AnswerKind, HuntOptions
from core.hunting.verifier import AnswersRequest, answers_by_task, kind_of, run_answers
from core.model import Benchmark, CallTest, Problem, ProblemKind, Solution, StdioTest, VerifierKind
from core.store import WrongRunError, open_run
from core.studies import scaling_of
from core.views.problem import cell, open_problem
from core.views.runs import summarise_run
from sandbox import open_sandbox
from sandbox.contract import Limits, Sandbox
from tests.core.hunting.pieces import harness
from tests.core.hunting.test_commands import core_command

GOOD = "def f(xs):\n    return sorted(xs)\n"
SOLUTIONS = (
    Solution("good", GOOD, "reference", 1.0, 1.0),
    Solution("drops", "def f(xs):\n    return sorted(set(xs))\n", "mutant", 0.5, 2.0),
    Solution("crashes", "def f(xs):\n    return xs.sorted()\n", "mutant", 0.0, 3.0),
    Solution("loops", "def f(xs):\n    while xs:\n        pass\n    return []\n", "mutant", 0.2, 4.0),
)
SORT = Problem("T/0", "Sort.", ProblemKind.FUNCTION, "f", GOOD)
ECHO = Problem("T/1", "Print it.", ProblemKind.STDIO, None, "print(input())")
ECHOES = (
    Solution("good", "print(input())", "reference", 1.0, 1.0),
    Solution("cuts", "print(input()[:3])", "mutant", 0.5, 2.0),
)
NOBODY = Problem("T/2", "No answer is about this one.", ProblemKind.STDIO, None, "print(1)")
BENCHMARK = Benchmark(
    "three", (SORT, ECHO, NOBODY), {"T/0": SOLUTIONS, "T/1": ECHOES, "T/2": (Solution("a", "print(1)"),)}
)
LENGTH = harness(
    "def generate_input_1():\n    return [{'xs': [3, 1, 2]}, {'xs': [2, 2, 1]}]\n\n"
    "def check_output(given, out):\n    assert len(out) == len(given['xs']), 'lost'\n"
)
SAME = harness(
    "def generate_input_1():\n    return ['ab', 'abcd']\n\n"
    "def check_output(given, out):\n    assert out.strip() == given\n"
)
CASES = (
    '```json\n[{"input_args": {"xs": [2, 2]}, "expected_output": [2, 2]},\n'
    ' {"input_args": {"xs": []}, "expected_output": [0]}]\n```'
)
LINES = '```json\n[{"input_str": "abcd", "expected_output": "abcd"}]\n```'
QUICK = replace(HuntOptions(AnswerKind.HARNESS), program=Limits(seconds=2.0, output_kb=256))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests of this module."""
    with open_sandbox(workers=2) as opened:
        yield opened


def request(sandbox: Sandbox, folder: Path, texts: Any, **options: Any) -> AnswersRequest:
    """A request for a run in `folder`/run."""
    kind = options.pop("kind", AnswerKind.HARNESS)
    chosen = replace(QUICK, kind=kind)
    return AnswersRequest(
        BENCHMARK, texts, folder / "run", "mine", sandbox, chosen, folder / "cache.sqlite", **options
    )


def test_harnesses_give_every_solution_a_row(tmp_path: Path, sandbox: Sandbox) -> None:
    """Each input is a test: passed, rejected by the check, or ended as the program itself ended."""
    texts = {"T/0": [("drops", LENGTH), ("", "no block at all")], "T/1": [("", SAME)]}
    run = open_run(run_answers(request(sandbox, tmp_path, texts)))
    matrix = run.matrix("T/0")

    assert dict(zip(matrix.solution_ids, matrix.letters(), strict=True)) == {
        "good": "PP",
        "drops": "PF",
        "crashes": "EE",
        "loops": "TT",
    }
    assert run.matrix("T/1").letters() == ["PP", "PF"]
    assert run.manifest.verifier_kind is VerifierKind.HARNESS
    assert run.manifest.unparsed == 1


def test_a_run_of_harnesses_is_shown_like_any_other(tmp_path: Path, sandbox: Sandbox) -> None:
    """Metrics, the study of suite size, and the problem's page with what fired read it."""
    folder = run_answers(request(sandbox, tmp_path, {"T/0": [("", LENGTH)], "T/1": [("", SAME)]}))
    summary = summarise_run("run", "mine", folder)
    view = open_problem("run", "mine", folder, "T/0")

    assert summary.evaluation.metrics["top1"].value == 1.0
    assert list(summary.problems["n_tests"]) == [2, 2, 0]
    assert scaling_of(open_run(folder), [1, 2], bootstrap=0)
    fired = cell(view, "drops", 1)
    assert fired is not None
    assert fired.test.startswith("check_output({'xs': [2, 2, 1]}")
    assert "lost (line 5 of the harness)" in fired.message
    assert (fired.actual, fired.expected) == ("[1, 2]", "(whatever check_output accepts)")


def test_cases_are_tests_of_the_kinds_that_there_are(tmp_path: Path, sandbox: Sandbox) -> None:
    """Inputs with outputs become stdio and call tests, a wrong one among them fails the good program too."""
    texts = {"T/0": [("", CASES)], "T/1": [("", LINES)]}
    run = open_run(run_answers(request(sandbox, tmp_path, texts, kind=AnswerKind.IO)))

    assert run.matrix("T/0").letters() == ["PF", "FF", "EE", "TF"]
    assert run.matrix("T/1").letters() == ["P", "F"]
    assert isinstance(run.suite("T/0").tests[0], CallTest)
    assert isinstance(run.suite("T/1").tests[0], StdioTest)


def test_a_stopped_run_goes_on_and_a_finished_one_is_there(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Problems that are written are not run again; without `resume` an unfinished run is refused."""
    monkeypatch.setattr(verifier, "_BATCH", 1)
    texts = {"T/0": [("", LENGTH)], "T/1": [("", SAME)]}

    def stop(progress: Any) -> None:
        if progress.phase == "running tests":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_answers(request(sandbox, tmp_path, texts), stop)
    with pytest.raises(WrongRunError, match="unfinished"):
        run_answers(request(sandbox, tmp_path, texts))
    folder = run_answers(request(sandbox, tmp_path, texts, resume=True))

    assert len(list(folder.glob("outcomes-*.parquet"))) == 3
    assert open_run(folder).matrix("T/1").letters() == ["PP", "PF"]
    assert run_answers(request(sandbox, tmp_path, texts)) == folder
    with pytest.raises(WrongRunError, match="other inputs"):
        run_answers(request(sandbox, tmp_path, {"T/0": [("", LENGTH)]}))


def test_answers_find_their_problem_by_the_pair(tmp_path: Path) -> None:
    """A pair_id is a task_id, or one with a solution's id behind it; others are said."""
    found, strangers = answers_by_task(BENCHMARK, {"T/0": ["a"], "T/0:drops": ["b"], "T/9:x": ["c"]})

    assert found == {"T/0": [("", "a"), ("drops", "b")]}
    assert strangers == ("T/9:x",)


def test_the_kind_is_what_most_answers_can_be_read_as() -> None:
    """Harnesses and cases are told apart by their blocks; a file with neither is refused."""
    assert kind_of(BENCHMARK, {"T/0": [("", LENGTH), ("", CASES), ("", LENGTH)]}) is AnswerKind.HARNESS
    assert kind_of(BENCHMARK, {"T/1": [("", LINES)]}) is AnswerKind.IO
    with pytest.raises(InputError, match="no answer holds"):
        kind_of(BENCHMARK, {"T/0": [("", "words")]})


def test_a_file_of_harnesses_given_as_tests_is_run_as_such(tmp_path: Path) -> None:
    """`run --tests` takes harness answers for a harness verifier, never for a suite of stray assertions."""
    write_benchmark(BENCHMARK, tmp_path / "b.jsonl")
    row = {"task_id": "T/0", "response": LENGTH, "shown_solution": "drops", "request": {"kind": "harness"}}
    (tmp_path / "t.jsonl").write_text(json.dumps(row) + "\n")
    done = core_command(
        "run",
        "--benchmark",
        tmp_path / "b.jsonl",
        "--tests",
        tmp_path / "t.jsonl",
        "--out",
        tmp_path / "run",
        home=tmp_path,
    )

    assert done.returncode == 0, done.stderr
    assert "harnesses" in done.stderr
    assert open_run(tmp_path / "run").manifest.verifier_kind is VerifierKind.HARNESS
