from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from core.evolution.patterns import Outcomes, generator, hamming, patterns
from core.evolution.selection import (
    Method,
    Role,
    adversarial,
    discriminative,
    farthest_triple,
    select,
    splits,
)
from tests.core.evolution.trials import cells, trial

matrices = arrays(
    np.uint8,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9),
    elements=st.sampled_from([0, 0, 1, 2, 7]),
)
triples = st.integers(3, 9).flatmap(lambda n: arrays(np.int32, (n, n), elements=st.integers(0, 5)))


def test_best_two_and_the_three_farthest_apart() -> None:
    """Of the middle the triple with the largest smallest distance is chosen, not one with a larger sum."""
    outcomes = cells(
        "PPPPPPPPPP",  # best
        "PPPPPPPPPF",  # best
        "PPPPPFFFFF",  # 0.5
        "FFFFFPPPPP",  # 0.5, at distance 10 from the one before
        "PPPPPFFFFE",  # identical with row 2
        "PPFFFPPFFP",  # 0.5, at distance 6 from row 2 and 4 from row 3
        "PFFFFFFFFF",  # 0.1, not in the middle
    )
    assert adversarial(outcomes, generator(0)) == {
        0: Role.BEST,
        1: Role.BEST,
        2: Role.DIVERSE,
        3: Role.DIVERSE,
        5: Role.DIVERSE,
    }


def test_middle_includes_its_lower_end_only() -> None:
    """A rate of 0.4 is in the middle, one of 0.9 is not."""
    outcomes = cells(
        "PPPPPPPPPP", "PPPPPPPPPP", "PPPPPPPPPF", "PPPPFFFFFF", "FFPPPPFFFF", "FFFFPPPPFF"
    )  # fmt: skip
    assert sorted(adversarial(outcomes, generator(0))) == [0, 1, 3, 4, 5]


def test_too_few_in_the_middle_draws_from_all_above_a_tenth() -> None:
    """With two in the middle, three of all others above 0.1 are drawn, never one at 0.1."""
    outcomes = cells("P" * 10, "P" * 10, "P" * 10, "P" * 9 + "F", "PPPPPFFFFF", "PPPPPPFFFF", "P" + "F" * 9)
    drawn = [frozenset(adversarial(outcomes, generator(seed))) for seed in range(40)]
    assert all({0, 1} < rows and 6 not in rows and len(rows) == 5 for rows in drawn)
    assert len(set(drawn)) == 4


def test_ties_for_best_go_to_the_first() -> None:
    """Of equally good solutions the first two are the best."""
    roles = adversarial(cells("PF", "PP", "PP", "PP"), generator(0))
    assert [row for row, role in roles.items() if role is Role.BEST] == [1, 2]


def test_a_small_pool_gives_what_there_is() -> None:
    """A pool of three gives three solutions, one where nothing is known gives none."""
    assert sorted(adversarial(cells("PP", "PF", "PF"), generator(0))) == [0, 1, 2]
    assert adversarial(cells("II", "II"), generator(0)) == {}


@given(triples)
def test_triple_search_agrees_with_brute_force(
    raw: "np.ndarray[tuple[int, int], np.dtype[np.int32]]",
) -> None:
    """The triple is the first, in order, of those best by (minimum, sum)."""
    distances = np.triu(raw, 1) + np.triu(raw, 1).T

    def score(rows: tuple[int, int, int]) -> tuple[int, int]:
        three = [int(distances[a, b]) for a, b in combinations(rows, 2)]
        return min(three), sum(three)

    assert farthest_triple(distances) == max(combinations(range(len(distances)), 3), key=score)


def test_a_group_of_five_or_more_gives_five_of_it() -> None:
    """Five of a large group of identical solutions are shown, and nobody else."""
    chosen = discriminative(cells("PF", "PF", "PE", "PF", "PT", "PF", "FF"), generator(3))
    assert len(chosen) == 5
    assert 6 not in chosen
    assert set(chosen.values()) == {Role.SAME}


def test_a_small_group_is_filled_with_the_nearest() -> None:
    """A pair is shown whole, with the three solutions nearest to it."""
    outcomes = cells("PPPP", "PPPP", "PPPF", "PPFF", "PFFF", "FFFF")
    assert discriminative(outcomes, generator(0)) == {
        0: Role.SAME,
        1: Role.SAME,
        2: Role.NEAR,
        3: Role.NEAR,
        4: Role.NEAR,
    }


def test_groups_are_drawn_by_size() -> None:
    """A group of six is drawn about three times as often as a pair."""
    outcomes = cells(*["PPPPPP"] * 6, *["FFFFFF"] * 2, "PFFFFF", "PPFFFF", "PPPFFF")
    large = sum(0 in discriminative(outcomes, generator(seed)) for seed in range(400))
    assert 250 < large < 350


def test_without_identical_solutions_the_central_five() -> None:
    """Without a group the five with the smallest total distance are shown, ties in order."""
    outcomes = cells("PPPP", "PPPF", "PPFF", "PFFF", "FPPF", "FFFF", "FFFP")
    totals = hamming(outcomes).sum(axis=1)
    assert sorted(discriminative(outcomes, generator(0))) == sorted(
        np.argsort(totals, kind="stable")[:5].tolist()
    )
    assert set(discriminative(outcomes, generator(0)).values()) == {Role.CENTRAL}


@given(matrices, st.integers(0, 5))
def test_a_full_pool_gives_five(outcomes: Outcomes, seed: int) -> None:
    """The discriminative step gives five different solutions wherever the pool has five."""
    assert len(discriminative(outcomes, generator(seed))) == min(5, len(outcomes))


@given(matrices, st.integers(0, 5))
def test_identical_solutions_are_shown_where_there_are_some(outcomes: Outcomes, seed: int) -> None:
    """If any two solutions have one pass vector, two such are among the chosen."""
    marks = patterns(outcomes)
    rows = sorted(discriminative(outcomes, generator(seed)))
    if len(np.unique(marks, axis=0)) < len(marks):
        assert len(np.unique(marks[rows], axis=0)) < len(rows)


def test_selection_names_solutions_in_pool_order() -> None:
    """A selection carries ids and reasons in the order of the pool, and repeats itself for a seed."""
    subject = trial(*["PF"] * 7)
    first = select(subject, Method.DISCRIMINATIVE, seed=1)
    assert first == select(subject, Method.DISCRIMINATIVE, seed=1)
    assert first.solution_ids == tuple(f"s{row}" for row in sorted(first.rows))
    assert len({select(subject, Method.DISCRIMINATIVE, seed=seed).rows for seed in range(20)}) > 1


@pytest.mark.parametrize(
    ("row", "expected"), [("PF", True), ("PP", False), ("FE", False), ("PI", False), ("", False)]
)
def test_split_needs_a_pass_and_a_failure(row: str, expected: bool) -> None:
    """A test splits a group only if one passes and one fails; missing cells are neither."""
    assert splits(cells(row)[0]) is expected
