"""The table of report formats, and the words `--report FORMAT=FILE`. One line a format; none is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.report import document, junit
from treeproof.report.document import Document
from treeproof.report.escape import visible
from treeproof.report.writing import check_writable, write

FORMATS: Mapping[str, Callable[[Document], bytes]] = {
    "json": document.dump,
    "junit": junit.dump,
}
"""Format name to the function that turns a run document into the bytes of a file."""


@dataclass(frozen=True)
class Request:
    """One ``--report FORMAT=FILE``."""

    format: str
    path: Path


def requested(words: Iterable[str]) -> tuple[Request, ...]:
    """Read and check every ``FORMAT=FILE``, before anything runs.

    Raises UsageError for an unknown format, a missing file name, a file named twice, a file that cannot be
    written.
    """
    requests: list[Request] = []
    taken: dict[Path, str] = {}
    for word in words:
        name, equals, file = word.partition("=")
        if name not in FORMATS:
            known = ", ".join(sorted(FORMATS))
            raise UsageError(
                f"--report {visible(word)}: unknown format {visible(name)!r}; formats are {known}"
            )
        if not equals or not file:
            raise UsageError(f"--report {visible(word)}: no file; write {name}=FILE")
        path = Path(file)
        check_writable(path)
        place = path.resolve()
        if place in taken:
            raise UsageError(
                f"--report {visible(word)}: {taken[place]} goes to the same file; name another one"
            )
        taken[place] = visible(word)
        requests.append(Request(name, path))
    return tuple(requests)


def write_all(run: Document, requests: Sequence[Request]) -> None:
    """Write every requested report of ``run``; each file is replaced in one step. Raises UsageError."""
    rendered = [(request.path, FORMATS[request.format](run)) for request in requests]
    for path, data in rendered:
        write(path, data)
