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

from treeproof.errors import UsageError, check_readable

HASH_LENGTH = 12
"""Hexadecimal digits of SHA-256 that name a sentence."""

MAX_BYTES = 16 << 20
EXPECTED_FILE = "the Markdown document of a specification"

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_LIST_MARKER = re.compile(r"(?:[-*+•]|\d+[.)])\s+")
_TABLE_RULE = re.compile(r"\|?[\s:|-]+\|?")
_NUMBERED_TITLE = re.compile(r"((?:\d+\.)+)\s+(\S.{0,80}[^.:;,])")
_LEADING_NUMBER = re.compile(r"^(?:[A-Z]\.)?\d+(?:\.\d+)*[.)]?(?:\s+|$)")
_VERSION = re.compile(r"\s+(?:v?\d+(?:\.\d+)+|\(v?\d+(?:\.\d+)+\))(?!\w)")
_FRONT_MATTER = re.compile(r"---\s*\n[\w-]+:.*?\n---[ \t]*(?=\n|$)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|(?<=[。！？；])")


Place = tuple[str, ...]
"""The headings above a sentence without their numbers and versions, which change if a section is added before them."""


@dataclass(frozen=True, slots=True)
class DocumentSentence:
    """A sentence, list item, table row or line of code. `headings` are those above it, `line` counts from 1.

    `words` is the hash of its text alone. `hash` is its name in catalogues: that of its place and its words, and of its
    number if the place has the same words before it. They do not depend on markup, line breaks and blanks.
    """

    headings: tuple[str, ...]
    line: int
    text: str
    words: str
    hash: str


def place_below(headings: Iterable[str]) -> Place:
    """Return the place below headings."""
    return tuple(_LEADING_NUMBER.sub("", heading, count=1) for heading in without_versions(headings))


def without_versions(headings: Iterable[str]) -> Place:
    """Return headings with their numbers and without versions such as "(v0.1)" in them."""
    return tuple(_VERSION.sub("", heading) for heading in headings)


def normalise(text: str) -> str:
    """Return a sentence in Unicode form NFC without emphasis, code marks and surplus blanks."""
    return " ".join(re.sub(r"[*`]", "", unicodedata.normalize("NFC", text)).split())


def read_sentences(document: Path) -> list[DocumentSentence]:
    """Return the sentences of a Markdown file in their order. Raises UsageError for a file that cannot be read."""
    check_readable(document, MAX_BYTES, EXPECTED_FILE)
    try:
        text = document.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{document}: cannot be read: {error.strerror}; name {EXPECTED_FILE}") from None
    return list(split_sentences(text))


def split_sentences(text: str) -> Iterator[DocumentSentence]:
    """Yield the sentences of a Markdown text in their order."""
    counts: Counter[tuple[str, ...]] = Counter()
    for headings, line, block, is_prose in _blocks(text):
        for sentence in _SENTENCE_END.split(block) if is_prose else [block]:
            if re.search(r"\w", sentence):
                words = _digest(normalise(sentence))
                parts = (*place_below(headings), words)
                counts[parts] += 1
                number = [str(counts[parts])] if counts[parts] > 1 else []
                yield DocumentSentence(headings, line, sentence.strip(), words, _digest("\n".join([*parts, *number])))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _blocks(text: str) -> Iterator[tuple[tuple[str, ...], int, str, bool]]:
    """Yield headings, line, text and whether it is prose, of each paragraph, list item, table row and line of code."""
    headings: list[tuple[int, str]] = []
    paragraph: list[str] = []
    start, fenced = 0, False
    if front := _FRONT_MATTER.match(text):  # the number of a line stays
        text = "\n" * front[0].count("\n") + text[front.end() :]
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
        return len(marked[1]), normalise(marked[2])
    numbered = _NUMBERED_TITLE.fullmatch(line) if is_numbered_title else None
    return (numbered[1].count("."), normalise(line)) if numbered else None
