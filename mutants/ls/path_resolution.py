"""Wrong in where a path leads, and in whether that lies inside."""

import os
import re
from collections.abc import Callable
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.ls.errors import OUTSIDE_ROOT, PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import build_mutant


class FromTheRoot(Project):
    def real_path(self, path: str) -> bytes:
        return os.path.realpath(os.path.join(self.root, path.encode()))


class FromTheProcess(Project):
    def real_path(self, path: str) -> bytes:
        there = os.path.realpath(path.encode())
        return there if self.components_below_root(there) else super().real_path(path)


class Expands(Project):
    def real_path(self, path: str) -> bytes:
        return super().real_path(os.path.expandvars(os.path.expanduser(path)))


class GlobsTheFirst(Project):
    """A pattern stands for the first name that it covers."""

    def real_path(self, path: str) -> bytes:
        if path == "*":
            path = min(os.listdir(os.fsdecode(self.working_dir)), default=path)
        return super().real_path(path)


def with_path_changed(change: Callable[[str], str]) -> type[Project]:
    """A project in which paths are read as others than they are."""

    class Reading(Project):
        def real_path(self, path: str) -> bytes:
            return super().real_path(change(path))

    return Reading


class NoWayUp(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if ".." in path.split("/"):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return super().resolve(path)


class WorkingDirIsTheSandbox(Project):
    """What lies above the working directory is refused."""

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
    """An absolute path has to begin with the root as it was handed in."""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self.given = context.roots[0]

    def resolve(self, path: str) -> tuple[bytes, ...]:
        if path.startswith("/") and not path.startswith(self.given):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return super().resolve(path)


class NotTheRootItself(Project):
    """An absolute path to the root itself is refused."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        below = super().resolve(path)
        if path.startswith("/") and not below:
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return below


class AsAText(Project):
    """Paths are cleaned as texts; links are not followed before they are judged."""

    def real_path(self, path: str) -> bytes:
        return os.path.normpath(os.path.join(self.working_dir, path.encode()))


class LastLinkUnfollowed(Project):
    """The last component is not followed before it is judged."""

    def real_path(self, path: str) -> bytes:
        joined = os.path.join(self.working_dir, path.encode()).rstrip(b"/")
        folder, _, name = joined.rpartition(b"/")
        if name in (b".", b".."):
            return os.path.realpath(joined)
        return os.path.join(os.path.realpath(folder), name)


class NoLinks(Project):
    """A path over a link is refused, wherever it leads."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        below = super().resolve(path)
        plain = os.path.normpath(os.path.join(self.working_dir, path.encode()))
        if path and plain != self.join_root(below) and not path.startswith("/"):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return below


class RawRoot(Project):
    """The root is not canonicalised."""

    def __init__(self, context: CallContext) -> None:
        super().__init__(context)
        self.root = os.fsencode(context.roots[0])


class ByBeginning(Project):
    """Whether a place lies inside is judged by the beginning of its path."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        if not real.startswith(self.root):
            return None
        rest = os.path.relpath(real, self.root).split(b"/")
        return tuple(part for part in rest if part != b".")


class ExistenceFirst(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if (
            not os.path.lexists(self.real_path(path))
            and self.components_below_root(self.real_path(path)) is None
        ):
            raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().resolve(path)


class FilesOutsideFirst(Project):
    """What is outside and a file is called one."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        if os.path.isfile(self.real_path(path)) and self.components_below_root(self.real_path(path)) is None:
            raise CallRefused(ErrorCode.INVALID_PARAM, f"'{path}' is a file, not a directory.")
        return super().resolve(path)


class AbsoluteIsTrusted(Project):
    """Only relative paths are judged."""

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
    """The folder around the root is taken for a part of it."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        return () if self.real_path(path) == os.path.dirname(self.root) else super().resolve(path)


class AnyCase(Project):
    """The names of the root are met in any case."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        length = len(self.root)
        return (
            super().components_below_root(self.root + real[length:])
            if real[:length].lower() == self.root.lower()
            else None
        )


class UpByText(Project):
    """What begins with two dots, seen from the root, is taken for a way up."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        return (
            None
            if os.path.relpath(real, self.root).startswith(b"..")
            else super().components_below_root(real)
        )


class NoDotsBeforeASlash(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if "../" in re.sub(r"(^|/)(\.\./)+", "", path):
            raise CallRefused(ErrorCode.ACCESS_DENIED, OUTSIDE_ROOT)
        return super().resolve(path)


def as_windows(path: str) -> str:
    """Backslashes part names, and dots at the end are nothing."""
    return re.sub(r"(?<=[^./])\.+$", "", path.replace("\\", "/"))


def cleaned_text(path: str) -> str:
    """No line break at the end, no quotes around, no plus signs for blanks, letters together with their marks."""
    return normalize("NFC", path.rstrip("\n").strip('"').replace("+", " "))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(217, "A path is expanded as by a shell.", "SEC-02", project=Expands),
    build_mutant(
        220,
        "Relative paths start at the root.",
        *(
            "SEC-02",
            "DATA-06",
            "PAGE-01",
            "STAT-01",
            "TEXT-02",
            "DEF-04",
            "ENV-07",
            "ENV-09",
            "DATA-03",
            "FILT-05",
            "FILT-10",
            "ERR-01",
            "SEC-01",
        ),
        project=FromTheRoot,
    ),
    build_mutant(
        221,
        "Relative paths start where the process was started, if that leads inside.",
        "SEC-02",
        project=FromTheProcess,
    ),
    build_mutant(
        222,
        "A path with two dots is refused, wherever it leads.",
        *("SEC-02", "SEC-04", "ENV-09", "DATA-03", "ENV-07", "ENV-08", "ERR-08", "SEC-03"),
        project=NoWayUp,
    ),
    build_mutant(
        223,
        "What lies above the working directory is refused.",
        *("SEC-02", "ENV-07", "SEC-03"),
        project=WorkingDirIsTheSandbox,
    ),
    build_mutant(
        224,
        "An absolute path is refused, wherever it leads.",
        *("SEC-03", "ENV-09", "DATA-03", "ENV-08"),
        project=NothingAbsolute,
    ),
    build_mutant(
        225,
        "An absolute path starts at the working directory.",
        *("SEC-03", "ENV-09", "DATA-03", "SEC-01", "SEC-04", "SEC-05", "SEC-06", "ERR-02"),
        project=AbsoluteBelowTheRoot,
    ),
    build_mutant(
        226,
        "An absolute path has to begin with the root as it was handed in.",
        "SEC-03",
        project=SpelledAsTheRoot,
    ),
    build_mutant(227, "The absolute path of the root is refused.", "SEC-03", project=NotTheRootItself),
    build_mutant(
        228,
        "Paths are judged as texts, links unfollowed.",
        *(
            "SEC-04",
            "FILT-05",
            "ERR-02",
            "ENV-07",
            "ENV-09",
            "SORT-03",
            "ERR-03",
            "SEC-03",
            "DATA-03",
            "ERR-01",
            "ARG-08",
        ),
        project=AsAText,
    ),
    build_mutant(
        229,
        "The last link of a path is not followed before it is judged.",
        *("SEC-04", "FILT-05", "ERR-02", "ENV-09", "ERR-03", "DATA-03", "ERR-01", "ARG-08"),
        project=LastLinkUnfollowed,
    ),
    build_mutant(
        230,
        "A path over a link is refused, wherever it leads.",
        *("SEC-04", "ERR-03", "ERR-01", "DATA-03", "ENV-09", "FILT-05"),
        project=NoLinks,
    ),
    build_mutant(
        231,
        "A root that is reached through a link is none.",
        *("SEC-04", "SEC-03", "ENV-07", "SORT-03"),
        project=RawRoot,
    ),
    build_mutant(
        232,
        "Whether a place lies inside is judged by the beginning of its path.",
        "SEC-05",
        "SEC-07",
        "SEC-01",
        "SEC-04",
        project=ByBeginning,
    ),
    build_mutant(
        233, "A path outside to nothing does not exist.", "SEC-06", "ERR-02", "SEC-01", project=ExistenceFirst
    ),
    build_mutant(
        234,
        "A path outside to a file is refused as one.",
        "SEC-06",
        "SEC-04",
        "SEC-01",
        project=FilesOutsideFirst,
    ),
    build_mutant(
        235,
        "An absolute path is not judged at all.",
        *("SEC-01", "SEC-04", "SEC-05", "SEC-06", "ERR-02"),
        project=AbsoluteIsTrusted,
    ),
    build_mutant(
        236,
        "The folder around the root stands for the root.",
        *("SEC-01", "ERR-02", "SEC-04", "ENV-01", "ENV-03", "ENV-04", "ENV-07", "ERR-07"),
        project=OneStepUp,
    ),
    build_mutant(237, "An asterisk stands for a name.", "SEC-02", project=GlobsTheFirst),
    build_mutant(
        238, "Percent escapes in the path are decoded.", "SEC-02", project=with_path_changed(unquote)
    ),
    build_mutant(
        239,
        "A path that begins with a dash is taken for an option.",
        "SEC-02",
        project=with_path_changed(lambda path: "." if path.startswith("-") else path),
    ),
    build_mutant(313, "Whether a place lies inside is judged in any case.", "SEC-05", project=AnyCase),
    build_mutant(
        314, "A name that begins with two dots leads up.", "SEC-02", "SORT-03", "ERR-01", project=UpByText
    ),
    build_mutant(315, "A name that ends in two dots leads up.", "SEC-02", project=NoDotsBeforeASlash),
    build_mutant(
        316,
        "A path is read as on Windows.",
        "SEC-02",
        "FILT-10",
        "ERR-01",
        project=with_path_changed(as_windows),
    ),
    build_mutant(
        317, "A path is tidied before it is followed.", "SEC-02", project=with_path_changed(cleaned_text)
    ),
)
