"""Selections of scenarios that stand for a whole specification."""

from __future__ import annotations

from pathlib import Path

from treeproof.spec import bundled_packs, find_pack, load_pack, parse_feature


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


def scenarios_with_interpretations(spec: str) -> tuple[str, ...]:
    """Return the scenarios of a specification that name an interpretation, in a step or a tag."""
    return tuple(
        case.id
        for file in load_pack(find_pack(spec)).feature_files()
        for case in parse_feature(file).scenarios
        if any("AMB-" in text for text in (*case.tags, *(step.text for step in case.steps)))
    )
