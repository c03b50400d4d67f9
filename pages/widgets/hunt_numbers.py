"""A hunt in numbers: rates, first k and repeats, groups, another hunt, the paper's tables, strategies."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.hunting.folder import open_hunt
from core.hunting.strategies import CheckerStrategy, GeneratorStrategy
from core.hunting.training import sft_jsonl
from core.jobs import JobError
from core.metrics.hunting import HUNT_INTERVAL
from core.views import bug_numbers, work
from core.views.bug_numbers import HuntNumbers
from core.views.bug_published import (
    HARNESS_SOURCE,
    published_best_of,
    published_bugs,
    published_diversity,
    published_first_k,
    published_hunt_benchmarks,
)
from core.views.bugs import CLASSES, HuntEntry
from core.views.catalog import BenchmarkEntry
from core.views.selection import Selected, best_of_run, selection_chart, selection_table
from core.views.work import RunRequest
from core.words import quantity
from pages.widgets import data, scope
from pages.widgets.chart import show_chart
from pages.widgets.measured import kept, key_of
from pages.widgets.selection import select
from pages.widgets.states import plain, reported


def numbers_of(entry: HuntEntry) -> HuntNumbers:
    """A hunt read and measured, kept until it changes."""
    with reported(), st.spinner("Reading the hunt …"):
        return kept(
            ("hunt", entry.folder, entry.version),
            lambda: bug_numbers.measure(open_hunt(entry.folder), entry.label),
        )


def rate_cards(numbers: HuntNumbers) -> None:
    """The five rates with their intervals."""
    cards = bug_numbers.rate_cards(numbers)
    for column, card in zip(st.columns(len(cards)), cards, strict=True):
        with column.container(border=True, gap="xsmall", height="stretch"):
            st.metric(card.name, card.value, help=card.help)
            st.caption(card.interval)
    st.caption(
        f"{quantity(numbers.rates.n_answers, 'answer')} to {quantity(numbers.rates.n_pairs, 'pair')}; "
        f"each rate is the mean over pairs of the mean over a pair's answers. {HUNT_INTERVAL}."
    )


def size_panel(numbers: HuntNumbers) -> None:
    """How many inputs are enough, and the rates by group of pairs."""
    left, right = st.columns(2, gap="medium")
    with left:
        show_chart(bug_numbers.first_k_chart(numbers), key="first-k", where=numbers.label, height=360)
    repeated = bug_numbers.repeat_chart(numbers)
    with right:
        if repeated is None:
            st.markdown("##### Generators run again")
            st.info("This hunt ran each generator once. Start one with more runs to see how rates grow.")
        else:
            show_chart(repeated, key="repeats", where=numbers.label, height=360)
    st.markdown("##### By group of pairs")
    keys = bug_numbers.group_keys(numbers.pairs)
    if not keys:
        st.caption(
            "The pairs' metadata hold nothing to group them by (difficulty, source, split, rating ...)."
        )
        return
    by = select("Group pairs by", keys, "by")
    st.dataframe(
        bug_numbers.group_table(numbers, by),
        hide_index=True,
        alt="Rates by group of pairs",
        column_config={
            "group": st.column_config.TextColumn(by[:1].upper() + by[1:]),
            "pairs": st.column_config.NumberColumn("Pairs"),
            "answers": st.column_config.NumberColumn("Answers"),
            **{
                key: st.column_config.TextColumn(f"{bug_numbers.name_of(key)}, %")
                for key in bug_numbers.RATES
            },
        },
    )
    st.caption(f"In percent; intervals over the pairs of each group: {HUNT_INTERVAL}.")


def beside_panel(numbers: HuntNumbers, others: Sequence[HuntEntry]) -> None:
    """Another hunt on the same pairs, and the paper's tables."""
    st.markdown("##### Another hunt on the same pairs")
    second = None
    if others:
        by_label = {entry.label: entry for entry in others}
        second = numbers_of(by_label[select("Compare with", list(by_label), "against")])
        show_chart(
            bug_numbers.class_chart([numbers, second], CLASSES),
            key="classes",
            where=numbers.label,
            height=200,
        )
        _differences(numbers, second)
    else:
        st.caption("Hunt with other answers to the same pairs, harnesses against inputs and outputs, say.")
    st.markdown("##### The paper's results")
    benchmark = select("Published on", published_hunt_benchmarks(), "published")
    own = [numbers, *([second] if second else [])]
    table, first = st.columns([5, 2], gap="large")
    with table:
        st.dataframe(
            published_bugs(benchmark, own),
            hide_index=True,
            height="content",
            alt=f"Published rates on {benchmark} with the hunts here",
            column_config={
                "who": st.column_config.TextColumn("From", width=80),
                "verifier": st.column_config.TextColumn("Verifier", width=230),
                "table": st.column_config.TextColumn("Table", width=55),
                **{
                    key: st.column_config.NumberColumn(
                        short, format="%.1f", width=65, help=bug_numbers.name_of(key)
                    )
                    for key, short in zip(bug_numbers.RATES, ("GI ↑", "ITR ↓", "TBR ↑"), strict=True)
                },
            },
        )
        st.caption(
            f"Percent. Published: {HARNESS_SOURCE}, on its own pairs of programs. Compare your rows with "
            "them only if your pairs are of the same kind."
        )
    with first:
        st.markdown("Only the first k tests, Qwen3-32B", help="Tables 7 and 8.")
        found = published_first_k(benchmark, numbers.hunt.kind)
        if found.empty:
            st.caption("The paper gives none for this benchmark.")
        else:
            st.dataframe(
                found,
                hide_index=True,
                alt="Published true bug rates by number of tests",
                column_config={
                    "k": st.column_config.NumberColumn("k"),
                    "true_bug_rate": st.column_config.NumberColumn("True bug rate, %", format="%.1f"),
                },
            )


def _differences(first: HuntNumbers, second: HuntNumbers) -> None:
    table = bug_numbers.compared_table(first, second)
    st.dataframe(
        table,
        hide_index=True,
        alt="Paired differences of the two hunts",
        column_config={
            "rate": st.column_config.TextColumn("Rate", width=148),
            "difference": st.column_config.TextColumn("Difference", width=80),
            "interval": st.column_config.TextColumn("95% CI", width=112),
            "p": st.column_config.TextColumn("p", width=65),
            "pairs": st.column_config.NumberColumn("Pairs", width=45),
            "verdict": st.column_config.TextColumn("Verdict"),
        },
    )
    st.caption(
        f"{plain(first.label)} minus {plain(second.label)}, in percentage points (the reward as it is), on "
        "the pairs that both answered; paired bootstrap over pairs."
    )


def strategy_panel(numbers: HuntNumbers, others: Sequence[HuntEntry]) -> None:
    """How harnesses go about it, and how different their inputs are."""
    charts = [bug_numbers.strategy_chart(numbers, what) for what in (GeneratorStrategy, CheckerStrategy)]
    if charts[0] is None and charts[1] is None:
        st.caption("Inputs and outputs have no generators and no check; their inputs' diversity is below.")
    for column, chart in zip(st.columns(2, gap="medium"), charts, strict=True):
        if chart is not None:
            with column:
                show_chart(chart, key=chart.title, where=numbers.label, height=260)
    if charts[0] is not None:
        _asking(numbers)
    st.markdown("##### How different the inputs are")
    hunts = [numbers]
    if others:
        by_label = {entry.label: entry for entry in others}
        also = st.multiselect(
            "Beside", list(by_label), key="diverse", bind="query-params", placeholder="none"
        )
        hunts += [numbers_of(by_label[label]) for label in also]
    columns = {
        "answers": st.column_config.TextColumn("Answers", width="medium"),
        "pairs": st.column_config.NumberColumn("Pairs"),
        "unique_ratio": st.column_config.NumberColumn("Unique, %", format="%.1f"),
        "length_range": st.column_config.NumberColumn("Log length range", format="%.2f"),
        "length_std": st.column_config.NumberColumn("Log length deviation", format="%.2f"),
    }
    st.dataframe(
        bug_numbers.diversity_table(hunts, published_diversity()),
        hide_index=True,
        alt="Diversity of inputs, with the published ones",
        column_config=columns,
    )
    st.caption(
        "Mean over pairs, all inputs of a pair together; an answer's own duplicates were dropped before. "
        "Several hunts are drawn down to the same number of inputs a pair. Published: "
        f"{HARNESS_SOURCE}, Table 4, on 214 problems of LiveCodeBench."
    )


def _asking(numbers: HuntNumbers) -> None:
    st.markdown("##### What a model says of the strategies", help="With the questions of figures 13 and 14.")
    table = bug_numbers.agreement_table(numbers.hunt)
    if table.empty:
        st.caption("No model has been asked about this hunt's harnesses; the charts rest on their syntax.")
    else:
        st.dataframe(
            table,
            hide_index=True,
            alt="Agreement of a model with the syntax tree",
            column_config={
                "model": st.column_config.TextColumn("Model"),
                "strategy": st.column_config.TextColumn("Strategy"),
                "n": st.column_config.NumberColumn("Compared"),
                "agree": st.column_config.NumberColumn("Agree, %", format="%.1f"),
                "kappa": st.column_config.NumberColumn("Cohen's κ", format="%.2f"),
            },
        )
    if data.served():
        st.caption("Whoever runs this app can ask one: `python -m core bugs ask HUNT --model M`.")
        return
    with st.expander("Ask a model"), st.form("ask-model", border=False):
        one, two, three = st.columns(3)
        model = one.text_input("Model", key="ask-model-name")
        base_url = two.text_input("Base URL", placeholder="http://localhost:8000/v1", key="ask-base-url")
        key = three.text_input("Key", type="password", help="Written nowhere; else from the environment.")
        if st.form_submit_button("Ask about every harness", icon=":material/forum:") and model.strip():
            try:
                work.start_asking(
                    data.workspace(), numbers.hunt.folder.name, model.strip(), base_url.strip(), key.strip()
                )
            except JobError as error:
                st.text(str(error))
            else:
                st.rerun()


def use_panel(numbers: HuntNumbers) -> None:
    """What the answers are good for: choosing programs, training."""
    st.markdown("##### Choosing the best of n programs")
    benchmark = scope.benchmark()
    runs = [run for run in benchmark.runs if run.manifest.n_cells] if benchmark else []
    if not runs or benchmark is None:
        st.caption("No verifier has run tests on the benchmark that is chosen on the left.")
    else:
        labels = {run.label: run for run in runs}
        first = [run.label for run in runs if run.manifest.verifier_kind.value == "harness"] or list(labels)[
            :1
        ]
        chosen = st.multiselect(
            f"Verifiers on {benchmark.name}", list(labels), default=first, key="choosers", bind="query-params"
        )
        with reported():
            found = [
                kept(
                    key_of(labels[label], "best"),
                    lambda run=labels[label]: best_of_run(run.folder, run.label),
                )
                for label in chosen
            ]
        if found:
            _choosing(found, benchmark.name)
    _ranking(numbers, benchmark)
    st.markdown("##### Training")
    st.markdown(
        "Answers that show the bug, with the prompt that asks for them, in chat format for supervised "
        "fine-tuning (rejection sampling). Eq. 1 as a reward for GRPO trainers is "
        "`core.hunting.reward.HarnessReward`."
    )
    if numbers.no_examples:
        st.caption(plain(f"This hunt has no example to download: {numbers.no_examples}."))
        return
    st.download_button(
        "Download the true bugs as chat examples",
        data=lambda: sft_jsonl(numbers.hunt),
        file_name=f"{numbers.hunt.folder.name}-sft.jsonl",
        mime="application/jsonl",
        on_click="ignore",
        icon=":material/download:",
    )


def _choosing(found: Sequence[Selected], name: str) -> None:
    most = min(one.points[-1].n for one in found)
    n = st.slider("Programs to choose from", 1, max(2, most), min(8, most), key="best-n", bind="query-params")
    chart, table = st.columns([2, 3], gap="medium")
    with chart:
        show_chart(selection_chart(found, name), key="best-of", where=name, height=340)
    number = st.column_config.NumberColumn
    with table:
        st.dataframe(
            selection_table(found, int(n)),
            hide_index=True,
            alt="Choosing programs by verifiers",
            column_config={
                "chooser": st.column_config.TextColumn("Chosen by"),
                "problems": number("Problems", width=75),
                "original": number(
                    "pass@1, %", format="%.1f", width=80, help="Of a program drawn at random."
                ),
                "selected": number("Chosen, %", format="%.1f", width=80),
                "gain": number("Gain", format="%+.1f", width=55, help="In percentage points."),
                "interval": st.column_config.TextColumn("95% CI", width=95),
                "oracle": number(
                    "Best, %", format="%.1f", width=60, help="Share with a right program among the n."
                ),
            },
        )
        st.caption(
            "A program is right if it passes every reference test. Exact means over all draws of n "
            "candidates and over ties for the best score, on the problems with as many candidates as the "
            "curve's end, all of known quality."
        )
        best_of = published_best_of()
        st.dataframe(
            best_of,
            hide_index=True,
            alt="Published best of 8",
            column_config=dict.fromkeys(best_of.columns, number(format="%.2f"))
            | {"tests": "Tests a program", "selector": "Published"},
        )
        st.caption(f"{HARNESS_SOURCE}, Tables 3 and 12: best of 8 on LiveCodeBench, percent.")


def _ranking(numbers: HuntNumbers, benchmark: BenchmarkEntry | None) -> None:
    """The answers as a verifier of whole solution sets."""
    st.caption(
        "These answers can rank all solutions of a benchmark: all answers about a problem are pooled, each "
        "input is a test. The run then stands on the Verifiers page like any other."
    )
    if benchmark is None or benchmark.file is None:
        st.caption("Load their benchmark on the Overview to do so.")
    elif st.button(f"Rank the solutions of {plain(benchmark.name)} by them", icon=":material/leaderboard:"):
        folder = numbers.hunt.folder
        try:
            backend = data.backend_for("auto")
            work.start_run(data.workspace(), RunRequest(benchmark.file, folder, folder.name, backend))
        except JobError as error:
            st.text(str(error))
        else:
            st.rerun()
