"""What Windows can have in a tree: names, kinds, times and lengths of paths. Pure functions; builds nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_PATH_UNITS = 259
"""The longest path, in UTF-16 units: MAX_PATH without the NUL at its end."""

READABLE_SECONDS = range(-(2**63) // 10**9 + 1, 2**63 // 10**9)
"""The times in seconds since 1970 that 64 bits of nanoseconds hold, as which programs of several languages read the
times of Windows.
"""

_CHARACTERS = re.compile(r'[<>:"|?*\\\x00-\x1f]')
_DEVICE = re.compile(
    r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])[ ]*(?:\..*)?", re.IGNORECASE | re.DOTALL
)


def name_problem(name: bytes | str) -> str | None:
    """Return why Windows has no such name, in words; None if it has."""
    if isinstance(name, bytes):
        try:
            name = name.decode("utf-8")
        except UnicodeDecodeError:
            return "is not Unicode"
    if any("\ud800" <= character <= "\udfff" for character in name):
        return "is not Unicode"
    if _CHARACTERS.search(name):
        return "has a character that no name has"
    if name.endswith((".", " ")):
        return "ends with a dot or a blank"
    return "is that of a device" if _DEVICE.fullmatch(name) else None


def path_units(path: str) -> int:
    """Return the length of a path in UTF-16 units."""
    return len(path.encode("utf-16-le", "surrogatepass")) // 2


def twin(name: str, others: Iterable[str]) -> str | None:
    """Return another of these names that differs in case only; None if there is none."""
    folded = name.casefold()
    return next((other for other in others if other != name and other.casefold() == folded), None)
