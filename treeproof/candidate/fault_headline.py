"""The message of an uncaught exception in the stderr of a process, in the forms of common languages. Runs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_MAX_LINES = 2000
_MAX_FRAME_LINES = 500

_PYTHON = re.compile(r"(?P<margin>\s*\+ Exception Group |)Traceback \(most recent call last\):")
_PYTHON_MARGIN = re.compile(r"\s*\| ")
_GO = re.compile(r"(?:panic|fatal error): .")
_JAVA = re.compile(r'Exception in thread "[^"]*" (?P<message>.+)')
_RUST = re.compile(r"thread '[^']*'(?: \(\d+\))? panicked at .+")
_CPP = re.compile(r"terminate called after throwing an instance of '(?P<type>[^']*)'")
_FRAME = re.compile(r"\s+(?:at |from )\S")
"""A line of a stack that follows the message: JavaScript, Java and C# (``at``), Ruby (``from``)."""
_NESTED_CAUSE = re.compile(r"\s*(?:Caused by: |Suppressed: |\.\.\. \d+ more)")
_MESSAGE_START = re.compile(r"(?:Uncaught )?(?:[A-Z][\w.$]*)?(?:Error|Exception)\b")


def find_headline(text: str) -> str:
    """Return the message of the last uncaught exception in ``text``, the stderr of a process that has ended.

    Without an exception in a known form: the last line that is not blank; "" if there is none.
    """
    lines = [line.rstrip() for line in text.splitlines()[-_MAX_LINES:]]
    found = ""
    for at, line in enumerate(lines):
        message = next((message for read in _READERS if (message := read(lines, at))), "")
        # A process that aborts because of an exception repeats itself in less detail.
        if message and not (found and line.startswith("fatal error: ")):
            found = message
    return found or next((line.strip() for line in reversed(lines) if line.strip()), "")


def _read_python(lines: Sequence[str], at: int) -> str:
    header = _PYTHON.match(lines[at])
    if header is None:
        return ""
    for line in lines[at + 1 : at + 1 + _MAX_FRAME_LINES]:
        text = _PYTHON_MARGIN.sub("", line, count=1) if header["margin"] else line
        if text and not text[0].isspace():
            return text
    return ""


def _read_go(lines: Sequence[str], at: int) -> str:
    return lines[at] if _GO.match(lines[at]) else ""


def _read_java(lines: Sequence[str], at: int) -> str:
    found = _JAVA.match(lines[at])
    return "" if found is None else found["message"]


def _read_rust(lines: Sequence[str], at: int) -> str:
    line = lines[at]
    if not _RUST.match(line):
        return ""
    if line.endswith(":") and at + 1 < len(lines):  # since Rust 1.73 the message has a line of its own
        return f"{line} {lines[at + 1].strip()}"
    return line


def _read_cpp(lines: Sequence[str], at: int) -> str:
    found = _CPP.match(lines[at])
    if found is None:
        return ""
    what = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return f"{found['type']}: {what.removeprefix('what():').strip()}" if what.startswith("what():") else found["type"]


def _read_stack(lines: Sequence[str], at: int) -> str:
    """Return the message above the frames that begin at a line; "" elsewhere and for the cause of another exception."""
    if not _FRAME.match(lines[at]) or at == 0 or _FRAME.match(lines[at - 1]) or not lines[at - 1].strip():
        return ""
    if any(_NESTED_CAUSE.match(line) or _JAVA.match(line) for line in lines[max(0, at - 1) : at]):
        return ""
    # A message may have several lines; its first names the class.
    for line in reversed(lines[max(0, at - 10) : at]):
        if not line.strip() or _FRAME.match(line):
            break
        if _MESSAGE_START.match(line):
            return line
    return lines[at - 1].strip()


_READERS: tuple[Callable[[Sequence[str], int], str], ...] = (
    _read_python,
    _read_go,
    _read_java,
    _read_rust,
    _read_cpp,
    _read_stack,
)
