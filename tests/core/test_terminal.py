"""What the command line prints for people."""

from __future__ import annotations

import pytest

from core.terminal import show_scores


def test_scores_are_printed_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    """By the first metric, a verifier without a value last; the interval stands in brackets."""

    def entry(name: str, value: float) -> dict[str, object]:
        metric = {"value": value, "low": value - 0.1, "high": value + 0.1, "n": 3, "n_undefined": 0}
        return {"verifier": name, "benchmark": "b", "n_problems": 3, "metrics": {"top1": metric}}

    runs = [entry("low", 0.2), entry("none", float("nan")), entry("high", 0.9)]
    show_scores({"runs": runs}, as_json=False)
    out = capsys.readouterr().out
    assert out.index("high") < out.index("low") < out.index("none")
    assert "[0.800, 1.000]" in out
