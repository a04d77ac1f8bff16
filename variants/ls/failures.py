"""Variants: errors, their messages, and the members of the envelope that are suggestions or examples."""

import errno
import os
from uuid import uuid4

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import CallRefused, ErrorCode
from treeproof.reference_impl.ls.page import Page

from ..shared.variant import Variant, reading_variant


class BelowAFileIsWrong(ListFiles):
    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        code, message = super().listing_error(error, path, real_path)
        return (ErrorCode.INVALID_PARAM if error.errno == errno.ENOTDIR else code), message


class ReplacedByALink(ListFiles):
    """A directory that has become a link has a code of its own."""

    replaced: ErrorCode = ErrorCode.INTERNAL_ERROR

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        code, message = super().listing_error(error, path, real_path)
        return (self.replaced if os.path.islink(real_path) else code), message


class ReplacedIsMissing(ReplacedByALink):
    replaced = ErrorCode.NOT_FOUND


class ReplacedIsOutside(ReplacedByALink):
    replaced = ErrorCode.ACCESS_DENIED


class LongNameRefused(ListFiles):
    """A name that is too long has a code of its own."""

    too_long: ErrorCode = ErrorCode.NOT_FOUND

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        code, message = super().listing_error(error, path, real_path)
        return (self.too_long if error.errno == errno.ENAMETOOLONG else code), message


class LongNameIsOutside(LongNameRefused):
    too_long = ErrorCode.ACCESS_DENIED


class LongNameIsInternal(LongNameRefused):
    too_long = ErrorCode.INTERNAL_ERROR


class FailuresNameThePlace(ListFiles):
    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        code, message = super().listing_error(error, path, real_path)
        return code, f"{message}: {os.fsdecode(real_path)}" if code == ErrorCode.INTERNAL_ERROR else message


class MessagesNameTheResolvedPath(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        given = self.sent_arguments.get("path", ".") if isinstance(self.sent_arguments, dict) else None
        if isinstance(given, str) and path is not None:
            message = refused.message.replace(f"'{given}'", f"'{path}'")
            refused = CallRefused(refused.code, message, refused.components)
        return super().failure(refused, path)


class ErrorsWithoutPathResolved(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        members = super().failure(refused, path)
        context = {name: value for name, value in members["context"].items() if name != "path_resolved"}
        return {**members, "context": context}


class ErrorsWithEmptyPath(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        members = super().failure(refused, path)
        return {**members, "context": {**members["context"], "path_resolved": ""}}


class RefusedPathNamed(Envelope):
    """path_resolved is where a path leads from the root, also if that is refused."""

    def failure(self, refused: CallRefused, path: str | None) -> Members:
        given = self.sent_arguments.get("path") if isinstance(self.sent_arguments, dict) else None
        climbs = isinstance(given, str) and given.startswith("..") and self.cwd == "." and path is None
        return super().failure(refused, os.path.normpath(str(given)) if climbs else path)


class ErrorsWithAllStats(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        members = super().failure(refused, path)
        zeros = dict.fromkeys(("total_entries", "dirs", "files", "links", "returned"), 0)
        return {**members, "stats": {**members["stats"], **zeros}}


class TextBeginsWithError(Envelope):
    def failure_text(self, refused: CallRefused) -> str:
        return f"Error: {super().failure_text(refused)}"


class OtherMessages(Envelope):
    """Has messages of its own; that about wrong arguments is empty."""

    def failure(self, refused: CallRefused, path: str | None) -> Members:
        message = "" if refused.code == ErrorCode.INVALID_PARAM else "That did not work."
        return super().failure(CallRefused(refused.code, message, refused.components), path)


class NoPathResolved(Envelope):
    def context(self, path: str | None) -> Members:
        return {name: value for name, value in super().context(path).items() if name != "path_resolved"}


class ResolvedFromWorkingDirectory(Envelope):
    def context(self, path: str | None) -> Members:
        members = super().context(path)
        if path is None:
            return members
        return {**members, "path_resolved": os.path.relpath(f"/{path}", f"/{self.cwd}")}


class BareErrors(Envelope):
    def failure(self, refused: CallRefused, path: str | None) -> Members:
        return {**super().failure(refused, path), "data": None, "text": "", "stats": {}}


class NoStats(Envelope):
    def stats(self, page: Page) -> Members:
        return {}


class FurtherMembers(Envelope):
    """Has members that no document names and that differ from call to call."""

    def data(self, page: Page) -> Members:
        return {**super().data(page), "cursor": uuid4().hex}

    def stats(self, page: Page) -> Members:
        return {**super().stats(page), "request_id": uuid4().hex}

    def context(self, path: str | None) -> Members:
        return {**super().context(path), "request_id": uuid4().hex}


VARIANTS = (
    reading_variant("AMB-LS-41", "b", "A path below a file is a wrong argument.", tool=BelowAFileIsWrong),
    reading_variant("AMB-LS-42", "b", "A directory that goes meanwhile is missing.", tool=ReplacedIsMissing),
    reading_variant("AMB-LS-42", "c", "A directory that goes meanwhile is outside.", tool=ReplacedIsOutside),
    reading_variant("AMB-LS-52", "b", "Messages name the resolved path.", envelope=MessagesNameTheResolvedPath),
    reading_variant("AMB-LS-19", "b", "An error has no path_resolved.", envelope=ErrorsWithoutPathResolved),
    reading_variant("AMB-LS-20", "b", "An error has all stats.", envelope=ErrorsWithAllStats),
    reading_variant("AMB-LS-29", "b", "The text of an error has more than the message.", envelope=TextBeginsWithError),
    Variant("VAR-LS-01", "Messages are not those of the table, or empty.", {"envelope": OtherMessages}),
    Variant("VAR-LS-02", "No context has path_resolved.", {"envelope": NoPathResolved}),
    Variant("VAR-LS-03", "An error has null as data, an empty text and empty stats.", {"envelope": BareErrors}),
    Variant("VAR-LS-04", "A listing has empty stats.", {"envelope": NoStats}),
    Variant("VAR-LS-05", "Members that no document names differ in each call.", {"envelope": FurtherMembers}),
    Variant("VAR-LS-12", "A failure of the system names the absolute path.", {"tool": FailuresNameThePlace}),
    Variant(
        "VAR-LS-37",
        "path_resolved of an error is empty.",
        {"envelope": ErrorsWithEmptyPath},
        {"AMB-LS-19": "b"},
        excludes=("VAR-LS-02", "VAR-LS-17", "VAR-LS-35"),
    ),
    Variant("VAR-LS-17", "path_resolved shows a refused path.", {"envelope": RefusedPathNamed}),
    Variant(
        "VAR-LS-35",
        "path_resolved starts at the working directory.",
        {"envelope": ResolvedFromWorkingDirectory},
        excludes=("VAR-LS-02", "AMB-LS-19=b"),
    ),
    Variant("VAR-LS-07", "A name that is too long is outside.", {"tool": LongNameIsOutside}),
    Variant("VAR-LS-09", "A name that is too long is a failure of the system.", {"tool": LongNameIsInternal}),
)
