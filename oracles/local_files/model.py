"""The model of LocalFiles 2, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from ..shared.case_model import CaseModel
from .comparison import compare
from .expected import RECOMMENDED_READINGS, describe_outcome, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

_REQUIREMENTS = (
    ("MODEL", 2),
    ("TYPE", 3),
    ("FIELD", 4),
    ("LINK", 3),
    ("LIST", 2),
    ("SORT", 2),
    ("ERR", 1),
    ("FIND", 5),
)

model = CaseModel(
    tool="listDirectory",
    requirements=frozenset(
        f"LF-{group}-{number:02}" for group, count in _REQUIREMENTS for number in range(1, count + 1)
    ),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset({"AMB-LF-15"}),
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=expected_outcome,
    compare=compare,
    describe_outcome=describe_outcome,
    write_scenario=scenario_steps,
    label_case=case_labels,
)
