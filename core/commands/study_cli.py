"""`study` on the command line; `core.commands.study` does what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from core import terminal
from core.commands.options import Bootstrap, Json, Seed, Undefined

study = typer.Typer(no_args_is_help=True, help="Studies on runs (Scoring Verifiers).")


@study.command()
def scaling(
    run: Path,
    order: Annotated[
        Literal["first", "random"], typer.Option(help="The first tests, or means over random subsets.")
    ] = "first",
    undefined: Undefined = "nan",
    bootstrap: Bootstrap = 2000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """The metrics with 5, 10, 15 and more tests of each suite."""
    from core.commands import study as command

    terminal.show_scaling(command.scaling(run, order, undefined, bootstrap, seed), as_json=json)


@study.command()
def saturation(
    run: Path,
    draws: Annotated[int, typer.Option(min=2, help="Random draws of k tests.")] = 100,
    undefined: Undefined = "nan",
    seed: Seed = 0,
    published: Annotated[str | None, typer.Option(help="HE+ or MBPP+: the paper's numbers beside.")] = None,
    json: Json = False,
) -> None:
    """How well k random tests rank the solutions as all tests do."""
    from core.commands import study as command

    sheet = command.saturation(run, draws, undefined, seed, published)
    terminal.show_saturation(sheet, as_json=json)


@study.command()
def sizes(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...")],
    undefined: Undefined = "nan",
    json: Json = False,
) -> None:
    """Both of these, of many runs; kept for the app and `export`."""
    from core.commands import study as command

    terminal.show_sizes(command.sizes(runs, undefined), as_json=json)


@study.command()
def selection(run: Path, bootstrap: Bootstrap = 2000, seed: Seed = 0, json: Json = False) -> None:
    """How often the pick of n is right: score, majority, agreement."""
    from core.commands import study as command

    terminal.show_selection(command.selection(run, bootstrap, seed), as_json=json)


@study.command()
def family(
    run: Path,
    others: Annotated[list[Path], typer.Argument(metavar="OTHER_RUN")],
    undefined: Undefined = "nan",
    bootstrap: Bootstrap = 2000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """One verifier beside others on the same benchmark, paired.

    With one other run this is the study of solution inclusion: tests written with a solution shown,
    beside those written without.
    """
    from core.commands import study as command

    terminal.show_family(command.family(run, others, undefined, bootstrap, seed), as_json=json)
