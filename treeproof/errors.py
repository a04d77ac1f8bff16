"""What a user can get wrong. One class, so that every room reports bad input in the same way: one line, exit 2."""

from pathlib import Path
from typing import Any, NoReturn


class UsageError(Exception):
    """The call's words, a manifest, a baseline, a feature or a catalogue are wrong; nothing ran (exit 2).

    The message is one line that names the file, key or id, what is wrong and what to write instead.
    """


def toml_of(file: Path) -> dict[str, Any]:
    """Return what a TOML file holds. Raises UsageError that names the file and what is wrong with it."""
    import tomllib  # here: not every verb reads one

    try:
        text = file.read_text("utf-8")
        if text.startswith("\ufeff"):
            raise UsageError(f"{file}: {_MARKED}")
        return tomllib.loads(text)
    except OSError as problem:
        raise UsageError(f"{file}: cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{file}: {unreadable(problem, 'TOML')}") from problem


_MARKED = "begins with a byte order mark; save the file as UTF-8 without one"


def unreadable(problem: Exception, language: str) -> str:
    """Return what is wrong with a file that should be ``language`` (JSON, TOML), for somebody who knows no Python."""
    if isinstance(problem, UnicodeDecodeError):
        return f"byte {problem.start} is not UTF-8; save the file as UTF-8"
    if isinstance(problem, RecursionError):
        return f"not {language}: nested too deeply"
    said = str(problem)
    if said.startswith("Unexpected UTF-8 BOM"):
        return _MARKED
    if said.startswith("Exceeds the limit"):  # of digits: a plain ValueError, without a place
        return f"not {language} that can be read: a number is too long"
    return f"not {language}: {said}"


def no_json(constant: str) -> NoReturn:
    """Refuse what Python's reader of JSON lets pass (``parse_constant``): NaN and infinities. Raises ValueError."""
    raise ValueError(f"{constant} is no value of it")


def written(value: object) -> str:
    """Return a value as a JSON or TOML file writes it, cut to what a line of a message can hold."""
    import json  # here: only who errs pays for it

    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"
