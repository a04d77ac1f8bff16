"""Markdown pages about specifications: one for each, and the table of all with their counts.

Contains pure functions. `make pages` writes their output to docs/specifications.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeproof.report.catalogue_lists import BASES, TREATMENTS
from treeproof.report.markdown_text import render_markdown, table_line
from treeproof.spec import Pack
from treeproof.spec.traceability import build_traceability_index

COLUMNS = ("specification", "tools", "requirements", "scenarios", "interpretations", "variants", "mutants")


def specification_page(pack: Pack) -> str:
    """Return the page of one specification."""
    index = build_traceability_index(pack)
    bases = {one.id: one.basis for one in pack.requirements}
    return render_markdown(
        "specification",
        pack=pack,
        bases=BASES,
        beyond=[one for one in index.scenarios if (one.basis or bases[one.requirement]) == "prudent"],
        treatments=TREATMENTS,
        naming={entry.id: len(index.scenarios_naming(entry.id)) for entry in pack.interpretations},
    )


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
    return "\n".join(map(table_line, lines)) + "\n"


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
