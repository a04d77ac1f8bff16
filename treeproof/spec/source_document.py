"""The sentences of a specification's Markdown document, and the hashes by which a catalogue names them.

A catalogue restates its document and does not copy it, so it contains the hash of a sentence and not the sentence. The
same words below two headings are two sentences, so the hash is that of the headings and the words. This module does not
know packs.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from treeproof.errors import UsageError, check_readable

HASH_LENGTH = 12
"""Hexadecimal digits of SHA-256 that name a sentence."""

MAX_BYTES = 16 << 20
EXPECTED_FILE = "the Markdown document of a specification"

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_CODE = r"(?P<ticks>`+)(?!`).{1,1000}?(?<!`)(?P=ticks)(?!`)"
_EMPHASIS = re.compile(
    rf"{_CODE}|(?<![0-9A-Za-z_*\\])(?P<mark>\*{{1,3}}|_{{1,3}})(?![\s*_/.])"
    r"(?P<text>(?:`[^`]*`|[^`]){1,1000}?)(?<![\s*_/])(?P=mark)(?![0-9A-Za-z_*])"
)
_LIST_MARKER = re.compile(r"(?:[-*+•]|\d+[.)])\s+")
_TABLE_RULE = re.compile(r"(?=[^|]*\|)[\s:|-]+$")
_CELL_END = re.compile(r"(?<!\\)\|")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})(.*)")
_COMMENT = re.compile(r"(?<!`)<!--(?:.*?-->|.*)")
_UNDERLINE = re.compile(r"={2,}|-{2,}")
_TITLE = re.compile(r"(?!#|>|\||(?:[-*+•]|\d+\))\s)\S")
_NUMBERED_TITLE = re.compile(r"((?:\d+\.)+)\s+(\S.{0,80}[^.:;,])")
_LEADING_NUMBER = re.compile(r"^(?:[A-Z]\.)?\d+(?:\.\d+)*[.)]?(?:\s+|$)")
_VERSION = re.compile(r"\s+(?:v?\d+(?:\.\d+)+|\(v?\d+(?:\.\d+)+\))(?!\w)")
_FRONT_MATTER = re.compile(r"---\s*\n[\w-]+:.*?\n---[ \t]*(?=\n|$)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|(?<=[。！？；])")


Kind = Literal["prose", "item", "head", "row", "code"]
"""The block of a sentence: a paragraph, a list item, the head of a table, another row of it, a line of code."""

Place = tuple[str, ...]
"""The headings above a sentence without their numbers and versions, which change if a section is added before them."""


@dataclass(frozen=True, slots=True)
class DocumentSentence:
    """A sentence, list item, table row or line of code. `headings` are those above it, `line` counts from 1.

    `words` is the hash of its text alone. `hash` is its name in catalogues: that of its place and its words, and of its
    number if the place has the same words before it. They do not depend on markup, line breaks and blanks.

    `head` are the cells of the first row of its table.
    """

    headings: tuple[str, ...]
    line: int
    text: str
    words: str
    hash: str
    kind: Kind
    head: tuple[str, ...]


def place_below(headings: Iterable[str]) -> Place:
    """Return the place below headings."""
    return tuple(_LEADING_NUMBER.sub("", heading, count=1) for heading in without_versions(headings))


def is_below(headings: Iterable[str], section: str) -> bool:
    """Return whether headings contain a section: the words of one, or of several with " > " between them."""
    above, wanted = (" > ".join(place_below(one)) for one in (headings, section.split(" > ")))
    return f" > {wanted} > " in f" > {above} > "


def without_versions(headings: Iterable[str]) -> Place:
    """Return headings with their numbers and without versions such as "(v0.1)" in them."""
    return tuple(_VERSION.sub("", heading) for heading in headings)


def normalise(text: str) -> str:
    """Return a sentence in Unicode form NFC without emphasis, code marks and surplus blanks."""
    return " ".join(without_emphasis(unicodedata.normalize("NFC", text)).replace("`", "").split())


def without_emphasis(text: str) -> str:
    """Return a text without the marks of emphasis. Other `*` and `_` are words, as those in code, `**/*.py` and 2*3."""
    return _EMPHASIS.sub(lambda found: found[0] if found["text"] is None else without_emphasis(found["text"]), text)


def read_sentences(document: Path) -> list[DocumentSentence]:
    """Return the sentences of a Markdown file in their order. Raises UsageError for a file that cannot be read."""
    check_readable(document, MAX_BYTES, EXPECTED_FILE)
    try:
        text = document.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise UsageError(f"{document}: cannot be read: {error.strerror}; name {EXPECTED_FILE}") from None
    return list(split_sentences(text))


def split_sentences(text: str) -> Iterator[DocumentSentence]:
    """Yield the sentences of a Markdown text in their order."""
    counts: Counter[tuple[str, ...]] = Counter()
    for headings, line, block, kind, head in _blocks(text):
        for sentence in _sentences(block) if kind in ("prose", "item") else [block]:
            if re.search(r"\w", sentence):
                words = _digest(" ".join(sentence.split()) if kind == "code" else normalise(sentence))
                parts = (*place_below(headings), words)
                counts[parts] += 1
                name = _digest("\n".join([*parts, *([str(counts[parts])] if counts[parts] > 1 else [])]))
                yield DocumentSentence(headings, line, sentence.strip(), words, name, kind, head)


def _sentences(block: str) -> list[str]:
    """Return the sentences of a paragraph. Emphasis of several has no marks, which would be at the ends of two."""
    spans = (found for found in _EMPHASIS.finditer(block) if _SENTENCE_END.search(found["text"] or ""))
    for found in reversed([*spans]):
        block = block[: found.start()] + found["text"] + block[found.end() :]
    return _SENTENCE_END.split(block)


def cells(row: str) -> tuple[str, ...]:
    """Return the cells of a row of a table without outer lines."""
    return tuple(cell.strip() for cell in _CELL_END.split(row))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _blocks(text: str) -> Iterator[tuple[tuple[str, ...], int, str, Kind, tuple[str, ...]]]:
    """Yield the members of a sentence for each paragraph, list item, table row and line of code."""
    headings: list[tuple[int, str]] = []
    paragraph: list[str] = []
    head: tuple[str, ...] = ()
    kind: Kind = "prose"
    start = 0
    if front := _FRONT_MATTER.match(text):  # the number of a line stays
        text = "\n" * front[0].count("\n") + text[front.end() :]
    lines = [("", False), *_lines(text), ("", False), ("", False)]
    for at, (line, is_code) in enumerate(lines[2:], 1):
        if _UNDERLINE.fullmatch(line) and not (is_code or lines[at - 1][0]) and _TITLE.match(title := lines[at][0]):
            lines[at : at + 2] = (f"{'#' if line[0] == '=' else '##'} {title}", False), ("", False)
    is_marked = any(_HEADING.fullmatch(line) and not is_code for line, is_code in lines)
    for number, (line, is_code) in enumerate(lines[1:-1], 1):
        before, after = lines[number - 1][0], lines[number + 1][0]
        titles = tuple(title for _, title in headings)
        heading = None if is_code else _heading(line, is_numbered_title=not (is_marked or before or after))
        marker = None if is_code else _LIST_MARKER.match(line)
        is_row = "|" in line and not (is_code or heading or marker)
        is_row = is_row and bool(line[0] == "|" or head or _TABLE_RULE.match(after))
        if paragraph and (heading or marker or is_row or is_code or not line):
            yield titles, start, " ".join(paragraph), kind, ()
            paragraph = []
        if not is_row:
            head = ()
        if is_code:
            yield titles, number, line, "code", ()
        elif heading:
            headings = [*(above for above in headings if above[0] < heading[0]), heading]
        elif is_row:
            is_head, head = not head, head or cells(line.strip("|"))
            if not _TABLE_RULE.match(line):
                row: Kind = "head" if is_head and _TABLE_RULE.match(after) else "row"
                yield titles, number, " | ".join(cells(line.strip("|"))), row, head
        elif line:
            if not paragraph:
                start, kind = number, "item" if marker else "prose"
            paragraph.append(line[marker.end() :] if marker else line.removeprefix("> "))


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line without blanks around it, and whether it is code. Fences and comments are empty."""
    fence, before = "", ""
    is_comment = is_list = False
    for raw in text.splitlines():
        line = raw.strip()
        found = None if is_comment else _FENCE.fullmatch(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2]:
                fence = line = ""
            yield line, bool(fence)
        elif found:
            fence, line = found[1], ""
            yield line, False
        else:
            if is_comment:
                _, end, line = line.partition("-->")
                is_comment = not end
            is_comment = is_comment or any(not one.endswith("-->") for one in _COMMENT.findall(line))
            line = _COMMENT.sub("", line).strip()
            is_indented = raw.expandtabs(4).startswith("    ")
            is_list &= not line or raw[0].isspace() or bool(before)
            is_list |= bool(_LIST_MARKER.match(line))
            is_indented &= bool(line) and not (is_list or before)
            yield line, is_indented
            line = "" if is_indented else line  # more lines of it can follow
        before = line


def _heading(line: str, *, is_numbered_title: bool) -> tuple[int, str] | None:
    """Return depth and title of a heading: with `#`, or, in a text without these, a number between blank lines."""
    if marked := _HEADING.fullmatch(line):
        return len(marked[1]), normalise(marked[2])
    numbered = _NUMBERED_TITLE.fullmatch(line) if is_numbered_title else None
    return (numbered[1].count("."), normalise(line)) if numbered else None
