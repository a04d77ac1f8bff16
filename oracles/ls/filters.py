"""The filters of a listing (section 5): which entries are left out, and by which requirement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treeproof.api import Kind, Node, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import Request
from .globs import PatternTexts, matches_any

DEFAULT_NAMES = (
    *("node_modules", "__pycache__", "target", "build", "dist", "venv"),
    *(".git", ".hg", ".svn", ".idea", ".vscode", ".DS_Store", ".venv"),
)
"""The thirteen names of directories that are left out by default."""

_SPECIAL_KINDS = (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV)


def type_of(node: Node) -> str:
    """Return the type of an entry."""
    return "link" if node.kind is Kind.SYMLINK else "dir" if node.kind is Kind.DIR else "file"


def has_hidden_component(path: str) -> bool:
    """Return whether a directory on the way of a path has a name that its parent's listing leaves out."""
    parts = path.replace("$ROOT", "/").replace("$OUTSIDE", "/").split("/")
    return any(part in DEFAULT_NAMES or (part[:1] == "." and part not in (".", "..")) for part in parts)


@dataclass(frozen=True)
class Filters:
    """The filters of one request in one directory.

    `pattern_base` are the names from the project root to the directory, as patterns meet them, with a slash behind
    them. `leads_to_directory`: whether a link leads to a directory inside.
    """

    request: Request
    pattern_base: Callable[[], str]
    leads_to_directory: Callable[[Node], bool]
    readings: ReadingChoices

    def exclusion(self, node: Node) -> str | None:
        """Return the requirement by which an entry is not listed; None for a listed one."""
        if node.kind in _SPECIAL_KINDS and self.readings["AMB-LS-22"] == "b":
            return "LS-DATA-02"
        if not self.request.hidden:
            if node.name.startswith(b".") and not self._is_shown_type(node):
                return "LS-FILT-01"
            if self._has_default_name(node) and self._default_name_applies(node):
                return "LS-FILT-02"
        return self._by_pattern(node) if self.request.patterns else None

    def _by_pattern(self, node: Node) -> str | None:
        try:
            name = node.name.decode()
        except UnicodeDecodeError:
            raise Unmodelled("a pattern, and a name that is not UTF-8") from None
        patterns = self.request.patterns
        base = self.pattern_base() if any("/" in one or "\\" in one for one in patterns) else ""
        found = matches_any(patterns, PatternTexts(name, base + name), self.readings)
        if found is None:
            return None
        return "LS-FILT-06" if found.startswith("**/") else "LS-FILT-05" if "/" in found else "LS-FILT-04"

    def _is_shown_type(self, node: Node) -> bool:
        """Return whether a leading dot does not hide entries of this type (AMB-LS-63)."""
        if node.kind is Kind.DIR:
            return self.readings["AMB-LS-63"] in ("b", "c")
        return node.kind is Kind.SYMLINK and self.readings["AMB-LS-63"] in ("c", "d")

    def _has_default_name(self, node: Node) -> bool:
        return node.name.decode("utf-8", "replace") in DEFAULT_NAMES

    def _default_name_applies(self, node: Node) -> bool:
        """Return whether a default name excludes an entry of this kind."""
        if node.kind is Kind.DIR:
            return True
        if node.kind is Kind.SYMLINK:
            label = self.readings["AMB-LS-53"]
            return label == "c" or (label == "b" and self.leads_to_directory(node))
        return self.readings["AMB-LS-06"] == "b"
