"""The model of LS 2.0.0, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from ..shared.case_model import CaseModel
from .comparison import compare
from .expected import RECOMMENDED_READINGS, describe_outcome, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

_REQUIREMENTS = (
    ("DEF", ("04",)),
    ("ARG", ("01", "02", "03", "04", "05", "06", "07", "08")),
    ("ENV", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12")),
    ("DATA", ("01", "02", "03", "04", "05", "06", "07")),
    ("PAGE", ("01", "02", "03", "05")),
    ("STAT", ("01", "02", "03")),
    ("FILT", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")),
    ("SORT", ("01", "02", "03", "04")),
    ("SEC", ("01", "02", "03", "04", "05", "06", "07")),
    ("ERR", ("01", "02", "03", "04", "05", "07", "09")),
    ("TEXT", ("01", "02", "03", "04", "05", "06")),
)

model = CaseModel(
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
)
