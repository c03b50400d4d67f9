"""The formats Touchstone knows. The first one that most rows match is taken: special before general."""

from __future__ import annotations

from core.formats import (
    evalplus,
    evolvecoder,
    harnessllm,
    humaneval,
    livecodebench,
    mbpp,
    pairs,
    scoring_verifiers,
    touchstone,
)
from core.formats.loaded import Format

FORMATS: tuple[Format, ...] = (
    scoring_verifiers.FLAT,
    scoring_verifiers.RANKED,
    touchstone.BENCHMARK,
    evalplus.PROBLEMS,
    evalplus.RESULTS,
    humaneval.PROBLEMS,
    humaneval.RESULTS,
    mbpp.PROBLEMS,
    livecodebench.PROBLEMS,
    livecodebench.EVALUATIONS,
    evolvecoder.PIPELINE,
    evolvecoder.RELEASED,
    harnessllm.ROWS,
    pairs.PAIRS,
    pairs.ANSWERS,
    pairs.HARNESSES,
    touchstone.TESTS,
    touchstone.SOLUTIONS,
)
