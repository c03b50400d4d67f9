import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hunting.judgement import classify
from core.hunting.model import Checked, InputTrial, Ran
from core.model import AnswerClass, Outcome

P, F, E, T, I = (Outcome.from_letter(letter) for letter in "PFETI")  # noqa: E741


def trial(word: str) -> InputTrial:
    """An input by its letters: g, f ("=" for the same output), check of g, check of f; "-" for none."""
    good, buggy, on_good, on_buggy = word
    checks = [
        None if letter == "-" else Checked(Outcome.from_letter(letter)) for letter in (on_good, on_buggy)
    ]
    ran = Ran(P if buggy == "=" else Outcome.from_letter(buggy))
    differs = None if good != "P" or buggy == "I" else buggy != "="
    return InputTrial(0, "", "", 0, Ran(Outcome.from_letter(good)), ran, differs, *checks)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("P=P-", AnswerClass.NO_DIFFERENCE),
        ("P=F-", AnswerClass.INVALID),
        ("PPPF", AnswerClass.TRUE_BUG),
        ("PPPE", AnswerClass.TRUE_BUG),
        ("PPPT", AnswerClass.TRUE_BUG),
        ("PPPI", AnswerClass.GOOD_INPUT_MISSED),
        ("PPPP", AnswerClass.GOOD_INPUT_MISSED),
        ("PEP-", AnswerClass.TRUE_BUG),
        ("PTP-", AnswerClass.TRUE_BUG),
        ("PPFF", AnswerClass.GOOD_INPUT_INVALID),
        ("PPEP", AnswerClass.GOOD_INPUT_INVALID),
        ("PPIF", AnswerClass.TRUE_BUG),
        ("EP--", AnswerClass.INVALID),
        ("TP--", AnswerClass.NO_DIFFERENCE),
        ("PIP-", AnswerClass.NO_DIFFERENCE),
        ("IP--", AnswerClass.NO_DIFFERENCE),
        ("PPPF EP--", AnswerClass.INVALID),
        ("PPPF P=F-", AnswerClass.GOOD_INPUT_INVALID),
        ("PPPF TP--", AnswerClass.TRUE_BUG),
        ("P=P- PPPF", AnswerClass.TRUE_BUG),
        ("PPPP PPPF", AnswerClass.TRUE_BUG),
        ("PPPP P=P-", AnswerClass.GOOD_INPUT_MISSED),
        ("P=F- EP--", AnswerClass.INVALID),
        ("", AnswerClass.NO_DIFFERENCE),
    ],
)
def test_classes_take_precedence_as_documented(words: str, expected: AnswerClass) -> None:
    """Crash of g, rejected g, no difference, failing f, in this order over all inputs."""
    assert classify([trial(word) for word in words.split()]) is expected


def test_only_the_first_inputs_count() -> None:
    """An input behind the first k changes nothing."""
    trials = [trial("P=P-"), trial("PPPF"), trial("EP--")]

    assert [classify(trials, k) for k in (1, 2, 3, None)] == [
        AnswerClass.NO_DIFFERENCE,
        AnswerClass.TRUE_BUG,
        AnswerClass.INVALID,
        AnswerClass.INVALID,
    ]


@given(
    st.lists(st.sampled_from(["P=P-", "P=F-", "PPPF", "PPPP", "PPFP", "EP--", "TP--", "PEP-"])), st.randoms()
)
def test_the_order_of_inputs_does_not_matter(words: list[str], shuffle: object) -> None:
    """A class is a property of the set of inputs."""
    trials = [trial(word) for word in words]
    mixed = list(trials)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]

    assert classify(trials) is classify(mixed)
