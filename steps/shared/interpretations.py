"""Where a specification can be read in several ways: which of them an answer shows, and if it is accepted.

What a row asserts is a pack's business. No step stands here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from treeproof.api import Mismatch, World

INTERPRETATION_IDS = r"AMB-[A-Z]+-\d+(?:(?:, | and )AMB-[A-Z]+-\d+)*"
"""The ids of interpretations in a sentence's pattern: one or several."""

INTERPRETATION_ID = re.compile(r"AMB-[A-Z]+-\d+")


def parse_outcome_table(ids: str, table: list[list[str]]) -> tuple[list[str], list[dict[str, str]]]:
    """Return the interpretations of a sentence and the rows of its table; the column ``reading`` is the first one's."""
    entries = INTERPRETATION_ID.findall(ids)
    header = [entries[0] if name == "reading" else name for name in table[0]]
    return entries, [dict(zip(header, row, strict=True)) for row in table[1:]]


def match_outcomes(
    world: World,
    interpretations: list[str],
    rows: list[dict[str, str]],
    check: Callable[[dict[str, str]], None],
    has_evidence: Callable[[World], bool],
) -> None:
    """Find the rows that hold, refuse those whose readings are not accepted, record the readings that were seen.

    `shows` says whether the last answer tells of something that is there: evidence enough for what is absent.
    """
    held: list[dict[str, str]] = []
    first: Mismatch | None = None
    for row in rows:
        try:
            check(row)
            held.append(row)
            world.evidence.is_positive = world.evidence.is_positive or has_evidence(world)
        except Mismatch as why:
            first = first or why
    if not held:
        assert first is not None
        labels = "; ".join(_format_labels(interpretations, row) for row in rows)
        raise first.within(f"the answer fits none of the readings ({labels}); by the first: ")
    accepted = [
        row
        for row in held
        if all(_is_accepted(world, entry, row.get(entry, "")) for entry in interpretations)
    ]
    if not accepted:
        raise Mismatch(
            f"the answer shows a reading that is not accepted here: {_format_labels(interpretations, held[0])}",
            expected=" and ".join(
                f"{e}: {' or '.join(sorted(world.accepted_readings(e)))}" for e in interpretations
            ),
            got=f"{_format_labels(interpretations, held[0])}; a manifest can declare it where the register allows that",
        )
    for entry in interpretations:
        labels_seen = {row.get(entry, "") for row in accepted}
        if len(labels_seen) == 1 and (label := labels_seen.pop()):
            world.evidence.record_reading(entry, label)


def _is_accepted(world: World, entry: str, label: str) -> bool:
    return not label or label in world.accepted_readings(entry)


def _format_labels(entries: list[str], row: Mapping[str, str]) -> str:
    return ", ".join(f"{entry} {row[entry]}" for entry in entries if row.get(entry))
