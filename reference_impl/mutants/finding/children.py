"""Wrong in which entries a list has, and in what fails."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...context import CallContext
from ...finding.entries import Seen
from ...finding.reading import Reading
from ...local_files import ListDirectory
from ..mutant import Mutant
from .implied import CHILDREN, LINKS, MANY
from .made import Entries, changing, wrong


class NothingHidden(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().names(below) if not name.startswith(b".")]


class NoBackups(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().names(below) if not name.endswith((b"~", b".bak", b".class"))]


class NoSecrets(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().names(below) if name not in (b"id_rsa", b".ssh", b"a.pem")]


class NoEmptyFiles(Reading):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        return (
            both for both in super().children(below) if both[1].size or both[1].mode & 0o170000 != 0o100000
        )


class NoSpecial(Reading):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        return (
            both for both in super().children(below) if both[1].mode & 0o170000 not in (0o010000, 0o140000)
        )


class NoDangling(Reading):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        return (both for both in super().children(below) if os.path.exists(self.path(*below, both[0])))


class OnlyTextTargets(Reading):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        return (both for both in super().children(below) if "\ufffd" not in (both[1].target or ""))


class OnlyText(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().names(below) if "\ufffd" not in name.decode("utf-8", "replace")]


class WithDots(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [b".", b"..", *super().names(below)]


class NoDots(Reading):
    """Takes every name that begins with two dots for a way up."""

    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().names(below) if not name.startswith(b"..")]


class NoBlanks(Reading):
    """What comes of splitting lines at blanks."""

    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().names(below) if b" " not in name]


class Thousand(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return sorted(super().names(below))[:1000]


class OneFileOnce(Reading):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        known: set[tuple[int, int]] = set()
        for name, seen in super().children(below):
            found = self.lstat(below, name)
            if (found.st_dev, found.st_ino) not in known:
                known.add((found.st_dev, found.st_ino))
                yield name, seen


class NoCase(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return {name.lower(): name for name in super().names(below)}.values()


class OpenOnly(Reading):
    """Only directories that can be read are told of."""

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, Seen]]:
        for name, seen in super().children(below):
            try:
                if self.is_entered(seen):
                    os.listdir(self.path(*below, name))
            except OSError:
                continue
            yield name, seen


class Descending(ListDirectory):
    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        return list(reading.everything())


class TwoLevels(ListDirectory):
    """Opens every directory to tell of its children as well."""

    def seen(self, reading: Reading, arguments: Mapping[str, Any]) -> list[Seen]:
        found = super().seen(reading, arguments)
        for seen in found:
            if reading.is_entered(seen):
                os.access(os.path.join(reading.directory, seen.name), os.R_OK)
                list(os.scandir(os.path.join(reading.directory, seen.name)))
        return found


class Verbatim(ListDirectory):
    def directory(self, path: str, context: CallContext) -> str:
        super().directory(path, context)
        return path


class Trims(ListDirectory):
    def directory(self, path: str, context: CallContext) -> str:
        return super().directory(path.partition("\0")[0], context)


class Defaults(ListDirectory):
    """An error gives what was found until then, which is nothing."""

    def failed(self, path: str, error: OSError) -> Any:
        return []


class EmptyWhenMissing(ListDirectory):
    def failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, FileNotFoundError) else super().failed(path, error)


class EmptyWhenClosed(ListDirectory):
    def failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, PermissionError) else super().failed(path, error)


class FilesListThemselves(ListDirectory):
    def entries(self, arguments: Mapping[str, Any], context: CallContext) -> Entries:
        path = self.directory(arguments["path"], context)
        if os.path.lexists(path) and not os.path.isdir(path):
            above = self.reading(os.path.dirname(path))
            seen = [seen for _, seen in above.children() if seen.name == os.path.basename(path)]
            return [self.telling().entry(one) for one in seen]
        return super().entries(arguments, context)


class Speechless(ListDirectory):
    def failed(self, path: str, error: OSError) -> Any:
        return super().failed("the directory", error)


def twice(found: Entries) -> Entries:
    return [*found, *found[:1]]


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-LF-060",
        "Hidden entries are left out.",
        "LF-LIST-02",
        *CHILDREN,
        "LF-MODEL-02",
        reading=NothingHidden,
    ),
    wrong(
        "MUT-LF-061",
        "Backups and compiled files are left out.",
        "LF-LIST-02",
        "LF-FIND-02",
        "LF-LIST-01",
        reading=NoBackups,
    ),
    wrong("MUT-LF-062", "What may be a secret is left out.", "LF-LIST-02", reading=NoSecrets),
    wrong(
        "MUT-LF-063",
        "Empty files are left out.",
        "LF-LIST-02",
        *MANY,
        "LF-FIND-04",
        "LF-ERR-01",
        reading=NoEmptyFiles,
    ),
    wrong("MUT-LF-064", "Special files are left out.", "LF-TYPE-03", *MANY, reading=NoSpecial),
    wrong("MUT-LF-065", "Links that dangle are left out.", *LINKS, *MANY, reading=NoDangling),
    wrong(
        "MUT-LF-145",
        "Links whose target is not UTF-8 are left out.",
        "LF-LINK-01",
        reading=OnlyTextTargets,
    ),
    wrong("MUT-LF-066", "Names that are not UTF-8 are left out.", "LF-FIELD-01", *CHILDREN, reading=OnlyText),
    wrong(
        "MUT-LF-067",
        "The pseudo-entries are in the list.",
        *MANY,
        "LF-FIND-04",
        "LF-ERR-01",
        reading=WithDots,
    ),
    wrong(
        "MUT-LF-068", "Names that begin with two dots are left out.", "LF-LIST-01", *CHILDREN, reading=NoDots
    ),
    wrong(
        "MUT-LF-069",
        "Names with blanks are left out.",
        "LF-WHY-01",
        *CHILDREN,
        "LF-LIST-01",
        reading=NoBlanks,
    ),
    wrong("MUT-LF-070", "A list ends at a thousand entries.", "LF-LIST-01", reading=Thousand),
    wrong("MUT-LF-071", "A file with two names is there once.", "LF-LIST-01", reading=OneFileOnce),
    wrong(
        "MUT-LF-072", "Of names that differ in case one is there.", "LF-FIELD-01", *CHILDREN, reading=NoCase
    ),
    wrong(
        "MUT-LF-073",
        "Directories that cannot be read are left out.",
        *CHILDREN,
        "LF-FIND-05",
        "LF-FIND-04",
        reading=OpenOnly,
    ),
    wrong("MUT-LF-074", "A list goes down into directories.", *MANY, "LF-FIND-04", listing=Descending),
    wrong(
        "MUT-LF-075",
        "Every directory is opened for its list.",
        "LF-LIST-01",
        "LF-ERR-01",
        "LF-TYPE-01",
        "LF-FIND-01",
        listing=TwoLevels,
    ),
    wrong("MUT-LF-076", "The first entry is there twice.", *MANY, listing=changing(twice)),
    wrong("MUT-LF-077", "Dots of the requested path are kept.", "LF-FIELD-02", listing=Verbatim),
    wrong("MUT-LF-078", "A path ends at a NUL.", "LF-ERR-01", listing=Trims),
    wrong("MUT-LF-079", "Errors give an empty list.", "LF-ERR-01", listing=Defaults),
    wrong("MUT-LF-080", "A missing directory gives an empty list.", "LF-ERR-01", listing=EmptyWhenMissing),
    wrong("MUT-LF-081", "A closed directory gives an empty list.", "LF-ERR-01", listing=EmptyWhenClosed),
    wrong("MUT-LF-082", "A file lists itself.", "LF-ERR-01", listing=FilesListThemselves),
    wrong("MUT-LF-083", "An error does not say of which path.", "LF-ERR-01", listing=Speechless),
)
