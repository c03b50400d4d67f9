"""Mutants of a reference solution: candidate programs that are wrong in known ways.

`mutate` gives an endless supply in a fixed order for a seed: single slips and partial
mutants first, so that the early ones already differ much from each other, then pairs of
slips. Nothing runs here; a mutant may well behave like the reference (an equivalent
mutant), which its reference score will say.
"""

from __future__ import annotations

import ast
import random
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.benchmarks.edits import Edit, apply, first_order, inverted_answers
from core.benchmarks.observed import ObservedCall, observed_calls
from core.benchmarks.partial import partial_edits
from core.model import Problem, Solution

__all__ = ["Mutant", "mutants", "mutate"]

_PARTIAL_EVERY = 3
_PAIR_ATTEMPTS = 400


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed program.

    Attributes:
        code: the whole program.
        edits: the changes: one, a pair, or every answer turned round.
    """

    code: str
    edits: tuple[Edit, ...]

    @property
    def description(self) -> str:
        """What was done: "line 4: `a < b` became `a <= b`; line 9: `x += 1` was removed"."""
        return "; ".join(edit.description for edit in self.edits)


def mutants(problem: Problem, count: int, *, seed: int = 0) -> tuple[Solution, ...]:
    """The first `count` mutants of the problem's reference solution as candidate solutions.

    Ids are `mutant-000`, `mutant-001`, ...; the source is "mutant: " and the description.
    Fewer come back when the program offers no more.
    """
    made = []
    for number, mutant in enumerate(mutate(problem, seed=seed)):
        if number >= count:
            break
        made.append(Solution(f"mutant-{number:03d}", mutant.code, f"mutant: {mutant.description}"))
    return tuple(made)


def mutate(problem: Problem, *, seed: int = 0) -> Iterator[Mutant]:
    """Mutants of `problem.reference_solution`, no two alike as syntax trees, none like the reference.

    Functions that the prompt itself defines beside the entry point belong to the problem
    and are left alone. Deterministic for a problem and a seed. A reference solution that is
    no Python, or does not define the entry point, gives none.
    """
    program = problem.reference_solution
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return
    rng = random.Random(f"{seed}/{problem.task_id}")  # noqa: S311 - reproducible, no secret
    singles = first_order(program, _functions(tree, problem))
    entry = _entry(tree, problem)
    calls = observed_calls(problem.reference_tests, problem.entry_point) if problem.entry_point else ()
    partial = partial_edits(program, entry, calls) if entry else []
    inverted = inverted_answers(program, entry) if entry and _yes_or_no(calls) else ()
    seen = {_shape(tree)}
    for edits in _order(singles, inverted, partial, rng):
        try:
            code = apply(program, edits)
            shape = _shape(ast.parse(code))
        except (SyntaxError, ValueError):
            continue
        if shape not in seen:
            seen.add(shape)
            yield Mutant(code, edits)


def _shape(tree: ast.Module) -> str:
    return ast.dump(tree)


def _functions(tree: ast.Module, problem: Problem) -> list[ast.stmt]:
    given = set(re.findall(r"^(?:async )?(?:def|class) (\w+)", problem.prompt, re.MULTILINE))
    given.discard(problem.entry_point or "")
    if problem.entry_point is None:
        return list(tree.body)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node for node in tree.body if isinstance(node, kinds) and node.name not in given]


def _entry(tree: ast.Module, problem: Problem) -> ast.FunctionDef | None:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == problem.entry_point:
            return node
    return None


def _yes_or_no(calls: Sequence[ObservedCall]) -> bool:
    return bool(calls) and all(isinstance(call.expected, bool) for call in calls)


def _order(
    singles: Sequence[Edit], inverted: tuple[Edit, ...], partial: Sequence[Edit], rng: random.Random
) -> Iterator[tuple[Edit, ...]]:
    """Families take turns, each shuffled; every third is partial; what may loop comes last; then pairs."""
    calm = _in_turns([edit for edit in singles if not edit.may_loop], rng, _by_family)
    looping = _in_turns([edit for edit in singles if edit.may_loop], rng, _by_family)
    early = _in_turns(partial, rng, _by_guess)
    slips, answers = deque(calm + looping), deque(early)
    turn = 0
    while slips or answers:
        for _ in range(_PARTIAL_EVERY - 1):
            if slips:
                yield (slips.popleft(),)
        if answers:
            yield (answers.popleft(),)
        turn += 1
        if turn == 1 and inverted:
            yield inverted
    everything = calm + looping + early
    for _ in range(_PAIR_ATTEMPTS if len(everything) > 1 else 0):
        yield tuple(rng.sample(everything, 2))


def _by_family(edit: Edit) -> str:
    return edit.family


def _by_guess(edit: Edit) -> str:
    """The quarter that the guessed score is nearest to; guesses of all or nothing come with "unknown"."""
    quarters = {0.25: "low", 0.5: "middle", 0.75: "high"}
    if edit.guess is None or not 0 < edit.guess < 1:
        return "unknown"
    return quarters[min(quarters, key=lambda quarter: abs(quarter - (edit.guess or 0)))]


def _in_turns(edits: Sequence[Edit], rng: random.Random, group: Callable[[Edit], str]) -> list[Edit]:
    groups: dict[str, list[Edit]] = {}
    for edit in edits:
        groups.setdefault(group(edit), []).append(edit)
    queues = [groups[name] for name in sorted(groups)]
    rng.shuffle(queues)
    for queue in queues:
        rng.shuffle(queue)
    longest = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]
