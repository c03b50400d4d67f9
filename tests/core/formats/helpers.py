"""Rows to files, for the tests of formats."""

from __future__ import annotations

import json
from typing import Any


def jsonl(*rows: Any) -> bytes:
    """JSON lines; a text is a line as it is."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    return "".join(line + "\n" for line in lines).encode()


ADD = {
    "task_id": "Own/1",
    "prompt": 'def add(a, b):\n    """Sum."""\n',
    "entry_point": "add",
    "canonical_solution": "    return a + b\n",
    "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(0, 0) == 0\n",
}
