"""What to ask a model for, and which requests that makes for a benchmark."""

from __future__ import annotations

import enum
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from core.errors import InputError
from core.llm.prompts import Message, PromptName, Template, load_template
from core.model import Benchmark, Problem, ProblemKind, Solution

__all__ = ["Ask", "Generation", "Key", "Kind", "Method", "Mode", "Shown", "plan", "preview"]

Key: TypeAlias = tuple[str, str, int]
"""What a request is known by: task_id; what it is about (a solution's id or a mode, or ""); sample."""


class Kind(enum.StrEnum):
    """What the answers are."""

    TESTS = "tests"
    SOLUTIONS = "solutions"
    REWARDS = "rewards"
    HARNESS = "harness"
    IO = "io"
    SEEDS = "seeds"
    EVOLVE = "evolve"


class Shown(enum.StrEnum):
    """Which solution of a problem is shown with it."""

    NONE = "none"
    REFERENCE = "reference"
    BEST = "best"
    WORST = "worst"
    RANDOM = "random"
    EACH = "each"


class Mode(enum.StrEnum):
    """Which solutions are asked for (Scoring Verifiers, figure 8)."""

    CORRECT = "correct"
    PARTIAL = "partial"
    BOTH = "both"


class Method(enum.StrEnum):
    """How a model rates a solution."""

    CHAT = "chat"
    JUDGE = "judge"
    CLASSIFY = "classify"
    SCORE = "score"
    POOLING = "pooling"


@dataclass(frozen=True, slots=True)
class Generation:
    """What is asked for; with the same values the same requests are made.

    Attributes:
        model: the endpoint's name for it.
        samples: answers to each prompt; rewards have one.
        n_tests: how many tests one answer shall have.
        shown: the solution that goes into a prompt for tests, a harness, or inputs and outputs.
        mode: for solutions.
        method: for rewards.
        template: a template of the user's own in place of Touchstone's; None for ours.
        temperature, top_p, max_tokens: as the API has them; None leaves them to the endpoint.
        seed: of the first sample, each further one gets the next number; None sends none. It also
            decides which solution is shown at random.
        extra: further fields of the request's body, as they are.
    """

    kind: Kind
    model: str
    samples: int = 1
    n_tests: int = 10
    shown: Shown = Shown.NONE
    mode: Mode = Mode.CORRECT
    method: Method = Method.CHAT
    template: Template | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.samples < 1 or self.n_tests < 1:
            raise InputError("expected at least 1 sample and 1 test")
        if self.kind is Kind.REWARDS and self.samples != 1:
            raise InputError("rewards have one sample each: expected samples 1")
        if self.kind in {Kind.HARNESS, Kind.IO} and self.shown is Shown.NONE:
            what = "a harness is" if self.kind is Kind.HARNESS else "inputs and outputs are"
            raise InputError(f"{what} written for a program: expected a solution to show, e.g. each")
        if self.kind is Kind.SEEDS and self.shown is Shown.NONE:
            raise InputError("a seed is refined with a program: expected a solution to show, e.g. reference")
        if self.template is not None:
            self.template.require(self._needs_solution)

    @property
    def _needs_solution(self) -> bool:
        return self.kind is Kind.REWARDS or self.shown is not Shown.NONE

    @property
    def is_chat(self) -> bool:
        """Whether the answers are texts of a chat completion."""
        return self.kind is not Kind.REWARDS or self.method in {Method.CHAT, Method.JUDGE}

    def template_for(self, problem: Problem, mode: str = "") -> Template:
        """The template that makes this problem's prompt."""
        return self.template or load_template(self._prompt_name(problem, mode))

    def described(self) -> dict[str, Any]:
        """What every answer keeps about its request; nothing secret is in it."""
        about: dict[str, Any] = {"kind": self.kind.value, "model": self.model}
        if self.kind in {Kind.TESTS, Kind.IO, Kind.SEEDS, Kind.EVOLVE}:
            about["n_tests"] = self.n_tests
        if self.kind in {Kind.TESTS, Kind.HARNESS, Kind.IO, Kind.SEEDS}:
            about["shown"] = self.shown.value
        if self.kind is Kind.REWARDS:
            about["method"] = self.method.value
        if self.template is not None:
            about["template_sha256"] = self.template.sha256
        for name in ("temperature", "top_p", "max_tokens", "seed"):
            if getattr(self, name) is not None:
                about[name] = getattr(self, name)
        if self.extra:
            about["extra"] = dict(self.extra)
        return about

    def _prompt_name(self, problem: Problem, mode: str) -> PromptName:
        stdio = problem.kind is ProblemKind.STDIO
        with_solution = self.shown is not Shown.NONE
        if self.kind is Kind.REWARDS:
            return PromptName.JUDGE if self.method is Method.JUDGE else PromptName.REWARD
        if self.kind is Kind.SEEDS:
            return PromptName.SEEDS
        if self.kind is Kind.HARNESS:
            return PromptName.HARNESS_STDIO if stdio else PromptName.HARNESS
        if self.kind is Kind.IO:
            return PromptName.TESTS_STDIO_WITH_SOLUTION if stdio else PromptName.IO
        if self.kind is Kind.SOLUTIONS and mode == Mode.PARTIAL:
            return PromptName.SOLUTIONS_PARTIAL_STDIO if stdio else PromptName.SOLUTIONS_PARTIAL
        if self.kind is Kind.SOLUTIONS:
            return PromptName.SOLUTIONS_STDIO if stdio else PromptName.SOLUTIONS
        if with_solution:
            return PromptName.TESTS_STDIO_WITH_SOLUTION if stdio else PromptName.TESTS_WITH_SOLUTION
        return PromptName.TESTS_STDIO if stdio else PromptName.TESTS


@dataclass(frozen=True, slots=True)
class Ask:
    """One request.

    Attributes:
        solution: what is shown or rated; None where only the problem is.
        mode: "correct" or "partial" for a solution, else "".
        sample: 0 for the first answer to this prompt.
        prompt: the messages where no template makes them (`Kind.EVOLVE`); () for the template's.
    """

    generation: Generation
    problem: Problem
    solution: Solution | None = None
    mode: str = ""
    sample: int = 0
    prompt: tuple[Message, ...] = ()

    @property
    def key(self) -> Key:
        """What tells it from the other requests of its generation."""
        return (self.problem.task_id, self.mode or (self.solution.id if self.solution else ""), self.sample)

    def messages(self) -> list[Message]:
        """The filled-in prompt."""
        if self.prompt:
            return list(self.prompt)
        return self.generation.template_for(self.problem, self.mode).fill(
            self.problem,
            n_tests=self.generation.n_tests,
            solution=self.solution.code if self.solution else None,
        )


def plan(benchmark: Benchmark, generation: Generation) -> Iterator[Ask]:
    """Every request, problem by problem.

    Raises:
        InputError: a problem has no solution to show or to rate, or one without a reference score.
    """
    modes: Sequence[str] = [""]
    if generation.kind is Kind.SOLUTIONS:
        both = [Mode.CORRECT.value, Mode.PARTIAL.value]
        modes = both if generation.mode is Mode.BOTH else [generation.mode.value]
    for problem in benchmark.problems:
        for solution in _subjects(problem, benchmark.solutions.get(problem.task_id, ()), generation):
            for mode in modes:
                for sample in range(generation.samples):
                    yield Ask(generation, problem, solution, mode, sample)


def preview(generation: Generation, problem: Problem, solution: Solution | None = None) -> list[Message]:
    """The prompt as it would be sent.

    Args:
        generation: what is asked for.
        problem: the problem to fill in.
        solution: what would be shown or rated; a stand-in is used where one is needed and none given.
    """
    mode = Mode.CORRECT if generation.mode is Mode.BOTH else generation.mode
    template = generation.template_for(problem, mode)
    code = solution.code if solution else "(the code of a solution)"
    return template.fill(
        problem, n_tests=generation.n_tests, solution=code if template.has_solution else None
    )


def _subjects(
    problem: Problem, solutions: Sequence[Solution], generation: Generation
) -> Sequence[Solution | None]:
    if generation.kind is Kind.SOLUTIONS:
        return [None]
    shown = Shown.EACH if generation.kind is Kind.REWARDS else generation.shown
    if shown is Shown.NONE:
        return [None]
    if shown is Shown.REFERENCE:
        if not problem.reference_solution:
            raise InputError(f"{problem.task_id}: has no reference solution to show")
        return [Solution("reference", problem.reference_solution, "reference", 1.0, 1.0)]
    if not solutions:
        what = "rate" if generation.kind is Kind.REWARDS else "show"
        raise InputError(f"{problem.task_id}: has no solution to {what}; expected a benchmark with solutions")
    if generation.kind is Kind.REWARDS:
        unscored = next((one.id for one in solutions if one.reference_score is None), None)
        if unscored is not None:
            raise InputError(
                f"{problem.task_id}: solution {unscored} has no reference score, without which a reward "
                "can't be judged; `python -m core build` gives them"
            )
    if shown is Shown.EACH:
        return solutions
    if shown is Shown.RANDOM:
        chance = random.Random(f"{generation.seed or 0}\n{problem.task_id}")  # noqa: S311 - no secret
        return [chance.choice(solutions)]
    return [solutions[0] if shown is Shown.BEST else solutions[-1]]
