"""Whom new tests are made for: the solutions that a step shows, why, and what a model is asked."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.evolution.patterns import Trial
from core.evolution.selection import Method
from core.views.catalog import RunEntry
from core.views.evolve import choose, new_tests
from pages.widgets.evolve_trials import chosen_trial
from pages.widgets.pass_matrix import pass_matrix

_WORDS = {
    Method.ADVERSARIAL: "The two best, and of those that pass 40% to 90% the three that disagree most "
    "(if there are fewer than three, others above 10% are drawn): tests that are hard for the best.",
    Method.DISCRIMINATIVE: "Solutions that the suite can't tell apart, or hardly: tests that split them.",
}


def selection_panel(run: RunEntry, trials: Mapping[str, Trial]) -> None:
    """Method, seed and problem; the chosen five, their outcomes, the prompt, the rounds' tests."""
    left, middle, right = st.columns([2, 1, 2], vertical_alignment="bottom", gap="medium")
    with left:
        method = Method(
            st.segmented_control(
                "Method",
                list(Method),
                default=Method.ADVERSARIAL,
                required=True,
                key="method",
                bind="query-params",
                format_func=lambda one: str(one).capitalize(),
            )
        )
    seed = middle.number_input("Seed", 0, 10_000, key="selection-seed", bind="query-params")
    with right:
        trial = chosen_trial(trials)
    st.caption(_WORDS[method])
    found = choose(trial, method, int(seed))
    if found.matrix is None:
        st.info(
            "No solution can be chosen: the step's filter leaves this problem no test that tells anything."
        )
    else:
        table, matrix = st.columns(2, gap="medium")
        with table:
            st.dataframe(
                found.rows,
                hide_index=True,
                alt="The chosen solutions and why",
                column_config={
                    "solution": st.column_config.TextColumn("Solution", width=90),
                    "why": st.column_config.TextColumn("Chosen because", width=210),
                    "passed": st.column_config.NumberColumn("Passes", format="%.0f%%", width=55),
                    "source": st.column_config.TextColumn("Written by"),
                },
            )
        with matrix:
            pass_matrix(found.matrix, None, key=f"selection-{run.name}-{trial.task_id}-{method}-{seed}")
        with st.expander("What a model is asked", icon=":material/chat:"):
            st.code(found.prompt, language=None, wrap_lines=True, height=420)
    made = new_tests(trial)
    st.markdown("##### Tests that rounds made for this problem")
    if made.empty:
        st.caption("None: no round has been made on the way to this run. Start one under Rounds.")
        return
    st.dataframe(
        made,
        hide_index=True,
        height="content" if len(made) < 12 else 420,
        placeholder="",
        alt="New tests and what they split",
        column_config={
            "round": st.column_config.NumberColumn("Round", width=60),
            "method": st.column_config.TextColumn("Method", width=120),
            "source": st.column_config.TextColumn("Test", width="large"),
            "passed": st.column_config.NumberColumn("Passed by", format="%.0f%%", width=80),
            "splits": st.column_config.CheckboxColumn("Splits the pool", width=110),
            "by": st.column_config.TextColumn("Written by", width=110),
        },
    )
