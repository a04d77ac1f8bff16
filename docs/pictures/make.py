"""Make the pictures of the documentation: run the suite with a mutant and open its HTML report in Chromium.

    make pictures

Needs Chromium and the development extra. The pictures contain the date of the run, and no paths of this machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
TARGET = "mutant:MUT-008"
# No sticky filter; render also the parts outside the viewport.
FULL_PAGE_STYLE = ".filter { display: none !important } .requirement { content-visibility: visible !important }"
MAX_BYTES = 150_000  # per picture, for slow connections
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find_browser() -> str:
    """Return the path of the browser. Raises SystemExit if there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit(f"PATH: none of {', '.join(BROWSERS)}; install Chromium, which takes the pictures")
    return found


def write_report(folder: Path) -> Path:
    """Write the report of a run with the mutant and return its path. Raises SystemExit if the mutant survives."""
    report = folder / "report.html"
    command = [sys.executable, "-m", "treeproof", "run", TARGET, "--report", f"html={report}"]
    result = subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True, check=False)
    if result.returncode != 1:
        raise SystemExit(f"exit {result.returncode}, expected 1:\n{result.stdout[-800:]}{result.stderr[-800:]}")
    return report


def take_pictures(page: Page, name: str) -> None:
    """Take both pictures of an open page. Raises SystemExit if one is too large."""
    # The first screen and the list of causes; the second picture shows an open cause.
    _open_causes(page, False)
    page.evaluate("scrollTo(0, 0)")
    next_part = page.locator("#_failures").bounding_box()
    assert next_part is not None
    _save(page, f"report-{name}.png", 0, next_part["y"] - 16)
    page.add_style_tag(content=FULL_PAGE_STYLE)
    page.evaluate("document.activeElement.blur()")
    _open_causes(page, True)
    cause = page.locator(".cause").first
    card, command = cause.bounding_box(), cause.locator(".command").first.bounding_box()
    assert card is not None and command is not None
    top, end = card["y"] - 16, command["y"] + command["height"] + 16
    _save(page, f"failure-{name}.png", top + page.evaluate("scrollY"), end - top)


def _open_causes(page: Page, is_open: bool) -> None:
    page.eval_on_selector_all("details.cause", f"all => all.forEach((one) => {{ one.open = {str(is_open).lower()}; }})")


def _save(page: Page, name: str, top: float, height: float) -> None:
    clip = {"x": 0, "y": max(top, 0), "width": 900, "height": height}
    data = page.screenshot(clip=clip, full_page=True)  # type: ignore[arg-type]
    if len(data) > MAX_BYTES:
        raise SystemExit(f"{name}: {len(data)} bytes, at most {MAX_BYTES}")
    (HERE / name).write_bytes(data)
    print(f"docs/pictures/{name}: {len(data)} bytes")


def main() -> int:
    """Make all pictures; return the exit code."""
    browser = find_browser()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = write_report(Path(folder))
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-lcd-text"])
        for name in ("light", "dark"):
            context = chromium.new_context(
                viewport={"width": 900, "height": 900},
                color_scheme="light" if name == "light" else "dark",
                bypass_csp=True,  # permits FULL_PAGE_STYLE
            )
            page = context.new_page()
            page.set_default_timeout(180_000)  # ms; the page is long, and a busy machine draws it slowly
            page.goto(report.as_uri())
            take_pictures(page, name)
            context.close()
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
