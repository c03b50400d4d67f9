"""More studies: one verifier beside others, random subsets of its tests, picking the best of n with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.metrics import GLOSSARY, METRIC_KEYS
from core.views import studies
from core.views.catalog import RunEntry
from pages.widgets import scope
from pages.widgets.chart import show_chart
from pages.widgets.measured import kept, key_of, wanted
from pages.widgets.states import plain, reported


def studies_panel(runs: Sequence[RunEntry], focus: RunEntry) -> None:
    """Draw the studies of the verifier in focus."""
    _family(runs, focus)
    if not focus.manifest.n_cells:
        st.info(f"{plain(focus.label)} ran no tests: there is nothing to pick from subsets of.")
        return
    selection, order = key_of(focus, "best of n"), key_of(focus, "orders", scope.undefined())
    if not wanted(focus, "best of n and random subsets", selection, order):
        return
    left, right = st.columns(2, gap="medium")
    with reported(), st.spinner("Drawing subsets …", show_time=True):
        points = kept(selection, partial(studies.selection, focus.folder))
        orders = kept(order, partial(studies.both_orders, focus.folder, scope.undefined()))
    with left:
        st.markdown("##### Picking the best of n")
        st.caption(
            "What verifiers are used for. *score*: most tests passed. *majority*: the largest group that "
            "passes the same tests. *agreement*: the group with the largest product of its size and the "
            "tests it passes (CodeT). *any*: whether one of the n is right at all, which no pick can exceed. "
            "Problems with fewer than n solutions take no part."
        )
        show_chart(
            studies.selection_chart(points, focus.label), key="selection", where=focus.label, height=380
        )
    with right:
        st.markdown("##### First tests, or random ones")
        metric = st.selectbox(
            "Metric",
            METRIC_KEYS,
            format_func=lambda key: GLOSSARY[key].name,
            key="orders-metric",
            help="Where the first tests do better than random ones, the best tests are written first.",
        )
        show_chart(
            studies.orders_chart(orders, metric, focus.label, scope.undefined()),
            key="orders",
            where=focus.label,
            height=380,
        )


def _family(runs: Sequence[RunEntry], focus: RunEntry) -> None:
    st.markdown(f"##### {plain(focus.label)} beside others")
    others = {run.label: run for run in runs if run.label != focus.label}
    if not others:
        st.info("Run a second verifier on this benchmark to see this one beside it.")
        return
    chosen = st.multiselect(
        "Family",
        list(others),
        list(others),
        key="family",
        help="One other: for instance the same model's tests written without a solution in the prompt, "
        "beside those written with one (solution inclusion). Several: the mean of the family.",
    )
    if not chosen:
        st.info("Choose at least one other verifier.")
        return
    folders = [others[label].folder for label in chosen]
    names = [focus.label, *chosen]
    key = (key_of(focus, "family", scope.undefined()), *(key_of(others[label]) for label in chosen))
    with reported(), st.spinner("Comparing on 2,000 resamples of the problems …"):
        found = kept(key, partial(studies.family, focus.folder, folders, names, scope.undefined()))
    number = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        found.table,
        hide_index=True,
        placeholder="",
        alt="Metrics of the verifier in focus and of the others",
        column_config=dict.fromkeys(found.names, number)
        | {
            "metric": "Metric",
            "difference": st.column_config.NumberColumn(
                "Difference",
                format="%+.3f",
                help="The first minus the mean of the others, on the problems all define it for.",
            ),
            "low": st.column_config.NumberColumn("Low", format="%+.3f"),
            "high": st.column_config.NumberColumn("High", format="%+.3f"),
            "problems": st.column_config.NumberColumn("Problems", format="%d"),
        },
    )
    st.caption(
        f"Values are over all of a verifier's problems. Difference: {plain(focus.label)} minus the mean of "
        "the others, on the problems that define the metric for all. Low, high: 95% CI of the difference by "
        "the paired bootstrap over problems."
    )
