"""Mutants: errors at names that languages take for something else, and in what a process or a script keeps."""

import os
from collections.abc import Iterable
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.request import ArgumentParser, CallRefused
from treeproof.reference_impl.fs_walkdir.script import ScriptRun, Statement
from treeproof.reference_impl.fs_walkdir.start import StartMissing, StartResolver
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import Elements, build_mutant

NOTHING = ("0", "false", "null", "nil", "undefined", "None")
"""Names of which one language or another takes each for nothing."""

LISTS: dict[tuple[str, str], Elements] = {}
"""The last list of each start, with its sandbox."""

LOGGED: set[tuple[str, str]] = set()
"""The errors until now, with their sandboxes."""


class RenamedByACall(Candidate):
    """The definition has another name after the first call."""

    called = False

    def call(self, params: Any) -> dict[str, Any]:
        self.called = True
        return super().call(params)

    def describe(self, params: Any) -> dict[str, Any]:
        found = super().describe(params)
        return {**found, "name": found["name"].lower()} if self.called else found


class FractionsAreNames(ArgumentParser):
    """Takes a number with a fraction for its shortest text."""

    def parse_path(self, arguments: Any) -> str:
        path = arguments.get("path") if isinstance(arguments, dict) else None
        return super().parse_path({**arguments, "path": f"{path:g}"} if isinstance(path, float) else arguments)


class NothingIsEmpty(ArgumentParser):
    """Takes texts that mean nothing for the empty path."""

    def check_text(self, text: str) -> None:
        super().check_text("" if text in NOTHING else text)


class NumbersAreEqual(StartResolver):
    """Takes a path that is the text of a number for the number."""

    def normalise_path(self, path: str) -> str:
        cleaned = super().normalise_path(path)
        try:
            return f"{float(cleaned):g}" if cleaned.isascii() and cleaned[:1].isdigit() else cleaned
        except ValueError:
            return cleaned


class ShorterNamesOnly(StartResolver):
    """Refuses a component of 255 bytes."""

    def resolve(self, path: str) -> Place | None:
        if any(len(part.encode()) >= 255 for part in path.split("/")):
            raise CallRefused("a name is too long")
        return super().resolve(path)


class HereIfInside(StartResolver):
    """A path is relative to the working directory of the process if this is inside the sandbox."""

    def resolve(self, path: str) -> Place | None:
        here = os.path.relpath(os.getcwd(), self._context.roots[0])
        joined = os.path.join(here, path)
        if not here.startswith("..") and os.path.isdir(os.path.join(self._context.roots[0], joined)):
            return super().resolve(joined)
        return super().resolve(path)


class DotIsHereIfInside(HereIfInside):
    """A dot names the working directory of the process if this is inside the sandbox."""

    def resolve(self, path: str) -> Place | None:
        return super().resolve(path) if path == "." else StartResolver.resolve(self, path)


class EndsAtNothing(Walk):
    """A directory ends at a name that means nothing."""

    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        for name in sorted(super().list_names(route)):
            if name == b"0":
                return
            yield name


class EqualNumbersOnce(Walk):
    """Of several names of a directory that are equal as numbers one is listed."""

    def list_names(self, route: tuple[bytes, ...]) -> Iterable[bytes]:
        met: set[float] = set()
        for name in super().list_names(route):
            try:
                number = float(name)
            except ValueError:
                yield name
                continue
            if number not in met:
                met.add(number)
                yield name


class KeepsLists(WalkDir):
    """Keeps the list of each start, for the errors below."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        start = context.roots[0], str(arguments)
        try:
            found = super().list_elements(arguments, context, flavour)
        except (StartMissing, CallRefused) as error:
            if start in LISTS and self.is_forgiven(error):
                return LISTS[start]
            raise
        LISTS[start] = found
        return found

    def is_forgiven(self, error: Exception) -> bool:
        return isinstance(error, StartMissing)


class KeepsListsOfFiles(KeepsLists):
    def is_forgiven(self, error: Exception) -> bool:
        return "not a directory" in str(error)


class LogsOnce(WalkDir):
    """Logs each error of a sandbox once."""

    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        error = context.roots[0], reason
        if error in LOGGED:
            return None
        LOGGED.add(error)
        return super().nil_with_logged_error(context, reason)


class LogsWalksOnce(LogsOnce):
    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        if reason.startswith("the walk ended"):
            return super().nil_with_logged_error(context, reason)
        return WalkDir.nil_with_logged_error(self, context, reason)


def last_is_kept(argument: str) -> type[ScriptRun]:
    """Return the execution in which LAST keeps its value if a call with this argument gives nil."""

    class Kept(ScriptRun):
        def execute(self, statement: Statement) -> None:
            before = self.last
            super().execute(statement)
            if statement.text.endswith(f"({argument})") and self.last is None:
                self.last = before

    return Kept


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-268",
        "After a call the definition has another name.",
        "WD-SYN-01",
        candidate_class=RenamedByACall,
    ),
    build_mutant(
        "MUT-WD-269",
        "A number with a fraction is taken for a text.",
        "WD-ARG-02",
        argument_parser=FractionsAreNames,
    ),
    build_mutant("MUT-WD-270", "A path such as 0 is empty.", "WD-ARG-04", argument_parser=NothingIsEmpty),
    build_mutant("MUT-WD-271", "A path that reads as a number is one.", "WD-ARG-04", start=NumbersAreEqual),
    build_mutant("MUT-WD-272", "A component of 255 bytes is too long.", "WD-ARG-04", start=ShorterNamesOnly),
    build_mutant(
        "MUT-WD-273",
        "A path is relative to the working directory of the process if this is inside.",
        "WD-ARG-04",
        start=HereIfInside,
    ),
    build_mutant(
        "MUT-WD-274",
        "A dot names the working directory of the process if this is inside.",
        "WD-ARG-05",
        start=DotIsHereIfInside,
    ),
    build_mutant("MUT-WD-275", "A directory ends at the name 0.", "WD-WALK-01", walk=EndsAtNothing),
    build_mutant("MUT-WD-276", "Names that are equal as numbers are listed once.", "WD-WALK-01", walk=EqualNumbersOnce),
    build_mutant("MUT-WD-277", "A start that is gone gives its last list.", "WD-ERR-03", tool=KeepsLists()),
    build_mutant(
        "MUT-WD-278",
        "A start that is a file by now gives its last list.",
        "WD-ERR-05",
        tool=KeepsListsOfFiles(),
    ),
    build_mutant("MUT-WD-279", "An error is logged once.", "WD-LOG-01", tool=LogsOnce()),
    build_mutant("MUT-WD-280", "An error in mid-walk is logged once.", "WD-LOG-01", tool=LogsWalksOnce()),
    build_mutant(
        "MUT-WD-281",
        "LAST is kept after a way out.",
        "WD-LAST-01",
        script_run=last_is_kept('"../outside"'),
    ),
    build_mutant("MUT-WD-282", "LAST is kept after the empty path.", "WD-LAST-01", script_run=last_is_kept('""')),
    build_mutant("MUT-WD-283", "LAST is kept after a number.", "WD-LAST-01", script_run=last_is_kept("5")),
    build_mutant(
        "MUT-WD-284",
        "LAST is kept after a path below a file.",
        "WD-LAST-01",
        script_run=last_is_kept('"f/x"'),
    ),
)
