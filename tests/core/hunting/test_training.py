import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.pairs import write_answers, write_pairs
from core.hunting.commands import hunt
from core.hunting.folder import open_hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.hunting.reward import HarnessReward
from core.hunting.training import prompt_for, sft_jsonl, write_sft
from core.llm.prompts import Template
from core.model import AnswerClass
from sandbox import open_sandbox
from sandbox.contract import Sandbox
from tests.core.hunting.pieces import Case, read_cases

WORTH = {"true_bug": 1.0, "good_input_invalid": 0.1, "good_input_missed": 0.1}
NAMES = (
    "function_true_bug",
    "function_missed",
    "function_invalid_assertion",
    "fault_no_check",
    "stdio_true_bug",
)
CASES = {case.name: case for case in read_cases() if case.name in NAMES}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests of this module."""
    with open_sandbox(workers=2) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Path:
    """A hunt of five cases, the first answer of each pair followed by the same one again."""
    root = tmp_path_factory.mktemp("hunt")
    write_pairs([case.pair for case in CASES.values()], root / "p.jsonl")
    write_answers({name: [case.answer] * 2 for name, case in CASES.items()}, root / "a.jsonl")
    hunt(root / "p.jsonl", str(root / "a.jsonl"), root / "h", HuntOptions(AnswerKind.HARNESS), sandbox)
    return root / "h"


def test_only_true_bugs_are_examples(folder: Path, tmp_path: Path) -> None:
    """An example is a prompt that shows f and the answer as it came; other answers are left out."""
    count = write_sft(open_hunt(folder), tmp_path / "sft.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "sft.jsonl").read_text().splitlines()]

    assert count == len(rows) == 4
    assert {(row["pair_id"], row["answer_index"]) for row in rows} == {
        (name, i) for name in ("function_true_bug", "stdio_true_bug") for i in (0, 1)
    }
    for row in rows:
        case = CASES[row["pair_id"]]
        assert [one["role"] for one in row["messages"]] == ["user", "assistant"]
        assert case.pair.buggy.strip() in row["messages"][0]["content"]
        assert case.pair.good.strip() not in row["messages"][0]["content"]
        assert row["messages"][1]["content"] == case.answer


def test_examples_of_a_pair_can_be_limited_and_asked_with_another_prompt(
    folder: Path, tmp_path: Path
) -> None:
    """One answer a pair, and the user's own template in place of Touchstone's."""
    own = Template("own", "[system]\nHunt.\n[user]\n$problem|$solution")
    write_sft(open_hunt(folder), tmp_path / "sft.jsonl", own, most=1)
    rows = [json.loads(line) for line in (tmp_path / "sft.jsonl").read_text().splitlines()]

    assert len(rows) == 2
    assert [one["role"] for one in rows[0]["messages"]] == ["system", "user", "assistant"]
    assert len(sft_jsonl(open_hunt(folder)).splitlines()) == 4


@pytest.mark.parametrize("kind", AnswerKind)
@pytest.mark.parametrize("name", ["function_true_bug", "stdio_true_bug"])
def test_the_prompt_asks_for_what_is_hunted_with(kind: AnswerKind, name: str) -> None:
    """A harness is asked for by its functions, cases by their keys."""
    (message,) = prompt_for(CASES[name].pair, kind)
    function = CASES[name].pair.entry_point is not None
    key = "input_args" if function else "input_str"

    assert ("check_output" in message["content"]) == (kind is AnswerKind.HARNESS)
    assert (key in message["content"]) == (kind is AnswerKind.IO)


def columns(cases: list[Case]) -> dict[str, list[object]]:
    """The cases' pairs as the columns of a data set."""
    return {
        "kind": [case.pair.kind.value for case in cases],
        "good": [case.pair.good for case in cases],
        "buggy": [case.pair.buggy for case in cases],
        "entry_point": [case.pair.entry_point for case in cases],
    }


def test_rewards_are_eq_1_of_the_hand_written_classes(sandbox: Sandbox) -> None:
    """Called as TRL calls it, each answer gets what Eq. 1 gives its expected class."""
    cases = list(CASES.values())
    with HarnessReward(sandbox=sandbox) as reward:
        plain = reward(
            prompts=["?"] * len(cases), completions=[case.answer for case in cases], **columns(cases)
        )
        chats = [[{"role": "assistant", "content": case.answer}] for case in cases]
        chat = reward(completions=chats, **columns(cases), trainer_state="ignored")

    assert plain == chat == [WORTH.get(case.expected, 0.0) for case in cases]
    assert reward.__name__ == "harness_reward"


def test_verl_gets_the_same_reward_from_harnessllms_rows(sandbox: Sandbox) -> None:
    """`compute_score` reads the ground truth of the released data, and a format error may cost."""
    case = CASES["stdio_true_bug"]
    truth = json.dumps(
        {"good_code": case.pair.good, "bad_code": case.pair.buggy, "code_type": "input/output"}
    )
    reward = HarnessReward(sandbox=sandbox, format_reward=-1.0)

    assert reward.compute_score("harness", case.answer, truth) == 1.0
    assert reward.compute_score("harness", "no block", truth) == -1.0


def test_columns_without_a_pair_are_refused(sandbox: Sandbox) -> None:
    """A data set that lacks the programs ends in a message that names what is missing."""
    with pytest.raises(InputError, match="kind"):
        HarnessReward(sandbox=sandbox)(completions=["x"], answer=["y"])


def test_every_class_has_a_reward() -> None:
    """The table of the tests covers what Eq. 1 rewards and nothing else."""
    assert set(WORTH) <= {one.key for one in AnswerClass}
