import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.parsing import NoRewardError, reasoning_of, reward_in


@pytest.mark.parametrize(
    ("text", "reward"),
    [
        ("reward:-21.75", -21.75),
        ("Reward: 3", 3.0),
        ("-0.5", -0.5),
        ("helpfulness:1.25,correctness:2.5,coherence:3,complexity:1,verbosity:0.5", 2.5),
        ("<think>reward:9</think>reward:1e-2", 0.01),
    ],
)
def test_rewards_in_chat_answers(text: str, reward: float) -> None:
    """A reward is read from reward:x, from the correctness of several attributes, or a bare number."""
    assert reward_in("chat", text) == reward


@pytest.mark.parametrize(
    ("text", "likelihood"),
    [
        ("It is fine.\nProbability: 0.87", 0.87),
        ("**Probability:** 87%", 0.87),
        ("Probability: 0.1 at first; after a look at 3 cases\nProbability: 0.9", 0.9),
        ("score: 9/10", 0.9),
        ("87 / 100", 0.87),
        ("likelihood = 42", 0.42),
        ("Probability: 1", 1.0),
        ("There are 3 bugs.\n0.05", 0.05),
        ("<think>Probability: 0.2</think>\nProbability: .75", 0.75),
    ],
)
def test_likelihoods_in_judgements(text: str, likelihood: float) -> None:
    """The last probability that is named counts, as a fraction, per cent or out of ten."""
    assert reward_in("judge", text) == pytest.approx(likelihood)


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("chat", "I like it"),
        ("chat", ""),
        ("chat", "reward:1e999"),
        ("judge", "It is correct for 3 of 4 inputs."),
        ("judge", "Probability: 250%"),
        ("judge", "Probability: -0.5"),
        ("classify", '[{"probs": []}]'),
        ("score", '[{"score": null}]'),
        ("pooling", '[{"data": "AAAA"}]'),
        ("pooling", "[]"),
        ("score", "not JSON"),
    ],
)
def test_what_holds_no_reward_is_refused(method: str, text: str) -> None:
    """No number is made up where an answer names none, or an impossible one."""
    with pytest.raises(NoRewardError):
        reward_in(method, text)


@given(st.floats(-1e6, 1e6))
def test_any_number_is_read_back(value: float) -> None:
    """Whatever finite number an endpoint gives is what is read."""
    assert reward_in("chat", f"reward:{value!r}") == value
    assert reward_in("classify", json.dumps([{"probs": [0.5, value]}])) == value
    assert reward_in("pooling", json.dumps([{"data": [[1.0], [value]]}])) == value


@given(st.floats(0, 1))
def test_any_probability_is_read_back(value: float) -> None:
    """A judge's fraction is read as it stands, however it is written."""
    assert reward_in("judge", f"Probability: {value!r}") == value


def test_reasoning_is_found_where_it_was_given() -> None:
    """Reasoning comes from its own field, else from the text before </think>."""
    assert reasoning_of({"response": "x", "reasoning": "because"}) == "because"
    assert reasoning_of({"completion": "<think>so</think>x"}) == "so"
    assert reasoning_of({"reward": {"response": "x"}}) == ""
