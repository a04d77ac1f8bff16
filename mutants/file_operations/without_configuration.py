"""Mutants that take no configuration, so that `overwrite` alone decides: errors with what is overwritten."""

import os
from collections.abc import Iterable
from typing import Any, Unpack

from treeproof.reference_impl.file_operations.candidate import ToolParts
from treeproof.reference_impl.file_operations.settings import Settings
from treeproof.reference_impl.file_operations.transfer import Move
from treeproof.reference_impl.shared.candidate import CAPABILITIES, Candidate
from treeproof.reference_impl.shared.executor import Executor, Tool

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .cross_device import DeletesFirst
from .directories_inside import ClearsTheFarDirectory
from .file_writers import LeavesTheEnd, WritesThroughLinks, copy_correctly, final_path
from .overwriting import ClearsTheWay, FollowsToLook, RemovesFirstAnyway, RemovesTrees, RemovesTreesToCopy, SetsAside
from .same_file import NeverSame, RemovesAndRenames, SameBySpelling, TruncatesItself
from .sandbox import ByName, ChecksTheNextLink


class WithoutConfiguration(Candidate):
    """Declares all capabilities but `config`."""

    def __init__(self, tools: Iterable[Tool], executor: type[Executor] = Executor, name: str = "") -> None:
        super().__init__(tools, None, executor, name, [each for each in CAPABILITIES if each != "config"])


def argument_decides(config: Any) -> Settings:
    """Ignore the configuration; the argument decides alone (AMB-FO-01)."""
    return Settings(allow_overwrite=True)


class DeletesBeforeReplacing(DeletesFirst):
    """Deletes the source before a file that is overwritten is written."""

    def move_file_across_devices(self) -> None:
        if self.replaces_existing:
            super().move_file_across_devices()
        else:
            Move.move_file_across_devices(self)


class WritesThroughChains(WritesThroughLinks):
    """Writes through a link that leads to a link."""

    def run(self) -> None:
        path = final_path(self)
        leads_to_link = os.path.islink(path) and os.path.islink(os.path.join(os.path.dirname(path), os.readlink(path)))
        if leads_to_link:
            super().run()
        else:
            copy_correctly(self)


def move_mutant(id: str, summary: str, violates: str, **parts: Unpack[ToolParts]) -> Mutant:
    """Return a mutant of `move` that takes no configuration."""
    parts["settings"] = argument_decides
    tools = tools_with_move(**parts)
    return build_mutant(id, summary, violates, tools=tools, candidate_class=WithoutConfiguration)


def copy_mutant(id: str, summary: str, violates: str, **parts: Unpack[ToolParts]) -> Mutant:
    """Return a mutant of `copy` that takes no configuration."""
    parts["settings"] = argument_decides
    tools = tools_with_copy(**parts)
    return build_mutant(id, summary, violates, tools=tools, candidate_class=WithoutConfiguration)


# These declare other capabilities when they start, which no call shows.
MUTANTS: tuple[Mutant, ...] = (
    move_mutant(
        "MUT-FO-301",
        "Without a configuration, a move with overwrite removes a directory with its content.",
        "DFO-05 DFO-06",
        resolution=ClearsTheWay,
        transfer=RemovesTrees,
    ),
    copy_mutant(
        "MUT-FO-302",
        "Without a configuration, a copy with overwrite removes a directory with its content.",
        "DFO-05 DFO-06",
        resolution=ClearsTheWay,
        transfer=RemovesTreesToCopy,
    ),
    move_mutant(
        "MUT-FO-303",
        "Without a configuration, the file to be overwritten is removed although there is no source.",
        "DFO-05 DFO-03",
        resolution=RemovesFirstAnyway,
    ),
    copy_mutant(
        "MUT-FO-304",
        "Without a configuration, the file to be overwritten is set aside under the name of a neighbour.",
        "DFO-05 DFO-10",
        transfer=SetsAside,
    ),
    copy_mutant(
        "MUT-FO-305",
        "Without a configuration, a copy onto a longer file keeps the end of the longer file.",
        "DFO-02 DFO-04 DFO-05 DFO-07",
        transfer=LeavesTheEnd,
    ),
    move_mutant(
        "MUT-FO-306",
        "Without a configuration, the source is deleted before it replaces a file of another file system.",
        "DFO-04 DFO-05 FR-FOPS-MV-04 DFO-10 DFO-08",
        transfer=DeletesBeforeReplacing,
    ),
    move_mutant(
        "MUT-FO-307",
        "Without a configuration, a move onto itself removes the file.",
        "DFO-06 DFO-05",
        resolution=NeverSame,
        transfer=RemovesAndRenames,
    ),
    copy_mutant(
        "MUT-FO-308",
        "Without a configuration, a copy onto another name of the source empties both.",
        "DFO-06 DFO-05",
        resolution=SameBySpelling,
        transfer=TruncatesItself,
    ),
    copy_mutant(
        "MUT-FO-309",
        "Without a configuration, a copy with overwrite goes through a dangling link to the outside.",
        "NFR-FOPS-SEC-01 DFO-06",
        sandbox=ByName,
        resolution=FollowsToLook,
        transfer=WritesThroughLinks,
    ),
    move_mutant(
        "MUT-FO-330",
        "Without a configuration, a directory on another file system is removed for one of its name.",
        "DFO-05 DFO-10",
        resolution=ClearsTheWay,
        transfer=ClearsTheFarDirectory,
    ),
    copy_mutant(
        "MUT-FO-351",
        "Without a configuration, a copy onto the first of several links is written through the last one.",
        "NFR-FOPS-SEC-01",
        sandbox=ChecksTheNextLink,
        transfer=WritesThroughChains,
    ),
)
