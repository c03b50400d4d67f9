"""A solution written by hand: an editor, its score at once, and a place in the benchmark if it earns one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import TouchstoneError
from core.figures.palette import OUTCOMES
from core.jobs import JobError
from core.views import benchmark
from core.views.benchmark import Built, HandTrial
from core.views.catalog import BenchmarkEntry
from core.words import plural, quantity
from pages.widgets import data
from pages.widgets.states import plain

_SAID = "by hand said"
_TRIAL = "by hand trial"


def by_hand_panel(built: Built, entry: BenchmarkEntry) -> None:
    """Choose a problem, edit a program, score it, add it."""
    st.markdown("##### Add a solution by hand")
    if said := st.session_state.pop(_SAID, None):
        st.success(plain(said))
    prompt, editor = st.columns([2, 3], gap="large")
    with prompt:
        task_id = st.selectbox(
            "Problem", built.task_ids(), key="hand-problem", help="Those with the fewest solutions first."
        )
        problem = built.problem(task_id)
        wanted = built.wanted(task_id)
        have = ", ".join(f"{score:.2f}" for score in built.scores(task_id))
        st.caption(f"Scores so far: {have}." + (f" Wanted near {wanted}." if wanted else " None is missing."))
        st.code(problem.prompt, language="python", wrap_lines=True, height=300)
    with editor:
        with st.container(key="code-editor"):
            text = st.text_area(
                "A program that is right on some tests only",
                benchmark.starting_code(problem),
                height=340,
                key=f"hand-code-{entry.key}-{task_id}",
                help="It starts as the reference solution. A model's whole answer can be pasted as well.",
            )
        tests = len(problem.reference_tests)
        if st.button(
            f"Score it on {quantity(tests, 'test')}",
            icon=":material/speed:",
            key="hand-score",
        ):
            st.session_state[_TRIAL] = (task_id, text, _judged(built, task_id, text))
        of, judged_text, trial = st.session_state.get(_TRIAL, ("", "", None))
        if trial is not None and of == task_id:
            if judged_text != text:
                st.caption("The program has changed since it was scored.")
            else:
                _result(trial, built, entry, task_id)


def _judged(built: Built, task_id: str, text: str) -> HandTrial | None:
    try:
        with st.spinner("Running the tests …"):
            return benchmark.judge_by_hand(data.workspace(), built, task_id, text, data.backend_for("auto"))
    except (TouchstoneError, JobError) as error:
        st.error("It could not be scored:")
        st.text(str(error))
        return None


def _result(trial: HandTrial, built: Built, entry: BenchmarkEntry, task_id: str) -> None:
    score, counts = st.columns([1, 3], vertical_alignment="center")
    score.metric("Score", f"{trial.judged.score:.3f}")
    counts.markdown(
        " · ".join(f"**{letter}** {OUTCOMES[letter].name} {count:,}" for letter, count in trial.counts)
    )
    if not trial.failures.empty:
        st.dataframe(trial.failures, hide_index=True, alt="The first tests that did not pass")
    if trial.judged.score == 1.0:
        st.caption("It passes every test, as the reference solution does: there is no second place at 1.")
    elif trial.same_score:
        st.caption("A solution with this score is there already; of two the faster one stays.")
    if entry.runs:
        st.caption(
            f"{quantity(len(entry.runs), 'run')} {plural(len(entry.runs), 'was', 'were')} made on this "
            "benchmark as it is. When it changes, what was made stays, listed "
            "under its name with the old content's number."
        )
    if st.button(
        "Add it to the benchmark",
        type="primary",
        icon=":material/add:",
        key="hand-add",
        disabled=not trial.compiles,
        help=None if trial.compiles else "It does not compile.",
    ):
        _add(trial, built, entry.file, task_id)


def _add(trial: HandTrial, built: Built, file: Path | None, task_id: str) -> None:
    if file is None:
        return
    try:
        with st.spinner("Choosing anew among this problem's solutions …"):
            added = benchmark.add_by_hand(
                data.workspace(), file, built, task_id, trial, data.backend_for("auto")
            )
    except (TouchstoneError, JobError) as error:
        st.error("It could not be added:")
        st.text(str(error))
        return
    if not added.taken:
        st.warning(f"The recipe did not take it: {plain(added.reason)}.")
        return
    gone = f" {', '.join(added.gone)} lost its place to it." if added.gone else ""
    st.session_state[_SAID] = f"{added.solution_id} is in {task_id} now.{gone}"
    st.session_state.pop(_TRIAL, None)
    st.rerun()
