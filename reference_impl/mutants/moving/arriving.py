"""Wrong in how much of a file arrives, and in what comes along with it."""

import os
import stat
from collections.abc import Iterator

from ...moving.aim import Aim, Target, failed
from ...moving.copying import FileCopy
from ...moving.gate import Spot
from ...moving.transfer import Copy, Move
from ..mutant import Mutant
from .made import copying, made, moving
from .writing import carries, copies, path_of

MEBIBYTE = 1024 * 1024
PAGE = 4096


class Mebibyte(FileCopy):
    """All is read, and a mebibyte written."""

    written = 0

    def write(self, piece: bytes) -> None:
        super().write(piece[: MEBIBYTE - self.written])
        self.written += len(piece[: MEBIBYTE - self.written])


class WithoutTheLastPage(FileCopy):
    """Several whole pages lose the last one."""

    def pieces(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().pieces(source))
        ends_with_a_page = len(content) > PAGE and len(content) % PAGE == 0
        yield content[:-PAGE] if ends_with_a_page else content


class WithoutItsMark(FileCopy):
    """A mark of the byte order is no part of the content."""

    def pieces(self, source: int) -> Iterator[bytes]:
        yield b"".join(super().pieces(source)).removeprefix(b"\xef\xbb\xbf")


class WithoutManyZeros(FileCopy):
    """Of a file that is longer than a line the zeros at the end are a hole, and a hole is nothing."""

    def pieces(self, source: int) -> Iterator[bytes]:
        content = b"".join(super().pieces(source))
        yield content.rstrip(b"\0") if len(content) > 100 else content


class PoursIntoPipes(Copy):
    """What is written to a pipe is somebody else's, and nobody reads it."""

    def run(self) -> None:
        if not self.replaces or not stat.S_ISFIFO(os.lstat(self.final, dir_fd=self.to).st_mode):
            super().run()
            return
        with open(path_of(self.at, self.source), "rb") as old:
            pipe = os.open(self.final, os.O_RDWR | os.O_NONBLOCK, dir_fd=self.to)
            os.write(pipe, old.read(PAGE))
            os.close(pipe)


class LeadsNowhere(Aim):
    """A link that leads nowhere is as good a source as any."""

    def source(self, spot: Spot) -> os.stat_result:
        found = self.look(spot, "source")
        return found if found is not None and self.dangles(spot) else super().source(spot)

    def origin(self, spot: Spot) -> Spot:
        return spot if self.dangles(spot) else super().origin(spot)

    def dangles(self, spot: Spot) -> bool:
        path = os.path.join(spot.directory.root, *spot.directory.below, spot.name)
        return os.path.islink(path) and not os.path.exists(path)


class SkipsLinks(Copy):
    """There is nothing to copy where nothing is."""

    def run(self) -> None:
        if not stat.S_ISLNK(self.look().st_mode):
            super().run()


class ReadsFirst(Aim):
    """What cannot be read is not moved."""

    def target(self) -> Target:
        target = super().target()
        path = os.path.join(target.source.directory.root, *target.source.directory.below, target.source.name)
        found = os.lstat(path)
        if stat.S_ISREG(found.st_mode) and not found.st_mode & 0o444:
            raise failed("the source cannot be read")
        return target


class ByContent(Move):
    """What is overwritten is written anew, with permissions and without the time."""

    def rename(self) -> None:
        old = self.look()
        alike = os.fstat(self.at).st_dev == os.fstat(self.to).st_dev and stat.S_ISREG(old.st_mode)
        super().rename()
        if self.replaces and alike:
            os.utime(self.final, dir_fd=self.to)


class MadeAnew(Move):
    """A directory has the time of the move."""

    def rename(self) -> None:
        found = self.look()
        super().rename()
        if stat.S_ISDIR(found.st_mode):
            os.utime(self.final, dir_fd=self.to)


class From1970(FileCopy):
    """There is no time before 1970."""

    def dress(self, like: os.stat_result) -> None:
        super().dress(like)
        if self.keeps_time:
            os.utime(self.file, ns=(like.st_atime_ns, max(0, like.st_mtime_ns)))


class Until2038(FileCopy):
    """There is no time that 31 bits cannot hold."""

    def dress(self, like: os.stat_result) -> None:
        super().dress(like)
        if self.keeps_time:
            os.utime(self.file, ns=(like.st_atime_ns, min((2**31 - 1) * 10**9, like.st_mtime_ns)))


class LeavesModes(Move):
    """On another file system what is overwritten leaves its permissions."""

    def carry_file(self) -> None:
        old = os.lstat(self.final, dir_fd=self.to) if self.replaces else None
        super().carry_file()
        if old is not None and stat.S_ISREG(old.st_mode):
            os.chmod(path_of(self.to, self.final), stat.S_IMODE(old.st_mode))


class LeavesTimes(Move):
    """On another file system what overwrites has the time of the move."""

    def carry_file(self) -> None:
        super().carry_file()
        if self.replaces:
            os.utime(self.final, dir_fd=self.to)


MUTANTS: tuple[Mutant, ...] = (
    made(235, "A copy is no longer than a mebibyte.", "DFO-02", tools=copying(transfer=copies(Mebibyte))),
    made(
        236,
        "On another file system a file is no longer than a mebibyte.",
        "FR-FOPS-MV-04",
        tools=moving(transfer=carries(Mebibyte)),
    ),
    made(
        237,
        "A copy of whole pages lacks the last one.",
        "DFO-02",
        "FR-FOPS-CP-02",
        tools=copying(transfer=copies(WithoutTheLastPage)),
    ),
    made(
        238,
        "On another file system a file of whole pages lacks the last one.",
        "FR-FOPS-MV-04",
        tools=moving(transfer=carries(WithoutTheLastPage)),
    ),
    made(
        239,
        "A copy has no mark of the byte order.",
        "DFO-02",
        tools=copying(transfer=copies(WithoutItsMark)),
    ),
    made(
        240,
        "A copy of more than a line ends before the zeros at its end.",
        "DFO-02",
        tools=copying(transfer=copies(WithoutManyZeros)),
    ),
    made(
        241,
        "A copy onto a pipe is poured into it, and a success.",
        "DFO-02",
        tools=copying(transfer=PoursIntoPipes),
    ),
    made(
        242,
        "A copy of a link that leads nowhere is a success, and nothing more.",
        "DFO-02",
        tools=copying(aim=LeadsNowhere, transfer=SkipsLinks),
    ),
    made(243, "What may not be read is not moved.", "DFO-01", tools=moving(aim=ReadsFirst)),
    made(
        244,
        "What overwrites a file has the time of the move.",
        "DFO-08",
        tools=moving(transfer=ByContent),
    ),
    made(245, "A moved directory has the time of the move.", "DFO-08", tools=moving(transfer=MadeAnew)),
    made(
        246,
        "On another file system no file is older than 1970.",
        "DFO-08",
        tools=moving(transfer=carries(From1970)),
    ),
    made(
        247,
        "On another file system no file is younger than 2038.",
        "DFO-08",
        tools=moving(transfer=carries(Until2038)),
    ),
    made(
        248,
        "What is overwritten on another file system leaves its permissions.",
        "DFO-08",
        tools=moving(transfer=LeavesModes),
    ),
    made(
        249,
        "What overwrites on another file system has the time of the move.",
        "DFO-08",
        tools=moving(transfer=LeavesTimes),
    ),
)
