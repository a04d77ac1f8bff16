"""The verbs that judge a candidate or put judgements together: run, merge."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TextIO

from treeproof.cli.output import complain, whoever_reads
from treeproof.cli.packs import bundled
from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.report.background import Background, Caught
    from treeproof.report.document import Document
    from treeproof.report.formats import Request
    from treeproof.run.interrupts import Interrupts
    from treeproof.spec import Pack


def run(words: argparse.Namespace) -> int:
    from treeproof.run.interrupts import Interrupts

    with Interrupts(last=True) as interrupts:  # until the reports are written
        return _judge(words, interrupts)


def _judge(words: argparse.Namespace, interrupts: Interrupts) -> int:
    from pathlib import Path

    from treeproof.report import formats, terminal
    from treeproof.report.writing import check_writable, write
    from treeproof.run.runner import Options, run
    from treeproof.verdict import Profile, baseline

    reports = formats.requested(words.report)
    known = Path(words.write_baseline) if words.write_baseline else None
    if known is not None:
        check_writable(known)
    options = Options(
        target=words.target,
        specs=tuple(words.spec),
        select=tuple(words.select),
        profile=Profile(words.profile),
        seed=words.seed,
        examples=words.examples,
        baseline=Path(words.baseline) if words.baseline else None,
        shard=words.shard,
        jobs=words.jobs,
    )
    with terminal.Progress() as progress:
        done = run(options, started=progress.started, listener=progress.scenario_done, interrupts=interrupts)
    told = _told_on(reports)
    try:
        with whoever_reads():
            if known is not None:
                write(known, baseline.text(done.judgements).encode())
            formats.write_all(done.document, reports, _backgrounds(one.pack for one in done.judgements))
    except UsageError as lost:  # a full disk; it could be written to before the run
        terminal.print_run(done.document, told)
        complain(str(lost))
        return 4
    with whoever_reads():
        terminal.print_run(done.document, told)
    return int(done.document["exit"])


def _backgrounds(packs: Iterable[Pack]) -> list[Background]:
    """What pages tell beyond a run: the catalogues, and their wrong implementations once somebody asks for them."""
    from treeproof.report.background import Background

    def caught(pack: Pack, requirement: str) -> Sequence[Caught]:
        from treeproof.adequacy.zoo import caught_by

        try:
            return caught_by(pack, requirement)
        except UsageError:  # a zoo that is not there says nothing about the candidate
            return ()

    return [Background(pack, partial(caught, pack)) for pack in packs]


def merge(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.report import formats, terminal
    from treeproof.report.document import load
    from treeproof.report.merging import Part, merged, runs

    found = runs([Part(Path(file), load(Path(file))) for file in words.reports])
    if len(found) > 1:
        return _side_by_side([merged(one) for one in found], words.report)
    reports = formats.requested(words.report)
    whole = merged(found[0])
    packs = [pack for spec in whole["specs"] for pack in bundled(spec["name"])]
    with whoever_reads():
        formats.write_all(whole, reports, _backgrounds(packs))
    with whoever_reads():
        terminal.print_run(whole, _told_on(reports))
    return int(whole["exit"])


def _side_by_side(documents: Sequence[Document], reports: Sequence[str]) -> int:
    """Write and print the matrix. Its exit code judges nobody: each run had its own."""
    from treeproof.report import formats
    from treeproof.report.matrix import matrix
    from treeproof.report.matrix_terminal import print_matrix
    from treeproof.report.page import Page, console_for

    requests = formats.requested(reports, formats.MATRIX_FORMATS)
    found = matrix(documents)
    formats.write_matrix(found, requests)
    print_matrix(found, Page(console_for(_told_on(requests))))
    return 0


def _told_on(requests: Sequence[Request]) -> TextIO:
    """Where a person is told what came of it: not between the lines of a report on standard output."""
    from treeproof.report import formats

    return sys.stderr if formats.to_standard_output(requests) else sys.stdout
