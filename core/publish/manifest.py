"""What an export was made from and what it holds: enough to make it again and to tell whether it changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from core.files import sha256
from core.publish.figures import Figure, waiting
from core.publish.source import Source
from core.store import installed_versions, now

EXPORT: Final = "export.json"
"""Name of the manifest. Not manifest.json: an export is no run."""
SCHEMA_VERSION: Final = 1
_DRAWN_BY: Final = ("matplotlib", "plotly", "tueplots", "jinja2")


def describe(
    source: Source,
    found: Sequence[Figure],
    *,
    command: Sequence[str],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The manifest without its files: inputs with hashes, versions, seed, options, command.

    Args:
        source: runs and hunts.
        found: the figures that were made.
        command: arguments after `python -m core` that make the same again.
        options: what else shapes the files.
    """
    seeds = sorted({run.evaluation.seed for run in source.runs})
    return {
        "schema_version": SCHEMA_VERSION,
        "made": now(),
        "command": ["python", "-m", "core", *command],
        "options": {**options, "undefined": source.undefined},
        "seed": seeds[0] if seeds else 0,
        "resamples": max((run.evaluation.bootstrap for run in source.runs), default=0),
        "versions": versions(),
        "inputs": list(_inputs(source)),
        "figures": [{"key": one.key, "shows": one.name, "paper": one.paper} for one in found],
        "waiting": [dataclasses.asdict(one) for one in waiting(found)],
    }


def versions() -> dict[str, str]:
    """Python, the packages that shape numbers, and those that draw."""
    return installed_versions() | {name: metadata.version(name) for name in _DRAWN_BY}


def listed(folder: Path, files: Iterable[Path]) -> list[dict[str, Any]]:
    """Files of an export with their sizes and hashes, by name."""
    return [
        {"file": path.relative_to(folder).as_posix(), "bytes": path.stat().st_size, "sha256": sha256(path)}
        for path in sorted(files)
    ]


def _inputs(source: Source) -> Iterable[dict[str, Any]]:
    for run in source.runs:
        manifest = run.manifest
        yield {
            "kind": "run",
            "folder": run.name,
            "name": manifest.name,
            "verifier": manifest.verifier,
            "verifier_kind": manifest.verifier_kind.value,
            "benchmark": manifest.benchmark,
            "benchmark_sha256": manifest.benchmark_sha256,
            "tests_sha256": manifest.tests_sha256,
            "manifest_sha256": sha256(run.folder / "manifest.json"),
            "made": manifest.created,
            "backend": manifest.backend,
            "limits": dataclasses.asdict(manifest.limits),
            "repeat": manifest.repeat,
            "seed": manifest.seed,
            "versions": dict(manifest.versions),
            "command": list(manifest.command),
            "problems": manifest.n_problems,
            "solutions": manifest.n_solutions,
            "tests": manifest.n_tests,
            "cells": manifest.n_cells,
            "outcomes": dict(manifest.outcome_counts),
        }
    for hunt in source.hunts:
        yield {
            "kind": "hunt",
            "folder": hunt.folder.name,
            "made": hunt.record.created,
            "backend": hunt.record.backend,
            "identity": dict(hunt.record.identity),
            "manifest_sha256": sha256(hunt.folder / "hunt.json"),
            "command": list(hunt.record.command),
        }
    for table in source.given:
        yield {
            "kind": "table",
            "folder": table.path.name,
            "shows": table.kind.named[0],
            "manifest_sha256": sha256(table.path),
            "rows": len(table.rows),
            "left_out": len(table.errors),
        }
