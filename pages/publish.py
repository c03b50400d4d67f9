"""Publish: figures as they will print, tables as LaTeX, and everything at once as a job."""

from __future__ import annotations

import streamlit as st

from core.publish.figures import figures, waiting
from core.publish.options import Options
from core.views import publish
from core.views.published import SOURCE, published_benchmarks
from pages.widgets import data, frame, scope, states
from pages.widgets.job_panel import job_panel
from pages.widgets.publish_panel import export_panel, figure_panel, given_tables, table_panel, venue_choice
from pages.widgets.states import plain

SECTIONS = ("Figures", "Tables", "Everything at once", "Waiting for data")

frame.enter("pages/publish.py")
st.title("Publish", anchor=False)
benchmark = states.need_benchmark()
states.need_verifier()
job_panel()

labels = [run.label for run in benchmark.runs]
chosen = st.multiselect("Verifiers", labels, labels, key="runs", bind="query-params")
place, beside = st.columns(2, gap="medium")
published = beside.selectbox(
    "Published results beside",
    published_benchmarks(),
    index=None,
    key="published",
    bind="query-params",
    placeholder="none",
    help=f"Rows and curves that {SOURCE} prints; they are marked, and never as the best.",
)
with place:
    venue = venue_choice()
given = given_tables()
if not chosen:
    st.info("Choose at least one verifier.")
    st.stop()
with states.reported():
    summaries = [data.summary(run, scope.undefined()) for run in benchmark.runs if run.label in chosen]
    hunts = publish.finished_hunts(data.workspace())
    source = publish.source_of(summaries, hunts, scope.undefined(), given)
    options = Options(venue=venue, published=published or "")
    found = figures(source, options.beside(source))

drawn, tabled, everything, missing = st.tabs(SECTIONS, key="section", on_change="rerun", bind="query-params")
if drawn.open:
    with drawn:
        figure_panel(found, source, options)
if tabled.open:
    with tabled:
        table_panel(source, options)
if everything.open:
    with everything:
        export_panel(source, options, benchmark.name)
if missing.open:
    with missing:
        st.caption(
            "Figures of the papers that nothing in the data folder gives yet, and what each is made from. "
            "Those with columns can be made from a table of yours as well (above)."
        )
        st.table(
            [
                {
                    "Figure": plain(one.name),
                    "Of": plain(one.paper),
                    "Needs": plain(one.needs),
                    "Columns": plain(", ".join(one.columns) or "none"),
                }
                for one in waiting(found)
            ],
            border="horizontal",
        )
