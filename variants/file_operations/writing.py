"""Variants: how the bytes of a file are copied, and what is left after a failure."""

import errno
import os
import stat
from collections.abc import Callable, Iterator

from treeproof.reference_impl.file_operations.file_copy import FileCopy, make_temporary_name
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer
from treeproof.rows.file_operations.row import row

from ..shared.variant import variant
from .overwriting import is_special
from .places import final_path, is_link, source_path

BLOCK = 65536
FALLBACK_ERRNOS = (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


def by_system(copy: Callable[[int, int], int]) -> type[FileCopy]:
    """Return what lets the system copy a file; where it cannot, the bytes are read and written."""

    class BySystem(FileCopy):
        def read_chunks(self, source: int) -> Iterator[bytes]:
            try:
                while copy(source, self.descriptor):
                    pass
            except OSError as error:
                if error.errno not in FALLBACK_ERRNOS:
                    raise
                yield from super().read_chunks(source)

    return BySystem


class PlainMetadata(FileCopy):
    """The copy has permissions and time of a new file."""

    def copy_metadata(self, like: os.stat_result) -> None:
        mask = os.umask(0o022)
        os.umask(mask)
        os.fchmod(self.descriptor, 0o666 & ~mask)


class PreservesTime(FileCopy):
    """Every copy has the source's time."""

    def copy_metadata(self, like: os.stat_result) -> None:
        super().copy_metadata(like)
        os.utime(self.descriptor, ns=(like.st_atime_ns, like.st_mtime_ns))


class LeavesUnfinishedFile(FileCopy):
    """The unfinished file has a name, and keeps it after a failure."""

    def create_target(self) -> int:
        self.temporary_name = make_temporary_name()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        return os.open(self.temporary_name, flags, 0o600, dir_fd=self.target_dir_fd)

    def __exit__(self, *failure: object) -> None:
        if failure[0] is not None:
            self.temporary_name = None
        super().__exit__(*failure)


def copy_using(copier: type[FileCopy]) -> dict[str, type[Transfer]]:
    """Return the parts of both tools that copy with `copier`."""
    return {
        "copy_transfer": type(f"{copier.__name__}Copy", (Copy,), {"copier": copier}),
        "move_transfer": type(f"{copier.__name__}Move", (Move,), {"copier": copier}),
    }


def write_in_place(transfer: Transfer) -> None:
    """Write the source's content into the final name. After a failure, what was written stays."""
    flags = os.O_WRONLY | (os.O_TRUNC if transfer.replaces_existing else os.O_CREAT | os.O_EXCL)
    source = os.open(transfer.source_name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=transfer.source_dir_fd)
    try:
        found = os.fstat(source)
        final = os.open(transfer.final_name, flags | os.O_NOFOLLOW, 0o600, dir_fd=transfer.target_dir_fd)
        try:
            while piece := os.read(source, BLOCK):
                while piece:
                    piece = piece[os.write(final, piece) :]
            os.fchmod(final, stat.S_IMODE(found.st_mode))
            os.utime(final, ns=(found.st_atime_ns, found.st_mtime_ns))
        finally:
            os.close(final)
    finally:
        os.close(source)


def can_be_written(transfer: Transfer) -> bool:
    """Return whether the source is a file, and the final name is free or the only one of a file."""
    if not stat.S_ISREG(transfer.stat_source().st_mode):
        return False
    if not transfer.replaces_existing:
        return True
    existing = os.lstat(transfer.final_name, dir_fd=transfer.target_dir_fd)
    return stat.S_ISREG(existing.st_mode) and existing.st_nlink == 1


class WritesInPlace(Copy):
    def run(self) -> None:
        if can_be_written(self):
            write_in_place(self)
        else:
            super().run()


class MovesInPlace(Move):
    def move_file_across_devices(self) -> None:
        if can_be_written(self):
            origin = self.stat_source()
            write_in_place(self)
            self.delete_source(origin)
        else:
            super().move_file_across_devices()


def remove_old(transfer: Transfer) -> None:
    """Remove the file or link that has the final name, so that the name is free."""
    final = final_path(transfer)
    is_other = transfer.replaces_existing and final != source_path(transfer)
    if is_other and stat.S_ISREG(transfer.stat_source().st_mode) and not stat.S_ISDIR(os.lstat(final).st_mode):
        os.unlink(transfer.final_name, dir_fd=transfer.target_dir_fd)
        transfer.replaces_existing = False


class CopyRemovesOldFirst(Copy):
    def run(self) -> None:
        remove_old(self)
        super().run()


class MoveRemovesOldFirst(Move):
    """On another file system, removes what has the final name, then copies. The copy of an old file stays."""

    removed_old = False

    def move_file_across_devices(self) -> None:
        self.removed_old = self.replaces_existing
        remove_old(self)
        super().move_file_across_devices()

    def remove_copy(self) -> None:
        if not self.removed_old:
            super().remove_copy()


class RenamesByPath(Move):
    def rename(self) -> None:
        old, new = source_path(self), final_path(self)
        os.lstat(old)
        if self.replaces_existing or stat.S_ISDIR(os.lstat(old).st_mode):
            super().rename()
        elif os.path.lexists(new):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        else:
            os.rename(old, new)


class LinksAndUnlinks(Move):
    def rename(self) -> None:
        if self.replaces_existing or not stat.S_ISREG(self.stat_source().st_mode):
            super().rename()
            return
        os.link(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        try:
            os.unlink(self.source_name, dir_fd=self.source_dir_fd)
        except OSError:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
            raise


class MakesPipes(Copy):
    def run(self) -> None:
        if stat.S_ISFIFO(self.stat_source().st_mode) and not self.replaces_existing:
            os.mkfifo(self.final_name, dir_fd=self.target_dir_fd)
        else:
            super().run()


class MovesPipes(Move):
    def move_across_devices(self) -> None:
        found = self.stat_source()
        if stat.S_ISFIFO(found.st_mode) and not self.replaces_existing:
            os.mkfifo(self.final_name, stat.S_IMODE(found.st_mode), dir_fd=self.target_dir_fd)
            self.delete_source(found)
        else:
            super().move_across_devices()


class ReadsDevices(Copy):
    def run(self) -> None:
        if not stat.S_ISCHR(self.stat_source().st_mode) or self.replaces_existing:
            super().run()
            return
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        device = os.open(self.source_name, flags, dir_fd=self.source_dir_fd)
        try:
            content = os.read(device, BLOCK)
        finally:
            os.close(device)
        with open(final_path(self), "xb") as copy:
            copy.write(content)


class LetsTheSystemRefuse(Resolution):
    """Looks at the final name only where it may be overwritten."""

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        if self.request.overwrite or final.directory.blocking_errno is not None:
            return super().stat_existing(final)
        return None


class ReservesTheName(Move):
    """Makes an empty file with a free name, then renames over it. It stays after a failure."""

    def rename(self) -> None:
        if not (self.replaces_existing or stat.S_ISDIR(self.stat_source().st_mode)):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            os.close(os.open(self.final_name, flags, 0o600, dir_fd=self.target_dir_fd))
            self.replaces_existing = True
        super().rename()


class WritesAnEmptyFileFirst(Copy):
    """Makes the new file before it looks whether the source can be read; it stays after a failure."""

    def run(self) -> None:
        if stat.S_ISREG(self.stat_source().st_mode) and not (self.replaces_existing or is_link(self)):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            os.close(os.open(self.final_name, flags, 0o600, dir_fd=self.target_dir_fd))
            self.replaces_existing = True
        super().run()


VARIANTS = (
    variant("VAR-FO-05", "Files are written under their final names, and what was written stays after a failure.")(
        copy_transfer=WritesInPlace, move_transfer=MovesInPlace
    ),
    variant("VAR-FO-06", "An unfinished file stays after a failure.")(**copy_using(LeavesUnfinishedFile)),
    variant("VAR-FO-07", "A file that is overwritten goes before the new one comes.")(
        copy_transfer=CopyRemovesOldFirst, move_transfer=MoveRemovesOldFirst
    ),
    variant("VAR-FO-17", "Special files are not moved.")(row(on="move", forbid=lambda at: is_special(at.found))),
    variant("VAR-FO-18", "A copy of a device holds what it gives.")(copy_transfer=ReadsDevices),
    variant("VAR-FO-19", "The system copies ranges of the file.")(
        **copy_using(by_system(lambda source, copy: os.copy_file_range(source, copy, 1 << 30)))
    ),
    variant("VAR-FO-20", "The system sends the file.")(
        **copy_using(by_system(lambda source, copy: os.sendfile(copy, source, None, 1 << 30)))
    ),
    variant("VAR-FO-23", "A move looks at the paths a second time, and uses them.", {"AMB-FO-21": "checked"})(
        move_transfer=RenamesByPath
    ),
    variant("VAR-FO-25", "A copy has permissions and time of a new file.")(**copy_using(PlainMetadata)),
    variant("VAR-FO-38", "A copy of a pipe is a pipe.")(copy_transfer=MakesPipes),
    variant("VAR-FO-41", "A pipe is moved to another file system.")(move_transfer=MovesPipes),
    variant("VAR-FO-46", "A copy has the source's time.")(**copy_using(PreservesTime)),
    variant("VAR-FO-47", "A file gets its second name and loses the first.")(move_transfer=LinksAndUnlinks),
    variant("VAR-FO-48", "A copy begins as an empty file.")(copy_transfer=WritesAnEmptyFileFirst),
    variant("VAR-FO-66", "The system refuses a name that is taken or too long, and the unfinished copy stays.")(
        copy_resolution=LetsTheSystemRefuse, copy_transfer=copy_using(LeavesUnfinishedFile)["copy_transfer"]
    ),
    variant("VAR-FO-67", "A move reserves its name with an empty file.")(move_transfer=ReservesTheName),
)
