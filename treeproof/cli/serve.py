"""The command that serves the reference implementation: serve."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.candidate.factory import PythonCandidate


def serve(args: argparse.Namespace) -> int:
    """Serve the reference implementation.

    It serves the protocol for adapters, or MCP for agents.
    """
    from functools import partial

    from treeproof.candidate import host
    from treeproof.candidate.factory import load_reference
    from treeproof.spec.packs import load_packs

    pack = load_packs([args.spec] if args.spec else [])[0]
    if pack.reference is None:
        raise UsageError(f"--spec {args.spec}: the specification has no reference implementation; select another one")
    load = partial(load_reference, pack.reference, pack.folder, pack.claims)
    if args.protocol == "mcp":
        return _serve_mcp(args, load)
    for option in ("root", "config", "http", "trust_context"):
        if getattr(args, option):
            raise UsageError(f"--{option.replace('_', '-')} requires --protocol mcp; add it, or leave the option out")
    host.serve_requests(args.protocol, load)
    return 0


def _serve_mcp(args: argparse.Namespace, load: Callable[[], PythonCandidate]) -> int:
    from pathlib import Path

    from treeproof.candidate import mcp_serve

    return mcp_serve.serve_mcp(
        load,
        root=Path(args.root or "."),
        config=Path(args.config) if args.config else None,
        address=args.http,
        trusts_context=args.trust_context,
    )
