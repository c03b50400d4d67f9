"""The class of an answer, from what became of its inputs (HarnessLLM, sections 3.3 and 4.1).

Over several inputs the classes take precedence in this order:

1. Inputs that say nothing are left out: g timed out, or the sandbox failed.
2. `invalid` if g crashes on any input, whatever the others show. Footnote 1 of Eq. 1: the partial
   reward needs "all inputs" to be valid, "i.e., do not trigger runtime errors on g".
3. g's outputs are checked on every input. If any is rejected, the answer can't be believed, even
   where another input exposes f: `good_input_invalid` if f differs from g on some input (the 0.1 of
   Eq. 1), else `invalid`.
4. No input on which f differs: `no_difference`.
5. `true_bug` if f fails on any input on which it differs: it crashes, runs out of a limit, or the
   check rejects its output. "A bug is reported if the assertions fail for any pair of generated input
   and captured output" (section 3.2, step 3). A check that breaks on f's output and accepts every
   output of g rejects f all the same, as in the released evaluation; each input keeps which it was.
6. `good_input_missed` otherwise.

Where f gives the same output as g, it is not checked again: a check that says otherwise about it
would only say that the check is not deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.hunting.model import InputTrial
from core.model import AnswerClass

__all__ = ["classify"]


def classify(trials: Sequence[InputTrial], first: int | None = None) -> AnswerClass:
    """The class of an answer whose form is right.

    Args:
        trials: its inputs in order.
        first: look at the first so many only.
    """
    counted = [trial for trial in trials[:first] if not trial.left_out]
    if any(trial.crashes_good for trial in counted):
        return AnswerClass.INVALID
    differs = any(trial.differs for trial in counted)
    if any(trial.good_check is not None and trial.good_check.rejects for trial in counted):
        return AnswerClass.GOOD_INPUT_INVALID if differs else AnswerClass.INVALID
    if not differs:
        return AnswerClass.NO_DIFFERENCE
    if any(trial.exposes for trial in counted):
        return AnswerClass.TRUE_BUG
    return AnswerClass.GOOD_INPUT_MISSED
