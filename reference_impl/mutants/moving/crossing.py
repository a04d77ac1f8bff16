"""Wrong on the way to another file system, and whenever something fails half way."""

import contextlib
import errno
import os
import shutil
import stat

from ...moving.copying import FileCopy
from ...moving.transfer import Copy, Move
from ..mutant import Mutant
from .made import copying, made, moving
from .writing import CleansUpWhatIsNew, WritesInPlace, path_of


class StaysHere(Move):
    """Another file system is an error."""

    def is_elsewhere(self, error: OSError) -> bool:
        return False


class AnyReason(Move):
    """Whatever renaming fails with, a copy may do."""

    def is_elsewhere(self, error: OSError) -> bool:
        return not isinstance(error, (FileExistsError, NotADirectoryError, IsADirectoryError))


class RefusalsToo(Move):
    """Where renaming is not permitted a copy may do."""

    def is_elsewhere(self, error: OSError) -> bool:
        return error.errno in (errno.EXDEV, errno.EPERM)


class DeletesFirst(Move):
    """The source is read and deleted, and then written elsewhere."""

    def carry_file(self) -> None:
        path = path_of(self.at, self.source)
        with open(path, "rb") as old:
            os.unlink(path)
            with open(path_of(self.to, self.final), "wb" if self.replaces else "xb") as new:
                shutil.copyfileobj(old, new)


class DeletesAnyway(Move):
    """The source goes, whatever became of the copy."""

    def carry_file(self) -> None:
        with contextlib.suppress(OSError):
            Copy(self.at, self.source, self.to, self.final, self.replaces).run()
        os.unlink(self.source, dir_fd=self.at)


class Forgets(Move):
    """The source stays."""

    def delete(self, origin: os.stat_result) -> None:
        pass


class NotTheEnd(Move):
    """That the source cannot be deleted is not the end of the world."""

    def delete(self, origin: os.stat_result) -> None:
        with contextlib.suppress(OSError):
            super().delete(origin)


class MakesDirectories(Move):
    """Of a directory an empty one is made, and the source stays."""

    def carry(self) -> None:
        if stat.S_ISDIR(self.look().st_mode):
            os.mkdir(self.final, dir_fd=self.to)
        else:
            super().carry()


class DropsDirectories(Move):
    """A directory's files come along, and it goes with all the rest."""

    def carry(self) -> None:
        if not stat.S_ISDIR(self.look().st_mode):
            super().carry()
            return
        old, new = path_of(self.at, self.source), path_of(self.to, self.final)
        os.mkdir(new)
        for entry in os.scandir(old):
            if entry.is_file(follow_symlinks=False):
                shutil.copyfile(entry.path, os.path.join(new, entry.name))
        shutil.rmtree(old)


class EmptyPipes(Move):
    """A pipe comes as an empty file."""

    def carry(self) -> None:
        if stat.S_ISFIFO(self.look().st_mode) or stat.S_ISSOCK(self.look().st_mode):
            with open(path_of(self.to, self.final), "xb"):
                pass
            os.unlink(self.source, dir_fd=self.at)
        else:
            super().carry()


class Littering(FileCopy):
    """What is half-written has a name, and keeps it."""

    def create(self) -> int:
        self.hidden = b".unfinished"
        return os.open(self.hidden, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=self.to)

    def __exit__(self, *failure: object) -> None:
        if failure[0] is not None:
            self.hidden = None
        super().__exit__(*failure)


class LittersCopying(Copy):
    """Copies in that way."""

    copier = Littering


class LittersMoving(Move):
    """Moves in that way."""

    copier = Littering


class RemovesOldFirst(Move):
    """On another file system what is overwritten goes before the copy is made."""

    def carry_file(self) -> None:
        if self.replaces:
            os.unlink(self.final, dir_fd=self.to)
            self.replaces = False
        super().carry_file()


class OverwritesBeforeDeleting(Move):
    """What is overwritten is gone when the source turns out to stay."""

    def carry_file(self) -> None:
        with self.copier(self.at, self.source, self.to, keeps_time=True) as copy:
            origin = copy.fill()
            self.place(copy)
            self.delete(origin)


class ByPieces(Move):
    """What has been read of the source is cut off it."""

    def carry_file(self) -> None:
        with (
            open(path_of(self.at, self.source), "r+b") as old,
            open(path_of(self.to, self.final), "wb") as new,
        ):
            while old.seek(0, os.SEEK_END):
                size = old.tell()
                start = max(0, size - 65536)
                old.seek(start)
                piece = old.read(65536)
                new.seek(start)
                new.write(piece)
                new.flush()
                old.truncate(start)
        os.unlink(self.source, dir_fd=self.at)


MUTANTS: tuple[Mutant, ...] = (
    made(
        161,
        "Another file system is an error.",
        "FR-FOPS-MV-04",
        "DFO-04",
        "DFO-08",
        tools=moving(transfer=StaysHere),
    ),
    made(
        162,
        "Whatever renaming fails with, the file is copied and deleted.",
        "FR-FOPS-MV-04",
        "DFO-05",
        tools=moving(transfer=AnyReason),
    ),
    made(
        163,
        "Where renaming is not permitted the file is copied and deleted.",
        "FR-FOPS-MV-04",
        tools=moving(transfer=RefusalsToo),
    ),
    made(
        164,
        "The source is deleted before its copy is written.",
        "DFO-04",
        "DFO-05",
        "FR-FOPS-MV-04",
        "DFO-08",
        tools=moving(transfer=DeletesFirst),
    ),
    made(
        165,
        "The source is deleted although its copy failed.",
        "DFO-04",
        "DFO-05",
        "FR-FOPS-MV-04",
        "DFO-08",
        tools=moving(transfer=DeletesAnyway),
    ),
    made(
        166,
        "A file that was moved to another file system is here as well.",
        "FR-FOPS-MV-04",
        "DFO-04",
        "DFO-05",
        "DFO-07",
        "DFO-08",
        tools=moving(transfer=Forgets),
    ),
    made(
        167,
        "That the source cannot be deleted is passed over.",
        "DFO-04",
        "DFO-05",
        tools=moving(transfer=NotTheEnd),
    ),
    made(
        168,
        "A directory comes to another file system without what it holds.",
        "FR-FOPS-MV-04",
        tools=moving(transfer=MakesDirectories),
    ),
    made(
        169,
        "A directory comes to another file system without what lies deeper, and goes.",
        "FR-FOPS-MV-04",
        tools=moving(transfer=DropsDirectories),
    ),
    made(
        170,
        "A pipe comes to another file system as an empty file.",
        "FR-FOPS-MV-04",
        tools=moving(transfer=EmptyPipes),
    ),
    made(
        171,
        "What could not be copied whole leaves a file behind.",
        "DFO-04",
        "DFO-05",
        tools=copying(transfer=LittersCopying),
    ),
    made(
        172,
        "What could not be moved whole leaves a file behind.",
        "DFO-04",
        "DFO-05",
        tools=moving(transfer=LittersMoving),
    ),
    made(
        173,
        "On another file system what is overwritten goes first.",
        "DFO-05",
        tools=moving(transfer=RemovesOldFirst),
    ),
    made(
        174,
        "What was overwritten on another file system is gone though the source stays.",
        "DFO-05",
        tools=moving(transfer=OverwritesBeforeDeleting),
    ),
    made(
        175,
        "A copy that fails is there, half of it.",
        "DFO-04",
        "DFO-05",
        "DFO-07",
        "DFO-06",
        tools=copying(transfer=WritesInPlace),
    ),
    made(
        176,
        "A copy has its final name before it is whole.",
        "DFO-04",
        tools=copying(transfer=CleansUpWhatIsNew),
    ),
    made(
        177,
        "A file is cut off piece by piece while it goes to another file system.",
        "DFO-04",
        "DFO-05",
        "FR-FOPS-MV-04",
        "DFO-08",
        tools=moving(transfer=ByPieces),
    ),
)
