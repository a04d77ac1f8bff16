"""Adapter kinds ``mcp`` (stdio) and ``mcp+http`` (Streamable HTTP), for any Model Context Protocol server.

Uses the client of the official SDK, which only this package imports; it is loaded for these two kinds only.
``mapping`` converts messages, ``roots`` selects the root of a server, ``transport`` sends requests through
``session``, which runs over ``stdio_server`` or ``http_server`` in an ``event_loop_thread``.
"""

import logging
from urllib.parse import urlsplit

from treeproof.candidate import (
    Adapter,
    Limits,
    ProcessOptions,
    RpcAdapter,
    Target,
    UsageError,
    format_untrusted,
)

from ..root_placeholders import without_root_in_cwd
from ..stdio import require_program
from .http_server import HttpServer
from .stdio_server import StdioServer
from .transport import McpTransport, ServerHandle

__all__ = ["connect"]


# The SDK logs errors of a server, which become faults here; they must not reach the terminal.
for _name in ("mcp", "client", "httpx2", "httpcore2"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


def connect(target: Target, limits: Limits) -> Adapter:
    """Return an adapter, not yet started, to an MCP server.

    Raises UsageError if its program is missing, or its URL is invalid.
    """
    server: ServerHandle
    if target.kind == "mcp+http":
        _require_address(target)
        server = HttpServer(target, limits)
    else:
        require_program(without_root_in_cwd(target))
        server = StdioServer(target, limits, ProcessOptions())
    return RpcAdapter(target.kind, McpTransport(target, limits, server), target, limits, maps_calls=False)


def _require_address(target: Target) -> None:
    """Raise UsageError unless the target's address is an HTTP URL."""
    address = target.url or ""
    try:
        parts = urlsplit(address)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is not a number
        valid = False
    if not valid:
        source = target.manifest or f"TARGET {format_untrusted(target.text)}"
        raise UsageError(f"{source}: '{format_untrusted(address)}' is not a URL; write http://127.0.0.1:8080/mcp")
