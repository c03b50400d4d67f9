"""The report: one HTML file that needs no network, from a disk or out of an e-mail.

Text from files is escaped by the template engine, and the page's own policy lets no other script run than
the two it was written with, known by their hashes, and lets nothing be fetched from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core.figures import embed
from core.figures.palette import OUTCOMES
from core.publish.figures import Figure
from core.publish.source import Source
from core.publish.table import PUBLISHED, Table, printed
from core.publish.worst import worst
from core.words import quantity

_ASSETS: Final = Path(__file__).resolve().parents[2] / "assets" / "report"
_WORST_EACH: Final = 5
_MOST_WORST: Final = 40  # of all verifiers together: they are what a report grows by


def write(
    path: Path,
    source: Source,
    figures: Sequence[Figure],
    tables: Sequence[Table],
    manifest: Mapping[str, Any],
) -> None:
    """Write the report.

    Args:
        path: the file.
        source: runs and hunts.
        figures: those to show, each of which can be hovered.
        tables: those to show.
        manifest: what it was made from (`core.publish.manifest`).
    """
    script = (_ASSETS / "report.js").read_text(encoding="utf-8")
    plotly = embed.script()
    charts = [figure.make() for figure in figures]
    each = max(1, min(_WORST_EACH, _MOST_WORST // max(1, len(source.runs))))
    groups = [
        group
        for at, one in enumerate(source.benchmarks)
        for group in worst(one, each, first=at == 0)
        if group.problems
    ]
    text = (
        _environment()
        .get_template("report.html")
        .render(
            title=_title(source),
            subtitle=_subtitle(source, manifest),
            policy=_policy(plotly, script),
            style=_trusted((_ASSETS / "report.css").read_text(encoding="utf-8") + _outcome_css()),
            script=_trusted(script),
            plotly=_trusted(plotly),
            tables=[_plain(table) for table in tables],
            charts=[
                {"alt": chart.alt, "caption": chart.caption, "data": _trusted(embed.data(chart))}
                for chart in charts
            ],
            problems=groups,
            problems_note=f"Up to {each} of each verifier: lowest Top-1 first, then lowest Spearman.",
            outcomes=list(OUTCOMES.values()),
            command=shlex.join(manifest["command"]),
            inputs=[
                {
                    "name": one.get("name", one["folder"]),
                    "benchmark": one.get("benchmark", ""),
                    "made": one.get("made", ""),
                    "backend": one.get("backend", ""),
                    "seed": one.get("seed", one.get("identity", {}).get("seed", "")),
                    "sha256": one["manifest_sha256"],
                }
                for one in manifest["inputs"]
            ],
            waiting=manifest["waiting"],
            manifest=json.dumps(manifest, ensure_ascii=False, indent=1),
        )
    )
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def _trusted(text: str) -> Markup:
    """Text that Touchstone itself made: its stylesheet, its scripts, JSON without any tag in it."""
    return Markup(text)  # noqa: S704 - never text from files


def _policy(*scripts: str) -> str:
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _outcome_css() -> str:
    light = "".join(f".o-{s.letter}{{background:{s.fill()};color:{s.ink()}}}" for s in OUTCOMES.values())
    dark = "".join(
        f".o-{s.letter}{{background:{s.fill(dark=True)};color:{s.ink(dark=True)}}}" for s in OUTCOMES.values()
    )
    return f"{light}@media (prefers-color-scheme: dark){{{dark}}}"


def _title(source: Source) -> str:
    hunts = ", ".join(hunt.folder.name for hunt in source.hunts)
    if source.benchmarks:
        on = ", ".join(one.name for one in source.benchmarks)
        return f"Verifiers on {on}{f', {hunts}' if hunts else ''}"
    return f"Hunts: {hunts}" if hunts else f"Figures from {', '.join(one.path.name for one in source.given)}"


def _subtitle(source: Source, manifest: Mapping[str, Any]) -> str:
    problems = sum(one.runs[0].manifest.n_problems for one in source.benchmarks)
    cells = sum(run.manifest.n_cells for run in source.runs)
    parts = (
        [quantity(len(source.runs), "verifier"), quantity(problems, "problem"), quantity(cells, "cell")]
        if source.runs
        else []
    )
    parts += [quantity(len(source.hunts), "hunt")] if source.hunts else []
    parts += [quantity(len(source.given), "table")] if source.given else []
    made = manifest["made"].replace("T", " ").removesuffix("+00:00")
    return f"{', '.join(parts)}; made {made} UTC with Touchstone"


def _plain(table: Table) -> dict[str, Any]:
    groups = [(name, len(list(columns))) for name, columns in groupby(table.columns, key=lambda c: c.group)]
    return {
        "caption": table.caption,
        "stub": table.stub,
        "heads": [column.head for column in table.columns],
        "groups": groups if any(name for name, _ in groups) else [],
        "rows": list(_rows(table)),
    }


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    before = ""
    for row in table.rows:
        cells = []
        for value, column in zip(row.values, table.columns, strict=True):
            number, interval = printed(value, column)
            cells.append({"number": number, "interval": interval, "place": value.place})
        name = f"{row.name} {PUBLISHED}" if row.published else row.name
        yield {"group": row.group if row.group != before else "", "name": name, "cells": cells}
        before = row.group
