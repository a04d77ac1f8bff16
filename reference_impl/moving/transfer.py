"""What is done: one entry renamed, copied, or carried to another file system. No path is resolved here.

Both directories are open, so nothing that happens to the paths meanwhile leads elsewhere.
"""

import contextlib
import errno
import os
import stat
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from .copying import Changed, FileCopy, hidden_name
from .renaming import UNKNOWN, exchange, rename_exclusively


class Unsupported(OSError):
    """What these tools do not do: one sentence about what was asked for."""

    def __init__(self, what: str) -> None:
        super().__init__(errno.ENOTSUP, what)


@dataclass
class Transfer(ABC):
    """From the name `source` in the open directory `at` to the name `final` in the open directory `to`."""

    at: int
    source: bytes
    to: int
    final: bytes
    replaces: bool
    copier: ClassVar[type[FileCopy]] = FileCopy

    @abstractmethod
    def run(self) -> None:
        """Raises OSError; then all is as it was."""

    def look(self) -> os.stat_result:
        """The source as it is now. Raises OSError."""
        return os.lstat(self.source, dir_fd=self.at)

    def place(self, copy: FileCopy) -> None:
        """Let a finished copy have the final name. Raises OSError."""
        if self.replaces:
            self.refuse_directory()
            os.rename(copy.named(), self.final, src_dir_fd=self.to, dst_dir_fd=self.to)
            copy.hidden = None
        else:
            copy.name_it(self.final)
        copy.settle()

    def refuse_directory(self) -> None:
        """Raises IsADirectoryError where a directory has come to have the final name."""
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISDIR(os.lstat(self.final, dir_fd=self.to).st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


class Copy(Transfer):
    """The final name becomes a file of its own with the same bytes and permissions (DFO-02)."""

    keeps_time = False

    def run(self) -> None:
        self.check(self.look())
        with self.copier(self.at, self.source, self.to, keeps_time=self.keeps_time) as copy:
            copy.fill()
            self.place(copy)

    def check(self, found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):  # AMB-FO-07
            raise Unsupported("directories cannot be copied")
        if not stat.S_ISREG(found.st_mode):
            raise Unsupported("only regular files can be copied")


class Move(Transfer):
    """The entry gets another name; on another file system a file is copied and then deleted (FR-FOPS-MV-04)."""

    def run(self) -> None:
        try:
            self.rename()
        except OSError as error:
            if not self.is_elsewhere(error):
                raise
            self.carry()

    def rename(self) -> None:
        """Rename without ever taking the place of something that was not to be replaced. Raises OSError."""
        if self.replaces:
            self.refuse_directory()
            os.rename(self.source, self.final, src_dir_fd=self.at, dst_dir_fd=self.to)
        else:
            rename_exclusively(self.at, self.source, self.to, self.final)

    def is_elsewhere(self, error: OSError) -> bool:
        return error.errno == errno.EXDEV  # AMB-FO-23: no other error is worked around

    def carry(self) -> None:
        """Move to another file system. Raises OSError."""
        found = self.look()
        if stat.S_ISLNK(found.st_mode):
            self.carry_link(found)
        elif stat.S_ISREG(found.st_mode):
            self.carry_file()
        else:
            raise Unsupported("only files and links can be moved to another file system")

    def carry_file(self) -> None:
        with self.copier(self.at, self.source, self.to, keeps_time=True) as copy:
            origin = copy.fill()
            if not self.replaces:
                copy.name_it(self.final)
                copy.settle()
                try:
                    self.delete(origin)
                except OSError:
                    self.take_back()
                    raise
                return
            copy.named()
            self.swap(copy, origin)

    def carry_link(self, found: os.stat_result) -> None:
        """A link stays a link with the same target (AMB-FO-22)."""
        target = os.readlink(self.source, dir_fd=self.at)
        name = hidden_name() if self.replaces else self.final
        os.symlink(target, name, dir_fd=self.to)
        if self.replaces:
            try:
                self.refuse_directory()
                os.rename(name, self.final, src_dir_fd=self.to, dst_dir_fd=self.to)
            except OSError:
                os.unlink(name, dir_fd=self.to)
                raise
        try:
            self.delete(found)
        except OSError:
            if not self.replaces:
                self.take_back()
            raise

    def delete(self, origin: os.stat_result) -> None:
        """Delete the source, if it still is what was copied. Raises OSError."""
        found = self.look()
        if (found.st_dev, found.st_ino) != (origin.st_dev, origin.st_ino):
            raise Changed
        os.unlink(self.source, dir_fd=self.at)

    def take_back(self) -> None:
        """Remove the copy where the source could not go, so that all is as it was (AMB-FO-24)."""
        with contextlib.suppress(OSError):
            os.unlink(self.final, dir_fd=self.to)

    def swap(self, copy: FileCopy, origin: os.stat_result) -> None:
        """Exchange the copy with what has the final name, and only then delete: until then nothing is lost."""
        kept = copy.named()
        self.refuse_directory()
        try:
            exchange(self.to, kept, self.final)
        except OSError as error:
            if error.errno not in UNKNOWN:
                raise
            self.swap_in_steps(copy, origin)
            return
        copy.settle()
        try:
            self.delete(origin)
        except OSError:
            copy.hidden = None  # what was to be replaced: it goes for nothing but its own place
            exchange(self.to, kept, self.final)
            copy.hidden = kept
            raise

    def swap_in_steps(self, copy: FileCopy, origin: os.stat_result) -> None:
        """The same where names cannot be exchanged: what is replaced has another name for a moment."""
        aside = hidden_name()
        os.rename(self.final, aside, src_dir_fd=self.to, dst_dir_fd=self.to)
        try:
            copy.name_it(self.final)
            copy.settle()
            self.delete(origin)
        except OSError:
            os.rename(aside, self.final, src_dir_fd=self.to, dst_dir_fd=self.to)
            raise
        os.unlink(aside, dir_fd=self.to)
