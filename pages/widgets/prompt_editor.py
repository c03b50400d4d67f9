"""The prompt's template, editable, and filled in for a real problem beside it."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError
from core.llm import Generation
from core.model import Benchmark
from core.views import generate


def prompt_editor(generation: Generation, benchmark: Benchmark) -> Generation | None:
    """Draw editor and preview; the generation with the user's template, None where it can't be used."""
    if not generation.is_chat:
        st.caption(
            "This endpoint rates the problem and the solution as they are; there is no prompt to edit."
        )
        return generation
    usual = generate.template_text(generation, benchmark)
    left, right = st.columns(2, gap="large")
    with left, st.container(key="code-editor-prompt"):
        text = st.text_area(
            "Template",
            usual,
            height=420,
            key=f"template-{generate.template_key(usual)}",
            help="$problem, $entry_point, $n_tests and $solution are filled in; $$ is the sign itself. Lines "
            "[system], [user], [assistant] begin a message.",
        )
    with right:
        task_id = st.selectbox(
            "Filled in for", [one.task_id for one in benchmark.problems], key="generate-preview"
        )
        try:
            changed = generate.with_template(generation, text) if text != usual else generation
            messages = generate.prompt_of(changed, benchmark, task_id)
        except InputError as error:
            st.error("This template can't be used:")
            st.text(str(error))
            return None
        with st.container(height=350, key="filled-prompt"):
            for message in messages:
                st.caption(message.role)
                st.code(message.content, language=None, wrap_lines=True)
    if text != usual:
        st.caption("Your own template; its hash is kept with every answer.")
    return changed
