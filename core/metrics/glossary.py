"""What each number means, in one place for every help text, table note and axis label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

_SV = "scoring-verifiers v2, section 4.3"
_HARNESS = "HarnessLLM, section 4.1"
_SHARES = frozenset({"top1", "bottom1", "gi", "itr", "tbr", "pass_at_k"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One word of the glossary.

    Attributes:
        key: name in code, files and JSON.
        name: name on screen and in tables.
        definition: one or two sentences.
        range: the values it can take.
        ties: what happens to ties, or "" where there are none.
        better: which direction is better; "" where neither is.
        source: paper and section.
    """

    key: str
    name: str
    definition: str
    range: str
    ties: str
    better: Literal["higher", "lower", ""]
    source: str

    @property
    def arrow(self) -> str:
        """An arrow in the better direction for table heads; "" where neither is better."""
        return {"higher": "\N{UPWARDS ARROW}", "lower": "\N{DOWNWARDS ARROW}", "": ""}[self.better]

    @property
    def share(self) -> bool:
        """Whether it is a share of cases: in percent on paper; screens and JSON have the metric itself."""
        return self.key in _SHARES

    def help(self) -> str:
        """The entry as one paragraph."""
        parts = [self.definition, f"Range {self.range}." if self.range else "", self.ties]
        if self.better:
            parts.append(f"{self.better.capitalize()} is better.")
        return " ".join(part for part in [*parts, f"Source: {self.source}."] if part)


_ENTRIES = (
    Entry(
        "top1",
        "Top-1",
        "How often the verifier's best solution is the reference best, averaged over problems.",
        "0 to 1",
        "Where solutions tie for the verifier's best score it counts the part of the tie that is "
        "reference best: "
        "1 / size of the tie with one reference best in it, 0 with none.",
        "higher",
        _SV,
    ),
    Entry(
        "bottom1",
        "Bottom-1",
        "How often the verifier's worst solution is the reference worst, averaged over problems.",
        "0 to 1",
        "Where solutions tie for the verifier's worst score it counts the part of the tie that is "
        "reference worst.",
        "higher",
        _SV,
    ),
    Entry(
        "spearman",
        "Spearman's \N{GREEK SMALL LETTER RHO}",
        "Correlation of the verifier's ranks of a problem's solutions with the reference ranks, "
        "averaged over problems. "
        "Undefined where one side ranks all solutions alike.",
        "-1 to 1",
        "Tied solutions share their average rank, on both sides.",
        "higher",
        _SV,
    ),
    Entry(
        "kendall",
        "Kendall's \N{GREEK SMALL LETTER TAU}",
        "Pairs of solutions that verifier and reference order alike, less those they order oppositely, "
        "in proportion to "
        "the untied pairs (tau-b), averaged over problems. Undefined where one side ranks all solutions "
        "alike.",
        "-1 to 1",
        "A pair tied on a side is in neither count, and the scale allows for it.",
        "higher",
        "scoring-verifiers v1, section 4.3",
    ),
    Entry(
        "mae",
        "MAE",
        "Mean absolute difference between the verifier's score and the reference score, over all "
        "solutions pooled. "
        "Reward scores are first min-max normalised within each problem; a constant problem becomes 0.",
        "0 to 1",
        "",
        "lower",
        _SV,
    ),
    Entry(
        "r2",
        "R\N{SUPERSCRIPT TWO}",
        "Part of the spread of the reference scores that the verifier's scores account for, over all "
        "solutions pooled: "
        "0 is no better than always saying the mean, below 0 is worse. Normalised as for MAE.",
        "up to 1, unbounded below",
        "",
        "higher",
        "the evaluation released with scoring-verifiers",
    ),
    Entry(
        "pass_at_k",
        "pass@k",
        "Chance that at least one of k samples is right, estimated without bias from n samples with c "
        "right: "
        "1 - C(n-c, k) / C(n, k), averaged over problems.",
        "0 to 1",
        "",
        "higher",
        "Chen et al. 2021, section 2.1",
    ),
    Entry(
        "gi",
        "Good input (GI)",
        "Share of responses with at least one input on which the right and the buggy program differ.",
        "0 to 1",
        "",
        "higher",
        _HARNESS,
    ),
    Entry(
        "itr",
        "Invalid test rate (ITR)",
        "Share of responses whose tests the right program fails: an invalid input or a wrong assertion.",
        "0 to 1",
        "",
        "lower",
        _HARNESS,
    ),
    Entry(
        "tbr",
        "True bug rate (TBR)",
        "Share of responses whose tests the right program passes and the buggy program fails.",
        "0 to 1",
        "",
        "higher",
        _HARNESS,
    ),
    Entry(
        "format_error",
        "Format errors",
        "Share of responses that can't be run as what was asked for: no code block, no generator, no "
        "assertion, bad JSON, no input.",
        "0 to 1",
        "",
        "lower",
        _HARNESS,
    ),
    Entry(
        "harness_reward",
        "Mean reward",
        "Eq. 1: 1 where the right program passes and the buggy one fails; 0.1 where an input shows the bug "
        "and all inputs are valid, but the check is wrong or blind; else 0.",
        "0 to 1",
        "",
        "higher",
        "HarnessLLM, section 3.3",
    ),
    Entry(
        "validity",
        "Valid test",
        "Whether the reference solution passes the test; unknown where that cell is missing.",
        "0 or 1",
        "",
        "higher",
        _HARNESS + " (as invalid tests)",
    ),
    Entry(
        "difficulty",
        "Pass rate",
        "Share of the solutions that pass the test, missing cells left out. 0 and 1 tell no solutions apart.",
        "0 to 1",
        "",
        "",
        "classical test theory (item difficulty)",
    ),
    Entry(
        "discrimination",
        "Discrimination",
        "Point-biserial correlation of passing the test with the reference score; below 0 the test "
        "favours wrong "
        "solutions. Undefined where all pass, all fail, or the reference scores are equal.",
        "-1 to 1",
        "",
        "higher",
        "classical test theory (item discrimination)",
    ),
    Entry(
        "redundancy",
        "Identical tests",
        "Tests that pass, fail and miss exactly the same solutions form one group.",
        "",
        "",
        "lower",
        "this project",
    ),
    Entry(
        "saturation",
        "Saturation",
        "Spearman's \N{GREEK SMALL LETTER RHO} between the ranking by k random tests and the ranking by "
        "all tests: mean over "
        "problems, then over draws, with the 95% CI of that mean.",
        "-1 to 1",
        "Tied solutions share their average rank.",
        "higher",
        "scoring-verifiers v2, section 3.1 and appendix B",
    ),
)

GLOSSARY: Final[Mapping[str, Entry]] = {entry.key: entry for entry in _ENTRIES}
