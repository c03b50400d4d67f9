"""Asking models through any OpenAI-compatible endpoint: for solutions, tests, rewards and harnesses.

`Generation` says what to ask for, `plan` which requests that makes for a benchmark, `generate`
asks them and keeps every answer as it came. `openai` is imported in `core.llm.client` alone.
"""

from core.llm.asks import Ask, Generation, Kind, Method, Mode, Shown, plan, preview
from core.llm.client import Endpoint, EndpointError, RefusedError
from core.llm.costs import Estimate, Prices, Totals, estimate
from core.llm.embeddings import embed
from core.llm.generate import Summary, generate, open_answers
from core.llm.prompts import Template, read_template
from core.llm.records import Failure, failures

__all__ = [
    "Ask",
    "Endpoint",
    "EndpointError",
    "Estimate",
    "Failure",
    "Generation",
    "Kind",
    "Method",
    "Mode",
    "Prices",
    "RefusedError",
    "Shown",
    "Summary",
    "Template",
    "Totals",
    "embed",
    "estimate",
    "failures",
    "generate",
    "open_answers",
    "plan",
    "preview",
    "read_template",
]
