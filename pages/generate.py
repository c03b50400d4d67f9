"""Generate: tests, solutions, rewards or harnesses from an OpenAI-compatible endpoint."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError
from core.jobs import JobError
from core.views import generate
from core.views.generate import GenerateRequest
from core.words import quantity
from pages.widgets import data, frame
from pages.widgets.endpoint_form import endpoint_form
from pages.widgets.generation_form import generation_form
from pages.widgets.generations_panel import generations_panel
from pages.widgets.prompt_editor import prompt_editor
from pages.widgets.states import plain, reported

frame.enter("pages/generate.py")
st.title("Ask a model", anchor=False)
st.markdown(
    "Tests, candidate solutions, rewards or harnesses from any endpoint that speaks the OpenAI API: a hosted "
    "one, or vLLM on a machine of yours. Every answer is kept as it came; what is answered isn't asked again."
)
st.markdown("##### 1 · Where")
endpoint = endpoint_form()
generations_panel(endpoint.key)

st.markdown("##### 2 · What")
chosen = generation_form(endpoint.model)
if chosen is None:
    st.stop()
with reported():
    benchmark = data.problems(chosen.source)
st.markdown("##### 3 · The prompt")
generation = prompt_editor(chosen.generation, benchmark)

st.markdown("##### 4 · Start")
request = GenerateRequest(
    generation=generation or chosen.generation,
    source=chosen.source,
    name=st.text_input(
        "Name of the answers",
        key="generate-name",
        placeholder=f"{endpoint.model or 'model'}-{chosen.generation.kind}",
        help="Of tests this becomes the verifier's name.",
    ),
    base_url=endpoint.base_url,
    problems=chosen.problems,
    concurrency=endpoint.concurrency,
    retries=endpoint.retries,
    timeout=endpoint.timeout,
    prices=endpoint.prices,
)
ready = generation is not None and bool(endpoint.model)
if generation is not None:
    try:
        found = generate.expected(data.workspace(), request, benchmark)
    except InputError as error:
        ready = False
        st.error("This can't be asked:")
        st.text(str(error))
    else:
        ready = ready and found.requests > 0
        figures = (
            ("Requests", f"{found.requests:,}", "That have no answer yet."),
            ("Tokens in, about", f"{found.prompt_tokens:,}", "Four characters count as a token."),
            (
                "Tokens out, about",
                f"{found.completion_tokens:,}",
                "The mean of the answers so far."
                if found.from_answers
                else "A guess for this kind of answer.",
            ),
            (
                "Cost, about",
                "not known" if found.cost is None else f"{found.cost:,.2f}",
                "Needs both prices." if found.cost is None else "In the currency of the prices.",
            ),
        )
        for column, (label, value, words) in zip(st.columns(4), figures, strict=True):
            column.metric(label, value, help=words, border=True)
        if found.known:
            st.caption(f"{quantity(found.known, 'answer')} there already: not asked again.")
if not endpoint.model:
    st.caption("Name a model above to ask it.")
if st.button("Ask", type="primary", icon=":material/send:", disabled=not ready):
    try:
        out = generate.start_generation(data.workspace(), request, endpoint.key, served=data.served())
    except (InputError, JobError) as error:
        st.error("It could not be started:")
        st.text(str(error))
    else:
        st.toast(f"{plain(out.name)} is being written; that goes on when this page is closed.")
        st.rerun()
