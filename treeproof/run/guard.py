"""The promises of a run about itself: what was parsed was collected, what was collected was executed.

Pure: sets of scenario ids in, sentences out. An empty result means that every promise held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence


def broken_promises(
    parsed: Iterable[str],
    collected: Sequence[str],
    executed: Sequence[str],
    selected: frozenset[str] | None,
    errors: Sequence[str],
) -> list[str]:
    """Return one sentence for every promise that did not hold, with the first ids that show it."""
    said = list(errors)
    in_files = set(parsed)
    said += _differ("parsed", in_files, "collected", set(collected))
    said += _differ(
        "selected", in_files if selected is None else in_files & selected, "executed", set(executed)
    )
    for what, ids in (("collected", collected), ("executed", executed)):
        twice = sorted(i for i, n in Counter(ids).items() if n > 1)
        if twice:
            said.append(f"{_counted(twice)} {what} more than once: {_some(twice)}")
    return said


def _differ(before: str, wanted: set[str], after: str, got: set[str]) -> list[str]:
    said = []
    if wanted - got:
        said.append(f"{_counted(wanted - got)} {before} and not {after}: {_some(sorted(wanted - got))}")
    if got - wanted:
        said.append(f"{_counted(got - wanted)} {after} and not {before}: {_some(sorted(got - wanted))}")
    return said


def _counted(ids: Collection[str]) -> str:
    return "1 scenario was" if len(ids) == 1 else f"{len(ids)} scenarios were"


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
