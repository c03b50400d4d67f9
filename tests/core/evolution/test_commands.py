import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.evolution.commands import filter_suites, report_rounds, rules_from, select_solutions
from core.evolution.filters import Rules
from core.evolution.patterns import Trial
from core.evolution.selection import Method, select
from core.evolution.sources import open_trial, open_trials
from core.formats import RowError
from core.model import TestSuite, VerifierKind
from core.store import Manifest, RunWriter, SolutionOutcomes, now
from sandbox.contract import Isolation
from tests.core.evolution.trials import trial

WORDS = {"P": "pass", "F": "fail", "T": "timeout", "I": "unexecuted", "C": "syntax_error"}


def pipeline_row(subject: Trial) -> dict[str, Any]:
    """The trial as a row of EvolveCoder's first evaluation."""
    results = [
        {
            "pass_rate": 0.0,
            "parse_code": solution.code,
            "test_cases_pass_status": [
                {"pass": letter == "P", "reason": WORDS[letter], "error_message": None, "time_limit": 4.0}
                for letter in ("PFETMOCI"[code] for code in cells)
            ],
        }
        for solution, cells in zip(subject.solutions, subject.outcomes, strict=True)
    ]
    return {
        "id": subject.task_id,
        "problem": subject.problem.prompt,
        "tests": [test.source for test in subject.tests],  # type: ignore[union-attr]
        "gen_result": {"eval_results": results},
    }


def pipeline_file(path: Path, *trials: Trial) -> Path:
    """The trials as a pipeline file."""
    path.write_text("".join(json.dumps(pipeline_row(t)) + "\n" for t in trials), encoding="utf-8")
    return path


def run_folder(path: Path, *trials: Trial, benchmark: str = "0") -> Path:
    """The trials as a finished run on the benchmark with this hash."""
    manifest = Manifest(
        name="r",
        verifier="v",
        verifier_kind=VerifierKind.TESTS,
        benchmark="b",
        benchmark_sha256=benchmark,
        tests_sha256="0",
        isolation=Isolation(backend="fake"),
        created=now(),
    )
    with RunWriter.create(
        path,
        manifest,
        [t.problem for t in trials],
        {t.task_id: t.solutions for t in trials},
        [TestSuite(t.task_id, t.tests) for t in trials],
    ) as writer:
        writer.append(
            [
                SolutionOutcomes(t.task_id, s.id, cells, np.zeros(len(cells), dtype=np.float32))
                for t in trials
                for s, cells in zip(t.solutions, t.outcomes, strict=True)
            ]
        )
        writer.finish()
    return path


EXAMPLES = (
    trial(*["PPPPPPPF", "PPPPPPFF", "FFFFFFPF"], task_id="kept"),  # six of one pattern, one at rate 0
    trial("PPPP", "PFPF", task_id="few"),
    trial(*["PPPPP"] * 61, task_id="easy"),
)
EXPECTED = {
    "problems_before": 3,
    "problems_after": 1,
    "tests_before": 17,
    "tests_after": 6,
    "removed": {"low_pass_rate": 1, "same_pattern": 1, "too_few_tests": 4, "too_many_perfect": 5},
}


def test_filter_by_hand(tmp_path: Path) -> None:
    """The counts of a pipeline file are those of the example, and have the contract's keys only."""
    assert filter_suites(pipeline_file(tmp_path / "f.jsonl", *EXAMPLES)) == EXPECTED


def test_a_run_filters_as_its_file_does(tmp_path: Path) -> None:
    """A run folder gives the same counts as a pipeline file of the same matrices."""
    assert filter_suites(run_folder(tmp_path / "run", *EXAMPLES)) == EXPECTED


def test_options_change_the_counts(tmp_path: Path) -> None:
    """Options reach the filter, and reasons that are asked for appear."""
    path = pipeline_file(tmp_path / "f.jsonl", *EXAMPLES)
    rules = Rules(min_pass=0, per_pattern=None, min_tests=0, max_perfect=None, max_pass=1.0)
    assert filter_suites(path, rules) == {
        "problems_before": 3,
        "problems_after": 3,
        "tests_before": 17,
        "tests_after": 10,
        "removed": {
            "low_pass_rate": 0,
            "same_pattern": 0,
            "too_few_tests": 0,
            "too_many_perfect": 0,
            "high_pass_rate": 7,
        },
    }


@given(
    st.lists(
        st.lists(st.text(st.sampled_from("PPFTIC"), min_size=6, max_size=6), min_size=2, max_size=5),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 3),
)
def test_what_goes_and_what_stays_is_all(
    tmp_path_factory: pytest.TempPathFactory, problems: list[list[str]], seed: int
) -> None:
    """Tests before minus all removed ones are the tests after."""
    trials = [trial(*rows, task_id=f"p{i}") for i, rows in enumerate(problems)]
    path = pipeline_file(tmp_path_factory.mktemp("f") / "f.jsonl", *trials)
    counts = filter_suites(path, Rules(per_pattern=1, min_tests=2, max_perfect=2, seed=seed))
    assert counts["tests_before"] - sum(counts["removed"].values()) == counts["tests_after"]


@pytest.mark.parametrize("method", list(Method))
def test_select_from_file_and_run(tmp_path: Path, method: Method) -> None:
    """Selected are ids: the index as text in a file, the solution's own in a run."""
    subject = trial("PPPP", "PPPF", "PPFF", "PFPF", "FFPP", "PFFF", task_id="p/1")
    rows = select(subject, method, 5).rows
    file, run = pipeline_file(tmp_path / "f.jsonl", subject), run_folder(tmp_path / "run", subject)
    assert select_solutions(file, "p/1", method, 5) == {"selected": [str(row) for row in rows]}
    assert select_solutions(run, "p/1", method, 5) == {"selected": [f"s{row}" for row in rows]}


def test_select_refuses_what_is_not_there(tmp_path: Path) -> None:
    """An unknown problem or method is an input error that names it."""
    file, run = pipeline_file(tmp_path / "f.jsonl", *EXAMPLES), run_folder(tmp_path / "run", *EXAMPLES)
    for path in (file, run):
        with pytest.raises(InputError, match="no problem is called 'nobody'"):
            select_solutions(path, "nobody", "adversarial")
    with pytest.raises(InputError, match="adversarial or discriminative, found 'best'"):
        select_solutions(file, "few", "best")


def test_report_of_two_rounds(tmp_path: Path) -> None:
    """Each path is a round; undefined numbers are null, and the whole is JSON."""
    first = pipeline_file(tmp_path / "0.jsonl", trial("P", "P"))
    row = pipeline_row(trial("PF", "PP"))
    row["synthesis_result_first"] = {"tests": [row["tests"][1]]}
    second = tmp_path / "1.jsonl"
    second.write_text(json.dumps(row), encoding="utf-8")
    report = report_rounds([first, second, second])
    overall = [r["sources"]["overall"] for r in report["rounds"]]
    assert [r["pass_at"]["1"]["value"] for r in overall] == [1.0, 0.5, 0.5]
    assert overall[0]["pass_at"]["8"]["value"] is None
    assert [r["methods"].get("adversarial") for r in overall] == [
        None,
        {"generated": 1, "retained": 1},
        {"generated": 1, "retained": 1},
    ]
    json.dumps(report, allow_nan=False)


def test_rules_that_cannot_be_are_input_errors() -> None:
    """A user's option out of range is an input error that names it."""
    with pytest.raises(InputError, match="min_pass"):
        rules_from(min_pass=2.0)


def test_bad_rows_are_told_and_the_rest_counts(tmp_path: Path) -> None:
    """Rows that can't be used are handed to the caller by line, in order; the good ones count."""
    path = pipeline_file(tmp_path / "f.jsonl", *EXAMPLES)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(["{", lines[0], '{"id": 1}', *lines[1:]]), encoding="utf-8")
    told: list[RowError] = []
    assert filter_suites(path, on_error=told.append) == EXPECTED
    assert [error.line for error in told] == [1, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("nonsense", "expected JSON"),
        ('{"task_id": "x", "tests": []}', "found the keys task_id, tests"),
        ('{"id": 1, "tests": [], "gen_result": {}}', "problem"),
    ],
)
def test_files_without_any_matrix_are_refused(tmp_path: Path, text: str, words: str) -> None:
    """A file that holds no usable row of the pipeline is an input error that says what was found."""
    path = tmp_path / "f.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        list(open_trials(path))


def test_missing_paths_and_folders_without_a_run(tmp_path: Path) -> None:
    """A path that is not there, or a folder that is no run, is an input error."""
    with pytest.raises(InputError, match=r"no\.jsonl"):
        filter_suites(tmp_path / "no.jsonl")
    with pytest.raises(InputError, match="manifest"):
        filter_suites(tmp_path)


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    """A run that still misses outcomes is not filtered as if it were whole."""
    path = run_folder(tmp_path / "run", *EXAMPLES)
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    (path / "manifest.json").write_text(json.dumps(manifest | {"finished": None}), encoding="utf-8")
    with pytest.raises(InputError, match="finished"):
        filter_suites(path)


def test_one_problem_of_a_run_is_the_same_trial(tmp_path: Path) -> None:
    """Opening one problem gives what going through all of them gives."""
    path = run_folder(tmp_path / "run", *EXAMPLES)
    (found,) = [t for t in open_trials(path) if t.task_id == "few"]
    single = open_trial(path, "few")
    assert (single.solutions, single.tests) == (found.solutions, found.tests)
    assert single.outcomes.tolist() == found.outcomes.tolist() == EXAMPLES[1].outcomes.tolist()


def test_rounds_of_different_benchmarks_are_refused(tmp_path: Path) -> None:
    """Two runs on different benchmarks, or a file that shares no problem, are no rounds of one another."""
    zero = run_folder(tmp_path / "zero", trial("PF", task_id="a"))
    other = run_folder(tmp_path / "other", trial("PF", task_id="b"), benchmark="1")
    file = pipeline_file(tmp_path / "file.jsonl", trial("PF", task_id="b"))
    with pytest.raises(InputError, match=r"expected rounds of one benchmark: .*zero is of .*other of"):
        report_rounds([zero, other])
    with pytest.raises(InputError, match=r"file\.jsonl and .*zero share no problem"):
        report_rounds([zero, file])
    assert len(report_rounds([other, file])["rounds"]) == 2
