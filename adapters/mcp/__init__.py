"""Adapter kinds ``mcp`` (stdio) and ``mcp+http`` (Streamable HTTP): a Model Context Protocol server, as it is.

Reached with the official SDK's client, which nothing else imports: this package is imported for these two kinds alone.
``values`` maps what MCP says, ``places`` knows which root a server works below, ``channel`` asks; ``session`` is one
connection, over ``pipes`` or ``web``, in the thread of a ``loop``.
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

from ..stdio import require_program
from .http_server import HttpServer
from .stdio_server import StdioServer, without_fixture_root
from .transport import McpTransport, ServerHandle

__all__ = ["connect"]


# The SDK logs what a server does wrong; here that becomes a fault, and a terminal is not the place for it.
for _name in ("mcp", "client", "httpx2", "httpcore2"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


def connect(target: Target, limits: Limits) -> Adapter:
    """An adapter, not yet started, to an MCP server.

    Raises UsageError where its program is missing, or its address is none.
    """
    reach: ServerHandle
    if target.kind == "mcp+http":
        _require_address(target)
        reach = HttpServer(target, limits)
    else:
        require_program(without_fixture_root(target))
        reach = StdioServer(target, limits, ProcessOptions())
    return RpcAdapter(target.kind, McpTransport(target, limits, reach), target, limits)


def _require_address(target: Target) -> None:
    """Raises UsageError unless the target's address is one of a web server."""
    address = target.url or ""
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        sound = False
    if not sound:
        source = target.manifest or f"TARGET {format_untrusted(target.text)}"
        raise UsageError(
            f"{source}: '{format_untrusted(address)}' is no address: write http://127.0.0.1:8080/mcp"
        )
