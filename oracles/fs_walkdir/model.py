"""The model of FS.WalkDir 0.1, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from ..shared.case_model import CaseModel
from .comparison import compare
from .expected import RECOMMENDED_READINGS, describe_outcome, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

_REQUIREMENTS = (("ARG", 5), ("RET", 2), ("ENT", 5), ("WALK", 4), ("ERR", 6), ("SEC", 3))

model = CaseModel(
    tool="FS.WalkDir",
    requirements=frozenset(
        f"WD-{group}-{number:02}" for group, count in _REQUIREMENTS for number in range(1, count + 1)
    ),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset({"AMB-WD-01", "AMB-WD-06", "AMB-WD-14", "AMB-WD-18"}),
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=expected_outcome,
    compare=compare,
    describe_outcome=describe_outcome,
    write_scenario=scenario_steps,
    label_case=case_labels,
)
