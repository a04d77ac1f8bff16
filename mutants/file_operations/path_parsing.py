"""Mutants: names interpreted as another program or system would."""

import os
import re
from urllib.parse import unquote

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import ArgumentParser, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.sandbox import CanonicalPath

from ..shared.mutant import Mutant
from .arguments import with_path_changed
from .builders import build_mutant, tools_with_both, tools_with_move


class SmallExtensions(ArgumentParser):
    """The extension of a new name becomes lower case."""

    def parse_path(self, key: str) -> RequestedPath:
        written = super().parse_path(key)
        stem, dot, extension = written.text.rpartition(".")
        if key == "destination" and dot and "." in written.name[1:]:
            return RequestedPath(stem + dot + extension.lower(), written.has_trailing_separator)
        return written


class WithoutCase(LinkSandbox):
    """A place is inside if its path begins with the root's components in any case."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        begins = [part.lower() for part in target.parts]
        return [
            CanonicalPath(root.anchor, target.parts[: len(root.parts)])
            for root in self._roots
            if begins[: len(root.parts)] == [part.lower() for part in root.parts]
        ]


class NamedLikeItsTarget(Resolution):
    """In a directory, a link gets the name of its target."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        if source.target.components and self.is_directory(destination):
            return self.sandbox.resolve_in_directory(destination.target, source.target.components[-1])
        return super().final_place(source, destination)


class EntersTwice(Resolution):
    """In the directory, a link with the final name is entered."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        final = super().final_place(source, destination)
        path = os.path.join(final.directory.root, *final.directory.components, final.name)
        if final is not destination and os.path.islink(path) and os.path.isdir(path):
            return self.sandbox.resolve_in_directory(final.target, source.name)
        return final


class EntersTwiceToOverwrite(EntersTwice):
    """In the directory, a link with the final name is entered if it may be replaced."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        return (
            super().final_place(source, destination)
            if self.request.overwrite
            else Resolution.final_place(self, source, destination)
        )


class FileWithASlash(Resolution):
    """With a trailing slash, an existing file is not detected and is lost."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        return destination if self.hides(destination) else super().final_place(source, destination)

    def hides(self, destination: NamedPlace) -> bool:
        return self.request.destination.has_trailing_separator and os.path.isfile(
            os.path.join(destination.target.root, *destination.target.components)
        )

    def check_overwrite_allowed(self) -> None:
        if not self.request.destination.has_trailing_separator:
            super().check_overwrite_allowed()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-250",
        "A trailing slash after a file's name permits overwriting it.",
        "FR-FOPS-MV-03 FR-FOPS-CP-03",
        tools=tools_with_both(resolution=FileWithASlash),
    ),
    build_mutant(
        "MUT-FO-251",
        "A path ends at a NUL.",
        "FR-FOPS-MV-01 FR-FOPS-CP-01",
        tools=tools_with_both(argument_parser=with_path_changed(lambda path: path.partition("\0")[0])),
    ),
    build_mutant(
        "MUT-FO-252",
        "In a directory, a moved link gets the name of its target.",
        "FR-FOPS-MV-02 DFO-06",
        tools=tools_with_move(resolution=NamedLikeItsTarget),
    ),
    build_mutant(
        "MUT-FO-254",
        "In a directory, a link to another directory is entered too.",
        "FR-FOPS-MV-03 FR-FOPS-CP-03 DFO-07",
        tools=tools_with_both(resolution=EntersTwice),
    ),
    build_mutant(
        "MUT-FO-255",
        "With overwrite, a link to a directory in a directory is entered too.",
        "DFO-07",
        tools=tools_with_both(resolution=EntersTwiceToOverwrite),
    ),
    build_mutant(
        "MUT-FO-256",
        "A sibling with the root's name in another case is inside.",
        "FR-VAL-04 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=WithoutCase),
    ),
    build_mutant(
        "MUT-FO-260",
        "Percent signs and dollars are expanded.",
        "DFO-01",
        tools=tools_with_move(argument_parser=with_path_changed(lambda path: os.path.expandvars(unquote(path)))),
    ),
    build_mutant(
        "MUT-FO-261",
        "Signs that another system forbids are left out of names.",
        "DFO-01",
        tools=tools_with_move(argument_parser=with_path_changed(lambda path: re.sub('[<>"|?*]', "", path))),
    ),
    build_mutant(
        "MUT-FO-262",
        "The extension of a name becomes lower case.",
        "DFO-01",
        tools=tools_with_move(argument_parser=SmallExtensions),
    ),
)
