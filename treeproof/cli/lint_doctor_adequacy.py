"""The commands that check packs, hosts, adapters and the suite itself: lint, doctor, adequacy."""

from __future__ import annotations

import argparse
import sys


def lint(args: argparse.Namespace) -> int:
    """Check packs offline.

    Check catalogues, feature files, steps and schemas without a candidate. Exit 2 if there is an error.
    """
    from pathlib import Path

    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.doctor_output import print_diagnostics
    from treeproof.run.pack_lint import lint_paths

    document = Path(args.document) if args.document else None
    return print_diagnostics(lint_paths(args.paths, document), ConsoleWriter(console_for(sys.stdout)))


def doctor(args: argparse.Namespace) -> int:
    """Check this host, or the adapter of a candidate.

    Without TARGET, report the facilities of this host and the requirements that depend on missing ones; exit 3 if
    there are any. With TARGET, check its connection and its declarations step by step; exit 4 if there is an error.
    """
    from treeproof.errors import UsageError
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.doctor_output import print_checks, print_host_report
    from treeproof.run.doctor import check_adapter, inspect_host
    from treeproof.run.interrupts import Interrupts

    if args.spec and args.target is None:
        raise UsageError("--spec: needs a TARGET; without one, doctor checks this host for the bundled specifications")
    page = ConsoleWriter(console_for(sys.stdout))
    with Interrupts(process_exits_afterwards=True) as stop:
        with stop.interruptible():
            if args.target is None:
                code = print_host_report(inspect_host(), page)
            else:
                code = print_checks(check_adapter(args.target, args.spec), page)
        stop.raise_if_pending()  # an exception of a signal handler is lost inside __del__
    return code


def adequacy(args: argparse.Namespace) -> int:
    """Measure the suite with mutants and variants.

    Run the suite against each mutant of the reference implementation, which it must detect, and against each variant,
    a right implementation that it must accept; and change recorded answers, which the model must notice. Exit 1 if a
    mutant survives or another gate fails. With --since, run only what changes of scenarios, steps, the reference,
    mutants and variants since a revision of git can affect.
    """
    from pathlib import Path

    from treeproof.errors import UsageError
    from treeproof.mutation.adequacy_output import MutationProgress, adequacy_json, print_measurement
    from treeproof.mutation.measurement import measure
    from treeproof.mutation.mutant_plan import MutantPlan
    from treeproof.mutation.mutants_to_run import select, select_affected
    from treeproof.mutation.operator_plan import OperatorPlan
    from treeproof.mutation.variant_plan import VariantPlan
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.output_file import OutputFile
    from treeproof.run.interrupts import Interrupts
    from treeproof.spec.packs import load_packs

    if args.since and args.select:
        raise UsageError("--since and --select exclude each other; write one of them")
    file = OutputFile(Path(args.report)) if args.report else None
    page = ConsoleWriter(console_for(sys.stdout))
    code, found = 0, []
    with Interrupts(process_exits_afterwards=True) as stop:
        packs = load_packs(args.spec)
        for one in select_affected(packs, args.since) if args.since else select(packs, args.select):
            if one.is_empty:
                page.line(page.text(f"{one.pack.name} {one.pack.version}", "bold"), f"  nothing since {args.since}")
                continue
            mutants, variants = None, None
            if one.is_complete or one.mutants:
                null = one.requirements
                mutants = MutantPlan(one.pack, ids=one.mutants, whole_suite=args.full, null_requirements=null)
            if one.pack.variants is not None and (one.is_complete or one.variants or one.scenarios):
                variants = VariantPlan(one.pack, ids=one.variants, scenarios=one.scenarios, separately=args.full)
            operators = OperatorPlan(one.pack, every_scenario=args.full) if one.has_operators else None
            with MutationProgress() as progress:
                measured = measure(
                    *(one.pack, mutants, variants, operators),
                    jobs=args.jobs,
                    on_result=progress.on_result,
                    interrupts=stop,
                )
            found.append(measured)
            print_measurement(measured, page)
            code = max(code, 1 if measured.broken_gates() else 0)
        stop.raise_if_pending()
    if file is not None:
        file.write(adequacy_json(found))
    return code
