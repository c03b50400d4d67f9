"""Seeds on the Evolve page: problems of several sources, and what is left without near duplicates."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from core.evolution.embedding import Embedding
from core.evolution.gathering import Deduplicated, deduplicated, gather
from core.figures import Basis, Heatmap, Histogram
from core.figures.build import histogram
from core.formats.touchstone import write_benchmark
from core.llm import Endpoint

__all__ = ["find_seeds", "kept_jsonl", "neighbour_chart", "overlap_chart", "source_table", "twin_table"]


def find_seeds(
    paths: Sequence[Path],
    embedding: Embedding,
    threshold: float,
    *,
    model: str = "",
    base_url: str = "",
    api_key: str = "",
    seed: int = 0,
) -> tuple[Deduplicated, tuple[str, ...]]:
    """Gather problems and keep one of those that are nearly the same; with the rows that can't be used.

    Raises:
        InputError, EndpointError: a file, the model or the endpoint can't be used.
    """
    notes: list[str] = []
    gathered = gather(paths, lambda loaded: notes.extend(map(str, loaded.errors)))
    endpoint = Endpoint(base_url or None, api_key or None)
    found = deduplicated(gathered, embedding, threshold, model=model or None, endpoint=endpoint, seed=seed)
    return found, tuple(notes)


def source_table(found: Deduplicated) -> pd.DataFrame:
    """A row a source: source, before, after, share (percent kept), as the paper's Table 1."""
    counts = found.found
    rows = [
        {
            "source": name,
            "before": counts.before[name],
            "after": counts.after.get(name, 0),
            "share": 100 * counts.after.get(name, 0) / counts.before[name],
        }
        for name in counts.sources
    ]
    return pd.DataFrame(rows)


def twin_table(found: Deduplicated) -> pd.DataFrame:
    """A row a dropped problem, the most similar first: dropped, kept, similarity."""
    problems = found.gathered.problems
    rows = [
        {
            "dropped": problems[place].task_id,
            "kept": problems[other].task_id,
            "similarity": found.found.similarity[place],
            "dropped_text": problems[place].prompt.strip(),
            "kept_text": problems[other].prompt.strip(),
        }
        for place, other in found.found.twin_of.items()
    ]
    columns = ["dropped", "kept", "similarity", "dropped_text", "kept_text"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values("similarity", ascending=False, kind="stable").reset_index(drop=True)


def overlap_chart(found: Deduplicated) -> Heatmap:
    """What share of a source's problems has a near duplicate in another (paper, figure 1)."""
    counts = found.found
    shares = tuple(tuple(100 * value for value in row) for row in counts.overlap.tolist())
    return Heatmap(
        title="Overlap between sources",
        x_label="Has a near duplicate in",
        y_label="Problems of",
        alt=f"Share of each source's problems that have a near duplicate in another; {found.label}.",
        basis=Basis(n=len(found.gathered.problems), interval=f"{found.label}, above {found.threshold:g}"),
        rows=counts.sources,
        columns=counts.sources,
        values=shares,
        value_label="Share of problems, %",
        low=0.0,
        high=100.0,
        annotate=True,
    )


def neighbour_chart(found: Deduplicated) -> Histogram:
    """Mean similarity of each problem to its ten nearest, before and after (paper, figure 2)."""
    counts = found.found
    chart = histogram(
        {"before": counts.neighbours_before, "after": counts.neighbours_after},
        bins=[i / 20 for i in range(21)],
        unit="problems",
        title="Similarity to the ten nearest problems",
        x_label="Mean similarity",
        y_label="Problems",
        alt=f"Each problem's mean similarity to its ten nearest, before and after; {found.label}.",
    )
    return replace(chart, basis=Basis(n=len(found.gathered.problems), interval=found.label))


def kept_jsonl(found: Deduplicated) -> str:
    """The problems that stay, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seeds.jsonl"
        write_benchmark(found.benchmark("seeds"), path)
        return path.read_text(encoding="utf-8")
