"""Defective ways to write a file: in place, partially, as text, as a link. Parts of mutants."""

import contextlib
import os
import stat
from typing import IO

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Copy, Move, Transfer


def path_of(descriptor: int, name: bytes) -> bytes:
    """Return the path of a name in an open directory."""
    return os.path.join(os.fsencode(os.readlink(f"/proc/self/fd/{descriptor}")), name)


def source_path(transfer: Transfer | FileCopy) -> bytes:
    return path_of(transfer.source_dir_fd, transfer.source_name)


def final_path(transfer: Transfer) -> bytes:
    return path_of(transfer.target_dir_fd, transfer.final_name)


def copy_correctly(transfer: Transfer) -> None:
    """Copy the file as the reference does."""
    Copy(**vars(transfer)).run()


def open_nonblocking(path: bytes, mode: str) -> IO[bytes]:
    """Open a path; do not wait for a pipe."""
    return open(path, mode, opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK, 0o666))


class InPlace(FileCopy):
    """Writes into the file with the final name, from its beginning."""

    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK
    final = b""
    opened = False

    def create_target(self) -> int:
        self.opened = True
        return os.open(self.final, self.flags, 0o666, dir_fd=self.target_dir_fd)

    def copy_metadata(self, like: os.stat_result) -> None:
        super().copy_metadata(like)

    def publish_as(self, name: bytes) -> None:
        """Do nothing: the file has its name."""


class WritesInPlace(Copy):
    """Opens the destination and writes into it; after a failure, the written part stays."""

    copier = InPlace

    def run(self) -> None:
        self.check_copyable(self.stat_source())
        with self.copier(self.source_dir_fd, self.source_name, self.target_dir_fd, preserves_mtime=False) as copy:
            assert isinstance(copy, InPlace)
            copy.final = self.final_name
            try:
                copy.copy_content()
            except OSError:
                if copy.opened:
                    self.clean_up()
                raise

    def clean_up(self) -> None:
        """Do nothing."""


class WritesInPlaceAndCleansUp(WritesInPlace):
    """Opens the destination and writes into it; removes it after a failure."""

    def clean_up(self) -> None:
        os.unlink(self.final_name, dir_fd=self.target_dir_fd)


class CleansUpWhatIsNew(WritesInPlace):
    """Writes a new file under its final name and removes it after a failure; replaces an old one correctly."""

    def run(self) -> None:
        if self.replaces_existing:
            copy_correctly(self)
        else:
            super().run()

    def clean_up(self) -> None:
        os.unlink(self.final_name, dir_fd=self.target_dir_fd)


class WritesThroughLinks(WritesInPlace):
    """Writes through a link with the final name; writes correctly if there is none."""

    def run(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISLNK(os.stat(self.final_name, dir_fd=self.target_dir_fd, follow_symlinks=False).st_mode):
                super().run()
                return
        copy_correctly(self)


class Beside(FileCopy):
    """The unfinished file has a name derived from the final one."""

    final = b""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC

    def create_target(self) -> int:
        self.temporary_name = self.unfinished()
        return os.open(self.temporary_name, self.flags, 0o600, dir_fd=self.target_dir_fd)

    def unfinished(self) -> bytes:
        return self.final[:200] + b".part"


class BesideLonger(Beside):
    """The name of the unfinished file is always longer than the final one."""

    def unfinished(self) -> bytes:
        return b"." + self.final + b".5f2c"


class WritesBeside(Copy):
    copier = Beside

    def run(self) -> None:
        self.check_copyable(self.stat_source())
        with self.copier(self.source_dir_fd, self.source_name, self.target_dir_fd, preserves_mtime=False) as copy:
            assert isinstance(copy, Beside)
            copy.final = self.final_name
            copy.copy_content()
            self.publish(copy)


class WritesBesideLonger(WritesBeside):
    copier = BesideLonger


class Untruncated(InPlace):
    """A longer file keeps its end."""

    flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK

    def end_target(self) -> None:
        pass


class LeavesTheEnd(WritesInPlace):
    copier = Untruncated


def cross_device_move_using(copier: type[FileCopy]) -> type[Transfer]:
    """Return `move` with another writer for other file systems."""
    return type(f"{copier.__name__}Move", (Move,), {"copier": copier})
