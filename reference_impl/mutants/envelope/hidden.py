"""Wrong in what is left out for its name: hidden entries and listed names."""

from ...envelope.directory import Directory, Entry
from ...envelope.filters import IGNORED, Filters
from ...envelope.project import Project
from ...envelope.refusals import MISSING, Code, Refused
from ..mutant import Mutant
from .made import wrong


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


def without(listed: str) -> type[Filters]:
    """Filters whose listed names lack one."""

    class Without(Filters):
        def is_ignored(self, entry: Entry) -> bool:
            return entry.name != listed and super().is_ignored(entry)

    return Without


class IgnoredAtTheRootOnly(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return "/" not in entry.path and super().is_ignored(entry)


class IgnoredForGood(Filters):
    def leaves_out(self, entry: Entry) -> bool:
        return self.is_ignored(entry) or super().leaves_out(entry)


class HiddenForGood(Filters):
    def leaves_out(self, entry: Entry) -> bool:
        return self.is_hidden(entry) or super().leaves_out(entry)


class ByBeginning(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.name.startswith(tuple(IGNORED))


class AnywhereInTheName(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and any(name in entry.name for name in IGNORED)


class AnyCase(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.name.lower() in IGNORED


class RefusesHidden(Project):
    """A directory with a hidden name cannot be asked for."""

    def place(self, path: str) -> tuple[bytes, ...]:
        below = super().place(path)
        if any(name.startswith(b".") for name in below):
            raise Refused(Code.NOT_FOUND, MISSING.format(path=path))
        return below


class EmptyIfIgnored(Directory):
    """A directory with a listed name has no entries."""

    def entries(self) -> list[Entry]:
        if any(name.decode("utf-8", "replace") in IGNORED for name in self.below):
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
    wrong(
        140,
        "Hidden directories are shown.",
        "FILT-01",
        *("DEF-04", "STAT-02", "TEXT-05"),
        filters=HiddenDirectoriesShown,
    ),
    wrong(141, "Names that begin with two dots are shown.", "FILT-01", filters=OneDotOnly),
    wrong(142, "Names that end in a dot are hidden.", "FILT-01", "DATA-06", filters=AnyDot),
    wrong(143, "Hidden links are shown.", "FILT-01", "STAT-02", filters=LinksAreNotHidden),
    wrong(
        144,
        "Names are hidden at the root only.",
        "FILT-01",
        "STAT-01",
        "TEXT-02",
        "FILT-10",
        filters=HiddenAtTheRootOnly,
    ),
    wrong(145, "venv is not among the listed names.", "FILT-02", filters=without("venv")),
    wrong(146, "__pycache__ is not among the listed names.", "FILT-02", filters=without("__pycache__")),
    wrong(
        147,
        "Listed names are left out at the root only.",
        "FILT-02",
        "STAT-01",
        "TEXT-02",
        "FILT-10",
        filters=IgnoredAtTheRootOnly,
    ),
    wrong(
        148,
        "include_hidden does not show listed names.",
        *("FILT-03", "STAT-01", "FILT-05", "FILT-07"),
        filters=IgnoredForGood,
    ),
    wrong(
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
    wrong(
        150,
        "Names that begin with a listed one are left out.",
        "FILT-09",
        "FILT-07",
        "TEXT-02",
        filters=ByBeginning,
    ),
    wrong(
        151,
        "Names that hold a listed one are left out.",
        "FILT-09",
        "FILT-07",
        "TEXT-02",
        filters=AnywhereInTheName,
    ),
    wrong(185, "What compilers and editors leave behind is left out.", "FILT-09", filters=Debris),
    wrong(152, "Listed names are met in any case.", "FILT-09", filters=AnyCase, reading="AMB-LS-07 b"),
    wrong(
        178, "A directory with a hidden name cannot be asked for.", "FILT-10", "SEC-02", project=RefusesHidden
    ),
    wrong(
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
    wrong(
        180,
        "Whatever lies in a hidden directory is hidden.",
        "FILT-10",
        "FILT-07",
        "TEXT-02",
        "SEC-02",
        filters=HiddenBelowHidden,
    ),
    wrong(186, "What Windows hides is hidden.", "FILT-01", filters=WindowsHidden),
)
