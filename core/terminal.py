"""What the command line prints: tables or JSON on stdout, progress and messages on stderr."""

from __future__ import annotations

import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar
from rich.table import Table

from core.errors import listed
from core.progress import OnProgress, Progress
from core.words import p_value, plural, quantity
from sandbox.contract import Isolation

if TYPE_CHECKING:
    from core.formats import CheckReport

_WIDEST = 1_000_000
_IN_TERMINAL = sys.stdout.isatty()
_stdout = Console(highlight=False, width=_WIDEST)
"""No cell is ever cut and no row folded: half a number would mislead, and a piped line is a row."""
_stderr = Console(stderr=True, highlight=False, soft_wrap=True)
_PLAIN_LINE_SECONDS = 5.0


def say(text: str) -> None:
    """One line on stderr."""
    _stderr.print(escape(text))


def say_sandbox(isolation: Isolation) -> None:
    """Which sandbox a command uses, and why."""
    why = f" ({isolation.why})" if isolation.why else ""
    say(f"sandbox: {isolation.backend}{why}")
    for phrase in isolation.missing:
        say(f"note: {isolation.backend} can't guarantee here: {phrase}")


def complain(text: str) -> None:
    """An error on stderr."""
    _stderr.print(f"[bold red]error[/] {escape(text)}")


@contextmanager
def progress_bar() -> Iterator[OnProgress]:
    """Show progress on stderr: a bar in a terminal, a line every few seconds elsewhere."""
    if not _stderr.is_terminal:
        yield _progress_lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[outcomes]}"),
    )
    with ProgressBar(*columns, console=_stderr) as bar:
        tasks: dict[str, TaskID] = {}

        def show(progress: Progress) -> None:
            if progress.phase not in tasks:
                tasks[progress.phase] = bar.add_task(escape(progress.phase), outcomes="")
            bar.update(
                tasks[progress.phase],
                completed=progress.done,
                total=progress.total or None,
                outcomes=escape(_outcome_counts(progress) or progress.message),
            )

        yield show


def _progress_lines() -> Callable[[Progress], None]:
    last: dict[str, float] = {}
    said = ""

    def show(progress: Progress) -> None:
        nonlocal said
        if progress.state == "failed":  # the error is printed when the command ends
            return
        now = time.monotonic()
        finished = progress.done == progress.total
        if not finished and now - last.get(progress.phase, -math.inf) < _PLAIN_LINE_SECONDS:
            return
        last[progress.phase] = now
        left = progress.seconds_left
        tail = f", {left:.0f} s left" if left and not finished else ""
        counts = _outcome_counts(progress) or progress.message
        amount = f": {progress.done}/{progress.total} {progress.unit}{tail}" if progress.total else ""
        line = f"{progress.phase}{amount} {counts}".rstrip()
        if line != said:
            said = line
            say(line)

    return show


def _outcome_counts(progress: Progress) -> str:
    return " ".join(f"{letter}{count}" for letter, count in progress.outcomes.items() if count)


def print_json(value: Any) -> None:
    """Print standard JSON: a number that is not defined is `null`."""
    sys.stdout.write(json.dumps(_without_nan(value), ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value


def show_scores(sheet: dict[str, Any], *, as_json: bool) -> None:
    """Print metrics with intervals, a row a run: best first metric first, those on too few problems last."""
    if as_json:
        print_json(sheet)
        return
    if not sheet["runs"]:
        return
    names = list(sheet["runs"][0]["metrics"])
    few = _on_too_few(sheet["runs"], names[0])
    labels = _labels(sheet["runs"])
    table = _table("verifier", "benchmark", "problems", *names)
    for entry in sorted(
        sheet["runs"], key=lambda entry: (id(entry) in few, _best_first(entry["metrics"][names[0]]["value"]))
    ):
        cells = [_metric(entry["metrics"][name]) for name in names]
        table.add_row(escape(labels[id(entry)]), escape(entry["benchmark"]), str(entry["n_problems"]), *cells)
    if (
        _IN_TERMINAL
        and Measurement.get(_stdout, _stdout.options, table).maximum > get_terminal_size().columns
    ):
        table = _on_end(table)
    _stdout.print(table)
    metrics = [metric for entry in sheet["runs"] for metric in entry["metrics"].values()]
    if not all(math.isnan(metric["low"]) for metric in metrics):
        say(f"{'Below' if _IN_TERMINAL else 'After'} each value its 95% CI (bootstrap over problems).")
    if any(metric["n_undefined"] for metric in metrics):
        say("'u' counts problems on which it is undefined.")
    for entry in sheet["runs"]:
        if id(entry) in few:
            scored = quantity(_scored(entry["metrics"][names[0]]), "problem")
            say(f"note: {labels[id(entry)]} is measured on {scored}: too few to compare with the others.")


def _labels(entries: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The entries (by `id`) as their verifiers' names, with the run where two would look alike."""
    named = Counter((entry["verifier"], entry["benchmark"]) for entry in entries)
    return {
        id(entry): entry["verifier"]
        + (f" ({entry['run']})" if named[entry["verifier"], entry["benchmark"]] > 1 else "")
        for entry in entries
    }


def _on_end(table: Table) -> Table:
    """The same with a line for each column, for a terminal in which its lines would run over."""
    first, *others = table.columns
    turned = _table(str(first.header), *map(str, first.cells))
    for column in others:
        turned.add_row(str(column.header), *map(str, column.cells))
    return turned


def _on_too_few(entries: Sequence[Mapping[str, Any]], first: str) -> set[int]:
    """The entries (by `id`) on too few problems to stand beside the others of their benchmark."""
    from core.metrics import comparable  # slow to import, and loaded by whatever has scores to show

    few = set()
    for benchmark in {entry["benchmark"] for entry in entries}:
        mine = [entry for entry in entries if entry["benchmark"] == benchmark]
        enough = comparable([_scored(entry["metrics"][first]) for entry in mine])
        few |= {id(entry) for entry, fits in zip(mine, enough, strict=True) if not fits}
    return few


def _scored(metric: Mapping[str, Any]) -> int:
    return int(metric["n"] - metric["n_undefined"])


def _best_first(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def _metric(metric: Mapping[str, Any]) -> str:
    undefined = f" {metric['n_undefined']}u" if metric["n_undefined"] else ""
    if math.isnan(metric["value"]):
        return f"-{undefined}"
    if math.isnan(metric["low"]):
        return f"{metric['value']:.3f}{undefined}"
    between = "\n" if _IN_TERMINAL else " "
    return f"{metric['value']:.3f}{undefined}{between}[{metric['low']:.3f}, {metric['high']:.3f}]"


def show_scaling(study: dict[str, Any], *, as_json: bool) -> None:
    """Print metrics against the number of tests."""
    if as_json:
        print_json(study)
        return
    names = list(study["points"][0]["metrics"])
    table = _table("tests", *names, "short")
    for point in study["points"]:
        cells = [_metric(point["metrics"][name]) for name in names]
        table.add_row(str(point["n_tests"]), *cells, str(point["n_short"]))
    _stdout.print(table)
    say("'short' counts problems that have fewer tests; they take part with all of theirs.")


def show_saturation(study: dict[str, Any], *, as_json: bool) -> None:
    """Print the agreement of k tests with all, the published numbers beside where they are asked for."""
    if as_json:
        print_json(study)
        return
    published = {point["k"]: point for point in study.get("published", {}).get("points", ())}
    extra = (f"{study['published']['benchmark']} published", "difference") if published else ()
    table = _table("k", "rho", "95% CI low", "95% CI high", "sigma", "problems", *extra)
    for point in study["points"]:
        row = [_fixed(point[name]) for name in ("rho", "low", "high", "sigma")] + [str(point["n"])]
        if theirs := published.get(point["k"]):
            row += [_fixed(theirs["rho"]), _fixed(point["rho"] - theirs["rho"], "+.3f")]
        table.add_row(str(point["k"]), *row)
    _stdout.print(table)
    enough = study["saturates_at"]
    say(f"The 95% CI lies above 0.9 from k = {enough}." if enough else "No k has its 95% CI above 0.9.")
    if published:
        say(
            "Published: on candidates that GPT-4o wrote, with other scores. The nearer the scores of two "
            "solutions, the more tests it takes to rank them as all tests do."
        )


def show_sizes(study: dict[str, Any], *, as_json: bool) -> None:
    """Print how many random tests settle the ranking of each run."""
    if as_json:
        print_json(study)
        return
    table = _table("run", "tests that settle the ranking")
    for one in study["runs"]:
        table.add_row(one["run"], str(one["saturates_at"] or "more than were drawn"))
    _stdout.print(table)
    say("Kept beside each run: the app and `export` draw the curves from there.")


def show_selection(study: dict[str, Any], *, as_json: bool) -> None:
    """Print how often the pick out of n solutions is right."""
    if as_json:
        print_json(study)
        return
    names = list(study["points"][0]["accuracy"])
    table = _table("n", *names, "problems")
    for point in study["points"]:
        cells = [_metric(point["accuracy"][name]) for name in names]
        table.add_row(str(point["n"]), *cells, str(point["problems"]))
    _stdout.print(table)
    say("The chance that the pick passes all reference tests; 'any' is the chance that one of the n does.")


def show_family(study: dict[str, Any], *, as_json: bool) -> None:
    """Print one verifier beside others, and its paired difference to their mean."""
    if as_json:
        print_json(study)
        return
    table = _table("", *map(escape, study["names"]), "difference", "95% CI", "p", "problems")
    for key, values in study["values"].items():
        found = study["differences"][key]
        span = "" if math.isnan(found["low"]) else f"[{found['low']:+.3f}, {found['high']:+.3f}]"
        table.add_row(
            key,
            *map(_fixed, values),
            _fixed(found["value"], "+.3f"),
            span,
            p_value(found["p_value"]),
            str(found["n"]),
        )
    table.add_row("invalid tests", *map(_fixed, study["invalid"]), "", "", "", "")
    _stdout.print(table)
    say(
        "Each column is over all problems of its verifier. Difference: the first minus the mean of the "
        "others, on the problems that define it for all."
    )


def show_check(report: CheckReport, wrong: Iterable[str], *, as_json: bool) -> None:
    """Print what a file is, and line by line what is wrong with it."""
    if as_json:
        print_json(report.to_json())
        return
    partial = f", {report.partial} more in part" if report.partial else ""
    nothing = "" if report.usable else "; nothing in it can be used"
    rows = f"{quantity(report.rows, 'row')} {plural(report.rows, 'is', 'are')} good"
    print_text(f"{report.format}: {report.valid} of {rows}{partial}{nothing}")
    for line in wrong:
        print_text(f"  {line}")


def show_report(report: dict[str, Any], *, as_json: bool) -> None:
    """Print a flat report: numbers as a table, then its lists and counts."""
    if as_json:
        print_json(report)
        return
    table = _table("", "", header=False)
    for key, value in report.items():
        if not isinstance(value, dict | list):
            shown = "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
            table.add_row(key.replace("_", " "), escape(shown))
    _stdout.print(table)
    for key, value in report.items():
        if isinstance(value, dict) and value:
            _stdout.print(
                f"{key.replace('_', ' ')}: " + escape(", ".join(f"{k}: {v}" for k, v in value.items()))
            )
        if isinstance(value, list) and value:
            _stdout.print(f"{key.replace('_', ' ')}:")
            for line in value:
                _stdout.print(escape(f"  {line}"))


def show_export(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what an export wrote, and which figures of the papers its runs can't give."""
    if as_json:
        print_json(report)
        return
    show_report({key: value for key, value in report.items() if key != "waiting"}, as_json=False)
    if report["waiting"]:
        print_text("Figures of the papers that these runs do not give, and what each is made from:")
    for line in report["waiting"]:
        print_text(f"  {line}")


def show_build(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a build made, and why problems and candidates are not in it."""
    if as_json:
        print_json(report)
        return
    table = _table("", "", header=False)
    table.add_row("benchmark", escape(report["benchmark"]))
    table.add_row("problems", str(report["n_problems"]))
    table.add_row(f"  with {report['k']} scores", str(report["complete"]))
    table.add_row("  with fewer", str(len(report["incomplete"])))
    table.add_row("solutions", str(report["n_solutions"]))
    table.add_row("mean tests per problem", f"{report['mean_tests']:.1f}")
    table.add_row("mean reference score", f"{report['mean_score']:.3f}")
    for reason, count in report["dropped"].items():
        table.add_row(f"candidates dropped: {escape(reason)}", str(count))
    _stdout.print(table)
    if short := [task_id for task_id in report["incomplete"] if task_id not in set(report["few_tests"])]:
        say(f"fewer than {report['k']} scores: {listed(short)}. More --mutants or --solutions may add some.")
    if report["few_tests"]:
        say(
            f"fewer than {report['k'] - 1} tests, which can't give {report['k']} scores: "
            f"{listed(report['few_tests'])}. --more-tests adds tests where those of a problem show inputs."
        )
    by_reason: dict[str, list[str]] = {}
    for task_id, reason in report["left_out"].items():
        by_reason.setdefault(reason, []).append(task_id)
    for reason, task_ids in by_reason.items():
        say(f"left out, {quantity(len(task_ids), 'problem')}: {reason}: {listed(task_ids)}")


def show_estimate(sheet: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a generation would take, and one prompt as it would be sent."""
    if as_json:
        print_json(sheet)
        return
    show_report(sheet["estimate"], as_json=False)
    for message in sheet["prompt"]:
        _stdout.print(f"[bold]{escape(message['role'])}[/]")
        print_text(message["content"])


def _fixed(value: float, form: str = ".3f") -> str:
    return "-" if math.isnan(value) else format(value, form)


def number(value: float | None) -> str:
    """Three significant digits, "-" for what is not defined."""
    return "-" if value is None or math.isnan(value) else f"{value:.3g}"


def show_sandboxes(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print each sandbox backend: whether it works here, what it guarantees, what is missing."""
    if as_json:
        print_json({"sandboxes": list(rows)})
        return
    for row in rows:
        state = "works here" if row["guarantees"] else "does not run here"
        isolates = ", isolates fully" if row["full"] else ""
        versions = ", ".join(f"{name} {version}" for name, version in row["versions"].items())
        _stdout.print(f"[bold]{escape(row['backend'])}[/] {state}{isolates} {escape(versions)}".rstrip())
        if row["why"]:
            _stdout.print(escape(f"  = auto takes it: {row['why']}"))
        for phrase in row["guarantees"]:
            _stdout.print(escape(f"  + {phrase}"))
        for phrase in row["missing"]:
            _stdout.print(escape(f"  - {phrase}"))


def print_text(text: str) -> None:
    """Text on stdout as it is."""
    _stdout.print(escape(text), soft_wrap=True)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, header: bool = True, names: bool = False
) -> None:
    """Print a table of texts on stdout; one without rows is not printed.

    Args:
        columns: what stands above them.
        rows: as many texts each.
        header: whether `columns` are printed.
        names: the first column has names that may be long: a terminal shows them folded.
    """
    table = _table(*columns, header=header)
    if names and _IN_TERMINAL:
        table.columns[0].no_wrap = False
        table.columns[0].max_width = max(20, get_terminal_size().columns // 2)
    for row in rows:
        table.add_row(*map(escape, row))
    if table.rows:
        _stdout.print(table)


def _table(*columns: str, header: bool = True) -> Table:
    table = Table(*columns, show_header=header, box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
    return table
