"""The Evolve page: what a link shows, what undo brings back, how rounds are started."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from core.views import rounds
from core.views.rounds import RoundsRequest

Open = Callable[..., AppTest]


def metrics(app: AppTest) -> dict[str, str]:
    """The figures on the page by their names."""
    return {metric.label: metric.value for metric in app.metric}


def test_a_link_says_the_filters(open_page: Open) -> None:
    """The sliders stand where the link says, and the counts are theirs."""
    app = open_page("evolve", verifier="typed inputs", **{"per-pattern": "1", "min-tests": "0"})
    assert not app.exception
    assert {slider.key: slider.value for slider in app.slider}["per-pattern"] == 1
    before, after = (int(part.replace(",", "")) for part in metrics(app)["Tests"].split(" → "))
    assert after < before == 64


def test_a_link_that_means_nothing_is_the_default(open_page: Open) -> None:
    """Values that no slider has are not taken."""
    app = open_page(
        "evolve", verifier="typed inputs", **{"per-pattern": "900", "min-pass": "nan", "max-pass": "<b>"}
    )
    assert not app.exception
    assert {slider.key: slider.value for slider in app.slider}["per-pattern"] == 5


def test_undo_brings_the_filters_back(open_page: Open) -> None:
    """After a change the button returns to what was in force, and to the same counts."""
    app = open_page("evolve", verifier="typed inputs", **{"min-tests": "0"})
    first = metrics(app)
    next(slider for slider in app.slider if slider.key == "per-pattern").set_value(1).run()
    assert metrics(app) != first
    assert app.query_params["per-pattern"] == "1"
    next(button for button in app.button if button.label == "Undo").click().run()
    assert metrics(app) == first
    assert "per-pattern" not in app.query_params


def test_a_suite_without_tests_says_so(open_page: Open) -> None:
    """A verifier that runs no tests has nothing to refine."""
    app = open_page("evolve", verifier="reward model")
    assert "ran no tests" in app.info[0].value


def test_chosen_solutions_and_the_prompt_are_shown(open_page: Open) -> None:
    """The section shows who was chosen, and what a model would be asked."""
    app = open_page("evolve", verifier="typed inputs", section="Whom to test", problem="Tiny/1")
    assert not app.exception
    assert "best by pass rate" in app.dataframe[0].value["why"].tolist()
    assert any("largest" in code.value for code in app.code)


def test_rounds_are_started_as_asked(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The button starts the job with the run in focus."""
    started: list[RoundsRequest] = []

    def start(workspace: object, request: RoundsRequest) -> str:
        started.append(request)
        return "job"

    monkeypatch.setattr(rounds, "start_rounds", start)
    app = open_page("evolve", verifier="typed inputs", section="Rounds")
    assert "has no rounds yet" in app.info[0].value
    next(button for button in app.button if button.label == "Start the rounds").click().run()
    (request,) = started
    assert (request.run.label, request.rounds, request.model) == ("typed inputs", 3, "")


def test_seeds_are_compared(open_page: Open) -> None:
    """The benchmark's problems are compared, and what the similarity is is said."""
    app = open_page("evolve", section="Seeds")
    next(button for button in app.button if button.label == "Compare").click().run()
    assert not app.exception
    assert any("TF" in text.value and "8 → 8 problems" in text.value for text in app.markdown)
