"""Wrong about destinations that are directories."""

import os

from ...moving.aim import Aim
from ...moving.gate import Spot
from ..mutant import Mutant
from .made import copying, made, moving


class NeverEntered(Aim):
    """A directory is a name that is taken."""

    def is_directory(self, destination: Spot) -> bool:
        return False


class EnteredUnlessOverwriting(Aim):
    """With overwrite a directory is what is to be overwritten."""

    def is_directory(self, destination: Spot) -> bool:
        return not self.request.overwrite and super().is_directory(destination)


class LinksAreNone(Aim):
    """A link to a directory is a name that is taken."""

    def is_directory(self, destination: Spot) -> bool:
        path = os.path.join(destination.directory.root, *destination.directory.below, destination.name)
        return not os.path.islink(path) and super().is_directory(destination)


class OnlyEmptyOnes(Aim):
    """A directory with something in it is not entered."""

    def is_directory(self, destination: Spot) -> bool:
        path = os.path.join(destination.target.root, *destination.target.below)
        return super().is_directory(destination) and not os.listdir(path)


class KeepsItsPath(Aim):
    """In the directory the source keeps the name of its own directory as well."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        if source.directory.below and self.is_directory(destination):
            name = b"-".join((*source.directory.below, source.name))
            return self.gate.within(destination.target, name)
        return super().final(source, destination)


class NoNameBeforeTheSlash(Aim):
    """A source with a slash at its end has no name of its own in a directory."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        if self.request.source.names_directory and self.is_directory(destination):
            return destination
        return super().final(source, destination)


class NamedLikeIt(Aim):
    """In the directory the source gets the name of the directory."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        if destination.name and self.is_directory(destination):
            return self.gate.within(destination.target, destination.name)
        return super().final(source, destination)


MUTANTS: tuple[Mutant, ...] = (
    made(
        41,
        "move does not enter directories.",
        "FR-FOPS-MV-02",
        "T-FOPS-MV-01",
        "DFO-06",
        "FR-VAL-04",
        "FR-VAL-05",
        "FR-FOPS-MV-04",
        tools=moving(aim=NeverEntered),
    ),
    made(
        42,
        "copy does not enter directories.",
        "FR-FOPS-CP-02",
        "T-FOPS-CP-01",
        tools=copying(aim=NeverEntered),
    ),
    made(
        43,
        "With overwrite move does not enter directories.",
        "FR-FOPS-MV-02",
        tools=moving(aim=EnteredUnlessOverwriting),
    ),
    made(
        44,
        "With overwrite copy does not enter directories.",
        "FR-FOPS-CP-02",
        tools=copying(aim=EnteredUnlessOverwriting),
    ),
    made(
        45,
        "move does not enter a directory by a link.",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        tools=moving(aim=LinksAreNone),
    ),
    made(46, "copy does not enter a directory by a link.", "FR-FOPS-CP-02", tools=copying(aim=LinksAreNone)),
    made(
        47,
        "move enters empty directories only.",
        "T-FOPS-MV-01",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-04",
        tools=moving(aim=OnlyEmptyOnes),
    ),
    made(
        48,
        "copy enters empty directories only.",
        "T-FOPS-CP-01",
        "FR-FOPS-CP-02",
        tools=copying(aim=OnlyEmptyOnes),
    ),
    made(
        49,
        "In a directory a moved file keeps the names of its own directories.",
        "FR-FOPS-MV-02",
        "FR-FOPS-MV-03",
        "FR-FOPS-MV-04",
        "DFO-06",
        tools=moving(aim=KeepsItsPath),
    ),
    made(
        50,
        "In a directory a copied file gets the directory's name.",
        "FR-FOPS-CP-02",
        "T-FOPS-CP-01",
        "DFO-05",
        "DFO-06",
        "FR-FOPS-CP-03",
        "NFR-FOPS-SEC-01",
        tools=copying(aim=NamedLikeIt),
    ),
    made(
        51,
        "A source with a slash at its end has no name in the directory.",
        "FR-FOPS-MV-02",
        tools=moving(aim=NoNameBeforeTheSlash),
    ),
)
