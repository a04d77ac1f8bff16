"""The requested path as text: its normal form (FR-LD-VAL-10), and the placeholders in it. Knows no tree.

`$OUTSIDE` stands for the path of the folder with the sandbox root, and `$ROOT` for `$OUTSIDE/root`. Here a component
`$OUTSIDE` at the top stands for the components of that path.
"""

from __future__ import annotations

import re

from treeproof.api import ROOT_NAME

from ..shared.reading_choices import ReadingChoices

FOLDER = "$OUTSIDE"
"""The component of an absolute path that stands for the folder."""

COMMON_WHITESPACE = " \t\n\r\f"
_WHITE_SPACE = (
    COMMON_WHITESPACE + "\v\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
WHITESPACE_BY_READING = {
    "a": COMMON_WHITESPACE + "\v",
    "b": _WHITE_SPACE,
    "c": _WHITE_SPACE.replace("\x85", "") + "\ufeff",
    "d": _WHITE_SPACE + "\x1c\x1d\x1e\x1f",
}
"""The trimmed characters, by the readings of AMB-LD-18."""
_AMBIGUOUS_WHITESPACE = {*map(chr, range(0x21)), *_WHITE_SPACE, *"\u180e\u200b\ufeff"} - {*COMMON_WHITESPACE}

_DRIVE_ROOT = re.compile("[A-Za-z]:")
_DOTS = re.compile(r"(?!\.\.?$)(?:.*\.\.|[. ]*\.[. ]*$)", re.DOTALL)


def without_placeholders(text: str) -> str:
    """Return a path or the target of a link with its placeholders as the beginning of an absolute path."""
    return text.replace("$ROOT", f"{FOLDER}/{ROOT_NAME.decode()}").replace(FOLDER, f"/{FOLDER}")


def normalise_path(text: str, readings: ReadingChoices) -> str | None:
    """Return the normalised path (FR-LD-VAL-10); None for a blank one (FR-LD-VAL-01)."""
    text = _trim(text, readings)
    if not text:
        return None
    path = _tidy(text, readings)
    while (trimmed := _trim(path, readings)) != path and readings["AMB-LD-68"] == "again":
        if not trimmed:
            left: str | None = readings.choose("blank after tidying", (None, "."))
            return left
        path = _tidy(trimmed, readings)
    return path


def opened_path(text: str, path: str, readings: ReadingChoices) -> str:
    """Return the text that is opened: the normalised path, or the text as it came or trimmed (AMB-LD-19)."""
    if _steps(text) == _steps(path) or readings["AMB-LD-19"] == "a":
        return path
    trimmed = _trim(text, readings)
    if _steps(trimmed) == _steps(path):
        return text
    return str(readings.choose("the text that is opened", tuple(dict.fromkeys((text, trimmed)))))


def looks_like_another(path: str) -> bool:
    """Return whether a path has a name that looks like the way up, a home directory or a drive (AMB-LD-70)."""
    return bool(_DRIVE_ROOT.match(path)) or any(part.startswith("~") or _DOTS.match(part) for part in path.split("/"))


def has_control_character(path: str) -> bool:
    """Return whether a path has a control character of ASCII, which a sandbox may refuse (AMB-LD-70); NUL is none."""
    return any("\0" < character < " " or character == "\x7f" for character in path)


def _steps(text: str) -> list[str]:
    """Return the components of a path, the first of an absolute one empty."""
    return [""] * text.startswith("/") + [part for part in text.split("/") if part not in ("", ".")]


def _tidy(text: str, readings: ReadingChoices) -> str:
    """Return the path without idle separators and dots."""
    if "\\" in text and readings["AMB-LD-22"] == "always":
        text = text.replace("\\", "/")
    kept = [part for part in text.split("/") if part not in ("", ".")]
    prefix = "/" if text.startswith("/") else ""
    path = prefix + "/".join(kept) or "."
    if text.endswith("/.") and path != "." and readings["AMB-LD-20"] == "b":
        return path.removesuffix("/") + "/."
    if _DRIVE_ROOT.fullmatch(path) and text.endswith(("/", "/.")) and readings["AMB-LD-23"] != "b":
        return path + "/"
    return path


def _trim(text: str, readings: ReadingChoices) -> str:
    trimmed = text.strip(COMMON_WHITESPACE)
    if not trimmed or not ({trimmed[0], trimmed[-1]} & _AMBIGUOUS_WHITESPACE):
        return trimmed
    label = readings["AMB-LD-18"]
    return text.strip(WHITESPACE_BY_READING.get(label) or _other_whitespace(trimmed, readings))


def _other_whitespace(text: str, readings: ReadingChoices) -> str:
    """Return a set that decides for each character at an edge whether it is trimmed."""
    blanks, open_edges = COMMON_WHITESPACE, _AMBIGUOUS_WHITESPACE
    while (rest := text.strip(blanks)) and (edges := [edge for edge in (rest[0], rest[-1]) if edge in open_edges]):
        open_edges = open_edges - {edges[0]}
        if readings.choose(f"{edges[0]!r} at an edge", ("a name", "a blank")) == "a blank":
            blanks += edges[0]
    return blanks
