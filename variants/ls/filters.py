"""Variants: hidden entries, ignored names, and patterns."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES, Filters
from treeproof.reference_impl.ls.project import Project

from ..shared.variant import variant


def _units(text: str) -> str:
    """Return the units of UTF-16, of which a character beyond 16 bits has two."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(encoded[at : at + 2])) for at in range(0, len(encoded), 2))


def hiding(types: tuple[EntryType, ...]) -> type[Filters]:
    """Return the filters that hide entries of some types only."""

    class Hiding(Filters):
        def is_hidden(self, entry: Entry) -> bool:
            return entry.type in types and super().is_hidden(entry)

    return Hiding


def ignoring(can_be_ignored: Callable[[Entry], bool]) -> type[Filters]:
    """Return the filters that ignore further entries with a listed name."""

    class Ignoring(Filters):
        def is_ignored(self, entry: Entry) -> bool:
            return (can_be_ignored(entry) and entry.name in DEFAULT_IGNORES) or super().is_ignored(entry)

    return Ignoring


def comparing(units: Callable[[str], str]) -> type[Filters]:
    """Return the filters that compare the units of texts."""

    class Comparing(Filters):
        def matches(self, text: str, pattern: str) -> bool:
            return super().matches(units(text), units(pattern))

    return Comparing


def spelling(spellings: Callable[[str, str], Iterable[str]]) -> type[Filters]:
    """Return the filters with other spellings of a pattern, by it and one of the reference's."""

    class Spelling(Filters):
        def pattern_variants(self, pattern: str) -> Iterator[str]:
            return (one for known in super().pattern_variants(pattern) for one in spellings(pattern, known))

    return Spelling


def without_leading_stars(pattern: str, known: str) -> Iterator[str]:
    yield known
    while known.startswith("**/"):
        known = known.removeprefix("**/")
        yield known


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
    variant("AMB-LS-63=b", "Hidden directories are listed.")(filters=hiding(("file", "link"))),
    variant("AMB-LS-63=c", "Hidden directories and links are listed.")(filters=hiding(("file",))),
    variant("AMB-LS-63=d", "Hidden links are listed.")(filters=hiding(("file", "dir"))),
    variant("AMB-LS-06=b", "Files with a listed name are ignored.")(
        filters=ignoring(lambda entry: entry.type == "file")
    ),
    variant("AMB-LS-53=b", "Links to directories with a listed name are ignored.")(
        filters=ignoring(lambda entry: entry.type == "link" and entry.sorts_first)
    ),
    variant("AMB-LS-53=c", "Links with a listed name are ignored.")(
        filters=ignoring(lambda entry: entry.type == "link")
    ),
    variant("AMB-LS-09=b", "Patterns match component by component.")(filters=ByComponents),
    variant("AMB-LS-10=b", "A backslash in a pattern is no separator.")(
        filters=spelling(lambda pattern, known: [known] if "\\" in known or "\\" not in pattern else [])
    ),
    variant("AMB-LS-21=b", "Entries have paths below the link.")(project=AskingProject, directory=LinkedDirectory),
    variant("VAR-LS-19", "`/**/` matches one slash.")(
        filters=spelling(lambda pattern, known: [known, known.replace("/**/", "/")])
    ),
    variant("VAR-LS-20", "Every leading `**/` matches nothing.")(filters=spelling(without_leading_stars)),
    variant("VAR-LS-21", "Patterns match as by the fnmatch of C.")(filters=FnmatchOfC),
    variant("VAR-LS-16", "A question mark stands for sixteen bits.")(filters=comparing(_units)),
    variant("VAR-LS-41", "A question mark stands for one byte.", excludes=("VAR-LS-16",))(
        filters=comparing(lambda text: text.encode().decode("latin-1"))
    ),
)
