"""Mutants: errors in the codes and messages of failures, and files left behind."""

import errno
import os

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import CallRefused, ErrorCode
from treeproof.reference_impl.ls.page import Page
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.ls.request import ArgumentParser
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import open_directory
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import build_mutant


class Renamed(ListFiles):
    """Reports failures of the file system with another code or message."""

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        code, message = super().listing_error(error, path, real_path)
        return self.renamed(code, message, path)

    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return code, message


class MissingIsWrong(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.INVALID_PARAM if code == ErrorCode.NOT_FOUND else code), message


class MissingIsQuoted(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return code, f"Path {path!r} does not exist." if code == ErrorCode.NOT_FOUND else message


class MissingWithoutPath(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return code, "Path does not exist." if code == ErrorCode.NOT_FOUND else message


class MissingIsFormatted(Renamed):
    """The path is inserted into a template twice."""

    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return code, message.replace("{path}", "missing") if code == ErrorCode.NOT_FOUND else message


class FileIsMissing(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.NOT_FOUND if "is a file" in message else code), message


class FileIsInternal(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.INTERNAL_ERROR if "is a file" in message else code), message


class FileInOtherWords(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return code, f"'{path}' is not a directory." if "is a file" in message else message


class PermissionByName(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return ("PERMISSION_DENIED" if code == ErrorCode.ACCESS_DENIED else code), message


class PermissionIsInternal(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.INTERNAL_ERROR if code == ErrorCode.ACCESS_DENIED else code), message


class PermissionAsOutside(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        outside = "Access denied. Path must be within the project root."
        return code, outside if code == ErrorCode.ACCESS_DENIED else message


class ClosedIsMissing(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.NOT_FOUND if code == ErrorCode.ACCESS_DENIED else code), message


class InternalIsMissing(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.NOT_FOUND if code == ErrorCode.INTERNAL_ERROR else code), message


class InternalIsDenied(Renamed):
    def renamed(self, code: str, message: str, path: str) -> tuple[str, str]:
        return (ErrorCode.ACCESS_DENIED if code == ErrorCode.INTERNAL_ERROR else code), message


class EmptyOnFailure(Directory):
    def entries(self) -> list[Entry]:
        try:
            return super().entries()
        except OSError as error:
            if error.errno in (errno.EIO, errno.ENOMEM):
                return []
            raise


class EmptyIfClosed(Directory):
    def entries(self) -> list[Entry]:
        try:
            return super().entries()
        except PermissionError:
            return []


class OutsideByName(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        try:
            return super().resolve(path)
        except CallRefused as refused:
            raise CallRefused("FORBIDDEN", refused.message) from refused


class OutsideIsWrong(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        try:
            return super().resolve(path)
        except CallRefused as refused:
            raise CallRefused(ErrorCode.INVALID_PARAM, refused.message) from refused


class OutsideNamed(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        try:
            return super().resolve(path)
        except CallRefused as refused:
            raise CallRefused(refused.code, f"Access denied: '{path}' is outside of the project root.") from refused


class ArgumentsAreInternal(ArgumentParser):
    def invalid_arguments(self) -> CallRefused:
        return CallRefused(ErrorCode.INTERNAL_ERROR, super().invalid_arguments().message)


class ArgumentsByName(ArgumentParser):
    def invalid_arguments(self) -> CallRefused:
        return CallRefused("VALIDATION_ERROR", super().invalid_arguments().message)


class Prefixed(Envelope):
    def failure_text(self, refused: CallRefused) -> str:
        return f"Error: {refused.code}"


class GenericText(Envelope):
    def failure_text(self, refused: CallRefused) -> str:
        return refused.message if refused.code == ErrorCode.INVALID_PARAM else "The directory cannot be listed."


class Absolute(ListFiles):
    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        return super().listing_error(error, os.fsdecode(real_path), real_path)


class WithoutDot(ListFiles):
    """Messages omit the leading `./` of a path."""

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        return super().listing_error(error, path.removeprefix("./").upper(), real_path)


class Footprint(Project):
    """Leaves a file in the root after several listings."""

    place_of_root = b""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        Footprint.place_of_root = self.root


class LeavesACache(Envelope):
    def listing(self, path: str, page: Page, text: str) -> Members:
        if page.limit == 1 and page.offset == 1 and page.total > 5:
            with open(os.path.join(Footprint.place_of_root, b".ls-cache"), "w") as file:
                file.write(text)
        return super().listing(path, page, text)


class OpensByForce(Directory):
    def entries(self) -> list[Entry]:
        try:
            return super().entries()
        except PermissionError:
            os.chmod(self.project.join_root(self.components), 0o755)
            return super().entries()


class DiskFailureNamesThePlace(ListFiles):
    """A failure of the disk is reported as the system describes it, with the absolute path."""

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        code, message = super().listing_error(error, path, real_path)
        if code == ErrorCode.INTERNAL_ERROR:
            message = f"{message}: {os.fsdecode(real_path)}"
        return code, message


class PartIsEnough(Directory):
    """A failed read lists the entries until then."""

    def entries(self) -> list[Entry]:
        found: list[Entry] = []
        descriptor = open_directory(Place(self.project.root, self.components))
        try:
            for one in os.scandir(descriptor):
                is_dir = one.is_dir(follow_symlinks=False)
                kind: EntryType = "link" if one.is_symlink() else "dir" if is_dir else "file"
                found.append(self.entry(os.fsencode(one.name), kind))
        except OSError:
            if not found:
                raise
        finally:
            os.close(descriptor)
        return found


ARGUMENTS = "LS-ARG-01 LS-ARG-02 LS-ARG-03 LS-ARG-04 LS-ARG-05 LS-ARG-06 LS-ARG-08"
MISSING = "LS-SEC-02 LS-ENV-04 LS-ERR-07 LS-ARG-08"
OUTSIDE = "LS-SEC-01 LS-SEC-04 LS-SEC-05 LS-SEC-06 LS-ERR-02"
CLOSED = "LS-ERR-04 LS-ENV-04 LS-ERR-07 LS-ERR-08 LS-XR-01"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-240", "A missing path is an invalid argument.", "LS-ERR-01", MISSING, tool=MissingIsWrong),
    build_mutant(
        "MUT-LS-241",
        "The path in a message is quoted like a string of the programming language.",
        "LS-ERR-09",
        tool=MissingIsQuoted,
    ),
    build_mutant(
        "MUT-LS-242",
        "The message about a missing path does not name it.",
        "LS-ERR-09 LS-ERR-08",
        tool=MissingWithoutPath,
    ),
    build_mutant("MUT-LS-243", "A path with braces is expanded as a template.", "LS-ERR-09", tool=MissingIsFormatted),
    build_mutant(
        "MUT-LS-244", "The message about a path outside contains the path.", "LS-ERR-02", project=OutsideNamed
    ),
    build_mutant("MUT-LS-245", "A path outside is FORBIDDEN.", OUTSIDE, "LS-ARG-08 LS-ENV-04", project=OutsideByName),
    build_mutant("MUT-LS-246", "A path outside is an invalid argument.", OUTSIDE, "LS-ARG-08", project=OutsideIsWrong),
    build_mutant("MUT-LS-247", "A file is reported as missing.", "LS-ERR-03", tool=FileIsMissing),
    build_mutant("MUT-LS-248", "A file is an internal error.", "LS-ERR-03", tool=FileIsInternal),
    build_mutant("MUT-LS-249", "The message about a file differs.", "LS-ERR-09 LS-ERR-08", tool=FileInOtherWords),
    build_mutant("MUT-LS-250", "An unreadable directory is PERMISSION_DENIED.", CLOSED, tool=PermissionByName),
    build_mutant("MUT-LS-251", "An unreadable directory is an internal error.", CLOSED, tool=PermissionIsInternal),
    build_mutant(
        "MUT-LS-252", "An unreadable directory is reported as outside.", "LS-ERR-09 LS-ERR-08", tool=PermissionAsOutside
    ),
    build_mutant("MUT-LS-253", "An unreadable directory is reported as missing.", CLOSED, tool=ClosedIsMissing),
    build_mutant("MUT-LS-254", "An unreadable directory is listed as empty.", CLOSED, directory=EmptyIfClosed),
    build_mutant(
        "MUT-LS-255",
        "Invalid arguments are an internal error.",
        "LS-ERR-05",
        ARGUMENTS,
        argument_parser=ArgumentsAreInternal,
    ),
    build_mutant(
        "MUT-LS-256",
        "Invalid arguments are a VALIDATION_ERROR.",
        "LS-ERR-05",
        ARGUMENTS,
        "LS-ENV-04",
        argument_parser=ArgumentsByName,
    ),
    build_mutant(
        "MUT-LS-257",
        "A failure of the disk is reported as a missing path.",
        "LS-ERR-06",
        tool=InternalIsMissing,
    ),
    build_mutant(
        "MUT-LS-258",
        "A failure of the disk is reported as a missing permission.",
        "LS-ERR-06",
        tool=InternalIsDenied,
    ),
    build_mutant(
        "MUT-LS-259",
        "A directory that the disk cannot read is listed as empty.",
        "LS-ERR-06",
        directory=EmptyOnFailure,
    ),
    build_mutant("MUT-LS-260", "The text of an error contains the code only.", "LS-ERR-07", envelope=Prefixed),
    build_mutant("MUT-LS-261", "The text of most errors is general.", "LS-ERR-07", envelope=GenericText),
    build_mutant(
        "MUT-LS-262",
        "Messages contain the absolute path.",
        "LS-ERR-08 LS-ERR-09",
        tool=Absolute,
    ),
    build_mutant(
        "MUT-LS-263",
        "Messages contain the path in capitals.",
        "LS-ERR-08 LS-ERR-09",
        tool=WithoutDot,
    ),
    build_mutant(
        "MUT-LS-264",
        "A cache file is written into the root.",
        "LS-XR-01 LS-PAGE-04",
        project=Footprint,
        envelope=LeavesACache,
    ),
    build_mutant(
        "MUT-LS-265",
        "An unreadable directory gets new permissions and is opened.",
        "LS-XR-01",
        CLOSED,
        directory=OpensByForce,
    ),
    build_mutant(
        "MUT-LS-267",
        "The entries read before a disk failure are returned as a complete listing.",
        "LS-ERR-06",
        directory=PartIsEnough,
    ),
    build_mutant(
        "MUT-LS-322",
        "The message of a disk failure contains the absolute path.",
        "LS-ERR-06",
        tool=DiskFailureNamesThePlace,
    ),
)
