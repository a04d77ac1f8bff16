"""What a call on a recipe comes to by one way of reading: a listing, or an error with its codes."""

from __future__ import annotations

from dataclasses import dataclass

from treeproof.api import Case, Kind, Node, Tree, Unmodelled

from .arguments import InvalidArgument, Request, parse_arguments
from .globs import matches_glob
from .path_resolution import (
    Location,
    ProjectTrees,
    ResolvedPath,
    ends_past_a_file,
    leads_to_a_directory_inside,
    readable,
)
from .reading_choices import ReadingChoices

DEFAULT_NAMES = (
    *("node_modules", "__pycache__", "target", "build", "dist", "venv"),
    *(".git", ".hg", ".svn", ".idea", ".vscode", ".DS_Store", ".venv"),
)
ALL_CODES = ("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR")


@dataclass(frozen=True)
class ExpectedFailure:
    """An error: the codes that are right, and who says so. `messages`: those that are right; empty where any is."""

    codes: tuple[str, ...]
    requirement: str
    reason: str
    cwd: str
    messages: tuple[str, ...] = ()
    other_requirements: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExpectedEntry:
    """An entry that is due. `first`: it belongs among the directories. `why`: the link rule that its place shows."""

    name: str
    path: str
    type: str
    sorts_first: bool
    leads_outside: bool = False


@dataclass(frozen=True)
class ExpectedListing:
    """A listing that is due. `left_out`: names that must not be there, each with the requirement that says so."""

    request: Request
    cwd: str
    resolved_paths: tuple[str, ...]
    heading: str
    entries: tuple[ExpectedEntry, ...]
    excluded: dict[str, str]
    truncated: bool
    has_next_page: bool
    shows_names_only: bool
    through_link: bool
    is_simple_path: bool

    @property
    def page(self) -> tuple[ExpectedEntry, ...]:
        return self.entries[self.request.offset :][: self.request.limit]

    @property
    def page_end(self) -> int:
        return min(len(self.entries), self.request.offset + self.request.limit)

    def count_of(self, type: str) -> int:
        return len([item for item in self.entries if item.type == type])


def expected_outcome(case: Case, beside: Tree, run: ReadingChoices) -> ExpectedListing | ExpectedFailure:
    """What the call comes to. Raises Unmodelled."""
    if case.context.keys() - {"working_dir", "allow_absolute"}:
        raise Unmodelled("the context holds more than a working directory")
    ground = ProjectTrees(case.tree, beside)
    start = _working_dir(ground, case.context.get("working_dir", "$ROOT"))
    cwd = _format_path(start[1:])
    wish = parse_arguments(case.arguments, run)
    if isinstance(wish, InvalidArgument):
        path = case.arguments.get("path", ".") if isinstance(case.arguments, dict) else "."
        codes = wish.codes
        if isinstance(path, str) and "\0" not in path:
            at = _path_failure(ground, start, path, cwd, run)
            if at is not None and run.label("33") == "b":
                codes = at.codes
        return ExpectedFailure(codes, wish.requirement, wish.reason, cwd, other_requirements=("LS-ERR-05",))
    refused = _path_failure(ground, start, wish.path, cwd, run)
    return refused if refused is not None else _listing(ground, start, wish, cwd, run)


def _working_dir(ground: ProjectTrees, text: str) -> Location:
    end = ground.resolve((), text.encode())
    if not (end.is_inside and end.is_directory and not end.through_link):
        raise Unmodelled("the working directory is no plain directory inside")
    return end.location


def _format_path(names: Location) -> str:
    return b"/".join(names).decode() or "."


def _resolve(ground: ProjectTrees, start: Location, path: str, run: ReadingChoices) -> ResolvedPath:
    """Where a path ends: followed step by step, or by another reading cleaned as a text before."""
    end = ground.resolve(start, path.encode())
    if not end.through_link or ".." not in path.split("/"):
        return end
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] not in ("..", "$ROOT", "$OUTSIDE", ""):
            kept.pop()
        elif part not in (".", "") or not kept:
            kept.append(part)
    cleaned = ground.resolve(start, "/".join(kept).encode() or b".")
    same = (cleaned.location, cleaned.exists, cleaned.has_link_loop) == (
        end.location,
        end.exists,
        end.has_link_loop,
    )
    return end if same or run.label("61") == "a" else cleaned


def _path_failure(
    ground: ProjectTrees, start: Location, path: str, cwd: str, run: ReadingChoices
) -> ExpectedFailure | None:
    """Why a path cannot be listed, if it cannot."""
    end = _resolve(ground, start, path, run)
    if end.has_link_loop:
        return ExpectedFailure(ALL_CODES, "LS-ARG-08", "the links go round in circles", cwd)
    if (end.climbs_from_missing and run.label("55") == "b") or (
        end.climbs_from_file and run.label("60") == "b"
    ):
        codes = ("NOT_FOUND", "INVALID_PARAM", *(["ACCESS_DENIED"] if end.left_project else []))
        return ExpectedFailure(
            codes, "LS-ENV-09", "the way goes back from something that is no directory", cwd
        )
    if not end.is_inside:
        return _outside_failure(end, path, cwd, run)
    given = _message_paths(path, end, run)
    if end.is_unsearchable or (end.is_directory and not readable(end.node)):
        said = tuple(f"Permission denied accessing '{one}'." for one in given)
        return ExpectedFailure(("ACCESS_DENIED",), "LS-ERR-04", "the directory may not be read", cwd, said)
    if end.is_directory:
        return None
    missing = tuple(f"Path '{one}' does not exist." for one in given)
    if end.through_file or ends_past_a_file(path, end, run):
        if run.label("41") == "a":
            return ExpectedFailure(("NOT_FOUND",), "LS-ERR-01", "nothing can be below a file", cwd, missing)
        return ExpectedFailure(("INVALID_PARAM",), "LS-ERR-01", "nothing can be below a file", cwd)
    if end.exists:
        tail = "is a file, not a directory. Use 'Read' tool to view its content."
        said = tuple(f"'{one}' {tail}" for one in given)
        return ExpectedFailure(("INVALID_PARAM",), "LS-ERR-03", "it is no directory", cwd, said)
    return ExpectedFailure(("NOT_FOUND",), "LS-ERR-01", "nothing is there", cwd, missing)


def _outside_failure(end: ResolvedPath, path: str, cwd: str, run: ReadingChoices) -> ExpectedFailure:
    message = "Access denied. Path must be within the project root."
    blame = "LS-SEC-04" if end.through_link else "LS-SEC-01"
    if end.through_link and not end.exists and run.label("58") == "b":
        return ExpectedFailure(("NOT_FOUND",), blame, "the path leads to nothing outside", cwd)
    said = (message,) if run.label("15") == "exact" else ()
    others = ("LS-SEC-05", "LS-SEC-06", "LS-ERR-02")
    return ExpectedFailure(("ACCESS_DENIED",), blame, "the path leads outside", cwd, said, others)


def _message_paths(path: str, end: ResolvedPath, run: ReadingChoices) -> tuple[str, ...]:
    """How a message may call the path; nothing where messages are advice."""
    if run.label("15") != "exact":
        return ()
    resolved = _format_path(end.relative)
    if path == resolved or run.label("52") == "a":
        return (path,)
    return () if end.through_link else (resolved,)  # behind a link there are several


def _listing(
    ground: ProjectTrees, start: Location, wish: Request, cwd: str, run: ReadingChoices
) -> ExpectedListing:
    end = _resolve(ground, start, wish.path, run)
    base = (
        (*_textual_base(start, wish.path),) if end.through_link and run.label("21") == "b" else end.relative
    )
    items: list[ExpectedEntry] = []
    left_out: dict[str, str] = {}
    for node in ground.entries(end.location) or ():
        name = node.name.decode()
        why = _exclusion_requirement(ground, end, node, wish, run, base)
        if why is not None:
            left_out[name] = why
            continue
        link = node.kind is Kind.SYMLINK
        first = node.kind is Kind.DIR or (link and leads_to_a_directory_inside(ground, end.location, node))
        kind = "link" if link else "dir" if node.kind is Kind.DIR else "file"
        items.append(
            ExpectedEntry(
                name,
                _format_path((*base, node.name)),
                kind,
                first,
                link and _leads_outside(ground, end, node),
            )
        )
    items.sort(key=lambda item: (0 if item.sorts_first else 1, item.name.lower()))
    if len({item.name.lower() for item in items}) < len(items):
        raise Unmodelled("names that differ in case only")
    resolved = _format_path(end.relative)
    heading = resolved
    if wish.path != resolved and run.label("04") == "b":
        heading = wish.path
    cut = wish.offset + wish.limit < len(items)
    truncated = cut
    if not cut and wish.offset > 0:
        passage = "02" if wish.offset >= len(items) else "01"
        truncated = run.label(passage) == "b"
    return ExpectedListing(
        request=wish,
        cwd=cwd,
        resolved_paths=(resolved, _format_path(tuple(base))),
        heading=heading,
        entries=tuple(items),
        excluded=left_out,
        truncated=truncated,
        has_next_page=cut,
        shows_names_only=base != () and bool(items) and run.label("05") == "b",
        through_link=end.through_link,
        is_simple_path=wish.path == resolved,
    )


def _textual_base(start: Location, path: str) -> Location:
    """The names of a path from the root on, links unfollowed. Raises Unmodelled where it goes back or away."""
    if path.startswith(("/", "$")) or ".." in path.split("/"):
        raise Unmodelled("a link and a way back in one path")
    return (*start[1:], *(part.encode() for part in path.split("/") if part not in ("", ".")))


def _leads_outside(ground: ProjectTrees, end: ResolvedPath, link: Node) -> bool:
    return not ground.resolve(end.location, link.target or b"").is_inside


def _exclusion_requirement(
    ground: ProjectTrees,
    end: ResolvedPath,
    node: Node,
    wish: Request,
    run: ReadingChoices,
    base: tuple[bytes, ...],
) -> str | None:
    """The requirement by which an entry is not listed; None for one that is."""
    name = node.name.decode()
    if node.kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV) and run.label("22") == "b":
        return "LS-DATA-05"
    if not wish.hidden:
        if name[0] == ".":
            return "LS-FILT-01"
        if _is_default_name(name, run) and _default_name_applies(ground, end, node, run):
            return "LS-FILT-02"
    below = end.relative
    if end.through_link and any("/" in pattern for pattern in wish.patterns) and run.label("56") == "b":
        below = base
    path = _format_path((*below, node.name))
    for pattern in wish.patterns:
        if matches_glob(pattern, name, path, run):
            zero = pattern.startswith("**/")
            return "LS-FILT-06" if zero else "LS-FILT-05" if "/" in pattern else "LS-FILT-04"
    return None


def _is_default_name(name: str, run: ReadingChoices) -> bool:
    if name in DEFAULT_NAMES:
        return True
    return name.lower() in DEFAULT_NAMES and run.label("07") == "b"


def _default_name_applies(ground: ProjectTrees, end: ResolvedPath, node: Node, run: ReadingChoices) -> bool:
    """Whether a default name leaves out an entry of this kind."""
    if node.kind is Kind.DIR:
        return True
    if node.kind is Kind.SYMLINK:
        label = run.label("53")
        return label == "c" or (label == "b" and leads_to_a_directory_inside(ground, end.location, node))
    return run.label("06") == "b"
