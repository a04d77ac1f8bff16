"""The scenarios on whose calls operators are tried, as tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from treeproof.mutation.operator_report import OperatorReport, OperatorResult
from treeproof.mutation.operator_runner import cases_with_calls, load_operators
from treeproof.mutation.task_pool import Task
from treeproof.spec import Pack

_PARTS = 5
"""Without `--full` one part of this number is examined."""

_SCENARIOS_PER_TASK = 40


class OperatorPlan:
    """The tasks for the operators of ``pack``, and the report on their results. Raises UsageError for a wrong table.

    With ``every_scenario`` all scenarios are examined; without it a fifth of them, another one with each change of the
    catalogue or a feature file. So a result depends on nothing but the files.
    """

    def __init__(self, pack: Pack, *, every_scenario: bool = False) -> None:
        self._operators = load_operators(pack)
        scenarios = [case.id for case in cases_with_calls(pack)]
        self._all = len(scenarios)
        if not every_scenario:
            scenarios = scenarios[_part_of(pack) :: _PARTS]
        self._examined, self._is_complete = len(scenarios), every_scenario
        self.tasks: list[Task] = [
            {
                "kind": "operators",
                "id": f"operators from {scenarios[start]} on",
                "scenarios": scenarios[start : start + _SCENARIOS_PER_TASK],
            }
            for start in range(0, len(scenarios), _SCENARIOS_PER_TASK)
        ]

    def report(self, found: Mapping[str, OperatorResult]) -> OperatorReport:
        """Return the report on the results, by the id of the task."""
        results = [found[task["id"]] for task in self.tasks]
        used = {name for result in results for name in result.applied}
        unused = [one.name for one in self._operators if one.name not in used] if self._is_complete else []
        return OperatorReport(results, self._examined, self._all, unused)


def _part_of(pack: Pack) -> int:
    content = hashlib.sha256()
    for file in (pack.pack_file, *pack.feature_files()):
        content.update(file.read_bytes())
    return content.digest()[0] % _PARTS
