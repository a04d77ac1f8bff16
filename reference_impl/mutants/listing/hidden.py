"""Wrong in what is hidden, in what comes of it, and in what is said of it."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from ...directories import Directories, Route
from ...list_directory import ListDirectory
from ...listing.entries import Entry
from ...listing.request import Request
from ...listing.walk import Level, Listing, Walk
from ...paths import Flavour
from ..mutant import Mutant
from .implied import LENGTH
from .made import wrong
from .members import showing
from .through import Through


class HidesLate(Walk):
    """Hidden names are read like all others and left out afterwards, one by one."""

    def __init__(self, directories: Directories, request: Request, flavour: Flavour) -> None:
        super().__init__(directories, replace(request, include_hidden=True), flavour)
        self._shows_hidden = request.include_hidden

    def _is_left_out(self, entry: Entry) -> bool:
        return entry.is_hidden and not self._shows_hidden

    def _admits(self, entry: Entry) -> bool:
        return super()._admits(entry) and not self._is_left_out(entry)

    def _is_walked(self, entry: Entry) -> bool:
        return super()._is_walked(entry) and not self._is_left_out(entry)


class CountsBeforeItFilters(HidesLate):
    _met = 0

    def _take(self, entry: Entry) -> int | None:
        self._met += 1
        return super()._take(entry)

    def _is_full(self) -> bool:
        return self._met >= self._request.max_entries


class WalksHidden(HidesLate):
    def _is_walked(self, entry: Entry) -> bool:
        return Walk._is_walked(self, entry)


class HidesAtTheTop(HidesLate):
    def _is_left_out(self, entry: Entry) -> bool:
        return super()._is_left_out(entry) and entry.depth == 1


class HidesNoDirectory(HidesLate):
    def _is_left_out(self, entry: Entry) -> bool:
        return super()._is_left_out(entry) and entry.type != "dir"


class HidesNoFailure(HidesLate):
    def _is_left_out(self, entry: Entry) -> bool:
        return super()._is_left_out(entry) and entry.type != "unknown"


class PeeksIntoHidden(Walk):
    def _read(self, route: Route, prefix: str) -> Level:
        for name in self._directories.names(route) if self._request.max_depth > 1 else ():
            if name.startswith(b"."):
                self._peek((*route, name))
        return super()._read(route, prefix)

    def _peek(self, route: Route) -> None:
        try:
            self._directories.names(route)
        except OSError:
            return


class ClosesHidden(Walk):
    def _is_walked(self, entry: Entry) -> bool:
        return super()._is_walked(entry) and not entry.is_hidden


def hiding_request(is_hidden: Callable[[list[str]], bool]) -> type[Walk]:
    """A walk that finds nothing below a requested path of this kind."""

    class HidingRequest(Walk):
        def run(self) -> Listing:
            parts = [part for part in self._request.path.split("/") if part not in ("", ".")]
            hides = not self._request.include_hidden and is_hidden(parts)
            return Listing([], capped=False) if hides else super().run()

    return HidingRequest


def hiding(is_hidden: Callable[[str], bool]) -> ListDirectory:
    """Holds other names for hidden."""

    class Hiding(Walk):
        def _is_hidden(self, lossy_name: str) -> bool:
            return is_hidden(lossy_name)

    return ListDirectory(walk=Hiding)


class Listed(Through):
    """Leaves out the names that a file of the directory lists."""

    LIST = b".hidden"

    def names(self, route: Route) -> list[bytes]:
        names = super().names(route)
        if self.LIST in names:
            with open(self.path(*route, self.LIST), "rb") as file:
                unwanted = file.read(100_000).splitlines()
            names = [name for name in names if name not in unwanted]
        return names


class Ignored(Listed):
    LIST = b".gitignore"


def walking(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-031",
        "Entries that the filters drop use up max_entries.",
        "FR-LD-LST-06",
        tool=walking(CountsBeforeItFilters),
    ),
    wrong(
        "MUT-032",
        "Hidden directories are left out and walked all the same.",
        "FR-LD-LST-06",
        "T-LD-11",
        "FR-LD-LST-06a",
        tool=walking(WalksHidden),
    ),
    wrong(
        "MUT-034",
        "A hidden directory that is asked for by name has nothing in it.",
        "FR-LD-LST-06",
        "FR-LD-VAL-07",
        "FR-LD-VAL-10",
        tool=walking(hiding_request(lambda parts: parts[-1:] != [] and parts[-1].startswith("."))),
    ),
    wrong(
        "MUT-040",
        "Names that a file named .hidden lists are left out.",
        "FR-LD-LST-06a",
        tool=ListDirectory(directories=Listed),
    ),
    wrong(
        "MUT-411",
        "Names that a file named .gitignore lists are left out.",
        "FR-LD-LST-06a",
        "FR-LD-LST-02",
        tool=ListDirectory(directories=Ignored),
    ),
    wrong(
        "MUT-412",
        "Hidden entries are left out of the requested directory only.",
        "FR-LD-LST-06",
        "FR-LD-LST-04",
        "T-LD-11",
        tool=walking(HidesAtTheTop),
    ),
    wrong(
        "MUT-413",
        "Hidden files are left out, hidden directories are not.",
        "FR-LD-LST-06",
        "T-LD-11",
        "FR-LD-LST-06a",
        "T-LD-07",
        tool=walking(HidesNoDirectory),
    ),
    wrong(
        "MUT-414",
        "A hidden entry without metadata is listed.",
        "FR-LD-LST-04",
        "FR-LD-LST-06",
        tool=walking(HidesNoFailure),
    ),
    wrong(
        "MUT-415",
        "Hidden directories are opened for nothing.",
        "FR-LD-LST-06",
        "T-LD-11",
        tool=walking(PeeksIntoHidden),
    ),
    wrong(
        "MUT-416",
        "Hidden directories are listed on request and not entered.",
        "FR-LD-LST-06",
        "CFG-LD-04",
        "EF-02",
        "EF-07",
        "FR-LD-LST-03",
        "FR-LD-LST-08",
        "FR-LD-OUT-01",
        "FR-LD-VAL-06a",
        "T-LD-11",
        tool=walking(ClosesHidden),
    ),
    wrong(
        "MUT-417",
        "What lies anywhere below a hidden directory is hidden, if that is asked for by name too.",
        "FR-LD-LST-06",
        "FR-LD-VAL-10",
        "FR-LD-VAL-07",
        tool=walking(hiding_request(lambda parts: any(part.startswith(".") for part in parts))),
    ),
    wrong(
        "MUT-418",
        "The names that editors give to backups count as hidden.",
        "FR-LD-LST-06a",
        "EF-07",
        tool=hiding(lambda name: name.startswith(".") or name[1:].endswith("~")),
    ),
    wrong(
        "MUT-419",
        "Names that start with two dots are not hidden.",
        "FR-LD-LST-06a",
        "EF-07",
        "FR-LD-LST-06",
        "T-LD-07",
        "FR-LD-LST-03",
        tool=hiding(lambda name: name.startswith(".") and not name.startswith("..")),
    ),
    wrong(
        "MUT-420",
        "Characters that look like a dot count as one.",
        "FR-LD-LST-06a",
        "EF-07",
        tool=hiding(lambda name: unicodedata.normalize("NFKC", name).startswith(".")),
    ),
    wrong(
        "MUT-421",
        "White space before the dot does not count.",
        "FR-LD-LST-06a",
        "EF-07",
        tool=hiding(lambda name: name.strip().startswith(".")),
    ),
    wrong(
        "MUT-422",
        "Only a dot before a letter hides.",
        "FR-LD-LST-06a",
        "EF-07",
        "FR-LD-LST-06",
        "T-LD-07",
        tool=hiding(lambda name: name.startswith(".") and name[1:2].isalpha()),
    ),
    wrong(
        "MUT-423",
        "An underscore at the start hides as well.",
        "FR-LD-LST-06a",
        "EF-07",
        "FR-LD-OUT-01",
        "T-LD-01",
        tool=hiding(lambda name: name.startswith((".", "_"))),
    ),
    wrong(
        "MUT-474",
        "is_hidden is never true.",
        "EF-07",
        *LENGTH,
        "FR-LD-LST-04",
        "FR-LD-LST-08",
        tool=showing(lambda members: {"is_hidden": False}),
    ),
    wrong(
        "MUT-475",
        "is_hidden is true for all that lies below a hidden directory.",
        "EF-07",
        tool=showing(lambda members: {"is_hidden": f"/{members['path']}".count("/.") > 0}),
    ),
    wrong(
        "MUT-476",
        "is_hidden is true for a name with a dot anywhere.",
        "EF-07",
        "FR-LD-LST-06a",
        tool=showing(lambda members: {"is_hidden": "." in str(members["name"])}),
    ),
)
