"""What stands around every page: the logo, the stylesheet, and what is selected everywhere.

The benchmark and the verifier in focus live in the URL, so that a copied link opens the same view.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.views.catalog import Catalog
from pages.widgets import data, login, scope
from pages.widgets.keys import keys_button
from pages.widgets.problem_filter import forget_filter
from pages.widgets.selection import select

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
ICON = str(_ASSETS / "logo.svg")
_DRAWN = "frame drawn"
_FITS = 30
"""Characters of a name that the sidebar's box shows."""


def pages() -> list[st.Page]:
    """The pages, in the order in which they are worked through; the login alone where it is missing."""
    if login.locked():
        return [st.Page(login.login, title="Log in", url_path="login", default=True)]
    return [
        st.Page("pages/overview.py", title="Overview", icon=":material/dashboard:", default=True),
        st.Page("pages/verifiers.py", title="Verifiers", icon=":material/leaderboard:"),
        st.Page("pages/problems.py", title="Problems", icon=":material/list_alt:"),
        st.Page("pages/problem.py", title="Problem", icon=":material/grid_on:"),
        st.Page("pages/distributions.py", title="Distributions", icon=":material/bar_chart:"),
        st.Page("pages/benchmark.py", title="Benchmark", icon=":material/construction:"),
        st.Page("pages/generate.py", title="Generate", icon=":material/smart_toy:"),
        st.Page("pages/run.py", title="Run", icon=":material/play_circle:"),
        st.Page("pages/publish.py", title="Publish", icon=":material/article:"),
        st.Page("pages/evolve.py", title="Evolve", icon=":material/autorenew:"),
        st.Page("pages/bugs.py", title="Bugs", icon=":material/bug_report:"),
    ]


def enter(page: str) -> None:
    """Every page's first line: see to it that the page runs inside app.py.

    Until some session has called `st.navigation`, Streamlit runs a page's file by itself when a
    link to it is the first thing that a fresh server is asked for.

    Args:
        page: the page's file, as `pages` names it.
    """
    if login.locked():
        login.login()
        st.stop()
    if _DRAWN not in st.session_state:
        asked = [(key, value) for key in st.query_params for value in st.query_params.get_all(key)]
        st.navigation(pages(), position="hidden")
        st.switch_page(page, query_params=asked)


def frame(listed: Sequence[st.Page], page: st.Page) -> None:
    """Draw the sidebar: the pages, and what is selected everywhere, for the `page` that follows.

    The pages are links of our own: Streamlit's list names the files of pages/ until the first run ends.
    """
    st.session_state[_DRAWN] = True
    st.logo(_ASSETS / "wordmark.svg", size="large", icon_image=ICON)
    st.html(_ASSETS / "style.css")
    if login.locked():
        return
    catalog = data.catalog()
    notes = st.container()  # above the page: the sidebar is folded away in a narrow window
    with st.sidebar:
        with st.container(gap="xxsmall", key="pages"):
            for one in listed:
                st.page_link(one, width="stretch")
        st.space("xsmall")
        login.logout_button()
        _selections(catalog, notes)
        if catalog.benchmarks and page.url_path == "bugs":
            st.caption(
                "The hunt is chosen on the page. Of these only the benchmark counts, under *Using them*."
            )
        keys_button()


def _selections(catalog: Catalog, notes: DeltaGenerator) -> None:
    if not catalog.benchmarks:
        st.caption("Nothing is loaded yet.")
        return
    keys = [entry.key for entry in catalog.benchmarks]
    select("Benchmark", keys, "benchmark", changed=_other_benchmark, notes=notes)
    found = scope.benchmark()
    if found is None or not found.runs:
        st.caption("No verifier has been run on this benchmark.")
        return
    labels = [run.label for run in found.runs]
    first = found.first_in_focus()
    shown = select(
        "Verifier in focus",
        labels,
        "verifier",
        default=first.label if first else None,
        explained="The Problems and Problem pages show this one, and so do Single tests and Fewer tests on "
        "the Verifiers page.",
        changed=_other_verifier,
        notes=notes,
    )
    if len(shown) > _FITS:
        st.text(shown)
    st.toggle(
        "Undefined correlations count as 0",
        key="zero",
        bind="query-params",
        help="A correlation is undefined where one side ranks all solutions alike. Published tables "
        "count it as 0; by default Touchstone leaves it out and says on how many problems.",
    )


def _other_verifier() -> None:
    """On the Problem page the problem stays; the list it was reached from was the other verifier's."""
    if "problem" in st.query_params:
        forget_filter()


def _other_benchmark() -> None:
    _other_verifier()
    st.query_params.pop("problem", None)
