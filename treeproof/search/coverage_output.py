"""The output of `treeproof coverage`: the values and pairs of inputs that nothing reaches, as text and as JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import pluralize
from treeproof.search.coverage import MIN_PAIRS, Coverage

_MAX_PARTNERS = 12
"""The number of partners of a value that are shown."""


def print_coverage(coverage: Coverage, page: ConsoleWriter, *, verbose: bool) -> None:
    """Print the shares, and what is missing; with ``verbose`` all of it, and the number of calls of each value."""
    pack, table = coverage.pack, coverage.table
    missing, possible = coverage.missing_pairs, len(table.possible_pairs())
    page.line(page.text(f"{pack.name} {pack.version}", "bold"), f"  {pluralize(coverage.calls, 'call')}")
    reached = len(table.values) - len(coverage.missing_values)
    page.line(f"  values  {reached} of {len(table.values)} in {pluralize(len(table.dimensions), 'dimension')}")
    page.line(f"  pairs   {possible - len(missing)} of {possible} that can exist ({coverage.share_of_pairs:.1%})")
    if verbose:
        for dimension in table.dimensions:
            counts = ", ".join(f"{one.name} {coverage.counts[one.number]}" for one in dimension.values)
            page.line(f"  {dimension.name}: {counts}")
    for value in coverage.missing_values:
        page.line(page.text(f"  no call has {value}", "red"))
    partners: dict[int, list[str]] = defaultdict(list)
    unreached = {value.number for value in coverage.missing_values}
    for one, other in missing:
        if one not in unreached and other not in unreached:
            partners[one].append(str(table.values[other]))
    for number, names in sorted(partners.items(), key=lambda item: -len(item[1])) if verbose or missing else ():
        shown = names if verbose else names[:_MAX_PARTNERS]
        more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
        page.line(f"  {table.values[number]} never meets {', '.join(shown)}{more}")
    for id, text in coverage.stale:
        page.line(
            page.text(
                f"  {id}: the model expects {text} now; delete the row, and run: treeproof coverage --write", "red"
            )
        )
    if not coverage.is_enough:
        page.line(page.text(f"  each value and {MIN_PAIRS:.0%} of the pairs must be reached", "red"))


def coverage_json(found: Sequence[Coverage]) -> bytes:
    """Return the coverage of packs as JSON."""
    content = {
        one.pack.name: {
            "calls": one.calls,
            "values": {str(value): one.counts[value.number] for value in one.table.values},
            "possible_pairs": len(one.table.possible_pairs()),
            "missing_pairs": [[str(one.table.values[a]), str(one.table.values[b])] for a, b in one.missing_pairs],
            "stale": [id for id, _ in one.stale],
        }
        for one in found
    }
    return json.dumps(content, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace") + b"\n"
