"""A small MCP server that lists, moves and copies, and keeps the behaviour contract: ``python server.py ROOT``."""

import json
import os
import shutil
import sys
from pathlib import Path

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:  # version 1 of the package
    from mcp.server.fastmcp import FastMCP as MCPServer  # type: ignore[no-redef]
    from mcp.server.fastmcp.exceptions import ToolError

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
server = MCPServer("faultless")


def place_of(path: str) -> Path:
    """Return the place of a path, whose last name is not followed. No directory on the way is a link."""
    names = [name for name in path.removeprefix(f"{ROOT}/").split("/") if name not in ("", ".")]
    if path.startswith("/") and not f"{path}/".startswith(f"{ROOT}/") or ".." in names or "\0" in path:
        raise ToolError(f"not a path below {ROOT}: {path!r}")
    place = ROOT.joinpath(*(names if path.rstrip("/") != str(ROOT) else []))
    for one in place.relative_to(ROOT).parents:
        if (ROOT / one).is_symlink():
            raise ToolError(f"a link is on the way: {path!r}")
    return place


@server.tool()
def list_directory(path: str = ".") -> str:
    """List one directory as JSON: the name and the kind of each entry."""
    place = place_of(path)
    if place.is_symlink():
        raise ToolError(f"a link: {path!r}")
    try:
        with os.scandir(place) as entries:
            found = [(entry.name, entry) for entry in entries]
    except OSError as error:
        raise ToolError(f"{error.strerror}: {path!r}") from None
    return json.dumps([{"name": name, "kind": kind_of(entry)} for name, entry in sorted(found)])


def kind_of(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    return "directory" if entry.is_dir(follow_symlinks=False) else "file"


@server.tool()
def move_file(source: str, destination: str) -> str:
    """Move a file or a directory to a name that is not taken."""
    old, new = places(source, destination)
    try:
        os.rename(old, new)
    except OSError as error:
        raise ToolError(f"{error.strerror}: {source!r} to {destination!r}") from None
    return "moved"


@server.tool()
def copy_file(source: str, destination: str) -> str:
    """Copy one regular file to a name that is not taken."""
    old, new = places(source, destination)
    if old.is_symlink() or not old.is_file():
        raise ToolError(f"no regular file: {source!r}")
    try:
        with open(old, "rb") as reader, open(new, "xb") as writer:
            try:
                shutil.copyfileobj(reader, writer)
            except OSError:
                new.unlink()
                raise
    except OSError as error:
        raise ToolError(f"{error.strerror}: {source!r} to {destination!r}") from None
    return "copied"


def places(source: str, destination: str) -> tuple[Path, Path]:
    old, new = place_of(source), place_of(destination)
    if ROOT in (old, new) or os.path.lexists(new) or not os.path.lexists(old) or destination.endswith("/"):
        raise ToolError(f"the source is not there, or the destination is: {source!r}, {destination!r}")
    return old, new


server.run()
