"""A browser for the pages: Chromium, started once for the tests of this folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in a browser as slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


HOSTILE = (
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 2</script><!-- <script>",
    "<img src=x onerror=window.hit=3>",
    "\"' onmouseover=window.hit=4 x='",
    "javascript:window.hit=5",
    "\x1b[31mred\x1b[2J\x07",
    "evil\u202egpj.exe\u2066",
    "line\nfeed\r\ttab",
    "\udcff\ud800",
    "{{ 7 * 7 }}{% for x in y %}",
    "x" * 3000,
    "שלום e" + "\u0301" * 60,
)


FOLDER = Path(__file__).parent
_browsers: list[Any] = []
_to_close = ExitStack()


@pytest.fixture(scope="module")
def browser() -> Any:
    """Return Chromium with one context, in which each page of a test is a tab."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("not verified: the pages in a browser; needs chromium (apt-get install chromium)")
    if not _browsers:
        from playwright.sync_api import sync_playwright

        playwright = _to_close.enter_context(sync_playwright())
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        _browsers.append(_to_close.enter_context(started))
        started.new_context(permissions=["clipboard-read", "clipboard-write"])
    return _browsers[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None]:
    """Close Chromium after the last test of this folder: other tests cannot run beside Playwright's event loop."""
    yield
    if nextitem is None or FOLDER not in nextitem.path.parents:
        pytest_sessionfinish()


def pytest_sessionfinish() -> None:
    """Close Chromium if the tests were stopped before."""
    _browsers.clear()
    _to_close.close()


@pytest.fixture
def hostile(mixed: Json) -> Json:
    """Return a run in which every text of a candidate or of a foreign pack is hostile."""
    run: Json = json.loads(json.dumps(mixed))
    text = " ".join(HOSTILE)
    run["reason"] = run["warnings"][0] = text
    run["command"] = [f"stdio:{text}"]
    run["candidate"] = {**run["candidate"], "name": text, "version": HOSTILE[0], "language": text, "adapter": text}
    run["candidate"]["capabilities"] = list(HOSTILE)
    run["baseline"] = {"file": text, "entries": [{"id": "FR-LD-LST-05", "reason": text, "state": "failed"}]}
    (spec,) = run["specs"]
    spec["name"] = spec["version"] = spec["title"] = text
    for requirement in spec["requirements"]:
        requirement["text"] = requirement["section"] = text
        if requirement["cause"]:
            requirement["cause"] = requirement["remedy"] = text
    for entry in spec["interpretations"]:
        entry["observed"] = [text]
    for scenario in spec["scenarios"]:
        scenario.update(title=text, file=text, warnings=[text], readings={"AMB-LD-01": text})
        texts = dict.fromkeys(("tree", "outside", "step", "message", "expected", "diff", "stderr", "cause"), text)
        call = {"tool": text, "arguments": text, "context": {text: [text, {"deep": text}]}}
        scenario["evidence"] = {**texts, "call": call, "steps": [text], "got": text[::-1], text: {text: text}}
        scenario["evidence"]["outcome"] = {"status": "error", "kind": text, "message": text}
    return run


@pytest.fixture(scope="module")
def write_page(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], str]:
    """Return a function that writes a page to a file and returns its address."""
    folder = tmp_path_factory.mktemp("pages")

    def write(page: bytes) -> str:
        file = Path(folder) / f"{len(list(folder.iterdir()))}.html"
        file.write_bytes(page)
        return file.as_uri()

    return write


@pytest.fixture(scope="module")
def base() -> Json:
    from importlib import util
    from pathlib import Path

    # The fixture of the parent folder is created for each test; this document is created once.
    found = util.spec_from_file_location("documents", Path(__file__).parent.parent / "conftest.py")
    assert found is not None and found.loader is not None
    documents = util.module_from_spec(found)
    found.loader.exec_module(documents)
    document: Json = documents.make_mixed()
    document["command"] = ["stdio:node 'server.mjs'"]
    return document
