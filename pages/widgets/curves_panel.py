"""How many tests are enough: scaling and saturation curves, the published ones beside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.jobs import JobError
from core.metrics import GLOSSARY, METRIC_KEYS
from core.views import work
from core.views.catalog import RunEntry
from core.views.curves import (
    AT_ONCE,
    SizeStudies,
    saturation_chart,
    scaling_chart,
    settled,
    study,
    unstudied_cells,
)
from core.views.published import SOURCE, published_saturation, published_scaling
from core.words import quantity
from pages.widgets import scope
from pages.widgets.chart import show_chart
from pages.widgets.job_panel import job_panel
from pages.widgets.measured import kept, key_of
from pages.widgets.states import plain, reported


def curves_panel(
    runs: Sequence[RunEntry], names: Sequence[str], benchmark: str, published: str | None
) -> None:
    """Choose verifiers and a metric, and draw both curves; `names` in the order of the leaderboard."""
    ordered = sorted(runs, key=lambda run: names.index(run.label))
    tested = {run.label: run for run in ordered if run.manifest.n_cells}
    if not tested:
        st.info("No verifier has run tests on this benchmark.")
        return
    left, right = st.columns([3, 1])
    chosen = left.multiselect("Verifiers", list(tested), list(tested), key="curves", bind="query-params")
    metric = right.selectbox(
        "Metric",
        METRIC_KEYS,
        format_func=lambda key: GLOSSARY[key].name,
        key="metric",
        bind="query-params",
        help="Of the scaling curve: the first 5, 10, 15 … tests of each suite.",
    )
    if not chosen:
        st.info("Choose at least one verifier.")
        return
    studies = _studies([tested[label] for label in chosen])
    if studies is None:
        return
    scaling, saturation = st.columns(2, gap="medium")
    with scaling:
        curves = published_scaling(published, metric) if published else ()
        show_chart(
            scaling_chart(studies, metric, benchmark, scope.undefined(), curves),
            key="scaling",
            where=benchmark,
            height=400,
        )
    with saturation:
        curves = published_saturation(published) if published else ()
        show_chart(
            saturation_chart(studies, benchmark, curves), key="saturation", where=benchmark, height=400
        )
    st.caption(plain(settled(studies)), help=GLOSSARY["saturation"].help())
    if published:
        st.caption(
            f"Published curves: {SOURCE}, on {plain(published)}; no run of yours. Where the tests are the "
            "same, a difference comes from the candidates: the paper's were written by a model, and how "
            "candidates fail decides how few tests put them in order."
        )


def _studies(runs: Sequence[RunEntry]) -> dict[str, SizeStudies] | None:
    """The studies of some runs; None where they take minutes and are not there yet."""
    cells = unstudied_cells(((run.folder, run.manifest.n_cells) for run in runs), scope.undefined())
    if cells > AT_ONCE:
        _offer(runs, cells)
        return None
    found = {}
    for run in runs:
        key = key_of(run, "curves", scope.undefined())
        with st.spinner("Studying suite size; kept for the next time …", show_time=True), reported():
            found[run.label] = kept(key, partial(study, run.folder, undefined=scope.undefined()))
    return found


def _offer(runs: Sequence[RunEntry], cells: int) -> None:
    """A button for the job that studies these runs, and the jobs that run."""
    if st.button(
        f"Study suite size: {quantity(cells, 'cell')}",
        key="study",
        icon=":material/play_arrow:",
        help="It takes minutes, goes on when this page is closed, and is kept beside each run.",
    ):
        try:
            work.start_study([run.folder for run in runs], scope.undefined())
        except JobError as error:
            st.text(str(error))
    job_panel()
