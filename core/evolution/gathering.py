"""Problems of several files, by source, and what is left of them without near duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.benchmarks.sources import read_source
from core.errors import InputError
from core.evolution.embedding import Embedding, embedded
from core.evolution.seeds import Deduplication, deduplicate
from core.formats import Loaded
from core.llm import Endpoint
from core.model import Benchmark, Problem, Solution
from core.progress import OnProgress, Progress

__all__ = ["Deduplicated", "Gathered", "deduplicated", "gather"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Problems with distinct ids, the source of each, and the solutions that came with them."""

    problems: tuple[Problem, ...]
    sources: tuple[str, ...]
    solutions: dict[str, tuple[Solution, ...]]


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """What is left of problems.

    Attributes:
        label: what the similarities are, for a person.
        threshold: more similar than this counted as the same.
    """

    gathered: Gathered
    found: Deduplication
    label: str
    threshold: float
    seed: int

    def benchmark(self, name: str) -> Benchmark:
        """The problems that stay, with their solutions; `metadata["source"]` says where from."""
        kept = [self.gathered.problems[place] for place in self.found.kept]
        mine = self.gathered.solutions
        return Benchmark(name, tuple(kept), {p.task_id: mine.get(p.task_id, ()) for p in kept})

    def described(self) -> dict[str, Any]:
        """The counts, the overlap and what was dropped as plain data; a mean of nothing is NaN."""
        found, problems = self.found, self.gathered.problems
        return {
            "similarity": self.label,
            "threshold": self.threshold,
            "problems_before": len(self.gathered.problems),
            "problems_after": len(found.kept),
            "before": dict(found.before),
            "after": dict(found.after),
            "overlap": {
                source: dict(zip(found.sources, row.tolist(), strict=True))
                for source, row in zip(found.sources, found.overlap, strict=True)
            },
            "neighbours_before": _mean(found.neighbours_before),
            "neighbours_after": _mean(found.neighbours_after),
            "dropped": [
                {
                    "task_id": problems[place].task_id,
                    "like": problems[twin].task_id,
                    "similarity": float(found.similarity[place]),
                }
                for place, twin in sorted(found.twin_of.items())
            ],
        }


def gather(paths: Sequence[Path], on_loaded: Callable[[Loaded], None]) -> Gathered:
    """Read files of problems; a problem's source is what its metadata says, else its file's name.

    A task_id that two files have is given its file's name in front.

    Raises:
        InputError: a file can't be used.
    """
    problems: dict[str, Problem] = {}
    solutions: dict[str, tuple[Solution, ...]] = {}
    sources: list[str] = []
    stems = Counter(path.name.split(".")[0] for path in paths)
    for path in paths:
        found = read_source(str(path), on_loaded)
        stem = path.name.split(".")[0]
        name = stem if stems[stem] == 1 else str(path)
        for problem in found.problems:
            source = str(problem.metadata.get("source") or name)
            task_id = problem.task_id if problem.task_id not in problems else f"{name}/{problem.task_id}"
            if task_id in problems:
                raise InputError(f"{path}: the problem {problem.task_id} is there twice")
            metadata = {**problem.metadata, "source": source}
            problems[task_id] = replace(problem, task_id=task_id, metadata=metadata)
            solutions[task_id] = found.solutions.get(problem.task_id, ())
            sources.append(source)
    if not problems:
        raise InputError("no problem can be used")
    return Gathered(tuple(problems.values()), tuple(sources), solutions)


def deduplicated(
    gathered: Gathered,
    embedding: Embedding,
    threshold: float,
    *,
    model: str | None = None,
    endpoint: Endpoint | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> Deduplicated:
    """Keep one of each group of similar prompts.

    Raises:
        InputError, EndpointError: as `core.evolution.embedding.embedded`.
    """
    texts = [problem.prompt for problem in gathered.problems]
    if on_progress is not None:
        on_progress(Progress("comparing problems", 0, len(texts), "problems"))
    vectors = embedded(texts, embedding, model=model, endpoint=endpoint, on_progress=on_progress)
    found = deduplicate(gathered.sources, vectors, threshold=threshold, seed=seed)
    if on_progress is not None:
        on_progress(Progress("comparing problems", len(texts), len(texts), "problems"))
    return Deduplicated(gathered, found, embedding.label(model), threshold, seed)


def _mean(values: npt.NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
