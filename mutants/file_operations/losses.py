"""Mutants: what is replaced, or is the source itself, is lost; the source is lost though its copy failed."""

import os
import shutil
import stat

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import At, done, write

from ..shared.mutant import Mutant
from .rows import row


def remove_directory(at: At) -> None:
    """Remove the directory that a file or directory would replace."""
    if at.may_replace and at.existing is not None and stat.S_ISDIR(at.existing.st_mode):
        shutil.rmtree(at.final)


def remove_without_source(at: At) -> None:
    if at.may_replace and at.found is None and not at.enters:
        at.final.unlink()


def same_file(at: At) -> bool:
    return at.may_replace and at.is_same and at.is_file


def empty(at: At) -> None:
    write(at.source, b"")


def removed(at: At) -> CallResult:
    """Remove the source that is the destination, and report success."""
    answer = at.sent.answer()
    if answer.error_kind != "ExecutionFailed":
        return answer
    at.source.unlink()
    return done(answer)


def into_itself(at: At) -> None:
    """Lose a directory that is moved into itself."""
    if at.is_own_place and at.existing is None:
        shutil.rmtree(at.source)


def copies_its_copies(at: At) -> None:
    """Copy into a directory what was just copied into it, thirty directories deep."""
    if at.is_own_place and at.existing is None and at.final.parent.is_dir():
        os.makedirs(at.final.joinpath(*at.final.relative_to(at.source).parts * 30))


def is_own_target(at: At) -> bool:
    return at.may_replace and at.named.is_symlink() and os.path.realpath(at.named) == str(at.final)


def onto_target(at: At) -> CallResult:
    """Put a link into the place of the file to which it leads."""
    answer = at.sent.answer()
    if answer.error_kind != "ExecutionFailed":
        return answer
    target = os.readlink(at.named)
    at.final.unlink()
    at.final.symlink_to(target)
    if at.named == at.source:
        at.named.unlink()
    return done(answer)


def into_pipe(at: At) -> CallResult:
    """Write the content into the pipe that has the final name."""
    content = at.source.read_bytes()
    pipe = os.open(at.final, os.O_RDWR | os.O_NONBLOCK)
    os.write(pipe, content[:4096])
    os.close(pipe)
    return done(at.refused())


def is_pipe(at: At) -> bool:
    is_fifo = at.existing is not None and stat.S_ISFIFO(at.existing.st_mode)
    return is_fifo and at.may_replace and at.is_file


def dangling(at: At) -> CallResult:
    answer = at.sent.answer()
    return done(answer) if answer.error_kind == "ExecutionFailed" else answer


def lose_unreadable(at: At) -> None:
    """Remove the old file on another file system, where the source cannot be read."""
    if at.is_far and at.is_file and at.replaces and at.may_replace and not at.mode & 0o400:
        at.final.unlink()


def stays_aside(at: At) -> CallResult:
    """Keep the entry that a link from another file system replaces, under another name."""
    aside = at.final.with_name("." + at.final.name)
    content = at.final.read_bytes() if at.replaces else b""
    answer = at.sent.answer()
    if answer.status == "ok":
        aside.write_bytes(content)
    return answer


def unreported(at: At) -> CallResult:
    """Copy a file whose source cannot be deleted, and report success."""
    answer = at.sent.answer()
    if answer.error_kind == "ExecutionFailed" and os.access(at.source, os.R_OK) and at.final.parent.is_dir():
        shutil.copy2(at.source, at.final)
        return done(answer)
    return answer


def longer_end(at: At) -> CallResult:
    old = at.final.read_bytes() if at.replaces else b""
    answer = at.sent.answer()
    if answer.status == "ok" and at.final.is_file() and len(old) > at.final.stat().st_size:
        new = at.final.read_bytes()
        write(at.final, new + old[len(new) :])
    return answer


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-FO-068", "A copy onto a longer file keeps the end of the longer file."),
        "DFO-02 CFG-FOPS-01 FR-FOPS-CP-02 DFO-04 DFO-05 DFO-07",
    )(on="copy", where=lambda at: at.may_replace and at.replaces, answer=longer_end),
    row("MUT-FO-069", "A move with overwrite removes a directory with its content.", "DFO-05 DFO-06")(
        on="move", retry=remove_directory
    ),
    row("MUT-FO-070", "A copy with overwrite removes a directory with its content.", "DFO-05 DFO-04 DFO-06")(
        on="copy", retry=remove_directory
    ),
    row("MUT-FO-073", "The replaced file is removed although there is no source.", "DFO-05 DFO-04 DFO-03")(
        failing=remove_without_source
    ),
    row("MUT-FO-121", "A copy onto itself empties the file.", "DFO-06 DFO-05 DFO-07")(
        on="copy", where=same_file, failing=empty
    ),
    row("MUT-FO-122", "A copy onto another name of the source empties both.", "DFO-06 DFO-05 DFO-07")(
        on="copy", where=lambda at: same_file(at) and at.argument("source") != at.argument("destination"), failing=empty
    ),
    row("MUT-FO-124", "A move onto itself removes the file.", "DFO-06 DFO-05 DFO-04 FR-FOPS-MV-04")(
        on="move", where=same_file, failing=lambda at: at.final.unlink()
    ),
    row("MUT-FO-125", "A move onto itself removes the file and succeeds.", "DFO-06 DFO-05")(
        on="move", where=same_file, answer=removed
    ),
    row("MUT-FO-126", "A directory that is moved into itself is lost.", "DFO-06 DFO-05 DFO-08 FR-FOPS-MV-04")(
        on="move", failing=into_itself
    ),
    row("MUT-FO-128", "A copy of a directory into itself does not end.", "DFO-06 FR-FOPS-CP-01 DFO-02 FR-FOPS-CP-02")(
        on="copy", failing=copies_its_copies
    ),
    row("MUT-FO-285", "A link is moved onto the file that it leads to.", "DFO-06")(
        on="move", where=is_own_target, answer=onto_target
    ),
    row("MUT-FO-286", "A link is copied onto the file that it leads to.", "DFO-06")(
        on="copy", where=is_own_target, answer=onto_target
    ),
    row("MUT-FO-241", "A copy onto a pipe writes into it and succeeds.", "DFO-02")(
        on="copy", where=is_pipe, answer=into_pipe
    ),
    row("MUT-FO-242", "A copy of a dangling link succeeds without effect.", "DFO-02 DFO-03")(
        on="copy", where=lambda at: at.named.is_symlink() and at.found is None, answer=dangling
    ),
    row("MUT-FO-383", "A source that cannot be read costs the old file on another file system.", "DFO-11 DFO-05")(
        on="move", failing=lose_unreadable
    ),
    row(
        *("MUT-FO-232", "The entry that a link from another file system replaces stays under another name."),
        "DFO-07 DFO-01",
    )(on="move", where=lambda at: at.is_link and at.is_far and at.may_replace and at.replaces, answer=stays_aside),
    row("MUT-FO-167", "A source that cannot be deleted is not reported.", "DFO-04 DFO-05")(
        on="move", where=lambda at: at.is_far and at.is_file and at.existing is None, answer=unreported
    ),
)
