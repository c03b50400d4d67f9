"""Test suites as a reward for reinforcement learning, called as TRL's GRPOTrainer calls rewards.

    from core.verifiers.reward import SuiteReward

    with SuiteReward() as reward:
        GRPOTrainer(model, reward_funcs=reward, train_dataset=rows, ...).train()

`rows` are what `python -m core evolve export --layout prompts` writes: the columns `tests`,
`entry_point`, `support` and `question` come back with each completion. Programs run in the sandbox
only, those of a batch side by side.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, TypeAlias

from core.execution.executor import Executor
from core.formats.answers import completion_text, without_reasoning
from core.formats.programs import extract_program
from core.model import Outcome
from sandbox import open_sandbox
from sandbox.contract import AssertsJob, CheckResult, Limits

__all__ = ["Reward", "SuiteReward"]

Completion: TypeAlias = str | Sequence[Mapping[str, Any]]
_Job: TypeAlias = tuple[str, tuple[str, ...], str | None, str]


class Reward(enum.StrEnum):
    """What a program's tests are worth: the share passed, or 1 where all passed."""

    PASS_RATE = "pass_rate"  # noqa: S105 - no password
    ALL_PASS = "all_pass"  # noqa: S105 - no password


class SuiteReward:
    """Completions in, rewards out.

    Attributes:
        __name__: what a trainer calls the reward in its log.
    """

    def __init__(
        self,
        reward: Reward | str = Reward.PASS_RATE,
        *,
        executor: Executor | None = None,
        backend: str = "auto",
        workers: int = 2,
        limits: Limits | None = None,
    ) -> None:
        """Say how programs are run; nothing starts before the first call.

        Args:
            reward: what the tests are worth.
            executor: a sandbox that is open already, or one behind a cache; left open.
            backend: of the sandbox to open where none is given.
            workers: programs that run at once in it.
            limits: of each test.
        """
        self._reward = Reward(reward)
        self.__name__ = f"suite_{self._reward.value}"
        self._executor = executor
        self._backend, self._workers = backend, workers
        self._limits = limits or Limits()
        self._opened = ExitStack()

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,  # noqa: ARG002 - the trainer gives it
        completions: Sequence[Completion] = (),
        *,
        tests: Sequence[Sequence[str]],
        entry_point: Sequence[str] | None = None,
        support: Sequence[str] | None = None,
        question: Sequence[str] | None = None,
        **_: Any,
    ) -> list[float | None]:
        """The reward of each completion.

        Args:
            prompts: as the trainer gives them; not looked at.
            completions: texts, or conversations whose last message is the answer.
            tests: assertions for each completion.
            entry_point: the function that the tests call, for each; "" where it is not known.
            support: source that its tests may rely on, for each.
            question: the problem as code to complete, for each; completions may go on from it.

        Returns:
            A number in [0, 1] for each; None, which a trainer leaves out, where no test has a verdict,
            and for `all_pass` where one is missing and none failed.

        Raises:
            InputError: a completion is no answer.
        """
        n = len(completions)
        jobs: list[_Job] = []
        for place, completion in enumerate(completions):
            entry = (entry_point[place] if entry_point else "") or None
            prompt = question[place] if question else ""
            program = extract_program(without_reasoning(completion_text(completion))[0], prompt, entry)
            helpers = support[place] if support else ""
            jobs.append((program, tuple(tests[place]), entry, helpers))
        found = self._run(list(dict.fromkeys(jobs)))
        return [self._worth(found[jobs[place]]) for place in range(n)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox, if one was opened here."""
        self._opened.close()

    def _run(self, jobs: Sequence[_Job]) -> dict[_Job, Sequence[CheckResult]]:
        if self._executor is None:
            self._executor = self._opened.enter_context(open_sandbox(self._backend, self._workers))

        def asked() -> Iterator[AssertsJob]:
            for number, (program, checks, entry, helpers) in enumerate(jobs):
                yield AssertsJob(str(number), program, checks, entry, helpers, self._limits)

        return {jobs[int(one.key)]: one.results for one in self._executor.run(asked())}

    def _worth(self, results: Sequence[CheckResult]) -> float | None:
        known = [result.outcome for result in results if result.outcome is not Outcome.INTERNAL_ERROR]
        passed = sum(outcome is Outcome.PASSED for outcome in known)
        if self._reward is Reward.PASS_RATE:
            return passed / len(known) if known else None
        if passed < len(known):
            return 0.0
        return 1.0 if known and len(known) == len(results) else None
