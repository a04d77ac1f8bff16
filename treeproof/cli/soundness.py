"""The verbs that tell whether a verdict can be relied on: lint, doctor, adequacy."""

from __future__ import annotations

import argparse
import sys

from treeproof.cli.packs import packs_of


def lint(words: argparse.Namespace) -> int:
    from treeproof.report.findings import print_findings
    from treeproof.report.page import Page, console_for
    from treeproof.run.linting import findings_of

    return print_findings(findings_of(words.paths), Page(console_for(sys.stdout)))


def doctor(words: argparse.Namespace) -> int:
    from treeproof.report.doctor import print_checks, print_machine
    from treeproof.report.page import Page, console_for
    from treeproof.run.doctor import examine, machine_report
    from treeproof.run.interrupts import Interrupts

    page = Page(console_for(sys.stdout))
    with Interrupts(last=True) as stop:
        with stop.waiting():
            if words.target is None:
                code = print_machine(machine_report(), page)
            else:
                code = print_checks(examine(words.target), page)
        stop.check()  # what a signal raises is lost where Python cannot pass it on
    return code


def adequacy(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.adequacy.drive import adequacy
    from treeproof.adequacy.telling import Progress, print_matrix, report
    from treeproof.adequacy.zoo import selected
    from treeproof.report.page import Page, console_for
    from treeproof.report.writing import check_writable, write
    from treeproof.run.interrupts import Interrupts

    file = Path(words.report) if words.report else None
    if file is not None:
        check_writable(file)
    page = Page(console_for(sys.stdout))
    code, found = 0, []
    with Interrupts(last=True) as stop:
        for pack, ids in selected(packs_of(words.spec), words.select):
            with stop.waiting(), Progress() as progress:
                result = adequacy(pack, ids=ids, full=words.full, jobs=words.jobs, done=progress.done)
            found.append((pack, result))
            print_matrix(pack, result, page)
            code = max(code, 1 if result.broken_gates() else 0)
        stop.check()
    if file is not None:
        write(file, report(found))
    return code
