"""What an answer, an input and a finding are: frozen plain data."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from core.model import AnswerClass, Outcome, Pair
from sandbox.contract import Limits

__all__ = [
    "AnswerKind",
    "Checked",
    "Fault",
    "Finding",
    "Generated",
    "HuntOptions",
    "InputTrial",
    "Ran",
    "RawAnswer",
]

MAX_GENERATORS = 5
MAX_INPUTS_EACH = 4
MAX_INPUTS = 20
"""Of one answer (HarnessLLM, section 4.1 and figure 10)."""


class AnswerKind(enum.StrEnum):
    """What the model was asked for."""

    HARNESS = "harness"
    IO = "io"


class Fault(enum.StrEnum):
    """What keeps an answer from being run at all."""

    NO_BLOCK = "no_block"
    TOO_LONG = "too_long"
    NOT_PYTHON = "not_python"
    NO_GENERATOR = "no_generator"
    NO_CHECK = "no_check"
    NO_ASSERTION = "no_assertion"
    REDEFINES_TARGET = "redefines_target"
    NO_INPUT = "no_input"
    BAD_JSON = "bad_json"
    MISSING_KEYS = "missing_keys"


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One answer about one pair, as the model gave it.

    Attributes:
        index: its place among the pair's answers, from 0.
    """

    pair: Pair
    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Generated:
    """One run of one generator.

    Attributes:
        seed: what `random` and numpy were seeded with.
        outcome: PASSED also when what came back is no list of inputs; `message` says so.
        n_inputs: inputs taken from it, duplicates of earlier ones included.
    """

    name: str
    seed: int
    outcome: Outcome
    message: str = ""
    n_inputs: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Ran:
    """One program on one input.

    Attributes:
        outcome: PASSED where it gave an output.
        output: what it printed, or the returned value as `sandbox.values` text; what it printed up to
            its end where it gave no output.
        sendable: False where it returned something that is no plain data: nothing is known of its output.
    """

    outcome: Outcome
    output: str = ""
    message: str = ""
    line: int | None = None
    seconds: float = 0.0
    sendable: bool = True


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check said about one output.

    Attributes:
        outcome: PASSED accepts it; ASSERTION_FAILED: an assertion fired; anything else but
            INTERNAL_ERROR: the checker broke, which rejects the output too.
        line: of the harness as the answer has it.
    """

    outcome: Outcome
    message: str = ""
    line: int | None = None
    seconds: float = 0.0

    @property
    def rejects(self) -> bool:
        """Whether the output is not accepted; what the sandbox could not run says nothing."""
        return self.outcome not in (Outcome.PASSED, Outcome.INTERNAL_ERROR)


@dataclass(frozen=True, slots=True)
class InputTrial:
    """One input of an answer and all that became of it.

    Attributes:
        input: standard input, or the dict of arguments as `sandbox.values` text.
        origin: name of the generator, or "case <n>" for input/output answers.
        expected: input/output answers: the expected output, in the same form as an output.
        differs: whether f's output is another than g's; None where one of them is not known.
        good_check: None where g gave no output to check.
        buggy_check: None where f gave no output to check, or the same one as g.
    """

    index: int
    input: str
    origin: str
    seed: int
    good: Ran
    buggy: Ran
    differs: bool | None
    good_check: Checked | None = None
    buggy_check: Checked | None = None
    expected: str | None = None

    @property
    def left_out(self) -> str:
        """Why this input says nothing about the answer; "" where it does."""
        if self.good.outcome is Outcome.TIME_LIMIT:
            return "the good program took too long"
        if Outcome.INTERNAL_ERROR in (self.good.outcome, self.buggy.outcome):
            return "the sandbox could not run it"
        return "" if self.good.sendable else "the good program returned what is no plain data"

    @property
    def crashes_good(self) -> bool:
        """Whether g can't take this input."""
        return not self.left_out and self.good.outcome is not Outcome.PASSED

    @property
    def exposes(self) -> bool:
        """Whether f fails here: it differs, and it gave no output or one that the check rejects."""
        if self.left_out or not self.differs:
            return False
        return self.buggy.outcome is not Outcome.PASSED or (
            self.buggy_check is not None and self.buggy_check.rejects
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer after it was run.

    Attributes:
        fault: what is wrong with its form, None if nothing is.
        message: more about the fault, for a person.
        code: the harness or the JSON that was taken from the answer, "" if there is none.
    """

    pair_id: str
    index: int
    text: str
    answer_class: AnswerClass
    fault: Fault | None = None
    message: str = ""
    code: str = ""
    generated: tuple[Generated, ...] = ()
    trials: tuple[InputTrial, ...] = ()


_TEN_SECONDS = Limits(seconds=10.0, output_kb=1024)
_FIVE_SECONDS = Limits(seconds=5.0, output_kb=1024)


@dataclass(frozen=True, slots=True)
class HuntOptions:
    """How answers are run.

    Attributes:
        first: only the first so many inputs of an answer count; None for all.
        repeat: how often each generator is run, each time with another seed.
        seed: of the first generator's first run, and of programs and checks.
    """

    kind: AnswerKind
    first: int | None = None
    repeat: int = 1
    seed: int = 42
    generator: Limits = _TEN_SECONDS
    program: Limits = _TEN_SECONDS
    checker: Limits = _FIVE_SECONDS

    @property
    def max_inputs(self) -> int:
        """Inputs taken of one answer: 20 for each time the generators are run, or `first` in all."""
        most = MAX_INPUTS * (self.repeat if self.kind is AnswerKind.HARNESS else 1)
        return most if self.first is None else min(most, self.first)

    def generator_seed(self, repeat: int, place: int) -> int:
        """The seed of a generator, by its place, in a repeat.

        Each run has its own, for two generators of one harness that draw alike should not give the same
        inputs; seeds of fewer repeats are those below `seed + MAX_GENERATORS * repeats`.
        """
        return self.seed + repeat * MAX_GENERATORS + place
