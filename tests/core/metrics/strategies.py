"""Benchmarks to draw from: ragged problems with many ties, constant sides and missing scores."""

import numpy as np
from hypothesis import strategies as st

TIED = st.integers(0, 4).map(lambda k: k / 4)
FINE = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: x + 0.0)


@st.composite
def benchmarks(draw, *, missing=True, score=TIED | FINE, max_problems=6, max_solutions=8):
    """(problem, score, reference_score) with rows in shuffled order."""
    sizes = draw(st.lists(st.integers(1, max_solutions), min_size=1, max_size=max_problems))
    n = sum(sizes)
    cell = st.just(float("nan")) | score if missing else score
    given = draw(st.lists(cell, min_size=n, max_size=n))
    reference = draw(st.lists(TIED, min_size=n, max_size=n))
    order = draw(st.permutations(range(n)))
    problem = np.repeat(np.arange(len(sizes)), sizes)
    return problem[order], np.array(given)[order], np.array(reference)[order]
