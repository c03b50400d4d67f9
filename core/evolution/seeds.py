"""Problems of several sources without those that are nearly the same (EvolveCoder paper, section 2.1).

Of problems more similar than the threshold one is kept, by seed: the problems are taken in a random
order, and each is kept unless one that is kept already is that similar. So no two kept problems are,
and each one dropped is that similar to a kept one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neighbors import NearestNeighbors

from core.evolution.embedding import Vectors
from core.evolution.patterns import generator

__all__ = ["NEIGHBOURS", "THRESHOLD", "Deduplication", "deduplicate"]

THRESHOLD = 0.9
NEIGHBOURS = 10
_BATCH = 2048


@dataclass(frozen=True, slots=True)
class Deduplication:
    """Which problems stay.

    Attributes:
        kept: their places, ascending.
        twin_of: place of each dropped problem -> place of a kept one that it is similar to.
        similarity: of each dropped problem to that one.
        before, after: source -> problems.
        sources: in order of their first problem.
        overlap: share of the problems of a source (row) that have a similar one in another (column);
            1 on the diagonal; [sources, sources].
        neighbours_before, neighbours_after: mean similarity of each problem to its nearest ten, of the
            kept ones to their nearest ten that are kept; NaN for a problem that is alone.
    """

    kept: tuple[int, ...]
    twin_of: Mapping[int, int]
    similarity: Mapping[int, float]
    before: Mapping[str, int]
    after: Mapping[str, int]
    sources: tuple[str, ...]
    overlap: npt.NDArray[np.float64]
    neighbours_before: npt.NDArray[np.float64]
    neighbours_after: npt.NDArray[np.float64]


def deduplicate(
    sources: Sequence[str], vectors: Vectors, *, threshold: float = THRESHOLD, seed: int = 0
) -> Deduplication:
    """Keep one of each group of similar problems.

    Args:
        sources: where each problem is from.
        vectors: rows of length 1, [problems, dimensions]; their products are similarities.
        threshold: more similar than this is nearly the same.
        seed: who is kept.
    """
    n = len(sources)
    pairs = _similar(vectors, threshold)
    twin_of: dict[int, int] = {}
    similarity: dict[int, float] = {}
    kept = np.zeros(n, dtype=bool)
    for place in generator(seed, "deduplicate").permutation(n).tolist():
        near = [(value, other) for other, value in pairs[place] if kept[other]]
        if near:
            similarity[place], twin_of[place] = max(near)
        else:
            kept[place] = True
    stay = np.flatnonzero(kept)
    return Deduplication(
        tuple(stay.tolist()),
        twin_of,
        similarity,
        Counter(sources),
        Counter(sources[place] for place in stay.tolist()),
        tuple(dict.fromkeys(sources)),
        _overlap(sources, pairs),
        _neighbours(vectors),
        _neighbours(vectors[stay]),
    )


def _similar(vectors: Vectors, threshold: float) -> list[list[tuple[int, float]]]:
    """For each row the others that are more similar, with their similarity."""
    finder = NearestNeighbors(metric="cosine", algorithm="brute").fit(vectors)
    found: list[list[tuple[int, float]]] = []
    for start in range(0, vectors.shape[0], _BATCH):
        rows = vectors[start : start + _BATCH]
        distances, places = finder.radius_neighbors(rows, radius=1 - threshold)
        for offset, (row, others) in enumerate(zip(distances, places, strict=True)):
            found.append(
                [
                    (int(other), 1 - float(distance))
                    for distance, other in zip(row, others, strict=True)
                    if other != start + offset and 1 - distance > threshold
                ]
            )
    return found


def _overlap(sources: Sequence[str], pairs: Sequence[Sequence[tuple[int, Any]]]) -> npt.NDArray[np.float64]:
    names = list(dict.fromkeys(sources))
    counts = Counter(sources)
    shared = np.zeros((len(names), len(names)))
    for source, near in zip(sources, pairs, strict=True):
        for other in {sources[place] for place, _ in near}:
            shared[names.index(source), names.index(other)] += 1
    shared /= np.array([counts[name] for name in names])[:, None]
    np.fill_diagonal(shared, 1.0)
    return shared


def _neighbours(vectors: Vectors) -> npt.NDArray[np.float64]:
    n = vectors.shape[0]
    if n < 2:
        return np.full(n, np.nan)
    finder = NearestNeighbors(n_neighbors=min(NEIGHBOURS, n - 1), metric="cosine", algorithm="brute").fit(
        vectors
    )
    distances, _ = finder.kneighbors()
    means: npt.NDArray[np.float64] = 1 - distances.mean(axis=1, dtype=np.float64)
    return means
