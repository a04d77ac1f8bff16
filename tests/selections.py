"""Selections of scenarios that stand for a whole specification."""

from __future__ import annotations

import re
from pathlib import Path

from treeproof.spec import StepText, bundled_packs, find_pack, load_pack, parse_feature

_ARGUMENT = re.compile(r"\{.*\}|\[.*\]|\"[^\"]*\"|\d+|`[^`]*`")
_UNUSUAL_ENTRY = re.compile(r":(?:fifo|sock|chr|blk)|->|=>|![LR]|%0")


def first_scenarios(*specs: str) -> tuple[str, ...]:
    """Return the first scenario of each requirement in each feature file of some specifications, by default of all.

    They reach every module and data file.
    """
    first: dict[tuple[Path, str], str] = {}
    for folder in [find_pack(spec) for spec in specs] or bundled_packs():
        for file in load_pack(folder).feature_files():
            for case in parse_feature(file).scenarios:
                first.setdefault((file, case.requirement), case.id)
    return tuple(first.values())


def scenarios_of_each_step(*specs: str) -> tuple[str, ...]:
    """Return scenarios with every step and every kind of entry of some specifications, by default of all.

    They use every feature of the host that a scenario can use.
    """
    selected: list[str] = []
    for folder in [find_pack(spec) for spec in specs] or bundled_packs():
        known: set[str] = set()
        for file in load_pack(folder).feature_files():
            for case in parse_feature(file).scenarios:
                own = {part for step in case.steps for part in _parts(step)}
                if not own <= known:
                    selected.append(case.id)
                    known |= own
    return tuple(selected)


def _parts(step: StepText) -> tuple[str, ...]:
    """Return a step without its arguments, and the notations of unusual entries in its tree."""
    return (_ARGUMENT.sub("", step.text), *_UNUSUAL_ENTRY.findall(step.docstring or step.text))


def scenarios_with_interpretations(spec: str) -> tuple[str, ...]:
    """Return the scenarios of a specification that name an interpretation, in a step or a tag."""
    return tuple(
        case.id
        for file in load_pack(find_pack(spec)).feature_files()
        for case in parse_feature(file).scenarios
        if any("AMB-" in text for text in (*case.tags, *(step.text for step in case.steps)))
    )
