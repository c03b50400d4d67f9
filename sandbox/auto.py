"""Which backend `auto` takes, and why; and what every backend guarantees here."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from sandbox import backends
from sandbox.contract import Isolation, SandboxError, SandboxUnavailableError
from sandbox.pool import PooledSandbox


def open_strongest(workers: int) -> PooledSandbox:
    """Open the first backend in the order of `BACKENDS` that isolates fully, else the first that works.

    Raises:
        SandboxUnavailableError: none works.
    """
    rows: list[Isolation] = []
    fallback: PooledSandbox | None = None
    for row, sandbox in _try_all(workers):
        rows.append(row)
        if sandbox is not None and row.full:
            if fallback is not None:
                fallback.close()
            sandbox.chosen = _why(row, rows)
            return sandbox
        if sandbox is not None and fallback is None:
            fallback = sandbox
        elif sandbox is not None:
            sandbox.close()
    if fallback is None:
        raise SandboxUnavailableError("no sandbox works here: " + "; ".join(_reason(row) for row in rows))
    fallback.chosen = _why(fallback.isolation, rows)
    return fallback


def survey() -> list[Isolation]:
    """What every backend guarantees on this machine; the one that `auto` takes says why.

    One that can't run here has no guarantees, and its reason in `missing`.
    """
    rows = []
    for row, sandbox in _try_all(workers=1):
        rows.append(row)
        if sandbox is not None:
            sandbox.close()
    working = [row for row in rows if row.guarantees]
    best = next((row for row in working if row.full), working[0] if working else None)
    return [dataclasses.replace(row, why=_why(row, rows)) if row is best else row for row in rows]


def _try_all(workers: int) -> Iterator[tuple[Isolation, PooledSandbox | None]]:
    """Each backend opened in turn; the caller closes it."""
    for name, make in backends.BACKENDS.items():
        try:
            sandbox = PooledSandbox(make(), workers)
        except SandboxError as error:
            yield Isolation(name, missing=(f"not available: {error}",)), None
        else:
            yield sandbox.isolation, sandbox


def _why(best: Isolation, rows: Sequence[Isolation]) -> str:
    before = [row for row in rows[: [row.backend for row in rows].index(best.backend)] if not row.full]
    passed_over = "".join(f"; {_reason(row)}" for row in before)
    if best.full:
        return f"the first of {', '.join(backends.BACKENDS)} that isolates fully here{passed_over}"
    others = "".join(f"; {_reason(row)}" for row in rows if row.backend != best.backend)
    return f"no backend isolates fully here; this is the first that works{others}"


def _reason(row: Isolation) -> str:
    return f"{row.backend} {'lacks' if row.guarantees else 'is'} {', '.join(row.missing)}".replace(
        f"is not available: {row.backend}: ", "is not available: "
    )
