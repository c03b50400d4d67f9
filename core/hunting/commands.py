"""What `python -m core hunt` does: files in, a hunt's folder and its rates out.

The JSON of `Report.result` is a contract: other programs read it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core import formats
from core.errors import InputError
from core.files import sha256
from core.formats import Loaded
from core.hunting.folder import Hunt, HuntRecord, HuntWriter, open_hunt, refuse_foreign
from core.hunting.model import HuntOptions, RawAnswer
from core.hunting.offline import NOTHING, offline_answers
from core.hunting.pairs import pairs_of
from core.hunting.tables import rates
from core.hunting.trial import hunt as run_hunt
from core.metrics.hunting import HUNT_KEYS, HuntRates
from core.model import Pair
from core.progress import OnProgress, Progress
from core.words import quantity
from sandbox.contract import Sandbox

__all__ = ["OFFLINE", "Report", "hunt", "refuse_foreign", "report_of", "result_of"]

OFFLINE = "offline"
"""Stands for a file of answers: those that need no model (`core.hunting.offline`)."""

_BOOTSTRAP = 2000

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Report:
    """What a hunt found.

    Attributes:
        result: {"n_pairs", "n_answers", "good_input", "invalid_test_rate", "true_bug_rate", "format_error",
            "mean_reward", "classes": {...}}: rates are fractions, the mean over pairs of the mean over a
            pair's answers; classes count answers.
        intervals: by rate the ends of its 95% interval over pairs, [low, high], as `hunt_rates` makes them.
        exact: the rates whose interval is the exact one, not the bootstrap's.
    """

    result: dict[str, Any]
    intervals: dict[str, list[float]]
    exact: frozenset[str] = frozenset()


def hunt(
    pairs: Path,
    answers: str,
    out: Path,
    options: HuntOptions,
    sandbox: Sandbox,
    *,
    format_reward: float = 0.0,
    command: Sequence[str] = (),
    say: Say = lambda _: None,
    on_progress: OnProgress | None = None,
) -> Report:
    """Run every answer that `out` does not have yet, and report on all of them.

    Args:
        pairs: a file of pairs or HarnessLLM rows, or a benchmark to make pairs of.
        answers: a file of answers or HarnessLLM rows, or "offline".
        out: the hunt's folder, new or to go on with.
        options: how answers are run.
        sandbox: open, and left open.
        format_reward: what a format error is rewarded with; 0 as in Eq. 1, -1 as in the released trainer.
        command: for the record.
        say: told of rows that can't be used.
        on_progress: told how far it is.

    Raises:
        InputError: a file can't be used, or `out` holds something else.
    """
    started = time.monotonic()
    notes: list[str] = []

    def note(text: str) -> None:
        notes.append(text)
        say(text)

    found = _read_pairs(pairs, sandbox, note, notes)
    texts = _read_answers(answers, found, options, note)
    identity = {
        "kind": options.kind.value,
        "pairs": str(pairs),
        "pairs_sha256": sha256(pairs),
        "answers": answers,
        "answers_sha256": _digest(texts),
        "first": options.first,
        "repeat": options.repeat,
        "seed": options.seed,
        "limits": {name: asdict(getattr(options, name)) for name in ("generator", "program", "checker")},
    }
    isolation = sandbox.isolation
    record = HuntRecord(
        identity,
        backend=isolation.backend,
        isolation={"guarantees": isolation.guarantees, "missing": isolation.missing},
        command=tuple(command),
    )
    writer = HuntWriter(out, record, [pair for pair in found if pair.pair_id in texts])
    total = sum(map(len, texts.values()))
    missing = (
        answer for answer in _raw(found, texts) if (answer.pair.pair_id, answer.index) not in writer.done
    )
    known = len(writer.done)
    for findings in run_hunt(missing, sandbox, options):
        writer.append(findings)
        if on_progress:
            spent = time.monotonic() - started
            on_progress(Progress("hunting", len(writer.done), total, "answers", cached=known, seconds=spent))
    report = report_of(open_hunt(out), format_reward)
    writer.finish(report.result, report.intervals, time.monotonic() - started, notes)
    return report


def report_of(found: Hunt, format_reward: float = 0.0) -> Report:
    """The report on what a hunt's folder has."""
    measured = rates(found.findings(), format_reward=format_reward, bootstrap=_BOOTSTRAP)
    ends = {key: [metric.low, metric.high] for key, metric in measured.metrics.items()}
    return Report(result_of(measured), ends, measured.exact)


def result_of(measured: HuntRates) -> dict[str, Any]:
    """Rates as the command prints them."""
    return {
        "n_pairs": measured.n_pairs,
        "n_answers": measured.n_answers,
        **{key: measured.metrics[key].value for key in HUNT_KEYS},
        "classes": {one.key: count for one, count in measured.classes.items()},
    }


def _read_pairs(path: Path, sandbox: Sandbox, note: Say, notes: list[str]) -> tuple[Pair, ...]:
    """The pairs of a file; what gives none is said by its reason, and in full among the notes."""
    loaded = formats.load(path)
    _notes(loaded, note)
    if loaded.benchmark is not None:
        made = pairs_of(loaded.benchmark, sandbox)
        notes += [f"no pair: {path}: {task_id}: {why}" for task_id, why in made.left_out.items()]
        for why, count in Counter(made.left_out.values()).items():
            first = next(task_id for task_id, reason in made.left_out.items() if reason == why)
            note(f"note: {path}: {quantity(count, 'problem')} without a pair, e.g. {first}: {why}")
        found = made.pairs
    else:
        found = loaded.pairs
    if not found:
        raise InputError(
            f"{path}: is of the format {loaded.format}, without a usable pair; expected pairs or a benchmark"
        )
    return found


def _read_answers(
    answers: str, pairs: Sequence[Pair], options: HuntOptions, note: Say
) -> Mapping[str, tuple[str, ...]]:
    """Answers by pair_id, of the pairs that are known, in their order."""
    if answers == OFFLINE:
        written = offline_answers(pairs, options.kind, options.seed)
        without = sum(NOTHING in texts for texts in written.values())
        if without:
            note(
                f"note: {without} of {quantity(len(written), 'pair')} without an answer: offline, an input "
                "comes from the types and examples of a text, and there is none"
            )
        return written
    loaded = formats.load(answers)
    _notes(loaded, note)
    if not loaded.answers:
        raise InputError(
            f"{answers}: is of the format {loaded.format}, without answers; expected pair_id and answers"
        )
    by_pair = {pair.pair_id: _about(pair, loaded.answers) for pair in pairs}
    used = {pair_id for pair_id, _ in by_pair.values()}
    strangers = [pair_id for pair_id in loaded.answers if pair_id not in used]
    if strangers:
        note(f"note: {answers}: {len(strangers)} pair_ids are not among the pairs, e.g. {strangers[0]}")
    found = {pair_id: texts for pair_id, (_, texts) in by_pair.items() if texts}
    if not found:
        raise InputError(f"{answers}: has no answer to any of the pairs")
    if len(found) < len(pairs):
        note(
            f"note: {answers}: {len(pairs) - len(found)} of {quantity(len(pairs), 'pair')} without an answer"
        )
    return found


def _about(pair: Pair, answers: Mapping[str, tuple[str, ...]]) -> tuple[str, tuple[str, ...]]:
    """The answers to a pair and what they are kept under: its own id, or that of its problem."""
    own = (pair.pair_id, str(pair.metadata.get("task_id", "")))
    name = next((one for one in own if one in answers), "")
    return name, answers.get(name, ())


def _notes(loaded: Loaded, note: Say) -> None:
    for error in loaded.errors:
        note(f"skipped: {error}")
    for warning in loaded.warnings:
        note(f"note: {warning}")


def _raw(pairs: Sequence[Pair], texts: Mapping[str, tuple[str, ...]]) -> Iterator[RawAnswer]:
    for pair in pairs:
        for index, text in enumerate(texts.get(pair.pair_id, ())):
            yield RawAnswer(pair, index, text)


def _digest(texts: Mapping[str, tuple[str, ...]]) -> str:
    whole = json.dumps({key: list(value) for key, value in texts.items()})
    return hashlib.sha256(whole.encode()).hexdigest()
