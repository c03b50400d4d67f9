"""How a command line that can't be understood is answered."""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperGroup

_HINTS: Final = {"sandbox": "`python -m core sandboxes` says which of them work here"}
"""Where to read on, by the name of the option."""


class Commands(TyperGroup):
    """The commands; what an option can't take is said without the words of the option library."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]  # its own name for it is private
        """Run the command that the line names.

        Raises:
            BadParameter: an option or argument can't take its value.
        """
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            if error.param is not None and (hint := _HINTS.get(error.param.name or "")):
                error.message = f"{error.message.removesuffix('.')}; {hint}."
            raise
