"""What the Bugs page shows, against the hand-written cases of tests/core/hunting."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.pairs import write_answers, write_pairs
from core.hunting.commands import hunt
from core.hunting.folder import Hunt, open_hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.hunting.strategies import CheckerStrategy, GeneratorStrategy
from core.hunting.tables import rates
from core.metrics.hunting import HUNT_KEYS
from core.model import AnswerClass
from core.views import bug_numbers
from core.views.bug_answer import input_table, input_view, neighbours, open_answer, telling_input
from core.views.bug_published import (
    published_best_of,
    published_bugs,
    published_diversity,
    published_first_k,
    published_hunt_benchmarks,
)
from core.views.bugs import CLASSES, AnswerFilter, answer_table, hunt_catalog
from core.workspace import Workspace
from sandbox import open_sandbox
from sandbox.contract import Limits
from tests.core.hunting.pieces import read_cases

SHORT = Limits(seconds=2.0, output_kb=256)
NAMES = (
    "function_true_bug",
    "function_missed",
    "function_good_input_invalid",
    "function_input_crashes_good",
    "function_no_difference",
    "function_buggy_crashes",
    "stdio_true_bug",
    "fault_no_check",
    "io_stdio_true_bug",
    "io_function_invalid",
    "io_bad_json",
)
CASES = [case for case in read_cases() if case.name in NAMES]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A data folder with a hunt of harnesses and one of cases."""
    root = tmp_path_factory.mktemp("data")
    found = Workspace(root)
    with open_sandbox(workers=2) as sandbox:
        for kind in AnswerKind:
            mine = [case for case in CASES if case.kind is kind]
            easy = {"difficulty": "easy", "buggy_score": 0.9}
            pairs = [
                replace(c.pair, metadata=easy if i else {"buggy_score": 0.1}) for i, c in enumerate(mine)
            ]
            write_pairs(pairs, root / f"{kind}-pairs.jsonl")
            write_answers({case.name: [case.answer] for case in mine}, root / f"{kind}-answers.jsonl")
            options = HuntOptions(kind, repeat=2, generator=SHORT, program=SHORT, checker=SHORT)
            hunt(
                root / f"{kind}-pairs.jsonl",
                str(root / f"{kind}-answers.jsonl"),
                found.run_dir(f"{kind}-1"),
                options,
                sandbox,
            )
    yield found


@pytest.fixture
def harnesses(workspace: Workspace) -> Hunt:
    """The hunt of harnesses."""
    return open_hunt(workspace.run_dir("harness-1"))


def test_every_hunt_of_the_data_folder_is_listed(workspace: Workspace, tmp_path: Path) -> None:
    """Hunts are found by their record, with what they were; a damaged one is named."""
    catalog = hunt_catalog(workspace)

    assert {entry.label for entry in catalog.hunts} == {"harness-1 (harness)", "io-1 (io)"}
    assert all("seed 42" in entry.about and entry.finished for entry in catalog.hunts)
    broken = Workspace(tmp_path)
    (tmp_path / "runs" / "x").mkdir(parents=True)
    (tmp_path / "runs" / "x" / "hunt.json").write_text("{")
    assert [name for name, _ in hunt_catalog(broken).damaged] == ["x"]


def test_the_table_counts_and_filters_by_class(harnesses: Hunt) -> None:
    """Counts are of all answers, rows those of the chosen classes, each with its reward by Eq. 1."""
    table = answer_table(harnesses, AnswerFilter(classes=("true bug",)))

    assert {one: count for one, count in table.counts.items() if count} == {
        AnswerClass.TRUE_BUG: 3,
        AnswerClass.GOOD_INPUT_MISSED: 1,
        AnswerClass.GOOD_INPUT_INVALID: 1,
        AnswerClass.NO_DIFFERENCE: 1,
        AnswerClass.INVALID: 1,
        AnswerClass.FORMAT_ERROR: 1,
    }
    assert set(table.rows["pair_id"]) == {"function_true_bug", "function_buggy_crashes", "stdio_true_bug"}
    assert list(table.rows["reward"]) == [1.0] * 3
    assert (table.total, len(table.rows)) == (8, 3)


def test_the_table_is_searched_and_filtered_by_strategy(harnesses: Hunt) -> None:
    """A word of the answer finds it; a strategy nobody uses leaves nothing."""
    assert list(answer_table(harnesses, AnswerFilter(text="STDIO_true")).rows["pair_id"]) == [
        "stdio_true_bug"
    ]
    assert answer_table(harnesses, AnswerFilter(text="no such words anywhere")).rows.empty
    kept = answer_table(harnesses, AnswerFilter(strategies=("hardcoded",))).rows
    assert "fault_no_check" not in set(kept["pair_id"])
    assert kept["generators"].str.contains("hardcoded").any()


def test_an_answer_opens_at_the_input_that_made_its_class(harnesses: Hunt) -> None:
    """A true bug opens at the input that shows it, with both outputs, the assertion and its line."""
    view = open_answer(harnesses, "function_true_bug", 0)
    at = telling_input(view.finding)
    assert at is not None
    shown = input_view(view, view.finding.trials[at])

    assert "rejects f's output" in view.why
    assert list(input_table(view)["shows"]) == ["no difference", "the bug"]
    assert shown.verdict == "This input shows the bug."
    left, right = ("".join(text for line in pane.lines for _, text in line.pieces) for pane in shown.outputs)
    assert (left, right) == ("[1, 2, 2]", "[1, 2]")
    assert any(kind == "differs" for line in shown.outputs[0].lines for kind, _ in line.pieces)
    marked = [line for line in view.code_pane(view.finding.trials[at]).lines if line.kind == "marked"]
    assert "assert" in "".join(text for _, text in marked[0].pieces)
    assert [line.kind for line in view.programs()[1].lines].count("added") == 1


@pytest.mark.parametrize(
    ("name", "why", "shows"),
    [
        ("function_missed", "the check accepts it", "missed"),
        ("function_good_input_invalid", "rejects the output of g", "wrong check"),
        ("function_input_crashes_good", "g itself ends in", "invalid input"),
        ("function_buggy_crashes", "f ends in runtime error (E) and g does not", "the bug"),
    ],
)
def test_each_class_says_why(harnesses: Hunt, name: str, why: str, shows: str) -> None:
    """The sentence names the input and what happened there, and the table says what that input shows."""
    view = open_answer(harnesses, name, 0)
    at = telling_input(view.finding)

    assert why in view.why
    assert at is not None
    assert input_table(view)["shows"][at] == shows


def test_a_format_error_opens_without_inputs(harnesses: Hunt) -> None:
    """What is wrong with the form is said, and nothing is shown that did not run."""
    view = open_answer(harnesses, "fault_no_check", 0)

    assert view.why.startswith("No check_output function")
    assert telling_input(view.finding) is None
    assert input_table(view).empty


def test_cases_show_what_the_answer_expects(workspace: Workspace) -> None:
    """An input/output answer stands with its expected output beside both programs' outputs."""
    view = open_answer(open_hunt(workspace.run_dir("io-1")), "io_stdio_true_bug", 0)
    at = telling_input(view.finding)
    assert at is not None
    shown = input_view(view, view.finding.trials[at])

    assert shown.expected is not None
    assert shown.expected.title == "the answer expects"
    assert "the expected output rejects" in shown.buggy


def test_an_answer_that_is_not_there_is_said(harnesses: Hunt) -> None:
    """A link to an unknown answer ends in a message."""
    with pytest.raises(InputError, match="no answer 3 to stdio_true_bug"):
        open_answer(harnesses, "stdio_true_bug", 2)


def test_the_cards_are_the_rates_of_the_hunt(harnesses: Hunt) -> None:
    """Five rates in words, with the interval of the bootstrap over pairs."""
    numbers = bug_numbers.measure(harnesses, "mine")
    cards = bug_numbers.rate_cards(numbers)

    assert len(cards) == len(HUNT_KEYS)
    assert cards[2].value == f"{100 * 3 / 8:.1f}%"
    assert cards[2].interval.startswith("[") and cards[2].interval.endswith("%]")


def test_charts_say_what_the_tables_say(harnesses: Hunt) -> None:
    """The last point of first-k and of repeats is the whole hunt; classes add up to its answers."""
    numbers = bug_numbers.measure(harnesses, "mine")
    whole = rates(numbers.findings, bootstrap=0).metrics["true_bug_rate"].value
    first, again = bug_numbers.first_k_chart(numbers), bug_numbers.repeat_chart(numbers)

    assert first.series[2].y[-1] == pytest.approx(whole)
    assert again is not None
    assert (again.series[2].x, again.series[2].y[-1]) == ((1.0, 2.0), pytest.approx(whole))
    classes = bug_numbers.class_chart([numbers], CLASSES)
    assert sum(part.values[0] for part in classes.parts) == 8


def test_groups_come_from_metadata_and_from_how_wrong_f_is(harnesses: Hunt) -> None:
    """Pairs are grouped by what they say of themselves, the paper's thirds of f's score among it."""
    numbers = bug_numbers.measure(harnesses, "mine")
    keys = bug_numbers.group_keys(numbers.pairs)

    assert set(keys) == {"how wrong the buggy program is", "kind of program"}
    table = bug_numbers.group_table(numbers, "how wrong the buggy program is")
    assert dict(zip(table["group"], table["pairs"], strict=True)) == {
        "mostly right (> 75%)": 7,
        "mostly wrong (< 25% of tests)": 1,
    }


def test_a_hunt_against_itself_differs_in_nothing(harnesses: Hunt) -> None:
    """Paired differences are zero and no side is called better."""
    numbers = bug_numbers.measure(harnesses, "mine")
    table = bug_numbers.compared_table(numbers, numbers)

    assert set(table["difference"]) == {"+0.0", "+0.000"}
    assert set(table["p"]) == {"= 1.000"}
    assert set(table["verdict"]) == {"no clear difference"}


def test_own_rows_stand_among_the_published(harnesses: Hunt) -> None:
    """The paper's rows are as printed, one's own marked, all in the order of their true bug rate."""
    numbers = bug_numbers.measure(harnesses, "mine")
    table = published_bugs("LiveCodeBench Seen", [numbers])

    assert list(table["true_bug_rate"]) == sorted(table["true_bug_rate"], reverse=True)
    mine = table[table["who"] == "yours"]
    assert list(mine["true_bug_rate"]) == [pytest.approx(37.5)]
    best = table[(table["verifier"] == "Qwen3-4B, RL (Harness)") & (table["table"] == "1")]
    assert best[["good_input", "invalid_test_rate", "true_bug_rate"]].iloc[0].tolist() == [79.1, 9.5, 69.9]
    assert len(published_hunt_benchmarks()) == 5
    assert published_first_k("Codeforces Seen", AnswerKind.IO)["true_bug_rate"].tolist() == [
        67.1,
        53.2,
        42.5,
        39.5,
    ]
    assert published_best_of().iloc[2]["Qwen3-32B"] == 69.5


def test_diversity_stands_beside_the_published(harnesses: Hunt) -> None:
    """Own inputs first, then the paper's table 4; within an answer all inputs are different."""
    numbers = bug_numbers.measure(harnesses, "mine")
    table = bug_numbers.diversity_table([numbers], published_diversity())

    assert list(table["answers"]) == ["mine", "RL (Input/Output), published", "RL (Harness), published"]
    assert table["unique_ratio"][0] == 100.0
    assert not math.isnan(table["length_std"][0])


def test_strategies_are_counted_by_how_wrong_f_is(harnesses: Hunt, workspace: Workspace) -> None:
    """Each generator counts once; cases have no strategies at all."""
    numbers = bug_numbers.measure(harnesses, "mine")
    generators = bug_numbers.strategy_chart(numbers, GeneratorStrategy)
    checks = bug_numbers.strategy_chart(numbers, CheckerStrategy)

    assert generators is not None
    assert checks is not None
    assert sum(sum(part.values) for part in generators.parts) >= 7
    cases = bug_numbers.measure(open_hunt(workspace.run_dir("io-1")), "io")
    assert bug_numbers.strategy_chart(cases, GeneratorStrategy) is None
    assert bug_numbers.repeat_chart(cases) is None


def test_steps_stay_in_the_list() -> None:
    """The first answer has none before it, the last none after, a stranger neither."""
    rows = [("a", 1), ("a", 2), ("b", 1)]
    assert neighbours(rows, ("a", 1)) == (0, None, 1)
    assert neighbours(rows, ("b", 1)) == (2, 1, None)
    assert neighbours(rows, ("c", 1)) == (None, None, None)


def test_every_class_has_words() -> None:
    """No class is without a name on screen."""
    assert set(CLASSES) == set(AnswerClass)
