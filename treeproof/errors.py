"""The exceptions that end a command: UsageError for bad input (exit 2), Fault (exit 4); functions for messages."""

import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NoReturn

MAX_LISTED = 40
"""The names in one message: one line must be readable, also about a document of 2,000 rules."""


class UsageError(Exception):
    """The command line, a manifest, a baseline, a feature or a catalogue is wrong; nothing ran (exit 2).

    The message is one line: ``place: problem; fix``. The place is a file, a key or an id.
    """


class FileError(UsageError):
    """A file cannot be read. `line` counts from 1; it is 0 for the whole file."""

    def __init__(self, file: Path, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file, self.line, self.problem = file, line, problem


_FILE_TYPES = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def why_unreadable(file: Path, max_bytes: int) -> str | None:
    """Return why a file must not be read: it is not a regular file, or longer than ``max_bytes``; None otherwise.

    Follows links. Raises OSError.
    """
    state = file.stat()
    if not stat.S_ISREG(state.st_mode):
        return f"is {_FILE_TYPES.get(stat.S_IFMT(state.st_mode), 'something else')}, not a file"
    return f"longer than {max_bytes >> 20} MiB" if state.st_size > max_bytes else None


def check_readable(file: Path, max_bytes: int, expected: str) -> None:
    """Raise UsageError for a file that must not or cannot be read; ``expected`` describes the right file."""
    try:
        why = why_unreadable(file, max_bytes)
    except (OSError, ValueError) as error:
        why = f"cannot be read: {getattr(error, 'strerror', None) or error}"
    if why is not None:
        raise UsageError(f"{file}: {why}; name {expected}")


def format_exception(error: BaseException, module: str) -> str:
    """Return one line for an exception of the user's ``module``; it begins with the place in that module."""
    import traceback

    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    # The module of a pack has the name of the pack's package before its own.
    named = [(f".{frame.f_globals.get('__name__', '')}", frame.f_code.co_filename) for frame, _ in frames]
    own = [file for name, file in named if name.endswith(f".{module}")]
    folder = f"{Path(own[-1]).parent}/" if own else None  # includes modules beside it
    places = [f"{frame.f_code.co_filename}:{line}: " for frame, line in frames]
    place = next((place for place in reversed(places) if folder and place.startswith(folder)), "")
    try:
        text = str(error)
    except Exception:  # __str__ may raise anything
        text = "(it cannot be shown)"
    if isinstance(error, SyntaxError) and error.filename:
        place, text = f"{error.filename}:{error.lineno}: ", error.msg
    return f"{place}{type(error).__name__}: {' '.join(text.split())[:300]}".rstrip(": ")


def closest_match(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """Return the known name that is most similar to ``name``, if any reaches the similarity ``cutoff`` (0 to 1)."""
    import difflib  # slow to import, and rarely needed

    return next(iter(difflib.get_close_matches(name, list(known), 1, cutoff)), None)


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a fix for an unknown word: the nearest known word, or the list of all."""
    candidates = list(known)
    near = closest_match(word, candidates, 0.6)
    if near:
        return f'write "{near}"'
    return f"write one of: {listed(candidates)}" if candidates else "nothing is allowed here"


def listed(names: Sequence[str]) -> str:
    """Return names for a message, at most 40 of them."""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"{', '.join(names[:MAX_LISTED])}{more}"


_BOM_MESSAGE = "begins with a byte order mark; save the file as UTF-8 without one"


def format_parse_error(error: Exception, language: str) -> str:
    """Return the problem of a file that should be ``language`` (JSON, TOML), without terms of Python."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8; save the file as UTF-8"
    if isinstance(error, RecursionError):
        return f"not {language}: nested too deeply"
    text = str(error)
    if text.startswith("Unexpected UTF-8 BOM"):
        return _BOM_MESSAGE
    if text.startswith("Exceeds the limit"):  # of digits: a plain ValueError, without a place
        return f"not readable as {language}: a number is too long"
    return f"not {language}: {text}"


def reject_json_constant(constant: str) -> NoReturn:
    """Reject NaN and infinities, which Python's JSON parser accepts (``parse_constant``). Raises ValueError."""
    raise ValueError(f"{constant} is not a valid value")


def abbreviated_json(value: object) -> str:
    """Return a value as JSON of at most 60 characters, for an error message."""
    import json  # only needed for errors

    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"


FaultOrigin = Literal["adapter", "candidate", "harness", "specification"]


class Fault(Exception):
    """The adapter, the candidate's process, treeproof itself or code of a specification failed: there is no verdict.

    For the origin "specification", ``detail`` is ``NAME: place: problem; fix``.
    """

    def __init__(self, origin: FaultOrigin, detail: str) -> None:
        super().__init__(
            f"fault of the specification {detail}" if origin == "specification" else f"{origin} fault: {detail}"
        )
        self.origin = origin
        self.detail = detail
