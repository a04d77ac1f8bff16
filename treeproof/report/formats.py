"""The table of report formats, and the words `--report FORMAT=FILE`. One line a format; none is made here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError
from treeproof.report import document, markdown, matrix_files
from treeproof.report.background import Background
from treeproof.report.document import Document
from treeproof.report.escape import visible
from treeproof.report.matrix import Matrix
from treeproof.report.programs import badge, ctrf, github, junit, sarif, tap
from treeproof.report.writing import check_writable, write

Dump = Callable[[Document], bytes]
"""Turns a run document into the bytes of a file."""

Table = Mapping[str, Callable[[Any], bytes] | Mapping[str, Callable[[Any], bytes]]]
"""Format name to its dump; where the end of the file's name decides, each ending to its dump."""


def page(run: Document, backgrounds: Sequence[Background] = ()) -> bytes:
    """Return the page of ``run`` for a browser, explained by the catalogues that fit it."""
    from treeproof.report import html  # here: only who asks for a page pays for its templates

    return html.dump(run, backgrounds)


FORMATS: Mapping[str, Dump | Mapping[str, Dump]] = {
    "html": page,
    "json": document.dump,
    "junit": junit.dump,
    "markdown": markdown.dump,
    "sarif": sarif.dump,
    "tap": tap.dump,
    "ctrf": ctrf.dump,
    "github": github.dump,
    "badge": {".json": badge.endpoint, ".svg": badge.picture},
}
"""The formats of one run."""


def matrix_page(matrix: Matrix) -> bytes:
    """Return the page of ``matrix`` for a browser."""
    from treeproof.report.html import matrix_page as html  # here: as above

    return html.dump(matrix)


MATRIX_FORMATS: Mapping[str, Callable[[Matrix], bytes]] = {
    "html": matrix_page,
    "json": matrix_files.as_json,
    "markdown": matrix_files.markdown,
}
"""The formats of many runs side by side."""

STANDARD_OUTPUT = Path("-")


def dumps() -> Iterator[tuple[str, Dump]]:
    """Yield every way to write a run document, with a name: the format's, and the file's ending where that decides."""
    for name, dump in FORMATS.items():
        if callable(dump):
            yield name, dump
        else:
            yield from ((f"{name}{suffix}", each) for suffix, each in dump.items())


@dataclass(frozen=True)
class Request:
    """One ``--report FORMAT=FILE``; the file ``-`` is standard output."""

    format: str
    path: Path
    dump: Callable[[Any], bytes]


def requested(words: Iterable[str], formats: Table = FORMATS) -> tuple[Request, ...]:
    """Read and check every ``FORMAT=FILE``, before anything runs.

    Raises UsageError for an unknown format, a missing file name, a file named twice, a file that cannot be
    written.
    """
    requests: list[Request] = []
    taken: dict[Path, str] = {}
    for word in words:
        name, equals, file = word.partition("=")
        if name not in formats:
            raise UsageError(
                f"--report {visible(word)}: unknown format {visible(name)!r}; formats are {', '.join(formats)}"
            )
        if not equals or not file:
            raise UsageError(f"--report {visible(word)}: no file; write {name}=FILE")
        path = Path(file)
        dump = _dump(word, name, path, formats[name])
        place = path
        if path != STANDARD_OUTPUT:
            check_writable(path)
            place = path.resolve()
        if place in taken:
            raise UsageError(
                f"--report {visible(word)}: {taken[place]} goes to the same file; name another one"
            )
        taken[place] = visible(word)
        requests.append(Request(name, path, dump))
    return tuple(requests)


def _dump(
    word: str,
    name: str,
    path: Path,
    dumps: Callable[[Any], bytes] | Mapping[str, Callable[[Any], bytes]],
) -> Callable[[Any], bytes]:
    if callable(dumps):
        return dumps
    if path.suffix not in dumps:
        instead = " or ".join(f"{name}=FILE{suffix}" for suffix in dumps)
        raise UsageError(f"--report {visible(word)}: the file's name decides; write {instead}")
    return dumps[path.suffix]


def to_standard_output(requests: Iterable[Request]) -> bool:
    """Return True when one of the reports takes standard output, so that nothing else may be written to it."""
    return any(request.path == STANDARD_OUTPUT for request in requests)


def write_all(run: Document, requests: Sequence[Request], backgrounds: Sequence[Background] = ()) -> None:
    """Write every requested report of ``run``; each file is replaced in one step.

    Pages are explained by ``backgrounds``. Raises UsageError, and BrokenPipeError when nobody reads standard output.
    """
    rendered = [
        (request.path, page(run, backgrounds) if request.dump is page else request.dump(run))
        for request in requests
    ]
    _write(rendered)


def write_matrix(matrix: Matrix, requests: Sequence[Request]) -> None:
    """Write every requested report of ``matrix``, as `write_all` does."""
    _write([(request.path, request.dump(matrix)) for request in requests])


def _write(rendered: Iterable[tuple[Path, bytes]]) -> None:
    for path, data in rendered:
        if path == STANDARD_OUTPUT:
            sys.stdout.flush()  # what was said before in text
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            write(path, data)
