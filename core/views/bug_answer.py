"""One answer of a hunt, opened: its harness or cases, and what became of each of its inputs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pandas as pd

from core.errors import InputError
from core.execution.judge import as_python
from core.figures.palette import OUTCOMES
from core.hunting.folder import Hunt
from core.hunting.model import AnswerKind, Checked, Finding, InputTrial, Ran
from core.hunting.rows import LONGEST_TEXT
from core.model import AnswerClass, Outcome, Pair, ProblemKind
from core.views.bugs import CLASSES, fault_words
from core.views.code import Line, Pane, listing, side_by_side, value_diff
from core.words import quantity
from sandbox.values import loads

__all__ = ["AnswerView", "InputView", "input_table", "input_view", "open_answer", "telling_input"]

_SHORT: Final = 160
_COMPARED_LINES: Final = 400


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer with its pair.

    Attributes:
        n_answers: answers to the same pair.
        class_name, means: its class in words.
        why: what made it of this class, in a sentence.
        facts: what is known of the pair: name -> value.
        generators: a line for each run of a generator: name, what came of it.
    """

    pair: Pair
    finding: Finding
    kind: AnswerKind
    n_answers: int
    class_name: str
    means: str
    why: str
    facts: Mapping[str, str]
    generators: tuple[str, ...]

    def code_pane(self, trial: InputTrial | None) -> Pane:
        """What was taken from the answer, the line that fired on an input marked."""
        fired = _fired(trial) if trial else None
        title = "the harness" if self.kind is AnswerKind.HARNESS else "the inputs and outputs"
        line = fired.line if fired else None
        return listing(f"{title}{f', line {line} fired' if line else ''}", self.finding.code, line)

    def programs(self) -> tuple[Pane, Pane]:
        """Good and buggy program as a diff."""
        return side_by_side("g, the good program", self.pair.good, "f, the buggy program", self.pair.buggy)


@dataclass(frozen=True, slots=True)
class InputView:
    """One input and what both programs made of it.

    Attributes:
        title: its number and where it comes from.
        given: the input as a pane.
        outputs: g's and f's as a diff.
        expected: of an input/output answer, as a pane; None for a harness.
        good, buggy: what became of each program, in words, with what the check said.
        verdict: what the input shows, in a sentence.
    """

    title: str
    given: Pane
    outputs: tuple[Pane, Pane]
    expected: Pane | None
    good: str
    buggy: str
    verdict: str


def open_answer(hunt: Hunt, pair_id: str, index: int) -> AnswerView:
    """One answer.

    Raises:
        InputError: the hunt has no such answer.
    """
    pair = next((one for one in hunt.pairs() if one.pair_id == pair_id), None)
    finding = hunt.finding(pair_id, index)
    if pair is None or finding is None:
        raise InputError(f"{hunt.folder.name} has no answer {index + 1} to {pair_id}")
    words = CLASSES[finding.answer_class]
    count = sum(row["pair_id"] == pair_id for row in hunt.answers())
    return AnswerView(
        pair,
        finding,
        hunt.kind,
        count,
        words.name,
        words.means,
        _why(finding),
        {key.replace("_", " "): _fact(value) for key, value in pair.metadata.items()},
        tuple(
            f"{one.name} (seed {one.seed}): "
            + (
                one.message
                or ("" if one.n_inputs else OUTCOMES[one.outcome.letter].name)
                or quantity(one.n_inputs, "input")
            )
            for one in finding.generated
        ),
    )


def input_table(view: AnswerView) -> pd.DataFrame:
    """A row for each input: number, origin, input (short), g, f, shows."""
    stdio = view.pair.kind is ProblemKind.STDIO
    return pd.DataFrame(
        [
            {
                "number": trial.index + 1,
                "origin": trial.origin,
                "input": _cut(trial.input if stdio else _arguments(trial.input)),
                "g": _side(trial.good, trial.good_check),
                "f": _side(trial.buggy, trial.buggy_check if trial.differs else trial.good_check),
                "shows": _shows(trial),
            }
            for trial in view.finding.trials
        ],
        columns=["number", "origin", "input", "g", "f", "shows"],
    )


def telling_input(finding: Finding) -> int | None:
    """The input to look at first: the one that made the answer of its class; None if it has none."""
    trials = finding.trials
    for wanted in (
        lambda one: finding.answer_class is AnswerClass.TRUE_BUG and one.exposes,
        lambda one: one.crashes_good,
        lambda one: not one.left_out and one.good_check is not None and one.good_check.rejects,
        lambda one: bool(one.differs) and not one.left_out,
    ):
        found = next((one.index for one in trials if wanted(one)), None)
        if found is not None:
            return found
    return trials[0].index if trials else None


def input_view(view: AnswerView, trial: InputTrial) -> InputView:
    """One input with both outputs side by side."""
    stdio = view.pair.kind is ProblemKind.STDIO
    expected = None
    if trial.expected is not None:
        expected = _text_pane("the answer expects", trial.expected if stdio else _value(trial.expected))
    return InputView(
        f"Input {trial.index + 1}, from {trial.origin}"
        + (f" with seed {trial.seed}" if view.kind is AnswerKind.HARNESS else ""),
        _text_pane("given on standard input" if stdio else "arguments", _input(trial, view.pair)),
        _outputs(trial, stdio=stdio),
        expected,
        _story("g", trial.good, trial.good_check, view.kind, checked=True),
        _story("f", trial.buggy, trial.buggy_check, view.kind, checked=bool(trial.differs)),
        _verdict(trial),
    )


def _why(finding: Finding) -> str:
    if finding.fault:
        words = fault_words(finding.fault.value)
        return f"{words[:1].upper()}{words[1:]}: {finding.message}." if finding.message else f"{words}."
    at = telling_input(finding)
    if at is None:
        return "It has no input that could be run."
    trial = finding.trials[at]
    where = f"input {at + 1}"
    match finding.answer_class:
        case AnswerClass.TRUE_BUG:
            if trial.buggy.outcome is not Outcome.PASSED:
                return f"On {where} f ends in {_outcome(trial.buggy)} and g does not."
            return (
                f"On {where} the check rejects f's output{_said(trial.buggy_check)}, and accepts all of g's."
            )
        case AnswerClass.GOOD_INPUT_MISSED:
            return f"On {where} f's output is another than g's, and the check accepts it."
        case AnswerClass.NO_DIFFERENCE:
            return f"On all {len(finding.trials)} inputs f gives what g gives."
        case _ if trial.crashes_good:
            return f"On {where} g itself ends in {_outcome(trial.good)}: {trial.good.message}."
        case _:
            return f"On {where} the check rejects the output of g{_said(trial.good_check)}."


def _fired(trial: InputTrial) -> Checked | None:
    """The check that rejected an output: f's if g's was accepted."""
    for one in (trial.good_check, trial.buggy_check):
        if one is not None and one.rejects:
            return one
    return None


def _said(said: Checked | None) -> str:
    return f" ({said.message})" if said and said.message else ""


def _side(one: Ran, said: Checked | None) -> str:
    if one.outcome is not Outcome.PASSED:
        return f"{one.outcome.letter} {OUTCOMES[one.outcome.letter].name}"
    if said is None:
        return "ran"
    if said.outcome is Outcome.PASSED:
        return "accepted"
    return (
        "rejected"
        if said.outcome is Outcome.ASSERTION_FAILED
        else f"check: {OUTCOMES[said.outcome.letter].name}"
    )


def _shows(trial: InputTrial) -> str:
    if trial.left_out:
        return "nothing"
    if trial.crashes_good:
        return "invalid input"
    if trial.good_check is not None and trial.good_check.rejects:
        return "wrong check"
    if not trial.differs:
        return "no difference"
    return "the bug" if trial.exposes else "missed"


def _verdict(trial: InputTrial) -> str:
    match _shows(trial):
        case "nothing":
            return f"This input is left out: {trial.left_out}."
        case "invalid input":
            return "g can't take this input, so the input is taken for an invalid one."
        case "wrong check":
            return "The check rejects what the good program gave: the check is wrong about this input."
        case "no difference":
            return "Both programs give the same output here."
        case "the bug":
            return "This input shows the bug."
        case _:
            return "The programs differ here, and the check accepts both: a good input, badly checked."


def _story(name: str, one: Ran, said: Checked | None, kind: AnswerKind, *, checked: bool) -> str:
    if one.outcome is not Outcome.PASSED:
        return f"{name} ends in {_outcome(one)}{f': {one.message}' if one.message else ''}."
    judge = "the check" if kind is AnswerKind.HARNESS else "the expected output"
    took = f"{name} ran {one.seconds:.3f} s"
    if said is None:
        return f"{took}." if checked else f"{took}; same output as g, not checked again."
    if said.outcome is Outcome.PASSED:
        return f"{took}; {judge} accepts."
    if said.outcome is Outcome.ASSERTION_FAILED:
        line = f" in line {said.line}" if said.line else ""
        return f"{took}; {judge} rejects{line}: {said.message or 'an assertion failed'}"
    return f"{took}; {judge} itself ends in {OUTCOMES[said.outcome.letter].name}: {said.message}"


def _outcome(one: Ran) -> str:
    return f"{OUTCOMES[one.outcome.letter].name} ({one.outcome.letter})"


def _outputs(trial: InputTrial, *, stdio: bool) -> tuple[Pane, Pane]:
    texts = [_output(one, stdio=stdio) for one in (trial.good, trial.buggy)]
    titles = ("g's output", "f's output")
    if stdio:
        old, new = ("\n".join(text.split("\n")[:_COMPARED_LINES]) for text in texts)
        panes = side_by_side(titles[0], old, titles[1], new)
        return replace(panes[0], lines=_plain(panes[0])), replace(panes[1], lines=_plain(panes[1]))
    good, buggy = value_diff(*texts)
    return replace(good, title=titles[0]), replace(buggy, title=titles[1])


def _plain(pane: Pane) -> tuple[Line, ...]:
    """Lines without Python's colours: they are no code."""
    return tuple(
        replace(line, pieces=(("", "".join(text for _, text in line.pieces)),)) for line in pane.lines
    )


def _output(one: Ran, *, stdio: bool) -> str:
    if one.outcome is not Outcome.PASSED:
        return one.output or f"(none: {_outcome(one)})"
    return one.output if stdio else _value(one.output)


def _input(trial: InputTrial, pair: Pair) -> str:
    return trial.input if pair.kind is ProblemKind.STDIO else _arguments(trial.input, "\n")


def _arguments(text: str, between: str = ", ") -> str:
    """The named arguments as a person writes them; the text itself where it was cut."""
    try:
        return between.join(f"{name} = {value!r}" for name, value in loads(text).items())
    except Exception:  # noqa: BLE001 - see `core.execution.judge`
        return text


def _value(text: str) -> str:
    """A value as Python shows it; the text itself where it can't be read or was cut."""
    return text if len(text) > LONGEST_TEXT else as_python(text)


def _text_pane(title: str, text: str) -> Pane:
    lines = text.split("\n")[:_COMPARED_LINES]
    return Pane(title, tuple(Line(None, "", (("", line),)) for line in lines))


def _cut(text: str) -> str:
    one_line = " \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ".join(text.strip().split("\n"))
    return one_line if len(one_line) <= _SHORT else one_line[:_SHORT] + " …"


def _fact(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return value if isinstance(value, str) else json.dumps(value, default=str)


def neighbours(
    rows: Sequence[tuple[str, int]], here: tuple[str, int]
) -> tuple[int | None, int | None, int | None]:
    """Places of this row, the one before and the one after it in a list; None where there is none."""
    at = rows.index(here) if here in rows else None
    if at is None:
        return None, None, None
    return at, at - 1 if at else None, at + 1 if at + 1 < len(rows) else None
