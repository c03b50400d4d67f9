"""The Bugs page over two small hunts, and over nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.formats.pairs import write_answers, write_pairs
from core.hunting.commands import hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.views import work
from core.workspace import Workspace
from sandbox.fake import FakeSandbox
from tests.hunts import PAIRS, write_hunts
from tests.workspace import build_workspace

Open = Callable[..., AppTest]
HARNESS = "tiny-harness (harness)"
SECTIONS = ("Answers", "How many inputs", "Beside others", "Strategies and inputs", "Using them")


@pytest.fixture(scope="session")
def hunts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small data folder with two hunts in it."""
    workspace = build_workspace(tmp_path_factory.mktemp("hunts"))
    write_hunts(workspace)
    return workspace.root


def text_of(app: AppTest) -> str:
    """Everything that is written on the page."""
    return "\n".join(one.value for one in (*app.markdown, *app.caption, *app.info))


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("hunt", [HARNESS, "tiny-io (io)"])
def test_every_section_opens(open_page: Open, hunts: Path, hunt: str, section: str) -> None:
    """Each section of a hunt of either kind draws and raises nothing."""
    app = open_page("bugs", hunts, hunt=hunt, section=section)
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "Bugs"


def test_a_page_without_hunts_offers_to_start_one(open_page: Open, tmp_path: Path) -> None:
    """An empty data folder gives a sentence on what a hunt is, and the form."""
    app = open_page("bugs", tmp_path)
    assert not app.exception
    assert "No hunt has been run yet" in text_of(app)
    assert "Start the hunt" in [button.label for button in app.button]


def test_a_hunt_without_true_bugs_says_that_nothing_can_be_learnt(open_page: Open, tmp_path: Path) -> None:
    """In place of a download that would be empty stands what its answers are."""
    workspace = build_workspace(tmp_path)
    pairs, answers = tmp_path / "p.jsonl", tmp_path / "a.jsonl"
    write_pairs(PAIRS, pairs)
    write_answers({PAIRS[0].pair_id: ["I can't."]}, answers)
    run = workspace.run_dir("none")
    hunt(pairs, str(answers), run, HuntOptions(AnswerKind.HARNESS), FakeSandbox(lambda _: []))
    app = open_page("bugs", workspace.root, hunt="none (harness)", section="Using them")
    assert "none of its answers is a true bug" in text_of(app)
    assert not any("chat examples" in one.proto.label for one in app.get("download_button"))


def test_a_link_filters_the_answers(open_page: Open, hunts: Path) -> None:
    """The class of a link is in force, and all classes stay counted."""
    app = open_page("bugs", hunts, hunt=HARNESS, **{"class": "true bug"})
    table = app.dataframe[0].value
    assert table["pair_id"].tolist() == ["Tiny/0:sample-1", "Tiny/2:sample-1"]
    assert "true bug 2 · good input, missed 1 · good input, wrong check 1" in text_of(app)


def test_a_link_opens_an_answer_at_what_tells_most(open_page: Open, hunts: Path) -> None:
    """The answer of a link is opened with its verdict and the input that made it."""
    app = open_page("bugs", hunts, hunt=HARNESS, pair="Tiny/0:sample-1", answer="1")
    assert "rejects f's output" in text_of(app).replace("\\", "")
    assert "This input shows the bug" in text_of(app).replace("\\", "")
    assert app.dataframe[1].value["shows"].tolist() == ["the bug", "no difference"]


def test_next_goes_to_the_next_answer_of_the_list(open_page: Open, hunts: Path) -> None:
    """The button stays within the filter and forgets the input of the answer before."""
    app = open_page(
        "bugs", hunts, hunt=HARNESS, pair="Tiny/0:sample-1", answer="1", input="2", **{"class": "true bug"}
    )
    app = next(button for button in app.button if button.label == "Next").click().run()
    assert app.query_params["pair"] in ("Tiny/2:sample-1", ["Tiny/2:sample-1"])
    assert "input" not in app.query_params


def test_a_link_to_an_unknown_answer_says_so(open_page: Open, hunts: Path) -> None:
    """Nothing is guessed: a message names what is missing."""
    app = open_page("bugs", hunts, hunt=HARNESS, pair="Nowhere", answer="9")
    assert not app.exception
    assert "no answer 9 to Nowhere" in app.text[-1].value


def test_a_hunt_is_started_as_a_job(
    open_page: Open, hunts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The button starts `hunt` on the chosen benchmark with answers that need no model."""
    started: list[list[str]] = []

    def start(command: list[str], folder: Path, environment: object = None) -> object:
        started.append(command)
        return work.jobs.Job(folder, tuple(command), work.JobState.RUNNING, None, "")

    root = shutil.copytree(hunts, tmp_path / "data")
    monkeypatch.setattr(work.jobs, "start", start)
    app = open_page("bugs", root)
    next(button for button in app.button if button.label == "Start the hunt").click().run()

    (command,) = started
    assert command[0] == "hunt"
    assert command[command.index("--answers") + 1] == "offline"
    assert command[command.index("--kind") + 1] == "harness"
    assert Path(command[command.index("--pairs") + 1]).name == "tiny.jsonl"


def test_a_damaged_hunt_is_named(open_page: Open, hunts: Path, tmp_path: Path) -> None:
    """A record that can't be read costs a warning, not the page."""
    root = shutil.copytree(hunts, tmp_path / "data")
    (Workspace(root).run_dir("tiny-io") / "hunt.json").write_text("{")
    app = open_page("bugs", root)
    assert not app.exception
    assert "tiny" in app.warning[0].value
