"""Tables: marks, numbers, and what each form makes of hostile names."""

import csv
import io
import math
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from pylatexenc.latexwalker import LatexWalker

from core.figures import paper
from core.publish.bundle import figure_tex, tables_of
from core.publish.options import Options
from core.publish.table import Column, Row, Table, Value, to_csv, to_latex, to_markdown
from core.publish.tables import results
from core.views.published import published_rows
from tests.core.figures.samples import SAMPLES

HOSTILE = "=cmd|' /C calc'!A0 \\input{x} & <script>alert(1)</script> $x$ %"
TABLE = Table(
    key="made up",
    title=f"Made up: {HOSTILE}",
    stub="Verifier",
    columns=(
        Column("top1", "Top-1 \N{UPWARDS ARROW}", "HE-R+", 100, 1),
        Column("mae", "MAE \N{DOWNWARDS ARROW}", "HE-R+"),
        Column("n", "Cells", digits=0),
    ),
    rows=(
        Row(HOSTILE, (Value(0.5, 0.4, 0.6, 2), Value(0.25, place=1), Value(12345)), "Test suites"),
        Row("b", (Value(0.75, place=1), Value(math.nan), Value(1)), "Test suites"),
        Row("c", (Value(0.9), Value(0.1), Value(2)), "Published on HE-R+: reward models", published=True),
    ),
    basis="n = 3 problems",
)
SUBSET = {
    *(
        "begin",
        "end",
        "centering",
        "small",
        "setlength",
        "tabcolsep",
        "caption",
        "label",
        "toprule",
        "midrule",
    ),
    *(
        "bottomrule",
        "cmidrule",
        "multicolumn",
        "textbf",
        "underline",
        "textit",
        "scriptsize",
        "includegraphics",
    ),
    *("resizebox", "ifdim", "width", "linewidth", "else", "fi"),
    *(
        "textbackslash",
        "textless",
        "textgreater",
        "textbar",
        "textendash",
        "textasciitilde",
        "textasciicircum",
    ),
    *(
        "texttt",
        "char",
        "uparrow",
        "downarrow",
        "dag",
        "rho",
        "tau",
        "sigma",
        "textasciigrave",
        "ldots",
        "times",
    ),
}
"""Commands of the kernel, of its symbols, of booktabs and of graphicx; accents and escapes are one sign."""


def document(*parts):
    """A whole document around tables and figures."""
    head = "\\documentclass{article}\\usepackage{booktabs}\\usepackage{graphicx}\\begin{document}"
    return "\n\\clearpage\n".join([head, *parts, "\\end{document}\n"])


def test_latex_has_every_number_marked_as_it_stands():
    """The best is bold, the second underlined, an interval below, no value a dash."""
    written = to_latex(TABLE)
    assert "\\underline{50.0} & \\textbf{0.25} & 12,345 \\\\" in written
    assert "{\\scriptsize {[}40.0, 60.0{]}}" in written
    assert "b & \\textbf{75.0} & \\textendash{} & 1 \\\\" in written
    assert "c \\dag{} & 90.0 & 0.10 & 2 \\\\" in written
    assert "\\cmidrule(lr){2-3}" in written
    assert "scriptsize" not in to_latex(TABLE, intervals=False)


def test_a_table_goes_over_both_columns_where_one_has_no_room():
    """Made to fit a column of 3 inches, five metrics with intervals would be printed in 5 pt."""
    narrow = Table(
        "n", "t", "Tests", (Column("rho", "r", digits=3),), (Row("k = 1", (Value(0.5, 0.4, 0.6),)),)
    )
    wide = Table("w", "t", "Verifier", narrow.columns * 6, (Row("a" * 20, narrow.rows[0].values * 6),))
    assert "\\begin{table}[t]" in to_latex(narrow)
    assert "\\end{table*}" in to_latex(wide)


@pytest.mark.parametrize(
    ("venue", "environment"), [("icml", "figure"), ("icml-wide", "figure*"), ("neurips", "figure")]
)
def test_a_figure_for_both_columns_asks_for_both(venue, environment):
    """In a `figure` it would run over the second column."""
    written = figure_tex("bars", SAMPLES["bars"], venue)
    assert f"\\begin{{{environment}}}[t]" in written
    assert f"\\end{{{environment}}}" in written


def test_a_number_below_zero_has_a_minus_sign_in_latex():
    """A hyphen would be printed as one: numbers, intervals and words have the sign."""
    table = Table(
        "r2", "R\N{SUPERSCRIPT TWO}", "Verifier", (Column("r2", "a"),), (Row("a", (Value(-1.6, -2, -1),)),)
    )
    written = to_latex(table)
    assert "& $-$1.60 \\\\" in written
    assert "{[}$-$2.00, $-$1.00{]}" in written
    assert "\\caption{R${}^2$.}" in written


def test_every_line_of_latex_has_all_columns():
    """Between the rules each line has as many cells as the table has columns."""
    body = to_latex(TABLE).split("\\midrule", 1)[1].split("\\bottomrule")[0]
    for line in body.strip().splitlines():
        if "multicolumn" not in line and "midrule" not in line:
            assert len(re.findall(r"(?<!\\)&", line)) == len(TABLE.columns), line


def test_latex_uses_only_commands_that_every_class_has(source):
    """All tables and a figure parse strictly, and their commands are of a checked subset."""
    written = [to_latex(table) for table in (*tables_of(source, Options(published="HE-R+")), TABLE)]
    written.append(figure_tex("bars", SAMPLES["bars"]))
    for text in written:
        LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
        assert text.isascii()
        code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
        assert set(re.findall(r"\\([A-Za-z]+)", code)) <= SUBSET


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
def test_latex_compiles(source, tmp_path):
    """The compiler takes every table and the text of every kind of figure, hostile names too."""
    figures = [figure_tex(name, chart) for name, chart in SAMPLES.items()]
    tables = [to_latex(table) for table in (*tables_of(source, Options(published="HE-R+")), TABLE)]
    (tmp_path / "all.tex").write_text(document(*tables, *(f.replace("figures/", "") for f in figures)))
    picture = paper.render(SAMPLES["bars"], "pdf")
    for name in SAMPLES:
        (tmp_path / f"{name}.pdf").write_bytes(picture)
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_csv_is_tidy_unscaled_and_runs_no_formula():
    """One number a row with its interval; a name that a spreadsheet would run starts with an apostrophe."""
    rows = list(csv.DictReader(io.StringIO(to_csv(TABLE))))
    assert len(rows) == len(TABLE.rows) * len(TABLE.columns)
    assert rows[0]["name"] == "'" + HOSTILE
    assert (rows[0]["value"], rows[0]["low"], rows[0]["high"]) == ("0.5", "0.4", "0.6")
    assert rows[4]["value"] == ""
    assert {row["published"] for row in rows} == {"no", "yes"}


def test_markdown_is_a_table_in_which_names_stay_text():
    """Every line of the table has the same number of cells, and no tag survives."""
    lines = [line for line in to_markdown(TABLE).splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(TABLE.columns) + 2}
    assert "<script>" not in to_markdown(TABLE)
    assert "**75.0**" in to_markdown(TABLE)


def test_the_caption_of_results_says_how_many_problems_have_no_score(source):
    """The n of the benchmark would be wrong for a verifier that covers fewer problems."""
    first, *others = source.benchmarks[0].runs
    metrics = {
        key: replace(metric, n_undefined=metric.n_undefined + 1)
        for key, metric in first.evaluation.metrics.items()
    }
    fewer = replace(first, evaluation=replace(first.evaluation, metrics=metrics))
    caption = results({"tiny": [fewer, *others]}).caption
    assert f"problems without a score are left out (1 for {first.label})" in caption
    assert "without a score" not in results({"tiny": [first, *others]}).caption


def test_the_caption_of_many_results_names_no_verifier(source):
    """Of more than five it gives the range: a caption is read."""
    run = source.benchmarks[0].runs[0]
    many = [
        replace(
            run,
            label=f"verifier {at}",
            evaluation=replace(
                run.evaluation,
                metrics={
                    key: replace(metric, n_undefined=at) for key, metric in run.evaluation.metrics.items()
                },
            ),
        )
        for at in range(1, 7)
    ]
    assert "left out (1 to 6 for each of 6 verifiers)" in results({"tiny": many}).caption


def test_results_mark_none_on_few_problems_and_say_so(source):
    """On one of eight problems a run has no place and comes last of its group; the caption says why."""
    first, *others = source.benchmarks[0].runs
    metrics = {key: replace(metric, n_undefined=7) for key, metric in first.evaluation.metrics.items()}
    fewer = replace(first, evaluation=replace(first.evaluation, metrics=metrics))
    table = results({"tiny": [fewer, *others]})
    rows = {row.name: row for row in table.rows}
    assert not any(value.place for value in rows[first.label].values)
    assert any(value.place == 1 for name, row in rows.items() if name != first.label for value in row.values)
    group = [row.name for row in table.rows if row.group == rows[first.label].group]
    assert group[-1] == first.label
    assert "of those on at least 90% as many problems as the one measured on most" in table.caption
    alike = [run for run in source.benchmarks[0].runs if run.name in {"oracle-1", "careless-1"}]
    assert "Best in bold, second underlined." in results({"tiny": alike}).caption


def test_results_mark_own_runs_only(source):
    """Published rows stand in a group that names their benchmark, and never have a place."""
    runs = source.benchmarks[0].runs
    table = results({"tiny": runs}, {"tiny": published_rows("HE-R+")})
    own = [row for row in table.rows if not row.published]
    assert [row.name for row in own if row.group == "Reward models"] == ["reward model"]
    for column in range(len(table.columns)):
        assert any(row.values[column].place == 1 for row in own)
    best = max(own, key=lambda row: row.values[0].number)
    assert best.values[0].place == 1
    assert best.values[0].number == max(run.evaluation.metrics["top1"].value for run in runs)
    lowest = min(own, key=lambda row: row.values[4].number)
    assert lowest.values[4].place == 1
    for row in table.rows:
        if row.published:
            assert row.group.startswith("Published on HE-R+")
            assert not any(value.place for value in row.values)
