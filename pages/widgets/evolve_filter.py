"""Filters with sliders: what they remove of all suites, and one matrix before and after."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.evolution.filters import Rules
from core.evolution.patterns import Trial
from core.evolution.takeout import Layout
from core.views.catalog import RunEntry
from core.views.evolve import FilterView, export_text, filter_view, matrices, removed_table
from core.words import plural, quantity
from pages.widgets.evolve_trials import chosen_trial
from pages.widgets.measured import kept, key_of
from pages.widgets.pass_matrix import pass_matrix
from pages.widgets.problem_link import chosen_row
from pages.widgets.states import plain

Value = float | int | str
_KEEP = "off"
_DEFAULTS: dict[str, Value] = {
    "min-pass": 0.1,
    "max-pass": _KEEP,
    "per-pattern": 5,
    "min-tests": 5,
    "max-perfect": 60,
    "drop-wrong": "no",
    "filter-seed": 0,
}
_CHOICES: dict[str, tuple[Value, ...]] = {
    "max-pass": (0.8, 0.85, 0.9, 0.95, 0.99, 1.0, _KEEP),
    "drop-wrong": ("no", "yes"),
}
_RANGES = {
    "min-pass": (0.0, 1.0),
    "per-pattern": (1, 20),
    "min-tests": (0, 20),
    "max-perfect": (0, 10_000),
    "filter-seed": (0, 10_000),
}
_NOW, _BEFORE = "filters in force", "filters before"
_LAYOUTS = {
    Layout.EVOLVECODER: "EvolveCoder: id, question, tests",
    Layout.TOUCHSTONE: "Touchstone: a tests file to run",
    Layout.PROMPTS: "Prompts for an RL trainer",
}


def filter_panel(run: RunEntry, trials: Mapping[str, Trial]) -> None:
    """Sliders, counts, the matrix of one problem before and after, and the file to take away."""
    rules = _controls()
    found = kept(key_of(run, "filtered", rules), lambda: filter_view(list(trials.values()), rules))
    _counts(found)
    table, problem = st.columns([9, 11], gap="medium")
    with table:
        _problems(found, run)
    with problem:
        trial = chosen_trial(trials)
        for title, view in zip(("Before", "After"), matrices(trial, rules), strict=True):
            n = len(view.columns) if view else 0
            st.markdown(f"##### {title} · {quantity(n, 'test')}")
            if view is None:
                st.info("No test is left of this problem: it is dropped.")
            else:
                pass_matrix(view, None, key=f"evolve-{title}-{run.name}-{trial.task_id}-{n}")
    _removed(trial, rules)
    _export(run, trials, rules)


def rules_in_force() -> Rules:
    """The rules of the sliders, also where these are not on screen."""
    state = _in_force()
    most = state["max-pass"]
    return Rules(
        min_pass=float(state["min-pass"]),
        max_pass=None if most == _KEEP else float(most),
        per_pattern=int(state["per-pattern"]),
        min_tests=int(state["min-tests"]),
        max_perfect=int(state["max-perfect"]),
        reference=state["drop-wrong"] == "yes",
        seed=int(state["filter-seed"]),
    )


def _in_force() -> dict[str, Value]:
    """What was set last; on a fresh page what the link says, as far as it can be meant."""
    found: dict[str, Value] | None = st.session_state.get(_NOW)
    if found is None:
        found = {key: _asked(key, default) for key, default in _DEFAULTS.items()}
    return found


def _asked(key: str, default: Value) -> Value:
    text = st.query_params.get(key, "")
    if key in _CHOICES:
        return next((choice for choice in _CHOICES[key] if str(choice) == text), default)
    low, high = _RANGES[key]
    try:
        value = type(default)(text)
    except ValueError:
        return default
    return value if low <= float(value) <= high else default


def _controls() -> Rules:
    for key, value in _in_force().items():
        st.session_state.setdefault(key, value)
    first, second, third, fourth = st.columns(4, gap="medium")
    first.slider(
        "Keep tests passed by at least",
        0.0,
        1.0,
        step=0.05,
        format="percent",
        key="min-pass",
        help="A test that fewer of the known solutions pass is probably wrong.",
    )
    second.select_slider(
        "Drop tests passed by",
        _CHOICES["max-pass"],
        format_func=lambda share: _KEEP if share == _KEEP else f"{share:.0%} or more",
        key="max-pass",
        help="Such tests hardly tell solutions apart. The paper's text drops them before the adversarial "
        "step, the released pipeline does not.",
    )
    third.slider(
        "Tests for each pass vector",
        1,
        20,
        key="per-pattern",
        help="Of tests that the same solutions pass, this many stay, drawn by the seed: 1 before the "
        "discriminative step, 5 at the end.",
    )
    fourth.slider(
        "Fewest tests of a problem",
        0,
        20,
        key="min-tests",
        help="A problem with fewer is dropped; asked of what the filters for single tests left.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.number_input(
            "Most perfect solutions",
            0,
            10_000,
            key="max-perfect",
            width=180,
            help="A problem that more solutions of the pool solve perfectly is dropped as too easy.",
        )
        st.number_input(
            "Seed",
            0,
            10_000,
            key="filter-seed",
            width=120,
            help="Draws who represents a vector.",
        )
        st.segmented_control(
            "Drop tests that fail the reference",
            _CHOICES["drop-wrong"],
            required=True,
            key="drop-wrong",
            help="Where the pool holds a reference solution, a test that it fails is certainly wrong.",
        )
        st.space("stretch")
        _remember()
        st.button(
            "Undo",
            icon=":material/undo:",
            on_click=_undo,
            disabled=not st.session_state.get(_BEFORE),
            help="Back to the filters before the last change.",
        )
        st.button("As in the paper", icon=":material/restart_alt:", on_click=_reset)
    return rules_in_force()


def _remember() -> None:
    """Keep what is in force, for other tabs and for the link, and what was before it, for Undo."""
    now = {key: st.session_state[key] for key in _DEFAULTS}
    last = st.session_state.get(_NOW)
    if last is not None and last != now:
        st.session_state.setdefault(_BEFORE, []).append(last)
    st.session_state[_NOW] = now
    for key, value in now.items():
        if value == _DEFAULTS[key]:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != str(value):
            st.query_params[key] = str(value)


def _undo() -> None:
    last = st.session_state[_BEFORE].pop()
    st.session_state.update(last)
    st.session_state[_NOW] = last


def _reset() -> None:
    st.session_state.update(_DEFAULTS)


def _counts(found: FilterView) -> None:
    counts = found.counts
    kept = counts.tests_after / counts.tests_before if counts.tests_before else 0.0
    figures = (
        ("Problems", f"{counts.problems_before:,} → {counts.problems_after:,}", ""),
        ("Tests", f"{counts.tests_before:,} → {counts.tests_after:,}", f"{kept:.0%} stay."),
        *(
            (words.capitalize(), f"\N{MINUS SIGN}{number:,}", "Tests removed for this first reason.")
            for words, number in found.removed
        ),
    )
    columns = st.columns([1.2, 1.6, *([1] * max(3, len(figures) - 2))])
    for column, (name, value, words) in zip(columns, figures, strict=False):
        column.metric(name, value, help=words or None, border=True)


def _problems(found: FilterView, run: RunEntry) -> None:
    event = st.dataframe(
        found.problems,
        hide_index=True,
        height=480,
        placeholder="",
        on_select="rerun",
        selection_mode="single-cell",
        key=f"evolve-problems-{run.name}",
        alt="Tests of each problem before and after the filters",
        column_config={
            "task_id": st.column_config.TextColumn("Problem", width=110),
            "before": st.column_config.NumberColumn("Before", width=60),
            "after": st.column_config.NumberColumn("After", width=60),
            "removed": None,
            "vectors": st.column_config.NumberColumn("Vectors", width=60, help="Different pass vectors left"),
            "why": st.column_config.TextColumn("Dropped for"),
        },
    )
    row = chosen_row(event)
    if row is not None and found.problems["task_id"][row] != st.query_params.get("problem"):
        clicked = found.problems["task_id"][row]
        if st.session_state.get("evolve clicked") != clicked:
            st.session_state["evolve clicked"] = clicked
            st.query_params["problem"] = clicked


def _removed(trial: Trial, rules: Rules) -> None:
    removed = removed_table(trial, rules)
    st.caption(
        f"{len(removed)} of {quantity(len(trial.tests), 'test')} of {plain(trial.task_id)} "
        f"{plural(len(removed), 'is', 'are')} removed."
    )
    if removed.empty:
        return
    st.dataframe(
        removed,
        hide_index=True,
        height=226 if len(removed) > 5 else "content",
        placeholder="",
        alt="Tests that the filters remove, and why",
        column_config={
            "test": st.column_config.NumberColumn("Test", width=50),
            "why": st.column_config.TextColumn("Why", width=130),
            "source": st.column_config.TextColumn("Test's source"),
            "detail": st.column_config.TextColumn("Detail", width=460),
        },
    )


def _export(run: RunEntry, trials: Mapping[str, Trial], rules: Rules) -> None:
    st.markdown("##### Take what stays")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layout = st.selectbox("Layout", list(_LAYOUTS), format_func=lambda one: _LAYOUTS[one], width=360)
        st.download_button(
            "Download the suites",
            data=lambda: export_text(list(trials.values()), rules, Layout(layout)),
            file_name=f"{run.name}-{layout}.jsonl",
            mime="application/jsonl",
            on_click="ignore",
            icon=":material/download:",
        )
