"""Test suites as a reward, called as TRL's GRPOTrainer calls it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.verifiers.reward import Reward, SuiteReward
from sandbox import open_sandbox
from sandbox.contract import AssertsJob, CheckResult, Job, Outcome
from sandbox.fake import FakeSandbox

GOOD, HALF, BAD = "def f(x): return 2 * x", "def f(x): return x * x", "def f(x): return None"
TESTS = ["assert f(2) == 4", "assert f(3) == 6"]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Any]:
    """The sandbox of this machine."""
    with open_sandbox(workers=1) as opened:
        yield opened


def test_completions_in_rewards_out(sandbox: Any) -> None:
    """Plain texts, fenced answers and conversations get the share of the tests that they pass."""
    completions = [
        GOOD,
        f"Here:\n```python\n{HALF}\n```",
        [{"role": "assistant", "content": BAD}],
        "no code",
        "",
    ]
    kept = {"tests": [TESTS] * 5, "entry_point": ["f"] * 5, "task_id": ["p"] * 5}
    reward = SuiteReward(executor=sandbox)
    assert reward(prompts=["?"] * 5, completions=completions, completion_ids=[[1]] * 5, **kept) == [
        1.0,
        0.5,
        0.0,
        0.0,
        0.0,
    ]
    strict = SuiteReward("all_pass", executor=sandbox)
    assert strict(completions=completions, **kept) == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert (reward.__name__, strict.__name__) == ("suite_pass_rate", "suite_all_pass")


def test_a_program_can_not_reward_itself(sandbox: Any) -> None:
    """A program that ends the process or equals everything earns nothing."""
    class_equal = "class A:\n    def __eq__(self, other): return True\ndef f(x): return A()"
    exits = "import os\ndef f(x): os._exit(0)"
    found = SuiteReward(executor=sandbox)(
        completions=[class_equal, exits], tests=[TESTS] * 2, entry_point=["f"] * 2
    )
    assert found == [0.0, 0.0]


def test_helpers_and_prompts_go_with_their_completions(sandbox: Any) -> None:
    """A body is completed by its question, and tests may call the problem's helpers."""
    found = SuiteReward(executor=sandbox)(
        completions=["    return 2 * x"],
        tests=[["assert f(twice(2)) == 8"]],
        entry_point=["f"],
        support=["def twice(x): return 2 * x\n"],
        question=['def f(x):\n    """Double."""\n'],
    )
    assert found == [1.0]


def test_a_batch_is_one_run_without_repetitions() -> None:
    """All completions go to the sandbox together, the same program under the same tests once."""
    sandbox = FakeSandbox(lambda job: [CheckResult(Outcome.PASSED)] * 2)
    reward = SuiteReward(executor=sandbox)
    assert reward(completions=[GOOD, HALF, GOOD], tests=[TESTS] * 3, entry_point=["f"] * 3) == [1.0] * 3
    assert [job.program.strip() for job in sandbox.jobs if isinstance(job, AssertsJob)] == [GOOD, HALF]


def test_missing_verdicts_are_no_failures() -> None:
    """A share is of the known verdicts; where nothing is known there is no reward."""

    def handler(job: Job) -> list[CheckResult]:
        known = Outcome.PASSED if "2 * x" in job.program else Outcome.INTERNAL_ERROR
        return [CheckResult(known), CheckResult(Outcome.INTERNAL_ERROR)]

    kept: dict[str, Any] = {"completions": [GOOD, BAD], "tests": [TESTS] * 2, "entry_point": ["f"] * 2}
    assert SuiteReward(executor=FakeSandbox(handler))(**kept) == [1.0, None]
    assert SuiteReward(Reward.ALL_PASS, executor=FakeSandbox(handler))(**kept) == [None, None]


def test_it_opens_and_ends_a_sandbox_of_its_own() -> None:
    """Without an executor the first call opens one, and leaving the block ends it."""
    with SuiteReward(workers=1) as reward:
        assert reward(completions=[GOOD], tests=[TESTS], entry_point=["f"]) == [1.0]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_trl_trains_with_it(tmp_path: Path, sandbox: Any) -> None:
    """GRPOTrainer takes the reward as it is: a tiny model makes its steps, and the log has the reward."""
    for package in ("torch", "transformers", "trl", "datasets"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed: pip install -r requirements-rl.txt")
    from examples.grpo import train

    rows = [
        {"prompt": "Double x.", "tests": TESTS, "entry_point": "f", "support": "", "question": "def f(x):\n"}
    ]
    log = train(rows * 4, SuiteReward(executor=sandbox), out=tmp_path, steps=2)
    found = [
        entry["rewards/suite_pass_rate/mean"] for entry in log if "rewards/suite_pass_rate/mean" in entry
    ]
    assert len(found) == 2
    assert all(0 <= value <= 1 for value in found)
