"""Make the pictures of the documentation: a wrong implementation is judged, and its page is opened in Chromium.

    python docs/pictures/make.py

Needs `chromium` and the development extra. What is to be seen changes with the page and with nothing else: neither
times nor places of this machine stand in the pictures.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
TARGET = "python:treeproof.mutants.list_directory.registry:MUT_008"
# Nothing sticks, nothing is left out for being far away.
UNMOVED = ".filter { display: none !important } .requirement { content-visibility: visible !important }"
LARGEST = 150_000  # bytes a picture: a README is read on slow lines, too


def judged(into: Path) -> Path:
    """Judge the wrong implementation and return its page. Raises SystemExit when it is not found wrong."""
    page = into / "report.html"
    words = [sys.executable, "-m", "treeproof", "run", TARGET, "--report", f"html={page}"]
    done = subprocess.run(words, cwd=HERE.parent.parent, capture_output=True, text=True, check=False)
    if done.returncode != 1:
        raise SystemExit(f"exit {done.returncode} and not 1:\n{done.stdout[-800:]}{done.stderr[-800:]}")
    return page


def taken(page: Page, name: str) -> None:
    """Take both pictures of an open page. Raises SystemExit for one that is too large."""
    page.evaluate("scrollTo(0, 0)")
    last = page.locator(".map").bounding_box()
    assert last is not None
    _save(page, f"report-{name}.png", 0, last["y"] + last["height"] + 24)
    page.add_style_tag(content=UNMOVED)
    page.evaluate("document.activeElement.blur()")
    failed = page.locator("[data-verdict=FAIL]").first
    card, scenario = failed.bounding_box(), failed.locator(".scenario").first.bounding_box()
    assert card is not None and scenario is not None
    above = page.evaluate("scrollY")
    top = card["y"] + above
    _save(page, f"failure-{name}.png", top - 16, scenario["y"] + scenario["height"] + above - top + 32)


def _save(page: Page, name: str, top: float, height: float) -> None:
    clip = {"x": 0, "y": max(top, 0), "width": 900, "height": height}
    data = page.screenshot(clip=clip, full_page=True)  # type: ignore[arg-type]
    if len(data) > LARGEST:
        raise SystemExit(f"{name}: {len(data)} bytes; {LARGEST} are allowed")
    (HERE / name).write_bytes(data)
    print(f"docs/pictures/{name}: {len(data)} bytes")


def main() -> int:
    """Make all pictures; return the exit code."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = judged(Path(folder))
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-lcd-text"]
        )
        for name in ("light", "dark"):
            context = chromium.new_context(
                viewport={"width": 900, "height": 900},
                color_scheme="light" if name == "light" else "dark",
                bypass_csp=True,  # for the style that takes the sticky filter out of the picture
            )
            opened = context.new_page()
            opened.goto(page.as_uri())
            taken(opened, name)
            context.close()
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
