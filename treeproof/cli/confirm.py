"""The command that confirms a catalogue against a changed document: confirm."""

from __future__ import annotations

import argparse


def confirm(args: argparse.Namespace) -> int:
    """Confirm that a catalogue agrees with its document.

    Write the new hashes of the requirements and sentences that you have read. Without an ID, confirm the sentences that
    demand nothing and that no requirement names. Exit 2 if something is left to confirm.
    """
    import sys
    from pathlib import Path

    from treeproof.errors import UsageError
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.doctor_output import print_diagnostics
    from treeproof.report.output_file import OutputFile
    from treeproof.spec import load_pack
    from treeproof.spec.document_confirmation import confirm as confirm_document
    from treeproof.spec.lint_document import find_document, lint_document, pack_of_document
    from treeproof.spec.lint_places import with_lines
    from treeproof.spec.locks import lock_file
    from treeproof.spec.packs import load_packs

    packs = load_packs(args.spec)
    document = Path(args.document) if args.document else find_document(packs[0]) if len(packs) == 1 else None
    if document is None:
        missing = f"{packs[0].source} is not beside {packs[0].pack_file}" if len(packs) == 1 else "no --spec FOLDER"
        raise UsageError(f"confirm: {missing}; write --spec FOLDER and --document FILE")
    pack = pack_of_document(packs, document)
    catalogue, lock = OutputFile(pack.pack_file), OutputFile(lock_file(pack))
    confirmation = confirm_document(pack, document, args.id)
    if confirmation.catalogue.encode() != pack.pack_file.read_bytes():
        catalogue.write(confirmation.catalogue.encode())
    lock.write(confirmation.lock.encode())
    writer = ConsoleWriter(console_for(sys.stdout))
    for line in confirmation.lines:
        writer.line("confirmed ", line)
    if confirmation.is_complete:
        writer.line(f"{pack.name} {pack.version}: every sentence of {document.name} is confirmed")
    beside = find_document(pack)
    if beside is not None and beside.read_bytes() != document.read_bytes():
        writer.line(f"now copy {document} to {beside}, which lint compares and which has other sentences")
    confirmed = load_pack(pack.folder, pack.version)
    left = sorted(with_lines(confirmed, lint_document(confirmed, document)))
    return print_diagnostics(left, writer) if left else 0
