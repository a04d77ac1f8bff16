"""Mutants: another place is walked than the start, outside the sandbox or inside."""

import glob
import os
from collections.abc import Callable
from pathlib import Path

from treeproof.api import CallResult
from treeproof.rows.fs_walkdir.row import is_clean, names_in, path_of, real, real_start, start_of
from treeproof.rows.shared.row import Sent

from ..shared.changed_paths import CHANGES_AFTER_THE_CHECK
from ..shared.mutant import Mutant
from .rows import row

OUT, LINKS = "WD-SEC-01 WD-SEC-02", "WD-SEC-02"


def is_inside_in_any_case(sent: Sent) -> bool:
    root = os.path.realpath(sent.root).lower()
    return not path_of(sent).startswith("/") and f"{real_start(sent)}/".lower().startswith(f"{root}/")


def unconfined(sent: Sent) -> CallResult:
    """Return the answer for the same place in a sandbox that holds everything."""
    return sent.answer_at("/", {"path": str(start_of(sent)).lstrip("/") or "."})


def way_out(change: Callable[[str], str]) -> Callable[[Sent], str | None]:
    """Return the choice of where a path leads once it is changed, if that makes a way out of it."""

    def choose(sent: Sent) -> str | None:
        before, after = path_of(sent), change(path_of(sent))
        is_way_out = [path.startswith("/") or ".." in path.split("/") for path in (before, after)]
        return real(sent.root / after) if is_way_out == [False, True] else None

    return choose


def has_inner_dots(sent: Sent) -> bool:
    return ".." in path_of(sent).split("/")[1:]


def with_dots(sent: Sent) -> str:
    """Return where the path leads on the disk, where two dots lead above what a link leads to."""
    return real(sent.root / path_of(sent))


def first_hop(sent: Sent) -> str | None:
    """Return where a start leads that is a link to a link of the sandbox."""
    link = start_of(sent)
    target = os.path.normpath(link.parent / os.readlink(link)) if os.path.islink(link) else ""
    return real(target) if os.path.islink(target) and target.startswith(f"{sent.root}/") else None


def in_another_case(sent: Sent) -> Path | None:
    start = start_of(sent)
    alike = (name for name in names_in(start.parent) if name.lower() == start.name.lower())
    return next((start.parent / name for name in alike), None)


def first_match(sent: Sent) -> Path | None:
    """Return what the path leads to as a glob."""
    path = path_of(sent)
    found = sorted(glob.glob(path, root_dir=sent.root)) if glob.has_magic(path) else []
    return sent.root / found[0] if found else None


MUTANTS: tuple[Mutant, ...] = (
    *(
        row(f"MUT-WD-{number}", f"{what} after the check.", "WD-SEC-01")(place=way_out(change))
        for number, (what, change) in enumerate(CHANGES_AFTER_THE_CHECK, 233)
    ),
    row("MUT-WD-088", "There is no sandbox.", OUT)(on="out", answer=unconfined),
    row("MUT-WD-089", "A path that begins with the sandbox's text is inside.", OUT)(
        on="out", where=lambda sent: real_start(sent).startswith(real(sent.root)), answer=unconfined
    ),
    row("MUT-WD-092", "Absolute paths outside are accepted.", OUT)(
        where=lambda sent: path_of(sent).startswith("/"), answer=unconfined
    ),
    row("MUT-WD-152", "A path that differs in case only from the sandbox's is inside.", OUT)(
        on="out", where=is_inside_in_any_case, answer=unconfined
    ),
    row("MUT-WD-153", "Targets of links are checked case-insensitively.", LINKS)(
        on="out", where=lambda sent: is_clean(sent) and is_inside_in_any_case(sent), answer=unconfined
    ),
    row("MUT-WD-090", "Only the text of a path is checked.", LINKS)(on="out", where=is_clean, answer=unconfined),
    row("MUT-WD-091", "Links before the last component are not checked.", LINKS)(
        on="out", where=lambda sent: is_clean(sent) and not os.path.islink(start_of(sent)), answer=unconfined
    ),
    row("MUT-WD-249", "Of a start that is a link the first hop is checked.", LINKS)(on="out", place=first_hop),
    row("MUT-WD-250", "What lies below a neighbour whose name begins alike is inside.", LINKS)(
        on="out",
        where=lambda sent: str(start_of(sent).parent).startswith(str(sent.root)) and not is_clean(sent),
        place=start_of,
    ),
    row("MUT-WD-188", "A path is checked without its two dots and walked with them.", LINKS)(
        on="walk", where=lambda sent: has_inner_dots(sent) and start_of(sent) != sent.root, place=with_dots
    ),
    row("MUT-WD-189", "A path whose text leads back to the sandbox is walked without a check.", LINKS)(
        on="walk", where=lambda sent: has_inner_dots(sent) and start_of(sent) == sent.root, place=with_dots
    ),
    row("MUT-WD-179", "A link with a slash behind it as start gives the list of its own directory.", "WD-WALK-04")(
        on="walk",
        where=lambda sent: path_of(sent).endswith(("/", "/.")) and os.path.islink(start_of(sent)),
        place=lambda sent: start_of(sent).parent,
    ),
    row("MUT-WD-202", "A path with signs of a glob is one.", "WD-ARG-04")(on="missing walk file", place=first_match),
    row("MUT-WD-260", "A missing start is a glob.", "WD-ERR-03")(on="missing", place=first_match),
    row("MUT-WD-195", "A start that is missing is found under a name in another case.", "WD-ERR-03")(
        on="missing", place=in_another_case
    ),
    row("MUT-WD-259", "A missing start is looked up without line breaks behind it.", "WD-ERR-03")(
        on="missing", start=lambda path: path.rstrip("\n")
    ),
    row("MUT-WD-261", "A start that permissions keep out of reach is replaced by the directory above it.", "WD-ERR-04")(
        on="denied", start=os.path.dirname
    ),
)
