"""Mutants: errors by what came before: earlier calls, earlier sandboxes, earlier statements of a script."""

from collections.abc import Iterator
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry
from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.script import ScriptRun, Statement
from treeproof.reference_impl.fs_walkdir.start import StartMissing, StartResolver
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import Elements, build_mutant

SANDBOXES: list[str] = []
"""The sandboxes of this process that are neighbours of the last one."""

MISSED: set[str] = set()
"""The sandboxes in which a start has been missing."""


KINDS: dict[tuple[str, str, str], Any] = {}
"""The first isDir of each path in a sandbox."""

ABSENT: set[tuple[str, str]] = set()
"""The starts that have been missing, with their sandboxes."""

FILES: set[tuple[str, str]] = set()
"""The starts that have been no directories, with their sandboxes."""

SIZES: dict[tuple[int, int], Any] = {}
"""The first size of each file."""

TIMES: dict[tuple[str, str, str], Any] = {}
"""The first modTime of each path in a sandbox."""

TIMES_OF_INODES: dict[tuple[int, int], Any] = {}
"""The first modTime of each entry."""

RECORDS: list[tuple[str, str]] = []
"""The sandboxes of the errors until now, and their reasons."""

LEFT_OVER: list[WalkedEntry] = []
"""What a walk had found before its error."""

errors: list[str] = []
"""The errors since the last call that succeeded."""


class EverySandbox(StartResolver):
    """Permits a neighbour that was the sandbox of an earlier call."""

    def resolve(self, path: str) -> Place | None:
        root = self._context.roots[0]
        folder = root.rpartition("/")[0]
        SANDBOXES[:] = [one for one in SANDBOXES if one.rpartition("/")[0] == folder and one != root] + [root]
        for one in SANDBOXES[:-1]:
            if path == f"../{one.rpartition('/')[2]}":
                return Place(one.encode(), ())
        return super().resolve(path)


class LogsARepetition(WalkDir):
    """Logs a missing start as an error if one was missing in the same sandbox before."""

    def nil_for_missing_start(self, context: CallContext) -> Any:
        root = context.roots[0]
        if root in MISSED:
            return self.nil_with_logged_error(context, "there is no such directory")
        MISSED.add(root)
        return None


class FailsTheSecondTime(WalkDir):
    """The call fails for the second error in a row."""

    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        errors.append(reason)
        if len(errors) > 1:
            raise ToolError(ErrorKind.EXECUTION_FAILED, reason)
        return super().nil_with_logged_error(context, reason)

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        errors.clear()
        return found


class FirstKind(WalkDir):
    """isDir of a path is the first value that it had in the same sandbox."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        place = context.roots[0], str(arguments)
        return [
            {**element, "isDir": KINDS.setdefault((*place, element["path"]), element["isDir"])} for element in found
        ]


class LastOnce(ScriptRun):
    """LAST is nil once it has been read."""

    def evaluate(self, text: str, line: int) -> Any:
        value = super().evaluate(text, line)
        if text.strip() == "LAST":
            self.last = None
        return value


class BlocksHaveTheirOwn(ScriptRun):
    """LAST has after a block the value that it had before."""

    def execute(self, statement: Statement) -> None:
        before = self.last
        super().execute(statement)
        if statement.text.startswith(("IF ", "FOR ")):
            self.last = before


class OneList(ScriptRun):
    """The list of each call is the same object."""

    def set_last(self, value: Any) -> None:
        if isinstance(self.last, list) and isinstance(value, list):
            self.last[:] = value
        else:
            super().set_last(value)


class EndsAtAnError(ScriptRun):
    """A script ends without an error where a call gives nil for another reason than a missing start."""

    has_ended = False

    def execute(self, statement: Statement) -> None:
        if not self.has_ended:
            super().execute(statement)
            self.has_ended = (
                self.last is None and statement.text.startswith("CALL ") and "no_such" not in statement.text
            )


class KeepsFindings(Walk):
    """What a walk found before its error is at the beginning of the next list."""

    def walk(self) -> Iterator[WalkedEntry]:
        found = list(LEFT_OVER)
        LEFT_OVER.clear()
        try:
            for item in super().walk():
                found.append(item)
        except OSError:
            LEFT_OVER[:] = found
            raise
        yield from found


class MissingForGood(StartResolver):
    """A start that was missing once stays missing."""

    def resolve(self, path: str) -> Place | None:
        start = self._context.roots[0], path
        if start in ABSENT:
            raise StartMissing("there is no such directory")
        try:
            return super().resolve(path)
        except StartMissing:
            ABSENT.add(start)
            raise


class FileForGood(StartResolver):
    """A start that was no directory once stays refused."""

    def resolve(self, path: str) -> Place | None:
        start = self._context.roots[0], path
        if start in FILES:
            raise CallRefused("the start path is not a directory")
        try:
            return super().resolve(path)
        except CallRefused as refusal:
            if "not a directory" in str(refusal):
                FILES.add(start)
            raise


class FirstSize(EntryFormatter):
    """The size of a file is the first one that it had."""

    def size(self, item: WalkedEntry) -> Any:
        found = item.stat_result
        return SIZES.setdefault((found.st_dev, found.st_ino), super().size(item))


class FirstTimeOfInode(EntryFormatter):
    """modTime of an entry is the first one that it had."""

    def mod_time(self, item: WalkedEntry) -> Any:
        found = item.stat_result
        return TIMES_OF_INODES.setdefault((found.st_dev, found.st_ino), super().mod_time(item))


class FirstTime(WalkDir):
    """modTime of a path is the first value that it had in the same sandbox."""

    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
        found = super().list_elements(arguments, context, flavour)
        place = context.roots[0], str(arguments)
        return [
            {**element, "modTime": TIMES.setdefault((*place, element["path"]), element["modTime"])} for element in found
        ]


class LogsAgain(WalkDir):
    """The records of earlier calls in a sandbox come with a missing start."""

    def nil_with_logged_error(self, context: CallContext, reason: str) -> Any:
        RECORDS.append((context.roots[0], reason))
        return super().nil_with_logged_error(context, reason)

    def nil_for_missing_start(self, context: CallContext) -> Any:
        context.log.extend(("error", reason) for root, reason in RECORDS if root == context.roots[0])
        return None


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-217",
        "What was the sandbox of an earlier call stays permitted.",
        "WD-SEC-01",
        start=EverySandbox,
    ),
    build_mutant("MUT-WD-218", "A second missing start is logged as an error.", "WD-LOG-02", tool=LogsARepetition()),
    build_mutant(
        "MUT-WD-230",
        "The second error in a row makes the call fail.",
        "WD-ERR-01",
        tool=FailsTheSecondTime(),
    ),
    build_mutant("MUT-WD-242", "isDir of a path is its first one.", "WD-ENT-03", tool=FirstKind()),
    build_mutant("MUT-WD-219", "LAST can be read once.", "WD-LAST-01", script_run=LastOnce),
    build_mutant("MUT-WD-220", "A call in a block does not set LAST.", "WD-LAST-01", script_run=BlocksHaveTheirOwn),
    build_mutant("MUT-WD-221", "All calls of a script have one list.", "WD-LAST-01", script_run=OneList),
    build_mutant("MUT-WD-262", "A start that was missing stays missing.", "WD-WALK-01", start=MissingForGood),
    build_mutant("MUT-WD-263", "A start that was no directory stays none.", "WD-WALK-01", start=FileForGood),
    build_mutant("MUT-WD-256", "size of a file is its first one.", "WD-ENT-04", entry_formatter=FirstSize),
    build_mutant("MUT-WD-257", "modTime of a path is its first one.", "WD-ENT-05", tool=FirstTime()),
    build_mutant("MUT-WD-266", "A missing start brings back the records of errors.", "WD-LOG-02", tool=LogsAgain()),
    build_mutant(
        "MUT-WD-302", "A script ends at an error, as if that were its end.", "WD-ERR-01", script_run=EndsAtAnError
    ),
    build_mutant(
        "MUT-WD-303",
        "What a walk found before its error is in the next list.",
        "WD-WALK-01",
        walk=KeepsFindings,
    ),
    build_mutant("MUT-WD-961", "modTime of an entry is its first one.", "WD-ENT-05", entry_formatter=FirstTimeOfInode),
)
