"""The expected outcome of a call by one combination of readings: a list of entries, or an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from treeproof.api import Case, Kind, Node, Unmodelled

from ..shared.formatting import join_paths
from ..shared.hard_links import with_own_metadata
from ..shared.reading_choices import ReadingChoices
from .globs import is_malformed, matches_glob
from .path_resolution import ResolvedDirectory, resolve_directory

ROOT = "$ROOT"
RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LF-01": "kind",
    "AMB-LF-08": "floor",
    "AMB-LF-12": "relative",
    "AMB-LF-15": "skipped",
    "AMB-LF-17": "replacement",
    "AMB-LF-23": "error",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected error and its cause. `or_nothing`: an empty list is right as well (AMB-LF-29 to 31)."""

    reason: str
    or_nothing: bool = False
    requirement: str = "LF-ERR-01"


@dataclass(frozen=True)
class ExpectedEntry:
    """An expected entry; `raw_path` is its path below the requested directory."""

    raw_path: bytes
    node: Node

    @property
    def path(self) -> str:
        return self.raw_path.decode("utf-8", "replace")

    @property
    def name(self) -> str:
        return self.node.name.decode("utf-8", "replace")

    @property
    def is_utf8(self) -> bool:
        return "\ufffd" not in self.path


@dataclass(frozen=True)
class ExpectedListing:
    """The expected entries below a directory; the order of a search result is free.

    `subpath`: the requested directory below the sandbox root. `is_respelt`: its path may have another spelling in the
    answer (AMB-LF-05). `optional`: entries that a dialect of globs may find, and
    another one not. `link_paths`: all links below the directory. `tree_paths`: everything below it.
    """

    subpath: str
    entries: tuple[ExpectedEntry, ...]
    optional: tuple[ExpectedEntry, ...]
    is_search: bool
    is_recursive: bool
    any_non_utf8_spelling: bool
    link_paths: tuple[str, ...]
    tree_paths: frozenset[str]
    orders: tuple[str, ...]
    """The accepted readings of AMB-LF-01."""
    time_roundings: tuple[str, ...]
    """The accepted readings of AMB-LF-08."""
    is_respelt: bool = False


ExpectedOutcome = ExpectedListing | ExpectedFailure


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the expected paths in the tree notation, or "an error"."""
    if isinstance(expected, ExpectedFailure):
        return "an error"
    return join_paths(entry.raw_path for entry in expected.entries) or "[]"


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    arguments = case.arguments
    path = arguments.get("path") if isinstance(arguments, dict) else None
    is_search = case.tool != "listDirectory"
    if isinstance(arguments, dict) and not isinstance(path, str):
        return ExpectedFailure("the path is no text")
    if not isinstance(path, str) or not path.startswith(ROOT):
        raise Unmodelled("the path is not below the sandbox root")
    if is_search and not isinstance(arguments.get("glob"), str):
        return ExpectedFailure("the glob is no text", requirement="LF-ERR-02")
    resolved = resolve_directory(with_own_metadata(case.tree), path.removeprefix(ROOT))
    if isinstance(resolved, str):
        return ExpectedFailure(resolved, is_search)
    if is_search and resolved.ends_in_link:
        raise Unmodelled("the root of a search is a link")
    outcome = _directory_outcome(resolved, case, readings, is_search)
    if isinstance(outcome, ExpectedListing) and resolved.is_respelt:
        return replace(outcome, is_respelt=True)
    return outcome


def _directory_outcome(
    resolved: ResolvedDirectory, case: Case, readings: ReadingChoices, is_search: bool
) -> ExpectedOutcome:
    subpath, directory = resolved.subpath, resolved.node
    children = resolved.children
    mode = 0o755 if directory is None or directory.mode is None else directory.mode
    if not mode & 0o400:
        return ExpectedFailure("the directory cannot be read", is_search)
    has_metadata = not children or bool(mode & 0o100)
    if is_search:
        if not has_metadata:
            raise Unmodelled("a search in a directory whose entries have no metadata")
        return _search_outcome(subpath, children, case, readings)
    if not has_metadata:
        if "told" in readings.accepted_labels("AMB-LF-23"):
            raise Unmodelled("entries without metadata")
        return ExpectedFailure("the metadata of the entries cannot be read")
    return _listing(subpath, tuple(ExpectedEntry(node.name, node) for node in children), readings)


def _listing(
    subpath: str,
    entries: tuple[ExpectedEntry, ...],
    readings: ReadingChoices,
    *,
    optional: tuple[ExpectedEntry, ...] = (),
    is_search: bool = False,
    is_recursive: bool = False,
    link_paths: tuple[str, ...] = (),
    tree_paths: frozenset[str] | None = None,
) -> ExpectedOutcome:
    is_utf8 = all(entry.is_utf8 for entry in (*entries, *optional))
    name_reading = "replacement" if is_utf8 else readings["AMB-LF-17"]
    if name_reading == "error":
        return ExpectedFailure("a name is not UTF-8")
    orders, time_roundings = map(readings.accepted_labels, ("AMB-LF-01", "AMB-LF-08"))
    any_spelling = name_reading == "other"
    return ExpectedListing(
        subpath,
        entries,
        optional,
        is_search,
        is_recursive,
        any_spelling,
        link_paths,
        frozenset(entry.path for entry in entries) if tree_paths is None else tree_paths,
        orders,
        time_roundings,
    )


def _search_outcome(subpath: str, children: tuple[Node, ...], case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    glob, recursive = case.arguments.get("glob"), case.arguments.get("recursive")
    if not isinstance(glob, str) or type(recursive) is not bool:
        raise Unmodelled("the arguments do not fit the schema of a search")
    if is_malformed(glob):
        # With braces that do not close it is plain where braces have no meaning (AMB-LF-35).
        accepts_plain = "[" not in glob or "shell" in readings.accepted_labels("AMB-LF-12")
        if not accepts_plain or readings.choose("a malformed glob", ("an error", "plain")) == "an error":
            return ExpectedFailure("the glob is malformed", requirement="LF-ERR-02")
    has_braces = "{" in glob and readings.choose("braces in globs", ("alternatives", "plain")) == "alternatives"
    visited: list[ExpectedEntry] = []
    has_unreadable = False
    pending = [(b"", children)]
    while pending:
        prefix, nodes = pending.pop()
        for node in nodes:
            visited.append(ExpectedEntry(prefix + node.name, node))
            if node.kind is Kind.DIR:
                mode = 0o755 if node.mode is None else node.mode
                if mode & 0o500 == 0o500 or (mode & 0o400 and not node.children):
                    pending.append((prefix + node.name + b"/", node.children))
                else:
                    has_unreadable = has_unreadable or recursive
    if not all(entry.is_utf8 for entry in visited) and readings["AMB-LF-17"] == "error":
        return ExpectedFailure("a name is not UTF-8")
    if has_unreadable and readings["AMB-LF-15"] == "error":
        return ExpectedFailure("a directory cannot be read")
    accepts_shell = "shell" in readings.accepted_labels("AMB-LF-12")
    due: list[ExpectedEntry] = []
    optional: list[ExpectedEntry] = []
    for entry in visited:
        if recursive and _must_match(entry, glob, accepts_shell, has_braces):
            due.append(entry)
        elif (recursive or entry.path.count("/") <= glob.count("/")) and _may_match(entry, glob, has_braces):
            optional.append(entry)
    return _listing(
        subpath,
        tuple(due),
        readings,
        optional=tuple(optional),
        is_search=True,
        is_recursive=recursive,
        link_paths=tuple(entry.path for entry in visited if entry.node.kind is Kind.SYMLINK),
        tree_paths=frozenset(entry.path for entry in visited),
    )


def _must_match(entry: ExpectedEntry, glob: str, accepts_shell: bool, has_braces: bool) -> bool:
    """Return whether a glob matches a file in every accepted dialect (AMB-LF-11, 12, 36 to 42)."""
    if entry.node.kind is not Kind.FILE or (accepts_shell and b"/." in b"/" + entry.raw_path):
        return False
    if not glob.startswith("**/") or ("?" in glob and max(entry.path) > "\uffff"):
        return False
    return matches_glob(glob, entry.path, least=1, has_braces=has_braces)


def _may_match(entry: ExpectedEntry, glob: str, has_braces: bool) -> bool:
    """Return whether a glob matches an entry in one of the dialects."""
    texts = (entry.path,) if "/" in glob else (entry.path, entry.name)
    return any(matches_glob(glob, text, has_braces=has_braces) for text in texts)
