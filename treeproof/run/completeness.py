"""Completeness of a run: the parsed, collected and executed scenarios are compared by id.

Pure functions from sets of ids to error messages. An empty result means that the run is complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence


def check_completeness(
    parsed: Iterable[str],
    collected: Sequence[str],
    executed: Sequence[str],
    selected: frozenset[str] | None,
    errors: Sequence[str],
) -> list[str]:
    """Return one message per kind of difference, with the first ids that differ."""
    found = list(errors)
    in_files = set(parsed)
    found += _differences("parsed", in_files, "collected", set(collected))
    found += _differences("selected", in_files if selected is None else in_files & selected, "executed", set(executed))
    for what, ids in (("collected", collected), ("executed", executed)):
        repeated = sorted(i for i, n in Counter(ids).items() if n > 1)
        if repeated:
            found.append(f"{_format_count(repeated)} {what} more than once: {_abbreviate(repeated)}")
    return found


def _differences(before: str, wanted: set[str], after: str, got: set[str]) -> list[str]:
    found = []
    if wanted - got:
        found.append(f"{_format_count(wanted - got)} {before} and not {after}: {_abbreviate(sorted(wanted - got))}")
    if got - wanted:
        found.append(f"{_format_count(got - wanted)} {after} and not {before}: {_abbreviate(sorted(got - wanted))}")
    return found


def _format_count(ids: Collection[str]) -> str:
    return "1 scenario was" if len(ids) == 1 else f"{len(ids)} scenarios were"


def _abbreviate(ids: list[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
