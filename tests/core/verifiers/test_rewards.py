import json
import math
from pathlib import Path
from typing import Any

import pytest

from core import formats
from core.errors import InputError
from core.model import Benchmark, Problem, Solution, VerifierKind
from core.store import open_run
from core.verifiers.rewards import scores_run

TWINS = (
    Solution("a", "def f(): return 1", "", 1.0, 1.0),
    Solution("b", "def f(): return 2", "", 0.5, 2.0),
    Solution("c", "def f(): return 2", "", 0.5, 3.0),
    Solution("d", "def f(): return 4", "", 0.0, 4.0),
)
BENCHMARK = Benchmark("B", (Problem("T", "p", entry_point="f"),), {"T": TWINS})


def row(code: str, reward: float | None, rank: float | None = None, reference: float = 0.5) -> dict[str, Any]:
    """A row as `generate rewards` writes it."""
    scored = {"reward": {"reward_score": reward, "response": ""}}
    ground = {"dataset": "B", "task_id": "T", "output": code, "ground_average_test_score": reference}
    return {**ground, **scored, **({"rank": rank} if rank else {})}


def scores(rows: list[dict[str, Any]], folder: Path) -> tuple[dict[str, float], tuple[str, ...]]:
    """Score by solution of the run made of the rows, and the notes."""
    loaded = formats.load("\n".join(map(json.dumps, rows)).encode())
    path, notes = scores_run(loaded, BENCHMARK, folder, file="f", name="v")
    run = open_run(path)
    assert run.manifest.verifier_kind is VerifierKind.REWARD
    table = run.scores()
    return dict(zip(table["solution_id"], table["score"], strict=True)), tuple(str(one.note) for one in notes)


def test_rows_find_their_solutions(tmp_path: Path) -> None:
    """By code first, twins in their order, then by rank; a row of neither is a note, a missing one NaN."""
    rows = [
        row("def f(): return 2", 5.0),
        row("def f(): return 2", 6.0),
        row("something else", 7.0, rank=4.0, reference=0.0),
        row("unknown", 8.0),
    ]
    found, notes = scores(rows, tmp_path / "run")
    assert math.isnan(found.pop("a"))
    assert found == {"b": 5.0, "c": 6.0, "d": 7.0}
    assert [note.split(":")[1] for note in notes] == ["3", "4"]


def test_an_answer_without_a_reward_is_missing_data(tmp_path: Path) -> None:
    """A solution whose answer could not be read has no score, not a low one."""
    found, _ = scores([row(TWINS[0].code, None), row(TWINS[3].code, 1.0)], tmp_path / "run")
    assert math.isnan(found["a"])
    assert found["d"] == 1.0


def test_scores_of_another_benchmark_are_refused(tmp_path: Path) -> None:
    """Where no row belongs to the benchmark no run is written, and the message says what there is instead."""
    with pytest.raises(InputError, match=r"f: no row has a score .*; line 1: .* found other code, no rank"):
        scores([row("unknown", 8.0)], tmp_path / "run")
    assert not (tmp_path / "run").exists()
