"""The corpus through every backend that works here, as a table: `python -m tests.attacks [BACKEND ...]`."""

from __future__ import annotations

import sys

from sandbox import survey
from tests.attacks.report import run_apart, sums

_HEADER = "| backend | attacks | verdicts | forged | lost | of the wrong kind | left behind | owned up |"


def main(names: list[str]) -> int:
    """Print the table; 0 if nothing was forged, lost, mistaken or left behind."""
    clean = True
    notes: list[str] = []
    print(_HEADER, "|---" * _HEADER.count("| ") + "|", sep="\n", flush=True)
    for row in survey():
        if names and row.backend not in names:
            continue
        if not row.guarantees:
            notes.append(f"{row.backend}: {'; '.join(row.missing)}")
            continue
        report = run_apart(row.backend)
        if report["error"]:
            notes.append(f"{row.backend}: {report['error']}")
            clean = False
            continue
        found = sums(report)
        cells = (
            row.backend, found.attacks, found.verdicts, found.forged, found.lost, found.mistaken,
            len(found.left), found.owned_up,
        )  # fmt: skip
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        notes += [f"{row.backend}: {note}" for note in (*found.wrong, *found.left)]
        clean = clean and not (found.wrong or found.left)
    print("", *notes, sep="\n")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
