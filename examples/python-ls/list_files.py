"""The tool LS 2.0.0: list one directory of the project, with pages and filters, in the standard envelope."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

NAME = "LS"
DESCRIPTION = "List files and directories in a given path with pagination and filters."
PARAMETERS = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "description": "Directory path to list (relative to project root or absolute within it).",
            "default": ".",
        },
        "offset": {"type": "integer", "description": "Pagination start index (>=0).", "default": 0},
        "limit": {"type": "integer", "description": "Max items to return (1-200).", "default": 100},
        "include_hidden": {
            "type": "boolean",
            "description": "Whether to include hidden files (starting with '.').",
            "default": False,
        },
        "ignore": {"type": "array", "description": "Optional list of glob patterns to ignore.", "default": None},
    },
    "required": [],
}
IGNORED_DIRECTORIES = frozenset(
    (".git", ".hg", ".svn", "__pycache__", "node_modules", "target", "build", "dist")
    + (".idea", ".vscode", ".DS_Store", "venv", ".venv")
)
MAX_LIMIT = 200
SUFFIXES = {"dir": "/", "link": "@", "file": ""}


class ToolError(Exception):
    """A failed call: the code and the message of the envelope."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Parameters:
    """The parameters of a call, checked."""

    path: str
    offset: int
    limit: int
    include_hidden: bool
    ignore: tuple[str, ...]

    @classmethod
    def parse(cls, given: Any) -> Parameters:
        """Check the given parameters and insert the defaults."""
        if not isinstance(given, dict):
            raise ToolError("INVALID_PARAM", "The parameters must be an object.")
        path = given.get("path", ".")
        offset, limit = given.get("offset", 0), given.get("limit", 100)
        include_hidden, ignore = given.get("include_hidden", False), given.get("ignore")
        if not isinstance(path, str) or "\0" in path:
            raise ToolError("INVALID_PARAM", "path must be a valid string.")
        if type(offset) is not int or offset < 0:
            raise ToolError("INVALID_PARAM", "offset must be an integer of at least 0.")
        if type(limit) is not int or not 1 <= limit <= MAX_LIMIT:
            raise ToolError("INVALID_PARAM", f"limit must be an integer from 1 to {MAX_LIMIT}.")
        if not isinstance(include_hidden, bool):
            raise ToolError("INVALID_PARAM", "include_hidden must be a boolean.")
        if ignore is None:
            ignore = []
        if not isinstance(ignore, list) or not all(isinstance(pattern, str) for pattern in ignore):
            raise ToolError("INVALID_PARAM", "ignore must be a list of strings.")
        return cls(path, offset, limit, include_hidden, tuple(ignore))


@dataclass(frozen=True)
class Entry:
    """One entry of the directory. A link to a directory of the project sorts as a directory."""

    name: str
    path: str
    type: str
    sorts_as_directory: bool

    @property
    def sort_key(self) -> tuple[bool, str, str]:
        return not self.sorts_as_directory, self.name.lower(), self.name


class ListFilesTool:
    """The tool in one project."""

    def __init__(self, project_root: str, working_dir: str) -> None:
        self.root = Path(project_root).resolve()
        self.working_dir = Path(working_dir).resolve()

    def run(self, given: Any) -> dict[str, Any]:
        """Return the envelope of a call, also for an error."""
        started = time.monotonic()
        context = {
            "cwd": Path(os.path.relpath(self.working_dir, self.root)).as_posix(),
            "params_input": given if isinstance(given, dict) else {},
        }
        try:
            envelope = self.listing(Parameters.parse(given), context)
        except ToolError as error:
            envelope = {"status": "error", "data": {}, "text": str(error), "stats": {}}
            envelope["error"] = {"code": error.code, "message": str(error)}
        envelope["stats"] = {"time_ms": int((time.monotonic() - started) * 1000), **envelope["stats"]}
        envelope["context"] = context
        return envelope

    def listing(self, wanted: Parameters, context: dict[str, Any]) -> dict[str, Any]:
        """List a directory; the resolved path goes into the context as soon as it is known."""
        try:
            target = self.resolved(wanted.path)
            context["path_resolved"] = target.relative_to(self.root).as_posix()
            if not target.exists():
                raise ToolError("NOT_FOUND", f"Path '{wanted.path}' does not exist.")
            if not target.is_dir():
                message = f"'{wanted.path}' is a file, not a directory. Use 'Read' tool to view its content."
                raise ToolError("INVALID_PARAM", message)
            found = [self.entry(child) for child in target.iterdir()]
        except PermissionError as error:
            raise ToolError("ACCESS_DENIED", f"Permission denied accessing '{wanted.path}'.") from error
        except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: a loop of links
            raise ToolError("INTERNAL_ERROR", f"Failed to list directory - {error}") from error
        kept = sorted((entry for entry in found if is_kept(entry, wanted)), key=lambda entry: entry.sort_key)
        return page(kept, wanted)

    def resolved(self, path: str) -> Path:
        """Return the real path, which must be in the project."""
        target = (self.working_dir / path).resolve()
        if not target.is_relative_to(self.root):
            raise ToolError("ACCESS_DENIED", "Access denied. Path must be within the project root.")
        return target

    def entry(self, child: Path) -> Entry:
        """Describe an entry. Its path is not resolved, so no target of a link becomes visible."""
        path = child.relative_to(self.root).as_posix()
        if child.is_symlink():
            return Entry(child.name, path, "link", self.leads_to_directory(child))
        is_directory = child.is_dir()
        return Entry(child.name, path, "dir" if is_directory else "file", is_directory)

    def leads_to_directory(self, link: Path) -> bool:
        try:
            return link.is_dir() and link.resolve().is_relative_to(self.root)
        except (OSError, RuntimeError):
            return False


def is_kept(entry: Entry, wanted: Parameters) -> bool:
    """Apply the rule for hidden files, the default list and the patterns of the call."""
    if not wanted.include_hidden:
        if entry.name.startswith("."):
            return False
        if entry.type == "dir" and entry.name in IGNORED_DIRECTORIES:
            return False
    return not any(is_ignored(entry, pattern) for pattern in wanted.ignore)


def is_ignored(entry: Entry, pattern: str) -> bool:
    """Match the name and, for a pattern with a separator, the paths from the project root and from the target.

    The entry is directly in the target; its path from there is its name.
    """
    if fnmatch(entry.name, pattern):
        return True
    if "/" not in pattern and "\\" not in pattern:
        return False
    pattern = pattern.replace("\\", "/")
    variants = [pattern]
    while pattern.startswith("**/"):  # the prefix also stands for no directory at all
        pattern = pattern[len("**/") :]
        variants.append(pattern)
    return any(fnmatch(path, variant) for path in (entry.path, entry.name) for variant in variants)


def page(entries: list[Entry], wanted: Parameters) -> dict[str, Any]:
    """Return the envelope for one page of the sorted entries."""
    total = len(entries)
    shown = entries[wanted.offset : wanted.offset + wanted.limit]
    end = wanted.offset + len(shown)
    truncated = end < total
    types = [entry.type for entry in entries]
    dirs, files, links = types.count("dir"), types.count("file"), types.count("link")
    lines = [
        f"Listed {len(shown)} entries in '{wanted.path}'",
        f"(Total: {total} items - {dirs} dirs, {files} files, {links} links)",
    ]
    if truncated:
        lines.append(f"[Truncated: Showing {wanted.offset}-{end} of {total}. {total - end} more items available.]")
        lines.append(f"Use offset={end} to view next page.")
    lines.append("")
    lines += [entry.path + SUFFIXES[entry.type] for entry in shown]
    return {
        "status": "partial" if truncated else "success",
        "data": {
            "entries": [{"path": entry.path, "type": entry.type} for entry in shown],
            "truncated": truncated,
        },
        "text": "\n".join(lines),
        "stats": {"total_entries": total, "dirs": dirs, "files": files, "links": links, "returned": len(shown)},
    }
