"""Wrong in what becomes of a requested directory that is missing, is none, or cannot be read."""

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

from ...context import CallContext
from ...directories import Directories, Route, directories
from ...errors import Kind, ToolError
from ...list_directory import ListDirectory, ListingPlan, failed
from ...listing.request import Reading
from ...listing.walk import Listing
from ...paths import Flavour
from ...sandbox import Place, Sandbox
from ..mutant import Mutant
from .made import wrong

NOT_THERE = (errno.ENOENT,)
NO_DIRECTORY = (errno.ENOTDIR,)
LOOPS = (errno.ELOOP,)
UNREADABLE = (errno.EACCES,)


def path_of(place: Place) -> bytes:
    return b"/".join((place.root.rstrip(b"/"), *place.below)) or b"/"


class Nothing:
    """A place with nothing in it."""

    def names(self, route: Route) -> list[bytes]:
        return []

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        raise FileNotFoundError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Itself(Nothing):
    """A place with itself in it, whatever it is."""

    def __init__(self, place: Place) -> None:
        self._path = path_of(place)
        self.lstat((), b"")

    def names(self, route: Route) -> list[bytes]:
        return [os.path.basename(self._path)]

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return os.lstat(self._path)


def on(errors: tuple[int, ...], instead: Callable[[Place], Directories]) -> ListDirectory:
    """Goes somewhere else where the requested directory fails like this."""

    def reach(place: Place, flavour: Flavour) -> Directories:
        try:
            return directories(place, flavour)
        except OSError as error:
            if error.errno not in errors:
                raise
            return instead(place)

    return ListDirectory(directories=reach)


def made(place: Place) -> Directories:
    os.makedirs(path_of(place))
    return directories(replace(place, obstacle=None), Flavour("posix", drives=False, folds_case=False))


def refusing(refused: Callable[[OSError, ToolError], ToolError]) -> ListDirectory:
    class Refusing(ListDirectory):
        def refusal(self, error: OSError) -> ToolError:
            return refused(error, super().refusal(error))

    return Refusing()


def as_kind(kind: Kind, errors: tuple[int, ...]) -> ListDirectory:
    return refusing(lambda error, right: ToolError(kind, right.message) if error.errno in errors else right)


class RefusesLinks(Sandbox):
    def place(self, path: str) -> Place:
        place = super().place(path)
        if os.path.islink(os.path.join(self._working_dir, path.encode())):
            raise failed("path is not a directory: a symbolic link")
        return place


class Swallowing(ListingPlan):
    """A recursive listing of what fails so is an empty one, as with os.walk."""

    swallowed: ClassVar[int]

    def _listing(self) -> Listing:
        try:
            return super()._listing()
        except ToolError as error:
            if self.request.max_depth == 1 or getattr(error.__cause__, "errno", None) != self.swallowed:
                raise
            return Listing([], capped=False)


def swallowing(error: int) -> ListDirectory:
    class This(Swallowing):
        swallowed = error

    class Planning(ListDirectory):
        def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> ListingPlan:
            plan = super().plan(arguments, context, flavour)
            return This(plan.tool, plan.request, plan.place, plan.budget, plan.flavour)

    return Planning()


class EndsAtNul(Reading):
    def path(self) -> str:
        self.arguments = {**self.arguments, "path": self.arguments["path"].partition("\0")[0]}
        return super().path()


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-128",
        "A link as the requested directory is refused.",
        "FR-LD-VAL-08",
        "FR-LD-VAL-07",
        "FR-LD-VAL-09",
        tool=ListDirectory(sandbox=RefusesLinks),
        reading="AMB-LD-36 refuse",
    ),
    wrong(
        "MUT-130",
        "A missing directory is listed as an empty one.",
        "FR-LD-VAL-08",
        "FR-LD-ERR-03",
        "C-05",
        "FR-LD-DEF-03",
        "FR-LD-VAL-01",
        "FR-LD-VAL-07",
        "NFR-LD-REL-02",
        tool=on(NOT_THERE, lambda place: Nothing()),
    ),
    wrong(
        "MUT-131",
        "A missing directory is reported as BadArgs.",
        "FR-LD-ERR-03",
        "FR-LD-VAL-08",
        "FR-LD-DEF-03",
        "FR-LD-OUT-08",
        "FR-LD-VAL-07",
        tool=as_kind(Kind.BAD_ARGS, NOT_THERE),
    ),
    wrong(
        "MUT-331",
        "What is no directory is reported as BadArgs.",
        "FR-LD-ERR-03",
        "FR-LD-VAL-08",
        "T-LD-02",
        tool=as_kind(Kind.BAD_ARGS, NO_DIRECTORY),
    ),
    wrong(
        "MUT-332",
        "A missing directory is reported as SandboxViolation.",
        "FR-LD-ERR-03",
        "FR-LD-VAL-08",
        "FR-LD-DEF-03",
        "FR-LD-OUT-08",
        "FR-LD-VAL-01",
        "FR-LD-VAL-07",
        tool=as_kind(Kind.SANDBOX_VIOLATION, NOT_THERE),
    ),
    wrong(
        "MUT-333",
        "A file is listed by itself, as `ls` does.",
        "FR-LD-VAL-08",
        "FR-LD-ERR-03",
        "T-LD-02",
        tool=on(NO_DIRECTORY, Itself),
    ),
    wrong(
        "MUT-334",
        "What is no directory is listed as an empty one.",
        "FR-LD-VAL-08",
        "FR-LD-ERR-03",
        "T-LD-02",
        tool=on(NO_DIRECTORY, lambda place: Nothing()),
    ),
    wrong(
        "MUT-335",
        "That a target is no directory is told in other words.",
        "T-LD-02",
        "FR-LD-VAL-08",
        tool=refusing(
            lambda error, right: failed("cannot list a file") if error.errno in NO_DIRECTORY else right
        ),
    ),
    wrong(
        "MUT-336",
        "A target that cannot be listed is reported without a word.",
        "FR-LD-VAL-08",
        "FR-LD-ERR-03",
        "T-LD-02",
        tool=refusing(lambda error, right: ToolError(Kind.EXECUTION_FAILED, "")),
    ),
    wrong(
        "MUT-337",
        "A requested directory that cannot be read is listed as an empty one.",
        "FR-LD-VAL-08",
        tool=on(UNREADABLE, lambda place: Nothing()),
        reading="AMB-LD-10 empty",
    ),
    wrong(
        "MUT-338",
        "A requested directory that cannot be read is listed by itself.",
        "FR-LD-VAL-08",
        tool=on(UNREADABLE, Itself),
        reading="AMB-LD-10 unknown_entry",
    ),
    wrong(
        "MUT-339",
        "A requested directory that cannot be read is reported as SandboxViolation.",
        "FR-LD-VAL-08",
        tool=as_kind(Kind.SANDBOX_VIOLATION, UNREADABLE),
    ),
    wrong(
        "MUT-340",
        "A path ends at its first NUL.",
        "FR-LD-VAL-08",
        "FR-LD-ERR-01",
        tool=ListDirectory(reading=EndsAtNul),
    ),
    wrong(
        "MUT-341",
        "A missing directory is made.",
        "FR-LD-DEF-03",
        "FR-LD-VAL-08",
        "FR-LD-ERR-03",
        "C-05",
        "FR-LD-LST-01",
        "FR-LD-OUT-08",
        "FR-LD-VAL-01",
        "FR-LD-VAL-07",
        "NFR-LD-REL-02",
        tool=on(NOT_THERE, made),
    ),
    wrong(
        "MUT-342",
        "A loop of links is listed as an empty directory.",
        "FR-LD-VAL-08",
        "FR-LD-ERR-03",
        tool=on(LOOPS, lambda place: Nothing()),
    ),
    wrong(
        "MUT-719",
        "A requested directory that cannot be read is empty in a recursive listing.",
        "FR-LD-VAL-08",
        tool=swallowing(errno.EACCES),
    ),
    wrong(
        "MUT-720",
        "A requested directory that can be read but half way is empty in a recursive listing.",
        "FR-LD-VAL-08",
        tool=swallowing(errno.EIO),
    ),
)
