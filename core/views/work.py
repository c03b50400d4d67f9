"""Jobs as they are shown, and the commands that pages start: the same ones as on the command line."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from core import jobs
from core.figures.palette import OUTCOMES
from core.jobs import JobState
from core.progress import Progress
from core.publish.manifest import EXPORT
from core.scoring import Undefined
from core.workspace import DEMO_JOB, Workspace, safe_name
from sandbox import survey

_SANDBOXED = {"demo", "build", "run", "hunt"}
"""Commands that take `--sandbox`, besides `evolve round`."""
_TELLING = 0.03
"""How much of the whole must be done before the time left is guessed."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One way to keep programs apart, on this machine.

    Attributes:
        works: whether it can run here.
        full: whether code that means harm may be run in it.
        guarantees, missing: one phrase each; `missing` says why where it does not work.
    """

    name: str
    works: bool
    full: bool
    guarantees: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobCard:
    """A job on screen.

    Attributes:
        name: its folder.
        title: what it does.
        state: "running", "done", "stopped" or "failed".
        fraction: how much is done, in [0, 1], of the whole where that is known, else of the phase; None
            while nothing is known.
        counts: how far it is, in words.
        outcomes: (letter, name, cells) so far.
        resumable: whether the same command goes on from where it ended.
        log: end of its log.
    """

    name: str
    folder: Path
    title: str
    state: str
    fraction: float | None
    counts: str
    outcomes: tuple[tuple[str, str, int], ...]
    message: str
    resumable: bool
    log: str


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is started with; the words are those of `python -m core run`."""

    benchmark: Path
    tests: Path
    name: str
    backend: str = "auto"
    timeout: float = 3.0
    memory_mb: int = 1024
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class HuntRequest:
    """What a hunt is started with; the words are those of `python -m core hunt`.

    Attributes:
        answers: a file's path, or "offline".
    """

    pairs: Path
    answers: str
    kind: str
    name: str
    first: int | None = None
    repeat: int = 1
    seed: int = 42
    backend: str = "auto"


def backends() -> tuple[Backend, ...]:
    """Every backend as it is on this machine; tries each, which takes a moment."""
    return tuple(
        Backend(row.backend, bool(row.guarantees), row.full, row.guarantees, row.missing) for row in survey()
    )


def job_cards(workspace: Workspace) -> tuple[JobCard, ...]:
    """Every job that is running, was stopped or failed; those that run first.

    Generations are not among them: going on with one needs a key, which the Generate page asks for.
    """
    found = [job for job in jobs.find(*workspace.job_parents) if job.command[:1] != ("generate",)]
    return tuple(_card(job) for job in found if job.state is not JobState.DONE)


def finished_jobs(workspace: Workspace) -> frozenset[str]:
    """Names of the jobs that ended well; of an export, which keeps no job's files, with its time."""
    done = {job.folder.name for job in jobs.find(*workspace.job_parents) if job.state is JobState.DONE}
    made = {
        f"{path.parent.name} {path.stat().st_mtime_ns}" for path in workspace.exports_dir.glob(f"*/{EXPORT}")
    }
    return frozenset(done | made)


def start_demo(workspace: Workspace, problems: int, backend: str = "auto") -> str:
    """Start building the demo; returns the job's name. JobError if it is being built already."""
    command = ["demo", "--out", str(workspace.root), "--problems", str(problems), "--sandbox", backend]
    return jobs.start(command, workspace.run_dir(DEMO_JOB)).folder.name


def demo_is_building(workspace: Workspace) -> bool:
    """Whether the demo's job is running."""
    job = jobs.read(workspace.run_dir(DEMO_JOB))
    return job is not None and job.state is JobState.RUNNING


def start_run(workspace: Workspace, request: RunRequest) -> str:
    """Start a run in a new folder; returns the run's name. JobError if it can't be started."""
    folder = _free_folder(workspace, request.name)
    options = {
        "--benchmark": request.benchmark,
        "--tests": request.tests,
        "--out": folder,
        "--name": request.name,
        "--sandbox": request.backend,
        "--timeout": f"{request.timeout:g}",
        "--memory-mb": request.memory_mb,
        "--workers": request.workers,
    }
    return jobs.start(["run", *jobs.spelled(options)], folder).folder.name


def start_hunt(workspace: Workspace, request: HuntRequest) -> str:
    """Start a hunt in a new folder; returns its name. JobError if it can't be started."""
    folder = _free_folder(workspace, request.name)
    options = {
        "--pairs": request.pairs,
        "--answers": request.answers,
        "--kind": request.kind,
        "--out": folder,
        "--repeat": request.repeat,
        "--seed": request.seed,
        "--sandbox": request.backend,
        "--first": request.first,
    }
    return jobs.start(["hunt", *jobs.spelled(options)], folder).folder.name


def start_asking(workspace: Workspace, hunt: str, model: str, base_url: str, key: str) -> str:
    """Start asking a model about a hunt's strategies; JobError if that is under way already."""
    options = jobs.spelled({"--model": model, "--base-url": base_url or None})
    command = ["bugs", "ask", str(workspace.run_dir(hunt)), *options]
    environment = {"TOUCHSTONE_API_KEY": key} if key else {}
    return jobs.start(command, workspace.run_dir(f"{hunt}-strategies"), environment).folder.name


def start_study(runs: Sequence[Path], undefined: Undefined) -> str:
    """Start studying the suite size of runs; JobError if that is under way already."""
    command = ["study", "sizes", *map(str, runs), "--undefined", undefined]
    return jobs.start(command, jobs.study_folder(runs[0])).folder.name


def backend_of(card: JobCard) -> str:
    """The backend that a job's command asks for."""
    job = jobs.read(card.folder)
    return _option(job, "--sandbox", "auto") if job else "auto"


def resume(card: JobCard, backend: str | None = None) -> None:
    """Go on with a stopped or failed job; JobError if it can't be started.

    Args:
        card: the job.
        backend: where it has to run, in an app that others can reach; None for where it ran. There a job
            that asks a model is not resumed: its key was kept nowhere, and the app's own would go to
            whatever endpoint a visitor named.
    """
    job = jobs.read(card.folder)
    if job is None:
        raise jobs.JobError(f"{card.folder}: there is no job here")
    if backend is not None and "--model" in job.command:
        raise jobs.JobError("its key was kept nowhere: go on with it on the machine itself, by its command")
    extra = ["--resume"] if job.command[0] == "run" and "--resume" not in job.command else []
    runs_programs = job.command[0] in _SANDBOXED or job.command[:2] == ("evolve", "round")
    if backend is not None and runs_programs and _option(job, "--sandbox", "auto") != backend:
        extra += ["--sandbox", backend]
    jobs.start([*job.command, *extra], card.folder)


def stop_folder(out: Path) -> None:
    """Ask the job that writes this file to stop; what it finished is kept."""
    jobs.stop(jobs.job_folder(out))


def stop(card: JobCard) -> None:
    """Ask a job to stop; what it finished is kept."""
    jobs.stop(card.folder)


def duration(seconds: float) -> str:
    """A time span in words: "12 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _card(job: jobs.Job) -> JobCard:
    progress = job.progress
    return JobCard(
        name=job.folder.name,
        folder=job.folder,
        title=_title(job),
        state=job.state.value,
        fraction=_fraction(progress),
        counts=_counts(job),
        outcomes=_outcomes(progress.outcomes if progress else {}),
        message=progress.message if progress else "",
        resumable=job.state is not JobState.RUNNING,
        log=job.log_tail,
    )


def _fraction(progress: Progress | None) -> float | None:
    if progress is None:
        return None
    if progress.overall is not None:
        return min(1.0, progress.overall)
    return min(1.0, progress.done / progress.total) if progress.total else None


def _seconds_left(job: jobs.Job, progress: Progress) -> float | None:
    """Time to the end of the whole, or of the phase where no more is known."""
    if progress.overall is None:
        return progress.seconds_left
    if progress.overall < _TELLING:
        return None
    return (time.time() - job.started) * (1 - progress.overall) / progress.overall


def _title(job: jobs.Job) -> str:
    written = job.folder.name.removesuffix(".job").removesuffix(".jsonl")
    match job.command[:2]:
        case ("demo", *_):
            return "Building the demo"
        case ("build", *_):
            return f"Building {written}"
        case ("fetch", *_):
            return f"Fetching {written}"
        case ("evolve", "round"):
            return f"Evolving {Path(job.command[2]).name} · {_option(job, '--rounds', '3')} rounds"
        case ("export", *_):
            return f"Exporting {job.folder.name}"
        case ("hunt", *_):
            return f"Hunting bugs: {job.folder.name}"
        case ("study", *_):
            runs = list(takewhile(lambda word: not word.startswith("-"), job.command[2:]))
            others = f" and {len(runs) - 1} more" if len(runs) > 1 else ""
            return f"Studying suite size: {job.folder.name.removesuffix('.study')}{others}"
        case ("bugs", *_):
            return f"Asking {_option(job, '--model', 'a model')} about strategies"
        case _:
            return f"Running {_option(job, '--name', job.folder.name)}"


def _counts(job: jobs.Job) -> str:
    progress = job.progress
    if progress is None:
        return "starting"
    words = [progress.phase]
    if progress.total:
        words.append(f"{progress.done:,} of {progress.total:,} {progress.unit}")
    if progress.cached:
        words.append(f"{progress.cached:,} known before")
    if progress.per_second and job.state is JobState.RUNNING:
        words.append(f"{progress.per_second:,.0f} {progress.unit}/s")
    left = _seconds_left(job, progress)
    if left is not None and job.state is JobState.RUNNING:
        words.append(
            f"{duration(left)} left" if progress.overall is None else f"about {duration(left)} left in all"
        )
    return " · ".join(words)


def _outcomes(counts: Mapping[str, int]) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (letter, style.name, counts[letter]) for letter, style in OUTCOMES.items() if counts.get(letter)
    )


def _option(job: jobs.Job, name: str, default: str) -> str:
    command = job.command
    return command[command.index(name) + 1] if name in command[:-1] else default


def _free_folder(workspace: Workspace, name: str) -> Path:
    stem = safe_name(name)
    taken = {path.name for path in workspace.runs_dir.glob("*")}
    number = next(n for n in range(1, 10_000) if f"{stem}-{n}" not in taken)
    return workspace.run_dir(f"{stem}-{number}")
