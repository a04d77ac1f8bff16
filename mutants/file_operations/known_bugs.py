"""Mutants: bugs of file tools in public use, and of usual library functions, on inputs that few tests have."""

import os
import shutil
from pathlib import Path

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import At, Memory, done, is_failed, root_of, write

from ..shared.mutant import Mutant
from .rows import row

MAX_SIGNED = 2**31


def loses_itself(at: At) -> CallResult:
    """Copy a directory into itself and delete it, as a fallback does that compares paths as texts."""
    answer = at.sent.answer()
    if not is_failed(answer):
        return answer
    shutil.rmtree(at.source)
    return done(answer)


def goes_into_itself(at: At) -> bool:
    is_below_by_text = at.arguments["destination"].startswith(at.arguments["source"])
    return at.is_own_place and at.existing is None and not is_below_by_text


def onto_link_to_itself(at: At) -> bool:
    """Return whether the final name is a link to another name of the source."""
    is_link = at.may_replace and os.path.islink(at.final) and os.path.isfile(at.final) and at.is_file
    return is_link and at.final.samefile(at.source) and os.path.realpath(at.final) != str(at.source)


def empties(at: At) -> CallResult:
    """Open the destination for writing before the source is read."""
    answer = at.sent.answer()
    if answer.status == "ok" or is_failed(answer):
        write(at.source, b"")
    return answer


def is_unneeded_link(at: At) -> bool:
    return os.path.islink(at.final) and not os.path.exists(at.final) and not at.overwrites


def leads_out(at: At, path: Path) -> bool:
    return os.path.islink(path) and at.root_of(Path(os.path.realpath(path))) is None


def replaces_link(at: At) -> CallResult:
    """Put the source in the place of a link that leads out."""
    if at.sent.answer().error_kind == "SandboxViolation":
        at.destination.unlink()
    return at.sent.answer()


def brought_in(at: At) -> CallResult:
    answer = at.sent.answer()
    if answer.error_kind != "SandboxViolation":
        return answer
    shutil.copyfile(at.named, at.final)
    at.named.unlink()
    return done(answer)


def copies_below_missing(at: At) -> CallResult:
    """Make the missing directories of a final name in the source itself, and copy what was just made."""
    answer = at.sent.answer()
    if is_failed(answer):
        os.makedirs(at.final.joinpath(*at.final.relative_to(at.source).parts * 8))
    return answer


def remembers_directory(at: At, kept: Memory) -> CallResult:
    """Enter a destination that was a directory in an earlier call."""
    was_directory = kept.setdefault(at.destination, at.enters)
    is_gone = was_directory and not at.enters
    return at.answer(destination=f"{at.argument('destination')}/x") if is_gone else at.sent.answer()


def holds_dangling(at: At) -> bool:
    found = (os.path.join(folder, name) for folder, _, names in os.walk(at.source) for name in names)
    return any(os.path.islink(path) and not os.path.exists(path) for path in found)


def beside_the_root(at: At) -> CallResult:
    answer = at.sent.answer()
    if answer.error_kind == "SandboxViolation" and at.source.exists():
        (shutil.move if at.name in ("move", "mv", "rename") else shutil.copy)(at.source, root_of(at.sent).parent)
        return done(answer)
    return answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-FO-483", "A directory that is moved into itself through a link is lost.", "DFO-06")(
        on="move", where=goes_into_itself, answer=loses_itself
    ),
    row("MUT-FO-484", "A copy onto a link to another name of its source empties both.", "DFO-06")(
        on="copy", where=onto_link_to_itself, answer=empties
    ),
    row("MUT-FO-485", "A file that ends with a hole loses it on the way to another file system.", "DFO-01")(
        on="move", where=lambda at: at.is_file and at.is_far, content=lambda data: data.rstrip(b"\0")
    ),
    row("MUT-FO-486", "The copy of a file that ends with a hole lacks it.", "DFO-02")(
        on="copy", where=lambda at: at.is_file, content=lambda data: data.rstrip(b"\0")
    ),
    row("MUT-FO-487", "A link cannot be moved into the directory that it leads to.", "FR-FOPS-MV-02")(
        on="move", refuse=lambda at: at.is_link and at.enters and os.path.realpath(at.named) == str(at.final.parent)
    ),
    row("MUT-FO-488", "A link that leads out brings what lies there to another file system.", "NFR-FOPS-SEC-01")(
        on="move", where=lambda at: at.is_far and leads_out(at, at.named) and at.named.is_file(), answer=brought_in
    ),
    row("MUT-FO-489", "Of a file beyond 2 GiB, the first 2 GiB are copied.", "DFO-02")(
        on="copy",
        where=lambda at: at.found and at.found.st_size > MAX_SIGNED,
        after=lambda at: os.truncate(at.final, MAX_SIGNED),
    ),
    row("MUT-FO-490", "A file beyond 2 GiB is not moved.", "DFO-01")(
        on="move", refuse=lambda at: at.found and at.found.st_size > MAX_SIGNED
    ),
    row("MUT-FO-491", "With two dots as the destination, a file lands beside the sandbox.", "NFR-FOPS-SEC-01")(
        where=lambda at: str(at.argument("destination")).rstrip("/") == "..", answer=beside_the_root
    ),
    row("MUT-FO-492", "A move replaces a link that leads nowhere without being asked to.", "FR-FOPS-MV-03")(
        on="move", force=is_unneeded_link
    ),
    row("MUT-FO-493", "A copy replaces a link that leads nowhere without being asked to.", "FR-FOPS-CP-03")(
        on="copy", force=is_unneeded_link
    ),
    row("MUT-FO-494", "A move replaces a link that leads out without being asked to.", "FR-FOPS-MV-03")(
        on="move",
        where=lambda at: leads_out(at, at.destination) and not at.overwrites and at.found,
        answer=replaces_link,
    ),
    row("MUT-FO-495", "A copy replaces a link that leads out without being asked to.", "FR-FOPS-CP-03")(
        on="copy",
        where=lambda at: leads_out(at, at.destination) and not at.overwrites and at.found,
        answer=replaces_link,
    ),
    row("MUT-FO-496", "What was a directory in an earlier call is one for ever.", "DFO-01 DFO-02")(
        keeps=remembers_directory
    ),
    row("MUT-FO-497", "A copy of a directory into itself through a link makes missing directories for ever.", "DFO-06")(
        on="copy",
        where=lambda at: at.is_own_place and not at.final.parent.exists() and goes_into_itself(at),
        answer=copies_below_missing,
    ),
    row("MUT-FO-498", "A link that leads nowhere cannot be moved into a directory.", "FR-FOPS-MV-02")(
        on="move", refuse=lambda at: at.is_link and at.enters and not os.path.exists(at.named)
    ),
    row("MUT-FO-499", "A link takes no place of a file on another file system.", "FR-FOPS-MV-04 DFO-07")(
        on="move", refuse=lambda at: at.is_link and at.is_far and at.replaces
    ),
    row("MUT-FO-500", "A directory with a link that leads nowhere is not moved.", "FR-FOPS-MV-02 DFO-01")(
        on="move", refuse=lambda at: at.is_dir and holds_dangling(at)
    ),
)
