"""The model of LS 2.0.0, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treeproof.api import AcceptedReadings, Case, Exchange, ModelJudgement, parse_tree

from ..shared.case_model import CaseModel
from .comparison import compare, find_unreadable, shown_readings, without_paths
from .expected import RECOMMENDED_READINGS, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .outcomes import ExpectedOutcome, describe_outcome
from .scenario_writer import scenario_steps

_REQUIREMENTS = (
    ("DEF", ("01", "04")),
    ("ARG", ("01", "02", "03", "04", "05", "06", "07", "08")),
    ("ENV", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13")),
    ("DATA", ("01", "02", "03", "04", "05", "06", "07")),
    ("PAGE", ("01", "02", "03", "05")),
    ("STAT", ("01", "02", "03")),
    ("FILT", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")),
    ("SORT", ("01", "02", "03", "04")),
    ("SEC", ("01", "02", "03", "04", "05", "06", "07", "08")),
    ("ERR", ("01", "02", "03", "04", "05", "06", "07", "09")),
    ("TEXT", ("01", "02", "03", "04", "05", "06")),
)


class LsModel(CaseModel[ExpectedOutcome]):
    """The model of the tool. Cases have placeholders for the paths of the run, so answers get them as well."""

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return the readings that explain the answer, or how it differs from the closest outcome."""
        return super().judge(replace(exchange, answer=without_paths(exchange)), accepted)

    def expected_outcomes(
        self, case: Case, accepted: AcceptedReadings
    ) -> list[tuple[Mapping[str, str], ExpectedOutcome]]:
        """Return every outcome with its readings; equal ones are one object, so that each is compared once."""
        groups: list[list[tuple[Mapping[str, str], ExpectedOutcome]]] = []
        for labels, outcome in super().expected_outcomes(case, accepted):
            group = next((one for one in groups if one[0][1] is outcome or one[0][1] == outcome), None)
            if group is None:
                groups.append([(labels, outcome)])
            else:
                group.append((labels, group[0][1]))
        return [one for group in groups for one in group]

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """Return the case as the lines of a scenario, by the recommended readings. Raises Unmodelled."""
        return super().scenario_steps(replace(case, outside=parse_tree(outside)), outside)


model = LsModel(
    tool="LS",
    requirements=frozenset(f"LS-{group}-{number}" for group, numbers in _REQUIREMENTS for number in numbers),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset(RECOMMENDED_READINGS),
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=expected_outcome,
    compare=compare,
    describe_outcome=describe_outcome,
    write_scenario=scenario_steps,
    label_case=case_labels,
    shown_readings=shown_readings,
    find_unreadable=find_unreadable,
)
