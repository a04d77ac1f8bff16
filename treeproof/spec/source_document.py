"""The sentences of a specification's Markdown document, and the hashes by which a catalogue names them.

A catalogue restates its document and does not copy it, so it contains the hash of a sentence and not the sentence. This
module does not know packs.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treeproof.errors import UsageError, check_readable

HASH_LENGTH = 12
"""Hexadecimal digits of SHA-256 that name a sentence."""

MAX_BYTES = 16 << 20
_EXPECTED_FILE = "the Markdown document of a specification"

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_LIST_MARKER = re.compile(r"(?:[-*+•]|\d+[.)])\s+")
_TABLE_RULE = re.compile(r"\|?[\s:|-]+\|?")
_NUMBERED_TITLE = re.compile(r"((?:\d+\.)+)\s+(\S.{0,80}[^.:;,])")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|(?<=[。！？；])")


@dataclass(frozen=True, slots=True)
class DocumentSentence:
    """A sentence, list item, table row or line of code. `headings` are those above it, `line` counts from 1."""

    headings: tuple[str, ...]
    line: int
    text: str

    @property
    def hash(self) -> str:
        """The name of the sentence in catalogues: it does not depend on markup, line breaks and blanks."""
        return hashlib.sha256(normalise(self.text).encode()).hexdigest()[:HASH_LENGTH]


def normalise(text: str) -> str:
    """Return a sentence in Unicode form NFC without emphasis, code marks and surplus blanks."""
    return " ".join(re.sub(r"[*`]", "", unicodedata.normalize("NFC", text)).split())


def read_sentences(document: Path) -> list[DocumentSentence]:
    """Return the sentences of a Markdown file in their order. Raises UsageError for a file that cannot be read."""
    check_readable(document, MAX_BYTES, _EXPECTED_FILE)
    try:
        text = document.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{document}: cannot be read: {error.strerror}; name {_EXPECTED_FILE}") from None
    return list(split_sentences(text))


def split_sentences(text: str) -> Iterator[DocumentSentence]:
    """Yield the sentences of a Markdown text in their order."""
    for headings, line, block, is_prose in _blocks(text):
        for sentence in _SENTENCE_END.split(block) if is_prose else [block]:
            if re.search(r"\w", sentence):
                yield DocumentSentence(headings, line, sentence.strip())


def _blocks(text: str) -> Iterator[tuple[tuple[str, ...], int, str, bool]]:
    """Yield headings, line, text and whether it is prose, of each paragraph, list item, table row and line of code."""
    headings: list[tuple[int, str]] = []
    paragraph: list[str] = []
    start, fenced = 0, False
    lines = ["", *(line.strip() for line in text.splitlines()), "", ""]
    is_marked = any(map(_HEADING.fullmatch, lines))
    for number, (before, line, after) in enumerate(zip(lines, lines[1:], lines[2:], strict=False), 1):
        titles = tuple(title for _, title in headings)
        is_fence = line.startswith("```")
        heading = None if fenced else _heading(line, is_numbered_title=not (is_marked or before or after))
        marker = None if fenced else _LIST_MARKER.match(line)
        starts_block = is_fence or heading or marker or line.startswith("|") or not line
        if paragraph and (starts_block or fenced):
            yield titles, start, " ".join(paragraph), True
            paragraph = []
        fenced ^= is_fence
        if is_fence or not line:
            continue
        if fenced:
            yield titles, number, line, False
        elif heading:
            headings = [*(above for above in headings if above[0] < heading[0]), heading]
        elif line.startswith("|"):
            if not _TABLE_RULE.fullmatch(line):
                yield titles, number, " | ".join(cell.strip() for cell in line.strip("|").split("|")), False
        else:
            start = start if paragraph else number
            paragraph.append(line[marker.end() :] if marker else line.removeprefix("> "))


def _heading(line: str, *, is_numbered_title: bool) -> tuple[int, str] | None:
    """Return depth and title of a heading: with `#`, or, in a text without these, a number between blank lines."""
    if marked := _HEADING.fullmatch(line):
        return len(marked[1]), marked[2]
    numbered = _NUMBERED_TITLE.fullmatch(line) if is_numbered_title else None
    return (numbered[1].count("."), line) if numbered else None
