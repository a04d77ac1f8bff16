"""Mutants: another spelling of a name or of an argument, or another kind of directory, makes a difference."""

import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move


class RenamesInPlace(Executor):
    """By the name rename, a destination without a directory lies in that of the source."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "rename" and isinstance(arguments, dict) and "/" not in str(arguments.get("destination")):
            directory, slash, _ = str(arguments.get("source")).rpartition("/")
            arguments = {**arguments, "destination": f"{directory}{slash}{arguments.get('destination')}"}
        return super().execute(name, arguments, context, flavour)


class OverwritesByAlias(Executor):
    """By the name cp, overwrite is true where it is left out."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "cp" and isinstance(arguments, dict) and "source" in arguments:
            arguments = {"overwrite": True, **arguments}
        return super().execute(name, arguments, context, flavour)


class RenamedArguments(Executor):
    """Arguments of other names count where the right ones are left out."""

    other_names: ClassVar[Mapping[str, str]] = {}

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if isinstance(arguments, dict):
            found = {self.other_names[key]: value for key, value in arguments.items() if key in self.other_names}
            arguments = {**found, **arguments}
        return super().execute(name, arguments, context, flavour)


class TakesForce(RenamedArguments):
    other_names = {"force": "overwrite"}


class TakesShortNames(RenamedArguments):
    other_names = {"src": "source", "dest": "destination", "from": "source", "to": "destination"}


class DropsLineFeeds(ArgumentParser):
    """A line feed at the end of the destination is dropped."""

    def parse_path(self, key: str) -> RequestedPath:
        if key == "destination":
            self.arguments = {**self.arguments, key: self.arguments[key].rstrip("\n") or self.arguments[key]}
        return super().parse_path(key)


class CutsLongNames(ArgumentParser):
    """A component of the destination is cut to 255 characters."""

    def parse_path(self, key: str) -> RequestedPath:
        if key == "destination":
            parts = self.arguments[key].split("/")
            self.arguments = {**self.arguments, key: "/".join(part[:255] for part in parts)}
        return super().parse_path(key)


class TildeIsHere(ArgumentParser):
    """A directory that has the name of a tilde is the working directory."""

    def parse_path(self, key: str) -> RequestedPath:
        self.arguments = {**self.arguments, key: self.arguments[key].removeprefix("~/") or self.arguments[key]}
        return super().parse_path(key)


class FindsOtherCase(LinkSandbox):
    """A path that leads to nothing is that of a neighbour whose name differs in case."""

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        place = super().resolve_named(path)
        directory = os.path.join(place.directory.root, *place.directory.components)
        if os.path.isdir(directory) and not os.path.lexists(os.path.join(directory, place.name)):
            for name in os.listdir(directory):
                if name.lower() == place.name.lower():
                    return replace(place, name=name, target=self.resolve_absolute(os.path.join(directory, name)))
        return place


class DotsAreExtensions(Resolution):
    """A directory whose name has a dot is taken for a file."""

    def is_directory(self, destination: NamedPlace) -> bool:
        return b"." not in destination.name and super().is_directory(destination)


class PlainDirectoriesOnly(Resolution):
    """A directory with a setgid or sticky bit is none."""

    def is_directory(self, destination: NamedPlace) -> bool:
        path = os.path.join(destination.target.root, *destination.target.components)
        return super().is_directory(destination) and not stat.S_IMODE(os.stat(path).st_mode) & 0o7000


class RemembersDirectories(Resolution):
    """What was a directory in an earlier call is one still."""

    known: ClassVar[set[tuple[bytes, tuple[bytes, ...]]]] = set()

    def is_directory(self, destination: NamedPlace) -> bool:
        if super().is_directory(destination):
            self.known.add(destination.path)
        return destination.path in self.known


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-418",
        "By the name rename, a new name lies in the directory of the source.",
        "FR-FOPS-01",
        executor=RenamesInPlace,
    ),
    build_mutant(
        "MUT-FO-419",
        "By the name cp, overwrite is true where it is left out.",
        "CFG-FOPS-01",
        executor=OverwritesByAlias,
    ),
    build_mutant(
        "MUT-FO-420",
        "An argument force counts as overwrite.",
        "CFG-FOPS-01",
        executor=TakesForce,
    ),
    build_mutant(
        "MUT-FO-423",
        "Other usual names of source and destination count.",
        "FR-FOPS-MV-01 FR-FOPS-CP-01",
        executor=TakesShortNames,
    ),
    build_mutant(
        "MUT-FO-424",
        "A line feed at the end of a destination is dropped.",
        "DFO-01 DFO-02",
        tools=tools_with_both(argument_parser=DropsLineFeeds),
    ),
    build_mutant(
        "MUT-FO-425",
        "A name that is too long is cut.",
        "DFO-01 DFO-02",
        tools=tools_with_both(argument_parser=CutsLongNames),
    ),
    build_mutant(
        "MUT-FO-426",
        "A directory that has the name of a tilde is the working directory.",
        "FR-VAL-04 DFO-01",
        tools=tools_with_both(argument_parser=TildeIsHere),
    ),
    build_mutant(
        "MUT-FO-427",
        "A source is found under a name in other case.",
        "DFO-03",
        tools=tools_with_both(sandbox=FindsOtherCase),
    ),
    build_mutant(
        "MUT-FO-428",
        "A directory whose name has a dot is not entered by a move.",
        "FR-FOPS-MV-02",
        tools=tools_with_move(resolution=DotsAreExtensions),
    ),
    build_mutant(
        "MUT-FO-429",
        "A directory whose name has a dot is not entered by a copy.",
        "FR-FOPS-CP-02",
        tools=tools_with_copy(resolution=DotsAreExtensions),
    ),
    build_mutant(
        "MUT-FO-430",
        "A directory with a setgid or sticky bit is not entered.",
        "FR-FOPS-MV-02 FR-FOPS-CP-02",
        tools=tools_with_both(resolution=PlainDirectoriesOnly),
    ),
    build_mutant(
        "MUT-FO-431",
        "A name that was a directory in an earlier call is entered, whatever it has become.",
        "FR-EXE-01 DFO-02",
        tools=tools_with_both(resolution=RemembersDirectories),
    ),
)
