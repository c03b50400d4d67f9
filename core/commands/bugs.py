"""`bugs`: what can be done with a hunt once it has run, and answers without a model for a whole benchmark."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core import terminal
from core.commands.common import Sheet, load, refuse_file
from core.formats.pairs import write_answers, write_pairs
from core.hunting.asked import agreements, ask_strategies
from core.hunting.commands import result_of
from core.hunting.folder import Hunt, open_hunt
from core.hunting.model import AnswerKind
from core.hunting.offline import offline_answers
from core.hunting.pairs import pairs_of
from core.hunting.pool import pair_about
from core.hunting.tables import Point, compare, first_k, grouped, repeats
from core.hunting.training import write_sft
from core.jobs import working
from core.llm.client import Endpoint
from core.llm.prompts import read_template
from core.metrics.hunting import HUNT_INTERVAL, HuntRates
from core.model import Benchmark
from core.views.bug_numbers import asked_grouping
from core.views.bugs import class_words, fault_words
from core.views.selection import best_of_run

_BOOTSTRAP = 2000


def answers(folder: Path) -> Sheet:
    """What became of each answer, in the order of the pairs; `answer` counts from 1."""
    hunt = _open(folder)
    place = {pair.pair_id: at for at, pair in enumerate(hunt.pairs())}
    rows = sorted(hunt.answers(), key=lambda row: (place[row["pair_id"]], row["answer_index"]))
    return {
        "hunt": str(folder),
        "answers": [
            {
                "pair_id": row["pair_id"],
                "answer": row["answer_index"] + 1,
                "class": row["class"],
                "means": class_words(row["class"]),
                "fault": fault_words(row["fault"]),
                "n_inputs": row["n_inputs"],
                "n_left_out": row["n_left_out"],
            }
            for row in rows
        ],
    }


def tables(folder: Path, against: Path | None, by: str | None) -> Sheet:
    """First k, repeats, groups of pairs, and the paired difference from another hunt."""
    hunt = _open(folder)
    findings = hunt.findings()
    sheet: Sheet = {
        "hunt": str(folder),
        "interval": HUNT_INTERVAL,
        "first_k": list(map(_point, first_k(findings, bootstrap=_BOOTSTRAP))),
    }
    times = int(hunt.record.identity.get("repeat", 1))
    if times > 1 and hunt.kind is AnswerKind.HARNESS:
        found = repeats(findings, int(hunt.record.identity["seed"]), times, bootstrap=_BOOTSTRAP)
        sheet["repeats"] = list(map(_point, found))
    if by:
        pairs = hunt.pairs()
        groups = grouped(findings, pairs, asked_grouping(by, pairs), bootstrap=_BOOTSTRAP)
        sheet["groups"] = {name: _rates(one) for name, one in groups.items()}
    if against:
        other = _open(against).findings()
        differences = compare(findings, other, bootstrap=_BOOTSTRAP)
        sheet["less"] = str(against)
        sheet["differences"] = {key: dataclasses.asdict(one) for key, one in differences.items()}
    return sheet


def best(folders: Sequence[Path], n: int) -> Sheet:
    """Choosing the best of n programs by the scores of some runs."""
    rows = []
    for folder in folders:
        (point,) = best_of_run(folder, folder.name, [n]).points
        rows.append({"run": str(folder), **dataclasses.asdict(point)})
    return {"best_of": n, "runs": rows}


def sft(folder: Path, out: Path, prompt: Path | None, most: int | None) -> Sheet:
    """The true bugs of a hunt as training examples."""
    refuse_file(out)
    template = read_template(prompt) if prompt else None
    if template is not None:
        template.require(solution=True)
    return {"examples": write_sft(_open(folder), out, template, most=most), "out": str(out)}


def ask(folder: Path, model: str, endpoint: Endpoint, concurrency: int) -> Sheet:
    """Ask a model about the strategies of every harness, and compare it with the syntax tree."""
    hunt = _open(folder)
    with (
        terminal.progress_bar() as on_progress,
        working(folder.with_name(f"{folder.name}-strategies"), sys.argv[1:], on_progress) as tell,
    ):
        failed = ask_strategies(hunt, model, endpoint, concurrency=concurrency, on_progress=tell)
    found = agreements(hunt, model)
    return {
        "model": model,
        "failed": failed,
        "agreement": {name: dataclasses.asdict(one) for name, one in found.items()},
    }


def pairs(source: Path, out: Path) -> Sheet:
    """The pairs that a benchmark gives; the examples of the descriptions are not run."""
    refuse_file(out)
    made = pairs_of(_benchmark(source))
    write_pairs(made.pairs, out)
    return {"pairs": len(made.pairs), "left_out": len(made.left_out), "out": str(out)}


def offline(source: Path, kind: str, seed: int, out: Path) -> Sheet:
    """An answer without a model about each problem of a benchmark, for `run --tests`."""
    refuse_file(out)
    benchmark = _benchmark(source)
    asked = [pair_about(problem, problem.reference_solution) for problem in benchmark.problems]
    answers = offline_answers(asked, AnswerKind(kind), seed)
    write_answers(answers, out)
    return {"answers": len(answers), "out": str(out)}


def _open(folder: Path) -> Hunt:
    """A hunt, saying what it has lost."""
    hunt = open_hunt(folder)
    if hunt.loss:
        terminal.say(f"note: {hunt.loss}")
    return hunt


def _benchmark(source: Path) -> Benchmark:
    return load(source, None).scored(source)


def _point(point: Point) -> dict[str, Any]:
    return {"count": point.count, "mean_inputs": point.mean_inputs, **_rates(point.rates)}


def _rates(found: HuntRates) -> dict[str, Any]:
    ends = {key: [metric.low, metric.high] for key, metric in found.metrics.items()}
    return {**result_of(found), "intervals": ends, "exact_intervals": sorted(found.exact)}
