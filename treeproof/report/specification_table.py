"""A Markdown table of the specifications with their counts, for the README. Contains pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeproof.spec import Pack
from treeproof.spec.traceability import build_traceability_index

COLUMNS = ("specification", "tools", "requirements", "scenarios", "interpretations", "variants", "mutants")


def markdown_table(packs: Sequence[Pack], count_implementations: Callable[[Pack], tuple[int, int]]) -> str:
    """Return the table: one row per specification, and a row of sums if there are several.

    ``count_implementations`` returns the number of variants and of mutants of a pack.
    """
    counts = [_spec_counts(pack, *count_implementations(pack)) for pack in packs]
    rows = [
        [_name_cell(pack), _tools_cell(pack), *map(_format_number, numbers)]
        for pack, numbers in zip(packs, counts, strict=True)
    ]
    totals = [sum(column) for column in zip(*counts, strict=True)]
    if len(packs) > 1:
        rows.append(["all", "", *map(_format_number, totals)])
    lines = [COLUMNS, ["---", "---", *["---:"] * (len(COLUMNS) - 2)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _spec_counts(pack: Pack, variants: int, mutants: int) -> list[int]:
    return [
        len(pack.requirements),
        len(build_traceability_index(pack).scenarios),
        len(pack.interpretations),
        variants,
        mutants,
    ]


def _name_cell(pack: Pack) -> str:
    title = pack.title.replace("|", "\\|")
    return f"`{pack.name}@{pack.version}` {title}"


def _tools_cell(pack: Pack) -> str:
    return ", ".join(f"`{tool.name}`" for tool in pack.tools)


def _format_number(count: int) -> str:
    return f"{count:,}"
