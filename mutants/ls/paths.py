"""Mutants: errors in the resolution of paths and in the sandbox check."""

import glob
import os
import re
from collections.abc import Callable
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.ls.project import Project
from treeproof.rows.ls.answer import OUTSIDE, Answer, Refusal
from treeproof.rows.ls.row import text

from ..shared.changed_paths import CHANGES_AFTER_THE_CHECK
from ..shared.mutant import Mutant
from .builders import build_mutant
from .entries import MARKS
from .rows import list_row, row

RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
LOOP: Refusal = ("INTERNAL_ERROR", "Failed to list directory - Too many levels of symbolic links")
NO_LINKS = "LS-ERR-02 LS-ENV-09 LS-ERR-03 LS-DATA-03 LS-ERR-01 LS-ARG-08"


def outside(condition: Callable[[Answer], Any]) -> Callable[[Answer], Refusal | None]:
    """Return the refusal of more paths as outside."""
    return lambda at: OUTSIDE if condition(at) else None


def missing(at: Answer) -> Refusal:
    return "NOT_FOUND", f"Path '{at.given_path}' does not exist."


def trusted(condition: Callable[[Answer], Any]) -> Callable[[Answer], bytes | None]:
    """Return the places outside that are listed."""
    return lambda at: at.folder if at.kind == "outside" and condition(at) else None


def later(change: Callable[[str], str]) -> Callable[[Answer], bytes | None]:
    """Return the place of a path that is changed after it was checked, if that makes a way out of it."""

    def place(at: Answer) -> bytes | None:
        given, changed = at.given_path, change(at.given_path)
        is_way_out = ".." in changed.split("/") or changed.startswith("/")
        if at.kind == "arguments" or not is_way_out or given.startswith("/") or ".." in given.split("/"):
            return None
        found = at.place_of(changed)
        return found if os.path.isdir(found) else None

    return place


def is_absolute(at: Answer) -> bool:
    return at.given_path.startswith("/")


def first_name(at: Answer) -> None:
    if at.given_path == "*" and (names := os.listdir(at.working_dir)):
        at.request(path=os.fsdecode(min(names)))


def first_match(at: Answer) -> None:
    """List the first path that one with signs of a glob matches."""
    found = glob.glob(at.given_path, root_dir=os.fsdecode(at.working_dir)) if at.is_about_a_place else []
    if "[" in at.given_path and found:
        at.request(path=min(found))


def root_in_any_case(at: Answer) -> None:
    place, length = at.folder, len(at.root)
    if at.kind == "outside" and place[:length].lower() == at.root.lower():
        at.request(path=os.fsdecode(at.root + place[length:]))


def passes_link(at: Answer) -> Refusal | None:
    """Return the failure of a path inside that has a link in its text."""
    place = os.path.normpath(os.path.join(at.working_dir, os.fsencode(at.given_path)))
    names = os.path.relpath(place, at.root).split(b"/")
    has_link = any(os.path.islink(os.path.join(at.root, *names[: length + 1])) for length in range(len(names)))
    return LOOP if at.is_inside(place) and has_link else None


def ends_in_link(at: Answer) -> Refusal | None:
    place = os.path.join(at.working_dir, os.fsencode(at.given_path)).rstrip(b"/")
    is_link = os.path.islink(place) and at.is_inside(os.path.realpath(os.path.dirname(place)))
    return LOOP if is_link else None


class FromTheProcess(Project):
    def real_path(self, path: str) -> bytes:
        resolved = os.path.realpath(path.encode())
        return resolved if self.components_below_root(resolved) else super().real_path(path)


MUTANTS: tuple[Mutant, ...] = (
    *(
        row(f"MUT-LS-{number}", f"{what} after the check.", "LS-SEC-01", escape=later(change))
        for number, (what, change) in enumerate(CHANGES_AFTER_THE_CHECK, 384)
    ),
    row(
        *("MUT-LS-217", "A path is expanded as by a shell.", "LS-SEC-02"),
        path=text(lambda given: os.path.expandvars(os.path.expanduser(given))),
    ),
    # The directory of the candidate's process is unknown to its caller.
    build_mutant(
        *("MUT-LS-221", "Relative paths start in the process's directory if that leads inside.", "LS-SEC-02"),
        project=FromTheProcess,
    ),
    row(
        *("MUT-LS-223", "A path above the working directory is refused.", "LS-SEC-02 LS-ENV-07 LS-SEC-03"),
        error=outside(lambda at: not f"{os.fsdecode(at.folder)}/".startswith(f"{os.fsdecode(at.working_dir)}/")),
    ),
    row(
        *("MUT-LS-224", "An absolute path is always refused.", "LS-SEC-03 LS-ENV-09 LS-DATA-03 LS-ENV-08"),
        error=outside(is_absolute),
    ),
    row(
        *("MUT-LS-225", "An absolute path starts at the working directory."),
        "LS-SEC-03 LS-ENV-09 LS-DATA-03 LS-SEC-01 LS-SEC-04 LS-SEC-05 LS-SEC-06 LS-ERR-02",
        path=text(lambda given: f"./{given.lstrip('/')}" if given.startswith("/") else given),
    ),
    row(
        *("MUT-LS-226", "An absolute path must begin with the root's text.", "LS-SEC-03"),
        error=outside(lambda at: is_absolute(at) and not at.given_path.startswith(at.root_text)),
    ),
    row(
        *("MUT-LS-227", "The absolute path of the root is refused.", "LS-SEC-03"),
        error=outside(lambda at: is_absolute(at) and at.folder == at.root),
    ),
    row(
        "MUT-LS-228",
        "Paths are checked by text, without resolution of links.",
        "LS-SEC-04 LS-FILT-05 LS-ERR-02 "
        "LS-ENV-07 LS-ENV-09 LS-SORT-03 LS-ERR-03 LS-SEC-03 LS-DATA-03 LS-ERR-01 LS-ARG-08",
        path=text(os.path.normpath),
        error=passes_link,
    ),
    row(
        *("MUT-LS-229", "The last link of a path is not resolved before the check.", "LS-SEC-04 LS-FILT-05", NO_LINKS),
        error=ends_in_link,
    ),
    row(
        *("MUT-LS-231", "A root reached through a link contains nothing.", "LS-SEC-04 LS-SEC-03 LS-ENV-07 LS-SORT-03"),
        error=OUTSIDE,
        every={"context.cwd": lambda at: os.fsdecode(at.working_dir)},
        only=lambda at: os.fsencode(at.root_text) != at.root,
    ),
    list_row(
        "MUT-LS-232",
        "A path that begins with the root's text is inside.",
        "LS-SEC-05 LS-SEC-07 LS-SEC-01 LS-SEC-04",
        escape=trusted(lambda at: at.folder.startswith(at.root)),
        first=lambda entry: (
            entry.sorts_first or (entry.real.startswith(entry.listing.root) and os.path.isdir(entry.real))
        ),
    ),
    row(
        *("MUT-LS-233", "A missing path outside is reported as missing.", "LS-SEC-06"),
        error=lambda at: missing(at) if at.kind == "outside" and not os.path.lexists(at.folder) else None,
    ),
    row(
        *("MUT-LS-450", "A missing path outside is a failure of the system.", "LS-SEC-06 LS-SEC-04"),
        error=lambda at: (
            ("INTERNAL_ERROR", "Failed to list directory - No such file or directory")
            if at.kind == "outside" and not os.path.lexists(at.folder)
            else None
        ),
    ),
    row(
        *("MUT-LS-234", "A file outside is reported as a file.", "LS-SEC-06 LS-SEC-04 LS-SEC-01"),
        error=lambda at: (
            ("INVALID_PARAM", f"'{at.given_path}' is a file, not a directory.")
            if at.kind == "outside" and os.path.isfile(at.folder)
            else None
        ),
    ),
    row(
        *("MUT-LS-235", "An absolute path is not checked.", "LS-SEC-01 LS-SEC-04 LS-SEC-05 LS-SEC-06 LS-ERR-02"),
        escape=trusted(is_absolute),
    ),
    row(
        *("MUT-LS-236", "The parent of the root counts as the root."),
        "LS-SEC-01 LS-ERR-02 LS-SEC-04 LS-ENV-01 LS-ENV-03 LS-ENV-04 LS-ENV-07 LS-ERR-07",
        change=lambda at: at.request(path=at.root_text) if at.folder == os.path.dirname(at.root) else None,
    ),
    row("MUT-LS-237", "An asterisk is expanded to a name.", "LS-SEC-02", change=first_name),
    row("MUT-LS-238", "Percent escapes in the path are decoded.", "LS-SEC-02", path=text(unquote)),
    row(
        *("MUT-LS-239", "A path that begins with a dash is read as an option.", "LS-SEC-02"),
        path=text(lambda given: "." if given.startswith("-") else given),
    ),
    row("MUT-LS-313", "The sandbox check is case-insensitive.", "LS-SEC-05", change=root_in_any_case),
    list_row(
        *("MUT-LS-314", "A name that begins with two dots counts as a path with `..`."),
        "LS-SEC-05 LS-SORT-03 LS-ERR-01",
        error=outside(lambda at: at.below_root(at.folder).startswith("..")),
        first=lambda entry: (
            entry.sorts_first and not (entry.is_link and entry.listing.below_root(entry.real).startswith(".."))
        ),
    ),
    row(
        *("MUT-LS-316", "A path is interpreted as on Windows.", "LS-SEC-02 LS-FILT-10 LS-ERR-01"),
        path=text(lambda given: re.sub(r"(?<=[^./])\.+$", "", given.replace("\\", "/"))),
    ),
    row(
        *("MUT-LS-317", "A path is normalised before it is resolved.", "LS-SEC-02"),
        path=text(lambda given: normalize("NFC", given.rstrip("\n").strip('"').replace("+", " "))),
    ),
    row(
        *("MUT-LS-421", "What lies below ROOT lies below root.", "LS-SEC-05"),
        escape=trusted(lambda at: at.folder.lower().startswith(at.root.lower() + b"/")),
    ),
    row(
        *("MUT-LS-442", "A link out is followed with a slash behind it.", "LS-SEC-04"),
        escape=trusted(
            lambda at: (
                at.given_path.endswith("/") and os.path.islink(os.path.join(at.sent.root, at.given_path.rstrip("/")))
            )
        ),
    ),
    row(
        *("MUT-LS-452", "A directory with signs of a glob in its path is empty.", "LS-DATA-06 LS-SEC-02"),
        change=lambda at: at.relist([]) if at.is_about_a_place and glob.has_magic(at.path) else None,
    ),
    row(
        *("MUT-LS-364", "Of a path with more than eight components the first eight are used.", "LS-SEC-02"),
        path=text(lambda given: given if given[:1] == "/" or "." in given else "/".join(given.split("/")[:8])),
    ),
    row(
        *("MUT-LS-365", "Names that Windows keeps are refused.", "LS-SEC-02"),
        error=lambda at: missing(at) if any(map(RESERVED.fullmatch, at.given_path.split("/"))) else None,
    ),
    row("MUT-LS-366", "A path with signs of a glob is one.", "LS-SEC-02", change=first_match),
    row(
        *("MUT-LS-367", "A tilde before a name of the path is removed.", "LS-SEC-02"),
        path=text(lambda given: re.sub(r"(^|/)~(?=[^/])", r"\1", given)),
    ),
    row(
        *("MUT-LS-368", "Blanks in a row become one in the path.", "LS-SEC-02"),
        path=text(lambda given: re.sub(" +", " ", given)),
    ),
    row(
        *("MUT-LS-369", "Marks that show nothing are removed from the path.", "LS-SEC-02"),
        path=text(lambda given: MARKS.sub("", given)),
    ),
    row(
        *("MUT-LS-370", "Control characters are removed from the path.", "LS-SEC-02"),
        path=text(lambda given: re.sub(r"[\x01-\x09\x0b-\x1f\x7f]", "", given)),
    ),
    row(
        *("MUT-LS-371", "Single quotes around the path are removed.", "LS-SEC-02"),
        path=text(lambda given: re.sub("^'(.*)'$", r"\1", given)),
    ),
    row(
        *("MUT-LS-372", "A path ends at a hash, or at a semicolon.", "LS-SEC-02"),
        path=text(lambda given: re.split("[#;]", given)[0]),
    ),
    row(
        *("MUT-LS-373", "A percent sign before 2f is an escape.", "LS-SEC-02"),
        path=text(lambda given: given.replace("%2f", "/")),
    ),
    row(
        *("MUT-LS-393", "A path ends at a colon before a number.", "LS-SEC-02"),
        path=text(lambda given: re.sub(r":\d+$", "", given)),
    ),
)
