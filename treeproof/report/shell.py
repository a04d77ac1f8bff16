"""Words for a shell: what a person copies out of a report means what it meant, and shows all that it holds."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from treeproof.report.escape import visible


def shell_command(arguments: Iterable[str]) -> str:
    """Return the words as one line for a shell; what cannot be seen is spelled in ``$'…'``, which bash and zsh read."""
    return " ".join(map(_quote_argument, arguments))


def _quote_argument(text: str) -> str:
    if visible(text) == text:
        return shlex.quote(text)
    spelled = "".join(_escape_character(character) for character in text)
    return f"$'{spelled}'"


def _escape_character(character: str) -> str:
    if character in "'\\":
        return f"\\{character}"
    if visible(character) == character:
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
