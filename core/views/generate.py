"""The Generate page: what to ask a model for, what it will take, and what became of it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from core import jobs
from core.benchmarks.sources import read_source, source_name
from core.files import replacing
from core.jobs import JobError, JobState, job_folder
from core.llm import (
    Endpoint,
    Estimate,
    Generation,
    Kind,
    Mode,
    Prices,
    Template,
    estimate,
    failures,
    open_answers,
    plan,
    preview,
)
from core.llm.client import KEY_VARIABLES
from core.model import Benchmark, Solution
from core.words import quantity
from core.workspace import Workspace, safe_name

_FAILURES_SHOWN = 500


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What a generation is started with; the words are those of `python -m core generate`.

    Attributes:
        source: `humaneval` or a file, as `core.benchmarks.sources.read_source`.
        name: of the file of answers.
        problems: only the first so many; None for all.
    """

    generation: Generation
    source: str
    name: str = ""
    base_url: str | None = None
    problems: int | None = None
    concurrency: int = 8
    retries: int = 6
    timeout: float = 600.0
    prices: Prices = field(default_factory=Prices)


_NEXT_STEPS = {
    Kind.TESTS: "Run them on the Run page.",
    Kind.REWARDS: "They are a verifier's scores: take them over on the Run page.",
    Kind.SOLUTIONS: "Build a benchmark with them on the Benchmark page.",
    Kind.HARNESS: "Run them on the Run page, or hunt bugs with them on the Bugs page.",
    Kind.IO: "Run them on the Run page, or hunt bugs with them on the Bugs page.",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """One message of a prompt as it would be sent."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class GenerationCard:
    """A file of answers that is or was generated.

    Attributes:
        state: "running", "done", "stopped" or "failed".
        counts: how far it is and what it used, in words.
        fraction: of the requests answered; None while not known.
        message: why it failed.
        n_failed: requests without an answer.
        n_unasked: requests that were never made.
        failed: the first of them: task_id, about, sample, reason, when.
        next_step: what can be done with the answers.
    """

    name: str
    out: Path
    kind: str
    state: str
    counts: str
    fraction: float | None
    message: str
    n_failed: int
    n_unasked: int
    failed: pd.DataFrame
    next_step: str


def folder_of(workspace: Workspace, kind: Kind) -> Path:
    """Where answers of this kind are kept: where the pages that use them look."""
    return {
        Kind.TESTS: workspace.tests_dir,
        Kind.REWARDS: workspace.tests_dir,
        Kind.SOLUTIONS: workspace.solutions_dir,
        Kind.HARNESS: workspace.harnesses_dir,
        Kind.IO: workspace.harnesses_dir,
    }[kind]


def answers_file(workspace: Workspace, request: GenerateRequest) -> Path:
    """The file that the answers go to."""
    kind = request.generation.kind
    name = safe_name(request.name.strip() or f"{request.generation.model}-{kind.value}")
    return folder_of(workspace, kind) / f"{name.removesuffix('.jsonl')}.jsonl"


def read_problems(source: str) -> Benchmark:
    """The problems to ask about, with their solutions; rows that can't be used are left out."""
    found = read_source(source, lambda _: None)
    return Benchmark(source_name(source), found.problems, found.solutions)


def template_text(generation: Generation, benchmark: Benchmark) -> str:
    """Touchstone's own template for this kind of request."""
    return generation.template_for(benchmark.problems[0], _first_mode(generation)).text


def template_key(text: str) -> str:
    """What tells an editor of this template from that of another one."""
    return Template("", text).sha256[:12]


def with_template(generation: Generation, text: str) -> Generation:
    """The same with the user's own template; InputError if it is none."""
    return replace(generation, template=Template("the template", text))


def prompt_of(generation: Generation, benchmark: Benchmark, task_id: str) -> tuple[Sent, ...]:
    """The prompt filled in for a problem, and for its first solution where one is shown.

    Raises:
        InputError: the template can't be filled in.
    """
    problem = next(one for one in benchmark.problems if one.task_id == task_id)
    solutions: tuple[Solution, ...] = tuple(benchmark.solutions.get(task_id, ()))
    messages = preview(generation, problem, solutions[0] if solutions else None)
    return tuple(Sent(one["role"], one["content"]) for one in messages)


def expected(workspace: Workspace, request: GenerateRequest, benchmark: Benchmark) -> Estimate:
    """What the generation will still take, from what is answered already.

    Raises:
        InputError: the file of answers holds something else, or the benchmark lacks what is shown.
    """
    asked = Benchmark(benchmark.name, benchmark.problems[: request.problems], benchmark.solutions)
    before = open_answers(request.generation, asked, answers_file(workspace, request))
    return estimate(
        plan(asked, request.generation),
        request.generation,
        request.prices,
        known=before.known,
        so_far=before.totals,
    )


def key_in_environment() -> str:
    """The name of the variable that holds a key; "" if none does."""
    return next((name for name in KEY_VARIABLES if os.environ.get(name)), "")


def start_generation(
    workspace: Workspace, request: GenerateRequest, key: str = "", *, served: bool = False
) -> Path:
    """Start a generation as a job; returns the file of its answers.

    Args:
        workspace: the data folder.
        request: what to ask.
        key: handed to the job in its environment and written nowhere.
        served: whether others use the app: then the app's own key is not lent to the address they name.

    Raises:
        InputError: the address or the key can't be used.
        JobError: it can't be started.
    """
    endpoint = Endpoint(request.base_url, key or None, request.timeout, request.retries)
    if key or not served:
        endpoint.secret()
    out = answers_file(workspace, request)
    jobs.start(_command(workspace, request, out), job_folder(out), _environment(key, served=served))
    return out


def go_on(card: GenerationCard, key: str = "", *, only_failed: bool = False, served: bool = False) -> None:
    """Ask what has no answer yet, or only what failed; JobError if it can't be started."""
    job = jobs.read(job_folder(card.out))
    if job is None:
        raise JobError(f"{card.out}: there is no job here")
    command = [word for word in job.command if word != "--retry-failed"]
    extra = ["--retry-failed"] if only_failed else []
    jobs.start([*command, *extra], job.folder, _environment(key, served=served))


def generation_cards(workspace: Workspace) -> tuple[GenerationCard, ...]:
    """Every generation of the data folder, those that run first."""
    folders = dict.fromkeys(folder_of(workspace, kind) for kind in _NEXT_STEPS)
    found = [job for job in jobs.find(*folders) if job.command[:1] == ("generate",)]
    return tuple(map(_card, found))


def _card(job: jobs.Job) -> GenerationCard:
    out = job.folder.with_name(job.folder.name.removesuffix(".job"))
    progress, failed = job.progress, failures(out)
    words = [f"{progress.done:,} of {quantity(progress.total, 'answer')}"] if progress else ["starting"]
    running = job.state is JobState.RUNNING
    if progress and progress.message and (running or job.state is JobState.DONE):
        words.append(progress.message)
    kind = Kind(job.command[1])
    return GenerationCard(
        name=out.name.removesuffix(".jsonl"),
        out=out,
        kind=kind.value,
        state=job.state.value,
        counts=" · ".join(words),
        fraction=min(1.0, progress.done / progress.total) if progress and progress.total else None,
        message=(progress.message if progress else "") or job.log_tail
        if job.state is JobState.FAILED
        else "",
        n_failed=len(failed),
        n_unasked=max(0, progress.total - progress.done - len(failed)) if progress else 0,
        failed=pd.DataFrame(
            [
                (one.task_id, one.subject, one.sample, one.reason, one.when)
                for one in failed[:_FAILURES_SHOWN]
            ],
            columns=["task_id", "about", "sample", "reason", "when"],
        ),
        next_step=_NEXT_STEPS[kind],
    )


def _command(workspace: Workspace, request: GenerateRequest, out: Path) -> list[str]:
    generation, prices = request.generation, request.prices
    options: dict[str, object] = {
        "--benchmark": request.source,
        "--model": generation.model,
        "--out": out,
        "--base-url": request.base_url,
        "--n-tests": generation.n_tests if generation.kind in {Kind.TESTS, Kind.IO} else None,
        "--with-solution": generation.shown.value
        if generation.kind in {Kind.TESTS, Kind.HARNESS, Kind.IO}
        else None,
        "--mode": generation.mode.value if generation.kind is Kind.SOLUTIONS else None,
        "--method": generation.method.value if generation.kind is Kind.REWARDS else None,
        "--samples": generation.samples,
        "--problems": request.problems,
        "--prompt": _kept_template(workspace, generation.template) if generation.template else None,
        "--temperature": generation.temperature,
        "--top-p": generation.top_p,
        "--max-tokens": generation.max_tokens,
        "--seed": generation.seed,
        "--extra": json.dumps(dict(generation.extra)) if generation.extra else None,
        "--concurrency": request.concurrency,
        "--retries": request.retries,
        "--timeout": request.timeout,
        "--price-in": prices.prompt,
        "--price-out": prices.completion,
    }
    return ["generate", generation.kind.value, *jobs.spelled(options)]


def _kept_template(workspace: Workspace, template: Template) -> Path:
    """The template in a file named after its content, so that resumed jobs find it unchanged."""
    path = workspace.root / "prompts" / f"{template.sha256[:16]}.md"
    if not path.exists():
        with replacing(path) as beside:
            beside.write_text(template.text, encoding="utf-8")
    return path


def _environment(key: str, *, served: bool) -> Mapping[str, str]:
    """What the job's environment says about keys; the app's own stays with who runs the app."""
    if key:
        return dict.fromkeys(KEY_VARIABLES, key)
    return dict.fromkeys(KEY_VARIABLES, "") if served else {}


def _first_mode(generation: Generation) -> str:
    if generation.kind is not Kind.SOLUTIONS:
        return ""
    return Mode.CORRECT.value if generation.mode is Mode.BOTH else generation.mode.value
