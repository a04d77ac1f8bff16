"""The operation itself: an entry is renamed, copied, or moved to another file system. Resolves no paths.

Both directories are open, so later changes of paths have no effect.
"""

import contextlib
import errno
import os
import stat
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from .file_copy import FileCopy, SourceChanged, make_temporary_name
from .renaming import UNSUPPORTED_ERRNOS, exchange_names, rename_exclusively


class UnsupportedTransfer(OSError):
    """An operation that the tools do not support."""

    def __init__(self, message: str) -> None:
        super().__init__(errno.ENOTSUP, message)


@dataclass
class Transfer(ABC):
    """The transfer of the entry `source_name` in an open directory to the name `final_name` in another one."""

    source_dir_fd: int
    source_name: bytes
    target_dir_fd: int
    final_name: bytes
    replaces_existing: bool
    copier: ClassVar[type[FileCopy]] = FileCopy

    @abstractmethod
    def run(self) -> None:
        """Execute the operation. Raises OSError; then nothing has changed."""

    def stat_source(self) -> os.stat_result:
        """Return the current metadata of the source. Raises OSError."""
        return os.lstat(self.source_name, dir_fd=self.source_dir_fd)

    def publish(self, copy: FileCopy) -> None:
        """Give a finished copy the final name. Raises OSError."""
        if self.replaces_existing:
            self.refuse_directory()
            os.rename(
                copy.ensure_temporary_name(),
                self.final_name,
                src_dir_fd=self.target_dir_fd,
                dst_dir_fd=self.target_dir_fd,
            )
            copy.temporary_name = None
        else:
            copy.publish_as(self.final_name)
        copy.sync_directory()

    def refuse_directory(self) -> None:
        """Raise IsADirectoryError if a directory has the final name."""
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISDIR(os.lstat(self.final_name, dir_fd=self.target_dir_fd).st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


class Copy(Transfer):
    """The final name becomes a new file with the same bytes and permissions (DFO-02)."""

    preserves_mtime = False

    def run(self) -> None:
        self.check_copyable(self.stat_source())
        with self.copier(
            self.source_dir_fd, self.source_name, self.target_dir_fd, preserves_mtime=self.preserves_mtime
        ) as copy:
            copy.copy_content()
            self.publish(copy)

    def check_copyable(self, found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):  # AMB-FO-33
            raise UnsupportedTransfer("directories cannot be copied")
        if not stat.S_ISREG(found.st_mode):
            raise UnsupportedTransfer("only regular files can be copied")


class Move(Transfer):
    """The entry gets another name; on another file system, a file is copied and then deleted (FR-FOPS-MV-04)."""

    def run(self) -> None:
        try:
            self.rename()
        except OSError as error:
            if not self.is_cross_device(error):
                raise
            self.move_across_devices()

    def rename(self) -> None:
        """Rename without replacing an entry that must not be replaced. Raises OSError."""
        if self.replaces_existing:
            self.refuse_directory()
            os.rename(
                self.source_name,
                self.final_name,
                src_dir_fd=self.source_dir_fd,
                dst_dir_fd=self.target_dir_fd,
            )
        else:
            rename_exclusively(self.source_dir_fd, self.source_name, self.target_dir_fd, self.final_name)

    def is_cross_device(self, error: OSError) -> bool:
        return error.errno == errno.EXDEV  # AMB-FO-23: only this error is handled

    def move_across_devices(self) -> None:
        """Move to another file system. Raises OSError."""
        found = self.stat_source()
        if stat.S_ISLNK(found.st_mode):
            self.move_link_across_devices(found)
        elif stat.S_ISREG(found.st_mode):
            self.move_file_across_devices()
        else:
            raise UnsupportedTransfer("only files and links can be moved to another file system")

    def move_file_across_devices(self) -> None:
        with self.copier(self.source_dir_fd, self.source_name, self.target_dir_fd, preserves_mtime=True) as copy:
            origin = copy.copy_content()
            if not self.replaces_existing:
                copy.publish_as(self.final_name)
                copy.sync_directory()
                try:
                    self.delete_source(origin)
                except OSError:
                    self.remove_copy()
                    raise
                return
            copy.ensure_temporary_name()
            self.exchange_with_existing(copy, origin)

    def move_link_across_devices(self, found: os.stat_result) -> None:
        """Create a link with the same target (AMB-FO-22)."""
        target = os.readlink(self.source_name, dir_fd=self.source_dir_fd)
        name = make_temporary_name() if self.replaces_existing else self.final_name
        os.symlink(target, name, dir_fd=self.target_dir_fd)
        if self.replaces_existing:
            try:
                self.refuse_directory()
                os.rename(name, self.final_name, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
            except OSError:
                os.unlink(name, dir_fd=self.target_dir_fd)
                raise
        try:
            self.delete_source(found)
        except OSError:
            if not self.replaces_existing:
                self.remove_copy()
            raise

    def delete_source(self, origin: os.stat_result) -> None:
        """Delete the source if it is still the copied file. Raises OSError."""
        found = self.stat_source()
        if (found.st_dev, found.st_ino) != (origin.st_dev, origin.st_ino):
            raise SourceChanged
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)

    def remove_copy(self) -> None:
        """Remove the copy because the source cannot be deleted, so that nothing has changed (DFO-04)."""
        with contextlib.suppress(OSError):
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)

    def exchange_with_existing(self, copy: FileCopy, origin: os.stat_result) -> None:
        """Exchange the copy with the existing entry, which is deleted only after the source."""
        temporary_name = copy.ensure_temporary_name()
        self.refuse_directory()
        try:
            exchange_names(self.target_dir_fd, temporary_name, self.final_name)
        except OSError as error:
            if error.errno not in UNSUPPORTED_ERRNOS:
                raise
            self.replace_in_steps(copy, origin)
            return
        copy.sync_directory()
        try:
            self.delete_source(origin)
        except OSError:
            copy.temporary_name = None  # it belongs to the replaced entry now, which must not be deleted
            exchange_names(self.target_dir_fd, temporary_name, self.final_name)
            copy.temporary_name = temporary_name
            raise

    def replace_in_steps(self, copy: FileCopy, origin: os.stat_result) -> None:
        """Replace the entry if names cannot be exchanged; for a moment it has a temporary name."""
        backup_name = make_temporary_name()
        os.rename(self.final_name, backup_name, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
        try:
            copy.publish_as(self.final_name)
            copy.sync_directory()
            self.delete_source(origin)
        except OSError:
            os.rename(backup_name, self.final_name, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
            raise
        os.unlink(backup_name, dir_fd=self.target_dir_fd)
