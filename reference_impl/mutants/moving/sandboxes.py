"""Wrong about the sandbox: an end that is not judged, or judged by its looks."""

import os
import stat
from dataclasses import replace

from ...context import CallContext
from ...errors import ToolError
from ...file_operations import copy_tool, move_tool
from ...list_directory import ListDirectory
from ...moving.aim import Aim
from ...moving.gate import Gate, Spot
from ...moving.request import Written
from ...moving.transfer import Move
from ...paths import Flavour
from ...sandbox import Canonical, Place
from ..mutant import Mutant
from .made import both, copying, made, moving
from .overwriting import FollowsToLook
from .writing import WritesInPlace, WritesThroughLinks, opened, path_of


class Anywhere(Gate):
    """Every place lies in the sandbox."""

    def _containing(self, target: Canonical) -> list[Canonical]:
        return [Canonical(b"/", ())]

    def _refuse_by_its_text(self, path: str) -> None:
        pass


class JudgesOne(Gate):
    """Of the two ends the first or the second is judged."""

    judged_end = 0

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._loose: Gate = Anywhere(context, flavour)
        self._seen = 0

    def spot(self, path: Written) -> Spot:
        self._seen += 1
        return super().spot(path) if self._seen - 1 == self.judged_end else self._loose.spot(path)

    def within(self, directory: Place, name: bytes) -> Spot:
        return super().within(directory, name) if self.judged_end else self._loose.within(directory, name)


class JudgesSource(JudgesOne):
    """The destination is not judged."""


class JudgesDestination(JudgesOne):
    """The source is not judged."""

    judged_end = 1


class ByTheBeginning(Gate):
    """A place lies in the sandbox if its path begins like the root's."""

    def _containing(self, target: Canonical) -> list[Canonical]:
        path = b"/" + b"/".join(target.parts)
        inside = any(path.startswith(b"/" + b"/".join(root.parts)) for root in self._roots)
        return [Canonical(b"/", ())] if inside else []


class UpAndDown(Gate):
    """The way up is taken where it stays inside."""

    def _refuse_by_its_text(self, path: str) -> None:
        super()._refuse_by_its_text("/".join(part for part in path.split("/") if part != ".."))


class AbsoluteToo(Gate):
    """Absolute paths are allowed."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(replace(context, allow_absolute=True), flavour)


class AbsoluteNever(Gate):
    """Absolute paths are refused, allowed or not."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(replace(context, allow_absolute=False), flavour)


class NoDenials(Gate):
    """No pattern denies anything."""

    def _refuse_denied(self, components: tuple[bytes, ...]) -> None:
        pass


class DeniesSources(JudgesOne):
    """Patterns deny sources only."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._loose = NoDenials(context, flavour)


class DeniesWhatWasNamed(Gate):
    """The final name in a directory is not held against the patterns."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._loose = NoDenials(context, flavour)

    def within(self, directory: Place, name: bytes) -> Spot:
        return self._loose.within(directory, name)


class DeniesAlways(Gate):
    """The usual patterns deny, asked for or not."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(replace(context, include_default_denies=True), flavour)


class OnlyTheUsual(Gate):
    """The call's own patterns deny nothing."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(replace(context, denied_patterns=()), flavour)


class ByName(Gate):
    """A link is judged by where it lies."""

    def spot(self, path: Written) -> Spot:
        try:
            return super().spot(path)
        except ToolError:
            if not path.name:
                raise
            directory = self.place(path.parent)
            name = path.name.encode()
            self._refuse_denied((*directory.below, name))
            below = (*directory.below, name)
            found = os.path.join(directory.root, *below)
            if not os.path.islink(found):
                raise
            return Spot(directory, name, Place(directory.root, below, None))


class MovesByPath(Move):
    """Renames by the paths that were checked."""

    def rename(self) -> None:
        if self.replaces:
            super().rename()
        else:
            os.rename(path_of(self.at, self.source), path_of(self.to, self.final))


class TakesByPath(Move):
    """Takes the source by the path that was checked."""

    def rename(self) -> None:
        if self.replaces:
            super().rename()
        else:
            os.rename(path_of(self.at, self.source), self.final, dst_dir_fd=self.to)


class CopiesThrough(WritesInPlace):
    """Reads and writes by paths, through every link on the way."""

    def run(self) -> None:
        with opened(path_of(self.at, self.source), "rb") as old:
            content = old.read()
        if not stat.S_ISREG(os.stat(self.source, dir_fd=self.at).st_mode):
            return
        with opened(path_of(self.to, self.final), "wb") as new:
            new.write(content)


MUTANTS: tuple[Mutant, ...] = (
    made(
        181,
        "The destination is not judged.",
        "NFR-FOPS-SEC-01",
        "FR-VAL-02",
        "FR-VAL-04",
        "FR-VAL-05",
        "FR-APR-05",
        tools=both(gate=JudgesSource),
    ),
    made(
        182,
        "The source is not judged.",
        "NFR-FOPS-SEC-01",
        "FR-VAL-02",
        "FR-VAL-04",
        "FR-VAL-05",
        tools=both(gate=JudgesDestination),
    ),
    made(
        183,
        "A sibling whose name begins as the root's is inside.",
        "FR-VAL-04",
        tools=both(gate=ByTheBeginning),
    ),
    made(
        184,
        "`..` is taken where it stays inside.",
        "FR-VAL-04",
        "NFR-FOPS-SEC-01",
        tools=both(gate=UpAndDown),
    ),
    made(185, "Absolute paths are allowed.", "FR-VAL-04", tools=both(gate=AbsoluteToo)),
    made(
        186,
        "Absolute paths are refused though they are allowed.",
        "FR-VAL-04",
        tools=both(gate=AbsoluteNever),
    ),
    made(187, "No pattern denies anything.", "FR-VAL-05", tools=both(gate=NoDenials)),
    made(188, "Denied patterns are for sources.", "FR-VAL-05", tools=both(gate=DeniesSources)),
    made(
        189,
        "The final name in a directory is not denied.",
        "FR-VAL-05",
        tools=both(gate=DeniesWhatWasNamed),
    ),
    made(
        190,
        "The usual patterns deny where they are switched off.",
        "FR-VAL-05",
        tools=both(gate=DeniesAlways),
    ),
    made(191, "The call's own patterns deny nothing.", "FR-VAL-05", tools=both(gate=OnlyTheUsual)),
    made(
        192,
        "A link that leads out is read and written through.",
        "NFR-FOPS-SEC-01",
        "DFO-02",
        "DFO-04",
        "DFO-05",
        "DFO-06",
        "DFO-07",
        "FR-VAL-05",
        "FR-FOPS-CP-03",
        "DFO-08",
        tools=[move_tool(), copy_tool(gate=ByName, aim=Aim, transfer=CopiesThrough), ListDirectory()],
    ),
    made(
        193,
        "A dangling link that leads out is written through.",
        "NFR-FOPS-SEC-01",
        "FR-FOPS-CP-03",
        "DFO-06",
        "DFO-07",
        "FR-VAL-05",
        tools=copying(gate=ByName, aim=FollowsToLook, transfer=WritesThroughLinks),
    ),
    made(
        194,
        "What was checked is used by its path.",
        "FR-VAL-06",
        tools=moving(transfer=MovesByPath),
    ),
    made(
        195,
        "The source that was checked is taken by its path.",
        "FR-VAL-06",
        tools=moving(transfer=TakesByPath),
    ),
)
