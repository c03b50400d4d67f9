"""Two hunts made by hand for the small data folder: harnesses and cases on three pairs, all classes.

What the sandbox says is written down, not executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.formats.pairs import write_answers, write_pairs
from core.hunting.commands import hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.model import Pair, ProblemKind
from core.workspace import Workspace
from sandbox.contract import CallsJob, CheckResult, Job, Outcome
from sandbox.fake import FakeSandbox

PAIRS = tuple(
    Pair(
        f"Tiny/{i}:sample-1",
        f"Sort the numbers. <script>window.hacked = {i}</script>",
        ProblemKind.FUNCTION,
        "def sort(xs):\n    return sorted(xs)\n",
        "def sort(xs):\n    return sorted(set(xs))\n",
        "sort",
        metadata={"difficulty": ("easy", "easy", "hard")[i], "buggy_score": (0.9, 0.5, 0.2)[i]},
    )
    for i in range(3)
)
_CHECKS = {"length": "len(out) == len(given['xs'])", "type": "isinstance(out, list)", "wrong": "out == []"}


def harness(check: str, inputs: str = "[[2, 2], [1]]") -> str:
    """A raw answer whose check asserts one of `_CHECKS`."""
    return (
        f"I would look at {check}.\n\n```python\ndef generate_input_1():\n"
        f"    return [{{'xs': xs}} for xs in {inputs}]\n\n\n"
        f"def check_output(given, out):\n    assert {_CHECKS[check]}, '{check}'\n```\n"
    )


ANSWERS = {
    PAIRS[0].pair_id: [harness("length"), harness("type"), "I can't."],
    PAIRS[1].pair_id: [harness("wrong"), harness("length", "[[1], [3]]")],
    PAIRS[2].pair_id: [harness("length"), harness("length", "[None]")],
}
CASES = {
    pair.pair_id: ['```json\n[{"input_args": {"xs": [2, 2]}, "expected_output": [2, 2]}]\n```']
    for pair in PAIRS
}


def write_hunts(workspace: Workspace) -> None:
    """Write both hunts below the runs."""
    workspace.root.mkdir(parents=True, exist_ok=True)
    for kind, answers in ((AnswerKind.HARNESS, ANSWERS), (AnswerKind.IO, CASES)):
        pairs, given = (workspace.root / f"{kind}-{name}.jsonl" for name in ("pairs", "answers"))
        write_pairs(PAIRS, pairs)
        write_answers(answers, given)
        hunt(pairs, str(given), _folder(workspace, kind), HuntOptions(kind), FakeSandbox(_said))


def _folder(workspace: Workspace, kind: AnswerKind) -> Path:
    return workspace.run_dir(f"tiny-{kind}")


def _said(job: Job) -> Sequence[CheckResult]:
    assert isinstance(job, CallsJob)
    return [_one(job, call) for call in job.calls]


def _one(job: CallsJob, call: str) -> CheckResult:
    if job.entry_point.startswith("generate_input"):
        if "[None]" in job.program:
            return CheckResult(Outcome.PASSED, value='[{"xs":null}]')
        inputs = "[[1], [3]]" if "[[1], [3]]" in job.program else "[[2,2],[1]]"
        rows = (
            ",".join(f'{{"xs":{xs}}}' for xs in ("[1]", "[3]") if "3" in inputs) or '{"xs":[2,2]},{"xs":[1]}'
        )
        return CheckResult(Outcome.PASSED, value=f"[{rows}]")
    if job.entry_point == "sort":
        if "null" in call:
            message = "TypeError: 'NoneType' object is not iterable"
            return CheckResult(Outcome.RUNTIME_ERROR, message=message, line=2)
        value = call[1:-1]
        return CheckResult(
            Outcome.PASSED, 0.01, value="[2]" if "set(" in job.program and "2,2" in call else value
        )
    failed = "out == []" in job.program or ("len(out)" in job.program and call.endswith(",[2]]"))
    if not failed:
        return CheckResult(Outcome.PASSED, 0.001)
    check = "length" if "len(out)" in job.program else "wrong"
    return CheckResult(Outcome.ASSERTION_FAILED, 0.001, f"AssertionError: {check}", line=7)
