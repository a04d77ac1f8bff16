"""The command that writes files to start with: new."""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import TYPE_CHECKING

from treeproof.cli.search_replay import MAX_COUNTEREXAMPLE_BYTES, select_pack
from treeproof.errors import UsageError, check_readable

if TYPE_CHECKING:
    from treeproof.scaffold.file_plan import Plan


def candidate(args: argparse.Namespace) -> int:
    """Create glue code, a manifest and a CI workflow.

    The glue code connects your implementation to treeproof.
    """
    from pathlib import Path

    from treeproof.scaffold import new_candidate
    from treeproof.spec.packs import load_packs

    packs = load_packs([args.spec] if args.spec else [])
    if not packs:
        raise UsageError("no specification is bundled; write --spec FOLDER")
    return _print_plan(new_candidate(packs[0], args.language, args.adapter, Path(args.folder)))


def init(args: argparse.Namespace) -> int:
    """Write the manifest of an MCP server.

    It starts the server, asks for its tools, and calls those that list, move or copy on a small tree of its own. Write
    {root} where the command line takes the root: treeproof init -- npx -y some-server {root}
    """
    from pathlib import Path

    from treeproof.scaffold.server_survey import init_manifest
    from treeproof.spec.packs import load_packs

    _print_plan(init_manifest(args.command, Path(args.folder), load_packs([])))
    if not args.run:
        return 0
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "treeproof", "run", args.folder], check=False).returncode


def spec(args: argparse.Namespace) -> int:
    """Create a specification.

    It has no lint errors, and its scenarios can run. With --with-oracle, it also has a model of the tool, properties on
    random trees, schemas, and a right implementation with another reading. With --document, it has the rules of that
    document: sentences with MUST, SHOULD, MAY and defaults, the items of lists and the rows of tables, each with an
    unfinished scenario.
    """
    from pathlib import Path

    from treeproof.scaffold.specification import new_spec, new_spec_of_document

    if args.document is None and (args.section or args.tool):
        raise UsageError("new spec: --section and --tool need --document FILE")
    if args.document is not None:
        if args.with_oracle:
            raise UsageError("new spec: --with-oracle creates a document of its own; write it without --document")
        folder, tool = Path(args.folder or args.name), args.tool or args.name
        return _print_plan(new_spec_of_document(args.name, folder, Path(args.document), args.section, tool))
    return _print_plan(new_spec(args.name, Path(args.folder or args.name), with_oracle=args.with_oracle))


def scenario(args: argparse.Namespace) -> int:
    """Create a scenario from a saved counterexample.

    It is added to the scenarios of its requirement.
    """
    from pathlib import Path

    from treeproof.search import counterexample_file, promote

    source = Path(args.counterexample)
    check_readable(source, MAX_COUNTEREXAMPLE_BYTES, "a file that search --save wrote")
    into = Path(args.into) if args.into else None
    saved = select_pack(counterexample_file.read_counterexample(source), args.spec, source)
    file, id = promote.promote(saved, into)
    print(f"{file}: {id}")
    return 0


def _print_plan(plan: Plan) -> int:
    print("\n".join(["written:", *(f"  {plan.folder / place}" for place in plan.files)]))
    print("\n".join(["next:", *(f"  {line}" for line in plan.next_commands)]))
    return 0
