"""What a candidate wrote never acts, in no format, wherever it ends up in a report."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from treeproof.report import dump, junit
from treeproof.report.page import console_for
from treeproof.report.progress import Progress
from treeproof.report.terminal import render

Json = dict[str, Any]

HOSTILE = {
    "ansi colour": "\x1b[31mred\x1b[0m",
    "ansi clear screen": "\x1b[2J\x1b[H",
    "terminal title": "\x1b]0;owned\x07",
    "hyperlink": "\x1b]8;;http://example.invalid\x1b\\click\x1b]8;;\x1b\\",
    "c1 sequence introducer": "\x9b31m",
    "nul": "a\x00b",
    "carriage return": "FAIL\rPASS",
    "backspaces": "FAIL\b\b\b\bPASS",
    "new lines": "a\n\nconformant: everything holds\n",
    "bidi override": "evil\u202egpj.exe",
    "bidi isolates": "\u2066\u2067\u2068\u2069",
    "zero width": "a\u200bb\u200dc\ufeff",
    "line separators": "a\u2028b\u2029c\u0085d",
    "lone high surrogate": "\ud800",
    "lone low surrogate": "\udcff",
    "non-characters": "\ufffe\uffff\U0001ffff",
    "rich markup": "[bold red]x[/] [link=http://example.invalid]y[/link]",
    "rich emoji": ":smiley: :skull:",
    "xml": "</testcase><failure/>&amp;<![CDATA[x]]>",
    "xml attribute": '"><script>alert(1)</script>',
    "a very long word": "x" * 5000,
    "wide characters": "日本語" * 200,
    "combining tower": "e" + "\u0301" * 500,
    "emoji with joiners": "👩\u200d👩\u200d👧",
    "right-to-left text": "שלום עולם",
    "percent and braces": "%s {0} {} %n",
}


@pytest.fixture(params=HOSTILE.values(), ids=list(HOSTILE))
def hostile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def poisoned(
    hostile: str,
    run: Callable[..., Json],
    requirement: Callable[..., Json],
    scenario: Callable[..., Json],
) -> Json:
    """A run whose every text that a candidate, or a stranger's pack, can reach is hostile."""
    failed = scenario(
        "LD-A-01",
        "FR-LD-A",
        "failed",
        tree=hostile,
        outside=hostile,
        call={"tool": hostile, "arguments": hostile, "context": {hostile: [hostile, {"deep": hostile}]}},
        expected=hostile,
        got=hostile,
        diff=f"- {hostile}\n+ {hostile}",
        steps=[hostile],
        step=hostile,
        message=hostile,
        stderr=hostile,
    )
    failed["title"] = hostile
    failed["file"] = hostile
    failed["warnings"] = [hostile]
    failed["readings"] = {"AMB-LD-01": hostile}
    return run(
        [
            requirement("FR-LD-A", "FAIL", section=hostile, text=hostile, cause=hostile),
            requirement("FR-LD-B", "NOT VERIFIED", cause=hostile),
            requirement("FR-LD-C", "EXCLUDED", cause=hostile),
        ],
        [
            failed,
            scenario("LD-B-01", "FR-LD-B", "fault", cause=hostile, stderr=hostile),
            scenario("LD-C-01", "FR-LD-B", "not-verified", cause=hostile),
            scenario("LD-D-01", "FR-LD-B", "failed", message=hostile),
        ],
        verdict="non-conformant",
        exit=1,
        reason=hostile,
        warnings=[hostile],
        candidate={
            "name": hostile,
            "version": hostile,
            "language": hostile,
            "adapter": hostile,
            "capabilities": [hostile],
        },
        interpretations=[{"id": "AMB-LD-01", "observed": [hostile], "treatment": "any", "consistent": False}],
    )


class Stream(io.StringIO):
    """A stream that says what it is."""

    def __init__(self, *, terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    def isatty(self) -> bool:
        return self._terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def acting(text: str) -> list[str]:
    """Return the characters of ``text`` that act on a terminal or an eye, line feeds apart."""
    return [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_log_shows_it_and_nothing_acts(poisoned: Json, columns: int) -> None:
    stream = Stream()
    render(poisoned, console_for(stream, {"COLUMNS": str(columns)}))
    assert acting(stream.getvalue()) == []


def test_a_terminal_gets_only_the_sequences_that_are_ours(poisoned: Json) -> None:
    stream = Stream(terminal=True)
    render(
        poisoned, Console(file=stream, force_terminal=True, color_system="standard", width=80, _environ={})
    )
    assert acting(re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())) == []


def test_a_terminal_without_unicode_gets_ascii(poisoned: Json) -> None:
    stream = Stream(encoding="ascii")
    render(poisoned, console_for(stream, {"COLUMNS": "80"}))
    assert stream.getvalue().isascii()


def test_the_last_line_is_the_word_whatever_a_candidate_wrote(poisoned: Json) -> None:
    poisoned["reason"] = "1 requirement does not hold: FR-LD-A"
    stream = Stream()
    render(poisoned, console_for(stream, {"COLUMNS": "100"}))
    assert (
        stream.getvalue().rstrip("\n").rsplit("\n", 1)[1]
        == "non-conformant: 1 requirement does not hold: FR-LD-A"
    )


def test_the_json_file_is_text_and_parses_to_the_same_value(poisoned: Json) -> None:
    text = dump(poisoned).decode("utf-8")
    assert acting(text) == []
    assert json.loads(text)["specs"][0]["scenarios"][0]["id"] == "LD-A-01"


def test_the_json_file_keeps_what_is_text_exactly(hostile: str, poisoned: Json) -> None:
    shown = json.loads(dump(poisoned))["candidate"]["name"]
    assert shown == re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", hostile)


def test_the_junit_file_is_well_formed_and_nothing_acts(poisoned: Json) -> None:
    data = junit.dump(poisoned)
    root = ElementTree.fromstring(data)
    assert acting(data.decode("utf-8")) == []
    assert [len(suite.findall("testcase")) for suite in root] == [4, 1]
    assert root.get("failures") == "2"


def test_the_live_line_stays_one_line(hostile: str) -> None:
    class Ended:
        id = hostile
        requirement = hostile
        outcome = "failed"

    class Candidate:
        name = hostile
        version = hostile

    stream = Stream(terminal=True)
    console = Console(file=stream, force_terminal=True, color_system=None, width=60, _environ={})
    progress = Progress(console, live=True)
    progress.started(Candidate(), 3)
    progress._last = 0.0  # as if the last drawing were long ago
    progress.scenario_done(Ended())
    progress.finish()
    lines = stream.getvalue().split("\r\x1b[2K")
    assert len(lines) == 4  # nothing, two drawings, nothing after the last erasing
    assert all(acting(line) == [] and "\n" not in line for line in lines)
