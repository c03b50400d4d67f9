"""`fetch`: a data set of the hub into the data folder, as it is."""

from __future__ import annotations

import sys
from pathlib import Path

from core import hub, terminal
from core.commands.common import Sheet, long_work, workspace_at
from core.errors import InputError
from core.jobs import job_folder, working
from core.views.intake import take_in


def fetch(name: str, root: Path | None, endpoint: str | None = None) -> Sheet:
    """Download a data set and keep its files where their kind belongs: a scored one becomes a benchmark."""
    workspace, wanted = workspace_at(root), hub.find(name)
    folder = job_folder(workspace.benchmark_file(wanted.name))
    kept = []
    with long_work() as say, working(folder, sys.argv[1:], say) as on_progress:
        for path in hub.fetch(wanted, on_progress, endpoint=endpoint):
            found = take_in(workspace, path)
            for row in found.report.problems.itertuples():
                terminal.say(f"skipped: {path.name}:{row.line}: {row.field}: {row.message}")
            if found.saved is None:
                raise InputError(f"{path.name}: {found.report.fatal or found.advice}")
            kept.append({"file": str(found.saved), "kind": found.kind, "rows": found.report.valid})
    return {"dataset": wanted.dataset, "part": wanted.part, "kept": kept}
