"""The verb that makes the reference implementation a server: serve."""

from __future__ import annotations

import argparse

from treeproof.cli.packs import packs_of
from treeproof.errors import UsageError


def serve(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.candidate import host
    from treeproof.candidate.factory import load_own

    entry = next((pack.reference for pack in packs_of([words.spec] if words.spec else [])), None)
    if entry is None:
        raise UsageError(f"--spec {words.spec}: the specification names no reference implementation")
    if words.protocol == "mcp":
        return _serve_mcp(words, entry)
    for option in ("root", "config", "http", "trust_context"):
        if getattr(words, option):
            raise UsageError(f"--{option.replace('_', '-')} goes with --protocol mcp")
    host.answer_all(words.protocol, lambda: load_own(entry, Path.cwd()))
    return 0


def _serve_mcp(words: argparse.Namespace, entry: str) -> int:
    from pathlib import Path

    from treeproof.candidate import serving

    return serving.serve_mcp(
        entry,
        root=Path(words.root or "."),
        config=Path(words.config) if words.config else None,
        address=words.http,
        trusts_context=words.trust_context,
    )
