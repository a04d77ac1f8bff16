"""The commands that check packs, hosts, adapters and the suite itself: lint, doctor, adequacy."""

from __future__ import annotations

import argparse
import sys

from treeproof.cli.packs import load_packs


def lint(args: argparse.Namespace) -> int:
    """Check packs offline.

    Check catalogues, feature files, steps and schemas without a candidate. Exit 2 if there is an error.
    """
    from pathlib import Path

    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.diagnostics import print_diagnostics
    from treeproof.run.pack_lint import lint_paths

    document = Path(args.document) if args.document else None
    return print_diagnostics(lint_paths(args.paths, document), ConsoleWriter(console_for(sys.stdout)))


def doctor(args: argparse.Namespace) -> int:
    """Check this host, or the adapter of a candidate.

    Without TARGET, report the facilities of this host and the requirements that depend on missing ones; exit 3 if
    there are any. With TARGET, check its connection and its declarations step by step; exit 4 if there is an error.
    """
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.doctor import print_checks, print_host_report
    from treeproof.run.doctor import check_adapter, inspect_host
    from treeproof.run.interrupts import Interrupts

    page = ConsoleWriter(console_for(sys.stdout))
    with Interrupts(process_exits_afterwards=True) as stop:
        with stop.interruptible():
            if args.target is None:
                code = print_host_report(inspect_host(), page)
            else:
                code = print_checks(check_adapter(args.target), page)
        stop.raise_if_pending()  # an exception of a signal handler is lost inside __del__
    return code


def adequacy(args: argparse.Namespace) -> int:
    """Measure the suite by mutation testing.

    Run the suite against each mutant of the reference implementation, and print the kill matrix. Exit 1 if a mutant
    survives or another gate fails.
    """
    from pathlib import Path

    from treeproof.mutation.console import MutationProgress, kill_matrices_json, print_kill_matrix
    from treeproof.mutation.runner import run_mutation_tests
    from treeproof.report.atomic_write import check_writable, write
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.run.interrupts import Interrupts
    from treeproof.spec.mutants import select_mutants

    file = Path(args.report) if args.report else None
    if file is not None:
        check_writable(file)
    page = ConsoleWriter(console_for(sys.stdout))
    code, found = 0, []
    with Interrupts(process_exits_afterwards=True) as stop:
        for pack, ids in select_mutants(load_packs(args.spec), args.select):
            with MutationProgress() as progress:
                result = run_mutation_tests(
                    pack,
                    ids=ids,
                    whole_suite=args.full,
                    jobs=args.jobs,
                    on_result=progress.on_result,
                    interrupts=stop,
                )
            found.append((pack, result))
            print_kill_matrix(pack, result, page)
            code = max(code, 1 if result.broken_gates() else 0)
        stop.raise_if_pending()
    if file is not None:
        write(file, kill_matrices_json(found))
    return code
