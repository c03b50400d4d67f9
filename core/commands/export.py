"""`export`: what goes into a paper, from finished runs and hunts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from core.commands.common import (
    Sheet,
    long_work,
    refuse_unwritable,
    say_row_error,
    without_jobs,
    workspace_at,
)
from core.jobs import forget, working
from core.publish.bundle import refuse_folder, write
from core.publish.figures import Waiting, waiting
from core.publish.manifest import EXPORT
from core.publish.options import Options
from core.publish.source import gather
from core.scoring import Undefined


def export(paths: Sequence[Path], out: Path, options: Options, undefined: Undefined) -> Sheet:
    """Write figures, tables, report and data of some runs and hunts into a folder; nothing is run.

    Among several paths the folder of a job that is neither is passed over: `runs/*` may hold one.
    """
    refuse_folder(out)
    if not out.exists():
        refuse_unwritable(out)
    with long_work("the same command makes it again") as on_progress:
        source = gather(without_jobs(paths, hunts=True), undefined=undefined, on_progress=on_progress)
        options.chosen(source)
        for error in (error for table in source.given for error in table.errors):
            say_row_error(error)
        with working(out, sys.argv[1:], on_progress) as tell:
            manifest = write(
                source,
                out,
                options,
                command=sys.argv[1:],
                benchmark_files=workspace_at(None).benchmark_files(),
                on_progress=tell,
            )
    forget(out)
    return {
        "out": str(out),
        "manifest": EXPORT,
        "figures": len(manifest["figures"]),
        "files": len(manifest["files"]),
        "bytes": sum(file["bytes"] for file in manifest["files"]),
        "waiting": [_waits(one) for one in waiting(options.chosen(source))],
    }


def _waits(one: Waiting) -> str:
    table = f", or a CSV with {', '.join(one.columns)}" if one.columns else ""
    return f"{one.name} ({one.paper}): {one.needs}{table}"
