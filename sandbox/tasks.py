"""The three kinds of job, as the judge does them: asserts, calls, stdio.

A job gives one result for each check from `start` on. One program process serves a whole job if the program
can leave nothing behind, else each check has its own (`sandbox.stateless`); either way a process that
did anything but answer (ran out of time, died, ran out of memory) is replaced before the next check. A
process that serves a whole job is sent the constant requests of many checks ahead.
"""

from __future__ import annotations

import contextlib
import itertools
import marshal
import math
import os
import signal
import time
from collections.abc import Iterator
from types import ModuleType
from typing import IO, Any, Final, Protocol

from sandbox.checks import PreparedCheck, prepare, prepare_support
from sandbox.forked import run_forked
from sandbox.host_client import HostClient
from sandbox.outcome import Outcome
from sandbox.proxy import is_callable, kind_of, truth_of
from sandbox.remote import RemoteProgram, StopCheckError, constant_request
from sandbox.seeds import SEEDERS
from sandbox.sources import prepare_program
from sandbox.tidy import tidy
from sandbox.values import Unsendable, loads
from sandbox.verdict import ANSWER, ASKED, KIND, TRUTH, Report, one_line, report, run_check

_UNDECIDED: Final[Report] = {"outcome": Outcome.INTERNAL_ERROR, "message": "the check came to no verdict"}
"""What a check counts as until something else is known."""
_UNREADABLE: Final[Report] = {
    "outcome": Outcome.INTERNAL_ERROR,
    "message": "arguments can't be read: a list was expected",
}
_AHEAD_BYTES: Final = 1 << 16
"""Checks and requests that are sent ahead are no longer than this together, so that neither side ever waits
for room in the socket."""


class Sink(Protocol):
    """Takes results in order."""

    def add(self, result: float | Report) -> None:
        """Put down the next check's result."""

    def flush(self) -> None:
        """Send what is there, before something that may take long."""


def run_job(job: dict[str, Any], host: HostClient, sink: Sink) -> None:
    """Do a job; one result for each of its checks from `job["start"]` on goes to the sink."""
    runner = {"asserts": _Asserts, "calls": _Calls, "stdio": _Stdio}[job["kind"]](job, host, sink)
    try:
        _run_checks(runner, job, sink)
    finally:
        runner.leave()


def _run_checks(runner: _Runner, job: dict[str, Any], sink: Sink) -> None:
    compile_error: Report | None = None
    for index in range(job["start"], len(job["checks"])):
        runner.started = time.perf_counter()
        result = compile_error or runner.run(index)
        took = time.perf_counter() - runner.started
        seconds = runner.seconds[index]
        if took > seconds and result["outcome"] == Outcome.PASSED:
            result = _timed({"outcome": Outcome.TIME_LIMIT}, seconds)
        if result["outcome"] == Outcome.COMPILE_ERROR and result.pop("whole program", False):
            compile_error = result | {"whole program": True}
        took = round(took, 6)
        sink.add(took if result == {"outcome": Outcome.PASSED} else result | {"seconds": took})


class _OutOfStepError(Exception):
    """The check can't share its program process with those after it."""


class _Runner:
    """What the three kinds share: a program process, its limits, its end, its output.

    Attributes:
        seconds: time limit of each check.
        started: when the current check was; again if it is asked alone.
    """

    name = "program"
    started = 0.0

    def __init__(self, job: dict[str, Any], host: HostClient, sink: Sink) -> None:
        self._job = job
        self._host = host
        self._sink = sink
        self._limits = job["limits"]
        self._checks: list[str] = job["checks"]
        self.seconds: list[float] = job["seconds"] or [self._limits["seconds"]] * len(self._checks)
        self._output_limit = self._limits["output_kb"] * 1024
        self._program: RemoteProgram | None = None
        prepared = prepare_program(job["program"])
        self._keep = job["kind"] != "stdio" and prepared.stateless
        # what a program prints must be there when its answer is, and before the next check prints
        self._send_ahead = self._keep and prepared.silent and not job["careful"]
        self._load = prepared.load(self.name, self._limits["seed"])

    def run(self, index: int) -> Report:
        """The report of one check."""
        try:
            return self.check(self._checks[index], index)
        except _OutOfStepError:
            self._send_ahead = False
            self.started = time.perf_counter()
            return self.check(self._checks[index], index)

    def check(self, check: str, index: int) -> Report:
        """The report of one check, asked of the program process that is there, if there is one."""
        raise NotImplementedError

    def request(self, check: str) -> bytes | None:
        """The one constant request that a check makes of the program, if it is of this kind."""
        del check
        return None

    def drop(self) -> None:
        """Let go of the program process; the host kills it before the next."""
        self._program = None

    def leave(self) -> None:
        """End the job: what might still be at work is ended now."""
        self.drop()
        if not self._keep:
            self._host.end()

    @contextlib.contextmanager
    def _process(self, index: int, stdin: int | None = None) -> Iterator[RemoteProgram]:
        """A program process at the beginning of a check."""
        program = self._program or self._spawn(stdin)
        self._program = program
        program.begin(self.seconds[index], self._output_limit)
        if self._send_ahead and program.idle:
            program.send_ahead(self._requests(index))
        try:
            yield program
        finally:
            left_over = program.out_of_step or not (program.used or program.idle)
            if not self._keep or program.spent or program.verdict is not None or left_over:
                self.drop()
            if program.verdict is not None:
                self._host.end()
        if program.out_of_step:
            raise _OutOfStepError

    def _requests(self, start: int) -> list[bytes]:
        """The constant requests of a check and those after it, as many as are sent ahead."""
        requests: list[bytes] = []
        size = 0
        for check in itertools.islice(self._checks, start, None):
            request = self.request(check)
            size += len(check) + len(request or b"")
            if request is None or size > _AHEAD_BYTES:
                break
            requests.append(request)
        return requests

    def _spawn(self, stdin: int | None) -> RemoteProgram:
        limits = {name: self._limits[name] for name in ("memory_mb", "file_mb", "processes")}
        limits["cpu_seconds"] = math.ceil(sum(self.seconds)) + 5
        channel = self._host.spawn(limits, stdin)
        self._host.marked = not self._keep
        return RemoteProgram(channel, self._host.outputs[0], self._sink.flush, self._load)

    def _settle(self, program: RemoteProgram, found: Report) -> Report:
        """The final report of a check: what the process did comes before what the check saw."""
        result = dict(found)
        verdict = program.verdict
        if verdict is not None:
            result = dict(verdict)
            if program.died:
                result = death_report(self._host.fate(), self._limits)
            elif result["outcome"] == Outcome.COMPILE_ERROR and not program.spent:
                result["whole program"] = True  # a fork's word, which may be the check's, is not enough
        return self._with_output(result)

    def _with_output(self, result: Report, *, always: bool = False) -> Report:
        """Add what was printed, and make ready for the next check."""
        output = self._host.outputs[0]
        size = os.fstat(output).st_size
        if size == 0 and result["outcome"] != Outcome.OUTPUT_LIMIT:
            return result
        if self._send_ahead:  # there are ways to print without saying so, and this may be a later check's
            self.drop()
            raise _OutOfStepError
        text = os.pread(output, self._output_limit, 0).decode("utf-8", "backslashreplace")
        os.ftruncate(output, 0)
        if size > self._output_limit or result["outcome"] == Outcome.OUTPUT_LIMIT:
            kilobytes = self._limits["output_kb"]
            result = {"outcome": Outcome.OUTPUT_LIMIT, "message": f"printed more than {kilobytes} KiB"}
        elif result == {"outcome": Outcome.PASSED} and not always:
            return result
        return result | {"stdout": text}


class _Asserts(_Runner):
    def request(self, check: str) -> bytes | None:
        return self._prepared(check).request

    def _prepared(self, check: str) -> PreparedCheck:
        return prepare(check, self._job["entry_point"], self._job["support"], self._job["entry_is_class"])

    def check(self, check: str, index: int) -> Report:
        prepared, seconds = self._prepared(check), self.seconds[index]
        if prepared.code is None:
            return {"outcome": Outcome.COMPILE_ERROR, "message": one_line(prepared.error)}
        if prepared.in_process:
            return self._run_in_process(prepared, index)
        with self._process(index) as program:
            try:
                borrowed = _borrowed(prepared, program, self._job["entry_point"], self._job["entry_is_class"])
            except BaseException as error:  # noqa: BLE001 - a hostile process may answer with any
                return _timed(self._settle(program, _report_of(error)), seconds)
            leads_further = any(issubclass(type(value), ModuleType) for value in borrowed.values())
            if prepared.tame and not leads_further and not self._job["careful"]:
                found = self._run_here(prepared, program, borrowed)
            else:
                self._sink.flush()
                self._host.marked = True
                found, program.verdict, program.died = run_forked(
                    lambda: (self._run_here(prepared, program, borrowed), program.verdict, program.died),
                    seconds, {program.fileno(), *self._host.outputs},
                )  # fmt: skip
                program.spent = True
                tidy(".")
            return _timed(self._settle(program, found), seconds)

    def _run_here(self, prepared: PreparedCheck, program: RemoteProgram, borrowed: dict[str, Any]) -> Report:
        assert prepared.code is not None
        support = prepare_support(self._job["support"])
        namespace: dict[str, Any] = {
            "__name__": "__main__",
            "callable": is_callable,
            **ASKED,
            KIND: kind_of,
            TRUTH: truth_of,
            ANSWER: lambda: program.constant(prepared.request or b""),
        }
        for module in prepared.seeded:
            SEEDERS[module](self._limits["seed"])
        try:
            if support.code is not None:
                exec(support.code, namespace)  # noqa: S102 - helper code of the problem
            entry_point = self._job["entry_point"]
            if entry_point and entry_point not in prepared.free:
                namespace[entry_point] = program.entry(entry_point, self._job["entry_is_class"])
            namespace |= borrowed
        except BaseException as error:  # noqa: BLE001 - a helper may raise anything
            return _report_of(error)
        result = run_check(prepared.code, namespace)
        if result["outcome"] == Outcome.PASSED and program.verdict is None:
            try:
                program.finish()
            except BaseException as error:  # noqa: BLE001 - a hostile process may answer with any
                return _report_of(error)
        return result

    def _run_in_process(self, prepared: PreparedCheck, index: int) -> Report:
        """Judge in a process of its own, which the program shares: weaker, and marked."""
        self.drop()
        support = prepare_support(self._job["support"])
        codes = marshal.dumps(prepared.code), marshal.dumps(support.code)
        names = [name for name in (self._job["entry_point"], *prepared.free) if name]
        with self._process(index) as program:
            self._host.marked = True
            try:
                found = program.judge(*codes, names, os.urandom(16).hex())
            except BaseException as error:  # noqa: BLE001 - a hostile process may answer with any
                found = _report_of(error)
            result = _timed(self._settle(program, found), self.seconds[index])
            self.drop()
        return result | {"in_process": True}


class _Calls(_Runner):
    def request(self, check: str) -> bytes:
        return constant_request(self._job["entry_point"], check)

    def check(self, check: str, index: int) -> Report:
        expected = self._job["expected"]
        with self._process(index) as program:
            found = _UNDECIDED
            try:
                value = program.constant_text(self.request(check), expected and expected[index])
                found = {"outcome": Outcome.PASSED} | ({} if value is None else {"value": value})
            except StopCheckError:
                pass
            except Unsendable as error:
                message = f"returned {error}, which is not plain data"
                found = {"outcome": Outcome.RUNTIME_ERROR, "message": message}
            except BaseException as error:  # noqa: BLE001 - whatever the program raised
                found = report(error) if _is_list(check) else _UNREADABLE
            return _timed(self._settle(program, found), self.seconds[index])


class _Stdio(_Runner):
    name = "__main__"

    def check(self, check: str, index: int) -> Report:
        with _text_file(check) as stdin, self._process(index, stdin) as program:
            found: Report | None = None
            try:
                program.run_script()
            except StopCheckError:
                pass
            except BaseException as error:  # noqa: BLE001 - whatever ended the program
                found = report(error)
            result = _timed(self._script_report(program, found), self.seconds[index])
            self.drop()
        return result

    def _script_report(self, program: RemoteProgram, found: Report | None) -> Report:
        if program.verdict is not None and not program.died:
            result = dict(program.verdict)
            if result["outcome"] == Outcome.COMPILE_ERROR:
                result["whole program"] = True
        else:
            fate = self._host.fate()
            ended_well = fate["status"] == 0 and found is None
            result = {"outcome": Outcome.PASSED} if ended_well else found or death_report(fate, self._limits)
        return self._with_output(result, always=True)


def _borrowed(
    prepared: PreparedCheck, program: RemoteProgram, entry_point: str | None, is_class: bool | None
) -> dict[str, Any]:
    """What the check calls by names that are only the program's.

    Raises:
        NameError: the entry point is asked for, and there is none.
    """
    borrowed: dict[str, Any] = {}
    for name in prepared.free:
        found, value = program.resolve(name, is_class if name == entry_point else None)
        if found:
            borrowed[name] = value
        elif name == entry_point:
            raise NameError(f"name {name!r} is not defined")
    return borrowed


def _report_of(error: BaseException) -> Report:
    """What an exception says of a check; one that ended it leaves that to the program's verdict."""
    return _UNDECIDED if isinstance(error, StopCheckError) else report(error)


def _is_list(text: str) -> bool:
    """Whether a call's text is what it should be; asked when the program could not use it."""
    try:
        return type(loads(text)) is list
    except ValueError:
        return False


@contextlib.contextmanager
def _text_file(text: str) -> Iterator[int]:
    """A descriptor, at its beginning, of a file without a name that holds the text."""
    with _nameless_file() as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.seek(0)
        yield file.fileno()


def _nameless_file() -> IO[bytes]:
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("stdin"), "w+b")  # noqa: PTH123
    import tempfile

    return tempfile.TemporaryFile(dir=".")


def death_report(fate: dict[str, Any], limits: dict[str, Any]) -> Report:
    """What the end of a program's process says."""
    status = fate["status"]
    if status is None:
        return {"outcome": Outcome.RUNTIME_ERROR, "message": "the program's process closed its connection"}
    if not os.WIFSIGNALED(status):
        code = os.waitstatus_to_exitcode(status)
        return {
            "outcome": Outcome.RUNTIME_ERROR,
            "message": f"the program ended its process (exit code {code})",
        }
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    if number == signal.SIGKILL and fate["peak_kb"] > limits["memory_mb"] * 1024 * 0.8:
        return {"outcome": Outcome.MEMORY_LIMIT, "message": f"more than {limits['memory_mb']} MiB of memory"}
    if number == signal.SIGXCPU:
        return {"outcome": Outcome.TIME_LIMIT}
    return {"outcome": Outcome.RUNTIME_ERROR, "message": f"the program's process was ended by {name}"}


def _timed(result: Report, seconds: float) -> Report:
    if result["outcome"] == Outcome.TIME_LIMIT and "message" not in result:
        return result | {"message": f"no result within {seconds:g} s"}
    return result
