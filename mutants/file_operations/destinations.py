"""Mutants: the final name, and what has it already: entered, replaced or refused where it must not be."""

import os
import re
import stat
from dataclasses import replace
from pathlib import Path

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import At, flag_in, root_of

from ..shared.mutant import Mutant
from .rows import row


def in_directory(at: At, name: str) -> CallResult:
    """Return the answer to the call with another final name in the directory."""
    return at.answer(destination=os.path.join(at.arguments["destination"], name))


def allows(at: At) -> bool:
    return flag_in(at.context.get("config"), "tools", "fileops") is True


def in_source_directory(at: At) -> CallResult:
    above = os.path.dirname(at.arguments["source"])
    return at.answer(destination=os.path.join(above, at.final.name))


def with_own_directories(at: At) -> str:
    root = Path(os.path.realpath(at.context["roots"][0]))
    above = at.named.parent.relative_to(root).parts if at.named.is_relative_to(root) else ()
    return "-".join((*above, at.named.name))


def is_pattern(at: At) -> bool:
    return at.replaces and not at.is_same and re.search(r"[*?\[]", at.final.name) is not None


def is_hidden(at: At) -> bool:
    return at.replaces and at.final.name.startswith(".")


def is_plain(path: Path) -> bool:
    return not stat.S_IMODE(path.stat().st_mode) & 0o7000


def ends_in_slash(at: At, key: str) -> bool:
    return str(at.argument(key)).endswith("/")


def is_newer(at: At) -> bool:
    """Whether the existing entry is newer than the source."""
    return at.existing is not None and at.found is not None and at.existing.st_mtime_ns > at.found.st_mtime_ns


def is_taken_in_other_case(at: At) -> bool:
    folder = at.final.parent
    names = os.listdir(folder) if folder.is_dir() and at.existing is None else []
    return at.found is not None and at.final.name.lower() in map(str.lower, names)


def has_same_content(at: At) -> bool:
    return at.is_file and at.replaces and at.may_replace and at.source.read_bytes() == at.final.read_bytes()


def leads_to_directory(at: At) -> bool:
    """Whether the name in the directory is a link to another one."""
    return at.enters and at.final.is_symlink() and at.final.is_dir()


def remove_neighbour(at: At, ending: str) -> None:
    at.final.with_name(at.final.name[:250] + ending).unlink(missing_ok=True)


def make_parents(at: At) -> None:
    os.makedirs(at.destination.parent)


def make_one_parent(at: At) -> None:
    """Make the first of several missing directories."""
    missing = [folder for folder in at.destination.parents if not os.path.lexists(folder)]
    if at.found is not None and missing:
        missing[-1].mkdir()


def replace_parent(at: At) -> None:
    """Put a directory in the place of a file that has its name."""
    if at.destination.parent.is_file():
        at.destination.parent.unlink()
        at.destination.parent.mkdir()


def before_the_sandbox(at: At) -> CallResult:
    way = root_of(at.sent) / os.path.dirname(at.arguments["destination"])
    if not os.path.lexists(way) and not os.path.lexists(way.parent):
        os.makedirs(way)
    return at.sent.answer()


def append(at: At) -> None:
    if not at.overwrites and at.replaces and at.final.name == at.named.name:
        with at.final.open("ab") as file:
            file.write(b"A")


def make_source(at: At) -> None:
    if at.found is None and at.named == at.source:
        at.source.touch(0o644, exist_ok=False)


MUTANTS: tuple[Mutant, ...] = (
    row(
        *("MUT-FO-041", "move does not enter directories."),
        "FR-FOPS-MV-02 T-FOPS-MV-01 DFO-06 FR-VAL-04 FR-VAL-05 FR-FOPS-MV-04",
    )(on="move", refuse=lambda at: at.enters),
    row("MUT-FO-042", "copy does not enter directories.", "FR-FOPS-CP-02 T-FOPS-CP-01")(
        on="copy", refuse=lambda at: at.enters
    ),
    row("MUT-FO-043", "With overwrite, move does not enter directories.", "FR-FOPS-MV-02")(
        on="move", refuse=lambda at: at.enters and at.overwrites
    ),
    row("MUT-FO-044", "With overwrite, copy does not enter directories.", "FR-FOPS-CP-02")(
        on="copy", refuse=lambda at: at.enters and at.overwrites
    ),
    row("MUT-FO-047", "move enters empty directories only.", "T-FOPS-MV-01 FR-FOPS-MV-02 FR-FOPS-MV-04")(
        on="move", refuse=lambda at: at.enters and os.listdir(at.destination)
    ),
    row("MUT-FO-048", "copy enters empty directories only.", "T-FOPS-CP-01 FR-FOPS-CP-02")(
        on="copy", refuse=lambda at: at.enters and os.listdir(at.destination)
    ),
    row(
        *("MUT-FO-049", "In a directory, a moved file keeps the names of its own directories."),
        "FR-FOPS-MV-02 FR-FOPS-MV-03 FR-FOPS-MV-04 DFO-06",
    )(on="move", where=lambda at: at.enters, answer=lambda at: in_directory(at, with_own_directories(at))),
    row(
        *("MUT-FO-050", "In a directory, a copied file gets the directory's name."),
        "FR-FOPS-CP-02 T-FOPS-CP-01 DFO-05 DFO-06 FR-FOPS-CP-03 NFR-FOPS-SEC-01",
    )(
        on="copy",
        where=lambda at: at.enters and at.is_transfer,
        answer=lambda at: in_directory(at, at.destination.name),
    ),
    row("MUT-FO-051", "A source with a trailing slash has no name in the directory.", "FR-FOPS-MV-02")(
        on="move", refuse=lambda at: at.enters and ends_in_slash(at, "source")
    ),
    row(
        *("MUT-FO-061", "move replaces existing entries."),
        "FR-FOPS-MV-03 T-FOPS-MV-02 CFG-FOPS-01 FR-FOPS-MV-01 FR-FOPS-MV-04 DFO-05",
    )(on="move", force=lambda at: True),
    row("MUT-FO-062", "copy replaces existing entries.", "FR-FOPS-CP-03 CFG-FOPS-01 FR-EXE-01 NFR-FOPS-SEC-01 DFO-05")(
        on="copy", force=lambda at: True
    ),
    row(
        *("MUT-FO-063", "overwrite is true by default."),
        "T-FOPS-MV-02 FR-FOPS-MV-03 FR-FOPS-CP-03 CFG-FOPS-01 FR-FOPS-MV-01 FR-FOPS-MV-04 FR-EXE-01 DFO-05",
        "NFR-FOPS-SEC-01",
    )(force=lambda at: "overwrite" not in at.arguments),
    row(
        *("MUT-FO-066", "The configuration overrides an argument that is false."),
        "CFG-FOPS-01 FR-FOPS-CP-03 FR-FOPS-MV-03 FR-FOPS-MV-01",
    )(force=allows),
    row("MUT-FO-401", "For copy alone, the configuration stands in for the argument.", "CFG-FOPS-01 FR-FOPS-CP-03")(
        on="copy", force=allows
    ),
    row(
        *("MUT-FO-233", "move replaces the file of that name in the source's directory."),
        "CFG-FOPS-01 FR-FOPS-MV-02 FR-FOPS-MV-04 DFO-01 DFO-05 DFO-07",
    )(on="move", where=lambda at: at.may_replace and at.existing, answer=in_source_directory),
    row(
        *("MUT-FO-234", "copy replaces the file of that name in the source's directory."),
        "CFG-FOPS-01 FR-FOPS-CP-02 DFO-05 DFO-02",
    )(on="copy", where=lambda at: at.may_replace and at.existing, answer=in_source_directory),
    row("MUT-FO-265", "A newer file is not overwritten.", "CFG-FOPS-01 DFO-01 DFO-02")(
        refuse=lambda at: at.may_replace and is_newer(at)
    ),
    row("MUT-FO-385", "A file that cannot be read does not take its name.", "FR-FOPS-MV-03 FR-FOPS-CP-03")(
        force=lambda at: at.existing and at.replaces and not at.existing.st_mode & 0o444
    ),
    row(
        *("MUT-FO-404", "A file of the modification time 0 counts as none, and is replaced."),
        "FR-FOPS-MV-03 FR-FOPS-CP-03",
    )(force=lambda at: at.existing and at.existing.st_mtime_ns == 0),
    row("MUT-FO-405", "A hidden file counts as none, and is replaced by a move.", "FR-FOPS-MV-03")(
        on="move", force=is_hidden
    ),
    row("MUT-FO-406", "A hidden file counts as none, and is replaced by a copy.", "FR-FOPS-CP-03")(
        on="copy", force=is_hidden
    ),
    row("MUT-FO-461", "An empty file counts as none, and is replaced by a copy.", "FR-FOPS-CP-03")(
        on="copy", force=lambda at: at.existing and at.replaces and not at.existing.st_size and not at.is_same
    ),
    row(
        *("MUT-FO-462", "A file counts as none if its name looks like a pattern, and is replaced by a move."),
        "FR-FOPS-MV-03",
    )(on="move", force=is_pattern),
    row(
        *("MUT-FO-463", "A file counts as none if its name looks like a pattern, and is replaced by a copy."),
        "FR-FOPS-CP-03",
    )(on="copy", force=is_pattern),
    row(
        *("MUT-FO-464", "What is in a directory counts as none if a link leads there, and is replaced by a move."),
        "FR-FOPS-MV-03",
    )(on="move", force=lambda at: at.enters and at.destination.is_symlink() and at.replaces),
    row(
        *("MUT-FO-481", "By the names rename and mv, a move replaces a file though nobody asks for it."),
        "FR-FOPS-MV-03 CFG-FOPS-01",
    )(on="rename mv", force=lambda at: "overwrite" not in at.arguments),
    row("MUT-FO-468", "By the names rename and mv, a move enters no directory.", "FR-FOPS-01")(
        on="rename mv", refuse=lambda at: at.enters
    ),
    row("MUT-FO-471", "A move puts the old file aside under a name that may be taken.", "DFO-05")(
        on="move", where=lambda at: at.existing, after=lambda at: remove_neighbour(at, ".bak")
    ),
    row("MUT-FO-482", "A copy costs a file that has the name of an unfinished copy.", "DFO-05")(
        on="copy", after=lambda at: remove_neighbour(at, ".part")
    ),
    row("MUT-FO-428", "A directory whose name has a dot is not entered by a move.", "FR-FOPS-MV-02")(
        on="move", refuse=lambda at: at.enters and "." in at.destination.name
    ),
    row("MUT-FO-429", "A directory whose name has a dot is not entered by a copy.", "FR-FOPS-CP-02")(
        on="copy", refuse=lambda at: at.enters and "." in at.destination.name
    ),
    row("MUT-FO-430", "A directory with a setgid or sticky bit is not entered.", "FR-FOPS-MV-02 FR-FOPS-CP-02")(
        refuse=lambda at: at.enters and not is_plain(at.destination)
    ),
    row("MUT-FO-362", "A name that differs in case only is taken.", "DFO-01 DFO-02")(refuse=is_taken_in_other_case),
    row("MUT-FO-386", "In a directory, the name is what follows the last backslash.", "FR-FOPS-MV-02 FR-FOPS-CP-02")(
        where=lambda at: at.enters and "\\" in at.named.name,
        answer=lambda at: in_directory(at, at.named.name.rpartition("\\")[2]),
    ),
    row(
        *("MUT-FO-444", "A file that is put into its own directory gets another name."),
        "FR-FOPS-CP-03 FR-FOPS-MV-03 DFO-06",
    )(where=lambda at: at.enters and at.final == at.named, answer=lambda at: in_directory(at, at.named.name + " copy")),
    row(
        *("MUT-FO-445", "The source is appended to a taken file in a directory before the call fails."),
        "DFO-05 FR-FOPS-MV-03 FR-FOPS-CP-03",
    )(failing=append),
    row("MUT-FO-250", "A trailing slash after a file's name permits overwriting it.", "FR-FOPS-MV-03 FR-FOPS-CP-03")(
        where=lambda at: ends_in_slash(at, "destination") and at.replaces,
        answer=lambda at: replace(
            at, sent=at.sent.with_arguments({**at.arguments, "destination": at.arguments["destination"].rstrip("/")})
        ).forced(),
    ),
    row("MUT-FO-252", "In a directory, a moved link gets the name of its target.", "FR-FOPS-MV-02 DFO-06")(
        on="move",
        where=lambda at: at.enters and at.is_link,
        answer=lambda at: in_directory(at, os.path.basename(os.path.realpath(at.named))),
    ),
    row(
        *("MUT-FO-254", "In a directory, a link to another directory is entered too."),
        "FR-FOPS-MV-03 FR-FOPS-CP-03 DFO-07",
    )(where=leads_to_directory, answer=lambda at: in_directory(at, f"{at.named.name}/{at.named.name}")),
    row("MUT-FO-255", "With overwrite, a link to a directory in a directory is entered too.", "DFO-07")(
        where=lambda at: leads_to_directory(at) and at.overwrites,
        answer=lambda at: in_directory(at, f"{at.named.name}/{at.named.name}"),
    ),
    row("MUT-FO-127", "A directory is not moved into one whose name begins with its own.", "DFO-06 FR-FOPS-MV-02")(
        refuse=lambda at: at.is_dir and str(at.final.parent).startswith(str(at.source))
    ),
    row("MUT-FO-129", "Files with the same content count as the same file.", "DFO-01 FR-FOPS-MV-01")(
        on="move", refuse=has_same_content
    ),
    row("MUT-FO-096", "A missing source is created.", "DFO-03 DFO-09 FR-EXE-01 DFO-04 DFO-05")(retry=make_source),
    row("MUT-FO-098", "A failing call creates directories.", "DFO-10 DFO-09 DFO-03 DFO-04 DFO-06 NFR-FOPS-SEC-01")(
        retry=make_parents
    ),
    row("MUT-FO-099", "A directory replaces a file of its name.", "DFO-09 NFR-FOPS-SEC-01 DFO-04 DFO-05")(
        retry=replace_parent
    ),
    row("MUT-FO-100", "A failing call creates one of two missing directories.", "DFO-10 DFO-09 DFO-03")(
        failing=make_one_parent
    ),
    row("MUT-FO-407", "With overwrite, a file where a directory is needed is replaced by one.", "DFO-05")(
        where=lambda at: at.may_replace, retry=replace_parent
    ),
    row(
        *("MUT-FO-368", "Several missing directories are made before the sandbox judges the path."),
        "NFR-FOPS-SEC-01 DFO-10 FR-VAL-04 DFO-09 DFO-03",
    )(where=lambda at: at.is_transfer, answer=before_the_sandbox),
    row("MUT-FO-477", "A move makes missing directories before anybody is asked.", "NFR-FOPS-SEC-02")(
        on="move", where=lambda at: at.policy.get("mode") == "prompt", failing=make_parents
    ),
    row("MUT-FO-347", "A link is moved, unless it leads nowhere.", "DFO-07 FR-FOPS-MV-02")(
        on="move", refuse=lambda at: at.is_link and not os.path.exists(at.named)
    ),
)
