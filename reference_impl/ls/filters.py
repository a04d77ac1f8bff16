"""The filters of entries: hidden names, default ignores, and patterns (sections 5.1, 5.2)."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from .directory import Entry
from .request import Request

DEFAULT_IGNORES = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        "__pycache__",
        "node_modules",
        "target",
        "build",
        "dist",
        ".idea",
        ".vscode",
        ".DS_Store",
        "venv",
        ".venv",
    }
)


class Filters:
    """The filters of one request. They apply to entries and never to the requested directory."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def apply(self, entries: Iterable[Entry]) -> list[Entry]:
        return [entry for entry in entries if not self.is_excluded(entry)]

    def is_excluded(self, entry: Entry) -> bool:
        by_default = not self.request.include_hidden and (self.is_hidden(entry) or self.is_ignored(entry))
        return by_default or self.matches_any_pattern(entry)

    def is_hidden(self, entry: Entry) -> bool:
        return entry.name.startswith(".")

    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.name in DEFAULT_IGNORES  # directories only (AMB-LS-06, AMB-LS-53)

    def matches_any_pattern(self, entry: Entry) -> bool:
        for pattern in self.request.ignore:
            # Relative to the listed directory, a path is a name.
            texts = (entry.path, entry.name) if self.has_separator(pattern) else (entry.name,)
            if any(self.matches(text, variant) for variant in self.pattern_variants(pattern) for text in texts):
                return True
        return False

    def has_separator(self, pattern: str) -> bool:
        return "/" in pattern or "\\" in pattern

    def pattern_variants(self, pattern: str) -> Iterator[str]:
        """Yield the pattern, also with slashes for backslashes (AMB-LS-10) and without a leading `**/`."""
        for spelling in dict.fromkeys((pattern, pattern.replace("\\", "/"))):
            yield spelling
            if spelling.startswith("**/"):
                yield spelling.removeprefix("**/")

    def matches(self, text: str, pattern: str) -> bool:
        return fnmatchcase(text, pattern)
