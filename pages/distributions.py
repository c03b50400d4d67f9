"""Distributions: the papers' histograms, of one benchmark or several, and of their verifiers."""

from __future__ import annotations

import streamlit as st

from core.views.distributions import benchmark_charts, outcome_chart
from pages.widgets import data, frame, scope, states
from pages.widgets.chart import show_chart

frame.enter("pages/distributions.py")
st.title("Distributions", anchor=False)
benchmark = states.need_benchmark()
catalog = data.catalog()

others = [entry.key for entry in catalog.benchmarks if entry.key != benchmark.key]
beside = (
    st.multiselect(
        "Other benchmarks beside",
        others,
        key="beside",
        bind="query-params",
        placeholder="none",
        help="Benchmarks of different sizes are drawn as shares.",
    )
    if others
    else []
)
chosen = [benchmark, *(entry for entry in catalog.benchmarks if entry.key in beside)]
with states.reported():
    numbers = [data.benchmark_numbers(entry, scope.undefined()) for entry in chosen]
    summaries = {entry.key: [data.summary(run, scope.undefined()) for run in entry.runs] for entry in chosen}

st.subheader("How hard the benchmark is", anchor=False)
where = " ".join(entry.name for entry in chosen)
for column, chart in zip(st.columns(3, gap="medium"), benchmark_charts(numbers), strict=True):
    with column:
        show_chart(chart, key=f"benchmark-{chart.title}", where=where)

st.subheader("What the verifiers' tests did", anchor=False)
kinds = st.toggle(
    "Tell the non-assertion errors apart",
    key="kinds",
    bind="query-params",
    help="Runtime error, time, memory and output limit, compile error, in place of their sum.",
)
for entry in chosen:
    outcomes = outcome_chart(summaries[entry.key], kinds=kinds)
    if len(chosen) > 1:
        st.markdown(f"##### {states.plain(entry.name)}")
    if outcomes is None:
        st.info(f"No verifier's tests have been run on {states.plain(entry.name)} yet.")
    else:
        show_chart(
            outcomes,
            key=f"outcomes-{entry.key}",
            where=entry.name,
            height=130 + 44 * len(outcomes.categories),
        )

st.subheader(
    "What the verifiers say",
    anchor=False,
    help="Each verifier's scores beside the reference scores of the same solutions. Bars further right than "
    "the reference's: the verifier flatters.",
)
for entry in chosen:
    if len(chosen) > 1:
        st.markdown(f"##### {states.plain(entry.name)}")
    if not summaries[entry.key]:
        st.info(f"No verifier has been run on {states.plain(entry.name)} yet.")
    for index, summary in enumerate(summaries[entry.key]):
        if index % 2 == 0:
            columns = st.columns(2, gap="medium")
        with columns[index % 2]:
            show_chart(data.scores_drawn(summary), key=f"scores-{entry.key}-{summary.name}", where=entry.name)
