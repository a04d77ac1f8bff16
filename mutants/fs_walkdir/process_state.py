"""Mutants: a start that is looked up elsewhere, and errors by what a process has approved before."""

import os

from treeproof.reference_impl.fs_walkdir.start import StartMissing, StartResolver
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import build_mutant


class ThenHere(StartResolver):
    """Looks for a start that is missing in the working directory of the process."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except StartMissing:
            if not os.path.isdir(path):
                raise
            return Place(os.fsencode(os.path.abspath(path)), ())


class HereFirst(StartResolver):
    """Looks for a start in the working directory of the process first."""

    def resolve(self, path: str) -> Place | None:
        here = os.path.abspath(path)
        if path not in (".", "") and ".." not in path and not path.startswith("/") and os.path.isdir(here):
            return Place(os.fsencode(here), ())
        return super().resolve(path)


class AnyCase(StartResolver):
    """Looks for a start that is missing under a name that differs in case."""

    def resolve(self, path: str) -> Place | None:
        try:
            return super().resolve(path)
        except StartMissing:
            parent, name = os.path.split(self.normalise_path(path))
            place = os.path.join(self._context.working_dir, parent)
            alike = os.listdir(place) if os.path.isdir(place) and not parent.startswith("..") else []
            for one in alike:
                if one.lower() == name.lower() and os.path.isdir(os.path.join(place, one)):
                    return super().resolve(os.path.join(parent, one))
            raise


APPROVED: set[tuple[str, str]] = set()


class ApprovesForGood(StartResolver):
    """Does not check a path again that has been inside once."""

    def resolve(self, path: str) -> Place | None:
        root = self._context.roots[0]
        if (root, path) in APPROVED:
            real = os.path.realpath(os.path.join(root, path))
            if os.path.isdir(real):
                return Place(os.fsencode(real), ())
        place = super().resolve(path)
        if place is not None:
            APPROVED.add((root, path))
        return place


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-183",
        "A start that is missing is looked up in the working directory of the process.",
        "WD-SEC-02",
        start=ThenHere,
    ),
    build_mutant(
        "MUT-WD-184",
        "A directory of the working directory of the process comes before the sandbox's.",
        "WD-ARG-04 WD-SEC-02",
        start=HereFirst,
    ),
    build_mutant(
        "MUT-WD-195",
        "A start that is missing is found under a name in another case.",
        "WD-ERR-03",
        start=AnyCase,
    ),
    build_mutant(
        "MUT-WD-185",
        "A path that was inside once is not checked again.",
        "WD-SEC-02",
        start=ApprovesForGood,
    ),
)
