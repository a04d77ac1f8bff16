"""Texts of a candidate have no effect in any report format and remain recognisable."""

from __future__ import annotations

import html
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from treeproof.report.console_writer import console_for
from treeproof.report.document import dump
from treeproof.report.escape import visible
from treeproof.report.formats import junit
from treeproof.report.formats.registry import MATRIX_FORMATS
from treeproof.report.matrix import build_matrix
from treeproof.report.status_line import RunProgress
from treeproof.report.terminal import render
from treeproof.verdict import Outcome, ScenarioRecord
from treeproof.verdict.run_document import RunDocument

from .conftest import iter_dumps, make_requirement, make_run, make_scenario

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
    "a very long word": "x" * 1000,
    "wide characters": "日本語" * 50,
    "combining tower": "e" + "\u0301" * 100,
    "emoji with joiners": "👩\u200d👩\u200d👧",
    "right-to-left text": "שלום עולם",
    "percent and braces": "%s {0} {} %n",
    "template": "{{ 7 * 7 }}{% raw %}{# x #}",
    "end of a script": "</script><img src=x onerror=alert(1)><!-- ",
    "pipes and backticks": "a | b || `` ` ```",
    "workflow command": "::error file=x,line=1::owned",
    "command of a log": "##[error]owned ##vso[task.complete result=Failed]",
    "mention and issue": "@octocat #1 GH-1 https://example.invalid [x](http://example.invalid)",
    "test point": "x\nok 1 - owned # SKIP\n  ...\nBail out!\n1..0",
    "entities": "&lt;b&gt; &#60; %0A %25",
}


def hostile_run(texts: Iterable[str] = tuple(HOSTILE.values())) -> Json:
    """Return a run with one specification for each text: it is every text of a candidate or of a foreign pack there."""
    specs = [_hostile_spec(text, number) for number, text in enumerate(texts)]
    document = make_run([], [], verdict="non-conformant", exit=1, warnings=[*texts], reason=" ".join(texts))
    joined = " ".join(texts)
    document["candidate"] = dict.fromkeys(("name", "version", "language", "adapter"), joined)
    document["candidate"]["capabilities"] = [*texts]
    document["specs"] = specs
    return document


def _hostile_spec(text: str, number: int) -> Json:
    failed = make_scenario(
        f"LD-A-{number}",
        "FR-LD-A",
        "failed",
        tree=text,
        outside=text,
        call={"tool": text, "arguments": text, "context": {text: [text, {"deep": text}]}},
        expected=text,
        got=text,
        diff=f"- {text}\n+ {text}",
        steps=[text],
        step=text,
        table=[[text, text], [text]],
        race=text,
        outcome={"status": "error", "kind": text, "message": text},
        message=text,
        stderr=text,
    )
    failed |= {"title": text, "file": text, "warnings": [text], "readings": {"AMB-LD-01": text}}
    document = make_run(
        [
            make_requirement("FR-LD-A", "FAIL", section=text, text=text, cause=text),
            make_requirement("FR-LD-B", "NOT VERIFIED", cause=text, remedy=text),
            make_requirement("FR-LD-C", "EXCLUDED", cause=text),
        ],
        [
            failed,
            make_scenario(f"LD-B-{number}", "FR-LD-B", "fault", cause=text, stderr=text),
            make_scenario(f"LD-C-{number}", "FR-LD-B", "not-verified", cause=text),
            make_scenario(f"LD-D-{number}", "FR-LD-B", "failed", message=text),
        ],
        interpretations=[{"id": "AMB-LD-01", "observed": [text], "treatment": "any", "consistent": False}],
    )
    spec: Json = document["specs"][0]
    return spec | {"name": text, "version": text, "title": text}


PLAIN = [f"plain{number:02}" for number in range(len(HOSTILE))]
"""As many texts without a special character, for a comparison."""


class Stream(io.StringIO):
    """A stream that reports whether it is a terminal, and its encoding."""

    def __init__(self, *, terminal: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    def isatty(self) -> bool:
        return self._terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def control_characters(text: str) -> list[str]:
    """Return the control and invisible characters of ``text`` except line feeds."""
    return [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]


@pytest.mark.parametrize(("columns", "verbose"), [(40, True), (120, True), (40, False), (80, False)])
def test_a_log_has_no_control_characters_and_no_workflow_command(columns: int, verbose: bool) -> None:
    stream = Stream()
    render(RunDocument.from_json(hostile_run()), console_for(stream, {"COLUMNS": str(columns)}), verbose=verbose)
    text = stream.getvalue()
    assert control_characters(text) == []
    assert [line for line in text.split("\n") if line.lstrip().startswith("::") or "##[" in line] == []
    if columns == 120:  # no line is broken in the beginning of the text
        shown = text.replace("\\x3a:", "::").replace("#\\x23[", "##[")
        assert [name for name, one in HOSTILE.items() if visible(one).split(" ")[0][:20] not in shown] == []


def test_a_terminal_gets_only_treeproofs_own_control_sequences() -> None:
    stream = Stream(terminal=True)
    render(
        RunDocument.from_json(hostile_run()),
        Console(file=stream, force_terminal=True, color_system="standard", width=80, _environ={}),
        verbose=True,
    )
    assert control_characters(re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())) == []


def test_a_terminal_without_unicode_gets_ascii_and_the_conclusion_last() -> None:
    stream = Stream(encoding="ascii")
    document = hostile_run() | {"reason": "1 requirement does not hold: FR-LD-A"}
    render(RunDocument.from_json(document), console_for(stream, {"COLUMNS": "80"}))
    assert stream.getvalue().isascii()
    assert stream.getvalue().rstrip("\n").rsplit("\n", 1)[1] == "non-conformant: 1 requirement does not hold: FR-LD-A"


def test_the_json_file_is_text_and_keeps_every_text_except_surrogates() -> None:
    text = dump(RunDocument.from_json(hostile_run())).decode("utf-8")
    assert control_characters(text) == []
    names = [spec["name"] for spec in json.loads(text)["specs"]]
    written = [re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", one) for one in HOSTILE.values()]
    assert names == written


def structure(data: bytes) -> object:
    """Return the structure of a report, which no text may change: elements, members or commands."""
    text = data.decode("utf-8")
    if text.startswith("{"):
        return member_names(json.loads(text))
    if text.lower().startswith("<!doctype html"):
        elements = Elements()
        elements.feed(text)
        return sorted(elements.active)
    if text.startswith("<"):
        return [(element.tag, sorted(element.attrib)) for element in ElementTree.fromstring(data).iter()]
    if text.startswith("::"):
        commands = [re.match(r"::(\w+) ([^:]*)::", line) for line in text.rstrip("\n").split("\n")]
        return [c and (c[1], re.findall(r"(\w+)=", re.sub("=[^,]*", "=", c[2]))) for c in commands]
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    return [token.tag for token in tokens if token.type in ("heading_open", "tr_open", "td_open", "html_block")]


def member_names(value: Any) -> object:
    if isinstance(value, dict):
        return len(value), [member_names(member) for member in value.values()]
    return [member_names(item) for item in value] if isinstance(value, list) else type(value).__name__


class Elements(HTMLParser):
    """The active parts of a page: scripts, event handlers, and addresses to load from."""

    def __init__(self) -> None:
        super().__init__()
        self.active: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "iframe", "img", "object", "embed", "base", "form", "meta", "link"):
            self.active.append(tag)
        self.active += [f"{tag} {name}" for name, _ in attrs if name.startswith("on") or name in ("src", "srcdoc")]
        self.active += [
            f"{tag} {value}" for name, value in attrs if name == "href" and not (value or "").startswith("#")
        ]


def read_back(data: bytes) -> str:
    """Return the text of a report, and the text with the escapes of each format undone."""
    text = data.decode("utf-8")
    quoted = re.sub(r"\\([\\\"#])", r"\1", text)
    spelled = text.replace("\\x7c", "|").replace("\\x3a:", "::").replace("#\\x23[", "##[")
    return visible("\n".join([text, quoted, spelled, html.unescape(text), unquote(text), *parsed_texts(text)]))


def parsed_texts(text: str) -> Iterator[str]:
    def inside(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for name, member in value.items():
                yield name
                yield from inside(member)
        elif isinstance(value, list):
            for item in value:
                yield from inside(item)
        elif isinstance(value, str):
            yield value

    if text.startswith("{"):
        yield from inside(json.loads(text))


@pytest.mark.parametrize("format", [name for name, _ in iter_dumps()])
def test_texts_in_a_report_have_no_effect_and_are_recognisable(format: str) -> None:
    """Each text has a run of its own: some formats show only the first findings."""
    dump = dict(iter_dumps())[format]
    plain = structure(dump(RunDocument.from_json(hostile_run(["plain"]))))
    wrong, unrecognised = [], []
    for name, text in HOSTILE.items():
        data = dump(RunDocument.from_json(hostile_run([text])))
        if control_characters(data.decode("utf-8")) or structure(data) != plain:
            wrong.append(name)
        if visible(text)[:30] not in read_back(data):
            unrecognised.append(name)
    assert (wrong, unrecognised) == ([], [])


@pytest.mark.parametrize("format", MATRIX_FORMATS)
def test_texts_in_a_matrix_are_harmless_and_recognisable(format: str) -> None:
    def dumped(texts: Iterable[str]) -> bytes:
        one, other = (hostile_run([f"{number}{text}" for text in texts]) for number in "12")
        earlier = json.loads(json.dumps(one)) | {"started": "2000-02-03T04:05:06Z"}
        for spec, text in zip(other["specs"], texts, strict=True):
            spec |= {"name": f"1{text}", "version": f"1{text}"}
            spec["requirements"][0]["verdict"] = "PASS"
        return MATRIX_FORMATS[format](build_matrix(map(RunDocument.from_json, (one, other, earlier))))

    data = dumped(HOSTILE.values())
    assert control_characters(data.decode("utf-8")) == []
    assert structure(data) == structure(dumped(PLAIN))
    shown = read_back(data)
    assert [name for name, text in HOSTILE.items() if visible(f"1{text}")[:30] not in shown] == []


@pytest.mark.parametrize("format", [name for name, _ in iter_dumps()])
def test_every_format_shows_only_the_conclusion_of_the_run(format: str) -> None:
    dump = dict(iter_dumps())[format]
    shown_conclusions = {}
    for code, conclusion in ((0, "conformant"), (0, "partial"), (1, "non-conformant"), (3, "incomplete"), (4, "fault")):
        data = dump(
            RunDocument.from_json(
                make_run([], [], verdict=conclusion, exit=code, claim=conclusion != "partial", reason="this is why")
            )
        )
        shown_conclusions[conclusion] = set(
            re.findall(r"(?<![\w-])(?:conformant|partial|non-conformant|incomplete|fault)(?![\w-])", data.decode())
        )
        assert conclusion in shown_conclusions[conclusion]
    always = set.intersection(*shown_conclusions.values())  # the legend of a page
    assert all(words - always <= {conclusion} for conclusion, words in shown_conclusions.items())


def test_the_junit_file_is_well_formed() -> None:
    root = ElementTree.fromstring(junit.dump(RunDocument.from_json(hostile_run(["a", "\0"]))))
    assert [len(suite.findall("testcase")) for suite in root] == [4, 1, 4, 1]
    assert root.get("failures") == "4"


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=list(HOSTILE))
def test_the_status_line_stays_one_line(hostile: str) -> None:
    stream = Stream(terminal=True)
    console = Console(file=stream, force_terminal=True, color_system=None, width=60, _environ={})
    progress = RunProgress(console, live=True)
    progress.on_start(hostile, 3)
    progress._last_drawn = 0.0  # as if the last drawing were long ago
    progress.on_scenario_done(ScenarioRecord(hostile, hostile, Outcome.FAILED))
    progress.erase()
    lines = stream.getvalue().split("\r\x1b[2K")
    assert len(lines) == 4  # nothing, two drawings, nothing after the last erasing
    assert all(control_characters(line) == [] and "\n" not in line for line in lines)
