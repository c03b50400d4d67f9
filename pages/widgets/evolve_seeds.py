"""Seeds: problems of several sources without those that are nearly the same."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import InputError, TouchstoneError
from core.evolution.embedding import PAPER_MODEL, Embedding
from core.evolution.gathering import Deduplicated
from core.views import seeds as views
from core.words import quantity
from pages.widgets import data, uploads
from pages.widgets.chart import show_chart
from pages.widgets.evolve_rounds import KEY_HELP
from pages.widgets.load_panel import FILE_TYPES
from pages.widgets.states import plain

_FOUND = "seeds found"
_WORDS = {
    Embedding.TFIDF: "words (TF-IDF, offline)",
    Embedding.ENDPOINT: "an embeddings endpoint",
    Embedding.LOCAL: "sentence-transformers",
}


def seeds_panel() -> None:
    """Files, how to compare, the overlap and what is left."""
    st.caption(
        "Several sources often hold the same problem. Of those more similar than the threshold one is kept, "
        "by seed. Without a model similarity is that of words and finds near copies only."
    )
    paths = _files()
    left, middle, right, last = st.columns([2, 2, 1, 1], vertical_alignment="bottom", gap="medium")
    embedding = Embedding(
        left.selectbox("Compared by", _offered(), format_func=lambda one: _WORDS[one], key="embedding")
    )
    threshold = middle.slider("Nearly the same above", 0.3, 1.0, 0.9, 0.01, key="threshold")
    seed = right.number_input("Seed", 0, 10_000, key="seeds-seed")
    model = base_url = key = ""
    if embedding is Embedding.ENDPOINT:
        model = left.text_input("Model", placeholder="text-embedding-3-small").strip()
        base_url = middle.text_input("Base URL", placeholder="empty: OpenAI").strip()
        key = right.text_input("API key", type="password", help=KEY_HELP)
    elif embedding is Embedding.LOCAL:
        model = left.text_input("Model", placeholder=PAPER_MODEL).strip()
    ready = bool(paths) and (embedding is not Embedding.ENDPOINT or bool(key) or not data.served())
    if last.button(
        "Compare", type="primary", icon=":material/join_inner:", disabled=not ready, width="stretch"
    ):
        try:
            with st.spinner("Comparing the problems …", show_time=True):
                st.session_state[_FOUND] = views.find_seeds(
                    paths,
                    embedding,
                    float(threshold),
                    model=model,
                    base_url=base_url,
                    api_key=key,
                    seed=int(seed),
                )
        except TouchstoneError as error:
            st.session_state.pop(_FOUND, None)
            st.error("They can't be compared:")
            st.text(str(error))
    if _FOUND in st.session_state:
        found, notes = st.session_state[_FOUND]
        _show(found, notes)


def _offered() -> list[Embedding]:
    """A visitor of a served app names no model for this machine to load."""
    return [one for one in _WORDS if one is not Embedding.LOCAL or not data.served()]


def _files() -> list[Path]:
    kept = {path.stem: path for path in data.workspace().benchmark_files()}
    left, right = st.columns(2, gap="medium")
    names = left.multiselect("Benchmarks here", list(kept), list(kept)[:1], key="seed-files")
    given = right.file_uploader(
        "More files of problems", FILE_TYPES, accept_multiple_files=True, key="seed-uploads"
    )
    try:
        return [*(kept[name] for name in names), *(uploads.kept(file) for file in given or ())]
    except InputError as error:
        st.error("A file can't be used:")
        st.text(str(error))
        return []


def _show(found: Deduplicated, notes: tuple[str, ...]) -> None:
    for note in notes[:5]:
        st.caption(f"Skipped: {plain(note)}")
    before, after = len(found.gathered.problems), len(found.found.kept)
    st.markdown(
        f"**{before:,} → {quantity(after, 'problem')}**, compared by {plain(found.label)}, "
        f"threshold {found.threshold:g}, seed {found.seed}."
    )
    table, heat, spread = st.columns([2, 3, 3], gap="medium")
    with table:
        st.dataframe(
            views.source_table(found),
            hide_index=True,
            alt="Problems of each source before and after",
            column_config={
                "source": st.column_config.TextColumn("Source"),
                "before": st.column_config.NumberColumn("Before"),
                "after": st.column_config.NumberColumn("After"),
                "share": st.column_config.NumberColumn("Kept", format="%.0f%%"),
            },
        )
        st.download_button(
            "Download what stays",
            data=lambda: views.kept_jsonl(found),
            file_name="seeds.jsonl",
            mime="application/jsonl",
            on_click="ignore",
            icon=":material/download:",
        )
    with heat:
        show_chart(views.overlap_chart(found), key="seeds-overlap", where="seeds", height=330)
    with spread:
        show_chart(views.neighbour_chart(found), key="seeds-neighbours", where="seeds", height=330)
    twins = views.twin_table(found)
    if not twins.empty:
        st.markdown("##### Dropped, and the one kept instead")
        st.dataframe(
            twins.head(500),
            hide_index=True,
            alt="Dropped problems with the similar one that is kept",
            column_config={
                "dropped": st.column_config.TextColumn("Dropped"),
                "kept": st.column_config.TextColumn("Kept"),
                "similarity": st.column_config.NumberColumn("Similarity", format="%.3f", width=80),
                "dropped_text": st.column_config.TextColumn("Text of the dropped", width="large"),
                "kept_text": st.column_config.TextColumn("Text of the kept", width="large"),
            },
        )
