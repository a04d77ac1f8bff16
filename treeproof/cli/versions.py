"""The commands on versions of a specification: diff-spec, freeze."""

from __future__ import annotations

import argparse
import sys


def diff_spec(args: argparse.Namespace) -> int:
    """Print what differs between two versions of a specification.

    Print what an implementer of OLD has to do for NEW: new and changed requirements with their scenarios, those that
    are withdrawn, and new open questions. Nothing is run.
    """
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.version_output import differences_as_json, differences_as_markdown, print_differences
    from treeproof.spec import open_pack
    from treeproof.spec.version_differences import compare_versions

    found = compare_versions(open_pack(args.old), open_pack(args.new))
    if args.format == "text":
        print_differences(found, ConsoleWriter(console_for(sys.stdout)))
        return 0
    text = differences_as_json(found) if args.format == "json" else differences_as_markdown(found)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))  # UTF-8 in every locale
    return 0


def freeze(args: argparse.Namespace) -> int:
    """Freeze a version of a specification.

    Write hashes of what the catalogue and the features contain for it: requirements, readings, tools, scenarios,
    schemas. From then on, a change of one of them is an error of the lint, until the version is frozen again. The code
    of steps and models is not covered.
    """
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.digest import pluralize
    from treeproof.report.output_file import OutputFile
    from treeproof.run.clean_packs import lint_pack, raise_first_error
    from treeproof.spec import open_pack
    from treeproof.spec.frozen_versions import changes_since_frozen, frozen_hashes, frozen_text
    from treeproof.spec.locks import FROZEN_FILE

    pack = open_pack(args.spec)
    output = OutputFile(pack.folder / FROZEN_FILE)
    changes = changes_since_frozen(pack)
    raise_first_error(lint_pack(pack, with_frozen=False))
    output.write(frozen_text(pack).encode())
    writer = ConsoleWriter(console_for(sys.stdout))
    for change in changes or ():
        writer.line(f"{change.kind:<8} ", change.id)
    state = "frozen" if changes is None else f"frozen again, {pluralize(len(changes), 'change')}"
    writer.line(f"{pack.name} {pack.version}: {state}, {pluralize(len(frozen_hashes(pack)), 'item')}")
    return 0
