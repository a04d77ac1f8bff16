"""Mutants: errors with destinations that are directories."""

import os

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move


class NeverEntered(Resolution):
    """A directory counts as an existing name."""

    def is_directory(self, destination: NamedPlace) -> bool:
        return False


class EnteredUnlessOverwriting(Resolution):
    """With overwrite, a directory is replaced."""

    def is_directory(self, destination: NamedPlace) -> bool:
        return not self.request.overwrite and super().is_directory(destination)


class OnlyEmptyOnes(Resolution):
    """A directory with entries is not entered."""

    def is_directory(self, destination: NamedPlace) -> bool:
        path = os.path.join(destination.target.root, *destination.target.components)
        return super().is_directory(destination) and not os.listdir(path)


class KeepsItsPath(Resolution):
    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        if source.directory.components and self.is_directory(destination):
            name = b"-".join((*source.directory.components, source.name))
            return self.sandbox.resolve_in_directory(destination.target, name)
        return super().final_place(source, destination)


class NoNameBeforeTheSlash(Resolution):
    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        if self.request.source.has_trailing_separator and self.is_directory(destination):
            return destination
        return super().final_place(source, destination)


class NamedLikeIt(Resolution):
    """In the directory, the source gets the name of the directory."""

    def final_place(self, source: NamedPlace, destination: NamedPlace) -> NamedPlace:
        if destination.name and self.is_directory(destination):
            return self.sandbox.resolve_in_directory(destination.target, destination.name)
        return super().final_place(source, destination)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-041",
        "move does not enter directories.",
        "FR-FOPS-MV-02 T-FOPS-MV-01 DFO-06 FR-VAL-04 FR-VAL-05 FR-FOPS-MV-04",
        tools=tools_with_move(resolution=NeverEntered),
    ),
    build_mutant(
        "MUT-FO-042",
        "copy does not enter directories.",
        "FR-FOPS-CP-02 T-FOPS-CP-01",
        tools=tools_with_copy(resolution=NeverEntered),
    ),
    build_mutant(
        "MUT-FO-043",
        "With overwrite, move does not enter directories.",
        "FR-FOPS-MV-02",
        tools=tools_with_move(resolution=EnteredUnlessOverwriting),
    ),
    build_mutant(
        "MUT-FO-044",
        "With overwrite, copy does not enter directories.",
        "FR-FOPS-CP-02",
        tools=tools_with_copy(resolution=EnteredUnlessOverwriting),
    ),
    build_mutant(
        "MUT-FO-047",
        "move enters empty directories only.",
        "T-FOPS-MV-01 FR-FOPS-MV-02 FR-FOPS-MV-04",
        tools=tools_with_move(resolution=OnlyEmptyOnes),
    ),
    build_mutant(
        "MUT-FO-048",
        "copy enters empty directories only.",
        "T-FOPS-CP-01 FR-FOPS-CP-02",
        tools=tools_with_copy(resolution=OnlyEmptyOnes),
    ),
    build_mutant(
        "MUT-FO-049",
        "In a directory, a moved file keeps the names of its own directories.",
        "FR-FOPS-MV-02 FR-FOPS-MV-03 FR-FOPS-MV-04 DFO-06",
        tools=tools_with_move(resolution=KeepsItsPath),
    ),
    build_mutant(
        "MUT-FO-050",
        "In a directory, a copied file gets the directory's name.",
        "FR-FOPS-CP-02 T-FOPS-CP-01 DFO-05 DFO-06 FR-FOPS-CP-03 NFR-FOPS-SEC-01",
        tools=tools_with_copy(resolution=NamedLikeIt),
    ),
    build_mutant(
        "MUT-FO-051",
        "A source with a trailing slash has no name in the directory.",
        "FR-FOPS-MV-02",
        tools=tools_with_move(resolution=NoNameBeforeTheSlash),
    ),
)
