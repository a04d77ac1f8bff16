"""The result of an execution, and whether it is complete: all selected scenarios were executed, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from treeproof.verdict import ScenarioRecord


@dataclass(frozen=True)
class ExecutionResult:
    """The records in the order of execution, and the contradictions to the completeness of the run.

    ``evidence`` maps the calls for positive evidence to "", or to the reason why one of them has shown no content.
    """

    records: tuple[ScenarioRecord, ...]
    completeness_errors: tuple[str, ...]
    interrupted: bool
    evidence: Mapping[str, str]


def check_completeness(selected: Collection[str], executed: Sequence[str]) -> list[str]:
    """Return one message per kind of difference, with the first ids that differ; none if the run is complete."""
    wanted, found = set(selected), set(executed)
    differences = {
        "selected and not executed": wanted - found,
        "executed and not selected": found - wanted,
        "executed more than once": {id for id, count in Counter(executed).items() if count > 1},
    }
    return [f"{_format_count(ids)} {what}: {_abbreviate(sorted(ids))}" for what, ids in differences.items() if ids]


def _format_count(ids: Collection[str]) -> str:
    return "1 scenario was" if len(ids) == 1 else f"{len(ids)} scenarios were"


def _abbreviate(ids: list[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
