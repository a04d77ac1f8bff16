"""Drawings of trees in tree notation: one line per entry or range, with descriptions of suffixes.

The parser is lenient and never raises, because evidence may be cut. The strict parser is in `treeproof.tree`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LINES = 200
_MAX_DEPTH = 24  # deeper entries are drawn at this level with their paths
_QUOTED_PIECE = re.compile(r"""'(?:\\.|[^'\\])*'?(?:\*\d+)?|"(?:\\.|[^"\\])*"?""", re.DOTALL)
_NAME_TERMINATORS = frozenset(",{}'\"!@%=:/")
_RANGE = re.compile(r"(?P<prefix>.*?)(?P<first>\d+)\.\.(?P=prefix)(?P<last>\d+)", re.DOTALL)
_TEXT = r"""(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|[^\s,{}'"@%!])"""
_SUFFIXES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), description)
    for pattern, description in (
        (r"/", ""),
        (rf"->(?P<value>{_TEXT}*)", "→ {value}"),
        (rf"=>(?P<value>{_TEXT}*)", "hard link of {value}"),
        (r'="(?P<value>(?:\\.|[^"\\])*)"?', 'contains "{value}"'),
        (r"=(?P<value>\d+)", "{value} bytes"),
        (r":fifo", "named pipe"),
        (r":sock", "socket"),
        (r":chr", "character device"),
        (r":blk", "block device"),
        (r"@(?P<value>-?\d+)ns", "modified at {value} ns"),
        (r"@(?P<value>-?\d+)", "modified at {value} ms"),
        (r"%(?P<value>[0-7]+)", "mode {value}"),
        (r"!L(?:=(?P<value>E[A-Z0-9]+))?", "lstat fails ({value})"),
        (r"!R2(?:=(?P<value>E[A-Z0-9]+))?", "reading fails half-way ({value})"),
        (r"!R(?:=(?P<value>E[A-Z0-9]+))?", "reading fails ({value})"),
    )
)


@dataclass(frozen=True)
class TreeLine:
    """One entry: the lines before it, the path of its parent, its name in the notation, and a description."""

    prefix: str
    parent_path: str
    name: str
    note: str


@dataclass
class _Entry:
    depth: int
    parent_path: str
    name: str
    suffixes: str
    is_last: bool = False


def draw_tree(notation: str) -> list[TreeLine]:
    """Return the lines of a drawing, at most ``MAX_LINES``, and a note of how many more there are."""
    entries: list[_Entry] = []
    more = 0
    for entry in _parse_entries(notation):
        if len(entries) < MAX_LINES:
            entries.append(entry)
        else:
            more += 1
    _mark_last(entries)
    shown, open_rails = [], dict[int, bool]()
    for entry in entries:
        depth = min(entry.depth, _MAX_DEPTH)
        rails = "".join("│  " if open_rails.get(level) else "   " for level in range(depth))
        open_rails[depth] = not entry.is_last
        is_folder = "/" if entry.suffixes.startswith("/") else ""
        name = entry.name if entry.depth <= _MAX_DEPTH else entry.parent_path + entry.name
        shown.append(
            TreeLine(
                f"{rails}{'└─' if entry.is_last else '├─'} ",
                entry.parent_path,
                name + is_folder,
                _describe_entry(entry),
            )
        )
    if more:
        shown.append(TreeLine("", "", "", f"… and {more} more entries"))
    return shown


def _parse_entries(text: str) -> Iterator[_Entry]:
    at, above, closings = 0, list[str](), _closing_braces(text)
    entry: _Entry | None = None
    while at < len(text):
        character = text[at]
        if character in ", \n":
            at += 1
        elif character == "{":
            above.append((entry.name if entry else "") + "/")
            at += 1
        elif character == "}":
            if above:
                above.pop()
            at += 1
            while at < len(text) and text[at] not in ",}":  # suffixes after the braces
                at += 1
        else:
            name, at = _parse_name(text, at)
            suffixes, at = _parse_suffixes(text, at)
            behind, _ = _parse_suffixes(text, closings[at]) if at in closings else ("", at)
            entry = _Entry(len(above), "".join(above), name, suffixes + behind)
            yield entry


def _parse_name(text: str, at: int) -> tuple[str, int]:
    start = at
    while at < len(text):
        piece = _QUOTED_PIECE.match(text, at)
        if piece:
            at = piece.end()
        elif text[at] in _NAME_TERMINATORS or text.startswith("->", at) or text.startswith("=>", at):
            break
        else:
            at += 1
    # May be empty: then a suffix without a name follows.
    return text[start:at].rstrip(), at


def _parse_suffixes(text: str, at: int) -> tuple[str, int]:
    start = at
    while at < len(text) and text[at] not in ",{}":
        piece = _QUOTED_PIECE.match(text, at)
        at = piece.end() if piece else at + 1
    return text[start:at].strip(), at


def _closing_braces(text: str) -> dict[int, int]:
    """Return the position after the closing brace for each opening brace."""
    found, unclosed, at = dict[int, int](), list[int](), 0
    while at < len(text):
        piece = _QUOTED_PIECE.match(text, at)
        if piece:
            at = piece.end()
            continue
        if text[at] == "{":
            unclosed.append(at)
        elif text[at] == "}" and unclosed:
            found[unclosed.pop()] = at + 1
        at += 1
    return found


def _mark_last(entries: list[_Entry]) -> None:
    """Mark the last entry of each folder."""
    latest: dict[int, _Entry] = {}
    for entry in entries:
        for depth in [depth for depth in latest if depth > entry.depth]:
            latest.pop(depth).is_last = True
        latest[entry.depth] = entry
    for entry in latest.values():
        entry.is_last = True


def _describe_entry(entry: _Entry) -> str:
    notes = []
    span = _RANGE.fullmatch(entry.name)
    if span and len(span["first"]) == len(span["last"]) < 10:
        notes.append(f"{int(span['last']) - int(span['first']) + 1} entries")
    at, text = 0, entry.suffixes
    while at < len(text):
        found = next(((m, description) for pattern, description in _SUFFIXES if (m := pattern.match(text, at))), None)
        if found is None:
            notes.append(text[at:])
            break
        match, description = found
        value = match.groupdict().get("value") or ""
        notes.append((description if value else description.replace(" ({value})", "")).replace("{value}", value))
        at = match.end()
    return ", ".join(note for note in notes if note)
