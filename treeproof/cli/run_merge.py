"""The verbs that judge a candidate or put judgements together: run, merge."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TextIO

from treeproof.cli.output import ignore_broken_pipe, print_error
from treeproof.cli.packs import load_bundled
from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.report.catalogue_context import CatalogueContext, MutantSummary
    from treeproof.report.document import Document
    from treeproof.report.formats.registry import ReportRequest
    from treeproof.run.interrupts import Interrupts
    from treeproof.spec import Pack


def run(args: argparse.Namespace) -> int:
    from treeproof.run.interrupts import Interrupts

    with Interrupts(process_exits_afterwards=True) as interrupts:  # until the reports are written
        return _run_and_report(args, interrupts)


def _run_and_report(args: argparse.Namespace, interrupts: Interrupts) -> int:
    from pathlib import Path

    from treeproof.report import terminal
    from treeproof.report.atomic_write import check_writable, write
    from treeproof.report.formats import registry
    from treeproof.run.runner import Options, run
    from treeproof.verdict import Profile, baseline

    reports = registry.parse_requests(args.report)
    known = Path(args.write_baseline) if args.write_baseline else None
    if known is not None:
        check_writable(known)
    options = Options(
        target=args.target,
        specs=tuple(args.spec),
        select=tuple(args.select),
        profile=Profile(args.profile),
        seed=args.seed,
        examples=args.examples,
        baseline=Path(args.baseline) if args.baseline else None,
        shard=args.shard,
        jobs=args.jobs,
    )
    with terminal.RunProgress() as progress:
        done = run(
            options, on_start=progress.on_start, on_record=progress.on_scenario_done, interrupts=interrupts
        )
    told = _text_stream(reports)
    try:
        with ignore_broken_pipe():
            if known is not None:
                write(known, baseline.format_baseline(done.judgements).encode())
            registry.write_reports(
                done.document, reports, _catalogue_contexts(one.pack for one in done.judgements)
            )
    except UsageError as lost:  # a full disk; it could be written to before the run
        terminal.print_run(done.document, told)
        print_error(str(lost))
        return 4
    with ignore_broken_pipe():
        terminal.print_run(done.document, told)
    return int(done.document["exit"])


def _catalogue_contexts(packs: Iterable[Pack]) -> list[CatalogueContext]:
    """What pages tell beyond a run: the catalogues, and their wrong implementations once somebody asks for them."""
    from treeproof.report.catalogue_context import CatalogueContext

    def caught(pack: Pack, requirement: str) -> Sequence[MutantSummary]:
        from treeproof.spec.mutants import mutants_violating

        try:
            return mutants_violating(pack, requirement)
        except UsageError:  # a zoo that is not there says nothing about the candidate
            return ()

    return [CatalogueContext(pack, partial(caught, pack)) for pack in packs]


def merge(args: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.report import terminal
    from treeproof.report.document import load
    from treeproof.report.formats import registry
    from treeproof.report.merging import RunReport, group_runs, merge_shards

    found = group_runs([RunReport(Path(file), load(Path(file))) for file in args.reports])
    if len(found) > 1:
        return _write_matrix([merge_shards(one) for one in found], args.report)
    reports = registry.parse_requests(args.report)
    whole = merge_shards(found[0])
    packs = [pack for spec in whole["specs"] for pack in load_bundled(spec["name"])]
    with ignore_broken_pipe():
        registry.write_reports(whole, reports, _catalogue_contexts(packs))
    with ignore_broken_pipe():
        terminal.print_run(whole, _text_stream(reports))
    return int(whole["exit"])


def _write_matrix(documents: Sequence[Document], reports: Sequence[str]) -> int:
    """Write and print the matrix. Its exit code judges nobody: each run had its own."""
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.formats import registry
    from treeproof.report.matrix import build_matrix
    from treeproof.report.matrix_terminal import print_matrix

    requests = registry.parse_requests(reports, registry.MATRIX_FORMATS)
    found = build_matrix(documents)
    registry.write_matrix(found, requests)
    print_matrix(found, ConsoleWriter(console_for(_text_stream(requests))))
    return 0


def _text_stream(requests: Sequence[ReportRequest]) -> TextIO:
    """Where a person is told what came of it: not between the lines of a report on standard output."""
    from treeproof.report.formats import registry

    return sys.stderr if registry.writes_to_stdout(requests) else sys.stdout
