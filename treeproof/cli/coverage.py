"""The command that measures which inputs the scenarios of a specification reach."""

from __future__ import annotations

import argparse
import sys


def coverage(args: argparse.Namespace) -> int:
    """Measure which inputs the scenarios and random cases of a specification reach.

    Label each call by the table of inputs beside spec.toml, and print the values, and the pairs of values, that no call
    has. Exit 1 if a value is missing, or more than 5 % of the pairs that can exist. With --write, add scenarios for
    them, with the results that the model expects: read them before you commit them.
    """
    from pathlib import Path

    from treeproof.candidate.orphans import OrphanReaper
    from treeproof.errors import UsageError
    from treeproof.model.input_table import InputTable
    from treeproof.report.console_writer import ConsoleWriter, console_for
    from treeproof.report.digest import pluralize
    from treeproof.report.output_file import OutputFile
    from treeproof.run.connected_candidate import open_environment
    from treeproof.run.interrupts import Interrupts
    from treeproof.search.coverage import measure_coverage
    from treeproof.search.coverage_output import coverage_json, print_coverage
    from treeproof.search.covering_rows import RowWriter
    from treeproof.search.generated_feature import write_feature
    from treeproof.spec.packs import load_packs

    file = OutputFile(Path(args.report)) if args.report else None
    page = ConsoleWriter(console_for(sys.stdout))
    packs = [pack for pack in load_packs(args.spec) if args.spec or (pack.folder / InputTable.file_name).exists()]
    found = []
    with Interrupts(process_exits_afterwards=True) as stop:
        for pack in packs:
            if not pack.has_model:
                raise UsageError(f"{pack.name} has no model, which labels and expectations need; name another one")
            with open_environment(stop) as environment, OrphanReaper():
                one = measure_coverage(pack, environment)
            found.append(one)
            print_coverage(one, page, verbose=args.verbose)
            if args.write:
                writer = RowWriter(one)
                rows = list(writer.rows())
                for problem in writer.refused:
                    page.line(f"  cannot be generated: {problem}")
                if rows:
                    page.line(f"  {pluralize(len(rows), 'row')} added to {write_feature(pack, one.table, rows)}")
        stop.raise_if_pending()
    if file is not None:
        file.write(coverage_json(found))
    return 0 if all(one.is_enough for one in found) else 1
