"""Everything of an export into one folder: figures, tables, report, data, manifest, and one zip of it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from core.errors import InputError
from core.figures import Chart, paper
from core.figures.venues import venue as venue_named
from core.files import replacing, write_json
from core.hunting.folder import is_hunt
from core.metrics import bootstrap_in_words
from core.progress import OnProgress, Progress
from core.publish import datasets, hunts, report, tables
from core.publish.escape import distinct, for_latex, for_markdown
from core.publish.figures import Figure, studies
from core.publish.manifest import EXPORT, describe, listed
from core.publish.options import Options
from core.publish.source import Source
from core.publish.table import Table, to_csv, to_latex, to_markdown
from core.store.manifest import MANIFEST
from core.views.curves import BOOTSTRAP, SEED, study
from core.views.published import published_rows

ZIP: Final = "export.zip"
Step: TypeAlias = tuple[str, Callable[[Path], object]]
"""A file's name below the folder, and what writes it."""


def write(
    source: Source,
    out: Path,
    options: Options,
    *,
    command: Sequence[str],
    benchmark_files: Sequence[Path] = (),
    on_progress: OnProgress = lambda _: None,
) -> dict[str, Any]:
    """Write an export; returns its manifest, which `export.json` holds.

    A file that is there already is replaced; nothing else in the folder is touched.

    Args:
        source: runs and hunts.
        out: the folder; made if it is missing.
        options: what to make.
        command: arguments after `python -m core` that make the same again.
        benchmark_files: where the reference tests of a benchmark are looked for, which no run keeps.
        on_progress: told of each file.

    Raises:
        InputError: the folder can't be used, or a figure is unknown.
    """
    refuse_folder(out)
    wanted = options.chosen(source)
    if {"tex", "md", "csv", "html"} & set(options.formats) or any(figure.studied for figure in wanted):
        for run in (run for benchmark in source.benchmarks for run in benchmark.tested):
            study(run.folder, undefined=source.undefined, on_progress=on_progress)
    made = cache(lambda: tables_of(source, options))
    manifest = describe(source, wanted, command=command, options=options.plain())
    steps = [*_figure_steps(wanted, options), *_table_steps(made, options)]
    total = len(steps) + ("html" in options.formats) + len(source.runs) * _data_formats(options)
    files: list[Path] = []

    def tell(name: str) -> None:
        on_progress(Progress("exporting", min(len(files), total), total, "files", message=name))

    for name, fill in steps:
        tell(name)
        files.append(_filled(out / name, fill))
    if _data_formats(options):
        files += _data(source, out / "data", options, benchmark_files, tell)
    if "html" in options.formats:
        tell("report.html")
        files.append(
            _filled(
                out / "report.html",
                partial(report.write, source=source, figures=wanted, tables=made(), manifest=manifest),
            )
        )
    manifest["files"] = listed(out, files)
    write_json(out / EXPORT, manifest)
    if "zip" in options.formats:
        write_zip(out, [*files, out / EXPORT], out / ZIP)
    on_progress(Progress("exporting", total, total, "files"))
    return manifest


def tables_of(source: Source, options: Options, *, studied: bool = True) -> tuple[Table, ...]:
    """Every table of a source; without those that need a study of suite size unless `studied`."""
    found = list(_tables_of(source, options, studied=studied))
    keys = distinct([table.file for table in found])
    return tuple(replace(table, key=key) for table, key in zip(found, keys, strict=True))


def _tables_of(source: Source, options: Options, *, studied: bool) -> Iterator[Table]:
    if source.benchmarks:
        runs = {one.name: one.runs for one in source.benchmarks}
        beside = {name: published_rows(other) for name, other in options.beside(source).items()}
        yield tables.results(runs, beside)
        yield tables.benchmark_sizes(runs)
    for benchmark in source.benchmarks:
        if table := tables.outcomes(benchmark.name, benchmark.runs):
            yield table
        if studied and benchmark.tested:
            found = studies(benchmark, source.undefined)
            basis = f"{bootstrap_in_words(BOOTSTRAP)}; seed {SEED}"
            yield tables.scaling(benchmark.name, {name: one.scaling for name, one in found.items()}, basis)
            for name, one in found.items():
                draws = max((p.draws for p in one.saturation), default=0)
                basis = f"95% CI of the mean over {draws:,} draws; seed {SEED}"
                yield tables.saturation(benchmark.name, name, one.saturation, basis)
    if source.hunts:
        named = hunts.named(source.hunts)
        yield tables.bug_finding(named, hunts.RATES, str(hunts.basis(named)))


def figure_tex(key: str, chart: Chart, venue: str = "neurips") -> str:
    """A `figure` environment around the figure's PDF, with its caption; every text is printed as it is.

    Where the venue's width is that of both columns it is a `figure*`.
    """
    environment = "figure*" if venue_named(venue).spans else "figure"
    return "\n".join(
        (
            "% needs \\usepackage{graphicx}; what the figure shows, for a reader who can't see it:",
            f"% {for_latex(chart.alt)}",
            f"\\begin{{{environment}}}[t]",
            "\\centering",
            f"\\includegraphics{{figures/{key}.pdf}}",
            f"\\caption{{{for_latex(chart.caption)}}}",
            f"\\label{{fig:{key}}}",
            f"\\end{{{environment}}}",
            "",
        )
    )


def write_zip(folder: Path, files: Sequence[Path], target: Path) -> None:
    """Some files of a folder as one zip, the same bytes for the same files."""
    with replacing(target) as beside, zipfile.ZipFile(beside, "w") as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with path.open("rb") as file, archive.open(info, "w", force_zip64=True) as entry:
                while piece := file.read(1 << 20):
                    entry.write(piece)


def refuse_folder(out: Path) -> None:
    """Refuse to write into a file, a run or a hunt, or below one.

    Raises:
        InputError: it is one.
    """
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; expected a folder")
    whole = out.resolve()
    for folder in (whole, *whole.parents):
        if (folder / MANIFEST).exists() or is_hunt(folder):
            raise InputError(f"{out}: {folder} holds a run or a hunt; expected a folder outside of it")


def _figure_steps(wanted: Sequence[Figure], options: Options) -> Iterator[Step]:
    for figure in wanted:
        chart, name = cache(figure.make), f"figures/{figure.key}"
        for kind in paper.FORMATS:
            if kind in options.formats:
                yield f"{name}.{kind}", partial(_draw, chart=chart, kind=kind, venue=options.venue)
        if "csv" in options.formats:
            yield f"{name}.csv", partial(_text, make=partial(_csv, chart))
        if "tex" in options.formats:
            yield f"{name}.tex", partial(_text, make=partial(_tex, figure.key, chart, options.venue))


def _table_steps(made: Callable[[], Sequence[Table]], options: Options) -> Iterator[Step]:
    if not {"tex", "md", "csv"} & set(options.formats):
        return
    kinds: Mapping[str, Callable[[Table], str]] = {
        "tex": partial(to_latex, intervals=options.intervals),
        "md": partial(to_markdown, intervals=options.intervals),
        "csv": to_csv,
    }
    for table in made():
        for kind, render in kinds.items():
            if kind in options.formats:
                yield f"tables/{table.file}.{kind}", partial(_text, make=partial(render, table))


def _data_formats(options: Options) -> int:
    return ("jsonl" in options.formats) + ("parquet" in options.formats)


def _data(
    source: Source,
    folder: Path,
    options: Options,
    benchmark_files: Sequence[Path],
    tell: Callable[[str], None],
) -> list[Path]:
    written = datasets.Written(folder)
    notes = []
    for benchmark in source.benchmarks if "jsonl" in options.formats else ():
        tell(benchmark.name)
        found, whole = datasets.benchmark_of(benchmark, benchmark_files)
        if not whole:
            name = for_markdown(benchmark.name)
            notes.append(f"The reference tests of {name} are not in these files: a run keeps none.")
        datasets.write_benchmark_files(found, benchmark.name, written)
    for run in source.runs:
        tell(run.name)
        if "jsonl" in options.formats:
            datasets.write_run_files(run, written)
        if "parquet" in options.formats:
            datasets.write_tables(run, written)
    datasets.write_card(written, notes)
    return written.files


def _filled(path: Path, fill: Callable[[Path], object]) -> Path:
    with replacing(path) as beside:
        fill(beside)
    return path


def _draw(path: Path, chart: Callable[[], Chart], kind: str, venue: str) -> None:
    path.write_bytes(paper.render(chart(), kind, venue=venue))


def _csv(chart: Callable[[], Chart]) -> str:
    return chart().to_csv()


def _tex(key: str, chart: Callable[[], Chart], venue: str) -> str:
    return figure_tex(key, chart(), venue)


def _text(path: Path, make: Callable[[], str]) -> None:
    path.write_text(make(), encoding="utf-8", newline="")
