"""The denied patterns of a sandbox: which places they cover for certain, and of which that is open.

Dialects of patterns differ in whether a star matches a slash, and whether `x/**` covers `x` itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from treeproof.api import Unmodelled

Coverage = Literal["none", "open", "certain"]

_ALL_BELOW = (b".ssh", b".gnupg")
"""The names of directories of which the default patterns cover all content, at any depth."""
_NAMES = re.compile(rb"id_rsa.*|.*\.pem|.*\.key", re.DOTALL)
_EVERYTHING_IN_A_DIRECTORY = re.compile(r"(\w+)/\*\*")


class DeniedPatterns:
    """The patterns of a call, with the default ones unless the context puts them away."""

    def __init__(self, context: Mapping[str, Any]) -> None:
        """Raise Unmodelled for patterns of a form that dialects read differently."""
        given = [_EVERYTHING_IN_A_DIRECTORY.fullmatch(pattern) for pattern in context.get("denied_patterns", ())]
        if None in given:
            raise Unmodelled("a denied pattern of which dialects differ")
        self._directories = {match[1].encode() for match in given if match is not None}
        self._has_defaults = bool(context.get("include_default_denies", True))

    def coverage(self, resolved: Sequence[Sequence[bytes]], spelt: Sequence[Sequence[bytes]]) -> Coverage:
        """Return whether the place that a path leads to is covered, by its names from each root, and the path itself.

        The spelling of the path decides nothing for certain: it may lead elsewhere by a link.
        """
        found = {self._of_names(names) for names in resolved}
        if "certain" in found:
            return "certain"
        return "open" if "open" in found or any(self._of_names(names) != "none" for names in spelt) else "none"

    def covers_any(self, places: Iterable[Sequence[bytes]]) -> bool:
        """Return whether one of these places may be covered. Each name is looked at once: trees can be deep."""
        given = list(places)
        names = set().union(*given) if self._has_defaults else set()
        return any(place[:1] and place[0] in self._directories for place in given) or any(map(_is_covered, names))

    def _of_names(self, names: Sequence[bytes]) -> Coverage:
        found = set(self._by_own_patterns(names))
        if self._has_defaults:
            found.update(self._by_default_patterns(names))
        return "certain" if "certain" in found else "open" if "open" in found else "none"

    def _by_own_patterns(self, names: Sequence[bytes]) -> Iterable[Coverage]:
        if names and names[0] in self._directories:
            yield "certain" if len(names) > 1 else "open"

    def _by_default_patterns(self, names: Sequence[bytes]) -> Iterable[Coverage]:
        for at, name in enumerate(names):
            is_last = at == len(names) - 1
            if _is_covered(name):
                yield "open" if is_last == (name in _ALL_BELOW) else "certain"


def _is_covered(name: bytes) -> bool:
    return name in _ALL_BELOW or _NAMES.fullmatch(name) is not None
