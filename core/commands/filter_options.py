"""The options of EvolveCoder's filter, which several commands have."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from core.commands.options import Seed

__all__ = ["Rules", "with_rules"]

if TYPE_CHECKING:
    from core.evolution.filters import Rules
else:
    Rules: TypeAlias = Any  # typer evaluates annotations, and a command's modules come when it is called


def with_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the filter's options, from which it gets its parameter `rules`."""

    @wraps(command)
    def spelled(**given: Any) -> None:
        command(rules=_rules(**{name: given.pop(name) for name in options}), **given)

    options = inspect.signature(_rules, eval_str=True).parameters
    own = dict(inspect.signature(command, eval_str=True).parameters)
    del own["rules"]
    both = sorted([*own.values(), *options.values()], key=lambda one: one.default is not one.empty)
    keyword_only = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in both]
    spelled.__signature__ = inspect.Signature(keyword_only)  # type: ignore[attr-defined]
    return spelled


def _rules(
    min_pass: Annotated[float, typer.Option(help="Drop tests that fewer of the solutions pass.")] = 0.1,
    per_pattern: Annotated[int, typer.Option(min=1, help="Tests kept for each pass vector.")] = 5,
    min_tests: Annotated[int, typer.Option(min=0, help="Drop problems with fewer tests.")] = 5,
    max_perfect: Annotated[int, typer.Option(min=0, help="Drop problems with more perfect solutions.")] = 60,
    drop_wrong: Annotated[
        bool, typer.Option("--drop-wrong", help="Drop tests that the reference fails, where there is one.")
    ] = False,
    seed: Seed = 0,
) -> Rules:
    from core.evolution.commands import rules_from

    return rules_from(
        min_pass=min_pass,
        per_pattern=per_pattern,
        min_tests=min_tests,
        max_perfect=max_perfect,
        reference=drop_wrong,
        seed=seed,
    )
