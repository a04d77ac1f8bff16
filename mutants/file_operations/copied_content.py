"""Mutants: errors in the copied content and metadata."""

import os
import stat
from collections.abc import Iterator

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Resolution, ResolvedTransfer, execution_failed
from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import copy_using, cross_device_move_using, final_path, source_path

MEBIBYTE = 1024 * 1024
PAGE = 4096
BLOCK = 65536


class Mebibyte(FileCopy):
    """Reads the whole file and writes one mebibyte."""

    written = 0

    def write_chunk(self, piece: bytes) -> None:
        super().write_chunk(piece[: MEBIBYTE - self.written])
        self.written += len(piece[: MEBIBYTE - self.written])


class WithoutTheLastPage(FileCopy):
    """Several whole pages lose the last page."""

    def read_chunks(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().read_chunks(source))
        ends_with_a_page = len(content) > PAGE and len(content) % PAGE == 0
        yield content[:-PAGE] if ends_with_a_page else content


class WithoutItsMark(FileCopy):
    def read_chunks(self, source: int) -> Iterator[bytes]:
        yield b"".join(super().read_chunks(source)).removeprefix(b"\xef\xbb\xbf")


class WithoutManyZeros(FileCopy):
    """Trailing zeros of a file longer than a line are written as a hole, which is then lost."""

    def read_chunks(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().read_chunks(source))
        yield content.rstrip(b"\0") if len(content) > 100 else content


class WritesIntoPipes(Copy):
    """Writes the content into a pipe."""

    def run(self) -> None:
        if not self.replaces_existing or not stat.S_ISFIFO(
            os.lstat(self.final_name, dir_fd=self.target_dir_fd).st_mode
        ):
            super().run()
            return
        with open(source_path(self), "rb") as old:
            pipe = os.open(self.final_name, os.O_RDWR | os.O_NONBLOCK, dir_fd=self.target_dir_fd)
            os.write(pipe, old.read(PAGE))
            os.close(pipe)


class CopiesDanglingLinks(Resolution):
    def stat_source(self, spot: NamedPlace) -> os.stat_result:
        found = self.stat_place(spot, "source")
        return found if found is not None and self.is_dangling(spot) else super().stat_source(spot)

    def followed_source(self, spot: NamedPlace) -> NamedPlace:
        return spot if self.is_dangling(spot) else super().followed_source(spot)

    def is_dangling(self, spot: NamedPlace) -> bool:
        path = os.path.join(spot.directory.root, *spot.directory.components, spot.name)
        return os.path.islink(path) and not os.path.exists(path)


class SkipsLinks(Copy):
    """A missing source is no error."""

    def run(self) -> None:
        if not stat.S_ISLNK(self.stat_source().st_mode):
            super().run()


class ReadsFirst(Resolution):
    def resolve(self) -> ResolvedTransfer:
        target = super().resolve()
        path = os.path.join(target.source.directory.root, *target.source.directory.components, target.source.name)
        found = os.lstat(path)
        if stat.S_ISREG(found.st_mode) and not found.st_mode & 0o444:
            raise execution_failed("the source cannot be read")
        return target


class ByContent(Move):
    """Overwrites in place, keeps the permissions and not the time."""

    def rename(self) -> None:
        old = self.stat_source()
        alike = os.fstat(self.source_dir_fd).st_dev == os.fstat(self.target_dir_fd).st_dev and stat.S_ISREG(old.st_mode)
        super().rename()
        if self.replaces_existing and alike:
            os.utime(self.final_name, dir_fd=self.target_dir_fd)


class DirectoriesGetTheTime(Move):
    def rename(self) -> None:
        found = self.stat_source()
        super().rename()
        if stat.S_ISDIR(found.st_mode):
            os.utime(self.final_name, dir_fd=self.target_dir_fd)


class From1970(FileCopy):
    """Times before 1970 become 1970."""

    def copy_metadata(self, like: os.stat_result) -> None:
        super().copy_metadata(like)
        if self.preserves_mtime:
            os.utime(self.descriptor, ns=(like.st_atime_ns, max(0, like.st_mtime_ns)))


class Until2038(FileCopy):
    """Times that need more than 31 bits are reduced."""

    def copy_metadata(self, like: os.stat_result) -> None:
        super().copy_metadata(like)
        if self.preserves_mtime:
            os.utime(self.descriptor, ns=(like.st_atime_ns, min((2**31 - 1) * 10**9, like.st_mtime_ns)))


class LeavesModes(Move):
    def move_file_across_devices(self) -> None:
        old = os.lstat(self.final_name, dir_fd=self.target_dir_fd) if self.replaces_existing else None
        super().move_file_across_devices()
        if old is not None and stat.S_ISREG(old.st_mode):
            os.chmod(final_path(self), stat.S_IMODE(old.st_mode))


class LeavesTimes(Move):
    def move_file_across_devices(self) -> None:
        super().move_file_across_devices()
        if self.replaces_existing:
            os.utime(self.final_name, dir_fd=self.target_dir_fd)


class TextLineEnds(FileCopy):
    """In a text, lines end with a line feed."""

    def read_chunks(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().read_chunks(source))
        yield content if b"\0" in content else content.replace(b"\r\n", b"\n")


class WithoutTheLastBlock(FileCopy):
    """Whole blocks of 64 KiB lose the last one."""

    def read_chunks(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().read_chunks(source))
        yield content[:-BLOCK] if content and len(content) % BLOCK == 0 else content


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-235",
        "A copy is no longer than a mebibyte.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(Mebibyte)),
    ),
    build_mutant(
        "MUT-FO-236",
        "On another file system a file is no longer than a mebibyte.",
        "DFO-01",
        tools=tools_with_move(transfer=cross_device_move_using(Mebibyte)),
    ),
    build_mutant(
        "MUT-FO-237",
        "A copy of whole pages lacks the last one.",
        "DFO-02 FR-FOPS-CP-02",
        tools=tools_with_copy(transfer=copy_using(WithoutTheLastPage)),
    ),
    build_mutant(
        "MUT-FO-238",
        "On another file system, a copy of whole pages lacks the last one.",
        "DFO-01",
        tools=tools_with_move(transfer=cross_device_move_using(WithoutTheLastPage)),
    ),
    build_mutant(
        "MUT-FO-239",
        "A copy has no byte order mark.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(WithoutItsMark)),
    ),
    build_mutant(
        "MUT-FO-240",
        "A copy longer than a line ends before its trailing zeros.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(WithoutManyZeros)),
    ),
    build_mutant(
        "MUT-FO-241",
        "A copy onto a pipe writes into it and succeeds.",
        "DFO-02",
        tools=tools_with_copy(transfer=WritesIntoPipes),
    ),
    build_mutant(
        "MUT-FO-242",
        "A copy of a dangling link succeeds without effect.",
        "DFO-02 DFO-03",
        tools=tools_with_copy(resolution=CopiesDanglingLinks, transfer=SkipsLinks),
    ),
    build_mutant(
        "MUT-FO-243",
        "A file that may not be read is not moved.",
        "DFO-01",
        tools=tools_with_move(resolution=ReadsFirst),
    ),
    build_mutant(
        "MUT-FO-244",
        "A file that replaces another one has the time of the move.",
        "DFO-08",
        tools=tools_with_move(transfer=ByContent),
    ),
    build_mutant(
        "MUT-FO-245",
        "A moved directory has the time of the move.",
        "DFO-08",
        tools=tools_with_move(transfer=DirectoriesGetTheTime),
    ),
    build_mutant(
        "MUT-FO-246",
        "On another file system, no file is older than 1970.",
        "DFO-08",
        tools=tools_with_move(transfer=cross_device_move_using(From1970)),
    ),
    build_mutant(
        "MUT-FO-247",
        "On another file system, no file is newer than 2038.",
        "DFO-08",
        tools=tools_with_move(transfer=cross_device_move_using(Until2038)),
    ),
    build_mutant(
        "MUT-FO-248",
        "A file replaced on another file system leaves its permissions.",
        "DFO-08",
        tools=tools_with_move(transfer=LeavesModes),
    ),
    build_mutant(
        "MUT-FO-249",
        "A replacement on another file system has the time of the move.",
        "DFO-08",
        tools=tools_with_move(transfer=LeavesTimes),
    ),
    build_mutant(
        "MUT-FO-384",
        "A copy of whole blocks of 64 KiB lacks the last one.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(WithoutTheLastBlock)),
    ),
    build_mutant(
        "MUT-FO-388",
        "Lines of a copied text end with a line feed.",
        "DFO-02",
        tools=tools_with_copy(transfer=copy_using(TextLineEnds)),
    ),
)
