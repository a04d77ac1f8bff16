"""Mutants: errors in hidden entries and ignored names."""

import re

from treeproof.reference_impl.ls.directory import Directory, Entry
from treeproof.reference_impl.ls.errors import PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES, Filters
from treeproof.reference_impl.ls.project import Project

from ..shared.mutant import Mutant
from .builders import build_mutant


class OneDotOnly(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) and not entry.name.startswith("..")


class AnyDot(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) or entry.name.endswith(".")


class HiddenAtTheRootOnly(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return "/" not in entry.path and super().is_hidden(entry)


def without_ignore(listed: str) -> type[Filters]:
    """Return filters without one of the ignored names."""

    class Without(Filters):
        def is_ignored(self, entry: Entry) -> bool:
            return entry.name != listed and super().is_ignored(entry)

    return Without


class IgnoredAtTheRootOnly(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return "/" not in entry.path and super().is_ignored(entry)


class IgnoredForGood(Filters):
    def is_excluded(self, entry: Entry) -> bool:
        return self.is_ignored(entry) or super().is_excluded(entry)


class HiddenForGood(Filters):
    def is_excluded(self, entry: Entry) -> bool:
        return self.is_hidden(entry) or super().is_excluded(entry)


class ByBeginning(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.name.startswith(tuple(DEFAULT_IGNORES))


class AnywhereInTheName(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and any(name in entry.name for name in DEFAULT_IGNORES)


class AnyLetterForTheDot(Filters):
    pattern = re.compile("|".join(DEFAULT_IGNORES))

    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and self.pattern.fullmatch(entry.name) is not None


class AnyCase(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.name.lower() in DEFAULT_IGNORES


class RefusesHidden(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        below = super().resolve(path)
        if any(name.startswith(b".") for name in below):
            raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return below


class EmptyIfIgnored(Directory):
    def entries(self) -> list[Entry]:
        if any(name.decode("utf-8", "replace") in DEFAULT_IGNORES for name in self.components):
            return []
        return super().entries()


class HiddenBelowHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return any(name.startswith(".") for name in entry.path.split("/"))


class Debris(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return super().is_ignored(entry) or entry.name.endswith((".pyc", ".swp", "~"))


class WindowsHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) or entry.name.lower() in ("desktop.ini", "$recycle.bin")


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-141", "Names that begin with two dots are shown.", "LS-FILT-01", filters=OneDotOnly),
    build_mutant("MUT-LS-142", "Names that end in a dot are hidden.", "LS-FILT-01 LS-DATA-06", filters=AnyDot),
    build_mutant(
        "MUT-LS-144",
        "Names are hidden at the root only.",
        "LS-FILT-01 LS-STAT-01 LS-TEXT-02 LS-FILT-10",
        filters=HiddenAtTheRootOnly,
    ),
    build_mutant("MUT-LS-145", "venv is not among the ignored names.", "LS-FILT-02", filters=without_ignore("venv")),
    build_mutant(
        "MUT-LS-146",
        "__pycache__ is not among the ignored names.",
        "LS-FILT-02",
        filters=without_ignore("__pycache__"),
    ),
    build_mutant(
        "MUT-LS-147",
        "Ignored names are omitted at the root only.",
        "LS-FILT-02 LS-STAT-01 LS-TEXT-02 LS-FILT-10",
        filters=IgnoredAtTheRootOnly,
    ),
    build_mutant(
        "MUT-LS-148",
        "include_hidden does not show ignored names.",
        "LS-FILT-03 LS-STAT-01 LS-FILT-05 LS-FILT-07",
        filters=IgnoredForGood,
    ),
    build_mutant(
        "MUT-LS-149",
        "include_hidden shows ignored names and no hidden entries.",
        "LS-FILT-03 LS-FILT-07 LS-FILT-08 LS-ARG-04 LS-DATA-06 LS-STAT-01 LS-SORT-01 LS-TEXT-02 LS-PAGE-04 LS-DATA-02",
        filters=HiddenForGood,
    ),
    build_mutant(
        "MUT-LS-150",
        "Names that begin with an ignored name are omitted.",
        "LS-FILT-09 LS-FILT-07 LS-TEXT-02",
        filters=ByBeginning,
    ),
    build_mutant(
        "MUT-LS-151",
        "Names that contain an ignored name are omitted.",
        "LS-FILT-09 LS-FILT-07 LS-TEXT-02",
        filters=AnywhereInTheName,
    ),
    build_mutant(
        "MUT-LS-349", "The dot of an ignored name stands for any letter.", "LS-FILT-09", filters=AnyLetterForTheDot
    ),
    build_mutant("MUT-LS-185", "Files of compilers and editors are omitted.", "LS-FILT-09 LS-DATA-06", filters=Debris),
    build_mutant(
        "MUT-LS-152",
        "Ignored names are case-insensitive.",
        "LS-FILT-09",
        filters=AnyCase,
    ),
    build_mutant(
        "MUT-LS-178",
        "A directory with a hidden name cannot be requested.",
        "LS-FILT-10 LS-SEC-02",
        project=RefusesHidden,
    ),
    build_mutant(
        "MUT-LS-179",
        "A directory with an ignored name has no entries.",
        "LS-FILT-10 LS-ERR-01 LS-FILT-02 LS-FILT-07 LS-TEXT-02 LS-STAT-01",
        directory=EmptyIfIgnored,
    ),
    build_mutant(
        "MUT-LS-180",
        "Every entry in a hidden directory is hidden.",
        "LS-FILT-10 LS-FILT-07 LS-TEXT-02 LS-SEC-02",
        filters=HiddenBelowHidden,
    ),
    build_mutant(
        "MUT-LS-186", "Entries that Windows hides are hidden.", "LS-FILT-01 LS-DATA-06", filters=WindowsHidden
    ),
)
