"""What a user can get wrong. One class, so that every room reports bad input in the same way: one line, exit 2."""

import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn


class UsageError(Exception):
    """The call's words, a manifest, a baseline, a feature or a catalogue are wrong; nothing ran (exit 2).

    The message is one line that names the file, key or id, what is wrong and what to write instead.
    """


_FILE_TYPES = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
_MAX_TOML_BYTES = 4 << 20


def why_unreadable(file: Path, max_bytes: int) -> str | None:
    """Return why a file is not even opened: it is none (a FIFO or a device may never end), or it has over ``most``
    bytes. A link counts as what it leads to. Raises OSError.
    """
    state = file.stat()
    if not stat.S_ISREG(state.st_mode):
        return f"is {_FILE_TYPES.get(stat.S_IFMT(state.st_mode), 'something else')}, no file"
    return f"longer than {max_bytes >> 20} MiB" if state.st_size > max_bytes else None


def check_readable(file: Path, max_bytes: int, expected: str) -> None:
    """Raise UsageError for a file that cannot be opened for what `unfit` says; ``instead`` is what to name."""
    try:
        why = why_unreadable(file, max_bytes)
    except (OSError, ValueError) as problem:
        why = f"cannot be read: {getattr(problem, 'strerror', None) or problem}"
        raise UsageError(f"{file}: {why}; name {expected}") from problem
    if why is not None:
        raise UsageError(f"{file}: {why}; name {expected}")


def format_exception(error: BaseException, module: str) -> str:
    """Return what somebody's own ``module`` raised, in one line that begins with the place in it."""
    import traceback

    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    own = [frame.f_code.co_filename for frame, _ in frames if frame.f_globals.get("__name__") == module]
    folder = f"{Path(own[-1]).parent}/" if own else None  # what it imports from beside it is its own, too
    places = [f"{frame.f_code.co_filename}:{line}: " for frame, line in frames]
    place = next((place for place in reversed(places) if folder and place.startswith(folder)), "")
    try:
        said = str(error)
    except Exception:  # its __str__ may do anything
        said = "(it cannot be shown)"
    if isinstance(error, SyntaxError) and error.filename:
        place, said = f"{error.filename}:{error.lineno}: ", error.msg
    return f"{place}{type(error).__name__}: {' '.join(said.split())[:300]}".rstrip(": ")


def closest_match(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """Return the known name that is most similar to ``name``, if any reaches the similarity ``cutoff`` (0 to 1)."""
    import difflib  # slow to import, and rarely needed

    return next(iter(difflib.get_close_matches(name, list(known), 1, cutoff)), None)


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown name: the closest known name, else all known names."""
    near = closest_match(name, known)
    return f"did you mean {near!r}?" if near else f"known: {', '.join(known)}"


def load_toml(file: Path) -> dict[str, Any]:
    """Return what a TOML file holds. Raises UsageError that names the file and what is wrong with it."""
    import tomllib  # here: not every verb reads one

    check_readable(file, _MAX_TOML_BYTES, "a TOML file")
    try:
        text = file.read_text("utf-8")
        if text.startswith("\ufeff"):
            raise UsageError(f"{file}: {_BOM_MESSAGE}")
        return tomllib.loads(text)
    except OSError as problem:
        raise UsageError(f"{file}: cannot be read: {problem.strerror}; name a TOML file") from problem
    except (ValueError, RecursionError) as problem:
        told = format_parse_error(problem, "TOML")
        mend = "; correct it, or name a TOML file" if told.startswith("not") else ""
        raise UsageError(f"{file}: {told}{mend}") from problem


_BOM_MESSAGE = "begins with a byte order mark; save the file as UTF-8 without one"


def format_parse_error(problem: Exception, language: str) -> str:
    """Return what is wrong with a file that should be ``language`` (JSON, TOML), for somebody who knows no Python."""
    if isinstance(problem, UnicodeDecodeError):
        return f"byte {problem.start} is not UTF-8; save the file as UTF-8"
    if isinstance(problem, RecursionError):
        return f"not {language}: nested too deeply"
    said = str(problem)
    if said.startswith("Unexpected UTF-8 BOM"):
        return _BOM_MESSAGE
    if said.startswith("Exceeds the limit"):  # of digits: a plain ValueError, without a place
        return f"not {language} that can be read: a number is too long"
    return f"not {language}: {said}"


def reject_json_constant(constant: str) -> NoReturn:
    """Refuse what Python's reader of JSON lets pass (``parse_constant``): NaN and infinities. Raises ValueError."""
    raise ValueError(f"{constant} is no value of it")


def abbreviated_json(value: object) -> str:
    """Return a value as a JSON or TOML file writes it, cut to what a line of a message can hold."""
    import json  # here: only who errs pays for it

    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"
