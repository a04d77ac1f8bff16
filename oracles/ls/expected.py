"""The expected outcome of a call by one combination of readings: a listing, or an error with its codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from treeproof.api import Case, Kind, Node, Unmodelled, parse_tree

from ..shared.reading_choices import ReadingChoices
from .arguments import Request, parse_arguments
from .globs import matches_glob
from .path_resolution import (
    ABOVE_KNOWN,
    ROOT,
    Location,
    ProjectTrees,
    ResolvedPath,
    ends_past_a_file,
    is_too_long,
    leads_to_a_directory_inside,
    readable,
)

RECOMMENDED_READINGS: Mapping[str, str] = {
    **{
        f"AMB-LS-{number}": "a"
        for number in (
            *("01", "02", "04", "05", "06", "07", "12", "13", "14", "17", "18", "21", "22", "33"),
            *("41", "44", "51", "52", "53", "54", "55", "56", "58", "60", "61", "63", "64", "65", "66"),
            *("70", "71", "72", "73", "74", "75"),
        )
    },
    "AMB-LS-67": "forbidden",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""

OUTSIDE = "outside/{secret, sub/{deep}, f}, root2/{x}"
OUTSIDE_TREE = parse_tree(OUTSIDE)
"""The tree beside the project root of every case."""

DEFAULT_NAMES = (
    *("node_modules", "__pycache__", "target", "build", "dist", "venv"),
    *(".git", ".hg", ".svn", ".idea", ".vscode", ".DS_Store", ".venv"),
)
ALL_CODES = ("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR")


@dataclass(frozen=True)
class ExpectedFailure:
    """An error: the accepted codes, the requirement that prescribes it, and its accepted messages (empty: any)."""

    codes: tuple[str, ...]
    requirement: str
    reason: str
    cwd: str
    messages: tuple[str, ...] = ()
    other_requirements: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExpectedEntry:
    """An expected entry. `sorts_first`: it is listed among the directories; `rank`: the place of its group."""

    name: str
    path: str
    type: str
    sorts_first: bool
    leads_outside: bool = False
    rank: float = 1

    @property
    def sort_key(self) -> tuple[float, str]:
        return self.rank, self.name.lower()

    @property
    def has_plain_name(self) -> bool:
        """True for ASCII letters and digits, of which every language has the same order (AMB-LS-25)."""
        return self.name.isascii() and self.name.isalnum()

    def is_certainly_behind(self, other: ExpectedEntry) -> bool:
        """Return whether every reading of AMB-LS-25 lists the entry behind another one of its group."""
        own, others = _collations(self.name), _collations(other.name)
        return bool(own and others) and all(one > another for one, another in zip(own, others, strict=True))


@dataclass(frozen=True)
class ExpectedListing:
    """An expected listing.

    `excluded`: the names that are not listed, each with its requirement. `headings`: the accepted paths in line 1 of
    the text. `extra_members`: entries may have other members.
    """

    request: Request
    cwd: str
    resolved_paths: tuple[str, ...]
    headings: tuple[str, ...]
    entries: tuple[ExpectedEntry, ...]
    excluded: dict[str, str]
    truncated: bool
    has_next_page: bool
    shows_names_only: bool
    through_link: bool
    is_simple_path: bool
    extra_members: bool

    @property
    def page(self) -> tuple[ExpectedEntry, ...]:
        return self.entries[self.request.offset :][: self.request.limit]

    @property
    def page_end(self) -> int:
        return min(len(self.entries), self.request.offset + self.request.limit)

    def count_of(self, type: str) -> int:
        return len([entry for entry in self.entries if entry.type == type])


ExpectedOutcome = ExpectedListing | ExpectedFailure


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the paths of the page, or the codes of the error."""
    if isinstance(expected, ExpectedFailure):
        return " or ".join(expected.codes)
    return ", ".join(entry.path for entry in expected.page)


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    if case.context.keys() - {"working_dir", "allow_absolute"}:
        raise Unmodelled("the context holds more than a working directory")
    trees = ProjectTrees(case.tree, OUTSIDE_TREE)
    start = _working_dir(trees, case.context.get("working_dir", "$ROOT"))
    return _Call(trees, start, readings).outcome(case.arguments)


def _working_dir(trees: ProjectTrees, text: str) -> Location:
    target = trees.resolve((), text.encode())
    if not (target.is_inside and target.is_directory and not target.through_link):
        raise Unmodelled("the working directory is no plain directory inside")
    return target.location


def has_hidden_component(path: str) -> bool:
    """Return whether a directory on the way of a path has a name that its parent's listing leaves out."""
    return any(part in DEFAULT_NAMES or (part[:1] == "." and part not in (".", "..")) for part in path.split("/"))


def _may_mean_another(path: str) -> bool:
    """Return whether a path means another one for a tool that decodes or trims it; then it may have any error."""
    has_dots = "\uff0e" in path or "%2e" in path.lower() or "%252e" in path.lower()
    parts = path.split("/")
    return not path.isprintable() or has_dots or any(".." in part and not _is_plain(part) for part in parts)


def _is_plain(part: str) -> bool:
    return part.replace(".", "").isalnum() or not part.strip(".")


def _collations(name: str) -> tuple[str, ...]:
    """Return the keys by which a name of letters, digits, blanks, dashes and dots may be sorted; none for others."""
    letters = re.sub("[ .-]", "", name)
    return (name.lower(), letters.lower()) if letters.isascii() and letters.isalnum() else ()


def _format_path(names: Location) -> str:
    return b"/".join(names).decode() or "."


class _Call:
    """One call, resolved from its working directory `start`."""

    def __init__(self, trees: ProjectTrees, start: Location, readings: ReadingChoices) -> None:
        self.trees = trees
        self.start = start
        self.readings = readings
        self.cwd = _format_path(start[1:])

    def outcome(self, arguments: object) -> ExpectedOutcome:
        request = parse_arguments(arguments, self.readings)
        if isinstance(request, Request):
            return self.path_failure(request.path) or self.listing(request)
        path = arguments.get("path", ".") if isinstance(arguments, dict) else "."
        codes = request.codes
        if isinstance(path, str) and "\0" not in path:
            failure = self.path_failure(path)
            if failure is not None and self.readings["AMB-LS-33"] == "b":
                codes = failure.codes
        return self.failure(codes, request.requirement, request.reason, others=("LS-ERR-05",))

    def failure(
        self,
        codes: tuple[str, ...],
        requirement: str,
        reason: str,
        messages: tuple[str, ...] = (),
        others: tuple[str, ...] = (),
    ) -> ExpectedFailure:
        return ExpectedFailure(codes, requirement, reason, self.cwd, messages, others)

    def resolve(self, path: str) -> ResolvedPath:
        """Resolve a path name by name; by another reading of AMB-LS-61, remove `..` from the text first."""
        target = self.trees.resolve(self.start, path.encode())
        if not target.through_link or ".." not in path.split("/"):
            return target
        kept: list[str] = []
        for part in path.split("/"):
            if part == ".." and kept and kept[-1] not in ("..", "$ROOT", "$OUTSIDE", ""):
                kept.pop()
            elif part not in (".", "") or not kept:
                kept.append(part)
        cleaned = self.trees.resolve(self.start, "/".join(kept).encode() or b".")
        ends = [(one.location, one.exists, one.has_link_loop) for one in (target, cleaned)]
        return target if ends[0] == ends[1] or self.readings["AMB-LS-61"] == "a" else cleaned

    def path_failure(self, path: str) -> ExpectedFailure | None:
        """Return the failure for a path that cannot be listed; None for a directory."""
        if is_too_long(path):
            return self.failure(ALL_CODES, "LS-ARG-08", "the path is too long for the system")
        if path.startswith("file:") and self.trees.node((ROOT, b"file:")) is None:
            return self.failure(ALL_CODES, "LS-SEC-01", "the path does not exist as it is written")
        target = self.resolve(path)
        if target.has_link_loop:
            return self.failure(ALL_CODES, "LS-ARG-08", "the links form a loop")
        if (target.climbs_from_missing and self.readings["AMB-LS-55"] == "b") or (
            target.climbs_from_file and self.readings["AMB-LS-60"] == "b"
        ):
            codes = ("NOT_FOUND", "INVALID_PARAM", *(["ACCESS_DENIED"] if target.left_project else []))
            return self.failure(codes, "LS-ENV-09", "the path leaves something that is no directory by '..'")
        if not target.is_inside:
            return self.outside_failure(target)
        if target.left_project and target.through_link and self.readings["AMB-LS-65"] == "b":
            return self.failure(("ACCESS_DENIED",), "LS-SEC-04", "the path leaves the project on its way")
        names = self.message_paths(path, target)
        if target.is_unsearchable or (target.is_directory and not readable(target.node)):
            messages = tuple(f"Permission denied accessing '{name}'." for name in names)
            return self.failure(("ACCESS_DENIED",), "LS-ERR-04", "the directory cannot be read", messages)
        if target.is_directory:
            return None
        missing = tuple(f"Path '{name}' does not exist." for name in names)
        if target.through_file or ends_past_a_file(path, target, self.readings):
            reason = "nothing can be below a file"
            if self.readings["AMB-LS-41"] == "a":
                return self.failure(("NOT_FOUND",), "LS-ERR-01", reason, missing)
            return self.failure(("INVALID_PARAM",), "LS-ERR-01", reason)
        if target.exists:
            rest = "is a file, not a directory. Use 'Read' tool to view its content."
            messages = tuple(f"'{name}' {rest}" for name in names)
            return self.failure(("INVALID_PARAM",), "LS-ERR-03", "the path is no directory", messages)
        if _may_mean_another(path):
            return self.failure(ALL_CODES, "LS-SEC-01", "the path does not exist as it is written")
        return self.failure(("NOT_FOUND",), "LS-ERR-01", "the path does not exist", missing)

    def outside_failure(self, target: ResolvedPath) -> ExpectedFailure:
        requirement, *others = "LS-SEC-01", "LS-SEC-05"
        if target.through_link:
            requirement, *others = "LS-SEC-04", "LS-SEC-05", "LS-SEC-06"
        elif not target.exists:
            requirement, *others = "LS-SEC-06", "LS-SEC-01", "LS-SEC-05"
        interpretation = "AMB-LS-58" if target.through_link else "AMB-LS-66"
        if target.location == ABOVE_KNOWN and "b" in self.readings.accepted_labels(interpretation):
            reason = "the path leads outside, to a place that may exist"
            return self.failure(("ACCESS_DENIED", "NOT_FOUND"), requirement, reason, others=tuple(others))
        if not target.exists and self.readings[interpretation] == "b":
            return self.failure(("NOT_FOUND",), requirement, "the path leads to nothing outside", (), tuple(others))
        messages = ("Access denied. Path must be within the project root.",)
        return self.failure(("ACCESS_DENIED",), requirement, "the path leads outside", messages, (*others, "LS-ERR-02"))

    def message_paths(self, path: str, target: ResolvedPath) -> tuple[str, ...]:
        """Return the accepted forms of the path in a message."""
        resolved = _format_path(target.relative)
        if path == resolved or self.readings["AMB-LS-52"] == "a":
            return (path,)
        return () if target.through_link else (resolved,)  # behind a link there are several forms

    def listing(self, request: Request) -> ExpectedListing:
        target = self.resolve(request.path)
        base = target.relative
        if target.through_link and self.readings["AMB-LS-21"] == "b":
            base = self.textual_base(request.path)
        entries: list[ExpectedEntry] = []
        excluded: dict[str, str] = {}
        for node in self.trees.entries(target.location) or ():
            name = node.name.decode()
            requirement = self.exclusion_requirement(target, node, request, base)
            if requirement is not None:
                excluded[name] = requirement
                continue
            is_link = node.kind is Kind.SYMLINK
            kind = "link" if is_link else "dir" if node.kind is Kind.DIR else "file"
            sorts_first = kind == "dir" or (is_link and self.leads_to_directory(target, node))
            entries.append(
                ExpectedEntry(
                    name,
                    _format_path((*base, node.name)),
                    kind,
                    sorts_first,
                    is_link and not self.trees.resolve(target.location, node.target or b"").is_inside,
                    0 if sorts_first else self.link_rank() if is_link else 1,
                )
            )
        entries.sort(key=lambda entry: (*entry.sort_key, entry.name))
        has_equal_names = len({entry.sort_key for entry in entries}) < len(entries)
        resolved = _format_path(target.relative)
        headings: tuple[str, ...] = tuple(dict.fromkeys((_format_path(base), resolved)))
        if request.path != resolved and self.readings["AMB-LS-04"] == "b":
            headings = (request.path,)
        has_next_page = request.offset + request.limit < len(entries)
        is_order_open = has_equal_names or not all(one.has_plain_name for one in entries)
        if (has_next_page or 0 < request.offset < len(entries)) and is_order_open:
            raise Unmodelled("a page of names whose order is open")
        truncated = has_next_page
        if not has_next_page and request.offset > 0:
            past = request.offset - len(entries)
            place = "AMB-LS-02" if past > 0 else "AMB-LS-01" if past else "AMB-LS-70"
            truncated = self.readings[place] == "b"
        return ExpectedListing(
            request=request,
            cwd=self.cwd,
            resolved_paths=(resolved, _format_path(base)),
            headings=headings,
            entries=tuple(entries),
            excluded=excluded,
            truncated=truncated,
            has_next_page=has_next_page,
            shows_names_only=base != () and bool(entries) and self.readings["AMB-LS-05"] == "b",
            through_link=target.through_link,
            is_simple_path=request.path == resolved,
            extra_members=bool(entries) and self.readings["AMB-LS-67"] == "tolerated",
        )

    def link_rank(self) -> float:
        """Return the rank of a link that does not lead to a directory inside."""
        return {"a": 1, "b": 2, "c": 0.5}[self.readings["AMB-LS-64"]]

    def textual_base(self, path: str) -> Location:
        """Return the names of a path from the root on, links not followed. Raises Unmodelled."""
        if path.startswith(("/", "$")) or ".." in path.split("/"):
            raise Unmodelled("a path with a link and `..`")
        return (*self.start[1:], *(part.encode() for part in path.split("/") if part not in ("", ".")))

    def leads_to_directory(self, target: ResolvedPath, link: Node) -> bool:
        return leads_to_a_directory_inside(self.trees, target.location, link)

    def exclusion_requirement(self, target: ResolvedPath, node: Node, request: Request, base: Location) -> str | None:
        """Return the requirement by which an entry is not listed; None for a listed one."""
        name = node.name.decode()
        if node.kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV) and self.readings["AMB-LS-22"] == "b":
            return "LS-DATA-02"
        if not request.hidden:
            if name[0] == "." and not self.is_shown_type(node):
                return "LS-FILT-01"
            if self.is_default_name(name) and self.default_name_applies(target, node):
                return "LS-FILT-02"
        parent = target.relative
        has_path_pattern = any("/" in pattern for pattern in request.patterns)
        if target.through_link and has_path_pattern and self.readings["AMB-LS-56"] == "b":
            parent = base
        path = _format_path((*parent, node.name))
        for pattern in request.patterns:
            if matches_glob(pattern, name, path, self.readings):
                starts_anywhere = pattern.startswith("**/")
                return "LS-FILT-06" if starts_anywhere else "LS-FILT-05" if "/" in pattern else "LS-FILT-04"
        return None

    def is_shown_type(self, node: Node) -> bool:
        """Return whether a leading dot does not hide entries of this type (AMB-LS-63)."""
        if node.kind is Kind.DIR:
            return self.readings["AMB-LS-63"] in ("b", "c")
        return node.kind is Kind.SYMLINK and self.readings["AMB-LS-63"] in ("c", "d")

    def is_default_name(self, name: str) -> bool:
        if name in DEFAULT_NAMES:
            return True
        return name.lower() in DEFAULT_NAMES and self.readings["AMB-LS-07"] == "b"

    def default_name_applies(self, target: ResolvedPath, node: Node) -> bool:
        """Return whether a default name excludes an entry of this kind."""
        if node.kind is Kind.DIR:
            return True
        if node.kind is Kind.SYMLINK:
            label = self.readings["AMB-LS-53"]
            return label == "c" or (label == "b" and self.leads_to_directory(target, node))
        return self.readings["AMB-LS-06"] == "b"
