"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Undefined = Annotated[
    Literal["nan", "zero"], typer.Option(help="What an undefined correlation counts as; `zero` as published.")
]
Bootstrap = Annotated[int, typer.Option(min=0, help="Replicates of the intervals; 0 for none.")]
