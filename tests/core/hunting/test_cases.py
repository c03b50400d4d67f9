from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.hunting.model import AnswerKind, Finding, HuntOptions, RawAnswer
from core.hunting.trial import hunt
from core.model import AnswerClass
from sandbox import open_sandbox
from sandbox.contract import Limits
from tests.core.hunting.pieces import Case, read_cases

CASES = read_cases()
SHORT = Limits(seconds=2.0, output_kb=256)


@pytest.fixture(scope="module")
def findings() -> Iterator[dict[str, Finding]]:
    """All cases, run side by side in the strongest sandbox there is."""
    found = {}
    with open_sandbox(workers=2) as sandbox:
        for kind in AnswerKind:
            answers = [RawAnswer(case.pair, 0, case.answer) for case in CASES if case.kind is kind]
            options = replace(HuntOptions(kind), generator=SHORT, program=SHORT, checker=SHORT)
            for batch in hunt(answers, sandbox, options):
                found.update({one.pair_id: one for one in batch})
    yield found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_case_is_of_its_class(case: Case, findings: dict[str, Finding]) -> None:
    """Every hand-written answer is of the class that its folder says, with the fault it names."""
    finding = findings[case.name]

    assert finding.answer_class.key == case.expected, (case.sentence, finding.message, finding.trials)
    assert (finding.fault and finding.fault.value) == case.fault, finding.message


@pytest.mark.parametrize("kind", AnswerKind)
def test_every_class_has_a_case_in_both_kinds(kind: AnswerKind) -> None:
    """Harnesses and input/output answers are each tested on every class there is."""
    assert {case.expected for case in CASES if case.kind is kind} == {one.key for one in AnswerClass}
