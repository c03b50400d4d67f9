"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import typer

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Backend: TypeAlias = Annotated[
    Literal["auto", "process", "bubblewrap", "docker"],
    typer.Option("--sandbox", help="Where programs run; `auto` takes the strongest that works here."),
]
Undefined: TypeAlias = Annotated[
    Literal["nan", "zero"], typer.Option(help="What an undefined correlation counts as; `zero` as published.")
]
Bootstrap: TypeAlias = Annotated[
    int, typer.Option(min=0, max=100_000, help="Replicates of the intervals; 0 for none.")
]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Programs run at once; default: one a core.")
]
Seed: TypeAlias = Annotated[int, typer.Option(min=0, help="Decides all draws.")]
FILE: dict[str, Any] = {"exists": True, "dir_okay": False}
"""What makes an option name a file that has to be there."""
Cluster: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="local|ADDRESS", help="Run programs on a Ray cluster: local, auto or HOST:PORT."),
]
