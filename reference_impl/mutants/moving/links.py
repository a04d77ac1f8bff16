"""Wrong about links and about what a file has beside its content."""

import os
import stat

from ...moving.transfer import Move
from ..mutant import Mutant
from .made import copying, made, moving
from .writing import Bare, Masked, NewTime, carries, copies, opened, path_of


class CarriesContent(Move):
    """Of a link, what it leads to comes to the other file system."""

    def carry_link(self, found: os.stat_result) -> None:
        try:
            with open(path_of(self.at, self.source), "rb") as old:
                content = old.read()
        except FileNotFoundError:
            content = b""
        with open(path_of(self.to, self.final), "xb") as new:
            new.write(content)
        os.unlink(self.source, dir_fd=self.at)


class Absolute(Move):
    """A moved link leads where it led before."""

    def rename(self) -> None:
        if not stat.S_ISLNK(self.look().st_mode) or self.replaces:
            super().rename()
            return
        target = os.readlink(self.source, dir_fd=self.at)
        os.symlink(os.path.join(path_of(self.at, b""), os.fsencode(target)), self.final, dir_fd=self.to)
        os.unlink(self.source, dir_fd=self.at)


class WritesThrough(Move):
    """What is moved onto a link goes where the link leads."""

    def rename(self) -> None:
        if not self.replaces or not stat.S_ISLNK(os.lstat(self.final, dir_fd=self.to).st_mode):
            super().rename()
            return
        with (
            opened(path_of(self.at, self.source), "rb") as old,
            opened(path_of(self.to, self.final), "wb") as new,
        ):
            new.write(old.read())
        os.unlink(self.source, dir_fd=self.at)


class ResolvesInside(Move):
    """In a directory that is moved links become what they lead to."""

    def rename(self) -> None:
        super().rename()
        place = path_of(self.to, self.final)
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
    """What is overwritten leaves its permissions to what comes."""

    def rename(self) -> None:
        old = os.stat(self.final, dir_fd=self.to, follow_symlinks=False) if self.replaces else None
        super().rename()
        if old is not None and stat.S_ISREG(old.st_mode):
            os.chmod(path_of(self.to, self.final), stat.S_IMODE(old.st_mode))


MUTANTS: tuple[Mutant, ...] = (
    made(
        141,
        "On another file system a link is the file that it led to.",
        "DFO-07",
        tools=moving(transfer=CarriesContent),
    ),
    made(
        142,
        "A moved link has an absolute target.",
        "DFO-07",
        "DFO-01",
        "FR-FOPS-MV-02",
        tools=moving(transfer=Absolute),
    ),
    made(
        143,
        "A move onto a dangling link makes the file that it leads to.",
        "DFO-07",
        "DFO-06",
        "DFO-01",
        tools=moving(transfer=WritesThrough),
    ),
    made(
        144,
        "In a directory that is moved links become files.",
        "DFO-07",
        tools=moving(transfer=ResolvesInside),
    ),
    made(145, "A copy has the permissions of a new file.", "DFO-08", tools=copying(transfer=copies(Bare))),
    made(
        146,
        "On another file system a file has the permissions of a new one.",
        "DFO-08",
        tools=moving(transfer=carries(Bare)),
    ),
    made(
        147, "The umask has a say in a copy's permissions.", "DFO-08", tools=copying(transfer=copies(Masked))
    ),
    made(
        148,
        "On another file system a file has the time of the move.",
        "DFO-08",
        tools=moving(transfer=carries(NewTime)),
    ),
    made(
        149,
        "What is overwritten by a move leaves its permissions.",
        "DFO-08",
        tools=moving(transfer=KeepsTheOldMode),
    ),
)
