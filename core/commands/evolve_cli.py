"""The commands of `python -m core evolve`, as they are spelled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from core import terminal
from core.commands.filter_options import Rules, with_rules
from core.commands.options import Backend, Json, Seed, Workers

evolve = typer.Typer(no_args_is_help=True, help="Refine test suites (EvolveCoder).")


@evolve.command("filter")
@with_rules
def evolve_filter(
    rules: Rules,
    path: Annotated[Path, typer.Argument(metavar="RUN_OR_FILE")],
    json: Json = False,
) -> None:
    """What the filters leave of each suite, and what they remove."""
    from core.commands import evolve as command
    from core.commands import rounds_table

    rounds_table.show_filtered(command.filter_suites(path, rules), as_json=json)


@evolve.command("select")
def evolve_select(
    path: Annotated[Path, typer.Argument(metavar="RUN_OR_FILE")],
    problem: Annotated[str, typer.Option(help="task_id of the problem.")],
    method: Annotated[Literal["adversarial", "discriminative"], typer.Option()],
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """The solutions of one problem that a test generator is shown."""
    from core.commands import evolve as command
    from core.commands import rounds_table

    rounds_table.show_selected(command.select(path, problem, method, seed), as_json=json)


@evolve.command("round")
@with_rules
def evolve_round(
    rules: Rules,
    path: Annotated[Path, typer.Argument(metavar="RUN_OR_FILE")],
    out: Annotated[Path, typer.Option(help="Folder of the work; round N is the run OUT-N beside it.")],
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds there shall be.")] = 3,
    model: Annotated[
        str | None, typer.Option(help="Who writes tests, as the endpoint names it; default: no model.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Of the endpoint; default: OpenAI.")] = None,
    n_tests: Annotated[int, typer.Option(min=1, max=100, help="New tests of a problem and step.")] = 20,
    attempts: Annotated[int, typer.Option(min=1, help="Without a model: inputs to try for them.")] = 100,
    max_pass: Annotated[
        float | None, typer.Option(help="Hide tests that this share of the pool passes, adversarial step.")
    ] = None,
    temperature: Annotated[float | None, typer.Option(help="Default: the endpoint's.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Longest answer, in tokens.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests under way at once.")] = 8,
    skip_failed: Annotated[
        bool, typer.Option("--skip-failed", help="Go on without the answers that could not be had.")
    ] = False,
    sandbox: Backend = "auto",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Make rounds of adversarial and discriminative tests. The same command goes on where it ended.

    A round's run holds every test; the filter at the end of a round shapes what is reported.
    """
    from core.commands import evolve as command
    from core.commands import rounds_table

    writer = command.writer_of(
        model,
        base_url=base_url,
        n_tests=n_tests,
        attempts=attempts,
        seed=rules.seed,
        temperature=temperature,
        max_tokens=max_tokens,
        concurrency=concurrency,
        skip_failed=skip_failed,
    )
    report = command.rounds(
        path, out, rounds, writer, rules, max_pass=max_pass, backend=sandbox, workers=workers
    )
    rounds_table.show_rounds(report, as_json=json)


@evolve.command("report")
@with_rules
def evolve_report(
    rules: Rules,
    paths: Annotated[list[Path], typer.Argument(metavar="RUN_OR_FILE")],
    filtered: Annotated[
        bool,
        typer.Option("--filter", help="Apply the final filter to each; else they are taken as they are."),
    ] = False,
    json: Json = False,
) -> None:
    """Rounds of refinement side by side. The first path is round 0."""
    from core.commands import evolve as command
    from core.commands import rounds_table

    rounds_table.show_rounds(command.report(paths, rules if filtered else None), as_json=json)


@evolve.command("pool")
def evolve_pool(
    source: Annotated[str, typer.Argument(help="`humaneval`, or a file of problems in any known format.")],
    out: Annotated[Path, typer.Option(help="The benchmark to write (JSONL).")],
    solutions: Annotated[
        list[Path] | None, typer.Option(help="Files of solutions, one or more models.")
    ] = None,
    json: Json = False,
) -> None:
    """Put all solutions of several models into one benchmark."""
    from core.commands import evolve as command

    terminal.show_report(command.pool(source, solutions or [], out), as_json=json)


@evolve.command("dedup")
def evolve_dedup(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Problems in any known format.")],
    out: Annotated[Path, typer.Option(help="The problems that stay (JSONL).")],
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="More similar than this is nearly the same.")
    ] = 0.9,
    embedding: Annotated[
        Literal["tfidf", "endpoint", "sentence-transformers"],
        typer.Option(help="tfidf: offline, by words; the others know meaning."),
    ] = "tfidf",
    model: Annotated[str | None, typer.Option(help="Of the endpoint, or of sentence-transformers.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Of the endpoint; default: OpenAI.")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Gather problems, and keep one of those that are nearly the same."""
    from core.commands import evolve as command
    from core.commands import rounds_table

    report = command.dedup(
        files, out, threshold=threshold, embedding=embedding, model=model, base_url=base_url, seed=seed
    )
    rounds_table.show_seeds(report, as_json=json)


@evolve.command("seeds")
def evolve_seeds(
    answers: Annotated[Path, typer.Argument(help="What `generate seeds` wrote.")],
    out: Annotated[Path, typer.Option(help="The harder problems with their tests (JSONL).")],
    min_tests: Annotated[int, typer.Option(min=1, help="Leave out problems with fewer tests.")] = 5,
    json: Json = False,
) -> None:
    """Turn a model's answers into harder problems with tests."""
    from core.commands import evolve as command

    terminal.show_report(command.refined(answers, out, min_tests), as_json=json)


@evolve.command("export")
@with_rules
def evolve_export(
    rules: Rules,
    path: Annotated[Path, typer.Argument(metavar="RUN_OR_FILE")],
    out: Annotated[Path, typer.Option(help="The file to write (JSONL).")],
    layout: Annotated[
        Literal["evolvecoder", "touchstone", "prompts"],
        typer.Option(help="id, question, tests; our tests file; or prompts for an RL trainer."),
    ] = "evolvecoder",
    json: Json = False,
) -> None:
    """Write the suites that the final filter leaves."""
    from core.commands import evolve as command

    terminal.show_report(command.export(path, out, layout, rules), as_json=json)
