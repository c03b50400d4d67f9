from dataclasses import replace

import pytest

from core.llm import Ask, Generation, Kind, Method, Prices, Shown, Totals, estimate, plan
from core.model import Benchmark


def test_four_characters_are_a_token(benchmark: Benchmark) -> None:
    """The prompt's tokens are a quarter of its characters, give or take the few of each message."""
    asked = Generation(Kind.TESTS, "m")
    expected = estimate(plan(benchmark, asked), asked)
    chars = sum(len(message["content"]) for ask in plan(benchmark, asked) for message in ask.messages())
    assert expected.prompt_tokens == pytest.approx(chars / 4, rel=0.05)
    assert expected.cost is None


def test_what_is_known_is_not_paid_again(benchmark: Benchmark) -> None:
    """Answers that are there are left out, and their mean length replaces the guess."""
    asked = Generation(Kind.SOLUTIONS, "m", samples=2)
    keys = [ask.key for ask in plan(benchmark, asked)]
    so_far = Totals()
    for tokens in (100, 300):
        so_far.add({"usage": {"prompt_tokens": 50, "completion_tokens": tokens}})
    so_far.add({"usage": {}})
    expected = estimate(plan(benchmark, asked), asked, Prices(0, 5), known=set(keys[:3]), so_far=so_far)
    assert (expected.requests, expected.known, expected.from_answers) == (5, 3, True)
    assert expected.completion_tokens == 5 * 200
    assert expected.cost == pytest.approx(0.005)
    assert so_far.unmetered == 1


def test_the_limit_of_an_answer_bounds_the_estimate(benchmark: Benchmark) -> None:
    """No answer is longer than max_tokens, and the most it can cost is said."""
    asked = replace(Generation(Kind.TESTS, "m", n_tests=25), max_tokens=100)
    expected = estimate(plan(benchmark, asked), asked, Prices(0, 1e6))
    assert expected.completion_tokens == expected.most_completion_tokens == 400
    assert expected.most_cost == 400


def test_reward_endpoints_write_nothing(benchmark: Benchmark) -> None:
    """A classifier's answer has no tokens to pay for."""
    asked = Generation(Kind.REWARDS, "m", method=Method.CLASSIFY)
    expected = estimate(plan(benchmark, asked), asked)
    assert (expected.requests, expected.completion_tokens) == (12, 0)


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_an_estimate(benchmark: Benchmark, kind: Kind) -> None:
    """Before any answer is there the length of one is guessed, whatever is asked for."""
    asked = Generation(kind, "m", shown=Shown.NONE if kind is Kind.REWARDS else Shown.REFERENCE)
    ask = Ask(asked, benchmark.problems[0], prompt=({"role": "user", "content": "?"},))
    found = estimate([ask], asked, Prices(1, 1))
    assert found.requests == 1
    assert found.cost is not None
