"""Selections of scenarios that stand for a whole specification."""

from __future__ import annotations

from pathlib import Path

from treeproof.spec import find_pack, load_pack, parse_feature


def first_scenarios(*specs: str) -> tuple[str, ...]:
    """Return the first scenario of each requirement in each feature file of some specifications."""
    first: dict[tuple[Path, str], str] = {}
    for spec in specs:
        for file in load_pack(find_pack(spec)).feature_files():
            for case in parse_feature(file).scenarios:
                first.setdefault((file, case.requirement), case.id)
    return tuple(first.values())
