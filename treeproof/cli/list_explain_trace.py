"""The verbs that tell what the suite knows: list, explain, trace."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from treeproof.cli.packs import load_packs
from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.report.console_writer import ConsoleWriter
    from treeproof.report.document import Document
    from treeproof.spec import Pack


def list_(args: argparse.Namespace) -> int:
    from treeproof.report.catalogue import print_list
    from treeproof.report.console_writer import ConsoleWriter, console_for

    if args.format == "md":
        return _print_spec_table(args.what, load_packs(args.spec))
    print_list(args.what, load_packs(args.spec), ConsoleWriter(console_for(sys.stdout)))
    return 0


def _print_spec_table(what: str, packs: Sequence[Pack]) -> int:
    from treeproof.report.specification_table import markdown_table
    from treeproof.spec.mutants import load_mutants

    if what != "specs":
        raise UsageError(f"list {what}: --format md is there for specs only; leave it out")
    sys.stdout.write(
        markdown_table(packs, lambda pack: sum(one.kind == "wrong" for one in load_mutants(pack).values()))
    )
    return 0


def explain(args: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.document import load
    from treeproof.report.run_lookup import print_run_lookup

    run = load(Path(args.report)) if args.report else None
    page = ConsoleWriter(console_for(sys.stdout))
    try:
        _explain_id(args, page)
    except UsageError:
        # What a run of another version found for an id can be told without its catalogue.
        if run is None or not _run_has_id(run, args.id):
            raise
    if run is not None:
        print_run_lookup(run, args.report, args.id, page)
    return 0


def _run_has_id(run: Document, id: str) -> bool:
    lists = ("requirements", "scenarios", "interpretations")
    return any(entry["id"] == id for spec in run["specs"] for kind in lists for entry in spec[kind])


def _explain_id(args: argparse.Namespace, writer: ConsoleWriter) -> None:
    from treeproof.report.catalogue import print_explanation
    from treeproof.spec.mutants import mutants_violating
    from treeproof.spec.traceability import build_traceability_index, unknown_id_message

    traces = [build_traceability_index(pack) for pack in load_packs(args.spec)]
    of_it = next((trace for trace in traces if args.id in trace.ids), None)
    if of_it is None:
        raise UsageError(unknown_id_message(args.id, traces))
    print_explanation(of_it, args.id, writer, partial(mutants_violating, of_it.pack))


def trace(args: argparse.Namespace) -> int:
    from treeproof.report.traceability import FORMATS, trace_rows
    from treeproof.spec.mutants import mutants_violating

    packs = load_packs(args.spec)
    if args.format == "html":
        from treeproof.report.html import trace_page

        told = trace_page.dump(packs, mutants_violating)
    else:
        told = FORMATS[args.format](list(trace_rows(packs, mutants_violating))).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(told)  # UTF-8 wherever it goes: a locale that lacks a character loses nothing
    return 0
