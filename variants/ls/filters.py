"""Variants: hidden entries, ignored names, and patterns."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES, Filters
from treeproof.reference_impl.ls.project import Project

from ..shared.variant import Variant, reading_variant

SPELLINGS = {name.lower(): name for name in DEFAULT_IGNORES}


class SixteenBits(Filters):
    """Compares by units of UTF-16, of which a character beyond 16 bits has two."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(_units(text), _units(pattern))


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


class NamesOfAnyCase(ListedNames):
    def is_listed(self, name: str) -> bool:
        return super().is_listed(SPELLINGS.get(name.lower(), name))


class DirectoryTexts(Filters):
    """Matches directories also with a slash behind, for patterns with one ending."""

    ending = "/"

    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        texts = super().texts_to_match(entry, pattern)
        if entry.type != "dir" or not pattern.endswith(self.ending):
            return texts
        return (*texts, *(f"{text}/" for text in texts if not text.endswith("/")))


class SlashMeansDirectory(DirectoryTexts):
    """`foo/` excludes the directory `foo`."""


class ContentMeansDirectory(Filters):
    """`dist/**` excludes the directory `dist`."""

    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        texts = super().texts_to_match(entry, pattern)
        if entry.type != "dir" or not pattern.endswith("/**"):
            return texts
        return (*texts, *(f"{text}/" for text in texts))


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
        for variant in super().pattern_variants(pattern):
            if "\\" in variant or "\\" not in pattern:
                yield variant


class InnerStarsMatchNothing(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for variant in super().pattern_variants(pattern):
            yield variant
            if "/**/" in variant:
                yield variant.replace("/**/", "/")


class AllLeadingStarsMatchNothing(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for variant in super().pattern_variants(pattern):
            yield variant
            while variant.startswith("**/"):
                variant = variant.removeprefix("**/")
                yield variant


class PathsFromTheRootOnly(Filters):
    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        texts = super().texts_to_match(entry, pattern)
        if not self.has_separator(pattern) or entry.path == entry.name:
            return texts
        return tuple(text for text in texts if "/" in text.rstrip("/"))


class LinkedEntry(Entry):
    """An entry with its path below the directory, and the one below the links to it."""

    real_path = ""
    asked_path = ""


class AskingProject(Project):
    """Keeps the names of the path that was asked for, if links alone make it differ from the real one."""

    asked: tuple[bytes, ...] | None = None

    def resolve(self, path: str) -> tuple[bytes, ...]:
        found = super().resolve(path)
        parts = [part for part in path.encode().split(b"/") if part not in (b"", b".")]
        if b".." not in parts and not path.startswith("/"):
            start = self.components_below_root(self.working_dir) or ()
            self.asked = (*start, *parts)
        return found


class LinkedDirectory(Directory):
    """A directory whose entries know both paths."""

    shows_asked_path = False

    def entry(self, raw: bytes, type: EntryType) -> Entry:
        found = super().entry(raw, type)
        asked = self.project.asked if isinstance(self.project, AskingProject) else None
        names = self.components if asked is None else asked
        asked_path = self.project.display_path((*names, raw))
        entry = LinkedEntry(*(found._replace(path=asked_path) if self.shows_asked_path else found))
        entry.real_path, entry.asked_path = found.path, asked_path
        return entry


class LinkPathsMatched(LinkedDirectory):
    """The directory that belongs to MatchesBelowTheLink."""


class LinkPathsShown(LinkedDirectory):
    shows_asked_path = True


class LinkedFilters(Filters):
    """Matches one of the two paths of an entry."""

    matches_asked_path = False

    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        if isinstance(entry, LinkedEntry):
            entry = entry._replace(path=entry.asked_path if self.matches_asked_path else entry.real_path)
        return super().texts_to_match(entry, pattern)


class MatchesBelowTheDirectory(LinkedFilters):
    """The filters that belong to LinkPathsShown."""


class MatchesBelowTheLink(LinkedFilters):
    matches_asked_path = True


class ShowingProject(AskingProject):
    """The project that belongs to LinkPathsShown."""


class MatchingProject(AskingProject):
    """The project that belongs to MatchesBelowTheLink."""


VARIANTS = (
    reading_variant("AMB-LS-63", "b", "Hidden directories are listed.", filters=DirectoriesNotHidden),
    reading_variant("AMB-LS-63", "c", "Hidden directories and links are listed.", filters=FilesHidden),
    reading_variant("AMB-LS-63", "d", "Hidden links are listed.", filters=LinksNotHidden),
    reading_variant("AMB-LS-06", "b", "Files with a listed name are ignored.", filters=FilesIgnored),
    reading_variant("AMB-LS-07", "b", "The listed names are compared without case.", filters=NamesOfAnyCase),
    reading_variant(
        "AMB-LS-53", "b", "Links to directories with a listed name are ignored.", filters=LinksToDirectoriesIgnored
    ),
    reading_variant("AMB-LS-53", "c", "Links with a listed name are ignored.", filters=LinksIgnored),
    reading_variant("AMB-LS-08", "b", "`dist/**` excludes `dist` itself.", filters=ContentMeansDirectory),
    reading_variant("AMB-LS-50", "b", "`foo/` excludes the directory `foo`.", filters=SlashMeansDirectory),
    reading_variant("AMB-LS-09", "b", "Patterns match component by component.", filters=ByComponents),
    reading_variant("AMB-LS-10", "b", "A backslash in a pattern is no separator.", filters=BackslashIsItself),
    reading_variant("AMB-LS-11", "b", "`/**/` matches one slash.", filters=InnerStarsMatchNothing),
    reading_variant("AMB-LS-54", "b", "Every leading `**/` matches nothing.", filters=AllLeadingStarsMatchNothing),
    reading_variant("AMB-LS-44", "b", "Patterns match paths from the root only.", filters=PathsFromTheRootOnly),
    reading_variant(
        "AMB-LS-56",
        "b",
        "Patterns match paths below the link.",
        project=MatchingProject,
        directory=LinkPathsMatched,
        filters=MatchesBelowTheLink,
    ),
    reading_variant(
        "AMB-LS-21",
        "b",
        "Entries have paths below the link.",
        project=ShowingProject,
        directory=LinkPathsShown,
        filters=MatchesBelowTheDirectory,
    ),
    Variant("VAR-LS-16", "A question mark stands for sixteen bits.", {"filters": SixteenBits}),
)
