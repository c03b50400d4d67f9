"""The parts of the Publish page: a venue, one figure, the tables, an export with its downloads."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

import streamlit as st

from core.errors import InputError, TouchstoneError
from core.figures import Chart
from core.publish.figures import Figure
from core.publish.source import Source
from core.views import publish
from core.views.publish import FORMATS, USUAL, VENUES, Given, Options, Preview, TableFiles
from core.words import quantity
from pages.widgets import data, uploads
from pages.widgets.states import plain, reported

_FREE = "a size of your own"
_MOST_FAULTS = 5
_KINDS = {"pdf": "PDF", "svg": "SVG", "png": "PNG", "csv": "CSV", "tex": "LaTeX"}
_MIME = {
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv",
    "tex": "text/x-tex",
}


def venue_choice() -> str:
    """The venue, or a width and a size of type."""
    key = st.selectbox(
        "Venue",
        [*VENUES, _FREE],
        format_func=lambda key: f"{VENUES[key].name}, {VENUES[key].width:g} in" if key in VENUES else key,
        key="venue",
        bind="query-params",
        help="Width and type as the venue's template has them. Fonts are embedded as TrueType.",
    )
    if key != _FREE:
        return key
    left, right = st.columns(2)
    inches = left.number_input("Width, in", 1.5, 30.0, 4.5, 0.25, key="width", bind="query-params")
    points = right.number_input("Type, pt", 4.0, 40.0, 9.0, 0.5, key="type", bind="query-params")
    return publish.free_size(inches, points)


def given_tables() -> tuple[Given, ...]:
    """Tables that the visitor hands in for other figures; what is wrong with one is shown."""
    with st.expander("Tables of your own", icon=":material/table_view:"):
        st.caption(
            "A CSV with a header makes a figure of the papers from numbers that are in no run. It is known "
            "by its columns, which the last tab lists; `low` and `high` draw intervals, shares are 0 to 1."
        )
        files = st.file_uploader(
            "Tables", ["csv"], accept_multiple_files=True, key="given", label_visibility="collapsed"
        )
        found = []
        for file in files:
            try:
                table = publish.read_given(uploads.kept(file))
            except InputError as error:
                st.error("This table can't be used:")
                st.text(str(error))
                continue
            found.append(table)
            for fault in table.errors[:_MOST_FAULTS]:
                st.text(f"Left out: {fault}")
            if len(table.errors) > _MOST_FAULTS:
                st.text(f"... and {quantity(len(table.errors) - _MOST_FAULTS, 'row')} more")
    return tuple(found)


def figure_panel(found: Sequence[Figure], source: Source, options: Options) -> None:
    """One figure at its true size, with its caption and its files."""
    by_key = {figure.key: figure for figure in found}
    key = st.selectbox(
        "Figure",
        list(by_key),
        format_func=lambda key: by_key[key].name,
        key="figure",
        bind="query-params",
    )
    figure = by_key[key]
    if figure.studied and publish.heavy(source):
        st.info(
            "This figure needs a study of suite size over many cells. “Everything at once” makes it as a job "
            "and keeps the study; then it is here at once."
        )
        return
    with reported(), st.spinner("Drawing …", show_time=True):
        shown, chart = _drawn(_identity(source, options, key), options.venue, figure)
    with st.container(border=True, width="content"):
        st.image(shown.png, width=shown.pixels, alt=chart.alt)
    st.caption(
        f"True size: {shown.size}" + (f" · {plain(figure.paper)}" if figure.paper else ""),
        help="At 100% zoom an inch on this page is an inch of CSS, as in a PDF viewer at 100%.",
    )
    with st.container(horizontal=True):
        for kind, name in _KINDS.items():
            st.download_button(
                name,
                partial(publish.figure_file, key, chart, kind, options.venue),
                f"{key}.{kind}",
                _MIME[kind],
                on_click="ignore",
                key=f"figure-{kind}",
                icon=":material/download:",
            )
    st.markdown("##### Caption")
    st.code(chart.caption, language=None, wrap_lines=True)


def table_panel(source: Source, options: Options) -> None:
    """The tables, each as LaTeX, Markdown and CSV."""
    heavy = publish.heavy(source)
    intervals = st.toggle("Intervals", value=True, key="intervals", bind="query-params")
    with (
        reported(),
        st.spinner(
            "Measuring …" if heavy else "Studying suite size; kept for the next time …", show_time=True
        ),
    ):
        found = _tables(_identity(source, options, intervals, heavy), source, options, intervals)
    name = st.selectbox(
        "Table",
        [table.name for table in found],
        format_func=lambda name: next(table.title for table in found if table.name == name),
        key="table",
        bind="query-params",
    )
    if heavy:
        st.caption(
            "Tables by number of tests need a study over many cells: “Everything at once” makes it as a job "
            "and keeps it; then they are here too."
        )
    table = next(table for table in found if table.name == name)
    with st.container(key="publish-table"):
        st.markdown(table.markdown)
    with st.container(horizontal=True):
        for kind, label, text in (
            ("tex", "LaTeX", table.latex),
            ("md", "Markdown", table.markdown),
            ("csv", "CSV", table.csv),
        ):
            st.download_button(
                label,
                text,
                f"{name}.{kind}",
                on_click="ignore",
                key=f"table-{kind}",
                icon=":material/download:",
            )
    st.markdown("##### LaTeX")
    st.code(table.latex, language="latex")


def export_panel(source: Source, options: Options, benchmark: str) -> None:
    """Everything into one folder as a job; below it what was made before."""
    formats = st.pills(
        "Formats",
        list(FORMATS)[:-1],
        selection_mode="multi",
        default=list(USUAL),
        help="  \n".join(f"**{name}**: {words}" for name, words in FORMATS.items()),
        key="formats",
    )
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    name = left.text_input("Name", placeholder=benchmark, key="export-name").strip() or benchmark
    if right.button("Make it", type="primary", icon=":material/package_2:", disabled=not formats):
        try:
            wanted = Options(options.venue, tuple(formats), published=options.published)
            publish.start_export(data.workspace(), source, wanted, name)
        except TouchstoneError as error:
            st.error("The export could not be started:")
            st.text(str(error))
        else:
            st.rerun()
    st.caption(
        "All figures and tables, the report as one HTML file, and a manifest with hashes, versions, seed and "
        "the command that makes it again. Nothing is run again; it goes on when this page is closed."
    )
    for made in publish.exports(data.workspace()):
        with st.container(border=True):
            words, buttons = st.columns([3, 2], vertical_alignment="center")
            words.markdown(f"**{plain(made.name)}**")
            words.caption(plain(made.about))
            with buttons, st.container(horizontal=True, horizontal_alignment="right"):
                for path, label, mime in (
                    (made.report, "Report", "text/html"),
                    (made.zip, "Everything, zip", "application/zip"),
                ):
                    if path is not None:
                        st.download_button(
                            label,
                            path.read_bytes,
                            f"{made.name}-{path.name}",
                            mime,
                            on_click="ignore",
                            key=f"{made.name}-{path.name}",
                            icon=":material/download:",
                        )


def _identity(source: Source, options: Options, *more: Hashable) -> Hashable:
    """What a drawing belongs to: it changes with the runs and the options."""
    runs = tuple((run.folder, (run.folder / "manifest.json").stat().st_mtime_ns) for run in source.runs)
    hunts = tuple((hunt.folder, hunt.record.finished) for hunt in source.hunts)
    hunts += tuple((table.path, table.path.stat().st_mtime_ns) for table in source.given)
    return (runs, hunts, source.undefined, options.published, *more)


@st.cache_resource(max_entries=64, show_spinner=False)
def _drawn(identity: Hashable, venue: str, _figure: Figure) -> tuple[Preview, Chart]:  # noqa: ARG001
    chart = _figure.make()
    return publish.preview(chart, venue), chart


@st.cache_data(max_entries=16, show_spinner=False)
def _tables(
    identity: Hashable,  # noqa: ARG001
    _source: Source,
    _options: Options,
    intervals: bool,
) -> tuple[TableFiles, ...]:
    return publish.table_files(
        _source, Options(_options.venue, published=_options.published, intervals=intervals)
    )
