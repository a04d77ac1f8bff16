"""Mutants: errors with arguments that are out of the ordinary, by earlier calls, and by the number of entries."""

import os
import stat
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles, LsPlan
from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.ls.request import ArgumentParser, Request
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, open_reader
from treeproof.reference_impl.shared.paths import POSIX, Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import build_mutant

ROOTS: list[bytes] = []
"""The roots of this process that are neighbours of the last one."""


TYPES: dict[bytes, EntryType] = {}
"""The first type of each path."""


class EightBits(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(value & 0xFF if type(value) is int and value > 0 else value)


class SixtyFourBits(ArgumentParser):
    def parse_limit(self, value: Any) -> int:
        return super().parse_limit(value & (2**64 - 1) if type(value) is int and value > 0 else value)


class OffsetOf32Bits(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(value & (2**32 - 1) if type(value) is int and 0 < value < 2**40 else value)


class FalseIsDot(ArgumentParser):
    def parse_path(self, value: Any) -> str:
        return super().parse_path("." if value is False else value)


class RecursivePlan(LsPlan):
    """Knows an argument that lists what is below."""

    def read_entries(self, project: Project, components: tuple[bytes, ...], request: Request) -> list[Entry]:
        found = super().read_entries(project, components, request)
        if self.sent_arguments.get("recursive") is not True:
            return found
        below = [
            super(RecursivePlan, self).read_entries(project, (one.raw_name,), request)
            for one in found
            if one.type == "dir"
        ]
        return found + [entry for entries in below for entry in entries]


class Recursive(ListFiles):
    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> LsPlan:
        return RecursivePlan(self, arguments, context, flavour)


class EveryRoot(Project):
    """Permits a neighbour of the root that was the root of an earlier call."""

    def components_below_root(self, real: bytes) -> tuple[bytes, ...] | None:
        folder = os.path.dirname(self.root)
        ROOTS[:] = [one for one in ROOTS if os.path.dirname(one) == folder and one != self.root] + [self.root]
        if real in ROOTS[:-1]:
            return (b"..", os.path.basename(real))
        return super().components_below_root(real)


class MasksTooMuch(Directory):
    """Compares further bits of the mode with those of a directory."""

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        return "file" if found == "dir" and stat.S_IMODE(reader.lstat((), raw).st_mode) & 0o7000 else found


class FirstType(Directory):
    """The type of a path is the first one that it had."""

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        place = self.project.join_root((*self.components, raw))
        return TYPES.setdefault(place, super().type(reader, raw))


class LosesFullParts(Directory):
    """Loses the last name of a directory that has a multiple of a number."""

    part = 64

    def entries(self) -> list[Entry]:
        found = sorted(super().entries(), key=lambda entry: entry.name)
        return found[:-1] if len(found) % self.part == 0 else found


class NoLargeFiles(Directory):
    """Files whose size 31 bits do not hold are left out."""

    def entries(self) -> list[Entry]:
        found = super().entries()
        with open_reader(Place(self.project.root, self.components), POSIX) as reader:
            return [entry for entry in found if reader.lstat((), entry.raw_name).st_size < 2**31]


class AllTheRest(ArgumentParser):
    """Without a limit, an offset shows all of the rest."""

    def parse(self) -> Request:
        request = super().parse()
        is_all = request.offset > 0 and "limit" not in self.sent_arguments
        return replace(request, limit=2**31) if is_all else request


class LinksAreFollowedOpenly(Directory):
    """A link into a closed directory is left out."""

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        if found == "link":
            try:
                os.stat(self.project.join_root((*self.components, raw)))
            except PermissionError:
                raise FileNotFoundError from None  # as if it had vanished
            except OSError:
                pass  # it leads nowhere
        return found


class LosesFullHundreds(LosesFullParts):
    part = 500


class SlashPlan(LsPlan):
    """A missing path with a slash behind it is an empty directory."""

    def read_entries(self, project: Project, components: tuple[bytes, ...], request: Request) -> list[Entry]:
        is_missing = not os.path.lexists(project.join_root(components))
        return [] if is_missing and request.path.endswith("/") else super().read_entries(project, components, request)


class SlashIsADirectory(ListFiles):
    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> LsPlan:
        return SlashPlan(self, arguments, context, flavour)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-374", "limit is cut to 8 bits.", "LS-ARG-03 LS-ERR-05", argument_parser=EightBits),
    build_mutant("MUT-LS-375", "limit is cut to 64 bits.", "LS-ARG-03 LS-ERR-05", argument_parser=SixtyFourBits),
    build_mutant("MUT-LS-376", "offset is cut to 32 bits.", "LS-PAGE-05", argument_parser=OffsetOf32Bits),
    build_mutant("MUT-LS-377", "false as a path is the working directory.", "LS-ARG-01", argument_parser=FalseIsDot),
    build_mutant(
        "MUT-LS-378",
        "An argument `recursive` lists the entries below.",
        "LS-DATA-06 LS-ARG-07",
        tool=Recursive,
    ),
    build_mutant("MUT-LS-379", "What was the root of an earlier call stays permitted.", "LS-SEC-01", project=EveryRoot),
    build_mutant(
        "MUT-LS-380",
        "A directory with further bits in its mode is a file.",
        "LS-DATA-02 LS-SORT-01 LS-TEXT-06",
        directory=MasksTooMuch,
    ),
    build_mutant("MUT-LS-381", "The last entry of a multiple of 64 is lost.", "LS-DATA-06", directory=LosesFullParts),
    build_mutant(
        "MUT-LS-382", "The last entry of a multiple of 500 is lost.", "LS-DATA-06", directory=LosesFullHundreds
    ),
    build_mutant(
        "MUT-LS-383",
        "A missing path with a slash behind it is an empty directory.",
        "LS-ERR-01",
        tool=SlashIsADirectory,
    ),
    build_mutant(
        "MUT-LS-394",
        "The type of a path is the first one that it had.",
        "LS-DATA-02 LS-TEXT-06 LS-DATA-05",
        directory=FirstType,
    ),
    build_mutant("MUT-LS-395", "Files of 2 GiB and more are left out.", "LS-DATA-06", directory=NoLargeFiles),
    build_mutant(
        "MUT-LS-396",
        "With an offset and without a limit, all of the rest is shown.",
        "LS-DEF-04 LS-PAGE-01 LS-PAGE-05",
        argument_parser=AllTheRest,
    ),
    build_mutant(
        "MUT-LS-397",
        "A link into a closed directory is left out.",
        "LS-SEC-08 LS-DATA-06",
        directory=LinksAreFollowedOpenly,
    ),
)
