"""What a run says when read back."""

import threading
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from core.model import Benchmark, Outcome, Problem, ProblemKind, Solution, TestSuite, VerifierKind
from core.store import RunWriter, SolutionOutcomes, StoreError, open_run, write_scores_run
from tests.core.store.made import make_benchmark, make_manifest, make_rows, make_run, make_suites


def test_everything_written_is_read_back(tmp_path: Path) -> None:
    """Problems, solutions, suites, matrices and details come back as they were given, in their order."""
    benchmark = make_benchmark()
    suites = make_suites(benchmark)
    written = make_run(tmp_path / "run", benchmark, suites)
    run = open_run(tmp_path / "run")
    assert run.finished
    assert run.task_ids() == run.done_task_ids() == [p.task_id for p in benchmark.problems]
    for problem, suite in zip(benchmark.problems, suites, strict=True):
        assert run.problem(problem.task_id) == problem
        assert run.solutions(problem.task_id) == benchmark.solutions[problem.task_id]
        assert run.suite(problem.task_id) == suite
        matrix = run.matrix(problem.task_id)
        rows = written[problem.task_id]
        assert matrix.solution_ids == tuple(row.solution_id for row in rows)
        np.testing.assert_array_equal(matrix.outcomes, [row.outcomes for row in rows])
        np.testing.assert_array_equal(matrix.seconds, [row.seconds for row in rows])
        assert run.details(problem.task_id) == [detail for row in rows for detail in row.details]


def test_manifest_is_read_back(tmp_path: Path) -> None:
    """The manifest keeps what it was given and gains the counts."""
    benchmark = make_benchmark()
    suites = make_suites(benchmark)
    written = make_run(tmp_path / "run", benchmark, suites)
    manifest = open_run(tmp_path / "run").manifest
    given = make_manifest(benchmark, suites)
    assert not manifest.differences(given)
    assert manifest.isolation == given.isolation
    assert manifest.command == given.command
    assert (manifest.n_problems, manifest.n_solutions, manifest.n_tests) == (3, 12, 15)
    assert (manifest.n_cells, manifest.unparsed) == (60, 3)
    codes = np.concatenate([row.outcomes for rows in written.values() for row in rows])
    assert manifest.outcome_counts == {o.letter: int((codes == o).sum()) for o in Outcome}


@pytest.mark.parametrize("part", ["details", "outcomes"])
def test_a_part_that_is_gone_is_named(tmp_path: Path, part: str) -> None:
    """A finished run that lacks a file of details or outcomes says so when it is opened."""
    benchmark = make_benchmark()
    make_run(tmp_path / "run", benchmark, make_suites(benchmark))
    gone = min((tmp_path / "run").glob(f"{part}-*.parquet"))
    gone.unlink()
    with pytest.raises(StoreError, match=rf"{part}\*\.parquet: \d+ rows, the manifest says \d+"):
        open_run(tmp_path / "run")


def test_details_of_one_cell(tmp_path: Path) -> None:
    """Details can be asked for by solution and by test."""
    benchmark = make_benchmark()
    written = make_run(tmp_path / "run", benchmark, make_suites(benchmark))
    run = open_run(tmp_path / "run")
    row = next(row for row in written["T/1"] if len(row.details) > 1)
    wanted = row.details[1]
    assert run.details("T/1", row.solution_id) == list(row.details)
    assert run.details("T/1", row.solution_id, wanted.test_index) == [wanted]


def test_scores_are_fraction_of_judged_tests(tmp_path: Path) -> None:
    """A score is passed over tests that are not INTERNAL_ERROR; its rank is scipy's average rank."""
    benchmark = make_benchmark(5, 9)
    written = make_run(tmp_path / "run", benchmark, make_suites(benchmark, 4))
    scores = open_run(tmp_path / "run").scores()
    assert list(scores.columns) == [
        "task_id",
        "solution_id",
        "score",
        "rank",
        "reference_score",
        "reference_rank",
    ]
    for task_id, group in scores.groupby("task_id"):
        letters = [[Outcome(int(c)).letter for c in row.outcomes] for row in written[str(task_id)]]
        expected = [
            r.count("P") / (len(r) - r.count("I")) if r.count("I") < len(r) else np.nan for r in letters
        ]
        np.testing.assert_allclose(group["score"], expected)
        np.testing.assert_array_equal(group["rank"], rankdata(-np.array(expected), nan_policy="omit"))
        assert group["reference_rank"].tolist() == [
            s.reference_rank for s in benchmark.solutions[str(task_id)]
        ]


def test_all_internal_errors_score_nan(tmp_path: Path) -> None:
    """A solution of which nothing could be judged has neither score nor rank."""
    benchmark = make_benchmark(1, 2)
    suites = make_suites(benchmark, 2)
    rows = [
        SolutionOutcomes("T/0", "s0", np.array([7, 7], np.uint8), np.zeros(2, np.float32)),
        SolutionOutcomes("T/0", "s1", np.array([0, 7], np.uint8), np.zeros(2, np.float32)),
    ]
    with RunWriter.create(
        tmp_path / "run", make_manifest(benchmark, suites), benchmark.problems, benchmark.solutions, suites
    ) as writer:
        writer.append(rows)
        writer.finish()
    scores = open_run(tmp_path / "run").scores()
    assert np.isnan(scores["score"][0])
    assert np.isnan(scores["rank"][0])
    assert (scores["score"][1], scores["rank"][1]) == (1.0, 1.0)


def test_summary_counts_what_it_says(tmp_path: Path) -> None:
    """The summary agrees with counting each problem's matrix by hand."""
    benchmark = make_benchmark(4, 6)
    suites = make_suites(benchmark, 7)
    written = make_run(tmp_path / "run", benchmark, suites, part=3)
    summary = open_run(tmp_path / "run").problem_summary()
    assert summary["task_id"].tolist() == [p.task_id for p in benchmark.problems]
    assert summary["position"].tolist() == [0, 1, 2, 3]
    for row in summary.to_dict("records"):
        codes = np.array([r.outcomes for r in written[row["task_id"]]])
        for outcome in Outcome:
            assert row[f"share_{outcome.letter}"] == pytest.approx((codes == outcome).mean())
        best = codes[0]  # the only solution of reference score 1.0
        assert row["n_invalid_tests"] == int(((best != 0) & (best != 7)).sum())
        assert (row["n_tests"], row["n_solutions"], row["n_unparsed"]) == (7, 6, 1)
        assert row["reference_spread"] == pytest.approx(5 / 6)
        assert (row["reference_min"], row["reference_max"]) == (pytest.approx(1 / 6), 1.0)


def test_pandas_and_duckdb_read_the_files(tmp_path: Path) -> None:
    """The files mean the same to pandas and to DuckDB on their own."""
    benchmark = make_benchmark()
    written = make_run(tmp_path / "run", benchmark, make_suites(benchmark))
    expected = [row.outcomes.tolist() for rows in written.values() for row in rows]
    frames = [pd.read_parquet(p) for p in sorted((tmp_path / "run").glob("outcomes-*.parquet"))]
    assert len(frames) == 2
    assert [list(cells) for frame in frames for cells in frame["outcomes"]] == expected
    passed = duckdb.sql(
        f"select sum(len(list_filter(outcomes, lambda x: x = 0))) from '{tmp_path}/run/outcomes-*.parquet'"
    ).fetchall()
    assert passed == [(sum(row.count(0) for row in expected),)]
    assert duckdb.sql(f"select count(*) from '{tmp_path}/run/tests.parquet'").fetchall() == [(15,)]


def test_search_looks_in_prompts_code_and_tests(tmp_path: Path) -> None:
    """Text is found in any case in prompt, code and tests, and taken literally."""
    solution = Solution("a", "def f(): return '100%'")
    benchmark = Benchmark(
        "b",
        tuple(Problem(f"T/{i}", prompt) for i, prompt in enumerate(["Sort a LIST", "other", "last"])),
        {"T/0": (solution,), "T/1": (solution,), "T/2": (Solution("a", "x = 1"),)},
    )
    suites = (TestSuite("T/2", make_suites(make_benchmark(1), 1)[0].tests),)
    make_run(tmp_path / "run", benchmark, suites)
    run = open_run(tmp_path / "run")
    assert run.search("list") == ["T/0"]
    assert run.search("100%") == ["T/0", "T/1"]
    assert run.search("ASSERT F() ==") == ["T/2"]
    assert run.search("%") == ["T/0", "T/1"]
    assert run.search("nowhere") == []


def test_threads_share_a_run(tmp_path: Path) -> None:
    """Many threads reading one Run get the same matrices as one."""
    benchmark = make_benchmark(8)
    suites = make_suites(benchmark)
    written = make_run(tmp_path / "run", benchmark, suites)
    run = open_run(tmp_path / "run")
    wrong: list[str] = []

    def read() -> None:
        for task_id, rows in written.items():
            if run.matrix(task_id).outcomes.tolist() != [row.outcomes.tolist() for row in rows]:
                wrong.append(task_id)
            run.problem_summary()

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_unfinished_run_is_readable(tmp_path: Path) -> None:
    """Of an unfinished run the written problems can be read; the others say that they are not there."""
    benchmark = make_benchmark()
    suites = make_suites(benchmark)
    with RunWriter.create(
        tmp_path / "run", make_manifest(benchmark, suites), benchmark.problems, benchmark.solutions, suites
    ) as writer:
        empty = open_run(tmp_path / "run")
        assert empty.scores().empty
        assert empty.problem_summary()["share_P"].isna().all()
        writer.append(make_rows(benchmark, "T/1", 5, np.random.default_rng(1)))
        run = open_run(tmp_path / "run")
    assert not run.finished
    assert run.done_task_ids() == ["T/1"]
    assert run.matrix("T/1").outcomes.shape == (4, 5)
    assert run.scores()["task_id"].unique().tolist() == ["T/1"]
    assert sum(run.outcome_totals().values()) == 20
    with pytest.raises(StoreError, match=r"T/0 has no outcomes \(yet\)"):
        run.matrix("T/0")
    with pytest.raises(KeyError):
        run.matrix("T/9")


@pytest.mark.parametrize("finished", [True, False])
def test_scores_without_names_are_the_scores(tmp_path: Path, finished: bool) -> None:
    """Arrays and one problem's rows say what the whole table says, also of a half-done run."""
    benchmark = make_benchmark(4)
    suites = make_suites(benchmark)
    if finished:
        make_run(tmp_path, benchmark, suites)
    else:
        manifest = make_manifest(benchmark, suites)
        rng = np.random.default_rng(0)
        n_tests = {suite.task_id: len(suite.tests) for suite in suites}
        with RunWriter.create(tmp_path, manifest, benchmark.problems, benchmark.solutions, suites) as writer:
            for task_id in ("T/2", "T/1"):
                writer.append(make_rows(benchmark, task_id, n_tests[task_id], rng))
    run = open_run(tmp_path)
    table, arrays = run.scores(), run.score_arrays()
    assert [f"T/{place}" for place in arrays["position"]] == table["task_id"].tolist()
    for name in ("score", "reference_score", "reference_rank"):
        np.testing.assert_array_equal(arrays[name], table[name].to_numpy())
    for task_id in run.task_ids():
        wanted = table[table["task_id"] == task_id].reset_index(drop=True)
        assert run.scores_of(task_id).to_dict("list").__repr__() == wanted.to_dict("list").__repr__()


def test_scores_run(tmp_path: Path) -> None:
    """A reward model's scores make a finished run in which nothing was executed."""
    benchmark = make_benchmark(2, 3)
    scores = {"T/0": {"s0": 0.5, "s1": 0.5, "s2": -3.0}, "T/1": {"s0": 1.0}}
    path = write_scores_run(tmp_path / "reward", name="rm", verifier="rm", benchmark=benchmark, scores=scores)
    run = open_run(path)
    assert run.finished
    assert run.manifest.verifier_kind is VerifierKind.REWARD
    assert run.manifest.backend == "none"
    frame = run.scores()
    assert frame["score"].fillna(99).tolist() == [0.5, 0.5, -3.0, 1.0, 99, 99]
    assert frame["rank"].fillna(99).tolist() == [1.5, 1.5, 3.0, 1.0, 99, 99]
    assert run.problem_summary()["n_tests"].tolist() == [0, 0]
    with pytest.raises(StoreError, match="s9"):
        write_scores_run(
            tmp_path / "x", name="rm", verifier="rm", benchmark=benchmark, scores={"T/0": {"s9": 1.0}}
        )


@settings(max_examples=20, deadline=None)
@given(
    text=st.text(st.characters(), max_size=30),
    name=st.text("abc[]*?'\" %é", min_size=1, max_size=8),
    n_tests=st.integers(0, 3),
)
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, text: str, name: str, n_tests: int
) -> None:
    """Odd text, odd folder names and empty suites are read back as written."""
    path = tmp_path_factory.mktemp("odd") / f"r{name}"
    problem = Problem("T/" + text, text, ProblemKind.STDIO, None, text, metadata={"k": text})
    benchmark = Benchmark("b", (problem,), {problem.task_id: (Solution(text or "x", text, text),)})
    suites = (
        TestSuite(problem.task_id, make_suites(make_benchmark(1), n_tests)[0].tests, ((text, "why"),), text),
    )
    make_run(path, benchmark, suites)
    run = open_run(path)
    assert run.problem(problem.task_id) == problem
    assert run.solutions(problem.task_id) == benchmark.solutions[problem.task_id]
    assert run.suite(problem.task_id) == suites[0]
    assert run.matrix(problem.task_id).outcomes.shape == (1, n_tests)
    assert run.search(text) == [problem.task_id]


def test_contents_are_what_each_problem_says_by_itself(tmp_path: Path) -> None:
    """All problems at once, over several queries and files, are the same as one problem after another."""
    benchmark = make_benchmark(300, 2)
    make_run(tmp_path / "run", benchmark, make_suites(benchmark)[:-1], part=7)
    run = open_run(tmp_path / "run")
    found = list(run.contents())
    assert [one.problem for one in found] == list(benchmark.problems)
    for one in found[::23] + found[-1:]:
        task_id = one.problem.task_id
        assert one.solutions == run.solutions(task_id)
        assert one.tests == run.suite(task_id).tests
        alone = run.matrix(task_id)
        assert one.matrix.solution_ids == alone.solution_ids
        np.testing.assert_array_equal(one.matrix.outcomes, alone.outcomes)
        np.testing.assert_array_equal(one.matrix.seconds, alone.seconds)


def test_problems_and_suites_are_what_each_problem_says_by_itself(tmp_path: Path) -> None:
    """They come whole over several queries, where one has no solution, no tests or no raw answer too."""
    made = make_benchmark(300, 2)
    benchmark = Benchmark("made", made.problems, made.solutions | {"T/7": ()})
    given = make_suites(benchmark)[:-1]
    suites = (TestSuite("T/0", given[0].tests), replace(given[1], response=None), *given[2:])
    make_run(tmp_path / "run", benchmark, suites, part=70)
    run = open_run(tmp_path / "run")
    assert list(run.problems()) == [(one, benchmark.solutions[one.task_id]) for one in benchmark.problems]
    found = list(run.suites())
    assert found == [*suites, TestSuite("T/299", ())]
    assert found[:9] + found[250:260] == [run.suite(f"T/{i}") for i in (*range(9), *range(250, 260))]


def test_problems_of_a_run_without_outcomes(tmp_path: Path) -> None:
    """A run of given scores holds no outcome, and says its problems, solutions and suites all the same."""
    benchmark = make_benchmark(3)
    scores = {"T/1": {"s1": 0.5}}
    write_scores_run(tmp_path / "run", name="rm", verifier="rm", benchmark=benchmark, scores=scores)
    run = open_run(tmp_path / "run")
    assert list(run.problems()) == [(one, benchmark.solutions[one.task_id]) for one in benchmark.problems]
    assert list(run.suites()) == [TestSuite(f"T/{i}", ()) for i in range(3)]


def test_contents_of_a_problem_without_solutions_have_no_rows(tmp_path: Path) -> None:
    """A benchmark may hold a problem that nobody solved: its tests come back, over no row of outcomes."""
    made = make_benchmark(2, 1)
    benchmark = Benchmark("made", made.problems, made.solutions | {"T/1": ()})
    make_run(tmp_path / "run", benchmark, make_suites(benchmark, 3))
    assert [one.matrix.outcomes.shape for one in open_run(tmp_path / "run").contents()] == [(1, 3), (0, 3)]


def test_contents_that_are_not_written_yet_are_an_error(tmp_path: Path) -> None:
    """A run under way has no matrix of a problem that it has not reached."""
    benchmark = make_benchmark(2)
    suites = make_suites(benchmark)
    manifest = make_manifest(benchmark, suites)
    with RunWriter.create(
        tmp_path / "run", manifest, benchmark.problems, benchmark.solutions, suites
    ) as writer:
        writer.append(make_rows(benchmark, "T/0", 5, np.random.default_rng(0)))
    with pytest.raises(StoreError, match="T/1 has no outcomes"):
        list(open_run(tmp_path / "run").contents())
