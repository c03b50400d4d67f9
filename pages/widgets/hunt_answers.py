"""The answers of a hunt, filtered, and one of them opened."""

from __future__ import annotations

import streamlit as st

from core.hunting.folder import open_hunt
from core.model import ProblemKind
from core.views.bug_answer import (
    AnswerView,
    input_table,
    input_view,
    neighbours,
    open_answer,
    telling_input,
)
from core.views.bugs import CLASSES, STRATEGIES, AnswerFilter, AnswerTable, HuntEntry, answer_table
from core.words import quantity
from pages.widgets.components import listing
from pages.widgets.problem_link import chosen_row
from pages.widgets.states import plain, reported


def answers_panel(entry: HuntEntry) -> None:
    """Filters, the list, and the answer that the link names."""
    with reported():
        hunt = open_hunt(entry.folder)
        wanted = _filters(answer_table(hunt, AnswerFilter()))
        table = answer_table(hunt, wanted)
    if table.rows.empty:
        st.info("No answer passes these filters. Remove one, or search for something else.")
        return
    _list(table, entry)
    listed = list(zip(table.rows["pair_id"], table.rows["answer"], strict=True))
    here = (st.query_params.get("pair", ""), _number(st.query_params.get("answer")) or 1)
    if not here[0]:
        return
    with reported():
        view = open_answer(hunt, here[0], here[1] - 1)
    _answer(view, listed)


def _filters(everything: AnswerTable) -> AnswerFilter:
    classes = st.pills(
        "Class",
        [words.name for words in CLASSES.values()],
        selection_mode="multi",
        key="class",
        bind="query-params",
        help="  \n".join(f"**{words.name}**: {words.means}" for words in CLASSES.values()),
    )
    middle, right = st.columns(2)
    strategies = middle.multiselect(
        "Strategy", STRATEGIES, key="strategy", bind="query-params", placeholder="any"
    )
    text = right.text_input("Search", key="q", bind="query-params", placeholder="pair, problem or answer")
    counts = (f"{CLASSES[one].name} {count:,}" for one, count in everything.counts.items() if count)
    st.caption(" · ".join(counts))
    return AnswerFilter(tuple(classes), text.strip(), tuple(strategies))


def _list(table: AnswerTable, entry: HuntEntry) -> None:
    columns = ["pair_id", "answer", "class", "reward", "n_inputs"]
    columns += [name for name in ("fault", "generators", "checkers", "difficulty") if table.rows[name].any()]
    event = st.dataframe(
        table.rows,
        hide_index=True,
        height="content" if len(table.rows) < 9 else 340,
        placeholder="",
        lazy=False,
        on_select="rerun",
        selection_mode="single-cell",
        key=f"answers-{entry.name}-{len(table.rows)}",
        alt="Answers of the hunt",
        column_order=columns,
        column_config={
            "pair_id": st.column_config.TextColumn("Pair"),
            "answer": st.column_config.NumberColumn("Answer", width=60),
            "class": st.column_config.TextColumn("Class"),
            "fault": st.column_config.TextColumn("What is wrong with its form", width=280),
            "reward": st.column_config.NumberColumn("Reward", format="%.1f", width=65, help="Eq. 1"),
            "n_inputs": st.column_config.NumberColumn("Inputs", width=60),
            "generators": st.column_config.TextColumn("Generators", help="Told from their syntax."),
            "checkers": st.column_config.TextColumn("Check", help="Told from its syntax."),
            "difficulty": st.column_config.TextColumn("Difficulty"),
        },
    )
    st.caption(
        f"{len(table.rows):,} of {quantity(table.total, 'answer')}. Click one to open it, a head to sort."
    )
    row = chosen_row(event)
    picked = (table.rows["pair_id"][row], str(table.rows["answer"][row])) if row is not None else None
    if picked is not None and picked != st.session_state.get("answer picked"):
        st.session_state["answer picked"] = picked
        _show(*picked)
        st.rerun()


def _answer(view: AnswerView, listed: list[tuple[str, int]]) -> None:
    finding = view.finding
    heading, steps = st.columns([3, 2], vertical_alignment="bottom")
    of = f", answer {finding.index + 1} of {view.n_answers}" if view.n_answers > 1 else ""
    heading.subheader(f"{plain(view.pair.pair_id)}{of}", anchor=False)
    with steps:
        _stepper(listed, (view.pair.pair_id, finding.index + 1))
    st.markdown(f"**{view.class_name[:1].upper()}{view.class_name[1:]}.** {plain(view.why)}", help=view.means)
    trial = None
    if finding.trials:
        trial = finding.trials[_choose_input(view)]
        shown = input_view(view, trial)
        st.markdown(f"##### {plain(shown.title)}")
        st.markdown(f"**{plain(shown.verdict)}**  \n{plain(shown.good)}  \n{plain(shown.buggy)}")
        listing((shown.given, *((shown.expected,) if shown.expected else ())), key="given", wrapped=True)
        listing(shown.outputs, key="outputs", wrapped=view.pair.kind is not ProblemKind.STDIO)
    st.markdown(
        "##### The two programs", help="On a line that differs, g's is marked as taken out and f's as put in."
    )
    listing(view.programs(), key="programs")
    st.markdown("##### The answer")
    if finding.code:
        listing([view.code_pane(trial)], key="answer-code")
    if view.generators:
        with st.expander(f"Runs of generators: {len(view.generators)}"):
            st.text("\n".join(view.generators))
    with st.expander("The problem, and the raw answer"):
        st.code(view.pair.description or "(no description)", language=None, wrap_lines=True, height=240)
        st.code(finding.text, language=None, wrap_lines=True, height=240)
        if view.facts:
            st.text("\n".join(f"{name}: {value}" for name, value in view.facts.items()))


def _choose_input(view: AnswerView) -> int:
    """The table of inputs; gives the one of the link, else the one that tells most."""
    table = input_table(view)
    event = st.dataframe(
        table,
        hide_index=True,
        height="content" if len(table) < 8 else 300,
        placeholder="",
        lazy=False,
        on_select="rerun",
        selection_mode="single-cell",
        key=f"inputs-{view.pair.pair_id}-{view.finding.index}",
        alt="Inputs of the answer and what became of them",
        column_config={
            "number": st.column_config.NumberColumn("#", width=40),
            "origin": st.column_config.TextColumn("From", width=130),
            "input": st.column_config.TextColumn("Input"),
            "g": st.column_config.TextColumn("g, good", help="What the check says of its output."),
            "f": st.column_config.TextColumn("f, buggy", help="What the check says of its output."),
            "shows": st.column_config.TextColumn("Shows"),
        },
    )
    row = chosen_row(event)
    asked = row if row is not None else (_number(st.query_params.get("input")) or 0) - 1
    if row is not None:
        st.query_params["input"] = str(row + 1)
    if 0 <= asked < len(view.finding.trials):
        return asked
    return telling_input(view.finding) or 0


def _stepper(listed: list[tuple[str, int]], here: tuple[str, int]) -> None:
    at, before, after = neighbours(listed, here)
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="stepper"
    ):
        where = f"{at + 1:,} of {len(listed):,}" if at is not None else "outside the filter"
        st.caption(where, width="content")
        for name, key, place, icon in (
            ("Previous", "K", before, ":material/arrow_back:"),
            ("Next", "J", after, ":material/arrow_forward:"),
        ):
            st.button(
                name,
                shortcut=key,
                disabled=place is None,
                on_click=_show,
                args=(listed[place][0], str(listed[place][1])) if place is not None else ("", ""),
                icon=icon,
            )


def _show(pair_id: str, answer: str) -> None:
    st.query_params.pop("input", None)
    st.query_params["pair"] = pair_id
    st.query_params["answer"] = answer


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 9 else None
