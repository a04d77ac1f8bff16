"""Wrong in what is left out for its name: hidden entries and listed names."""

from treeproof.reference_impl.ls.directory import Directory, Entry
from treeproof.reference_impl.ls.errors import PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES, Filters
from treeproof.reference_impl.ls.project import Project

from ..shared.mutant import Mutant
from .builders import build_mutant


class HiddenDirectoriesShown(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return entry.type != "dir" and super().is_hidden(entry)


class OneDotOnly(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) and not entry.name.startswith("..")


class AnyDot(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) or entry.name.endswith(".")


class LinksAreNotHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return entry.type != "link" and super().is_hidden(entry)


class HiddenAtTheRootOnly(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return "/" not in entry.path and super().is_hidden(entry)


def without_ignore(listed: str) -> type[Filters]:
    """Filters whose listed names lack one."""

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


class AnyCase(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.name.lower() in DEFAULT_IGNORES


class RefusesHidden(Project):
    """A directory with a hidden name cannot be asked for."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        below = super().resolve(path)
        if any(name.startswith(b".") for name in below):
            raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return below


class EmptyIfIgnored(Directory):
    """A directory with a listed name has no entries."""

    def entries(self) -> list[Entry]:
        if any(name.decode("utf-8", "replace") in DEFAULT_IGNORES for name in self.components):
            return []
        return super().entries()


class HiddenBelowHidden(Filters):
    """Whatever has a hidden name on its path is hidden."""

    def is_hidden(self, entry: Entry) -> bool:
        return any(name.startswith(".") for name in entry.path.split("/"))


class Debris(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return super().is_ignored(entry) or entry.name.endswith((".pyc", ".swp", "~"))


class WindowsHidden(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return super().is_hidden(entry) or entry.name.lower() in ("desktop.ini", "$recycle.bin")


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        140,
        "Hidden directories are shown.",
        "FILT-01",
        *("DEF-04", "STAT-02", "TEXT-05"),
        filters=HiddenDirectoriesShown,
    ),
    build_mutant(141, "Names that begin with two dots are shown.", "FILT-01", filters=OneDotOnly),
    build_mutant(142, "Names that end in a dot are hidden.", "FILT-01", "DATA-06", filters=AnyDot),
    build_mutant(143, "Hidden links are shown.", "FILT-01", "STAT-02", filters=LinksAreNotHidden),
    build_mutant(
        144,
        "Names are hidden at the root only.",
        "FILT-01",
        "STAT-01",
        "TEXT-02",
        "FILT-10",
        filters=HiddenAtTheRootOnly,
    ),
    build_mutant(145, "venv is not among the listed names.", "FILT-02", filters=without_ignore("venv")),
    build_mutant(
        146, "__pycache__ is not among the listed names.", "FILT-02", filters=without_ignore("__pycache__")
    ),
    build_mutant(
        147,
        "Listed names are left out at the root only.",
        "FILT-02",
        "STAT-01",
        "TEXT-02",
        "FILT-10",
        filters=IgnoredAtTheRootOnly,
    ),
    build_mutant(
        148,
        "include_hidden does not show listed names.",
        *("FILT-03", "STAT-01", "FILT-05", "FILT-07"),
        filters=IgnoredForGood,
    ),
    build_mutant(
        149,
        "include_hidden shows listed names and nothing hidden.",
        *(
            "FILT-03",
            "FILT-07",
            "FILT-08",
            "ARG-04",
            "DATA-06",
            "STAT-01",
            "SORT-01",
            "TEXT-02",
            "PAGE-04",
            "DATA-02",
        ),
        filters=HiddenForGood,
    ),
    build_mutant(
        150,
        "Names that begin with a listed one are left out.",
        "FILT-09",
        "FILT-07",
        "TEXT-02",
        filters=ByBeginning,
    ),
    build_mutant(
        151,
        "Names that hold a listed one are left out.",
        "FILT-09",
        "FILT-07",
        "TEXT-02",
        filters=AnywhereInTheName,
    ),
    build_mutant(185, "What compilers and editors leave behind is left out.", "FILT-09", filters=Debris),
    build_mutant(152, "Listed names are met in any case.", "FILT-09", filters=AnyCase, reading="AMB-LS-07 b"),
    build_mutant(
        178, "A directory with a hidden name cannot be asked for.", "FILT-10", "SEC-02", project=RefusesHidden
    ),
    build_mutant(
        179,
        "A directory with a listed name has no entries.",
        "FILT-10",
        "ERR-01",
        "FILT-02",
        "FILT-07",
        "TEXT-02",
        "STAT-01",
        directory=EmptyIfIgnored,
    ),
    build_mutant(
        180,
        "Whatever lies in a hidden directory is hidden.",
        "FILT-10",
        "FILT-07",
        "TEXT-02",
        "SEC-02",
        filters=HiddenBelowHidden,
    ),
    build_mutant(186, "What Windows hides is hidden.", "FILT-01", filters=WindowsHidden),
)
