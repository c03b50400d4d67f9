"""How the commands on hunts are spelled; `core.commands.bugs` does them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from core import terminal
from core.commands import hunt_table
from core.commands.options import Json, Seed

__all__ = ["bugs"]

Hunt: TypeAlias = Annotated[Path, typer.Argument(metavar="HUNT")]

bugs = typer.Typer(no_args_is_help=True, help="What a hunt's answers are worth and good for (HarnessLLM).")


@bugs.command()
def answers(hunt: Hunt, json: Json = False) -> None:
    """What became of each answer about each pair."""
    from core.commands import bugs as command

    hunt_table.show_answers(command.answers(hunt), everything=True, as_json=json)


@bugs.command()
def tables(
    hunt: Hunt,
    against: Annotated[Path | None, typer.Option(help="Another hunt on the same pairs.")] = None,
    by: Annotated[str | None, typer.Option(help="Key of the pairs' metadata to group them by.")] = None,
    json: Json = False,
) -> None:
    """Rates by first k inputs, repeats and groups; two hunts compared."""
    from core.commands import bugs as command

    hunt_table.show_hunt_tables(command.tables(hunt, against, by), as_json=json)


@bugs.command()
def best(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN")],
    n: Annotated[int, typer.Option(min=1, help="Programs to choose from.")] = 8,
    json: Json = False,
) -> None:
    """The best of n programs by a run's scores, against one at random."""
    from core.commands import bugs as command

    hunt_table.show_best(command.best(runs, n), as_json=json)


@bugs.command()
def sft(
    hunt: Hunt,
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    prompt: Annotated[
        Path | None, typer.Option(help="The template that the answers were asked with.")
    ] = None,
    most: Annotated[int | None, typer.Option(min=1, help="At most so many answers of one pair.")] = None,
    json: Json = False,
) -> None:
    """Write the true bugs as chat examples (rejection sampling)."""
    from core.commands import bugs as command

    terminal.show_report(command.sft(hunt, out, prompt, most), as_json=json)


@bugs.command()
def ask(
    hunt: Hunt,
    model: Annotated[str, typer.Option(help="The endpoint's name for the model.")],
    base_url: Annotated[str | None, typer.Option(help="Up to and with /v1.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests at once.")] = 8,
    json: Json = False,
) -> None:
    """Ask a model about the strategies of each harness. Its word is compared with the syntax tree."""
    from core.commands import bugs as command
    from core.llm.client import Endpoint

    hunt_table.show_asked(command.ask(hunt, model, Endpoint(base_url), concurrency), as_json=json)


@bugs.command()
def pairs(
    benchmark: Path,
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    json: Json = False,
) -> None:
    """Write the pairs of good and buggy programs of a benchmark."""
    from core.commands import bugs as command

    terminal.show_report(command.pairs(benchmark, out), as_json=json)


@bugs.command()
def offline(
    benchmark: Path,
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    kind: Annotated[Literal["harness", "io"], typer.Option(help="What the answers are.")] = "harness",
    seed: Seed = 42,
    json: Json = False,
) -> None:
    """Write answers without a model, for `run --tests`."""
    from core.commands import bugs as command

    terminal.show_report(command.offline(benchmark, kind, seed, out), as_json=json)
