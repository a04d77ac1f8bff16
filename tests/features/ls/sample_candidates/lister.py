"""Another LS, written from the specification alone: wherever that can be read in two ways, it takes the other one.

It shares nothing with the reference implementation, and nothing of the suite is imported.
"""

import errno
import json
import os
import re
import time
from typing import Any

LISTED = "git hg svn __pycache__ node_modules target build dist idea vscode DS_Store venv"
DEFAULT_IGNORES = {f".{name}".lower() for name in LISTED.split()} | {name.lower() for name in LISTED.split()}
DEFAULTS: dict[str, Any] = {"path": ".", "offset": 0, "limit": 100, "include_hidden": False, "ignore": None}
DESCRIPTIONS = {
    "path": "Directory path to list (relative to project root or absolute within it).",
    "offset": "Pagination start index (>=0).",
    "limit": "Max items to return (1-200).",
    "include_hidden": "Whether to include hidden files (starting with '.').",
    "ignore": "Optional list of glob patterns to ignore.",
}
TYPES = dict(zip(DEFAULTS, ("string", "integer", "integer", "boolean", ["array", "null"]), strict=True))
DECLARED = {"AMB-LS-05": "b", "AMB-LS-07": "b", "AMB-LS-14": "b"}


class Problem(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def illegal() -> Problem:
    return Problem("INVALID_PARAM", "offset/limit/ignore must be valid types.")


def as_doubles(sent: dict[str, Any]) -> dict[str, Any]:
    """What a language keeps of the arguments whose JSON knows no whole numbers but those of a double."""
    return {name: float(value) if type(value) is int else value for name, value in sent.items()}


class Lister:
    """The tool behind the candidate protocol."""

    declared = DECLARED

    def initialize(self, params: Any) -> Any:
        return {
            "protocol": 1,
            "candidate": {"name": "lister", "version": "1", "language": "python"},
            "tools": {"LS": "ls@2.0.0"},
            "capabilities": [],
            "interpretations": self.declared,
        }

    def describe(self, params: Any) -> Any:
        properties = {
            name: {"type": TYPES[name], "description": DESCRIPTIONS[name], "default": default}
            for name, default in DEFAULTS.items()
        }
        return {
            "name": "LS",
            "description": "List files and directories in a given path with pagination and filters.",
            "input_schema": {"type": "object", "properties": properties},
        }

    def call(self, params: Any) -> Any:
        begun, sent, context = time.time(), params["arguments"], params["context"]
        root = os.path.realpath(context["roots"][0])
        here = os.path.realpath(context["working_dir"])
        envelope: dict[str, Any] = {
            "context": {
                "cwd": os.path.relpath(here, root),
                "params_input": as_doubles(sent) if isinstance(sent, dict) else {},
            },
            "stats": dict.fromkeys(("total_entries", "dirs", "files", "links", "returned"), 0),
        }
        try:
            self.list(sent, root, here, envelope)
        except Problem as problem:
            message = self.worded(problem)
            envelope |= {"status": "error", "data": {"entries": []}, "text": f"{message} Nothing was listed."}
            envelope["error"] = {"code": problem.code, "message": message}
        envelope["stats"]["time_ms"] = (time.time() - begun) * 1000
        return {"status": "ok", "content": json.dumps(envelope, ensure_ascii=False, indent=1)}

    def worded(self, problem: Problem) -> str:
        return problem.message

    def list(self, sent: Any, root: str, here: str, envelope: dict[str, Any]) -> None:
        if not isinstance(sent, dict):
            raise illegal()
        path = sent.get("path", ".")
        path = "." if path is None else path
        if not isinstance(path, str) or path == "":
            raise illegal()
        place, shown = locate(path, root, here)
        names = scan(place, shown)
        asked = {name: DEFAULTS[name] if sent.get(name) is None else sent[name] for name in DEFAULTS}
        if sent.keys() - DEFAULTS.keys():
            raise illegal()
        offset, limit = whole(asked["offset"]), whole(asked["limit"])
        if offset < 0 or not 1 <= limit <= 200:
            raise illegal()
        patterns = asked["ignore"] or []
        if "ignore" in sent and not isinstance(sent["ignore"], list | None):
            raise illegal()
        if not all(isinstance(pattern, str) for pattern in patterns):
            raise illegal()
        matchers = [matcher(pattern) for pattern in patterns]
        rows = []
        for entry in names:
            name = readable(entry.name)
            below = name if shown == "." else f"{shown}/{name}"
            if not asked["include_hidden"] and (name.startswith(".") or name.lower() in DEFAULT_IGNORES):
                continue
            kind = "link" if entry.is_symlink() else "dir" if entry.is_dir() else "file"
            if kind == "file" and not entry.is_file(follow_symlinks=False):
                continue
            if any(matches(name, below, kind == "dir") for matches in matchers):
                continue
            directory = kind == "dir" or (kind == "link" and leads_inside(entry.path, root))
            rows.append((not directory, name.upper(), name.swapcase(), name, below, kind))
        rows.sort()
        page = rows[offset : offset + limit]
        more = offset + limit < len(rows)
        cut = more or offset > 0
        counts = {one: sum(row[-1] == one for row in rows) for one in ("dir", "file", "link")}
        lines = [f"Listed {len(page)} entries in '{path}'"]
        lines.append(
            f"(Total: {len(rows)} items - {counts['dir']} dirs, {counts['file']} files, {counts['link']} links)"
        )
        if more:
            end = offset + limit
            lines.append(f"[Truncated: Showing {offset}-{end} of {len(rows)}. {len(rows) - end} more items available.]")
            lines.append(f"Use offset={end} to view next page.")
        lines.append("")
        suffix = {"dir": "/", "link": "@", "file": ""}
        lines += [row[3].replace("\n", "\\n") + suffix[row[-1]] for row in page]
        envelope["status"] = "partial" if cut else "success"
        envelope["data"] = {"entries": [{"path": row[-2], "type": row[-1]} for row in page], "truncated": cut}
        envelope["text"] = "\n".join(lines) + "\n"
        envelope["context"]["path_resolved"] = shown
        envelope["stats"] = {
            "total_entries": len(rows),
            "dirs": counts["dir"],
            "files": counts["file"],
            "links": counts["link"],
            "returned": len(page),
        }


def whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise illegal()
    return int(value)


def readable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def leads_inside(link: str, root: str) -> bool:
    try:
        target = os.path.realpath(link, strict=True)
    except OSError:
        return False
    return os.path.isdir(target) and is_inside(target, root)


def is_inside(place: str, root: str) -> bool:
    return os.path.commonpath([place, root]) == root


def locate(path: str, root: str, here: str) -> tuple[str, str]:
    """Where a path leads, and how its entries are called: by the links that were named, not by their targets."""
    outside = Problem("ACCESS_DENIED", "Access denied. Path must be within the project root.")
    if "\0" in path:
        raise outside
    named = os.path.join(here, path)
    if path.startswith("/"):
        # The root may have been spelled otherwise than it is.
        above = named = "/" + path.lstrip("/")
        while above != "/" and not (os.path.exists(above) and os.path.samefile(above, root)):
            above = os.path.dirname(above)
        if above != "/":
            named = root + named[len(above) :]
    plain = os.path.normpath(named)
    shown = os.path.relpath(plain, root)
    try:
        named.encode()
        real = os.path.realpath(named, strict=True)
    except UnicodeEncodeError as problem:
        raise Problem("NOT_FOUND", "The path is no text.") from problem
    except OSError as problem:
        if not is_inside(plain, root):
            raise outside from problem
        raise failed(problem, shown) from problem
    if not is_inside(real, root):
        raise outside
    if not is_inside(plain, root) or ".." in path.split("/"):
        shown = os.path.relpath(real, root)
    return real, shown


def failed(problem: OSError, shown: str) -> Problem:
    match problem.errno:
        case errno.ENOENT | errno.ENAMETOOLONG:
            return Problem("NOT_FOUND", f"Path '{shown}' does not exist.")
        case errno.EACCES:
            return Problem("ACCESS_DENIED", f"Permission denied accessing '{shown}'.")
        case errno.ENOTDIR:
            tail = "is a file, not a directory. Use 'Read' tool to view its content."
            return Problem("INVALID_PARAM", f"'{shown}' {tail}")
    return Problem("INTERNAL_ERROR", f"Failed to list directory - {problem.strerror}")


def scan(place: str, shown: str) -> list[os.DirEntry[str]]:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        os.close(descriptor)
        with os.scandir(place) as found:
            return list(found)
    except OSError as problem:
        raise failed(problem, shown) from problem


def matcher(pattern: str) -> Any:
    """As in ignore files: a star stays within a component, two stars cross, a slash at the end wants directories."""
    if "/" not in pattern and "\\" not in pattern:
        whole_name = re.compile(expression(pattern, "."), re.DOTALL)
        return lambda name, below, is_dir: whole_name.fullmatch(name)
    wants_directory = pattern.endswith("/")
    path = re.compile(expression(pattern.rstrip("/"), "[^/]"), re.DOTALL)
    return lambda name, below, is_dir: (
        (is_dir or not wants_directory) and (path.fullmatch(below) or path.fullmatch(name))
    )


def expression(pattern: str, one: str) -> str:
    made, rest, start = "", pattern, True
    while rest:
        found = re.match(r"\[(!?)(\]?[^\]]*)\]", rest)
        if start and rest.startswith("**/"):
            made, rest = made + "(?:.*/)?", rest[3:]
            continue
        if rest == "/**":
            made, rest = made + "(?:/.*)?", ""
        elif rest[0] == "*":
            made, rest = made + f"{one}*", rest[1:]
        elif rest[0] == "?":
            made, rest = made + one, rest[1:]
        elif found and (found[2] or found[1]):
            members = found[2].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
            made += f"[{'^' if found[1] else ''}{members}]" if valid(members) else "(?!)"
            rest = rest[found.end() :]
        else:
            made, rest = made + re.escape(rest[0]), rest[1:]
        start = made.endswith("/")
    return made


def valid(members: str) -> bool:
    try:
        re.compile(f"[{members}]")
    except re.error:
        return False
    return True


class Talkative(Lister):
    """Has sentences of its own for what goes wrong."""

    declared = {**DECLARED, "AMB-LS-15": "advice"}

    def worded(self, problem: Problem) -> str:
        return f"Sorry, this could not be listed ({problem.code})."
