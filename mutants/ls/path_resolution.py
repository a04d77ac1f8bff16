"""Mutants: errors in the resolution of paths and in the sandbox check."""

import os
import re
from collections.abc import Callable
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.ls.errors import LISTING_FAILED, OUTSIDE_ROOT, PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import build_mutant


class FromTheProcess(Project):
    def real_path(self, path: str) -> bytes:
        resolved = os.path.realpath(path.encode())
        return resolved if self.components_below_root(resolved) else super().real_path(path)


class Expands(Project):
    def real_path(self, path: str) -> bytes:
        return super().real_path(os.path.expandvars(os.path.expanduser(path)))


class GlobsTheFirst(Project):
    def real_path(self, path: str) -> bytes:
        if path == "*":
            path = min(os.listdir(os.fsdecode(self.working_dir)), default=path)
        return super().real_path(path)


def with_path_changed(change: Callable[[str], str]) -> type[Project]:
    """Return a project in which paths are changed before resolution."""

    class Reading(Project):
        def real_path(self, path: str) -> bytes:
            return super().real_path(change(path))

    return Reading


class WorkingDirIsTheSandbox(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        below, here = super().resolve(path), self.components_below_root(self.working_dir) or ()
        if below[: len(here)] != here:
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return below


class NothingAbsolute(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if path.startswith("/"):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return super().resolve(path)


class AbsoluteBelowTheRoot(Project):
    def real_path(self, path: str) -> bytes:
        return super().real_path("./" + path.lstrip("/")) if path.startswith("/") else super().real_path(path)


class SpelledAsTheRoot(Project):
    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self.given = context.roots[0]

    def resolve(self, path: str) -> tuple[bytes, ...]:
        if path.startswith("/") and not path.startswith(self.given):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return super().resolve(path)


class NotTheRootItself(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        below = super().resolve(path)
        if path.startswith("/") and not below:
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return below


class AsAText(Project):
    def real_path(self, path: str) -> bytes:
        return os.path.normpath(os.path.join(self.working_dir, path.encode()))


class LastLinkUnfollowed(Project):
    def real_path(self, path: str) -> bytes:
        joined = os.path.join(self.working_dir, path.encode()).rstrip(b"/")
        folder, _, name = joined.rpartition(b"/")
        if name in (b".", b".."):
            return os.path.realpath(joined)
        return os.path.join(os.path.realpath(folder), name)


class RawRoot(Project):
    """The root is not canonicalised."""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self.root = os.fsencode(context.roots[0])


class ByBeginning(Project):
    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        if not real.startswith(self.root):
            return None
        rest = os.path.relpath(real, self.root).split(b"/")
        return tuple(part for part in rest if part != b".")


class ExistenceFirst(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if not os.path.lexists(self.real_path(path)) and self.components_below_root(self.real_path(path)) is None:
            raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().resolve(path)


class MissingOutsideBreaks(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        real = self.real_path(path)
        if self.components_below_root(real) is None and not os.path.lexists(real):
            raise CallRefused(ErrorCode.INTERNAL_ERROR, LISTING_FAILED.format(error="No such file or directory"))
        return super().resolve(path)


class FilesOutsideFirst(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if os.path.isfile(self.real_path(path)) and self.components_below_root(self.real_path(path)) is None:
            raise CallRefused(ErrorCode.INVALID_PARAM, f"'{path}' is a file, not a directory.")
        return super().resolve(path)


class AbsoluteIsTrusted(Project):
    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        inside = super().components_below_root(real)
        return inside if inside is not None else self.trusted(real)

    def trusted(self, real: bytes) -> tuple[bytes, ...] | None:
        return None

    def resolve(self, path: str) -> tuple[bytes, ...]:
        inside = super().components_below_root(self.real_path(path))
        if inside is None and path.startswith("/"):
            return (*[b".."] * self.root.count(b"/"), *self.real_path(path).strip(b"/").split(b"/"))
        return super().resolve(path)


class OneStepUp(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        return () if self.real_path(path) == os.path.dirname(self.root) else super().resolve(path)


class AnyCase(Project):
    """The names of the root are case-insensitive."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        length = len(self.root)
        return (
            super().components_below_root(self.root + real[length:])
            if real[:length].lower() == self.root.lower()
            else None
        )


class UpByText(Project):
    """A path whose relative text begins with two dots counts as a path with `..`."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        return None if os.path.relpath(real, self.root).startswith(b"..") else super().components_below_root(real)


def as_windows(path: str) -> str:
    """Convert backslashes to slashes, and remove trailing dots."""
    return re.sub(r"(?<=[^./])\.+$", "", path.replace("\\", "/"))


def cleaned_text(path: str) -> str:
    """Remove a trailing line break, quotes and plus signs, and normalise to NFC."""
    return normalize("NFC", path.rstrip("\n").strip('"').replace("+", " "))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-217", "A path is expanded as by a shell.", "LS-SEC-02", project=Expands),
    build_mutant(
        "MUT-LS-221",
        "Relative paths start in the process's directory if that leads inside.",
        "LS-SEC-02",
        project=FromTheProcess,
    ),
    build_mutant(
        "MUT-LS-223",
        "A path above the working directory is refused.",
        "LS-SEC-02 LS-ENV-07 LS-SEC-03",
        project=WorkingDirIsTheSandbox,
    ),
    build_mutant(
        "MUT-LS-224",
        "An absolute path is always refused.",
        "LS-SEC-03 LS-ENV-09 LS-DATA-03 LS-ENV-08",
        project=NothingAbsolute,
    ),
    build_mutant(
        "MUT-LS-225",
        "An absolute path starts at the working directory.",
        "LS-SEC-03 LS-ENV-09 LS-DATA-03 LS-SEC-01 LS-SEC-04 LS-SEC-05 LS-SEC-06 LS-ERR-02",
        project=AbsoluteBelowTheRoot,
    ),
    build_mutant(
        "MUT-LS-226",
        "An absolute path must begin with the root's text.",
        "LS-SEC-03",
        project=SpelledAsTheRoot,
    ),
    build_mutant("MUT-LS-227", "The absolute path of the root is refused.", "LS-SEC-03", project=NotTheRootItself),
    build_mutant(
        "MUT-LS-228",
        "Paths are checked by text, without resolution of links.",
        "LS-SEC-04 LS-FILT-05 LS-ERR-02 LS-ENV-07 LS-ENV-09 LS-SORT-03 LS-ERR-03 LS-SEC-03 LS-DATA-03 "
        "LS-ERR-01 LS-ARG-08",
        project=AsAText,
    ),
    build_mutant(
        "MUT-LS-229",
        "The last link of a path is not resolved before the check.",
        "LS-SEC-04 LS-FILT-05 LS-ERR-02 LS-ENV-09 LS-ERR-03 LS-DATA-03 LS-ERR-01 LS-ARG-08",
        project=LastLinkUnfollowed,
    ),
    build_mutant(
        "MUT-LS-231",
        "A root reached through a link contains nothing.",
        "LS-SEC-04 LS-SEC-03 LS-ENV-07 LS-SORT-03",
        project=RawRoot,
    ),
    build_mutant(
        "MUT-LS-232",
        "A path that begins with the root's text is inside.",
        "LS-SEC-05 LS-SEC-07 LS-SEC-01 LS-SEC-04",
        project=ByBeginning,
    ),
    build_mutant(
        "MUT-LS-233",
        "A missing path outside is reported as missing.",
        "LS-SEC-06",
        project=ExistenceFirst,
    ),
    build_mutant(
        "MUT-LS-450",
        "A missing path outside is a failure of the system.",
        "LS-SEC-06 LS-SEC-04",
        project=MissingOutsideBreaks,
    ),
    build_mutant(
        "MUT-LS-234",
        "A file outside is reported as a file.",
        "LS-SEC-06 LS-SEC-04 LS-SEC-01",
        project=FilesOutsideFirst,
    ),
    build_mutant(
        "MUT-LS-235",
        "An absolute path is not checked.",
        "LS-SEC-01 LS-SEC-04 LS-SEC-05 LS-SEC-06 LS-ERR-02",
        project=AbsoluteIsTrusted,
    ),
    build_mutant(
        "MUT-LS-236",
        "The parent of the root counts as the root.",
        "LS-SEC-01 LS-ERR-02 LS-SEC-04 LS-ENV-01 LS-ENV-03 LS-ENV-04 LS-ENV-07 LS-ERR-07",
        project=OneStepUp,
    ),
    build_mutant("MUT-LS-237", "An asterisk is expanded to a name.", "LS-SEC-02", project=GlobsTheFirst),
    build_mutant(
        "MUT-LS-238",
        "Percent escapes in the path are decoded.",
        "LS-SEC-02",
        project=with_path_changed(unquote),
    ),
    build_mutant(
        "MUT-LS-239",
        "A path that begins with a dash is read as an option.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: "." if path.startswith("-") else path),
    ),
    build_mutant("MUT-LS-313", "The sandbox check is case-insensitive.", "LS-SEC-05", project=AnyCase),
    build_mutant(
        "MUT-LS-314",
        "A name that begins with two dots counts as a path with `..`.",
        "LS-SEC-05 LS-SORT-03 LS-ERR-01",
        project=UpByText,
    ),
    build_mutant(
        "MUT-LS-316",
        "A path is interpreted as on Windows.",
        "LS-SEC-02 LS-FILT-10 LS-ERR-01",
        project=with_path_changed(as_windows),
    ),
    build_mutant(
        "MUT-LS-317",
        "A path is normalised before it is resolved.",
        "LS-SEC-02",
        project=with_path_changed(cleaned_text),
    ),
)
