"""Mutants: content, permissions, times and links of what was moved or copied, and success without the right effect."""

import os
import shutil
import stat

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import At, Memory, done, write

from ..shared.mutant import Mutant
from .rows import row

PAGE, BLOCK, MEBIBYTE = 4096, 65536, 1024 * 1024


def without_page(data: bytes) -> bytes:
    return data[:-PAGE] if len(data) > PAGE and len(data) % PAGE == 0 else data


def without_block(data: bytes) -> bytes:
    return data[:-BLOCK] if data and len(data) % BLOCK == 0 else data


def without_mark(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf")


def with_line_feeds(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def is_far_file(at: At) -> bool:
    return at.is_file and at.is_far


def is_far_replacement(at: At) -> bool:
    return is_far_file(at) and at.replaces


def old_mode(at: At) -> None:
    """Give the file the permissions of the one that it replaced."""
    if at.existing is not None:
        os.chmod(at.final, stat.S_IMODE(at.existing.st_mode))


def put_back(at: At) -> None:
    shutil.copy2(at.final, at.source)


def renew(at: At) -> None:
    """Put a copy in the place of the file, with its metadata."""
    beside = at.final.with_name(".renewed")
    shutil.copy2(at.final, beside)
    os.replace(beside, at.final)


def lose(at: At) -> None:
    if at.is_dir:
        at.final.rmdir()
    else:
        at.final.unlink()


def is_empty(at: At) -> bool:
    if at.existing is not None or at.found is None:
        return False
    return not os.listdir(at.source) if at.is_dir else at.is_file and not at.found.st_size


def link_hard(at: At) -> None:
    at.final.unlink()
    os.link(at.source, at.final)


def link_soft(at: At) -> None:
    at.final.unlink()
    at.final.symlink_to(at.source)


def absolute_link(at: At) -> None:
    target = at.source.parent / os.readlink(at.final)
    at.final.unlink()
    at.final.symlink_to(target)


def link_to_file(at: At) -> None:
    """Put the content of its target in the place of the link."""
    target = at.source.parent / os.readlink(at.final)
    content = target.read_bytes() if target.is_file() else b""
    at.final.unlink()
    at.final.write_bytes(content)


def links_to_files(at: At) -> None:
    for path in at.final.iterdir():
        if path.is_symlink() and path.is_file():
            content = path.read_bytes()
            path.unlink()
            path.write_bytes(content)


def plain_entries_only(at: At) -> None:
    for path in at.final.iterdir():
        if not (path.is_file() or path.is_dir()):
            path.unlink()


def empty_file(at: At) -> CallResult:
    """Put an empty file in the place of the pipe, whether it could be moved or not."""
    answer = at.sent.answer()
    if answer.status == "ok" or answer.error_kind == "ExecutionFailed" and at.existing is None:
        at.final.unlink(missing_ok=True)
        at.final.touch(0o644)
        at.source.unlink(missing_ok=True)
        return done(answer)
    return answer


def nothing(at: At) -> CallResult:
    """Return the success of a call without its effect, where the candidate makes no mistake but the effect."""
    refused = at.refused()
    return done(refused) if refused.error_kind == "ExecutionFailed" else refused


def nothing_for_failure(at: At) -> CallResult:
    answer = at.sent.answer()
    return done(answer) if answer.error_kind == "ExecutionFailed" else answer


def keeps_content(at: At, kept: Memory, key: object) -> CallResult:
    """Copy a small file with the content of its first copy."""
    answer = at.sent.answer()
    if answer.status == "ok" and at.is_file and 0 < at.final.stat().st_size < 1024:
        write(at.final, kept.setdefault(key, at.final.read_bytes()))
    return answer


def inode(at: At) -> object:
    return at.found and (at.found.st_dev, at.found.st_ino)


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-FO-081", "A copy is a hard link."),
        "DFO-02 FR-FOPS-CP-01 DFO-04 DFO-07 FR-EXE-01 NFR-FOPS-SEC-01 DFO-08 FR-APR-04b FR-APR-04c FR-APR-04d",
        "FR-FOPS-01 FR-FOPS-CP-02 NFR-FOPS-SEC-02 T-FOPS-CP-01",
    )(on="copy", where=lambda at: at.is_file and at.existing is None, after=link_hard),
    row(
        *("MUT-FO-082", "A copy is a symbolic link."),
        "DFO-02 FR-FOPS-01 FR-FOPS-CP-02 T-FOPS-CP-01 DFO-04 FR-EXE-01 NFR-FOPS-SEC-01 NFR-FOPS-SEC-02",
        "FR-APR-04b FR-APR-04c FR-APR-04d FR-FOPS-CP-01 FR-FOPS-CP-03 DFO-05 DFO-07 DFO-08",
    )(on="copy", where=lambda at: at.is_file and at.existing is None, after=link_soft),
    row("MUT-FO-083", "A copy of a pipe succeeds without effect.", "DFO-02")(
        on="copy", where=lambda at: at.found and not (at.is_dir or at.is_file), answer=nothing_for_failure
    ),
    row("MUT-FO-084", "A copy changes line endings.", "DFO-02")(on="copy", content=with_line_feeds),
    row("MUT-FO-085", "A copy has at most 64 KiB.", "DFO-02 DFO-04 DFO-10 DFO-11")(
        on="copy", content=lambda data: data[:BLOCK]
    ),
    row("MUT-FO-086", "A copy ends before its trailing zeros.", "DFO-02")(
        on="copy", content=lambda data: data.rstrip(b"\0")
    ),
    row("MUT-FO-087", "A copy is converted to UTF-8.", "DFO-02")(
        on="copy", content=lambda data: data.decode("utf-8", "replace").encode()
    ),
    row("MUT-FO-088", "The copy of an empty file succeeds without effect.", "DFO-02 T-FOPS-CP-01")(
        on="copy", where=lambda at: at.found and at.is_file and not at.found.st_size, answer=nothing
    ),
    row(
        *("MUT-FO-091", "A move keeps the source."),
        "DFO-01 FR-FOPS-01 FR-FOPS-MV-02 FR-FOPS-MV-04 T-FOPS-MV-01 CFG-FOPS-01 FR-EXE-01 NFR-FOPS-SEC-02",
        "FR-VAL-04 FR-VAL-05 DFO-07 DFO-04 DFO-06 DFO-08 FR-APR-04c FR-APR-04d FR-FOPS-MV-01",
    )(on="move", where=lambda at: at.is_file, after=put_back),
    row("MUT-FO-092", "A move copies, so that a hard link is lost.", "DFO-01")(
        on="move", where=lambda at: at.is_file, after=renew
    ),
    row("MUT-FO-093", "A move of a pipe succeeds without effect.", "DFO-01 FR-FOPS-MV-02 FR-FOPS-MV-04")(
        on="move", where=lambda at: stat.S_ISFIFO(at.mode), answer=nothing
    ),
    row(
        *("MUT-FO-094", "A move of a directory transfers files and directories only."),
        "DFO-01 DFO-07 DFO-08 FR-FOPS-MV-02 FR-FOPS-MV-04",
    )(on="move", where=lambda at: at.is_dir, after=plain_entries_only),
    row("MUT-FO-095", "A missing source is a success.", "DFO-03 DFO-05 DFO-09 FR-EXE-01")(
        where=lambda at: at.is_transfer and at.found is None, answer=nothing_for_failure
    ),
    row("MUT-FO-104", "A copy changes the time of its source.", "DFO-02")(
        on="copy", after=lambda at: os.utime(at.source)
    ),
    row("MUT-FO-105", "A failed copy leaves the directories that it created.", "DFO-10 DFO-09 DFO-03 NFR-FOPS-SEC-01")(
        on="copy", where=lambda at: at.found, retry=lambda at: os.makedirs(at.destination.parent)
    ),
    row(
        *("MUT-FO-296", "An empty file or directory is deleted when it is moved."),
        "DFO-01 FR-FOPS-MV-02 T-FOPS-MV-01 FR-FOPS-MV-04",
    )(on="move", where=is_empty, after=lose),
    row("MUT-FO-141", "On another file system, a link becomes the file that it points to.", "DFO-07")(
        on="move", where=lambda at: at.is_link and at.is_far and at.existing is None, after=link_to_file
    ),
    row("MUT-FO-142", "A moved link has an absolute target.", "DFO-07 DFO-01 FR-FOPS-MV-02")(
        on="move", where=lambda at: at.is_link and at.existing is None, after=absolute_link
    ),
    row("MUT-FO-144", "In a directory that is moved, links become files.", "DFO-07")(
        on="move", where=lambda at: at.is_dir, after=links_to_files
    ),
    row("MUT-FO-145", "A copy has the permissions of a new file.", "DFO-08")(on="copy", mode=lambda mode: 0o644),
    row("MUT-FO-146", "On another file system, a file has the permissions of a new one.", "DFO-08")(
        on="move", where=is_far_file, mode=lambda mode: 0o644
    ),
    row("MUT-FO-147", "The umask applies to a copy's permissions.", "DFO-08")(
        on="copy", mode=lambda mode: mode & ~0o022
    ),
    row("MUT-FO-148", "On another file system, a file has the time of the move.", "DFO-08")(
        on="move", where=is_far_file, after=lambda at: os.utime(at.final)
    ),
    row("MUT-FO-149", "A file replaced by a move leaves its permissions.", "DFO-08")(
        on="move", where=lambda at: at.replaces and not at.is_far and not at.is_link, after=old_mode
    ),
    row("MUT-FO-345", "A moved file loses the write permission of group and others.", "DFO-08")(
        on="move", where=lambda at: at.is_file and not at.is_far, mode=lambda mode: mode & ~0o022
    ),
    row("MUT-FO-346", "A file that is moved to another directory has the time of the move.", "DFO-08")(
        on="move",
        where=lambda at: not at.is_far and at.final.parent != at.source.parent,
        after=lambda at: os.utime(at.final, follow_symlinks=False),
    ),
    row("MUT-FO-235", "A copy is no longer than a mebibyte.", "DFO-02")(
        on="copy", content=lambda data: data[:MEBIBYTE]
    ),
    row("MUT-FO-236", "On another file system a file is no longer than a mebibyte.", "DFO-01")(
        on="move", where=is_far_file, content=lambda data: data[:MEBIBYTE]
    ),
    row("MUT-FO-237", "A copy of whole pages lacks the last one.", "DFO-02 FR-FOPS-CP-02")(
        on="copy", content=without_page
    ),
    row("MUT-FO-238", "On another file system, a copy of whole pages lacks the last one.", "DFO-01")(
        on="move", where=is_far_file, content=without_page
    ),
    row("MUT-FO-239", "A copy has no byte order mark.", "DFO-02")(on="copy", content=without_mark),
    row("MUT-FO-240", "A copy longer than a line ends before its trailing zeros.", "DFO-02")(
        on="copy", content=lambda data: data.rstrip(b"\0") if len(data) > 100 else data
    ),
    row("MUT-FO-243", "A file that may not be read is not moved.", "DFO-01")(
        on="move", refuse=lambda at: at.is_file and not at.mode & 0o444
    ),
    row("MUT-FO-244", "A file that replaces another one has the time of the move.", "DFO-08")(
        on="move", where=lambda at: at.is_file and at.existing and not at.is_far, after=lambda at: os.utime(at.final)
    ),
    row("MUT-FO-245", "A moved directory has the time of the move.", "DFO-08")(
        on="move", where=lambda at: at.is_dir and not at.is_far, after=lambda at: os.utime(at.final)
    ),
    row("MUT-FO-246", "On another file system, no file is older than 1970.", "DFO-08")(
        on="move", where=is_far_file, mtime=lambda time: max(0, time)
    ),
    row("MUT-FO-247", "On another file system, no file is newer than 2038.", "DFO-08")(
        on="move", where=is_far_file, mtime=lambda time: min((2**31 - 1) * 10**9, time)
    ),
    row("MUT-FO-248", "A file replaced on another file system leaves its permissions.", "DFO-08")(
        on="move", where=is_far_replacement, after=old_mode
    ),
    row("MUT-FO-249", "A replacement on another file system has the time of the move.", "DFO-08")(
        on="move", where=is_far_replacement, after=lambda at: os.utime(at.final)
    ),
    row("MUT-FO-384", "A copy of whole blocks of 64 KiB lacks the last one.", "DFO-02")(
        on="copy", content=without_block
    ),
    row("MUT-FO-388", "Lines of a copied text end with a line feed.", "DFO-02")(
        on="copy", content=lambda data: data if b"\0" in data else with_line_feeds(data)
    ),
    row("MUT-FO-161", "A move to another file system is an error.", "FR-FOPS-MV-04 DFO-04 DFO-08")(
        on="move", refuse=lambda at: at.is_far
    ),
    row("MUT-FO-170", "A pipe moved to another file system becomes an empty file.", "DFO-01")(
        on="move",
        where=lambda at: at.is_far and at.found and not (at.is_file or at.is_dir or at.is_link),
        answer=empty_file,
    ),
    row("MUT-FO-380", "A byte order mark is lost on the way to another file system.", "DFO-01")(
        on="move", where=is_far_file, content=without_mark
    ),
    row("MUT-FO-381", "A link that leads nowhere cannot go to another file system.", "DFO-07")(
        on="move", refuse=lambda at: at.is_far and at.is_link and not os.path.exists(at.source)
    ),
    row("MUT-FO-382", "An empty file gets a new time on the way to another file system.", "DFO-08")(
        on="move",
        where=lambda at: is_far_file(at) and at.found and not at.found.st_size,
        after=lambda at: os.utime(at.final),
    ),
    row(
        *("MUT-FO-465", "A file with a name of 248 bytes or more cannot be moved to another file system."),
        "FR-FOPS-MV-04",
    )(on="move", refuse=lambda at: is_far_file(at) and len(os.fsencode(at.final.name)) > 247),
    row("MUT-FO-466", "A file that may not be written to cannot be moved to another file system.", "FR-FOPS-MV-04")(
        on="move", refuse=lambda at: is_far_file(at) and not at.mode & 0o222
    ),
    row("MUT-FO-409", "A copy of a file that may only be read is another name of it.", "DFO-02 DFO-08")(
        on="copy", where=lambda at: at.is_file and at.existing is None and not at.mode & 0o222, after=link_hard
    ),
    row("MUT-FO-410", "A file that may only be read cannot be copied.", "DFO-02 DFO-08")(
        on="copy", refuse=lambda at: at.is_file and not at.mode & 0o200
    ),
    row("MUT-FO-442", "A file of the same inode as one that was copied before is copied with its content.", "DFO-02")(
        on="copy", keeps=lambda at, kept: keeps_content(at, kept, inode(at))
    ),
    row("MUT-FO-443", "A file of the same path as one that was copied before is copied with its content.", "DFO-02")(
        on="copy", keeps=lambda at, kept: keeps_content(at, kept, at.source)
    ),
)
