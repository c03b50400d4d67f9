"""The Evolve page as plain data."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.evolution.commands import round_reports
from core.evolution.embedding import Embedding
from core.evolution.filters import Rules
from core.evolution.selection import Method
from core.evolution.takeout import Layout
from core.files import write_json
from core.jobs import JobError
from core.model import Assertion, Origin
from core.store import read_manifest
from core.views import evolve, seeds, work
from core.views import rounds as views
from core.views.catalog import RunEntry
from core.workspace import Workspace
from tests.core.evolution.test_commands import run_folder
from tests.core.evolution.trials import trial

SUBJECT = trial("PPPPP", "PPPFF", "FFFFF", task_id="p", sources=("reference", "a", "b"))


def entry(folder: Path, parent: str = "", created: str = "2026-01-01") -> RunEntry:
    """A run as the catalogue has it."""
    manifest = replace(read_manifest(folder), parent=parent, created=created)
    return RunEntry(folder.name, folder.name, folder, manifest)


def test_the_filter_is_shown_with_its_counts() -> None:
    """Counts, reasons in words and a row a problem agree with what the rules do."""
    found = evolve.filter_view([SUBJECT, trial("P", "F", task_id="q")], Rules(per_pattern=1, min_tests=2))
    assert (found.counts.tests_before, found.counts.tests_after) == (6, 2)
    assert found.removed == (("same pass vector", 3), ("too few tests left", 1))
    assert found.problems.to_dict("records") == [
        {"task_id": "p", "before": 5, "after": 2, "removed": 3, "vectors": 2, "why": ""},
        {"task_id": "q", "before": 1, "after": 0, "removed": 1, "vectors": 0, "why": "too few tests left"},
    ]


def test_the_matrix_before_and_after() -> None:
    """After the filter the matrix has the kept columns; a dropped problem has none."""
    before, after = evolve.matrices(SUBJECT, Rules(per_pattern=1, min_tests=2))
    assert before is not None
    assert after is not None
    assert (len(before.columns), len(after.columns)) == (5, 2)
    assert [row.score for row in before.rows] == [1.0, pytest.approx(0.6), 0.0]
    assert evolve.matrices(SUBJECT, Rules(min_tests=9))[1] is None


def test_removed_tests_say_why() -> None:
    """Each removed test has its number, the reason and its source."""
    table = evolve.removed_table(SUBJECT, Rules(min_pass=0.5, min_tests=0))
    assert table["test"].tolist() == [4, 5]
    assert set(table["why"]) == {"passed by too few"}
    assert table["source"].tolist() == ["assert f(3) == 6", "assert f(4) == 8"]


def test_the_chosen_solutions_come_with_reasons_and_prompt() -> None:
    """Whom tests are made for, why, under which tests, and what a model would be asked."""
    found = evolve.choose(SUBJECT, Method.ADVERSARIAL, 0)
    assert found.rows["solution"].tolist() == ["s0", "s1"]
    assert found.rows["passed"].tolist() == [100, pytest.approx(60)]
    assert found.matrix is not None
    assert found.matrix.outcomes.shape == (2, 5)
    assert "def f(x): return 1" in found.prompt
    assert "assert f(4) == 8" in found.prompt


def test_nobody_can_be_chosen_without_tests() -> None:
    """A problem whose tests the step's filter drops has no solutions to show."""
    found = evolve.choose(trial("F", "F"), Method.ADVERSARIAL, 0)
    assert found.rows.empty
    assert (found.matrix, found.prompt) == (None, "")


def test_tests_of_rounds_are_told_from_the_first_suite() -> None:
    """Only tests that a round made are listed, with what they split."""
    made = Assertion("assert f(9) == 18", Origin("m", "adversarial", 2))
    table = evolve.new_tests(replace(SUBJECT, tests=(*SUBJECT.tests[:4], made)))
    assert table.to_dict("records") == [
        {
            "round": 2,
            "method": "adversarial",
            "source": "assert f(9) == 18",
            "passed": pytest.approx(100 / 3),
            "splits": True,
            "by": "m",
        }
    ]


def test_what_stays_can_be_taken_away() -> None:
    """The file holds the tests that the filter left."""
    row = json.loads(evolve.export_text([SUBJECT], Rules(per_pattern=1, min_tests=1), Layout.EVOLVECODER))
    assert (row["id"], len(row["tests"])) == ("p", 2)


def test_a_run_finds_its_rounds(tmp_path: Path) -> None:
    """From any round the whole way is found; of two ways on the newest is taken."""
    folders = [run_folder(tmp_path / name, SUBJECT) for name in ("zero", "one", "two", "other", "alone")]
    zero, one, two, other, alone = (
        entry(folders[0]),
        entry(folders[1], "zero", "2026-01-03"),
        entry(folders[2], "one"),
        entry(folders[3], "zero", "2026-01-02"),
        entry(folders[4], "removed"),
    )
    runs = (alone, other, two, one, zero)
    for start in (zero, one, two):
        assert views.lineage(start, runs) == (zero, one, two)
    assert views.lineage(other, runs) == (zero, other)
    assert views.lineage(alone, runs) == (alone,)


def test_rounds_as_table_and_charts(tmp_path: Path) -> None:
    """The table and the charts show the report's numbers; a pass@k that nobody has is left out."""
    later = replace(
        SUBJECT, tests=(*SUBJECT.tests[:4], Assertion("assert f(9) == 1", Origin("m", "adversarial", 1)))
    )
    folders = [run_folder(tmp_path / "zero", trial("P", "P", "P")), run_folder(tmp_path / "one", later)]
    reports = round_reports(folders, Rules(min_tests=0))
    read = [evolve.read_trials(folder, 1, lambda done, total: None) for folder in folders]
    assert str(views.reports_of(read, Rules(min_tests=0))) == str(reports)
    table = views.round_table(reports)
    assert table["pass@1"].tolist() == [100, 0]
    assert "pass@8" not in table
    assert table["adversarial"].tolist()[1] == "1 of 1"
    assert views.difficulty_chart(reports, "x").series[0].y == (1.0, 0.0)
    assert views.retention_chart(reports, "x").series[0].y == (1.0,)
    assert views.diversity_chart(reports, "x").series[0].y == (1.0, 2.0)


def test_charts_of_rounds_say_on_how_many_problems_each_round_rests(tmp_path: Path) -> None:
    """A round of which the filter drops problems has fewer; kept tests are counted as tests."""
    early = [run_folder(tmp_path / "zero", SUBJECT)]
    later = replace(SUBJECT, tests=tuple(replace(one, origin=Origin("m", "a", 1)) for one in SUBJECT.tests))
    reports = round_reports([*early, run_folder(tmp_path / "one", later)], Rules(min_tests=0))
    first = replace(reports[0], sources=round_reports(early, Rules(min_tests=50))[0].sources)
    chart = views.diversity_chart([first, reports[1]], "x")
    assert [one.n for one in chart.series] == [(0, 1), (0, 1)]
    made = reports[1].sources["overall"].methods["a"].generated
    assert views.retention_chart(reports, "x").basis.n == made
    assert views.retention_chart(reports, "x").basis.unit == "tests"


def test_rounds_start_as_the_command_line_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job is the same command, in a folder of its own, and the key is in its environment alone."""
    workspace = Workspace(tmp_path)
    run = entry(run_folder(workspace.run_dir("first"), SUBJECT))
    started: list[tuple[list[str], Path, dict[str, str]]] = []

    class Job:
        folder = Path("x")

    def start(command: list[str], folder: Path, environment: dict[str, str]) -> Job:
        started.append((command, folder, environment))
        folder.mkdir(parents=True)
        return Job()

    monkeypatch.setattr("core.jobs.start", start)
    request = views.RoundsRequest(run, 2, "m", "http://h/v1", "secret-key", 7, "process")
    views.start_rounds(workspace, request)
    views.start_rounds(workspace, request)
    command, _, environment = started[0]
    assert command[:3] == ["evolve", "round", str(run.folder)]
    assert command[command.index("--model") + 1] == "m"
    assert "secret-key" not in command
    assert environment["TOUCHSTONE_API_KEY"] == "secret-key"
    assert [folder.name for _, folder, _ in started] == ["first-evolved", "first-evolved.2"]


def test_seeds_as_tables_and_charts(tmp_path: Path) -> None:
    """Files in; overlap, neighbours, twins and the kept problems out."""
    rows = [("a", ["add two numbers", "sort words"]), ("b", ["add two numbers", "parse dates"])]
    for name, texts in rows:
        lines = [
            {"id": f"{name}{i}", "question": text, "tests": ["assert f(1) == 1"]}
            for i, text in enumerate(texts)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found, notes = seeds.find_seeds([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], Embedding.TFIDF, 0.9)
    assert notes == ()
    assert seeds.source_table(found)["before"].tolist() == [2, 2]
    assert seeds.source_table(found)["after"].sum() == 3
    assert seeds.overlap_chart(found).values == ((100, 50), (50, 100))
    assert [sum(one.counts) for one in seeds.neighbour_chart(found).series] == [4, 3]
    assert seeds.twin_table(found)["similarity"].tolist() == [pytest.approx(1, abs=1e-6)]
    assert len(seeds.kept_jsonl(found).splitlines()) == 3


def test_rounds_with_a_model_are_not_resumed_where_others_can_reach(tmp_path: Path) -> None:
    """A job that asks a model lost its key with its process; the app's own key is not lent to it."""
    workspace = Workspace(tmp_path)
    folder = workspace.run_dir("grown")
    write_json(
        folder / "job.json",
        {"command": ["evolve", "round", "x", "--model", "m"], "pid": 0, "create_time": 0.0},
    )
    (card,) = work.job_cards(workspace)
    assert card.title == "Evolving x · 3 rounds"
    with pytest.raises(JobError, match="its key was kept nowhere"):
        work.resume(card, "bubblewrap")


def test_rounds_whose_start_is_elsewhere_keep_their_numbers(tmp_path: Path) -> None:
    """A chain that begins with a round, its parent being of another benchmark, is not numbered from 0."""
    made = tuple(
        replace(SUBJECT, tests=(*SUBJECT.tests[:4], Assertion(f"assert f({n}) == 1", Origin("m", "a", n))))
        for n in (2, 3)
    )
    folders = [run_folder(tmp_path / name, one) for name, one in zip(("two", "three"), made, strict=True)]
    chain = views.lineage(
        entry(folders[1], "two"), (entry(folders[0], "elsewhere"), entry(folders[1], "two"))
    )
    assert [one.name for one in chain] == ["two", "three"]
    assert views.lost_parent(chain) == "elsewhere"
    read = [evolve.read_trials(folder, 1, lambda done, total: None) for folder in folders]
    reports = views.reports_of(read, Rules(min_tests=0), whole=False)
    assert [one.round for one in reports] == [2, 3]
    assert [one.sources["overall"].methods["a"].generated for one in reports] == [1, 1]


def test_both_diversities_stand_in_the_table(tmp_path: Path) -> None:
    """Vectors of a problem and vectors of a test are two columns, and dropped problems are told."""
    reports = round_reports([run_folder(tmp_path / "zero", SUBJECT)], Rules(min_tests=0, per_pattern=None))
    (row,) = views.round_table(reports).to_dict("records")
    found = reports[0].sources["overall"]
    assert (row["vectors"], row["test_diversity"]) == (found.vectors.value, found.test_diversity.value)
    assert row["test_diversity"] == row["vectors"] / row["tests"]
    assert views.dropped_notes(reports) == []
    every = round_reports([tmp_path / "zero"], Rules(min_tests=50))
    assert views.dropped_notes(every) == [
        "Round 0: the filter drops the only problem: 1 with too few tests left."
    ]
