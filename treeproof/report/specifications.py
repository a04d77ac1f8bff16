"""The specifications with their numbers as a table in Markdown, for a README that is not typed by hand. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeproof.spec import Pack
from treeproof.spec.trace import read

COLUMNS = ("specification", "tools", "requirements", "scenarios", "interpretations", "wrong implementations")


def markdown(packs: Sequence[Pack], wrong: Callable[[Pack], int]) -> str:
    """Return one row a specification; ``wrong`` tells how many wrong implementations show that its suite bites."""
    rows = [[_first(pack), _tools(pack), *map(_number, _counts(pack, wrong))] for pack in packs]
    totals = [sum(column) for column in zip(*(_counts(pack, wrong) for pack in packs), strict=True)]
    if len(packs) > 1:
        rows.append(["all", "", *map(_number, totals)])
    lines = [COLUMNS, ["---", "---", *["---:"] * (len(COLUMNS) - 2)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _counts(pack: Pack, wrong: Callable[[Pack], int]) -> list[int]:
    return [len(pack.requirements), len(read(pack).rows), len(pack.interpretations), wrong(pack)]


def _first(pack: Pack) -> str:
    title = pack.title.replace("|", "\\|")
    return f"`{pack.name}@{pack.version}` {title}"


def _tools(pack: Pack) -> str:
    return ", ".join(f"`{tool.name}`" for tool in pack.tools)


def _number(count: int) -> str:
    return f"{count:,}"
