from collections.abc import Iterator
from pathlib import Path

import pytest

from core.formats.touchstone import write_benchmark
from core.llm import Endpoint
from core.model import Assertion, Benchmark, Problem, ProblemKind, Solution, StdioTest
from tests.core.llm.server import Server


def problem(number: int) -> Problem:
    """A small problem: double a number."""
    return Problem(
        task_id=f"T/{number}",
        prompt=f'def double(x):\n    """Return twice x. Costs $5. (number {number})"""\n',
        entry_point="double",
        reference_solution="def double(x):\n    return 2 * x\n",
        reference_tests=(Assertion("assert double(3) == 6"), Assertion("assert double(2) == 4")),
    )


SOLUTIONS = (
    Solution("best", "def double(x):\n    return x * 2\n", "human", 1.0, 1.0),
    Solution("half", "def double(x):\n    return x ** 2\n", "mutant", 0.5, 2.0),
    Solution("none", "def double(x):\n    return x\n", "mutant", 0.0, 3.0),
)


@pytest.fixture
def benchmark() -> Benchmark:
    """Four problems with three solutions each."""
    problems = tuple(problem(number) for number in range(4))
    return Benchmark("doubles", problems, {one.task_id: SOLUTIONS for one in problems})


@pytest.fixture
def stdio_benchmark() -> Benchmark:
    """One problem that reads standard input."""
    one = Problem(
        "S/0",
        "Read x, print twice x.",
        ProblemKind.STDIO,
        None,
        "print(2 * int(input()))",
        (StdioTest("2\n", "4\n"),),
    )
    return Benchmark("stdio", (one,), {"S/0": (Solution("a", "print(2)", "human", 0.0, 1.0),)})


@pytest.fixture
def benchmark_file(benchmark: Benchmark, tmp_path: Path) -> Path:
    """The benchmark as a file."""
    path = tmp_path / "in" / "doubles.jsonl"
    write_benchmark(benchmark, path)
    return path


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that behaves until it is told otherwise."""
    with Server() as running:
        yield running


@pytest.fixture
def endpoint(server: Server, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    """The server as an endpoint; no key is in the environment."""
    for variable in ("OPENAI_API_KEY", "TOUCHSTONE_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    return Endpoint(server.base_url, timeout=20, retries=3)
