"""An LS that was written from the specification alone and follows readings that are not the recommended ones.

It shares no code with the reference implementation and imports nothing of treeproof.
"""

import errno
import json
import os
import re
import time
from typing import Any

DEFAULT_IGNORES = {"__pycache__", "node_modules", "target", "build", "dist", "venv"}
"""The other listed names begin with a dot."""

DEFAULTS: dict[str, Any] = {"path": ".", "offset": 0, "limit": 100, "include_hidden": False, "ignore": None}
DESCRIPTIONS = {
    "path": "Directory path to list (relative to project root or absolute within it).",
    "offset": "Pagination start index (>=0).",
    "limit": "Max items to return (1-200).",
    "include_hidden": "Whether to include hidden files (starting with '.').",
    "ignore": "Optional list of glob patterns to ignore.",
}
TYPES = dict(zip(DEFAULTS, ("string", "integer", "integer", "boolean", ["array", "null"]), strict=True))


class Problem(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def invalid_parameter() -> Problem:
    return Problem("INVALID_PARAM", "offset/limit/ignore must be valid types.")


def as_doubles(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments as a language reads them that represents every JSON number as a double."""
    return {name: float(value) if type(value) is int else value for name, value in arguments.items()}


class Lister:
    """The tool behind the candidate protocol."""

    def initialize(self, params: Any) -> Any:
        return {
            "protocol": 1,
            "candidate": {"name": "lister", "version": "1", "language": "python"},
            "tools": {"LS": "ls@2.0.0"},
            "capabilities": [],
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
        started, arguments, context = time.time(), params["arguments"], params["context"]
        root = os.path.realpath(context["roots"][0])
        working_dir = os.path.realpath(context["working_dir"])
        envelope: dict[str, Any] = {
            "context": {
                "cwd": os.path.relpath(working_dir, root),
                "params_input": as_doubles(arguments) if isinstance(arguments, dict) else {},
            },
            "stats": dict.fromkeys(("total_entries", "dirs", "files", "links", "returned"), 0),
        }
        try:
            self.list(arguments, root, working_dir, envelope)
        except Problem as problem:
            message = self.message_of(problem)
            envelope |= {"status": "error", "data": {"entries": []}, "text": f"{message} Nothing was listed."}
            envelope["error"] = {"code": problem.code, "message": message}
        envelope["stats"]["time_ms"] = (time.time() - started) * 1000
        return {"status": "ok", "content": json.dumps(envelope, ensure_ascii=False, indent=1)}

    def message_of(self, problem: Problem) -> str:
        return problem.message

    def list(self, arguments: Any, root: str, working_dir: str, envelope: dict[str, Any]) -> None:
        if not isinstance(arguments, dict):
            raise invalid_parameter()
        path = arguments.get("path", ".")
        path = "." if path is None else path
        if not isinstance(path, str) or path == "":
            raise invalid_parameter()
        directory, relative = locate(path, root, working_dir)
        names = scan(directory, relative)
        values = {name: DEFAULTS[name] if arguments.get(name) is None else arguments[name] for name in DEFAULTS}
        if arguments.keys() - DEFAULTS.keys():
            raise invalid_parameter()
        offset, limit = parse_integer(values["offset"]), parse_integer(values["limit"])
        if offset < 0 or not 1 <= limit <= 200:
            raise invalid_parameter()
        patterns = values["ignore"] or []
        if "ignore" in arguments and not isinstance(arguments["ignore"], list | None):
            raise invalid_parameter()
        if not isinstance(values["include_hidden"], bool) or not all(isinstance(one, str) for one in patterns):
            raise invalid_parameter()
        matchers = [matcher(pattern) for pattern in patterns]
        entries = []
        for entry in names:
            name = decode_name(entry.name)
            entry_path = name if relative == "." else f"{relative}/{name}"
            if not values["include_hidden"] and (name.startswith(".") or name in DEFAULT_IGNORES):
                continue
            kind = "link" if entry.is_symlink() else "dir" if entry.is_dir() else "file"
            if kind == "file" and not entry.is_file(follow_symlinks=False):
                continue
            if any(matches(name, entry_path) for matches in matchers):
                continue
            is_directory = kind == "dir" or (kind == "link" and links_to_directory_inside(entry.path, root))
            entries.append((not is_directory, name.upper(), name.swapcase(), name, entry_path, kind))
        entries.sort()
        page = entries[offset : offset + limit]
        more = offset + limit < len(entries)
        truncated = more or offset > 0
        counts = {kind: sum(entry[-1] == kind for entry in entries) for kind in ("dir", "file", "link")}
        lines = [f"Listed {len(page)} entries in '{path}'"]
        lines.append(
            f"(Total: {len(entries)} items - {counts['dir']} dirs, {counts['file']} files, {counts['link']} links)"
        )
        if more:
            end = offset + limit
            lines.append(
                f"[Truncated: Showing {offset}-{end} of {len(entries)}. {len(entries) - end} more items available.]"
            )
            lines.append(f"Use offset={end} to view next page.")
        lines.append("")
        suffix = {"dir": "/", "link": "@", "file": ""}
        lines += [entry[3].replace("\n", "\\n") + suffix[entry[-1]] for entry in page]
        envelope["status"] = "partial" if truncated else "success"
        shown = [{"path": entry[-2], "type": entry[-1]} for entry in page]
        envelope["data"] = {"entries": shown, "truncated": truncated}
        envelope["text"] = "\n".join(lines) + "\n"
        envelope["context"]["path_resolved"] = relative
        envelope["stats"] = {
            "total_entries": len(entries),
            "dirs": counts["dir"],
            "files": counts["file"],
            "links": counts["link"],
            "returned": len(page),
        }


def parse_integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise invalid_parameter()
    return int(value)


def decode_name(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def links_to_directory_inside(link: str, root: str) -> bool:
    try:
        target = os.path.realpath(link, strict=True)
    except OSError:
        return False
    return os.path.isdir(target) and is_inside(target, root)


def is_inside(directory: str, root: str) -> bool:
    return os.path.commonpath([directory, root]) == root


def locate(path: str, root: str, working_dir: str) -> tuple[str, str]:
    """Return the directory and its path below the root, with the names of links and not of their targets."""
    outside = Problem("ACCESS_DENIED", "Access denied. Path must be within the project root.")
    if "\0" in path:
        raise outside
    named = os.path.join(working_dir, path)
    if path.startswith("/"):
        # The root may be named through links.
        above = named = "/" + path.lstrip("/")
        while above != "/" and not (os.path.exists(above) and os.path.samefile(above, root)):
            above = os.path.dirname(above)
        if above != "/":
            named = root + named[len(above) :]
    plain = os.path.normpath(named)
    relative = os.path.relpath(plain, root)
    try:
        named.encode()
        real = os.path.realpath(named, strict=True)
    except UnicodeEncodeError as problem:
        raise Problem("NOT_FOUND", "The path is no text.") from problem
    except OSError as problem:
        if not is_inside(plain, root):
            raise outside from problem
        raise failed(problem, relative) from problem
    if not is_inside(real, root):
        raise outside
    if not is_inside(plain, root) or ".." in path.split("/"):
        relative = os.path.relpath(real, root)
    return real, relative


def failed(problem: OSError, relative: str) -> Problem:
    match problem.errno:
        case errno.ENOENT | errno.ENAMETOOLONG:
            return Problem("NOT_FOUND", f"Path '{relative}' does not exist.")
        case errno.EACCES:
            return Problem("ACCESS_DENIED", f"Permission denied accessing '{relative}'.")
        case errno.ENOTDIR:
            tail = "is a file, not a directory. Use 'Read' tool to view its content."
            return Problem("INVALID_PARAM", f"'{relative}' {tail}")
    return Problem("INTERNAL_ERROR", f"Failed to list directory - {problem.strerror}")


def scan(directory: str, relative: str) -> list[os.DirEntry[str]]:
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        os.close(descriptor)
        with os.scandir(directory) as found:
            return list(found)
    except OSError as problem:
        raise failed(problem, relative) from problem


def matcher(pattern: str) -> Any:
    """Match with `*` within a component and `**` across components."""
    if "/" not in pattern and "\\" not in pattern:
        whole_name = re.compile(to_regex(pattern, "."), re.DOTALL)
        return lambda name, entry_path: whole_name.fullmatch(name)
    path = re.compile(to_regex(pattern, "[^/]"), re.DOTALL)
    return lambda name, entry_path: path.fullmatch(entry_path) or path.fullmatch(name)


def to_regex(pattern: str, any_character: str) -> str:
    regex, rest, start = "", pattern, True
    while rest:
        found = re.match(r"\[(!?)(\]?[^\]]*)\]", rest)
        if start and rest.startswith("**/"):
            regex, rest = regex + "(?:.*/)?", rest[3:]
            continue
        if rest == "/**":
            regex, rest = regex + "/.*", ""
        elif rest[0] == "*":
            regex, rest = regex + f"{any_character}*", rest[1:]
        elif rest[0] == "?":
            regex, rest = regex + any_character, rest[1:]
        elif found and (found[2] or found[1]):
            members = found[2].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
            regex += f"[{'^' if found[1] else ''}{members}]" if is_valid_class(members) else "(?!)"
            rest = rest[found.end() :]
        else:
            regex, rest = regex + re.escape(rest[0]), rest[1:]
        start = regex.endswith("/")
    return regex


def is_valid_class(members: str) -> bool:
    try:
        re.compile(f"[{members}]")
    except re.error:
        return False
    return True


class OtherMessages(Lister):
    """The same tool with other error messages."""

    def message_of(self, problem: Problem) -> str:
        return f"Sorry, this could not be listed ({problem.code})."
