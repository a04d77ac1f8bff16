"""The steps of a scenario for HTML reports: keywords, the step at which it ended, and that step's table and docstring.

The text of a step is shown as it is; only its first word is a keyword, if it is one. Contains no HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.escape import shortened

MAX_ROWS = 50
"""The maximal number of rows of a table."""
MAX_CELLS = 20
"""The maximal number of cells in a row."""

_MAX_CELL_CHARACTERS = 400
_MAX_STEP_CHARACTERS = 20_000
_KEYWORDS: Mapping[str, str] = {"given": "Given", "when": "When", "then": "Then"}


@dataclass(frozen=True)
class Step:
    """One step of the scenario. ``is_last`` if the scenario ended at it; only then it has a table or a docstring."""

    keyword: str
    text: str
    is_last: bool
    table: Sequence[Sequence[str]] = ()
    docstring: str = ""


def steps_of(evidence: Mapping[str, Any]) -> list[Step]:
    """Return the steps of the scenario in order, as in a feature file; empty without a step."""
    if "step" not in evidence:
        return []
    last = _split(evidence["step"])
    steps, previous = list[Step](), ""
    for text in evidence.get("steps") or [evidence["step"]]:
        keyword, rest = _split(text)
        is_last = (keyword, rest) == last
        shown = "And" if keyword and keyword == previous else keyword
        table = _table_of(evidence) if is_last else ()
        docstring = str(evidence.get("docstring") or "") if is_last else ""
        steps.append(
            Step(
                shown, shortened(rest, _MAX_STEP_CHARACTERS), is_last, table, shortened(docstring, _MAX_STEP_CHARACTERS)
            )
        )
        previous = keyword
    return steps


def _table_of(evidence: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of the step's table, the header first, cut to a fixed size; empty if there is none."""
    rows = evidence.get("table")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return []
    table = [[shortened(str(cell), _MAX_CELL_CHARACTERS) for cell in row[:MAX_CELLS]] for row in rows[:MAX_ROWS]]
    if len(rows) > MAX_ROWS:
        table.append([f"… and {len(rows) - MAX_ROWS} more rows"])
    return table


def _split(step: str) -> tuple[str, str]:
    """Return the keyword and the text of a step; without a keyword the whole text."""
    first, _, rest = step.partition(" ")
    keyword = _KEYWORDS.get(first.lower())
    return (keyword, rest) if keyword else ("", step)
