"""The argument of FS.WalkDir: the published schema, and the tool's own check. No I/O."""

from typing import Any

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}


class CallRefused(Exception):
    """A call that returns nil. The message goes to the log."""


class ArgumentParser:
    """Parses the arguments of one call. Raises CallRefused."""

    def parse_path(self, arguments: Any) -> str:
        """Return the requested start path (Behaviour 1)."""
        if not isinstance(arguments, dict):
            raise CallRefused("the arguments must be an object with the one name path")
        if arguments.keys() != {"path"}:
            raise CallRefused(f"exactly one argument is needed, path, not {len(arguments)}")
        text = arguments["path"]
        if not isinstance(text, str):
            raise CallRefused("path must be a string")
        if not text:
            raise CallRefused("path must not be empty")
        if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
            raise CallRefused("path must not hold NUL or unpaired surrogates")
        return text
