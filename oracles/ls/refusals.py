"""The error that a path demands, or None for a directory that can be listed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from posixpath import normpath, relpath

from treeproof.api import ROOT_NAME, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .filters import has_hidden_component
from .outcomes import ALL_CODES, ExpectedFailure
from .path_resolution import (
    ABOVE_KNOWN,
    Location,
    Project,
    ResolvedPath,
    ends_past_a_file,
    is_too_long,
    may_be_looked_into,
    may_be_read,
)

OUTSIDE_MESSAGE = "Access denied. Path must be within the project root."
_ESCAPE = re.compile("%(2e|2f|00|25)|\uff0e", re.IGNORECASE)
"""A dot, a slash, NUL or a percent sign for a tool that decodes a path."""

_SOME_NAMES = 1000
"""More names than these do not fit into one read of a directory."""


def format_path(names: Location) -> str:
    """Return names from the project root on as a path."""
    return b"/".join(names).decode("utf-8", "replace") or "."


def spellings(path: str, root_text: str, resolved: str) -> tuple[str, ...]:
    """Return a path as it was given, and as programs clean it: from dots and slashes, or from names before `..` too."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    without_dots = "/" * path.startswith("/") + "/".join(names) or "."
    cleaned = normpath(f"{root_text}/{resolved}" if path.startswith(("/", "$")) else path)
    return path, path.rstrip("/"), without_dots, cleaned, f"{cleaned}/"


@dataclass(frozen=True)
class PathRules:
    """The rules for a path, from the working directory `start`, whose path from the project root is `cwd`."""

    project: Project
    start: Location
    cwd: str
    readings: ReadingChoices

    def resolve(self, path: str) -> ResolvedPath:
        """Resolve a path name by name; by another reading of AMB-LS-61, remove `..` from the text first."""
        target = self.project.resolve(self.start, path.encode())
        if not target.through_link or ".." not in path.split("/"):
            return target
        kept: list[str] = []
        for part in path.split("/"):
            if part == ".." and kept and kept[-1] not in ("..", "$ROOT", "$OUTSIDE", ""):
                kept.pop()
            elif part not in (".", "") or not kept:
                kept.append(part)
        cleaned = self.project.resolve(self.start, "/".join(kept).encode() or b".")
        ends = [(one.location, one.exists, one.has_link_loop) for one in (target, cleaned)]
        return cleaned if ends[0] != ends[1] and self.readings["AMB-LS-61"] == "b" else target

    def failure(self, path: str) -> ExpectedFailure | None:
        """Return the failure for a path that cannot be listed; None for a directory.

        A path of which an entry leaves open whether it is refused may have any code. With one that is due by another
        reading it is judged by that; but a tool that follows no links does not see where one leads.
        """
        due = self._failure(path)
        if due is not None and due.codes == ALL_CODES:
            return due
        target = self.resolve(path)
        is_over_link = target.through_link and self.textual_path(path) is not None
        if is_over_link and self.readings["AMB-LS-79"] == "b":
            return self._any_error("LS-SEC-04", "the path leads over a link")
        # The words of a candidate that follows no table show no reading: the code is that of the rule.
        is_open = due is not None and (is_over_link or ".." in path.split("/"))
        words = ("of the rule", "any")
        if due and is_open and self.readings.choose("the words of an error on such a path", words) == "any":
            due = self._error(due.codes, due.requirement, due.reason)
        if not target.is_inside:
            return due
        others = due.codes if due else () if self._follows_inside(path) else ("ACCESS_DENIED",)
        codes = tuple(code for code in ALL_CODES if code not in others)
        names = path.replace("$ROOT", "/").replace("$OUTSIDE", "/").split("/")
        if ".." in names and self.readings["AMB-LS-80"] == "b":
            return self._error(codes, "LS-SEC-02", "the path has two dots")
        if _ESCAPE.search(path) and self.readings.choose("an escape in a name", (False, True)):
            return self._error(codes, "LS-SEC-02", "a name has an escape")
        if any(map(_is_like_another, names)) and self.readings["AMB-LS-83"] == "b":
            return self._error(codes, "LS-SEC-02", "a name looks like the way up or like a home directory")
        return due

    def textual_path(self, path: str) -> str | None:
        """Return a path from the project root on, links not followed; None if it leads out by its text."""
        below_root = self.project.relative(self.start)
        kept = [] if path.startswith(("/", "$")) else [name.decode("utf-8", "replace") for name in below_root]
        rest = path
        if self.project.is_system:
            rest = path.replace("$ROOT", "/OUTSIDE/root").replace("$OUTSIDE", "/OUTSIDE")
        elif path.startswith(("/", "$")):
            roots = (self.project.root_text.decode(), "$ROOT")
            name = next((one for one in roots if path == one or path.startswith(one + "/")), None)
            if name is None:
                return None
            rest = path[len(name) :]
        for part in rest.split("/"):
            if part == ".." and not kept:
                return None
            if part == "..":
                kept.pop()
            elif part not in ("", "."):
                kept.append(part)
        return "/".join(kept) or "."

    def shown_paths(self, *paths: str) -> tuple[str, ...]:
        """Return paths from the project root on and, as the document names no base, from the working directory on."""
        return tuple(dict.fromkeys((*paths, *(relpath(f"/{path}", f"/{self.cwd}") for path in paths))))

    def _follows_inside(self, path: str) -> bool:
        return self.project.resolve(self.start, path.encode()).is_inside

    def _failure(self, path: str) -> ExpectedFailure | None:
        """Return the failure for a path whose dots and links are followed."""
        if is_too_long(path):
            return self._any_error("LS-ARG-08", "the path is too long for the system")
        if path.startswith("file:") and self.project.node((*self.project.root, b"file:")) is None:
            return self._any_error("LS-SEC-01", "the path does not exist as it is written")
        target = self.resolve(path)
        if target.has_link_loop:
            return self._any_error("LS-ARG-08", "the links form a loop")
        if (target.climbs_from_missing or target.climbs_from_file) and self.readings["AMB-LS-61"] == "c":
            codes = ("NOT_FOUND", "INVALID_PARAM", *(["ACCESS_DENIED"] if target.left_project else []))
            return self._error(codes, "LS-ENV-09", "the path leaves something that is no directory by '..'")
        if not target.is_inside:
            return self._outside(target)
        if target.through_link and self._is_refused_way(target):
            return self._any_error("LS-SEC-04", "the path leads over a link")
        is_other_name = self.project.has_alias and path.startswith("$ROOT")
        if is_other_name and self.readings.choose("the real path of the root", ("inside", "outside")) == "outside":
            return self._error(("ACCESS_DENIED",), "LS-SEC-03", "the root has another name")
        if target.is_directory:
            return self._unreadable(path, target)
        return self._no_directory(path, target)

    def _is_refused_way(self, target: ResolvedPath) -> bool:
        """Return whether links that lead inside are refused for their way: out and in again, or from the top."""
        is_odd = target.left_project or target.has_absolute_link
        return is_odd and self.readings.choose("a link through the outside", (True, False)) is False

    def _error(
        self, codes: tuple[str, ...], requirement: str, reason: str, *messages: str, resolved: tuple[str, ...] = ()
    ) -> ExpectedFailure:
        return ExpectedFailure(codes, requirement, reason, self.cwd, messages, resolved_paths=resolved)

    def _any_error(self, requirement: str, reason: str) -> ExpectedFailure:
        return self._error(ALL_CODES, requirement, reason)

    def _unreadable(self, path: str, target: ResolvedPath) -> ExpectedFailure | None:
        node = target.node
        if node is not None and node.faults:
            return self._faulty(path, target)
        if not may_be_read(node) or (not may_be_looked_into(node) and self.readings["AMB-LS-59"] == "a"):
            return self._closed(path, target)
        return None

    def _closed(self, path: str, target: ResolvedPath) -> ExpectedFailure:
        reason, message = "the directory cannot be read", "Permission denied accessing {}."
        return self._about(path, target, "ACCESS_DENIED", "LS-ERR-04", reason, message)

    def _faulty(self, path: str, target: ResolvedPath) -> ExpectedFailure | None:
        """Return the failure for a directory whose reading fails."""
        assert target.node is not None
        if target.node.faults - {"readdir", "reread"} or target.node.error in ("ENOENT", "EACCES", "EPERM", "ENOTDIR"):
            raise Unmodelled("another fault than one of reading a directory")
        is_late = "reread" in target.node.faults and len(target.node.children) < _SOME_NAMES
        if is_late and self.readings.choose("a fault behind the last name", ("fails", "is no loss")) == "is no loss":
            return None  # all names had come before it
        return self._error(("INTERNAL_ERROR",), "LS-ERR-06", "the directory cannot be read for a failure of the system")

    def _no_directory(self, path: str, target: ResolvedPath) -> ExpectedFailure:
        if target.is_unsearchable:
            return self._closed(path, target)
        missing = "Path {} does not exist."
        if _may_mean_another(path) and not target.exists and not target.through_file:
            return self._any_error("LS-SEC-01", "the path does not exist as it is written")
        if has_hidden_component(path) and not target.exists:
            return self._error(("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM"), "LS-ERR-01", "the path does not exist")
        is_past = ends_past_a_file(path, target, self.readings)
        if target.through_file or is_past:
            reason = "nothing can be below a file"
            if is_past or self.readings["AMB-LS-41"] == "a":
                return self._about(path, target, "NOT_FOUND", "LS-ERR-01", reason, missing)
            return self._error(("INVALID_PARAM",), "LS-ERR-01", reason)
        if target.exists:
            rest = "{} is a file, not a directory. Use 'Read' tool to view its content."
            return self._about(path, target, "INVALID_PARAM", "LS-ERR-03", "the path is no directory", rest)
        return self._about(path, target, "NOT_FOUND", "LS-ERR-01", "the path does not exist", missing)

    def _about(
        self, path: str, target: ResolvedPath, code: str, requirement: str, reason: str, message: str
    ) -> ExpectedFailure:
        """Return a failure with a message that names the path, as given or by another reading resolved (AMB-LS-52)."""
        resolved = format_path(target.relative)
        names = spellings(path, self.project.root_text.decode(), resolved)
        if path != resolved and self.readings["AMB-LS-52"] == "b":
            names = () if target.through_link else (resolved,)  # behind a link there are several forms
        messages = tuple(message.format(f"'{name}'") for name in names)
        textual = self.textual_path(path)
        shown = self.shown_paths(*((resolved,) if textual is None else (resolved, textual)))
        return self._error((code,), requirement, reason, *messages, resolved=shown)

    def _outside(self, target: ResolvedPath) -> ExpectedFailure:
        requirement, others = "LS-SEC-01", ["LS-SEC-05"]
        if target.through_link:
            requirement, others = "LS-SEC-04", ["LS-SEC-06"]
        elif target.location[0:1] and _is_alike(target.location[0], self.project.root):
            requirement, others = "LS-SEC-05", ["LS-SEC-01"]
        elif not target.exists:
            requirement, others = "LS-SEC-06", ["LS-SEC-01"]
        if self._is_reported_missing(target):
            return self._refused(("NOT_FOUND",), requirement, "the path leads to nothing outside", others)
        return self._refused(("ACCESS_DENIED",), requirement, "the path leads outside", others, OUTSIDE_MESSAGE)

    def _is_reported_missing(self, target: ResolvedPath) -> bool:
        """Return whether a place outside is reported as missing. That of a link to it depends on no reading."""
        if target.through_link or target.location == ABOVE_KNOWN:
            is_open = target.through_link or "b" in self.readings.accepted_labels("AMB-LS-66")
            is_unknown = not target.exists or target.location == ABOVE_KNOWN
            return is_open and is_unknown and bool(self.readings.choose("a place outside is missing", (False, True)))
        return not target.exists and self.readings["AMB-LS-66"] == "b"

    def _refused(
        self, codes: tuple[str, ...], requirement: str, reason: str, others: list[str], *messages: str
    ) -> ExpectedFailure:
        return ExpectedFailure(codes, requirement, reason, self.cwd, messages, tuple(others))


def _is_alike(name: bytes, root: Location) -> bool:
    """Return whether a neighbour has a name that begins with that of the root, in whatever case."""
    own = root[0] if root else ROOT_NAME
    return name != own and name.lower().startswith(own.lower())


def _may_mean_another(path: str) -> bool:
    """Return whether a path means another one for a tool that decodes or trims it; then it may have any error."""
    has_dots = "\uff0e" in path or "%2e" in path.lower() or "%252e" in path.lower()
    parts = path.split("/")
    return not path.isprintable() or has_dots or any(".." in part and not _is_plain(part) for part in parts)


def _is_like_another(part: str) -> bool:
    """Return whether a name in a path looks like the way up or like a home directory."""
    return part.startswith("~") or (".." in part and part != "..")


def _is_plain(part: str) -> bool:
    return part.replace(".", "").isalnum() or not part.strip(".")
