"""The command line: `python -m core`.

Each command reads its arguments, calls one function of `core.commands` and prints what came back:
results on stdout (JSON with `--json`), progress and messages on stderr. It imports what it
calls: `--help` and light commands don't wait for the libraries of heavy ones.
Exit status: 0 done, 2 bad input or usage, 1 anything else.
"""

from __future__ import annotations

import dataclasses
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NoReturn

if __name__ == "__main__":  # until a command's own work begins, which sees to it that it can be stopped
    signal.signal(signal.SIGINT, lambda *_: sys.exit("stopped before any work was begun"))

try:
    import typer
except ModuleNotFoundError:
    sys.exit(
        f"touchstone: {sys.executable} lacks the libraries that this needs: `make run` or `make test` puts "
        "them into .venv; then: .venv/bin/python -m core ..."
    )

from core import terminal
from core.commands.bugs_cli import bugs
from core.commands.evolve_cli import evolve
from core.commands.options import FILE, Backend, Bootstrap, Cluster, Json, Seed, Undefined, Workers
from core.commands.study_cli import study
from core.commands.usage import Commands
from core.errors import InputError, TouchstoneError, message
from sandbox.contract import Limits, SandboxError, SandboxUnavailableError

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Touchstone: can this verifier of code be trusted?",
)


@app.command()
def demo(
    out: Annotated[Path | None, typer.Option(help="Data folder; default: the app's own.")] = None,
    problems: Annotated[int, typer.Option(min=1, max=164, help="How many of HumanEval's problems.")] = 164,
    workers: Workers = None,
    seed: Seed = 0,
    sandbox: Backend = "auto",
    background: Annotated[
        bool, typer.Option("--background", help="Start it as a job of the app, if the data folder is empty.")
    ] = False,
    json: Json = False,
) -> None:
    """Build the demo: HumanEval with mutants, and four verifiers."""
    from core.commands import demo as command

    if background:
        terminal.say(command.start_demo(out, problems))
        return
    built = command.demo(out, problems, workers, seed, sandbox)
    terminal.show_scores(built.scores, as_json=json)
    for line in built.next_steps:
        terminal.say(line)


@app.command()
def check(
    file: Path,
    benchmark: Annotated[
        Path | None, typer.Option(help="Also check that its task_ids exist here.", **FILE)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every row, not each reason once.")] = False,
    json: Json = False,
) -> None:
    """Say what a file is, and which rows are wrong and why."""
    from core.commands import check as command

    report = command.check(file, benchmark)
    terminal.show_check(report, command.wrong_rows(report, everything=everything), as_json=json)
    if report.errors or not report.usable:
        raise typer.Exit(2)


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="owner/name[:part] of a data set of the Hugging Face hub.")],
    out: Annotated[Path | None, typer.Option(help="Data folder; default: the app's own.")] = None,
    json: Json = False,
) -> None:
    """Download a data set of the hub. A scored one is a benchmark at once."""
    from core.commands import fetch as command

    terminal.show_report(command.fetch(name, out), as_json=json)


@app.command()
def build(
    source: Annotated[
        str,
        typer.Argument(
            help="`humaneval`, a file or folder of problems, or hub:owner/name[:part] of the hub."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The benchmark to write (JSONL).")],
    solutions: Annotated[
        list[Path] | None, typer.Option(help="Files of candidate solutions.", **FILE)
    ] = None,
    mutants: Annotated[int, typer.Option(min=0, help="Mutants of the reference per problem.")] = 0,
    more_tests: Annotated[
        int, typer.Option(min=0, help="Tests to add per problem: varied inputs, the reference as oracle.")
    ] = 0,
    k: Annotated[int, typer.Option(min=2, help="Solutions to keep per problem.")] = 5,
    seed: Seed = 0,
    sandbox: Backend = "auto",
    workers: Workers = None,
    timeout: Annotated[float, typer.Option(min=0.05, max=3600, help="Seconds per test.")] = 3.0,
    json: Json = False,
) -> None:
    """Turn problems into a benchmark (recipe of Scoring Verifiers)."""
    from core.commands import build as command

    report = command.build(
        source,
        out,
        solution_files=solutions or [],
        mutants=mutants,
        more_tests=more_tests,
        k=k,
        seed=seed,
        backend=sandbox,
        workers=workers,
        limits=Limits(seconds=timeout, seed=seed),
    )
    terminal.show_build(report, as_json=json)


@app.command()
def run(
    benchmark: Annotated[Path, typer.Option(help="Benchmark with scored solutions.", **FILE)],
    tests: Annotated[
        Path, typer.Option(help="The verifier's tests or harnesses (JSONL), or a hunt.", exists=True)
    ],
    out: Annotated[Path, typer.Option(help="Folder of the run.")],
    name: Annotated[
        str | None, typer.Option(help="The verifier's name; default: that of the tests file.")
    ] = None,
    sandbox: Backend = "auto",
    workers: Workers = None,
    cluster: Cluster = None,
    timeout: Annotated[float, typer.Option(min=0.05, max=3600, help="Seconds per test.")] = 3.0,
    timeout_factor: Annotated[
        float | None, typer.Option(min=1.0, help="Limit each test to X times what the reference takes on it.")
    ] = None,
    memory_mb: Annotated[int, typer.Option(min=64, help="Memory per program, MiB.")] = 1024,
    repeat: Annotated[int, typer.Option(min=1, help="Run each cell N times to find flaky ones.")] = 1,
    seed: Seed = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished run in OUT.")] = False,
    json: Json = False,
) -> None:
    """Run a verifier's tests on every solution of a benchmark."""
    from core.commands import run as command

    sheet = command.run(
        benchmark,
        tests,
        out,
        name=name,
        backend=sandbox,
        workers=workers,
        cluster=cluster,
        limits=Limits(seconds=timeout, memory_mb=memory_mb, seed=seed),
        timeout_factor=timeout_factor,
        repeat=repeat,
        resume=resume,
    )
    terminal.show_scores(sheet, as_json=json)


@app.command()
def score(
    paths: Annotated[list[Path], typer.Argument(metavar="RUN_OR_FLAT_FILE")],
    method: Annotated[
        Literal["tests", "reward"] | None,
        typer.Option(help="What the scores are; default: as the file says."),
    ] = None,
    undefined: Undefined = "nan",
    bootstrap: Bootstrap = 2000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure runs or Scoring-Verifiers files: Top-1 to R2."""
    from core.commands import score as command

    terminal.show_scores(command.score(paths, method, undefined, bootstrap, seed), as_json=json)


@app.command()
def show(
    run: Path,
    problem: Annotated[
        str | None,
        typer.Option(help="task_id of the problem; without it problems are listed, the worst first."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List all problems.")] = False,
    json: Json = False,
) -> None:
    """List a run's problems, or show one's pass matrix."""
    from core.commands import problem_table
    from core.commands import show as command

    if problem is None:
        sheet = command.problems(run)
        problem_table.show_problems(sheet, str(run), everything=everything, as_json=json)
    elif json:
        terminal.print_json(command.show(run, problem))
    else:
        problem_table.show_problem(command.show(run, problem), command.reading(run, problem))


@app.command()
def generate(
    kind: Annotated[Literal["tests", "solutions", "rewards", "harness", "io", "seeds"], typer.Argument()],
    benchmark: Annotated[str, typer.Option(help="`humaneval`, or a file of problems or of a benchmark.")],
    model: Annotated[str, typer.Option(help="The endpoint's name for the model.")],
    out: Annotated[Path, typer.Option(help="File of answers (JSONL); what it holds is not asked again.")],
    base_url: Annotated[
        str | None, typer.Option(help="As http://localhost:8000/v1; default: OpenAI.")
    ] = None,
    n_tests: Annotated[
        int | None, typer.Option(min=1, max=100, help="How many in an answer; default: 10; io, seeds: 20.")
    ] = None,
    with_solution: Annotated[
        Literal["none", "reference", "best", "worst", "random", "each"] | None,
        typer.Option(
            help="Which solution is shown; default: tests none, harness and io each, seeds the reference."
        ),
    ] = None,
    mode: Annotated[
        Literal["correct", "partial", "both"],
        typer.Option(help="solutions: right ones, or partly wrong ones."),
    ] = "correct",
    method: Annotated[
        Literal["chat", "judge", "classify", "score", "pooling"],
        typer.Option(help="rewards: an answer `reward:x`, a judge's probability, or vLLM's endpoint."),
    ] = "chat",
    samples: Annotated[int, typer.Option(min=1, help="Answers to each prompt.")] = 1,
    problems: Annotated[int | None, typer.Option(min=1, help="Only the first N problems.")] = None,
    prompt: Annotated[Path | None, typer.Option(help="Your own template (assets/prompts has ours).")] = None,
    temperature: Annotated[float | None, typer.Option(help="Default: the endpoint's.")] = None,
    top_p: Annotated[float | None, typer.Option(help="Default: the endpoint's.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Longest answer, in tokens.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the first sample; sent to the endpoint.")] = None,
    extra: Annotated[str | None, typer.Option(help="Further fields of the request, a JSON object.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests under way at once.")] = 8,
    retries: Annotated[int, typer.Option(min=0, help="Further tries of a request.")] = 6,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds without an answer.")] = 600.0,
    price_in: Annotated[float | None, typer.Option(help="Price of a million tokens of prompts.")] = None,
    price_out: Annotated[float | None, typer.Option(help="Price of a million tokens of answers.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask only what failed.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Estimate, show one prompt, ask nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Ask a model for tests, solutions, rewards or harnesses.

    The key is taken from TOUCHSTONE_API_KEY or OPENAI_API_KEY.
    """
    from core.commands import generate as command
    from core.llm import Endpoint, Method, Mode, Prices

    generation = command.generation_of(
        kind,
        shown=with_solution,
        prompt=prompt,
        extra=extra,
        model=model,
        samples=samples,
        n_tests=n_tests,
        mode=Mode(mode),
        method=Method(method),
        temperature=temperature,
        top_p=top_p,
        max_tokens=max_tokens,
        seed=seed,
    )
    sheet = command.run(
        command.benchmark_of(benchmark, problems),
        generation,
        Endpoint(base_url, timeout=timeout, retries=retries),
        out,
        prices=Prices(price_in, price_out),
        concurrency=concurrency,
        retry_failed=retry_failed,
        dry_run=dry_run,
    )
    if dry_run:
        terminal.show_estimate(sheet, as_json=json)
        return
    terminal.show_report(sheet, as_json=json)
    if sheet["failed"]:
        raise typer.Exit(1)


app.add_typer(study, name="study")


app.add_typer(evolve, name="evolve")


@app.command()
def hunt(
    pairs: Annotated[Path, typer.Option(help="Pairs of a good and a buggy program, or a benchmark.")],
    answers: Annotated[str, typer.Option(help="File of answers, or `offline` for some that need no model.")],
    kind: Annotated[Literal["harness", "io"], typer.Option(help="What the answers are.")],
    out: Annotated[Path, typer.Option(help="Folder of the hunt, new or to go on with.")],
    first: Annotated[
        int | None, typer.Option(min=1, help="Count only the first K inputs of an answer.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Run each generator N times, with other seeds.")] = 1,
    seed: Seed = 42,
    format_reward: Annotated[
        float, typer.Option(help="Reward of a format error; the released trainer gives -1.")
    ] = 0.0,
    sandbox: Backend = "auto",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Find which answers expose a program's bug (HarnessLLM)."""
    from core.commands import hunt as command
    from core.commands import hunt_table
    from core.commands.bugs import answers as answers_of

    report = command.hunt(
        pairs,
        answers,
        out,
        kind=kind,
        first=first,
        repeat=repeat,
        seed=seed,
        format_reward=format_reward,
        backend=sandbox,
        workers=workers,
    )
    hunt_table.show_hunt(report.result, report.intervals, report.exact, as_json=json)
    if not json:
        hunt_table.show_answers(answers_of(out), everything=False, as_json=False)


app.add_typer(bugs, name="bugs")


@app.command()
def export(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN", help="Folders of finished runs and hunts, and tables (CSV) for other figures."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    venue: Annotated[
        str,
        typer.Option(help="neurips, iclr, icml, icml-wide, aaai, acl, ..., or a size: 4.5in or 11cm,8pt."),
    ] = "neurips",
    formats: Annotated[
        str, typer.Option(help="Of pdf, svg, png, csv, tex, html, md, jsonl, parquet, zip.")
    ] = "pdf,svg,png,csv,tex,html",
    figures: Annotated[str, typer.Option(help="Only these figures, by the names of their files.")] = "",
    published: Annotated[
        str, typer.Option(help="Published results beside: HE-R, HE-R+, MBPP-R or MBPP-R+.")
    ] = "",
    intervals: Annotated[bool, typer.Option(help="Print the intervals in tables.")] = True,
    undefined: Undefined = "nan",
    json: Json = False,
) -> None:
    """Make figures, tables and a report for a paper. Nothing is run again."""
    from core.commands import export as command
    from core.publish.options import Options

    options = Options(
        venue=venue,
        formats=_listed(formats),
        figures=_listed(figures),
        published=published,
        intervals=intervals,
    )
    terminal.show_export(command.export(runs, out, options, undefined), as_json=json)


@app.command()
def sandboxes(json: Json = False) -> None:
    """Say which sandboxes work here and what each guarantees."""
    from sandbox import survey

    terminal.show_sandboxes([dataclasses.asdict(row) for row in survey()], as_json=json)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave with its exit status."""
    arguments = _spread(list(sys.argv[1:] if argv is None else argv), "--solutions")
    try:
        app(arguments, prog_name="python -m core")
    except (InputError, SandboxUnavailableError) as error:
        terminal.complain(str(error))
        sys.exit(2)
    except (TouchstoneError, SandboxError, OSError) as error:
        terminal.complain(message(error))
        sys.exit(1)
    sys.exit(0)


def _listed(text: str) -> tuple[str, ...]:
    """The parts of a list with commas."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _spread(arguments: list[str], option: str) -> list[str]:
    """`--solutions a b` as `--solutions a --solutions b`: the parser knows only the second form."""
    spread: list[str] = []
    following = False
    for argument in arguments:
        if argument.startswith("-"):
            following = argument == option
            if following:
                continue
        spread += [option, argument] if following else [argument]
    return spread


if __name__ == "__main__":
    main()
