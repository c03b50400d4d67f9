"""Eq. 1 of HarnessLLM as a reward function for GRPO trainers.

    reward = HarnessReward()                        # for TRL: GRPOTrainer(reward_funcs=[reward], ...)
    compute_score = HarnessReward().compute_score   # for verl: custom_reward_function

1 where g passes and f fails; 0.1 where all inputs are valid and one shows the bug, but the check is
wrong or blind; else 0. Programs, generators and checks run in the sandbox, which stays open between
calls. Answers that the sandbox could not run get 0: a trainer needs a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from core.errors import InputError
from core.formats import harnessllm, pairs
from core.formats.answers import completion_text
from core.formats.errors import FieldError
from core.hunting.model import AnswerKind, HuntOptions, RawAnswer
from core.hunting.trial import hunt
from core.metrics.hunting import rewards
from core.model import Pair
from sandbox import open_sandbox
from sandbox.contract import Sandbox

__all__ = ["HarnessReward"]


class HarnessReward:
    """Rewards answers that hunt bugs; a context manager, or closed by `close`."""

    def __init__(
        self,
        kind: AnswerKind | str = AnswerKind.HARNESS,
        *,
        format_reward: float = 0.0,
        options: HuntOptions | None = None,
        sandbox: Sandbox | None = None,
        backend: str = "auto",
        workers: int = 2,
    ) -> None:
        """Open a sandbox, unless one is given.

        Args:
            kind: what the answers are.
            format_reward: of an answer with a format error; the released trainer gives -1.
            options: limits, seed and first; `kind` wins over theirs.
            sandbox: to run in; it is left open.
            backend: of the sandbox that is opened otherwise.
            workers: of that sandbox.
        """
        self.__name__ = "harness_reward"  # trainers log rewards by it
        self._options = options or HuntOptions(AnswerKind(kind))
        self._format_reward = format_reward
        self._own = None if sandbox else open_sandbox(backend, workers)
        self._sandbox: Sandbox = sandbox or self._own  # type: ignore[assignment]

    def __call__(
        self, completions: Sequence[Any], prompts: Sequence[Any] | None = None, **columns: Sequence[Any]
    ) -> list[float]:
        """One reward for each completion, as TRL asks for them.

        Args:
            completions: texts, or lists of messages whose last one is the answer.
            prompts: not looked at.
            columns: the data set's, one value for each completion: those of Touchstone's pairs (`kind`,
                `good`, `buggy`, `entry_point`, ...) or HarnessLLM's `reward_model`.

        Raises:
            InputError: the columns hold no pair, or a completion is no answer.
        """
        del prompts
        width = len(completions)
        rows = [
            {key: values[i] for key, values in columns.items() if _is_column(values, width)}
            for i in range(width)
        ]
        return self.of([_pair(row) for row in rows], [completion_text(one) for one in completions])

    def compute_score(
        self,
        data_source: str,
        solution_str: str,
        ground_truth: Any,
        extra_info: Mapping[str, Any] | None = None,
    ) -> float:
        """The reward of one answer, as verl asks for it.

        Args:
            data_source: not looked at.
            solution_str: the answer.
            ground_truth: HarnessLLM's: {"good_code", "bad_code", "code_type"} or its JSON.
            extra_info: not looked at.

        Raises:
            InputError: the ground truth holds no pair.
        """
        del data_source, extra_info
        pair = _pair({"uid": "-", "reward_model": {"ground_truth": ground_truth}})
        return self.of([pair], [solution_str])[0]

    def of(self, asked: Sequence[Pair], answers: Sequence[str]) -> list[float]:
        """One reward for each answer about the pair in the same place."""
        raw = [RawAnswer(pair, i, text) for i, (pair, text) in enumerate(zip(asked, answers, strict=True))]
        classes = [one.answer_class for batch in hunt(raw, self._sandbox, self._options) for one in batch]
        return [float(value) for value in rewards(classes, format_reward=self._format_reward)]

    def close(self) -> None:
        """End the sandbox that was opened here."""
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _is_column(values: object, width: int) -> bool:
    return isinstance(values, Sequence) and not isinstance(values, str) and len(values) == width


def _pair(row: Mapping[str, Any]) -> Pair:
    try:
        if "reward_model" in row:
            return harnessllm.pair_in({"uid": "-", **row})
        return pairs.pair_in({"pair_id": "-", **row})
    except FieldError as error:
        raise InputError(f"no pair to reward answers by: {error.field}: {error.message}") from error
