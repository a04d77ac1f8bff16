"""The commands that judge a candidate, and merge and compare reports: run, merge, compare."""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from treeproof.cli.output import discard_blocked_streams, discard_stdout, ignore_broken_pipe, print_error, print_line
from treeproof.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from treeproof.report.formats.registry import ReportRequest
    from treeproof.run.interrupts import Interrupts
    from treeproof.spec import Pack
    from treeproof.spec.mutants import Mutant
    from treeproof.verdict.run_document import RunDocument


def run(args: argparse.Namespace) -> int:
    """Judge a candidate.

    Run the scenarios of the specifications that it claims, and report a verdict for each requirement.
    """
    if args.watch:
        from treeproof.cli.watch import watch

        return watch(args, sys.argv[1:])
    from treeproof.run.interrupts import Interrupts

    with Interrupts(process_exits_afterwards=True) as interrupts:  # active until the reports are written
        return _run_and_report(args, interrupts)


def _run_and_report(args: argparse.Namespace, interrupts: Interrupts) -> int:
    from pathlib import Path

    from treeproof.report import terminal
    from treeproof.report.formats import registry
    from treeproof.run.runner import Options, run
    from treeproof.verdict import Profile

    reports = registry.parse_requests(args.report)
    if args.write_baseline:
        from treeproof.cli.baseline_file import BaselineFile
    new_baseline = BaselineFile(Path(args.write_baseline)) if args.write_baseline else None
    options = Options(
        target=args.target,
        specs=tuple(args.spec),
        select=(*args.select, *_failed_scenarios(args.failed)),
        profile=Profile(args.profile) if args.profile else None,
        seed=args.seed,
        examples=args.examples,
        baseline=Path(args.baseline) if args.baseline else None,
        shard=args.shard,
        jobs=args.jobs,
        isolate=args.isolate,
        mutant=args.mutant,
        reruns=True,
        documents=tuple(map(Path, args.document)),
    )
    with terminal.RunProgress() as progress:
        done = run(
            options,
            on_start=lambda hello, total: progress.on_start(f"{hello.name} {hello.version}".strip(), total),
            on_record=progress.on_scenario_done,
            interrupts=interrupts,
        )
    stream = _text_stream(reports)
    try:
        with interrupts.ending(), ignore_broken_pipe():
            try:
                if new_baseline is not None:
                    print_line(new_baseline.write(done))
                registry.write_reports(done.document, reports, [one.pack for one in done.judgements], _killed)
            except UsageError as error:  # a full disk: the file was writable before the run
                terminal.print_run(done.document, stream, verbose=args.verbose)
                print_error(str(error))
                return 4
            except BrokenPipeError:
                discard_stdout()
            terminal.print_run(done.document, stream, verbose=args.verbose)
            stream.flush()
    except KeyboardInterrupt:
        discard_blocked_streams()
        raise
    return done.document.exit


def _failed_scenarios(report: str | None) -> Sequence[str]:
    """Return the scenarios that failed or broke in a report; none, with a note, if nothing did. Raises UsageError."""
    if report is None:
        return ()
    from pathlib import Path

    from treeproof.report.document import load

    found = [one.id for one in load(Path(report)).failed_scenarios]
    if not found:
        print_error(f"--failed {report}: nothing failed or broke there; everything runs")
    return found


def _killed(pack: Pack, requirement: str) -> Sequence[Mutant]:
    """Return the mutants that violate a requirement; none if they cannot be loaded, which must not fail a run."""
    from treeproof.spec.mutants import mutants_violating

    try:
        return mutants_violating(pack, requirement)
    except UsageError:
        return ()


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Collect no garbage: it would look through the documents of all reports again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@_without_garbage_collection()
def merge(args: argparse.Namespace) -> int:
    """Merge the shards of one run, or compare runs of several candidates.

    The reports of several candidates become a matrix of requirements and candidates. One report is written again in
    other formats: merge RUN.json --report html=FILE.
    """
    from pathlib import Path

    from treeproof.report import terminal
    from treeproof.report.document import parse_file
    from treeproof.report.formats import registry
    from treeproof.report.merging import RunReport, group_runs, merge_shards
    from treeproof.report.report_check import check_reports
    from treeproof.spec.contract import find_installed
    from treeproof.spec.quotations import use_documents

    given = [RunReport(Path(file), parse_file(Path(file))) for file in args.reports]
    find = functools.cache(find_installed)
    notes = check_reports(given, find)
    found = group_runs(given)
    for note in notes:
        print_line(note)
    if len(found) > 1 and args.document:
        raise UsageError("merge: --document is for the report of one run; leave it out to compare several candidates")
    if len(found) > 1:
        pages = [one[0].file.with_suffix(".html") for one in found]
        return _write_matrix([merge_shards(one, find) for one in found], pages, args.report)
    reports = registry.parse_requests(args.report)
    whole = merge_shards(found[0], find)
    packs = list(filter(None, found[0][0].packs(find)))
    use_documents([Path(one) for one in args.document], packs)
    with ignore_broken_pipe():
        registry.write_reports(whole, reports, packs, _killed)
    with ignore_broken_pipe():
        terminal.print_run(whole, _text_stream(reports), verbose=args.verbose)
    return whole.exit


def _write_matrix(documents: Sequence[RunDocument], pages: Sequence[Path], reports: Sequence[str]) -> int:
    """Write and print the matrix, and return 0: each run had its own exit code.

    The HTML page links to the ``pages`` of the runs that exist: the reports in HTML beside those in JSON.
    """
    import os
    from urllib.parse import quote

    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.formats import registry
    from treeproof.report.matrix import build_matrix
    from treeproof.report.matrix_report import print_matrix

    requests = registry.parse_requests(reports, registry.MATRIX_FORMATS)
    place = next((one.file.path.parent for one in requests if one.format == "html" and one.file is not None), None)
    addresses = {
        position: quote(os.path.relpath(page, place))
        for position, page in enumerate(pages)
        if place is not None and page.is_file()
    }
    found = build_matrix(documents, addresses)
    registry.write_joint(found, requests)
    print_matrix(found, ConsoleWriter(console_for(_text_stream(requests))))
    return 0


def compare(args: argparse.Namespace) -> int:
    """Compare two runs of a candidate.

    Print what fails newly, what is fixed, what fails in another way, and which verdicts and readings changed.
    """
    from pathlib import Path

    from treeproof.report.comparison import compare_runs
    from treeproof.report.comparison_report import print_comparison
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.document import parse_file
    from treeproof.report.formats import registry
    from treeproof.report.merging import RunReport, check_distinct
    from treeproof.report.report_check import check_records
    from treeproof.spec.contract import find_installed

    requests = registry.parse_requests(args.report, registry.COMPARISON_FORMATS)
    files = [Path(file) for file in (args.old, args.new)]
    check_distinct(files)
    reports = [RunReport(file, parse_file(file)) for file in files]
    find = functools.cache(find_installed)
    for report in reports:
        check_records(report, find)
    found = compare_runs(reports[0].document, reports[1].document, (str(files[0]), str(files[1])))
    with ignore_broken_pipe():
        registry.write_joint(found, requests)
    with ignore_broken_pipe():
        print_comparison(found, ConsoleWriter(console_for(_text_stream(requests))))
    return found.exit


def _text_stream(requests: Sequence[ReportRequest]) -> TextIO:
    """Return the stream of the terminal report: stderr if another report is written to standard output."""
    from treeproof.report.formats import registry

    return sys.stderr if registry.writes_to_stdout(requests) else sys.stdout
