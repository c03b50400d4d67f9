"""One chart of every type, with the difficult cases in: gaps, ties, missing ranks, long names."""

import numpy as np

from core.figures import (
    Bars,
    BarSeries,
    Basis,
    Heatmap,
    Lines,
    LineSeries,
    OutcomeMatrix,
    Part,
    Ranking,
    RankingLines,
    Scatter,
    ScatterSeries,
    StackedBars,
)
from core.figures.build import box, histogram

NAN = float("nan")
RHO, TAU = "\N{GREEK SMALL LETTER RHO}", "\N{GREEK SMALL LETTER TAU}"
RNG = np.random.default_rng(0)
MODELS = (
    "Qwen2.5-Coder-32B-Instruct",
    "DeepSeek-R1-Distill-Qwen-32B",
    "GPT-4o (2024-11-20)",
    "no tests at all",
)
BASIS = Basis(n=164, interval="95% percentile bootstrap over problems, 2,000 resamples", seed=0)


def words(title, x_label, y_label):
    """The words that every chart has."""
    return {"title": title, "x_label": x_label, "y_label": y_label, "alt": f"A picture of {title.lower()}."}


HALF_FOUNDED = Lines(
    **words("Saturation", "Tests drawn", "Agreement"),
    basis=Basis(n=164, least=1, few=17),
    series=(LineSeries("mine", (1.0, 2.0), (0.4, 0.5), n=(164, 1)),),
)
"""A line whose second point rests on next to nothing."""

SAMPLES = {
    "histogram": histogram(
        {"HE-R+": RNG.beta(0.5, 0.5, 800)},
        bins=np.linspace(0, 1, 21),
        unit="solutions",
        **words("Fraction of tests passed", "Fraction of tests passed", "Solutions"),
    ),
    "histogram-two": histogram(
        {"HE-R+": RNG.beta(0.5, 0.5, 800), "MBPP-R+": RNG.beta(0.6, 0.4, 1900)},
        bins=np.linspace(0, 1, 11),
        unit="solutions",
        share=True,
        **words("Fraction of tests passed", "Fraction of tests passed", "Share of solutions"),
    ),
    "bars": Bars(
        **words("Top-1 on HE-R+", "Verifier", "Top-1 (higher is better)"),
        basis=BASIS,
        categories=MODELS,
        series=(
            BarSeries("Top-1", (0.79, 0.84, 0.77, NAN), (0.74, 0.8, 0.72, NAN), (0.84, 0.88, 0.82, NAN)),
        ),
        horizontal=True,
    ),
    "bars-grouped": Bars(
        **words("Metrics on HE-R+", "Metric", "Value"),
        basis=BASIS,
        categories=("Top-1", "Bottom-1", f"Spearman's {RHO}", f"Kendall's {TAU}", "MAE"),
        series=tuple(
            BarSeries(
                name,
                tuple(v + shift for v in (0.79, 0.8, 0.81, 0.74, 0.21)),
                tuple(v + shift - 0.04 for v in (0.79, 0.8, 0.81, 0.74, 0.21)),
                tuple(v + shift + 0.04 for v in (0.79, 0.8, 0.81, 0.74, 0.21)),
            )
            for name, shift in zip(MODELS[:3], (0, 0.05, -0.08), strict=True)
        ),
    ),
    "lines": Lines(
        **words("Top-1 by number of tests", "Tests per problem", "Top-1"),
        basis=BASIS,
        series=tuple(
            LineSeries(
                name,
                (5.0, 10.0, 15.0, 20.0, 25.0),
                tuple(base + rise for rise in (0, 0.04, 0.06, 0.07, 0.072)),
                tuple(base + rise - 0.03 for rise in (0, 0.04, 0.06, 0.07, 0.072)),
                tuple(base + rise + 0.03 for rise in (0, 0.04, 0.06, 0.07, 0.072)),
            )
            for name, base in zip(MODELS[:3], (0.77, 0.83, 0.7), strict=True)
        ),
        rule=0.9,
        rule_label="best reward model",
    ),
    "heatmap": Heatmap(
        **words("Agreement of verifiers", "Verifier", "Verifier"),
        rows=MODELS,
        columns=MODELS,
        values=((1.0, 0.8, 0.61, NAN), (0.8, 1.0, 0.7, NAN), (0.61, 0.7, 1.0, NAN), (NAN, NAN, NAN, NAN)),
        value_label=f"Spearman's {RHO}",
        low=0.0,
        high=1.0,
        annotate=True,
    ),
    "outcomes": OutcomeMatrix(
        **words("Pass matrix of HumanEval/32", "Test", "Solution"),
        rows=("reference", "gpt-4o/0", "gpt-4o/7", "mutant/3", "human/1"),
        columns=tuple(str(i + 1) for i in range(12)),
        letters=("PPPPPPPPPPPI", "PPPPFFPPPPPI", "PFPFFFPETPPI", "PFFFFFFEEMOI", "CCCCCCCCCCCI"),
    ),
    "outcomes-large": OutcomeMatrix(
        **words("Pass matrix of a large problem", "Test", "Solution"),
        rows=tuple(f"s{i}" for i in range(80)),
        columns=tuple(f"t{i}" for i in range(300)),
        letters=tuple("".join(RNG.choice(list("PPPPFET"), 300)) for _ in range(80)),
    ),
    "ranking": RankingLines(
        **words("Orders of the solutions", "", "Rank"),
        items=("reference", "gpt-4o/0", "gpt-4o/7", "mutant/3", "human/1"),
        rankings=(
            Ranking("Reference", (1, 2, 3, 4, 5)),
            Ranking("Qwen2.5-Coder-32B-Instruct", (1.5, 1.5, 4, 3, 5)),
            Ranking("GPT-4o (2024-11-20)", (2, 1, 3.5, 3.5, NAN)),
        ),
    ),
    "stacked": StackedBars(
        **words("Outcomes by verifier", "Share of cells", "Verifier"),
        basis=Basis(n=8200, unit="cells"),
        categories=MODELS,
        parts=(
            Part("passed", (900, 800, 700, 0), "P"),
            Part("assertion failed", (300, 500, 400, 0), "F"),
            Part("runtime error", (100, 40, 300, 0), "E"),
            Part("time limit", (5, 40, 90, 0), "T"),
            Part("memory limit", (50, 0, 90, 0), "M"),
            Part("output limit", (50, 0, 30, 0), "O"),
            Part("compile error", (50, 60, 30, 0), "C"),
            Part("no verdict", (50, 0, 20, 0), "I"),
        ),
    ),
    "scatter": Scatter(
        **words(
            "Two verifiers by problem", f"Spearman's {RHO} of the first", f"Spearman's {RHO} of the second"
        ),
        series=(
            ScatterSeries(
                "HE-R+", tuple(RNG.random(80)), tuple(RNG.random(80)), tuple(f"HE/{i}" for i in range(80))
            ),
            ScatterSeries("MBPP-R+", tuple(RNG.random(80)), tuple(RNG.random(80))),
        ),
        diagonal=True,
    ),
    "box": box(
        {name: RNG.normal(i, 1 + i, 200) for i, name in enumerate(MODELS[:3])},
        unit="problems",
        **words("Spread of the reference scores", "Verifier", "Spread"),
    ),
}
