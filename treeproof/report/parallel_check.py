"""The check of many run documents on several processors: their schema, their own records, the installed catalogue.

Child processes inherit the parsed documents and return notes alone. A few documents are checked without them.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_all_start_methods, get_context

from treeproof.processors import usable_processors
from treeproof.report.document import validate_file
from treeproof.report.merging import RunReport
from treeproof.report.report_check import check_report
from treeproof.spec import Pack

MIN_REPORTS = 20
"""The least number of documents for which child processes save time."""
_MAX_PROCESSES = 8
_CHUNK_SIZE = 4

FindPacks = Callable[[str], Sequence[Pack]]


def check_reports(reports: Sequence[RunReport], bundled: FindPacks) -> list[str]:
    """Return the notes of `check_report` on parsed documents, each once; first check them against the schema.

    Raises UsageError for the first document that is wrong.
    """
    processes = _count_processes(len(reports))
    if processes > 1:
        try:
            return _unique(_check_in_processes(reports, bundled, processes))
        except BrokenProcessPool:  # a child was killed, for example for its memory
            pass
    return _unique(_check(report, bundled) for report in reports)


def _count_processes(count: int) -> int:
    if count < MIN_REPORTS or "fork" not in get_all_start_methods():
        return 1
    return min(usable_processors(), _MAX_PROCESSES)


def _check(report: RunReport, bundled: FindPacks) -> list[str]:
    validate_file(report.document, report.file)
    return check_report(report, bundled)


def _unique(notes: Iterator[list[str]]) -> list[str]:
    return list(dict.fromkeys(note for one in notes for note in one))


def _check_in_processes(reports: Sequence[RunReport], bundled: FindPacks, processes: int) -> Iterator[list[str]]:
    children = ProcessPoolExecutor(processes, get_context("fork"), _inherit, (reports, bundled))
    try:
        yield from children.map(_check_inherited, range(len(reports)), chunksize=_CHUNK_SIZE)
    finally:
        children.shutdown(cancel_futures=True)


_inherited: tuple[Sequence[RunReport], FindPacks]
"""What a child process has inherited: the documents, and the function that finds installed packs."""


def _inherit(reports: Sequence[RunReport], bundled: FindPacks) -> None:
    global _inherited
    _inherited = reports, bundled
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the children


def _check_inherited(position: int) -> list[str]:
    reports, bundled = _inherited
    return _check(reports[position], bundled)
