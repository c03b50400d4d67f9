"""Pictures of every page, light and dark, wide and narrow: `python -m tests.browser.screenshots [--out DIR]`.

Uses the small data folder of the tests, or the one named with `--data`. With `--readme` (`make screenshots`)
it takes the pictures that README.md shows, of the demo, into the place where it shows them.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from core.workspace import Workspace
from tests.browser.app import PROJECT, chromium, running_app, settle
from tests.hunts import write_hunts
from tests.workspace import build_workspace

PAGES = {
    "overview": "/",
    "verifiers": "/verifiers?published=HE-R%2B",
    "curves": "/verifiers?section=How+many+tests",
    "tests": "/verifiers?section=Single+tests",
    "subsets": "/verifiers?section=Fewer+tests",
    "problems": "/problems",
    "problem": "/problem?in=fooled",
    "suites": "/problem?in=fooled&what=two+verifiers%27+tests",
    "distributions": "/distributions",
    "benchmark": "/benchmark",
    "generate": "/generate",
    "bugs": "/bugs?section=Beside+others",
    "run": "/run",
    "evolve": "/evolve",
    "selection": "/evolve?section=Whom+to+test",
    "rounds": "/evolve?section=Rounds",
    "seeds": "/evolve?section=Seeds",
    "publish": "/publish",
}
SMALL_DATA = {
    "problems": "/problems?verifier=model-a+tests",
    "bugs": "/bugs?hunt=tiny-harness+%28harness%29&pair=Tiny%2F0%3Asample-1&answer=1",
    "problem": "/problem?verifier=model-a+tests&problem=Tiny%2F3&also=typed+inputs&also=smoke",
}
README = {
    "problem": (
        "/problem?benchmark=HE-M&verifier=consensus&problem=HumanEval%2F0&in=fooled",
        1318,
    ),
    "verifiers": (
        "/verifiers?benchmark=HE-M&first=typed-inputs&second=docstring",
        1160,
    ),
}
"""Address and height of each picture that README.md shows, by its file's name."""
README_FOLDER = PROJECT / "assets" / "screenshots"
SIZES = {"wide": (1440, 900), "narrow": (480, 900)}


def take(address: str, out: Path, pages: dict[str, str], prefix: str = "") -> list[Path]:
    """Take every page in both themes and both sizes; returns the files."""
    files = []
    with chromium() as browser:
        for theme in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                context = browser.new_context(color_scheme=theme, viewport={"width": width, "height": height})
                page = context.new_page()
                for name, path in pages.items():
                    page.goto(address + path)
                    settle(page)
                    full = page.evaluate(
                        "document.querySelector('[data-testid=stMain]')?.scrollHeight ?? innerHeight"
                    )
                    page.set_viewport_size({"width": width, "height": max(height, int(full))})
                    page.wait_for_timeout(500)
                    file = out / f"{prefix}{name}-{theme}-{size}.png"
                    page.screenshot(path=file)
                    page.set_viewport_size({"width": width, "height": height})
                    files.append(file)
                context.close()
    return files


def take_readme(data: Path) -> list[Path]:
    """Take the pictures of README.md, of a data folder with the demo; returns the files."""
    files = []
    with running_app(data) as address, chromium() as browser:
        for name, (path, height) in README.items():
            context = browser.new_context(color_scheme="light", viewport={"width": 1440, "height": height})
            page = context.new_page()
            page.goto(address + path)
            settle(page)
            files.append(README_FOLDER / f"{name}.png")
            page.screenshot(path=files[-1])
            context.close()
    return files


def main() -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readme", action="store_true", help="those of README.md, of the demo in --data")
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--data", type=Path, help="data folder; default: the small one of the tests")
    parser.add_argument("--only", choices=[*PAGES, "empty"], action="append")
    options = parser.parse_args()
    if options.readme:
        data = options.data or Workspace.default().root
        if not (data / "benchmarks" / "HE-M.jsonl").exists():
            parser.error(f"{data} has no demo: `make demo` builds it")
        print("\n".join(str(file) for file in take_readme(data)))
        return
    options.out.mkdir(parents=True, exist_ok=True)
    pages = PAGES if options.data else PAGES | SMALL_DATA
    wanted = {name: path for name, path in pages.items() if not options.only or name in options.only}
    with tempfile.TemporaryDirectory() as folder:
        if not options.data:
            write_hunts(build_workspace(Path(folder) / "data"))
        data = options.data or Path(folder) / "data"
        with running_app(data) as address:
            files = take(address, options.out, wanted)
        if not options.only or "empty" in options.only:
            with running_app(Path(folder) / "empty") as address:
                files += take(address, options.out, {"empty": "/"})
    print("\n".join(str(file) for file in files))


if __name__ == "__main__":
    main()
