"""The Publish page: a figure as it will print, tables as LaTeX, and exports as jobs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core import jobs
from core.figures import Chart, paper
from core.figures.venues import VENUES, venue
from core.hunting.folder import Hunt, is_hunt, open_hunt
from core.publish.bundle import ZIP, figure_tex, tables_of
from core.publish.given import Given, read_given
from core.publish.manifest import EXPORT
from core.publish.options import FORMATS, USUAL, Options
from core.publish.source import Source, grouped
from core.publish.table import to_csv, to_latex, to_markdown
from core.views.curves import AT_ONCE, unstudied_cells
from core.views.runs import RunSummary, Undefined
from core.words import quantity
from core.workspace import Workspace, safe_name

__all__ = ["FORMATS", "USUAL", "VENUES", "Given", "Options", "read_given"]

_PIXELS_PER_INCH = 96  # of CSS, by definition


@dataclass(frozen=True, slots=True)
class Preview:
    """A figure as it will print.

    Attributes:
        png: 300 dots per inch.
        pixels: width on screen that is its true width.
        size: width, height and type, in words.
    """

    png: bytes
    pixels: int
    size: str


@dataclass(frozen=True, slots=True)
class TableFiles:
    """A table in the three forms it is written in."""

    name: str
    title: str
    latex: str
    markdown: str
    csv: str


@dataclass(frozen=True, slots=True)
class Made:
    """A finished export.

    Attributes:
        zip, report: the files to take away; None where they were not asked for.
        about: when it was made and what it holds, in words.
    """

    name: str
    folder: Path
    about: str
    zip: Path | None
    report: Path | None


def source_of(
    summaries: Sequence[RunSummary], hunts: Sequence[Hunt], undefined: Undefined, given: Sequence[Given] = ()
) -> Source:
    """What figures are made from."""
    return Source(grouped(summaries), tuple(hunts), tuple(given), undefined)


def finished_hunts(workspace: Workspace) -> tuple[Hunt, ...]:
    """The finished hunts among the runs of the data folder, by name."""
    folders = [path for path in sorted(workspace.runs_dir.glob("*")) if is_hunt(path)]
    return tuple(hunt for hunt in map(open_hunt, folders) if hunt.record.finished)


def heavy(source: Source) -> bool:
    """Whether the studies of suite size take so long that they are better left to an export."""
    runs = ((run.folder, run.manifest.n_cells) for run in source.runs)
    return unstudied_cells(runs, source.undefined) > AT_ONCE


def free_size(inches: float, points: float) -> str:
    """The name of a free size."""
    return f"{inches:g}in,{points:g}pt"


def preview(chart: Chart, name: str) -> Preview:
    """A figure at the width of a venue."""
    png = paper.render(chart, "png", venue=name)
    where = venue(name)
    width, height = (int.from_bytes(png[at : at + 4], "big") / 300 for at in (16, 20))
    points = f"labels {where.sizes['axes.labelsize']:g} pt, ticks {where.sizes['xtick.labelsize']:.2g} pt"
    return Preview(
        png, round(width * _PIXELS_PER_INCH), f"{width:.2f} \N{MULTIPLICATION SIGN} {height:.2f} in, {points}"
    )


def figure_file(key: str, chart: Chart, kind: str, name: str) -> bytes:
    """A figure in one of its formats: pdf, svg, png, csv or tex."""
    if kind == "csv":
        return chart.to_csv().encode()
    if kind == "tex":
        return figure_tex(key, chart, name).encode()
    return paper.render(chart, kind, venue=name)


def table_files(source: Source, options: Options) -> tuple[TableFiles, ...]:
    """Every table of a source; where its studies of suite size are `heavy`, those that need none."""
    return tuple(
        TableFiles(
            table.file,
            table.title,
            to_latex(table, intervals=options.intervals),
            to_markdown(table, intervals=options.intervals),
            to_csv(table),
        )
        for table in tables_of(source, options, studied=not heavy(source))
    )


def start_export(workspace: Workspace, source: Source, options: Options, name: str) -> str:
    """Start an export as a job in a folder of this name, made again if it is there; returns the name.

    Raises:
        JobError: it is being made already.
        InputError: the name can't be one.
    """
    folder = workspace.export_dir(safe_name(name))
    plain = replace(options, formats=tuple(dict.fromkeys((*options.formats, "zip"))))
    command = [
        "export",
        *(str(run.folder) for run in source.runs),
        *(str(hunt.folder) for hunt in source.hunts),
        *(str(table.path) for table in source.given),
        *jobs.spelled(
            {
                "--out": folder,
                "--venue": plain.venue,
                "--formats": ",".join(plain.formats),
                "--undefined": source.undefined,
                "--published": plain.published or None,
            }
        ),
        *(() if plain.intervals else ("--no-intervals",)),
    ]
    return jobs.start(command, folder, {"TOUCHSTONE_DATA": str(workspace.root)}).folder.name


def exports(workspace: Workspace) -> tuple[Made, ...]:
    """The finished exports of the data folder, newest first; folders that can't be read are left out."""
    found = sorted(
        workspace.exports_dir.glob(f"*/{EXPORT}"), key=lambda path: path.stat().st_mtime_ns, reverse=True
    )
    return tuple(made for path in found if (made := _made(path)) is not None)


def _made(path: Path) -> Made | None:
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        size = sum(int(file["bytes"]) for file in manifest["files"]) / 2**20
        formats = [str(name) for name in manifest["options"]["formats"]]
        when = str(manifest["made"]).replace("T", " ").removesuffix("+00:00")
        about = (
            f"{when} UTC \N{MIDDLE DOT} {len(manifest['figures'])} figures \N{MIDDLE DOT} "
            f"{quantity(len(manifest['files']), 'file')} \N{MIDDLE DOT} {size:.1f} MiB \N{MIDDLE DOT} "
            f"{manifest['options']['venue']}: {', '.join(name for name in formats if name != 'zip')}"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    folder = path.parent
    archive, report = folder / ZIP, folder / "report.html"
    return Made(
        folder.name,
        folder,
        about,
        archive if archive.exists() and "zip" in formats else None,
        report if report.exists() and "html" in formats else None,
    )
