"""Tables that a user hands in for figures of the papers."""

import pytest

from core.errors import InputError
from core.figures import paper
from core.publish.figures import figures, waiting
from core.publish.given import KINDS, read_given
from core.publish.source import Source, gather

MODELS = "model,k,value,low,high\nqwen,1,0.25,0.2,0.3\nqwen,8,0.5,,\nllama,1,0.125,,\n"


def written(folder, text, name="mine.csv"):
    """A file with this content."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.named[0])
def test_every_kind_of_table_makes_its_figure(kind, tmp_path):
    """A table with the columns of a figure gives that figure, which prints, and it waits no longer."""
    rows = [
        ",".join([*(f"{name} {row}" for name in kind.texts), *(str(row) for _ in kind.numbers), f"0.{row}"])
        for row in (1, 2, 3)
    ]
    source = gather([written(tmp_path, "\n".join([",".join(kind.columns), *rows]))])
    found = figures(source)
    assert [figure.paper for figure in found] == [kind.named[1]]
    chart = found[0].make()
    assert "0.3" in chart.to_csv()
    assert "mine.csv" in chart.caption
    paper.render(chart, "pdf")
    assert kind.named[1] not in {one.paper for one in waiting(found)}


def test_what_waits_says_the_columns_of_its_table():
    """pass@k by model needs runs by several models, or a CSV with these columns."""
    left = {one.name: one.columns for one in waiting(figures(Source(())))}
    assert left["pass@k by model"] == ("model", "k", "value")
    assert left["Difficulty by round"] == ()


def test_good_rows_are_drawn_and_bad_ones_named(tmp_path):
    """Each bad row is told with its line, its field and what was expected."""
    text = MODELS + "qwen,1,0.3,,\nllama,8,62.5,,\n,2,0.1,,\nllama,2,much,,\n"
    given = read_given(written(tmp_path, text))
    assert [(row["model"], row["k"], row["value"]) for row in given.rows] == [
        ("qwen", "1", "0.25"),
        ("qwen", "8", "0.5"),
        ("llama", "1", "0.125"),
    ]
    assert [(error.line, error.field) for error in given.errors] == [
        (5, ""),
        (6, "value"),
        (7, "model"),
        (8, "value"),
    ]
    assert "a share from 0 to 1" in given.errors[1].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no header"),
        ("a,b\n1,2\n", "expected those of a figure"),
        ("model,k,value\nqwen,1,2\n", "no row can be drawn"),
        ('model,k,value\n"qwen,1', "can't be read as CSV"),
        ("model,k,value\n" + "a,1,0.5\n" * 10_001, "more than 10,000 rows"),
    ],
)
def test_other_files_are_refused(text, said, tmp_path):
    """The message says what was expected."""
    with pytest.raises(InputError, match=said):
        read_given(written(tmp_path, text))


@pytest.mark.parametrize("k", ["-1", "0", "1.5"])
def test_a_k_that_is_no_number_of_samples_is_not_drawn(k, tmp_path):
    """pass@k and numbers of tests are counts: the row is named with line and field, the others are drawn."""
    given = read_given(written(tmp_path, f"model,k,value\nqwen,{k},0.5\nqwen,8,0.5\n"))
    assert [row["k"] for row in given.rows] == ["8"]
    (error,) = given.errors
    assert (error.line, error.field) == (2, "k")
    assert error.message == f"expected a whole number from 1, found '{k}'"


def test_a_spreadsheets_mark_at_the_start_is_no_part_of_a_column(tmp_path):
    """A byte order mark before the header does no harm."""
    assert len(read_given(written(tmp_path, "\N{ZERO WIDTH NO-BREAK SPACE}" + MODELS)).rows) == 3


def test_two_tables_of_one_name_are_told_apart(tmp_path):
    """Their figures' files have different names."""
    other = tmp_path / "other"
    other.mkdir()
    source = gather([written(tmp_path, MODELS), written(other, MODELS)])
    assert [figure.key for figure in figures(source)] == ["given-mine", "given-mine-2"]
