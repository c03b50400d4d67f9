"""The papers' figures from runs: which there are, and how they print."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from core.errors import InputError
from core.evolution.report import OVERALL, models_of_run, report_round
from core.evolution.sources import open_trials
from core.figures import Bars, Lines, paper
from core.hunting.folder import Hunt, HuntRecord
from core.model import Outcome
from core.publish import hunts
from core.publish.escape import label
from core.publish.figures import figures, studies, waiting
from core.publish.options import Options
from core.publish.source import gather, grouped
from core.store import open_run
from core.views.curves import scaling_chart

VENUES = ("neurips", "acl", "84mm,8pt")


def keys(source):
    """The keys of a source's figures."""
    return [figure.key for figure in figures(source)]


def test_every_figure_of_scoring_verifiers_is_there(source):
    """Runs alone give figures 3 to 6 and 9 to 12; what else the papers have waits and says for what."""
    found = figures(source)
    said = " ".join(figure.paper for figure in found)
    for number in (
        "Figure 3",
        "Figure 4",
        "Figure 5a",
        "Figures 5b",
        "Figure 6",
        "Figures 9 to 12",
        "Table 3",
    ):
        assert number in said
    left = {(one.paper.split(",")[0].split(" v")[0], one.name) for one in waiting(found)}
    assert ("EvolveCoder", "Difficulty by round") in left
    assert ("HarnessLLM", "Bug finding") in left
    assert not any(one.name.startswith("Top-1 by number") for one in waiting(found))
    assert len(set(keys(source))) == len(found)


def test_every_figure_says_what_it_rests_on(source):
    """Each chart has a title, a text for who can't see it, n, and rows in its CSV."""
    for figure in figures(source):
        chart = figure.make()
        assert chart.title
        assert chart.alt
        assert chart.basis.n
        assert len(chart.to_csv().splitlines()) > 1, figure.key


def test_a_caption_names_the_benchmark_and_what_is_shown(source):
    """A figure that leaves its page takes along on what it was measured and how it is to be read."""
    captions = {figure.key: figure.make().caption for figure in figures(source)}
    assert captions["tiny-top1"].startswith(
        "Top-1 on tiny. How often the verifier's best solution is the reference best, averaged over "
        "problems. Higher is better. n = 8 problems; 95% CI"
    )
    assert "On tiny, by verifier. A cell is one solution under one test." in captions["tiny-outcomes"]
    for key, caption in captions.items():
        if key.startswith("tiny"):
            assert " tiny" in caption, key
        assert caption.count(". ") >= 2, key
        assert ".." not in caption


@pytest.mark.skipif(not shutil.which("pdffonts"), reason="pdffonts is not installed")
@pytest.mark.parametrize("venue", VENUES)
def test_only_truetype_is_embedded(source, venue, tmp_path):
    """Another program finds nothing but embedded TrueType fonts in the PDF of each kind of figure."""
    for figure in figures(source, {"tiny": "HE-R+"})[::3]:
        path = paper.save(figure.make(), tmp_path / f"{figure.key}.pdf", venue=venue)
        listed = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True).stdout
        fonts = listed.splitlines()[2:]
        assert fonts
        for line in fonts:
            assert "TrueType" in line, line
            assert re.search(r"Identity-H\s+yes\s+yes", line), line


def test_models_of_a_run_are_those_of_its_report(source):
    """pass@k of each model asked of the files at once is what the report counts problem by problem."""
    for run in source.benchmarks[0].tested:
        report = report_round(open_trials(run.folder), 0).sources[OVERALL]
        assert str(models_of_run(open_run(run.folder))) == str(dict(report.models))


def test_metrics_that_are_shares_are_in_percent_on_paper_alone(source):
    """Papers print Top-1 in percent and MAE not; on screen both stand beside the leaderboard's fractions."""
    made = {figure.key: figure for figure in figures(source)}
    name = source.benchmarks[0].name
    for key, share in (("top1", True), ("mae", False)):
        assert made[label(name, key)].make().share is share
        assert made[label(name, "scaling", key)].make().share is share
        assert not scaling_chart(studies(source.benchmarks[0], "nan"), key, name, "nan").share


def test_studies_are_kept_beside_the_run(source):
    """The second time they are read, and they are equal; another manifest makes them anew."""
    benchmark = source.benchmarks[0]
    first = studies(benchmark, "nan")
    path = benchmark.tested[0].folder / "studies-nan.json"
    kept = path.read_text()
    assert repr(studies(benchmark, "nan")) == repr(first)
    changed = json.loads(kept)
    path.write_text(json.dumps(changed | {"made_of": "another run"}))
    assert repr(studies(benchmark, "nan")) == repr(first)
    assert json.loads(path.read_text())["made_of"] == changed["made_of"]
    path.write_text("[1, 2")
    assert repr(studies(benchmark, "nan")) == repr(first)


def test_prompting_is_told_by_names(source):
    """Two runs whose names differ by " with solution" are drawn beside each other."""
    first = source.benchmarks[0].runs[0]
    pair = replace(source, benchmarks=grouped([first, replace(first, label=f"{first.label} with solution")]))
    figure = next(figure for figure in figures(pair) if figure.key == "tiny-with-solution")
    chart = figure.make()
    assert isinstance(chart, Bars)
    assert [series.name for series in chart.series] == ["with solution", "without"]
    assert chart.series[0].values == chart.series[1].values


def test_rounds_are_runs_with_parents(source):
    """A run that names another as its parent is round 1 of a chain, and gives EvolveCoder's figures."""
    by_name = {run.name: run for run in source.runs}
    child = replace(by_name["oracle-1"], manifest=replace(by_name["oracle-1"].manifest, parent="careless-1"))
    chained = replace(source, benchmarks=grouped([by_name["careless-1"], child]))
    found = {figure.paper: figure for figure in figures(chained)}
    chart = found["EvolveCoder, Figure 4"].make()
    assert isinstance(chart, Lines)
    assert [series.name for series in chart.series][:2] == ["pass@1", "pass@4"]
    assert chart.series[0].x == (0.0, 1.0)
    outcomes = [row for at in range(8) for row in _rows(child, at)]
    right = sum(bool((row == Outcome.PASSED).all()) for row in outcomes)
    assert chart.series[0].y[1] == pytest.approx(right / len(outcomes))
    assert "EvolveCoder, Figure 6" in found


def _rows(run, at):
    return open_run(run.folder).matrix(f"Tiny/{at}").outcomes[1:]


def test_hunts_give_rates_with_intervals(tmp_path):
    """The record of a hunt is enough for Figure 2: three rates, each with its interval."""
    result = {"n_pairs": 4, "good_input": 0.5, "invalid_test_rate": 0.25, "true_bug_rate": 0.125}
    ends = {key: [0.1, 0.9] for key in hunts.RATES}
    hunt = Hunt(tmp_path / "mine", HuntRecord({"kind": "io"}, finished="now", result=result, intervals=ends))
    chart = hunts._bugs(hunts.named([hunt]))
    assert [series.values[0] for series in chart.series] == [0.5, 0.25, 0.125]
    assert chart.series[0].low == (0.1,)
    assert list(hunts.named([hunt, hunt])) == ["mine", "mine 2"]


def test_a_source_says_what_it_can_not_use(source, tmp_path):
    """A missing folder, a file that is neither run nor table, and a run named twice."""
    with pytest.raises(InputError, match="there is no such file or folder"):
        gather([tmp_path / "nothing"])
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="expected the folder"):
        gather([tmp_path / "file"])
    folder = source.runs[0].folder
    with pytest.raises(InputError, match="named twice"):
        gather([folder, folder])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"formats": ("docx",)}, "no format 'docx'"),
        ({"venue": "nature"}, "no venue 'nature'"),
        ({"published": "HE-R++"}, "no published benchmark"),
        ({"formats": ()}, "no format is asked for"),
    ],
)
def test_options_say_what_there_is(options, message):
    """An unknown format, venue or benchmark is refused with the known ones."""
    with pytest.raises(InputError, match=message):
        Options(**options)


def test_labels_and_benchmarks_are_told_apart(source):
    """Two runs of one name get their folders beside, two benchmarks of one name their hashes."""
    first, second = source.runs[:2]
    other = replace(second, manifest=replace(second.manifest, benchmark_sha256="f" * 64))
    found = grouped([first, replace(second, label=first.label), other])
    assert [run.label for run in found[0].runs] == [f"{first.label} ({run.name})" for run in found[0].runs]
    assert len({one.name for one in found}) == 2
