"""Runs a program the way `python program.py` would, in a process made for it."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any, NoReturn

from sandbox.verdict import describe


def run_script(code: CodeType | None, tell: Callable[[dict[str, Any]], None]) -> NoReturn:
    """Run the program as `__main__` and end this process with its exit code.

    Args:
        code: the compiled program.
        tell: takes the description of an exception that ended it.
    """
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    sys.argv = ["program.py"]
    status = 0
    try:
        assert code is not None
        exec(code, module.__dict__)  # noqa: S102 - this process exists to run it
    except SystemExit as error:
        status = _exit_status(error)
    except BaseException as error:  # noqa: BLE001 - the program may raise anything
        sys.excepthook(type(error), error, error.__traceback__)
        tell(describe(error))
        status = 1
    os._exit(_finish() or status)


def _exit_status(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)  # noqa: T201 - what Python does
    return 1


def _finish() -> int:
    """What the interpreter does at its end: wait for threads, run exit functions, flush."""
    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()  # noqa: SLF001 - what the interpreter calls
        atexit._run_exitfuncs()  # noqa: SLF001
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - the program's own functions
        return 1
    return 0
