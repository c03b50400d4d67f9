"""The leaderboard, the comparison, the list of problems, the catalog."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from core.views.catalog import BenchmarkEntry, read_catalog
from core.views.overview import benchmark_card, run_card
from core.views.problems import NamedFilter, ProblemFilter, Range, find_text, problem_table
from core.views.runs import RunSummary, summarise_run
from core.views.verifiers import compare_runs, leaderboard
from core.workspace import Workspace


def test_the_leaderboard_starts_with_the_best_top1(summaries: dict[str, RunSummary]) -> None:
    """Rows are sorted by Top-1; each metric marks its best, and MAE's best is the smallest."""
    board = leaderboard(list(summaries.values()))
    assert [row.label for row in board.rows] == ["typed inputs", "reward model", "model-a tests", "smoke"]
    mae = [head.key for head in board.heads].index("mae")
    assert min(board.rows, key=lambda row: row.cells[mae].value or 9.0).cells[mae].best
    assert sum(row.cells[mae].best for row in board.rows) == 1


def test_a_verifier_on_few_problems_is_not_the_best(summaries: dict[str, RunSummary]) -> None:
    """Measured on one of eight problems it comes last and has no mark, whatever its numbers are there."""
    best = summaries["oracle-1"]
    metrics = {key: dataclasses.replace(m, n_undefined=7) for key, m in best.evaluation.metrics.items()}
    lucky = dataclasses.replace(best, evaluation=dataclasses.replace(best.evaluation, metrics=metrics))
    board = leaderboard([lucky, summaries["careless-1"], summaries["smoke-1"]])
    assert board.rows[-1].label == "typed inputs"
    assert not any(cell.best for cell in board.rows[-1].cells)
    assert board.rows[0].cells[0].best


def test_undefined_correlations_are_counted(summaries: dict[str, RunSummary]) -> None:
    """A verifier without signal on two problems says so beside its correlation, and how they count."""
    board = leaderboard([summaries["smoke-1"]])
    at = {head.key: index for index, head in enumerate(board.heads)}
    cell = board.rows[0].cells[at["spearman"]]
    assert (cell.note, cell.counted) == ("undefined on 2 of 8 problems", "n = 6 of 8")
    assert board.rows[0].cells[at["top1"]].counted == "n = 8"
    smoke = summaries["smoke-1"]
    zero = summarise_run(smoke.name, smoke.label, smoke.folder, undefined="zero")
    assert leaderboard([zero]).rows[0].cells[at["spearman"]].counted == "n = 8, 2 as 0"


def test_every_scale_has_the_better_end_right_and_holds_what_is_drawn(
    summaries: dict[str, RunSummary],
) -> None:
    """0 to 1, MAE turned round, and below 0 only where a value or its interval lies there."""
    board = leaderboard(list(summaries.values()))
    for at, head in enumerate(board.heads):
        ends = [
            end for row in board.rows for end in (row.cells[at].value, row.cells[at].low) if end is not None
        ]
        if head.key == "mae":
            assert (head.worst, head.best) == (1, 0)
        else:
            assert head.best == 1
            assert head.worst <= max(min([0.0, *ends]), -2)
            assert head.worst in ({0} if min(ends) >= 0 else {-1, -2})


def test_a_comparison_is_antisymmetric(summaries: dict[str, RunSummary]) -> None:
    """Exchanging the two changes the sign, and names the same winner."""
    first, second = summaries["oracle-1"], summaries["careless-1"]
    there, back = compare_runs(first, second), compare_runs(second, first)
    for one, other in zip(there.metrics, back.metrics, strict=True):
        assert one.value == pytest.approx(-(other.value or 0.0))
    assert (there.n_first, there.n_second) == (back.n_second, back.n_first) == (4, 1)
    verdicts = {metric.name: metric.verdict for metric in there.metrics}
    assert verdicts["MAE \N{DOWNWARDS ARROW}"] == "typed inputs is better"


def test_problems_that_changed_hands_name_the_better_verifier(summaries: dict[str, RunSummary]) -> None:
    """Only problems with different Top-1 are listed, each with who is right there."""
    changed = compare_runs(summaries["oracle-1"], summaries["careless-1"]).changed
    assert dict(zip(changed["task_id"], changed["right"], strict=True)) == {
        "Tiny/1": "typed inputs",
        "Tiny/3": "typed inputs",
        "Tiny/5": "typed inputs",
        "Tiny/6": "model-a tests",
        "Tiny/7": "typed inputs",
    }


@pytest.mark.parametrize(
    ("run", "name", "kept"),
    [
        ("careless-1", NamedFilter.FOOLED, ["Tiny/1", "Tiny/3", "Tiny/5", "Tiny/7"]),
        ("careless-1", NamedFilter.HARMFUL, ["Tiny/1", "Tiny/3", "Tiny/5", "Tiny/7"]),
        ("smoke-1", NamedFilter.NO_SIGNAL, ["Tiny/2", "Tiny/5"]),
        ("oracle-1", NamedFilter.TIED, ["Tiny/3", "Tiny/6"]),
        ("oracle-1", NamedFilter.UNCOVERED, []),
    ],
)
def test_named_filters(
    summaries: dict[str, RunSummary], run: str, name: NamedFilter, kept: list[str]
) -> None:
    """Each named filter keeps the problems its help text describes."""
    table = problem_table(summaries[run], ProblemFilter((name,)), None)
    assert list(table.task_ids()) == kept
    assert table.counts[name] == len(kept)
    assert table.total == 8


def test_search_looks_into_prompts_code_and_tests(summaries: dict[str, RunSummary]) -> None:
    """Text is found in any case; no text keeps everything."""
    run = summaries["careless-1"]
    found = find_text(run, "COUNT_vowels")
    assert found == ("Tiny/2",)
    assert problem_table(run, ProblemFilter(text="count_vowels"), found).task_ids() == ("Tiny/2",)
    assert find_text(run, "  ") is None


def test_shares_add_up(summaries: dict[str, RunSummary]) -> None:
    """The shares of a problem's outcomes add up to 100 percent."""
    rows = problem_table(summaries["careless-1"], ProblemFilter(), None).rows
    shares = rows[["passed", "assertion_failed", "other_errors", "no_verdict"]].sum(axis=1)
    assert shares.tolist() == pytest.approx([100.0] * 8)


def test_cards_say_where_numbers_come_from(summaries: dict[str, RunSummary]) -> None:
    """The benchmark's card has its size and mean score, a run's its backend, limits and what is missing."""
    card = benchmark_card(list(summaries.values()))
    assert (card.n_problems, card.n_solutions, card.mean_score) == (8, 48, pytest.approx(0.5))
    run = run_card(summaries["careless-1"])
    assert (run.backend, run.n_internal, run.unparsed) == ("process", 8, 8)
    assert run.limits == "3 s · 1,024 MiB · 64 KiB"


def test_a_damaged_run_does_not_hide_the_others(workspace: Workspace, tmp_path: Path) -> None:
    """A run whose manifest can't be read is named with the reason; the others are listed."""
    root = tmp_path / "data"
    shutil.copytree(workspace.root, root)
    (root / "runs" / "smoke-1" / "manifest.json").write_text("{", encoding="utf-8")
    catalog = read_catalog(Workspace(root))
    assert [name for name, _ in catalog.damaged] == ["smoke-1"]
    assert len(catalog.benchmarks[0].runs) == 3


def test_runs_of_one_name_are_told_apart(workspace: Workspace, tmp_path: Path) -> None:
    """Two runs of a benchmark with the same name carry their folders in their labels."""
    root = tmp_path / "data"
    shutil.copytree(workspace.root, root)
    shutil.copytree(root / "runs" / "smoke-1", root / "runs" / "smoke-2")
    labels = {run.name: run.label for run in read_catalog(Workspace(root)).benchmarks[0].runs}
    assert labels["smoke-1"] == "smoke (smoke-1)"
    assert labels["smoke-2"] == "smoke (smoke-2)"
    assert labels["oracle-1"] == "typed inputs"


def test_an_empty_data_folder_is_an_empty_catalog(tmp_path: Path) -> None:
    """Nothing loaded is no error."""
    catalog = read_catalog(Workspace(tmp_path / "nothing"))
    assert (catalog.benchmarks, catalog.damaged) == ((), ())


def test_ranges_keep_their_ends_and_drop_what_is_undefined(summaries: dict[str, RunSummary]) -> None:
    """Spearman from -1 to 1 drops the two problems without signal; Top-1 up to 0 is "fooled"."""
    smoke, careless = summaries["smoke-1"], summaries["careless-1"]
    everywhere = ProblemFilter(ranges=(Range("spearman", -1, 1),))
    assert len(problem_table(smoke, everywhere, None).rows) == 6
    fooled = problem_table(careless, ProblemFilter((NamedFilter.FOOLED,)), None)
    assert problem_table(careless, ProblemFilter(ranges=(Range("top1", None, 0.0),)), None).rows.equals(
        fooled.rows
    )
    invalid = ProblemFilter(ranges=(Range("n_invalid_tests", 2), Range("reference_spread", 1, 1)))
    assert len(problem_table(careless, invalid, None).rows) == 4


def test_a_filter_says_what_it_keeps() -> None:
    """Every part of a filter in a few words, for the head of the list."""
    wanted = ProblemFilter((NamedFilter.FOOLED,), "sum", (Range("spearman", -1, 0.5), Range("top1", None, 0)))
    assert wanted.words() == ("fooled", "-1 ≤ Spearman ≤ 0.5", "Top-1 ≤ 0", "“sum”")


def test_the_newest_telling_run_is_in_focus_first(benchmark: BenchmarkEntry) -> None:
    """The newest run comes first, unless its tests never failed an assertion."""
    assert benchmark.runs[0].name == "reward-model"
    tested = [run for run in benchmark.runs if run.name != "reward-model"]
    newest = dataclasses.replace(benchmark, runs=tuple(sorted(tested, key=lambda run: run.name != "smoke-1")))
    assert newest.runs[0].name == "smoke-1"
    first = newest.first_in_focus()
    assert first is not None
    assert first.name != "smoke-1"
    only = dataclasses.replace(benchmark, runs=newest.runs[:1]).first_in_focus()
    assert only is not None
    assert only.name == "smoke-1"
    assert dataclasses.replace(benchmark, runs=()).first_in_focus() is None
