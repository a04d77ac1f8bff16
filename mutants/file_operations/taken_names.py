"""Mutants: a name that is taken counts as free, or a rule does not hold for a name of the tool or of a file."""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
from treeproof.reference_impl.file_operations.transfer import Copy, Move
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both, tools_with_copy, tools_with_move


def free_if(counts_as_free: Callable[[Resolution, NamedPlace, os.stat_result], bool]) -> type[Resolution]:
    """Return a resolution for which some regular files count as none."""

    class SomeAreFree(Resolution):
        def check_replacement(
            self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
        ) -> None:
            is_free = stat.S_ISREG(existing.st_mode) and counts_as_free(self, final, existing)
            if not is_free or self.is_same_file(found, existing):
                super().check_replacement(source, found, final, existing)

    return SomeAreFree


EmptyIsFree = free_if(lambda resolution, final, existing: existing.st_size == 0)
PatternIsFree = free_if(lambda resolution, final, existing: re.search(rb"[*?\[]", final.name) is not None)


class FreeBehindLinks(Resolution):
    """A file in the directory counts as none if the destination is a link to the directory."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        destination = self.sandbox.resolve_named(self.request.destination)
        entered = os.path.join(destination.directory.root, *destination.directory.components, destination.name)
        if not (os.path.islink(entered) and os.path.isdir(entered) and stat.S_ISREG(existing.st_mode)):
            super().check_replacement(source, found, final, existing)


class NeedsRoomInTheName(Move):
    """A file with a long name cannot be moved to another file system."""

    def move_file_across_devices(self) -> None:
        if len(self.final_name) > 247:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        super().move_file_across_devices()


class NeedsToWrite(Move):
    """A file that may not be written to cannot be moved to another file system."""

    def move_file_across_devices(self) -> None:
        if not self.stat_source().st_mode & 0o222:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        super().move_file_across_devices()


class NoUsualPatternsForCp(Executor):
    """By the name cp, the usual denied patterns do not hold."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "cp":
            context = replace(context, include_default_denies=False)
        return super().execute(name, arguments, context, flavour)


class AliasesDoNotEnter(Executor):
    """By an alias, a destination that is a directory is one that is taken."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name in ("rename", "mv") and isinstance(arguments, dict):
            destination = str(arguments.get("destination", ""))
            if os.path.isdir(os.path.join(context.working_dir, destination)):
                arguments = {**arguments, "destination": destination.rstrip("/") + "/./missing/"}
        return super().execute(name, arguments, context, flavour)


class AliasesReplace(Executor):
    """By an alias, a move replaces a file where no call requests it."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name in ("rename", "mv") and isinstance(arguments, dict) and "overwrite" not in arguments:
            arguments = {**arguments, "overwrite": True}
            context = replace(context, config={"tools": {"fileops": {"allow_overwrite": True}}})
        return super().execute(name, arguments, context, flavour)


class KeepsUnfinishedBeside(Copy):
    """A copy is written beside its final name, to a name that may be taken."""

    def run(self) -> None:
        super().run()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.final_name[:250] + b".part", dir_fd=self.target_dir_fd)


def reading_table(*names: str) -> Callable[[Any], Settings]:
    """Return settings that are also read from another table."""

    def read(config: Any) -> Settings:
        table = config or {}
        for name in names:
            table = table.get(name, {}) if isinstance(table, dict) else {}
        is_allowed = isinstance(table, dict) and table.get("allow_overwrite") is True
        return Settings(allow_overwrite=True) if is_allowed else read_settings(config)

    return read


class SetsOldAside(Move):
    """Renames the existing file, which takes the name of a neighbour, and removes it after the move."""

    def rename(self) -> None:
        if not self.replaces_existing:
            super().rename()
            return
        backup = self.final_name[:250] + b".bak"
        os.rename(self.final_name, backup, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        os.unlink(backup, dir_fd=self.target_dir_fd)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-461",
        "An empty file counts as none, and is replaced by a copy.",
        "FR-FOPS-CP-03",
        tools=tools_with_copy(resolution=EmptyIsFree),
    ),
    build_mutant(
        "MUT-FO-462",
        "A file counts as none if its name looks like a pattern, and is replaced by a move.",
        "FR-FOPS-MV-03",
        tools=tools_with_move(resolution=PatternIsFree),
    ),
    build_mutant(
        "MUT-FO-463",
        "A file counts as none if its name looks like a pattern, and is replaced by a copy.",
        "FR-FOPS-CP-03",
        tools=tools_with_copy(resolution=PatternIsFree),
    ),
    build_mutant(
        "MUT-FO-464",
        "What is in a directory counts as none if a link leads there, and is replaced by a move.",
        "FR-FOPS-MV-03",
        tools=tools_with_move(resolution=FreeBehindLinks),
    ),
    build_mutant(
        "MUT-FO-465",
        "A file with a name of 248 bytes or more cannot be moved to another file system.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=NeedsRoomInTheName),
    ),
    build_mutant(
        "MUT-FO-466",
        "A file that may not be written to cannot be moved to another file system.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=NeedsToWrite),
    ),
    build_mutant(
        "MUT-FO-467",
        "By the name cp, the usual denied patterns do not hold.",
        "FR-VAL-05 FR-VAL-07",
        executor=NoUsualPatternsForCp,
    ),
    build_mutant(
        "MUT-FO-468",
        "By the names rename and mv, a move enters no directory.",
        "FR-FOPS-01",
        executor=AliasesDoNotEnter,
    ),
    build_mutant(
        "MUT-FO-469",
        "allow_overwrite is also read from the table [fileops].",
        "CFG-FOPS-01",
        tools=tools_with_both(settings=reading_table("fileops")),
    ),
    build_mutant(
        "MUT-FO-470",
        "allow_overwrite is also read from the table [tools.'*'].",
        "CFG-FOPS-01",
        tools=tools_with_both(settings=reading_table("tools", "*")),
    ),
    build_mutant(
        "MUT-FO-471",
        "A move puts the old file aside under a name that may be taken.",
        "DFO-05",
        tools=tools_with_move(transfer=SetsOldAside),
    ),
    build_mutant(
        "MUT-FO-481",
        "By the names rename and mv, a move replaces a file though nobody asks for it.",
        "FR-FOPS-MV-03 CFG-FOPS-01",
        executor=AliasesReplace,
    ),
    build_mutant(
        "MUT-FO-482",
        "A copy costs a file that has the name of an unfinished copy.",
        "DFO-05",
        tools=tools_with_copy(transfer=KeepsUnfinishedBeside),
    ),
)
