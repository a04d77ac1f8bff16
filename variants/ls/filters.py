"""Variants: hidden entries, ignored names, and patterns."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES, Filters
from treeproof.reference_impl.ls.project import Project

from ..shared.variant import variant


class SixteenBits(Filters):
    """Compares by units of UTF-16, of which a character beyond 16 bits has two."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(_units(text), _units(pattern))


class CountsBytes(Filters):
    """Compares byte by byte, as fnmatch of C does without a locale."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text.encode().decode("latin-1"), pattern.encode().decode("latin-1"))


def _units(text: str) -> str:
    encoded = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(encoded[at : at + 2])) for at in range(0, len(encoded), 2))


class DirectoriesNotHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return entry.type != "dir" and super().is_hidden(entry)


class FilesHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return entry.type == "file" and super().is_hidden(entry)


class LinksNotHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return entry.type != "link" and super().is_hidden(entry)


class ListedNames(Filters):
    """Separates the question of the name from that of the type."""

    def is_ignored(self, entry: Entry) -> bool:
        return self.can_be_ignored(entry) and self.is_listed(entry.name)

    def can_be_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir"

    def is_listed(self, name: str) -> bool:
        return name in DEFAULT_IGNORES


class FilesIgnored(ListedNames):
    def can_be_ignored(self, entry: Entry) -> bool:
        return entry.type == "file" or super().can_be_ignored(entry)


class LinksToDirectoriesIgnored(ListedNames):
    def can_be_ignored(self, entry: Entry) -> bool:
        return (entry.type == "link" and entry.sorts_first) or super().can_be_ignored(entry)


class LinksIgnored(ListedNames):
    def can_be_ignored(self, entry: Entry) -> bool:
        return entry.type == "link" or super().can_be_ignored(entry)


class ByComponents(Filters):
    """A star does not match a slash; two stars match one component or more."""

    def matches(self, text: str, pattern: str) -> bool:
        if not self.has_separator(pattern):
            return super().matches(text, pattern)
        return _match_components(text.split("/"), pattern.split("/"))


def _match_components(names: Sequence[str], patterns: Sequence[str]) -> bool:
    if not names or not patterns:
        return not names and not patterns
    if patterns[0] == "**":
        return any(_match_components(names[count:], patterns[1:]) for count in range(1, len(names) + 1))
    return fnmatchcase(names[0], patterns[0]) and _match_components(names[1:], patterns[1:])


class BackslashIsItself(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for spelling in super().pattern_variants(pattern):
            if "\\" in spelling or "\\" not in pattern:
                yield spelling


class InnerStarsMatchNothing(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for spelling in super().pattern_variants(pattern):
            yield spelling
            if "/**/" in spelling:
                yield spelling.replace("/**/", "/")


class AllLeadingStarsMatchNothing(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for spelling in super().pattern_variants(pattern):
            yield spelling
            while spelling.startswith("**/"):
                spelling = spelling.removeprefix("**/")
                yield spelling


class AskingProject(Project):
    """Keeps the names of the path that was asked for, if links alone make it differ from the real one."""

    asked: tuple[bytes, ...] | None = None

    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        text = path.encode()
        start = self.components_below_root(self.working_dir) or ()
        if text == self.root or text.startswith(self.root + b"/"):
            text, start = text[len(self.root) :], ()
        parts = [part for part in text.split(b"/") if part not in (b"", b".")]
        if b".." not in parts and (text != path.encode() or not path.startswith("/")):
            self.asked = (*start, *parts)
        return found


class LinkedDirectory(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        asked = self.project.asked if isinstance(self.project, AskingProject) else None
        found = super().entry(raw, type)
        return found if asked is None else found._replace(path=self.project.display_path((*asked, raw)))


class FnmatchOfC(Filters):
    """A backslash takes the next sign as it is, and `^` inverts a set like `!`."""

    def pattern_variants(self, pattern: str) -> Iterator[str]:
        yield pattern
        if pattern.startswith("**/"):
            yield pattern.removeprefix("**/")

    def matches(self, text: str, pattern: str) -> bool:
        quoted = re.sub(r"\\(.)", lambda found: f"[{found[1]}]", pattern, flags=re.DOTALL)
        return super().matches(text, quoted.replace("[^", "[!"))


VARIANTS = (
    variant("AMB-LS-63=b", "Hidden directories are listed.")(filters=DirectoriesNotHidden),
    variant("AMB-LS-63=c", "Hidden directories and links are listed.")(filters=FilesHidden),
    variant("AMB-LS-63=d", "Hidden links are listed.")(filters=LinksNotHidden),
    variant("AMB-LS-06=b", "Files with a listed name are ignored.")(filters=FilesIgnored),
    variant("AMB-LS-53=b", "Links to directories with a listed name are ignored.")(filters=LinksToDirectoriesIgnored),
    variant("AMB-LS-53=c", "Links with a listed name are ignored.")(filters=LinksIgnored),
    variant("AMB-LS-09=b", "Patterns match component by component.")(filters=ByComponents),
    variant("AMB-LS-10=b", "A backslash in a pattern is no separator.")(filters=BackslashIsItself),
    variant("AMB-LS-21=b", "Entries have paths below the link.")(project=AskingProject, directory=LinkedDirectory),
    variant("VAR-LS-19", "`/**/` matches one slash.")(filters=InnerStarsMatchNothing),
    variant("VAR-LS-20", "Every leading `**/` matches nothing.")(filters=AllLeadingStarsMatchNothing),
    variant("VAR-LS-21", "Patterns match as by the fnmatch of C.")(filters=FnmatchOfC),
    variant("VAR-LS-16", "A question mark stands for sixteen bits.")(filters=SixteenBits),
    variant("VAR-LS-41", "A question mark stands for one byte.", excludes=("VAR-LS-16",))(filters=CountsBytes),
)
