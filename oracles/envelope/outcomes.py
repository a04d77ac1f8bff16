"""What a call on a recipe comes to by one way of reading: a listing, or an error with its codes."""

from __future__ import annotations

from dataclasses import dataclass

from treeproof.search.model import Case, Unmodelled
from treeproof.tree import Kind, Node, Tree

from .asking import Wish, Wrong, asked
from .globs import meets
from .places import End, Ground, Spot, ends_past_a_file, leads_to_a_directory_inside, readable
from .readings import Run

DEFAULT_NAMES = (
    *("node_modules", "__pycache__", "target", "build", "dist", "venv"),
    *(".git", ".hg", ".svn", ".idea", ".vscode", ".DS_Store", ".venv"),
)
ALL_CODES = ("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR")


@dataclass(frozen=True)
class Error:
    """An error: the codes that are right, and who says so. `messages`: those that are right; empty where any is."""

    codes: tuple[str, ...]
    requirement: str
    why: str
    cwd: str
    messages: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """An entry that is due. `first`: it belongs among the directories. `why`: the link rule that its place shows."""

    name: str
    path: str
    type: str
    first: bool
    is_link_out: bool = False


@dataclass(frozen=True)
class Listing:
    """A listing that is due. `left_out`: names that must not be there, each with the requirement that says so."""

    wish: Wish
    cwd: str
    resolved: tuple[str, ...]
    heading: str
    items: tuple[Item, ...]
    left_out: dict[str, str]
    truncated: bool
    hint: bool
    bare: bool
    by_link: bool
    plain: bool

    @property
    def page(self) -> tuple[Item, ...]:
        return self.items[self.wish.offset :][: self.wish.limit]

    @property
    def end(self) -> int:
        return min(len(self.items), self.wish.offset + self.wish.limit)

    def counted(self, type: str) -> int:
        return len([item for item in self.items if item.type == type])


def outcome(case: Case, beside: Tree, run: Run) -> Listing | Error:
    """What the call comes to. Raises Unmodelled."""
    if case.context.keys() - {"working_dir", "allow_absolute"}:
        raise Unmodelled("the context holds more than a working directory")
    ground = Ground(case.tree, beside)
    start = _working_dir(ground, case.context.get("working_dir", "$ROOT"))
    cwd = _shown(start[1:])
    wish = asked(case.arguments, run)
    if isinstance(wish, Wrong):
        path = case.arguments.get("path", ".") if isinstance(case.arguments, dict) else "."
        codes = wish.codes
        if isinstance(path, str) and "\0" not in path:
            at = _refused(ground, start, path, cwd, run)
            if at is not None and run.reads("33") == "b":
                codes = at.codes
        return Error(codes, wish.requirement, wish.why, cwd, others=("LS-ERR-05",))
    refused = _refused(ground, start, wish.path, cwd, run)
    return refused if refused is not None else _listing(ground, start, wish, cwd, run)


def _working_dir(ground: Ground, text: str) -> Spot:
    end = ground.walk((), text.encode())
    if not (end.is_inside and end.is_directory and not end.by_link):
        raise Unmodelled("the working directory is no plain directory inside")
    return end.spot


def _shown(names: Spot) -> str:
    return b"/".join(names).decode() or "."


def _end(ground: Ground, start: Spot, path: str, run: Run) -> End:
    """Where a path ends: followed step by step, or by another reading cleaned as a text before."""
    end = ground.walk(start, path.encode())
    if not end.by_link or ".." not in path.split("/"):
        return end
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] not in ("..", "$ROOT", "$OUTSIDE", ""):
            kept.pop()
        elif part not in (".", "") or not kept:
            kept.append(part)
    cleaned = ground.walk(start, "/".join(kept).encode() or b".")
    same = (cleaned.spot, cleaned.exists, cleaned.loops) == (end.spot, end.exists, end.loops)
    return end if same or run.reads("61") == "a" else cleaned


def _refused(ground: Ground, start: Spot, path: str, cwd: str, run: Run) -> Error | None:
    """Why a path cannot be listed, if it cannot."""
    end = _end(ground, start, path, run)
    if end.loops:
        return Error(ALL_CODES, "LS-ARG-08", "the links go round in circles", cwd)
    if (end.back and run.reads("55") == "b") or (end.back_from_file and run.reads("60") == "b"):
        codes = ("NOT_FOUND", "INVALID_PARAM", *(["ACCESS_DENIED"] if end.left else []))
        return Error(codes, "LS-ENV-09", "the way goes back from something that is no directory", cwd)
    if not end.is_inside:
        return _outside(end, path, cwd, run)
    given = _spellings(path, end, run)
    if end.barred or (end.is_directory and not readable(end.node)):
        said = tuple(f"Permission denied accessing '{one}'." for one in given)
        return Error(("ACCESS_DENIED",), "LS-ERR-04", "the directory may not be read", cwd, said)
    if end.is_directory:
        return None
    missing = tuple(f"Path '{one}' does not exist." for one in given)
    if end.over_file or ends_past_a_file(path, end, run):
        if run.reads("41") == "a":
            return Error(("NOT_FOUND",), "LS-ERR-01", "nothing can be below a file", cwd, missing)
        return Error(("INVALID_PARAM",), "LS-ERR-01", "nothing can be below a file", cwd)
    if end.exists:
        tail = "is a file, not a directory. Use 'Read' tool to view its content."
        said = tuple(f"'{one}' {tail}" for one in given)
        return Error(("INVALID_PARAM",), "LS-ERR-03", "it is no directory", cwd, said)
    return Error(("NOT_FOUND",), "LS-ERR-01", "nothing is there", cwd, missing)


def _outside(end: End, path: str, cwd: str, run: Run) -> Error:
    message = "Access denied. Path must be within the project root."
    blame = "LS-SEC-04" if end.by_link else "LS-SEC-01"
    if end.by_link and not end.exists and run.reads("58") == "b":
        return Error(("NOT_FOUND",), blame, "the path leads to nothing outside", cwd)
    said = (message,) if run.reads("15") == "exact" else ()
    others = ("LS-SEC-05", "LS-SEC-06", "LS-ERR-02")
    return Error(("ACCESS_DENIED",), blame, "the path leads outside", cwd, said, others)


def _spellings(path: str, end: End, run: Run) -> tuple[str, ...]:
    """How a message may call the path; nothing where messages are advice."""
    if run.reads("15") != "exact":
        return ()
    resolved = _shown(end.below)
    if path == resolved or run.reads("52") == "a":
        return (path,)
    return () if end.by_link else (resolved,)  # behind a link there are several


def _listing(ground: Ground, start: Spot, wish: Wish, cwd: str, run: Run) -> Listing:
    end = _end(ground, start, wish.path, run)
    base = (*_text_base(start, wish.path),) if end.by_link and run.reads("21") == "b" else end.below
    items: list[Item] = []
    left_out: dict[str, str] = {}
    for node in ground.entries(end.spot) or ():
        name = node.name.decode()
        why = _why_left_out(ground, end, node, wish, run, base)
        if why is not None:
            left_out[name] = why
            continue
        link = node.kind is Kind.SYMLINK
        first = node.kind is Kind.DIR or (link and leads_to_a_directory_inside(ground, end.spot, node))
        kind = "link" if link else "dir" if node.kind is Kind.DIR else "file"
        items.append(Item(name, _shown((*base, node.name)), kind, first, link and _leaves(ground, end, node)))
    items.sort(key=lambda item: (0 if item.first else 1, item.name.lower()))
    if len({item.name.lower() for item in items}) < len(items):
        raise Unmodelled("names that differ in case only")
    resolved = _shown(end.below)
    heading = resolved
    if wish.path != resolved and run.reads("04") == "b":
        heading = wish.path
    cut = wish.offset + wish.limit < len(items)
    truncated = cut
    if not cut and wish.offset > 0:
        passage = "02" if wish.offset >= len(items) else "01"
        truncated = run.reads(passage) == "b"
    return Listing(
        wish=wish,
        cwd=cwd,
        resolved=(resolved, _shown(tuple(base))),
        heading=heading,
        items=tuple(items),
        left_out=left_out,
        truncated=truncated,
        hint=cut,
        bare=base != () and bool(items) and run.reads("05") == "b",
        by_link=end.by_link,
        plain=wish.path == resolved,
    )


def _text_base(start: Spot, path: str) -> Spot:
    """The names of a path from the root on, links unfollowed. Raises Unmodelled where it goes back or away."""
    if path.startswith(("/", "$")) or ".." in path.split("/"):
        raise Unmodelled("a link and a way back in one path")
    return (*start[1:], *(part.encode() for part in path.split("/") if part not in ("", ".")))


def _leaves(ground: Ground, end: End, link: Node) -> bool:
    return not ground.walk(end.spot, link.target or b"").is_inside


def _why_left_out(
    ground: Ground, end: End, node: Node, wish: Wish, run: Run, base: tuple[bytes, ...]
) -> str | None:
    """The requirement by which an entry is not listed; None for one that is."""
    name = node.name.decode()
    if node.kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV) and run.reads("22") == "b":
        return "LS-DATA-05"
    if not wish.hidden:
        if name[0] == ".":
            return "LS-FILT-01"
        if _is_default_name(name, run) and _is_meant(ground, end, node, run):
            return "LS-FILT-02"
    below = end.below
    if end.by_link and any("/" in pattern for pattern in wish.patterns) and run.reads("56") == "b":
        below = base
    path = _shown((*below, node.name))
    for pattern in wish.patterns:
        if meets(pattern, name, path, run):
            zero = pattern.startswith("**/")
            return "LS-FILT-06" if zero else "LS-FILT-05" if "/" in pattern else "LS-FILT-04"
    return None


def _is_default_name(name: str, run: Run) -> bool:
    if name in DEFAULT_NAMES:
        return True
    return name.lower() in DEFAULT_NAMES and run.reads("07") == "b"


def _is_meant(ground: Ground, end: End, node: Node, run: Run) -> bool:
    """Whether a default name leaves out an entry of this kind."""
    if node.kind is Kind.DIR:
        return True
    if node.kind is Kind.SYMLINK:
        label = run.reads("53")
        return label == "c" or (label == "b" and leads_to_a_directory_inside(ground, end.spot, node))
    return run.reads("06") == "b"
