"""Published results beside one's own."""

from __future__ import annotations

import pytest

from core.metrics import METRIC_KEYS
from core.views.published import (
    published_benchmarks,
    published_rows,
    published_saturation,
    published_scaling,
)
from core.views.runs import RunSummary
from core.views.verifiers import leaderboard


def test_percent_become_fractions() -> None:
    """The paper prints 88.2 for o3-mini on HE-R+, the best, and no R2."""
    best = published_rows("HE-R+")[0]
    values = dict(zip(METRIC_KEYS, (cell.value for cell in best.cells), strict=True))
    assert best.label == "o3-mini (2025-01-31)"
    assert (values["top1"], values["spearman"], values["mae"]) == (pytest.approx(0.882), 0.85, 0.18)
    assert values["r2"] is None


def test_published_values_have_the_digits_that_were_printed() -> None:
    """88.2 percent are 0.882, and a correlation of 0.85 is not shown as 0.850."""
    digits = dict(zip(METRIC_KEYS, (cell.digits for cell in published_rows("HE-R+")[0].cells), strict=True))
    assert (digits["top1"], digits["spearman"], digits["mae"]) == (3, 2, 2)


@pytest.mark.parametrize("benchmark", published_benchmarks())
def test_every_published_value_is_a_fraction(benchmark: str) -> None:
    """Each benchmark has results, all within 0 to 1, without intervals."""
    rows = published_rows(benchmark)
    assert len(rows) >= 15
    for row in rows:
        assert row.published == benchmark
        assert all(cell.value is None or 0 <= cell.value <= 1 for cell in row.cells)
        assert all(cell.low is None and not cell.best for cell in row.cells)


def test_published_rows_stand_apart_from_the_runs(summaries: dict[str, RunSummary]) -> None:
    """Runs are sorted among runs and published results among theirs; only a run is marked as the best."""
    board = leaderboard([summaries["oracle-1"], summaries["smoke-1"]], published_rows("HE-R"), "the paper")
    assert [row.label for row in board.rows] == ["typed inputs", "smoke"]
    assert all(row.published == "HE-R" for row in board.published)
    for part in (board.rows, board.published):
        top1 = [row.cells[0].value or 0.0 for row in part]
        assert top1 == sorted(top1, reverse=True)
    assert [row.label for row in (*board.rows, *board.published) if row.cells[0].best] == ["typed inputs"]


def test_published_curves() -> None:
    """Qwen2.5-Coder-32B starts at 77.5% with 5 tests; one test of HE+ agrees to 0.725."""
    line = next(line for line in published_scaling("HE-R+", "top1") if line.name.startswith("Qwen"))
    assert (line.x[0], line.y[0]) == (5, pytest.approx(0.775))
    assert published_scaling("HE-R+", "r2") == ()
    (saturation,) = published_saturation("HE-R+")
    assert (saturation.x[0], saturation.y[0], saturation.low[0]) == (1, 0.725, 0.722)
    assert published_saturation("HE-M") == ()
