"""Mutants: errors when the requested directory is missing, no directory, or unreadable."""

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from treeproof.reference_impl.list_directory.candidate import ListDirectory, execution_failed
from treeproof.reference_impl.list_directory.request import ArgumentParser
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, Route, open_reader
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import build_mutant

NOT_THERE = (errno.ENOENT,)
NO_DIRECTORY = (errno.ENOTDIR,)
LOOPS = (errno.ELOOP,)
UNREADABLE = (errno.EACCES,)


def path_of(place: Place) -> bytes:
    return b"/".join((place.root.rstrip(b"/"), *place.components)) or b"/"


class Nothing:
    """A place without entries."""

    def list_names(self, route: Route) -> list[bytes]:
        return []

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        raise FileNotFoundError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Itself(Nothing):
    """A place that contains itself."""

    def __init__(self, place: Place) -> None:
        self._path = path_of(place)
        self.lstat((), b"")

    def list_names(self, route: Route) -> list[bytes]:
        return [os.path.basename(self._path)]

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return os.lstat(self._path)


def redirecting_errors(errors: tuple[int, ...], instead: Callable[[Place], DirectoryReader]) -> ListDirectory:
    """Return the tool that continues with another place after these failures."""

    def open_or_redirect(place: Place, flavour: Flavour) -> DirectoryReader:
        try:
            return open_reader(place, flavour)
        except OSError as error:
            if error.errno not in errors:
                raise
            return instead(place)

    return ListDirectory(open_reader=open_or_redirect)


def created_directory(place: Place) -> DirectoryReader:
    os.makedirs(path_of(place))
    return open_reader(replace(place, blocking_errno=None), Flavour("posix", drives=False, folds_case=False))


def refusing_paths(refused: Callable[[OSError, ToolError], ToolError]) -> ListDirectory:
    class Refusing(ListDirectory):
        def listing_error(self, error: OSError) -> ToolError:
            return refused(error, super().listing_error(error))

    return Refusing()


def with_error_kind(kind: ErrorKind, errors: tuple[int, ...]) -> ListDirectory:
    return refusing_paths(lambda error, right: ToolError(kind, right.message) if error.errno in errors else right)


class EndsAtNul(ArgumentParser):
    def parse_path(self) -> str:
        self.arguments = {**self.arguments, "path": self.arguments["path"].partition("\0")[0]}
        return super().parse_path()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-130",
        "A missing directory is listed as empty.",
        "FR-LD-VAL-08 FR-LD-ERR-03 C-05 FR-LD-DEF-03 FR-LD-VAL-01 FR-LD-VAL-07 NFR-LD-REL-02",
        tool=redirecting_errors(NOT_THERE, lambda place: Nothing()),
    ),
    build_mutant(
        "MUT-131",
        "A missing directory is reported as BadArgs.",
        "FR-LD-VAL-08 FR-LD-ERR-03 FR-LD-DEF-03 FR-LD-OUT-08 FR-LD-VAL-07",
        tool=with_error_kind(ErrorKind.BAD_ARGS, NOT_THERE),
    ),
    build_mutant(
        "MUT-331",
        "A path that is no directory is reported as BadArgs.",
        "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02",
        tool=with_error_kind(ErrorKind.BAD_ARGS, NO_DIRECTORY),
    ),
    build_mutant(
        "MUT-332",
        "A missing directory is reported as SandboxViolation.",
        "FR-LD-VAL-08 FR-LD-ERR-03 FR-LD-DEF-03 FR-LD-OUT-08 FR-LD-VAL-01 FR-LD-VAL-07",
        tool=with_error_kind(ErrorKind.SANDBOX_VIOLATION, NOT_THERE),
    ),
    build_mutant(
        "MUT-333",
        "A file is listed as itself, as `ls` does.",
        "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02",
        tool=redirecting_errors(NO_DIRECTORY, Itself),
    ),
    build_mutant(
        "MUT-334",
        "A path that is no directory is listed as empty.",
        "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02",
        tool=redirecting_errors(NO_DIRECTORY, lambda place: Nothing()),
    ),
    build_mutant(
        "MUT-335",
        "The message for a path that is no directory differs.",
        "T-LD-02 FR-LD-VAL-08",
        tool=refusing_paths(
            lambda error, right: execution_failed("cannot list a file") if error.errno in NO_DIRECTORY else right
        ),
    ),
    build_mutant(
        "MUT-336",
        "A directory that cannot be listed is reported without a message.",
        "FR-LD-VAL-08 FR-LD-ERR-03 T-LD-02",
        tool=refusing_paths(lambda error, right: ToolError(ErrorKind.EXECUTION_FAILED, "")),
    ),
    build_mutant(
        "MUT-337",
        "An unreadable requested directory is listed as empty.",
        "FR-LD-VAL-08",
        tool=redirecting_errors(UNREADABLE, lambda place: Nothing()),
    ),
    build_mutant(
        "MUT-340",
        "A path ends at its first NUL.",
        "FR-LD-VAL-08 FR-LD-ERR-01",
        tool=ListDirectory(argument_parser=EndsAtNul),
    ),
    build_mutant(
        "MUT-341",
        "A missing directory is created.",
        "FR-LD-DEF-03 FR-LD-VAL-08 FR-LD-ERR-03 C-05 FR-LD-LST-01 FR-LD-OUT-08 FR-LD-VAL-01 FR-LD-VAL-07 NFR-LD-REL-02",
        tool=redirecting_errors(NOT_THERE, created_directory),
    ),
    build_mutant(
        "MUT-342",
        "A loop of links is listed as an empty directory.",
        "FR-LD-VAL-08 FR-LD-ERR-03",
        tool=redirecting_errors(LOOPS, lambda place: Nothing()),
    ),
)
