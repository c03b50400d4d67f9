"""Which solution of a benchmark a row of scores is about."""

import json
from typing import Any

from core.formats import report
from core.formats.loaded import FlatRow
from core.formats.scores import placed
from core.model import Benchmark, Problem, Solution

BENCHMARK = Benchmark(
    "B",
    (Problem("T/0", "p", entry_point="f"), Problem("T/1", "p", entry_point="f")),
    {
        "T/0": (Solution("a", "x = 1", "", 1.0, 1.0), Solution("b", "x = 2", "", 1 / 3, 2.0)),
        "T/1": (Solution("c", "y = 1", "", 1.0, 1.0),),
    },
)


def row(code: str = "", rank: float | None = None, score: float = 1.0, task_id: str = "T/0") -> FlatRow:
    """A row with a score."""
    return FlatRow("B", task_id, code, score, rank, reward_score=1.0, line=7)


def told(*rows: FlatRow) -> list[tuple[str | None, str]]:
    """The solution of each row, and what is said of it."""
    found = placed(rows, BENCHMARK, "f.jsonl")
    return [
        (one.solution.id if one.solution else None, one.note.message if one.note else "") for one in found
    ]


def test_code_decides_and_rank_with_reference_score_where_there_is_none() -> None:
    """The same code is enough; a rank is, where the reference score is the same to two digits."""
    assert told(row("x = 2", rank=1.0), row(rank=1.0)) == [("b", ""), ("a", "")]
    assert told(row(rank=2.0, score=0.33)) == [("b", "")]


def test_a_rank_with_another_reference_score_is_another_solution() -> None:
    """Ranks of another benchmark are no ranks of this one; both sides are named."""
    assert told(row(rank=2.0, score=0.5)) == [
        (
            None,
            (
                "expected the code, or the rank (and reference score), of a solution of 'T/0'; "
                "found no code, rank 2 (0.5); the benchmark has rank 1 (1), rank 2 (0.333)"
            ),
        )
    ]


def test_other_code_of_the_same_rank_is_taken_and_said() -> None:
    """Code may be spelled otherwise, so that it is a doubt and no error."""
    assert told(row("x  =  1", rank=1.0)) == [
        ("a", "not the code of 'a' of 'T/0'; taken for it by rank 1 (1)")
    ]


def test_a_second_score_of_one_solution_is_named_as_such() -> None:
    """A repeated row does not get the score of another solution."""
    assert told(row("x = 1"), row("x = 1"))[1] == (
        None,
        "expected each solution once, an earlier row has 'a' of 'T/0'",
    )


def lines(*found: dict[str, Any]) -> bytes:
    """A file of scores."""
    rest = {"dataset": "B", "ground_average_test_score": 1.0, "average_test_score": 0.5}
    return "\n".join(json.dumps(rest | one) for one in found).encode()


def test_a_check_counts_scores_of_no_solution_as_errors() -> None:
    """Rows of solutions that the benchmark lacks are errors before anything starts; the others are usable."""
    found = report(lines({"task_id": "T/0", "output": "x = 1"}, {"task_id": "T/1", "output": "z"}), BENCHMARK)
    assert (found.valid, found.usable) == (1, True)
    assert [(error.line, error.field) for error in found.errors] == [(2, "output")]
    assert "nothing for 1 of 2 problems: T/1" in found.warnings[-1].message


def test_a_check_says_that_no_score_belongs_to_the_benchmark() -> None:
    """A file whose tasks exist and whose solutions don't can't be used."""
    found = report(lines({"task_id": "T/0", "output": "z"}), BENCHMARK)
    assert (found.valid, found.usable) == (0, False)
