from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.contract import AssertsJob, CallsJob, CheckResult, Limits, Outcome, StdioJob
from sandbox.worker import Running, Worker, _JudgeSilentError, news, read_result


def test_results_are_read_with_their_types():
    """A number is a pass; of an object only fields of the right type are taken."""
    assert read_result(0.5) == CheckResult(Outcome.PASSED, 0.5)
    told = {"outcome": 1, "seconds": 0.5, "message": "m", "line": "no", "actual": 3, "other": 1}
    assert read_result(told) == CheckResult(Outcome.ASSERTION_FAILED, 0.5, "m")


@pytest.mark.parametrize(
    "told", [{}, {"outcome": 99}, {"outcome": "0"}, {"outcome": False}, None, [0], True, "P"]
)
def test_a_result_without_an_outcome_is_no_pass(told):
    """Only a bare number of seconds or an outcome of 0 says that a check passed."""
    assert read_result(told).outcome is Outcome.INTERNAL_ERROR


@pytest.mark.parametrize(
    ("job", "kind"),
    [
        (AssertsJob("a", "p", ("x", "y"), seconds=(1.0, 2.0)), "asserts"),
        (CallsJob("c", "p", "f", ("x", "y"), seconds=(1.0, 2.0)), "calls"),
        (StdioJob("s", "p", ("x", "y"), seconds=(1.0, 2.0)), "stdio"),
    ],
)
def test_a_job_goes_on_from_its_first_check_without_a_result(job, kind):
    """What is sent to a new judge starts behind the results that are there, under that check's limit."""
    running = Running(7, job)
    assert running.seconds() == 1.0
    running.take([0.1])
    message = running.message()
    assert (message["kind"], message["start"], message["checks"], running.seconds()) == (
        kind,
        1,
        ("x", "y"),
        2.0,
    )
    running.take([0.1, 0.1, 0.1])
    assert running.complete
    assert len(running.results) == 2


@given(st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from([("x",), ("y", "z")]), st.booleans())))
def test_a_judge_that_is_told_what_is_new_knows_the_whole_job(jobs):
    """Each job that a judge has after what it was told is the one that was meant."""
    before: dict[str, object] = {}
    known: dict[str, object] = {}
    for number, (program, checks, calls) in enumerate(jobs):
        made = CallsJob("k", program, "f", checks) if calls else AssertsJob("k", program, checks, "g")
        message = Running(number, made).message()
        known |= news(message, before)
        before = message
        assert known == message


def test_checks_that_the_judge_has_are_not_sent_again():
    """Of the next program for the same checks only the program is told."""
    first, second = (
        Running(number, StdioJob(program, program, ("x", "y"))).message()
        for number, program in enumerate(("p", "q"))
    )
    assert news(second, first) == {"job": 1, "program": "q"}


def test_the_same_limit_holds_where_none_is_given_per_check():
    """Without `seconds` each check has the limits' own."""
    assert Running(1, StdioJob("s", "p", ("x",), Limits(seconds=4.0))).seconds() == 4.0


def test_values_wait_for_the_end_of_their_job_only_while_there_is_room(monkeypatch):
    """A program that returns more than fits gets its later values refused; expected ones take no room."""
    monkeypatch.setattr("sandbox.worker._VALUES_LIMIT", 10)
    running = Running(1, CallsJob("c", "p", "f", ("x",) * 4, expected=("'long expected'",) * 4))
    running.take([{"outcome": 0, "value": "12345"}, 0.1, {"outcome": 0, "value": "67890"}])
    running.take([{"outcome": 0, "value": "1"}])
    assert [result.outcome.letter for result in running.results] == list("PPPO")
    assert [result.value for result in running.results] == ["12345", "'long expected'", "67890", None]


def test_one_silence_is_enough_where_results_come_one_by_one():
    """A judge that falls silent while it is known at which check is not waited for once more."""
    worker = Worker(None, 0, 1, lambda _: None)
    running = Running(1, StdioJob("s", "p", ("x", "y")))
    for letters in ("", "T", "TT"):
        worker._recover(running, _JudgeSilentError())
        assert "".join(result.outcome.letter for result in running.results) == letters


def test_a_judge_that_dies_is_tried_again():
    """A death may have come from outside: only the second at the same check leaves it without a verdict."""
    worker = Worker(None, 0, 1, lambda _: None)
    running = Running(1, StdioJob("s", "p", ("x", "y")))
    for letters in ("", "I", "I", "II"):
        worker._recover(running, OSError("gone"))
        assert "".join(result.outcome.letter for result in running.results) == letters
