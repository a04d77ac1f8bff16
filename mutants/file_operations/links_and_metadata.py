"""Mutants: errors with links and metadata."""

import os
import stat

from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution, execution_failed
from treeproof.reference_impl.file_operations.transfer import Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import (
    Bare,
    Masked,
    NewTime,
    copy_using,
    cross_device_move_using,
    final_path,
    path_of,
    source_path,
)


class CarriesContent(Move):
    """Moves the target's content instead of the link."""

    def move_link_across_devices(self, found: os.stat_result) -> None:
        try:
            with open(source_path(self), "rb") as old:
                content = old.read()
        except FileNotFoundError:
            content = b""
        with open(final_path(self), "xb") as new:
            new.write(content)
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


class Absolute(Move):
    def rename(self) -> None:
        if not stat.S_ISLNK(self.stat_source().st_mode) or self.replaces_existing:
            super().rename()
            return
        target = os.readlink(self.source_name, dir_fd=self.source_dir_fd)
        os.symlink(
            os.path.join(path_of(self.source_dir_fd, b""), os.fsencode(target)),
            self.final_name,
            dir_fd=self.target_dir_fd,
        )
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


class ResolvesInside(Move):
    def rename(self) -> None:
        super().rename()
        place = final_path(self)
        if not os.path.isdir(place) or os.path.islink(place):
            return
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if os.path.islink(path) and os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
                os.unlink(path)
                with open(path, "wb") as file:
                    file.write(content)


class KeepsTheOldMode(Move):
    def rename(self) -> None:
        old = (
            os.stat(self.final_name, dir_fd=self.target_dir_fd, follow_symlinks=False)
            if self.replaces_existing
            else None
        )
        super().rename()
        if old is not None and stat.S_ISREG(old.st_mode):
            os.chmod(final_path(self), stat.S_IMODE(old.st_mode))


class TakesPermissions(Move):
    """Takes the write permission from group and others."""

    def rename(self) -> None:
        super().rename()
        found = os.lstat(self.final_name, dir_fd=self.target_dir_fd)
        if stat.S_ISREG(found.st_mode):
            os.chmod(self.final_name, stat.S_IMODE(found.st_mode) & ~0o022, dir_fd=self.target_dir_fd)


class TouchesInDirectories(Move):
    """A file that is moved to another directory has the time of the move."""

    def rename(self) -> None:
        super().rename()
        if not os.path.sameopenfile(self.source_dir_fd, self.target_dir_fd):
            os.utime(self.final_name, dir_fd=self.target_dir_fd, follow_symlinks=False)


class RefusesDanglingLinks(Resolution):
    """A link that leads nowhere is no source."""

    def stat_source(self, place: NamedPlace) -> os.stat_result:
        found = super().stat_source(place)
        path = os.path.join(place.directory.root, *place.directory.components, place.name)
        if not os.path.exists(path):
            raise execution_failed("source does not exist")
        return found


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-141",
        "On another file system, a link becomes the file that it points to.",
        "DFO-07",
        tools=tools_with_move(transfer=CarriesContent),
    ),
    build_mutant(
        "MUT-FO-142",
        "A moved link has an absolute target.",
        "DFO-07 DFO-01 FR-FOPS-MV-02",
        tools=tools_with_move(transfer=Absolute),
    ),
    build_mutant(
        "MUT-FO-144",
        "In a directory that is moved, links become files.",
        "DFO-07",
        tools=tools_with_move(transfer=ResolvesInside),
    ),
    build_mutant(
        "MUT-FO-145",
        "A copy has the permissions of a new file.",
        "DFO-08",
        tools=tools_with_copy(transfer=copy_using(Bare)),
    ),
    build_mutant(
        "MUT-FO-146",
        "On another file system, a file has the permissions of a new one.",
        "DFO-08",
        tools=tools_with_move(transfer=cross_device_move_using(Bare)),
    ),
    build_mutant(
        "MUT-FO-147",
        "The umask applies to a copy's permissions.",
        "DFO-08",
        tools=tools_with_copy(transfer=copy_using(Masked)),
    ),
    build_mutant(
        "MUT-FO-148",
        "On another file system, a file has the time of the move.",
        "DFO-08",
        tools=tools_with_move(transfer=cross_device_move_using(NewTime)),
    ),
    build_mutant(
        "MUT-FO-149",
        "A file replaced by a move leaves its permissions.",
        "DFO-08",
        tools=tools_with_move(transfer=KeepsTheOldMode),
    ),
    build_mutant(
        "MUT-FO-345",
        "A moved file loses the write permission of group and others.",
        "DFO-08",
        tools=tools_with_move(transfer=TakesPermissions),
    ),
    build_mutant(
        "MUT-FO-346",
        "A file that is moved to another directory has the time of the move.",
        "DFO-08",
        tools=tools_with_move(transfer=TouchesInDirectories),
    ),
    build_mutant(
        "MUT-FO-347",
        "A link is moved, unless it leads nowhere.",
        "DFO-07 FR-FOPS-MV-02",
        tools=tools_with_move(resolution=RefusesDanglingLinks),
    ),
)
