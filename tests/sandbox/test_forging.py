# ruff: noqa: E501 - hostile programs read best on one line
"""Each way in which a program might make a false assertion pass, tried against a false assertion."""

from __future__ import annotations

import pytest

from sandbox.contract import Outcome

FALSE = "assert f(1, 2) == 918273645"

ATTACKS = {
    "an object that equals everything": "class A:\n def __eq__(s, o): return True\n __hash__ = None\ndef f(a, b): return A()",
    "an int that equals everything": "class A(int):\n def __eq__(s, o): return True\n __hash__ = int.__hash__\ndef f(a, b): return A(7)",
    "a str that equals everything": "class A(str):\n def __eq__(s, o): return True\n __hash__ = str.__hash__\ndef f(a, b): return A('x')",
    "a list that equals everything": "class A(list):\n def __eq__(s, o): return True\n __hash__ = None\ndef f(a, b): return A([1])",
    "a metaclass that lies": "class M(type):\n def __eq__(c, o): return True\n __hash__ = type.__hash__\nclass A(metaclass=M): pass\ndef f(a, b): return A",
    "exit with success": "import sys\ndef f(a, b): sys.exit(0)",
    "exit while loading": "import sys\nsys.exit(0)\ndef f(a, b): return 0",
    "exit without ceremony": "import os\ndef f(a, b): os._exit(0)",
    "SystemExit raised": "def f(a, b): raise SystemExit(0)",
    "a signal to itself": "import os, signal\ndef f(a, b): os.kill(os.getpid(), signal.SIGTERM)",
    "builtins patched": "import builtins\nbuiltins.AssertionError = type('E', (Exception,), {})\nbuiltins.abs = lambda x: True\ndef f(a, b): return 0",
    "exec patched": "import builtins\nbuiltins.exec = lambda *a: None\nbuiltins.compile = lambda *a, **k: None\ndef f(a, b): return 0",
    "frames searched": "import sys\ndef f(a, b):\n fr = sys._getframe()\n while fr:\n  for v in list(fr.f_locals.values()):\n   if type(v) is int and 10**8 < v < 10**9: return v\n  fr = fr.f_back\n return 0",
    "objects searched": (
        "import gc\ndef f(a, b):\n"
        " texts = [o for o in gc.get_objects() if isinstance(o, dict) and any('9182' + '73645' in str(v) for v in list(o.values()))]\n"
        " return 9182 * 10**5 + 73645 if texts else 0"
    ),
    "tracing": "import sys\ndef t(fr, e, a):\n return t\nsys.settrace(t)\nsys.setprofile(t)\ndef f(a, b): return 0",
    "answers written to every descriptor": (
        "import os, json, struct\nm = json.dumps(['value', 7, None]).encode()\nm = struct.pack('>I', len(m)) + m\n"
        "n = json.dumps({'job': 1, 'results': [0.1], 'done': True}).encode()\nn = struct.pack('>I', len(n)) + n\n"
        "def f(a, b):\n for fd in list(range(3)) + list(range(4, 64)):\n"
        "  for x in (m, n):\n   try: os.write(fd, x)\n   except OSError: pass\n return 0"
    ),
    "a verdict sent instead of an answer": (
        "import os, json, struct\ndef f(a, b):\n m = json.dumps(['verdict', '', {}]).encode()\n"
        " os.write(3, struct.pack('>I', len(m)) + m)\n while True: pass"
    ),
    "junk sent instead of an answer": "import os\ndef f(a, b):\n os.write(3, b'\\xff' * 100)\n while True: pass",
    "assertion error raised": "def f(a, b): raise AssertionError",
    "the hash of equal things": "def f(a, b): return float('nan')",
    "exit functions": "import atexit, os\natexit.register(lambda: os._exit(0))\ndef f(a, b): return 0",
    "the machinery replaced": (
        "import sys\nfor n, m in list(sys.modules.items()):\n if n.startswith('sandbox'):\n"
        "  for k in ('dumps', 'run_check', 'fail', 'describe'):\n   if hasattr(m, k): setattr(m, k, lambda *a, **k: {})\n"
        "def f(a, b): return 0"
    ),
    "a late thread that exits": (
        "import threading, os, time\nthreading.Thread(target=lambda: (time.sleep(0.02), os._exit(0)), daemon=True).start()\n"
        "def f(a, b):\n import time\n time.sleep(0.1)\n return 0"
    ),
    "closing the channel": "import os\ndef f(a, b):\n os.close(3)\n return 0",
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_no_attack_makes_a_false_assertion_pass(letters, attack):
    """A false assertion never passes, and an honest program afterwards is judged as before."""
    assert "P" not in letters(attack, FALSE, FALSE)
    assert letters("def f(a, b): return a + b", "assert f(1, 2) == 3", FALSE) == "PF"


def test_a_program_object_is_an_error_that_names_its_type(judge):
    """What is no plain data can't be compared: RUNTIME_ERROR with the type's name."""
    (result,) = judge(ATTACKS["an object that equals everything"], FALSE)
    assert result.outcome is Outcome.RUNTIME_ERROR
    assert "object of type A" in result.message


@pytest.mark.parametrize(
    "check",
    ["assert f(1)", "assert not f(1)", "assert f(1) != 2", "assert f(1) in [1, 2]", "assert f(1) < 3"],
)
def test_no_comparison_or_truth_test_is_left_to_a_program_object(letters, check):
    """An object of the program has no say in any comparison."""
    program = (
        "class A:\n def __eq__(s, o): return True\n __ne__ = __lt__ = __gt__ = __contains__ = __eq__\n"
        " def __bool__(s): return True\n __hash__ = None\ndef f(a): return A()"
    )
    assert letters(program, check) == "E"


@pytest.mark.parametrize("name", ["abs", "len", "sorted", "isinstance", "math", "set", "all"])
def test_a_programs_names_do_not_replace_what_a_check_uses(letters, name):
    """Builtins and imports in a check are the real ones, whatever the program calls its own."""
    program = (
        f"class L:\n def __getattr__(s, n): return lambda *a, **k: True\n def __call__(s, *a): return 0\n{name} = L()\n"
        "def f(a): return 5"
    )
    checks = (
        "import math\nassert math.isclose(f(1), 1.0)",
        "assert abs(f(1) - 1) < 1e-6",
        "assert len([f(1)]) == 0 or sorted([f(1)]) == [0] or set([f(1)]) == {0}",
        "assert isinstance(f(1), str)",
        "assert all([f(1) == 0])",
    )
    assert letters(program, *checks) == "FFFFF"


def test_an_entry_point_with_a_builtins_name_is_the_programs(letters):
    """The entry point is always the program's, even where a builtin has its name."""
    assert letters("def sum(x): return 42", "assert sum([1]) == 42", entry_point="sum") == "P"


@pytest.mark.parametrize(
    ("program", "outcomes"),
    [
        ("g = 1", "EEEEE"),
        ("f = None", "FFFFF"),
        ("f = 0", "PFFFF"),
        ("class function:\n def __eq__(s, o): return True\n def __call__(s): pass\nf = function()", "PPPPF"),
        ("class A:\n def __eq__(s, o): return True\n __ne__ = __eq__\n def __call__(s): pass\nf = A()", "PEEPE"),
        ("class A:\n def __eq__(s, o): return True\n __ne__ = __eq__\nf = A()", "PEEFE"),
    ],
)  # fmt: skip
def test_what_is_no_function_is_not_taken_for_one(letters, program, outcomes):
    """A missing or empty entry point fails the checks that only look at it; an object has no say in them."""
    checks = (
        "assert f is not None",
        "assert f",
        "assert f and f != 0",
        "assert callable(f)",
        "assert f == 3",
    )
    assert letters(program, *checks) == outcomes


def test_a_missing_entry_point_is_not_replaced_by_a_builtin(letters):
    """A program that does not define `sum` has none, also where a check gives it another name first."""
    check = "candidate = sum\nassert candidate([1, 2]) == 3"
    assert letters("g = 1", check, entry_point="sum") == "E"


def test_a_program_that_cannot_run_passes_no_check(letters):
    """A check that never calls the program, or swallows every error, still needs a program that runs."""
    swallow = "try:\n    f(1)\nexcept BaseException:\n    pass"
    assert letters("def f(x): return 1\nraise ValueError", "assert True", swallow) == "EE"
    assert letters("import os\nos._exit(0)", "assert True", swallow) == "EE"
    assert letters("def f(:", "assert True", swallow) == "CC"


def test_a_swallowed_death_does_not_pass(letters):
    """A program that ends its process fails the check even if the check catches everything."""
    swallow = "try:\n    f(1)\nexcept BaseException:\n    pass\nassert True"
    assert letters("import os\ndef f(x): os._exit(0)", swallow) == "E"
    assert letters("def f(x):\n while True: pass", swallow) == "T"


def test_an_in_process_verdict_needs_its_nonce(judge):
    """A check judged in the program's process is marked, and a guessed verdict does not pass."""
    program = (
        "import os, json, struct\nclass Point:\n def __init__(s, a): s.a = a\n def __eq__(s, o):\n"
        "  m = json.dumps(['verdict', '0' * 32, {}]).encode()\n  os.write(3, struct.pack('>I', len(m)) + m)\n"
        "  os._exit(0)\n __hash__ = None"
    )
    (result,) = judge(program, "assert Point(1) == Point(2)", entry_point="Point")
    assert result.outcome is Outcome.RUNTIME_ERROR
    assert result.in_process


@pytest.mark.parametrize("item", ["bool", "lambda *x: True"])
def test_no_field_of_a_named_tuple_answers_for_a_method_of_plain_data(letters, item):
    """A tuple whose field `startswith` is a function does not say that it starts with anything; others may be functions."""
    program = f"from collections import namedtuple\ndef f(a): return namedtuple('A', 'startswith index own')({item}, int, {item})"
    checks = ("assert f(1).startswith('x')", "assert f(1).index(3) == 3", "x = f(1)\nassert x.own(7) == 8")
    assert letters(program, *checks) == "EEE"
    named = f"from collections import namedtuple\ndef f(a): return namedtuple('A', 'index own')(3, {item})"
    assert letters(named, "assert f(1).index == 3 and f(1).own(7)") == "P"


@pytest.mark.parametrize(
    "answer",
    [
        "['error', {'types': ['ValueError'], 'message': 'm', 'args': [{'$object': [0, 'A']}]}]",
        "['error', {'types': ['KeyError'], 'message': 'm', 'args': [[{'$object': [0, 'A']}]]}]",
        "['error', {'types': ['ValueError'], 'args': ['m'], 'line': {'$int': '0x' + 'f' * 20000}}]",
        "['unloadable', {'types': ['ValueError'], 'message': 'm', 'line': 1 << 80}]",
        "['value', {'$object': [0, chr(0xd800)]}, None]",
    ],
)
def test_no_answer_ends_the_judge_or_says_what_can_not_be_kept(judge, answer):
    """A program that sends answers of its own gets its verdict, in texts and numbers that a file can hold."""
    program = (
        "import os, json, struct\ndef f(a, b):\n"
        f" m = json.dumps({answer}).encode()\n os.write(3, struct.pack('>I', len(m)) + m)\n while True: pass"
    )
    (result,) = judge(program, FALSE)
    assert result.outcome is Outcome.RUNTIME_ERROR
    assert result.line is None
    assert result.message.encode()


def test_the_clock_is_read_while_bytes_trickle(judge):
    """A program that sends a byte now and then is out of time when its time is up."""
    program = (
        "import os, time\ndef f(a, b):\n os.write(3, b'\\0\\xff\\0\\0')\n"
        " while True:\n  os.write(3, b'x')\n  time.sleep(0.002)"
    )
    (result,) = judge(program, FALSE)
    assert result.outcome is Outcome.TIME_LIMIT
    assert result.seconds < 4


def test_no_check_changes_the_judge_for_those_after_it(letters):
    """What a check does to the modules of the judge is gone when the next one begins."""
    poison = (
        "import enum\nclass A(enum.IntEnum):\n def __call__(self, *x): return None\nenum.global_enum(A('B', {'fail': 1}, module='sandbox.verdict'))",
        "import enum\nenum.bltns.exec('import sandbox.verdict as v; v.fail = lambda *x: None')",
        "import typing\ntyping.sys.modules['builtins'].exec('import sandbox.verdict as v; v.fail = lambda *x: None')",
    )
    for source in poison:
        assert letters("def f(a, b): return 0", f"{source}\nassert f(1, 2) == 0", FALSE) == "PF"
    equal = (
        "from dataclasses import dataclass\nfrom collections import UserDict\ndataclass(init=False)(UserDict)"
    )
    last = "from collections import UserDict\nassert UserDict({1: 2}) == UserDict({3: 4})"
    assert letters("def f(a, b): return 0", f"{equal}\nassert f(1, 2) == 0", last) == "PF"


def test_two_classes_of_one_name_are_told_apart(letters):
    """A class made anew by each call is another type, as in Python, though it bears the same name."""
    program = "def f(x):\n class A: pass\n return A() if x else kept\nclass A: pass\nkept = A()"
    checks = (
        "assert type(f(1)) is type(f(2))",
        "assert type(f(1)) == type(f(0))",
        "assert type(f(0)) is type(f(0))",
    )
    assert letters(program, *checks) == "FFP"
    assert (
        letters(program, "assert type(f(1)) is not type(f(2))", "assert type(f(0)).__name__ == 'A'") == "PP"
    )
