"""Paths as text and names as bytes, with explicit platform rules. No I/O."""

import os
import re
import sys
from dataclasses import dataclass

# Unicode White_Space; the default of str.strip() also contains U+001C to U+001F (AMB-LD-18).
WHITE_SPACE = "".join(
    chr(point)
    for point in (
        *range(0x09, 0x0E),
        0x20,
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    )
)

_DRIVE = re.compile(r"[A-Za-z]:")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Flavour:
    """The path rules of a platform."""

    name: str
    drives: bool  # backslash separates, X:/ and //server/share are roots
    folds_case: bool  # two names that differ in case only are usually the same


POSIX = Flavour("posix", drives=False, folds_case=False)
MACOS = Flavour("macos", drives=False, folds_case=True)
WINDOWS = Flavour("windows", drives=True, folds_case=True)


def current_flavour() -> Flavour:
    """Return the rules of the machine; not cached, because a simulated file system may change them."""
    if os.sep == "\\":
        return WINDOWS
    return MACOS if sys.platform == "darwin" else POSIX


def trim(text: str) -> str:
    """Return `text` without surrounding white space (FR-LD-VAL-01)."""
    return text.strip(WHITE_SPACE)


def normalise_path(text: str, flavour: Flavour) -> str:
    """Return the normalised requested path (FR-LD-VAL-10), which is checked, used and shown (AMB-LD-19).

    Removed: surrounding white space, `.` segments, repeated and trailing separators. Kept: case and inner white space.
    The result is never empty: the working directory is `.` (AMB-LD-20).
    """
    return tidy_path(trim(text), flavour)


def tidy_path(text: str, flavour: Flavour) -> str:
    """Return the normalised form of a path that has been trimmed."""
    if flavour.drives:  # AMB-LD-22: a backslash on POSIX is part of a name
        text = text.replace("\\", "/")
    segments = [segment for segment in text.split("/") if segment not in ("", ".")]
    if not text.startswith("/"):
        if len(segments) == 1 and _is_drive_root(text, segments[0]):
            return f"{segments[0]}/"
        return "/".join(segments) or "."
    # AMB-LD-23: without the double slash, //server/share would name another location.
    is_unc = flavour.drives and text.startswith("//") and not text.startswith("///") and len(segments) > 1
    return ("//" if is_unc else "/") + "/".join(segments)


def _is_drive_root(text: str, drive: str) -> bool:
    """Return whether this is `X:/`, which keeps its slash on every platform (AMB-LD-23)."""
    return _DRIVE.fullmatch(drive) is not None and text[text.index(drive) + len(drive) :].startswith("/")


def is_absolute(path: str, flavour: Flavour) -> bool:
    """Return whether a normalised path does not start in the working directory: `/x`; with drives also `X:`."""
    return path.startswith("/") or (flavour.drives and _DRIVE.match(path) is not None)


def decode_lossy(name: bytes, flavour: Flavour) -> str:
    """Return a file name as valid text: U+FFFD for each maximal ill-formed part (NFR-LD-REL-02, AMB-LD-12)."""
    if flavour.drives:  # names are UTF-16 there; only unpaired surrogates are undecodable
        return _LONE_SURROGATE.sub("\ufffd", name.decode("utf-8", "surrogatepass"))
    return name.decode("utf-8", "replace")
