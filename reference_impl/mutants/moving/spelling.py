"""Wrong in how a name is read: as what another program, or another system, would make of it."""

import os
import re
from typing import Any
from urllib.parse import unquote

from ...executor import Definition, Executor
from ...moving.aim import Aim, failed
from ...moving.gate import Gate, Spot
from ...moving.request import Reading, Written
from ...sandbox import Canonical, violation
from ..mutant import Mutant
from .arguments import taken_for
from .made import both, copying, made, moving


class RefusesForeignNames(Aim):
    """No name may hold what another system forbids, or be that of a device there."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        name = self.request.destination.name
        if name.partition(".")[0].lower() in ("con", "nul", "aux", "prn") or re.search('[<>:"|?]', name):
            raise failed("the name is forbidden elsewhere")
        return super().final(source, destination)


class SmallExtensions(Reading):
    """What stands behind the dot of a new name is in small letters."""

    def path(self, key: str) -> Written:
        written = super().path(key)
        stem, dot, extension = written.text.rpartition(".")
        if key == "destination" and dot and "." in written.name[1:]:
            return Written(stem + dot + extension.lower(), written.names_directory)
        return written


class SearchesTheText(Gate):
    """The way up is looked for as a text."""

    def _refuse_by_its_text(self, path: str) -> None:
        super()._refuse_by_its_text(path)
        if "../" in path:
            raise violation("parent components ('..') are not allowed")


class WithoutCase(Gate):
    """A place lies in the sandbox if its path begins with the root's components, in whatever letters."""

    def _containing(self, target: Canonical) -> list[Canonical]:
        begins = [part.lower() for part in target.parts]
        return [
            Canonical(root.anchor, target.parts[: len(root.parts)])
            for root in self._roots
            if begins[: len(root.parts)] == [part.lower() for part in root.parts]
        ]


class SpelledFlags(Executor):
    """A flag may be a text, or 0."""

    def _check(self, definition: Definition, arguments: Any) -> None:
        given = arguments.get("overwrite") if isinstance(arguments, dict) else None
        if given in ("true", "false") or (given == 0 and given is not False):
            arguments["overwrite"] = given == "true"
        super()._check(definition, arguments)


class SpelledPaths(Executor):
    """A path may be true or false."""

    def _check(self, definition: Definition, arguments: Any) -> None:
        for key in ("source", "destination"):
            given = arguments.get(key) if isinstance(arguments, dict) else None
            if isinstance(given, bool):
                arguments[key] = str(given).lower()
        super()._check(definition, arguments)


class NamedLikeItsTarget(Aim):
    """In a directory a link gets the name of what it leads to."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        if source.target.below and self.is_directory(destination):
            return self.gate.within(destination.target, source.target.below[-1])
        return super().final(source, destination)


class EntersTwice(Aim):
    """In the directory one is entered that has the final name by a link."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        final = super().final(source, destination)
        path = os.path.join(final.directory.root, *final.directory.below, final.name)
        if final is not destination and os.path.islink(path) and os.path.isdir(path):
            return self.gate.within(final.target, source.name)
        return final


class EntersTwiceToOverwrite(EntersTwice):
    """The same where it may be overwritten."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        return (
            super().final(source, destination)
            if self.request.overwrite
            else Aim.final(self, source, destination)
        )


class FileWithASlash(Aim):
    """With a slash at its end a file that is there is not seen, and goes."""

    def final(self, source: Spot, destination: Spot) -> Spot:
        return destination if self.hides(destination) else super().final(source, destination)

    def hides(self, destination: Spot) -> bool:
        return self.request.destination.names_directory and os.path.isfile(
            os.path.join(destination.target.root, *destination.target.below)
        )

    def check_leave(self) -> None:
        if not self.request.destination.names_directory:
            super().check_leave()


MUTANTS: tuple[Mutant, ...] = (
    made(
        250,
        "A slash at the end of a file's name lets it be overwritten.",
        "FR-FOPS-MV-03",
        "FR-FOPS-CP-03",
        tools=both(aim=FileWithASlash),
    ),
    made(
        251,
        "A NUL ends a path.",
        "FR-FOPS-MV-01",
        "FR-FOPS-CP-01",
        tools=both(reading=taken_for(lambda path: path.partition("\0")[0])),
    ),
    made(
        252,
        "In a directory a moved link gets the name of what it leads to.",
        "FR-FOPS-MV-02",
        "DFO-06",
        tools=moving(aim=NamedLikeItsTarget),
    ),
    made(
        253,
        "In a directory the copy of a link has the name of what it leads to.",
        "FR-FOPS-CP-02",
        tools=copying(aim=NamedLikeItsTarget),
    ),
    made(
        254,
        "In a directory a link to another one is entered as well.",
        "FR-FOPS-MV-03",
        "FR-FOPS-CP-03",
        "DFO-07",
        tools=both(aim=EntersTwice),
    ),
    made(
        255,
        "With overwrite a link to a directory is entered in a directory as well.",
        "DFO-07",
        tools=both(aim=EntersTwiceToOverwrite),
    ),
    made(
        256,
        "A sibling whose name is the root's in other letters is inside.",
        "FR-VAL-04",
        tools=both(gate=WithoutCase),
    ),
    made(
        257,
        "Overwrite may be a text, or 0.",
        "FR-FOPS-MV-01",
        "FR-FOPS-CP-01",
        executor=SpelledFlags,
    ),
    made(
        258,
        "A path may be true, which is a text of four letters.",
        "FR-FOPS-CP-01",
        "FR-FOPS-MV-01",
        executor=SpelledPaths,
    ),
    made(
        259,
        "A slash behind dots is the way up.",
        "FR-VAL-04",
        tools=both(gate=SearchesTheText),
    ),
    made(
        260,
        "Percent signs and dollars stand for something else.",
        "DFO-01",
        tools=moving(reading=taken_for(lambda path: os.path.expandvars(unquote(path)))),
    ),
    made(
        261,
        "Names that another system forbids are refused.",
        "DFO-01",
        tools=moving(aim=RefusesForeignNames),
    ),
    made(262, "Behind a dot letters are small.", "DFO-01", tools=moving(reading=SmallExtensions)),
)
