"""How a suite changed over rounds of refinement (EvolveCoder paper, section 3).

Per round, over all problems and per source of problems: how many problems and tests, how hard
the tests are for the pool (pass@k), how many tests each method wrote and how many stayed, how
different the pass vectors are, and what share of the tests the reference solution fails.

The reference solution is no candidate: it is left out of pass@k and of the pass vectors of
solutions. A solution that no test fails but that misses an outcome is neither right nor wrong,
and is left out of pass@k too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.evolution.filters import Reason, Rules, filter_trial
from core.evolution.patterns import (
    REFERENCE,
    RIGHT,
    UNDETERMINED,
    Trial,
    known,
    pattern_groups,
    patterns,
    reference_failures,
    verdicts,
)
from core.metrics import pass_at_k
from core.model import Metric
from core.store import Run

__all__ = [
    "KS",
    "OVERALL",
    "MethodCount",
    "RoundReport",
    "SourceReport",
    "dropped_note",
    "model_of",
    "models_of_run",
    "report_round",
]

OVERALL = "overall"
KS = (1, 4, 8)


@dataclass(frozen=True, slots=True)
class MethodCount:
    """Tests that one method wrote in this round, and those of them that the filter kept."""

    generated: int
    retained: int

    @property
    def share(self) -> float:
        """Retained over generated; NaN if none was generated."""
        return self.retained / self.generated if self.generated else float("nan")


@dataclass(frozen=True, slots=True)
class SourceReport:
    """One round on the problems of one source (or on all).

    Attributes:
        problems: problems that the filter kept.
        problems_before: problems that went into it.
        dropped: reason -> problems that it dropped.
        tests: their tests.
        tests_per_problem: NaN without problems.
        pass_at: k -> pass@k of the pool, averaged over problems; n_undefined are the problems with
            fewer than k solutions that are known to be right or wrong.
        models: source of solutions -> the same for its solutions alone.
        methods: method -> tests written in this round and retained.
        test_diversity: different pass vectors of tests over tests, averaged over problems with tests.
        vectors: different pass vectors of tests of a problem, averaged the same way.
        solution_diversity: different pass vectors of solutions over solutions, the same way: how
            finely the suite tells the pool apart.
        fails_reference: share of the tests that the reference solution fails, of those it has an
            outcome for; NaN where there is none.
        missing_cells: cells without an outcome.
    """

    problems: int
    problems_before: int
    dropped: Mapping[str, int]
    tests: int
    tests_per_problem: float
    pass_at: Mapping[int, Metric]
    models: Mapping[str, Mapping[int, Metric]]
    methods: Mapping[str, MethodCount]
    test_diversity: Metric
    vectors: Metric
    solution_diversity: Metric
    fails_reference: float
    missing_cells: int


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round: its number, and the report on all problems ("overall") and on each source."""

    round: int
    sources: Mapping[str, SourceReport]


@dataclass(slots=True)
class _Tally:
    problems: int = 0
    problems_before: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    tests: int = 0
    missing: int = 0
    checked: int = 0
    wrong: int = 0
    generated: Counter[str] = field(default_factory=Counter)
    retained: Counter[str] = field(default_factory=Counter)
    test_diversity: list[float] = field(default_factory=list)
    vectors: list[float] = field(default_factory=list)
    solution_diversity: list[float] = field(default_factory=list)
    pool: list[tuple[int, int]] = field(default_factory=list)
    models: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))


def report_round(
    trials: Iterable[Trial],
    number: int,
    rules: Rules | None = None,
    *,
    written_in: int | None = None,
    ks: Sequence[int] = KS,
) -> RoundReport:
    """Report on one round.

    Args:
        trials: the problems with all tests the round had, old and new.
        number: the round.
        rules: the filter at the end of the round; None if the trials are what it left.
        written_in: the round that the origin of this round's new tests says, if it is another number.
        ks: for which k to give pass@k.
    """
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    tallies[OVERALL] = _Tally()
    new = number if written_in is None else written_in
    for trial in trials:
        source = str(trial.problem.metadata.get("source") or "")
        for name in {OVERALL, source} - {""}:
            tallies[name].problems_before += 1
        written = _written(trial, new)
        left = trial
        dropped = None
        if rules is not None:
            filtered = filter_trial(trial, rules)
            left, dropped = filtered.after, filtered.dropped
        for name in {OVERALL, source} - {""}:
            tallies[name].generated.update(written)
            if dropped is None:
                _count(tallies[name], left, new)
            else:
                tallies[name].dropped[dropped.value] += 1
    return RoundReport(number, {name: _summary(tally, ks) for name, tally in tallies.items()})


def _written(trial: Trial, new: int) -> Counter[str]:
    """Method -> tests of this round."""
    return Counter(test.origin.method or "unknown" for test in trial.tests if test.origin.round == new)


def _count(tally: _Tally, trial: Trial, new: int) -> None:
    """Add a problem that stays."""
    tally.problems += 1
    tally.tests += len(trial.tests)
    tally.missing += int((~known(trial.outcomes)).sum())
    tally.retained.update(_written(trial, new))
    if trial.reference is not None:
        tally.checked += int(known(trial.outcomes[trial.reference]).sum())
        tally.wrong += int(reference_failures(trial).sum())
    pool = trial.candidates
    if len(pool) and trial.tests:
        marks = patterns(trial.outcomes[pool])
        vectors = len(pattern_groups(marks.T))
        tally.vectors.append(vectors)
        tally.test_diversity.append(vectors / len(trial.tests))
        tally.solution_diversity.append(len(pattern_groups(marks)) / len(pool))
    judged = verdicts(trial.outcomes)
    tally.pool.append(_sizes(judged[pool]))
    by_model: defaultdict[str, list[int]] = defaultdict(list)
    for row in pool.tolist():
        by_model[model_of(trial.solutions[row].source)].append(row)
    for model, rows in by_model.items():
        tally.models[model].append(_sizes(judged[rows]))


def dropped_note(number: int, dropped: Mapping[str, int], before: int) -> str:
    """A sentence on the problems that a round's filter dropped, "" if it dropped none.

    Args:
        number: the round.
        dropped: reason -> problems, as `SourceReport.dropped`.
        before: problems that went into the filter.
    """
    count = sum(dropped.values())
    if not count:
        return ""
    which = f"all {before} problems" if count == before else f"{count} of {before} problems"
    if before == 1:
        which = "the only problem"
    words = {
        Reason.TOO_FEW_TESTS: "too few tests left",
        Reason.TOO_MANY_PERFECT: "too many perfect solutions",
    }
    why = ", ".join(f"{dropped[reason]} with {name}" for reason, name in words.items() if dropped.get(reason))
    return f"Round {number}: the filter drops {which}: {why}."


def model_of(source: str) -> str:
    """Who wrote solutions of a source: the model's name; "mutant" for all mutants, whatever was changed."""
    kind, colon, _ = source.partition(":")
    return kind if colon and kind == "mutant" else source


def models_of_run(run: Run, ks: Sequence[int] = KS) -> dict[str, dict[int, Metric]]:
    """pass@k of each model's solutions over all problems, as `report_round` has it; quick for 20,000."""
    found = run.verdicts_by_source()
    found["model"] = found["source"].map(model_of)
    found = found[found["model"] != REFERENCE].groupby(["model", "position"])[["right", "wrong"]].sum()
    sizes = {
        str(model): list(zip(rows["right"] + rows["wrong"], rows["right"], strict=True))
        for model, rows in found.groupby(level="model")
    }
    return {model: {k: _pass_at(pairs, k) for k in ks} for model, pairs in sizes.items()}


def _sizes(judged: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> tuple[int, int]:
    """Solutions known to be right or wrong, and the right ones."""
    return int((judged != UNDETERMINED).sum()), int((judged == RIGHT).sum())


def _summary(tally: _Tally, ks: Sequence[int]) -> SourceReport:
    methods = tally.generated | tally.retained
    return SourceReport(
        problems=tally.problems,
        problems_before=tally.problems_before,
        dropped=dict(tally.dropped),
        tests=tally.tests,
        tests_per_problem=tally.tests / tally.problems if tally.problems else float("nan"),
        pass_at={k: _pass_at(tally.pool, k) for k in ks},
        models={name: {k: _pass_at(sizes, k) for k in ks} for name, sizes in sorted(tally.models.items())},
        methods={name: MethodCount(tally.generated[name], tally.retained[name]) for name in sorted(methods)},
        test_diversity=_mean(tally.test_diversity, tally.problems),
        vectors=_mean(tally.vectors, tally.problems),
        solution_diversity=_mean(tally.solution_diversity, tally.problems),
        fails_reference=tally.wrong / tally.checked if tally.checked else float("nan"),
        missing_cells=tally.missing,
    )


def _pass_at(sizes: Sequence[tuple[int, int]], k: int) -> Metric:
    counts = np.array(sizes, dtype=np.int64).reshape(-1, 2)
    enough = counts[counts[:, 0] >= k]
    values = pass_at_k(enough[:, 0], enough[:, 1], k) if len(enough) else np.zeros(0)
    return _mean(values.tolist(), len(counts))


def _mean(values: Sequence[float], n: int) -> Metric:
    nan = float("nan")
    return Metric(float(np.mean(values)) if values else nan, nan, nan, n, n - len(values))
