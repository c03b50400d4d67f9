"""Verifiers that need no model: four real baselines to compare others with."""

from __future__ import annotations

from core.verifiers.base import Context, SuiteVerifier, make_suites
from core.verifiers.consensus import CONSENSUS, SMOKE
from core.verifiers.docstring import DOCSTRING
from core.verifiers.typed_inputs import TYPED_INPUTS

__all__ = ["BASELINES", "Context", "SuiteVerifier", "make_suites"]

BASELINES: dict[str, SuiteVerifier] = {
    verifier.name: verifier for verifier in (TYPED_INPUTS, DOCSTRING, CONSENSUS, SMOKE)
}
"""The baselines by name, the strongest first."""
