"""Shell commands in reports: they can be copied, and show unprintable characters."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from treeproof.report.escape import visible


def shell_command(arguments: Iterable[str]) -> str:
    """Return the arguments as one shell line; unprintable ones are written as ``$'…'`` (bash and zsh)."""
    return " ".join(map(_quote_argument, arguments))


def _quote_argument(text: str) -> str:
    if visible(text) == text:
        return shlex.quote(text)
    return f"$'{''.join(map(_escape_character, text))}'"


def _escape_character(character: str) -> str:
    if character in "'\\":
        return f"\\{character}"
    if visible(character) == character:
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
