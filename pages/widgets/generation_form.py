"""What to ask for: kind of answer, problems, and the settings of that kind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import InputError
from core.llm import Generation, Kind, Method, Mode, Shown
from core.views import benchmark as benchmarks
from pages.widgets import data, scope

_KINDS = {
    Kind.TESTS: "Tests",
    Kind.SOLUTIONS: "Solutions",
    Kind.REWARDS: "Rewards",
    Kind.HARNESS: "Harnesses",
    Kind.IO: "Inputs and outputs",
}
_SHOWN = {
    Shown.NONE: "none",
    Shown.REFERENCE: "the reference",
    Shown.BEST: "the best candidate",
    Shown.WORST: "the worst candidate",
    Shown.RANDOM: "one at random",
    Shown.EACH: "each in its own request",
}
_MODES = {Mode.CORRECT: "right ones", Mode.PARTIAL: "partly wrong ones", Mode.BOTH: "both"}
_METHODS = {
    Method.CHAT: "chat, answers reward:x",
    Method.JUDGE: "chat, how likely it is right",
    Method.CLASSIFY: "vLLM /classify",
    Method.SCORE: "vLLM /score",
    Method.POOLING: "vLLM /pooling",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the form says."""

    generation: Generation
    source: str
    problems: int | None


def generation_form(model: str) -> Chosen | None:
    """Draw the form; None where what it says can't be asked, after saying why."""
    kind = st.segmented_control(
        "Answers",
        list(_KINDS),
        default=Kind.TESTS,
        required=True,
        format_func=lambda one: _KINDS[one],
        key="generate-kind",
    )
    left, middle, right = st.columns(3)
    sources = _sources()
    label = left.selectbox("Problems of", list(sources), key="generate-source")
    problems = right.number_input(
        "Only the first problems", 1, None, None, key="generate-problems", placeholder="all"
    )
    options: dict[str, Any] = {}
    with middle:
        options |= _settings(kind)
    if kind is not Kind.REWARDS:
        options["samples"] = int(
            right.number_input(
                "Answers to each prompt", 1, 1000, 1, key=f"generate-samples-{kind}", help="Samples."
            )
        )
    with st.expander("Sampling"):
        options |= _sampling()
    try:
        extra = _extra(options.pop("extra"))
        return Chosen(
            Generation(kind=kind, model=model or "model", extra=extra, **options),
            sources[label],
            int(problems) if problems else None,
        )
    except InputError as error:
        st.error("This can't be asked:")
        st.text(str(error))
        return None


def _sources() -> dict[str, str]:
    entry = scope.benchmark()
    own = {entry.name: str(entry.file)} if entry is not None and entry.file is not None else {}
    others = {path.name: str(path) for path in benchmarks.problem_files(data.workspace())}
    return {
        **own,
        "HumanEval": "humaneval",
        **{name: path for name, path in others.items() if path not in own.values()},
    }


def _settings(kind: Kind) -> dict[str, Any]:
    if kind is Kind.TESTS:
        n_tests = st.slider("Tests an answer", 1, 50, 10, key="generate-n-tests", help="The papers: 5 to 25.")
        return {"n_tests": n_tests, "shown": _shown(list(Shown), Shown.NONE, "tests")}
    if kind in {Kind.HARNESS, Kind.IO}:
        shown = _shown([one for one in Shown if one is not Shown.NONE], Shown.EACH, "harness")
        if kind is Kind.HARNESS:
            return {"shown": shown}
        most = st.slider("Most cases an answer", 1, 20, 20, key="generate-n-cases")
        return {"shown": shown, "n_tests": most}
    if kind is Kind.SOLUTIONS:
        mode = st.selectbox(
            "Solutions", list(_MODES), format_func=lambda one: _MODES[one], key="generate-mode"
        )
        return {"mode": mode}
    method = st.selectbox(
        "How it rates", list(_METHODS), format_func=lambda one: _METHODS[one], key="generate-method"
    )
    return {"method": method}


def _shown(options: list[Shown], usual: Shown, key: str) -> Shown:
    return st.selectbox(
        "Solution shown with the problem",
        options,
        options.index(usual),
        format_func=lambda one: _SHOWN[one],
        key=f"generate-shown-{key}",
    )


def _sampling() -> dict[str, Any]:
    one, two, three, four = st.columns(4)
    endpoint = "the endpoint's"
    temperature = one.number_input(
        "Temperature", 0.0, 5.0, None, 0.1, key="generate-temperature", placeholder=endpoint
    )
    top_p = two.number_input("Top-p", 0.0, 1.0, None, 0.05, key="generate-top-p", placeholder=endpoint)
    most = three.number_input("Tokens at most", 1, None, None, key="generate-max", placeholder=endpoint)
    seed = four.number_input("Seed", 0, None, None, key="generate-seed", placeholder="none is sent")
    extra = st.text_input(
        "Further fields of the request",
        key="generate-extra",
        placeholder='{"top_k": 20}',
        help="A JSON object.",
    )
    return {
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": int(most) if most else None,
        "seed": None if seed is None else int(seed),
        "extra": extra,
    }


def _extra(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise InputError(f"Further fields: expected a JSON object: {error}") from error
    if not isinstance(value, dict):
        raise InputError('Further fields: expected a JSON object such as {"top_k": 20}')
    return value
