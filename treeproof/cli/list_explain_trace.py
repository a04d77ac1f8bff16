"""The commands that print the content of specifications: list, explain, trace, book."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.report.console_writer import ConsoleWriter
    from treeproof.spec import Pack
    from treeproof.verdict.run_document import RunDocument


def list_(args: argparse.Namespace) -> int:
    """List the content of specifications.

    Print one line for each item, with its id.
    """
    from treeproof.report.catalogue_lists import print_list
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.spec.packs import load_packs

    if args.kind == "sentences" or args.document:
        return _print_sentences(args.kind, args.document)
    if args.kind == "keys":
        return _print_keys(args.format)
    if args.format in ("schema", "manifest-schema"):
        raise UsageError(f"list {args.kind}: only keys can be listed as {args.format}; leave --format out")
    if args.format == "md":
        return _print_markdown(args.kind, load_packs(args.spec))
    print_list(args.kind, load_packs(args.spec), ConsoleWriter(console_for(sys.stdout)))
    return 0


def _print_keys(format: str) -> int:
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.key_reference import key_reference, print_keys

    if format == "md":
        sys.stdout.write(key_reference())
    elif format == "schema":
        from treeproof.spec.pack_file import SCHEMA

        sys.stdout.write(SCHEMA.text)
    elif format == "manifest-schema":
        from treeproof.candidate.manifest import SCHEMA as MANIFEST_SCHEMA

        sys.stdout.write(MANIFEST_SCHEMA.text)
    else:
        print_keys(ConsoleWriter(console_for(sys.stdout)))
    return 0


def _print_sentences(kind: str, document: str | None) -> int:
    from pathlib import Path

    from treeproof.report.catalogue_lists import print_sentences
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.spec.source_document import read_sentences

    if kind != "sentences" or document is None:
        raise UsageError(f"list {kind}: write both or neither of: sentences, --document FILE")
    print_sentences(read_sentences(Path(document)), ConsoleWriter(console_for(sys.stdout)))
    return 0


def _print_markdown(kind: str, packs: Sequence[Pack]) -> int:
    from treeproof.report.specification_page import markdown_table, specification_page
    from treeproof.spec.mutants import load_mutants
    from treeproof.spec.variants import load_variants

    def count_implementations(pack: Pack) -> tuple[int, int]:
        return len(load_variants(pack)), sum(one.kind == "wrong" for one in load_mutants(pack).values())

    if kind == "interpretations":
        sys.stdout.write("\n".join(map(specification_page, packs)))
        return 0
    if kind != "specs":
        raise UsageError(f"list {kind}: only specs, interpretations and keys can be listed as md; leave --format out")
    sys.stdout.write(markdown_table(packs, count_implementations))
    return 0


def explain(args: argparse.Namespace) -> int:
    """Explain an id.

    Print its text, its place in the specification and the scenarios that verify it.
    """
    from pathlib import Path

    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.document import load
    from treeproof.report.run_lookup import print_run_lookup

    run = load(Path(args.report)) if args.report else None
    page = ConsoleWriter(console_for(sys.stdout))
    try:
        _explain_id(args, page)
    except UsageError:
        # The run may be of another version, with another catalogue.
        if run is None or not _run_has_id(run, args.id):
            raise
    if run is not None:
        print_run_lookup(run, args.report, args.id, page)
    return 0


def _run_has_id(run: RunDocument, id: str) -> bool:
    lists = (one for spec in run.specs for one in (spec.requirements, spec.scenarios, spec.interpretations))
    return any(entry.id == id for entries in lists for entry in entries)


def _explain_id(args: argparse.Namespace, writer: ConsoleWriter) -> None:
    from pathlib import Path

    from treeproof.report.catalogue_lists import print_explanation
    from treeproof.spec.contract import CONTRACT_IDS, load_contract
    from treeproof.spec.mutants import mutants_violating
    from treeproof.spec.packs import load_packs
    from treeproof.spec.quotations import use_documents
    from treeproof.spec.traceability import build_traceability_index, unknown_id_message

    packs = [load_contract()] if args.id.startswith(CONTRACT_IDS) else load_packs(args.spec)
    use_documents([Path(one) for one in args.document], packs)
    traces = [build_traceability_index(pack) for pack in packs]
    found = [trace for trace in traces if args.id in trace.ids]
    if not found:
        raise UsageError(unknown_id_message(args.id, traces))
    for index in found:  # several versions of one specification can have the id
        if len(found) > 1:
            writer.paragraph(writer.text(f"{index.pack.name} {index.pack.version}", "bold"))
        print_explanation(index, args.id, writer, partial(mutants_violating, index.pack))


def trace(args: argparse.Namespace) -> int:
    """Print a traceability table.

    It contains the scenarios, properties and mutants of each requirement. With --document, it also contains which
    requirements are outdated or orphaned, and which sentences are uncovered; as html, it is a page of the document
    with the state of each sentence.
    """
    from pathlib import Path

    from treeproof.report.document_page import document_as_html
    from treeproof.report.traceability_output import FORMATS, trace_rows
    from treeproof.spec.document_trace import trace_document
    from treeproof.spec.lint_document import pack_of_document
    from treeproof.spec.mutants import mutants_violating, requirements_without_mutant
    from treeproof.spec.packs import load_packs

    packs, document = load_packs(args.spec), None
    if args.document:
        packs = [pack_of_document(packs, Path(args.document))]
        document = trace_document(packs[0], Path(args.document))
    if args.format != "html":
        text = FORMATS[args.format](list(trace_rows(packs, mutants_violating, document))).encode()
    elif document is None:
        raise UsageError("trace: a page is about a document; write --document FILE too")
    else:
        text = document_as_html(packs[0], document.document, mutants_violating, requirements_without_mutant(packs[0]))
    sys.stdout.flush()
    sys.stdout.buffer.write(text)  # UTF-8 in every locale
    return 0


def book(args: argparse.Namespace) -> int:
    """Write the book of a specification.

    It contains every requirement with its basis and place, and its scenarios as text. It also contains the mutants in
    words, the readings with their reasons, and what is excluded. Nothing is run.
    """
    import sys
    from pathlib import Path

    from treeproof.errors import UsageError
    from treeproof.report.book import book_as_html, book_as_markdown, make_book
    from treeproof.spec.mutants import mutants_violating, requirements_without_mutant
    from treeproof.spec.packs import load_packs
    from treeproof.spec.quotations import use_documents

    packs = load_packs(args.spec)
    if len(packs) != 1:
        names = ", ".join(pack.name for pack in packs)
        raise UsageError(f"book: a book is about one specification; write --spec with one of: {names}")
    use_documents([Path(one) for one in args.document], packs)
    content = make_book(packs[0], mutants_violating, requirements_without_mutant(packs[0]))
    text = book_as_html(content) if args.format == "html" else book_as_markdown(content).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(text)  # UTF-8 in every locale
    return 0
