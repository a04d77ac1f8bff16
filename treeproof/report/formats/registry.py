"""The table of report formats, and the parsing of `--report FORMAT=FILE`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError, closest_match
from treeproof.report import comparison_report, document, markdown, matrix_report
from treeproof.report.comparison import RunComparison
from treeproof.report.escape import visible
from treeproof.report.formats import badge, github, junit, sarif
from treeproof.report.matrix import Matrix
from treeproof.report.output_file import OutputFile
from treeproof.report.traceability_output import KilledMutants, no_mutants
from treeproof.spec import Pack
from treeproof.verdict.run_document import RunDocument

Dump = Callable[[RunDocument], bytes]
"""A function from a run document to the content of a file."""

FormatTable = Mapping[str, Callable[[Any], bytes] | Mapping[str, Callable[[Any], bytes]]]
"""Format name to its dump function, or to one dump function per file suffix."""


def dump_html(run: RunDocument, packs: Iterable[Pack] = (), mutants: KilledMutants = no_mutants) -> bytes:
    """Return ``run`` as HTML, with explanations from the matching catalogues."""
    from treeproof.report.html import run_page  # the templates are slow to import

    return run_page.dump(run, packs, mutants)


def _page(name: str) -> Callable[[Any], bytes]:
    """Return the function that makes a page of several runs; its module is imported when it is called."""
    return lambda value: bytes(import_module(f"treeproof.report.html.{name}").dump(value))


FORMATS: Mapping[str, Dump | Mapping[str, Dump]] = {
    "html": dump_html,
    "json": document.dump,
    "junit": junit.dump,
    "markdown": markdown.dump,
    "sarif": sarif.dump,
    "github": github.dump,
    "badge": {".json": badge.dump_endpoint_json, ".svg": badge.dump_svg},
}
"""The formats of one run."""


MATRIX_FORMATS: Mapping[str, Callable[[Matrix], bytes]] = {
    "html": _page("matrix_page"),
    "json": matrix_report.dump_json,
}
"""The formats of a matrix."""


COMPARISON_FORMATS: Mapping[str, Callable[[RunComparison], bytes]] = {
    "html": _page("comparison_page"),
    "json": comparison_report.dump_json,
}
"""The formats of a comparison of two runs."""

STANDARD_OUTPUT = Path("-")

_ALIASES = {"md": "markdown"}
_MEANT = {"xml": "junit", "summary": "markdown", "htm": "html"}
"""What a user probably means by a name that is no format."""


@dataclass(frozen=True)
class ReportRequest:
    """One ``--report FORMAT=FILE``; ``file`` None is standard output."""

    format: str
    file: OutputFile | None
    dump: Callable[[Any], bytes]


def parse_requests(arguments: Iterable[str], formats: FormatTable = FORMATS) -> tuple[ReportRequest, ...]:
    """Return the requests of all ``FORMAT=FILE``.

    Raises UsageError for an unknown format, a missing or duplicate file, and a file that cannot be written.
    """
    requests: list[ReportRequest] = []
    taken: dict[Path, str] = {}
    for word in arguments:
        name, equals, file = word.partition("=")
        name = _ALIASES.get(name, name)
        if name not in formats:
            near = _MEANT.get(name.lower()) or closest_match(name.lower(), formats, cutoff=0.7)
            hint = f" (did you mean {near}?)" if near in formats else ""
            raise UsageError(
                f"--report {visible(word)}: unknown format {visible(name)!r}{hint}; formats are {', '.join(formats)}"
            )
        if not equals or not file:
            raise UsageError(f"--report {visible(word)}: no file; write {name}=FILE")
        path = Path(file)
        dump = _choose_dump(word, name, path, formats[name])
        output = OutputFile(path) if path != STANDARD_OUTPUT else None
        place = output.target if output is not None else path
        if place in taken:
            raise UsageError(f"--report {visible(word)}: {taken[place]} goes to the same file; name another one")
        taken[place] = visible(word)
        requests.append(ReportRequest(name, output, dump))
    return tuple(requests)


def _choose_dump(
    word: str, name: str, path: Path, dumps: Callable[[Any], bytes] | Mapping[str, Callable[[Any], bytes]]
) -> Callable[[Any], bytes]:
    if callable(dumps):
        return dumps
    if path.suffix not in dumps:
        instead = " or ".join(f"{name}=FILE{suffix}" for suffix in dumps)
        raise UsageError(f"--report {visible(word)}: the file has no known suffix; write {instead}")
    return dumps[path.suffix]


def writes_to_stdout(requests: Iterable[ReportRequest]) -> bool:
    """Return True if a report is written to standard output, which must not contain other text then."""
    return any(request.file is None for request in requests)


def write_reports(
    run: RunDocument, requests: Sequence[ReportRequest], packs: Iterable[Pack] = (), mutants: KilledMutants = no_mutants
) -> None:
    """Write every requested report of ``run``. Raises UsageError and BrokenPipeError."""
    catalogues = list(packs)
    _write_rendered(
        (one.file, dump_html(run, catalogues, mutants) if one.dump is dump_html else one.dump(run)) for one in requests
    )


def write_joint(found: Matrix | RunComparison, requests: Sequence[ReportRequest]) -> None:
    """Write every requested report of several runs. Raises UsageError and BrokenPipeError."""
    _write_rendered((request.file, request.dump(found)) for request in requests)


def _write_rendered(rendered: Iterable[tuple[OutputFile | None, bytes]]) -> None:
    errors: list[UsageError] = []
    for file, data in rendered:
        if file is None:
            sys.stdout.flush()  # write buffered text first
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            try:
                file.write(data)
            except UsageError as error:  # the other reports are written
                errors.append(error)
    if errors:
        raise errors[0]
