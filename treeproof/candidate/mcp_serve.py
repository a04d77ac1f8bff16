"""Starts an MCP server from command-line arguments, after all arguments have been checked."""

import re
from collections.abc import Callable
from pathlib import Path

from treeproof.candidate import mcp_server_config
from treeproof.candidate.factory import PythonCandidate
from treeproof.candidate.messages import PROTOCOL
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError

MCP_NOT_INSTALLED = "the MCP SDK is not installed: pip install 'treeproof[mcp]'"


def serve_mcp(
    load: Callable[[], PythonCandidate], *, root: Path, config: Path | None, address: str | None, trusts_context: bool
) -> int:
    """Serve a Python candidate below ``root``; return the exit code. Raises UsageError.

    ``config`` is a TOML file for ``mcp_server_config``. ``address`` is ``[HOST:]PORT`` for Streamable HTTP, None
    for stdio.
    """
    listen_address = None if address is None else parse_listen_address(address)
    candidate = load()
    tools = candidate.initialize({"protocol": PROTOCOL, "workspace": str(root)})["tools"]
    context = mcp_server_config.build_context(root, config, tools)
    try:
        from treeproof.candidate import mcp_server
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("treeproof"):
            raise
        raise UsageError(f"--protocol mcp: {MCP_NOT_INSTALLED}") from None
    server = mcp_server.McpServer(candidate, context, trusts_context=trusts_context)
    server.validate_config(str(config))
    if listen_address is None:
        return mcp_server.serve_stdio(server)
    return mcp_server.serve_http(server, *listen_address)


def parse_listen_address(address: str) -> tuple[str, int]:
    """Return host and port of ``[HOST:]PORT``; the default host is 127.0.0.1. Raises UsageError."""
    host, _, port = address.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise UsageError(f"--http {format_untrusted(address)}: write HOST:PORT or PORT, such as 127.0.0.1:8080")
    return host.strip("[]") or "127.0.0.1", int(port)
