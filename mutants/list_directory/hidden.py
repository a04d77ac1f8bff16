"""Mutants: errors in hidden entries and is_hidden."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.request import Request
from treeproof.reference_impl.list_directory.walk import Listing, ReadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, Route
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .entry_builders import with_members_shown
from .implied import LENGTH


class HidesLate(Walk):
    """Reads hidden names like all others and omits them later."""

    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        super().__init__(reader, replace(request, include_hidden=True), flavour)
        self._shows_hidden = request.include_hidden

    def _is_left_out(self, entry: Entry) -> bool:
        return entry.is_hidden and not self._shows_hidden

    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) and not self._is_left_out(entry)

    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and not self._is_left_out(entry)


class CountsBeforeItFilters(HidesLate):
    _met = 0

    def _add_entry(self, entry: Entry) -> int | None:
        self._met += 1
        return super()._add_entry(entry)

    def _is_full(self) -> bool:
        return self._met >= self._request.max_entries


class WalksHidden(HidesLate):
    def _is_entered(self, entry: Entry) -> bool:
        return Walk._is_entered(self, entry)


class HidesAtTheTop(HidesLate):
    def _is_left_out(self, entry: Entry) -> bool:
        return super()._is_left_out(entry) and entry.depth == 1


class HidesNoDirectory(HidesLate):
    def _is_left_out(self, entry: Entry) -> bool:
        return super()._is_left_out(entry) and entry.type != "dir"


class HidesNoFailure(HidesLate):
    def _is_left_out(self, entry: Entry) -> bool:
        return super()._is_left_out(entry) and entry.type != "unknown"


class OpensHiddenDirectories(Walk):
    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        for name in self._reader.list_names(route) if self._request.max_depth > 1 else ():
            if name.startswith(b"."):
                self._peek((*route, name))
        return super()._read_directory(route, prefix)

    def _peek(self, route: Route) -> None:
        try:
            list(self._reader.list_names(route))
        except OSError:
            return


class ClosesHidden(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and not entry.is_hidden


def hiding_requested_path(is_hidden: Callable[[list[str]], bool]) -> type[Walk]:
    """Return a walk that finds nothing below a requested path of this kind."""

    class HidingRequest(Walk):
        def run(self) -> Listing:
            parts = [part for part in self._request.path.split("/") if part not in ("", ".")]
            hides = not self._request.include_hidden and is_hidden(parts)
            return Listing([], capped=False) if hides else super().run()

    return HidingRequest


def with_hidden_rule(is_hidden: Callable[[str], bool]) -> ListDirectory:
    """Return the tool with another rule for hidden names."""

    class Hiding(Walk):
        def _is_hidden(self, lossy_name: str) -> bool:
            return is_hidden(lossy_name)

    return ListDirectory(walk=Hiding)


class Listed(DirectoryReaderWrapper):
    """Omits the names that a file of the directory lists."""

    LIST = b".hidden"

    def list_names(self, route: Route) -> list[bytes]:
        names = super().list_names(route)
        if self.LIST in names:
            with open(self.join(*route, self.LIST), "rb") as file:
                unwanted = file.read(100_000).splitlines()
            names = [name for name in names if name not in unwanted]
        return names


class Ignored(Listed):
    LIST = b".gitignore"


def with_walk(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


def without_metadata_visible(members: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"is_hidden": False} if members["type"] == "unknown" else {}


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-031",
        "Excluded entries count towards max_entries.",
        "FR-LD-LST-06",
        tool=with_walk(CountsBeforeItFilters),
    ),
    build_mutant(
        "MUT-032",
        "Hidden directories are omitted and walked anyway.",
        "FR-LD-LST-06 T-LD-11 FR-LD-LST-06a",
        tool=with_walk(WalksHidden),
    ),
    build_mutant(
        "MUT-034",
        "A requested hidden directory is empty.",
        "FR-LD-LST-06 FR-LD-VAL-07 FR-LD-VAL-10",
        tool=with_walk(hiding_requested_path(lambda parts: parts[-1:] != [] and parts[-1].startswith("."))),
    ),
    build_mutant(
        "MUT-040",
        "Names in a file named .hidden are omitted.",
        "FR-LD-LST-06a",
        tool=ListDirectory(open_reader=Listed),
    ),
    build_mutant(
        "MUT-411",
        "Names in a file named .gitignore are omitted.",
        "FR-LD-LST-06a FR-LD-LST-02",
        tool=ListDirectory(open_reader=Ignored),
    ),
    build_mutant(
        "MUT-412",
        "Hidden entries are omitted in the requested directory only.",
        "FR-LD-LST-06 FR-LD-LST-04 T-LD-11",
        tool=with_walk(HidesAtTheTop),
    ),
    build_mutant(
        "MUT-413",
        "Hidden files are omitted, hidden directories are not.",
        "FR-LD-LST-06 T-LD-11 FR-LD-LST-06a T-LD-07",
        tool=with_walk(HidesNoDirectory),
    ),
    build_mutant(
        "MUT-414",
        "A hidden entry without metadata is listed.",
        "FR-LD-LST-04 FR-LD-LST-06",
        tool=with_walk(HidesNoFailure),
    ),
    build_mutant(
        "MUT-415",
        "Hidden directories are opened needlessly.",
        "FR-LD-LST-06 T-LD-11",
        tool=with_walk(OpensHiddenDirectories),
    ),
    build_mutant(
        "MUT-416",
        "Requested hidden directories are listed and not entered.",
        "FR-LD-LST-06 CFG-LD-04 EF-02 EF-07 FR-LD-LST-03 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-VAL-06a T-LD-11",
        tool=with_walk(ClosesHidden),
    ),
    build_mutant(
        "MUT-417",
        "Every entry below a hidden directory is hidden, also if that directory is requested.",
        "FR-LD-LST-06 FR-LD-VAL-10 FR-LD-VAL-07",
        tool=with_walk(hiding_requested_path(lambda parts: any(part.startswith(".") for part in parts))),
    ),
    build_mutant(
        "MUT-418",
        "Backups of editors count as hidden.",
        "FR-LD-LST-06a EF-07",
        tool=with_hidden_rule(lambda name: name.startswith(".") or name[1:].endswith("~")),
    ),
    build_mutant(
        "MUT-419",
        "Names that start with two dots are not hidden.",
        "FR-LD-LST-06a EF-07 FR-LD-LST-06 T-LD-07 FR-LD-LST-03",
        tool=with_hidden_rule(lambda name: name.startswith(".") and not name.startswith("..")),
    ),
    build_mutant(
        "MUT-420",
        "Characters that look like a dot count as one.",
        "FR-LD-LST-06a EF-07",
        tool=with_hidden_rule(lambda name: unicodedata.normalize("NFKC", name).startswith(".")),
    ),
    build_mutant(
        "MUT-421",
        "White space before the dot does not count.",
        "FR-LD-LST-06a EF-07",
        tool=with_hidden_rule(lambda name: name.strip().startswith(".")),
    ),
    build_mutant(
        "MUT-422",
        "Only a dot before a letter makes a name hidden.",
        "FR-LD-LST-06a EF-07 FR-LD-LST-06 T-LD-07",
        tool=with_hidden_rule(lambda name: name.startswith(".") and name[1:2].isalpha()),
    ),
    build_mutant(
        "MUT-423",
        "A leading underscore makes a name hidden too.",
        "FR-LD-LST-06a EF-07 FR-LD-OUT-01 T-LD-01",
        tool=with_hidden_rule(lambda name: name.startswith((".", "_"))),
    ),
    build_mutant(
        "MUT-474",
        "is_hidden is never true.",
        "EF-07",
        LENGTH,
        "FR-LD-LST-04 FR-LD-LST-08",
        tool=with_members_shown(lambda members: {"is_hidden": False}),
    ),
    build_mutant(
        "MUT-475",
        "is_hidden is true for every entry below a hidden directory.",
        "EF-07",
        tool=with_members_shown(lambda members: {"is_hidden": f"/{members['path']}".count("/.") > 0}),
    ),
    build_mutant(
        "MUT-476",
        "is_hidden is true for a name with a dot anywhere.",
        "EF-07 FR-LD-LST-06a",
        tool=with_members_shown(lambda members: {"is_hidden": "." in str(members["name"])}),
    ),
    build_mutant(
        "MUT-932",
        "An entry without metadata is never hidden.",
        "EF-07 FR-LD-LST-04 FR-LD-LST-08",
        tool=with_members_shown(without_metadata_visible),
    ),
)
