"""What an export is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.errors import InputError
from core.figures.venues import venue as venue_named
from core.publish.figures import Figure, figures
from core.publish.source import Source
from core.views.published import published_benchmarks

FORMATS: Final[Mapping[str, str]] = {
    "pdf": "figures, vectors",
    "svg": "figures, vectors",
    "png": "figures, 300 dpi",
    "csv": "the numbers behind figures and tables",
    "tex": "tables, and figures with their captions",
    "html": "the report, one file",
    "md": "tables as Markdown",
    "jsonl": "benchmark, suites and verdicts as data sets",
    "parquet": "outcomes, a row a cell",
    "zip": "everything in one file",
}
"""What an export can hold, with a few words on each."""
USUAL: Final = ("pdf", "svg", "png", "csv", "tex", "html")
"""What an export holds unless it is asked for something else."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to make.

    Attributes:
        venue: a key of `core.figures.venues.VENUES`, or a free size.
        formats: of `FORMATS`.
        figures: keys of the figures wanted; empty for all.
        published: the paper's benchmark whose results stand beside; "" for the one of the same name, if any.
        intervals: whether tables print them.
    """

    venue: str = "neurips"
    formats: tuple[str, ...] = USUAL
    figures: tuple[str, ...] = ()
    published: str = ""
    intervals: bool = True

    def __post_init__(self) -> None:
        """Refuse what there is not.

        Raises:
            InputError: an unknown format, venue or published benchmark.
        """
        if unknown := [name for name in self.formats if name not in FORMATS]:
            raise InputError(f"no format {unknown[0]!r}; there are {', '.join(FORMATS)}")
        if not self.formats:
            raise InputError(f"no format is asked for; there are {', '.join(FORMATS)}")
        if self.published and self.published not in published_benchmarks():
            known = ", ".join(published_benchmarks())
            raise InputError(f"no published benchmark {self.published!r}; there are {known}")
        try:
            venue_named(self.venue)
        except ValueError as error:
            raise InputError(str(error)) from error

    def beside(self, source: Source) -> dict[str, str]:
        """Name of a benchmark -> the published benchmark that stands beside it."""
        names = {one.name: self.published or one.name for one in source.benchmarks}
        return {name: other for name, other in names.items() if other in published_benchmarks()}

    def chosen(self, source: Source) -> tuple[Figure, ...]:
        """The figures asked for.

        Raises:
            InputError: one that the source does not give.
        """
        found = figures(source, self.beside(source))
        known = [figure.key for figure in found]
        if unknown := [key for key in self.figures if key not in known]:
            raise InputError(f"no figure {unknown[0]!r}; there are {', '.join(known)}")
        return tuple(figure for figure in found if not self.figures or figure.key in self.figures)

    def plain(self) -> dict[str, Any]:
        """The options as the manifest has them."""
        return {
            "venue": self.venue,
            "formats": list(self.formats),
            "figures": list(self.figures) or "all",
            "published": self.published,
            "intervals": self.intervals,
        }
