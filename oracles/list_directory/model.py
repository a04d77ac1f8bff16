"""The model of list_directory 1.1, composed of the modules beside it. The catalogue names `model` as its oracle."""

from __future__ import annotations

from ..shared.case_model import CaseModel
from .comparison import compare, find_unreadable
from .expected import RECOMMENDED_READINGS, describe_outcome, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

_AMBIGUOUS_INTERPRETATIONS = {"AMB-LD-02", "AMB-LD-13", "AMB-LD-31", "AMB-LD-33", "AMB-LD-34", "AMB-LD-35", "AMB-LD-45"}
"""One call result cannot always determine which of their readings a candidate follows."""

_REQUIREMENTS = (
    ("SCH-LD", ("",)),
    ("FR-LD-DEF-", ("01", "04", "05")),
    ("FR-LD-VAL-", ("01", "02", "03", "04", "05", "06", "06a", "06b", "07", "08", "09", "10")),
    ("FR-LD-LST-", ("01", "02", "03", "04", "05", "06", "06a", "07", "08")),
    ("DOC-", ("01", "03", "04", "05", "06", "07")),
    ("EF-", ("01", "02", "03", "04", "05", "06", "07", "08", "09")),
    ("FR-LD-OUT-", ("01", "02a", "02b", "03", "04", "05", "06", "07", "08")),
    ("FR-LD-ERR-", ("01", "02")),
    ("NFR-LD-", ("REL-01", "REL-02", "PORT-01", "SEC-02")),
    ("CFG-LD-", ("01", "03", "05")),
    ("T-LD-", ("01", "02")),
)

model = CaseModel(
    tool="list_directory",
    requirements=frozenset(group + number for group, numbers in _REQUIREMENTS for number in numbers),
    recommended_readings=RECOMMENDED_READINGS,
    recorded_interpretations=frozenset(RECOMMENDED_READINGS) - _AMBIGUOUS_INTERPRETATIONS,
    all_case_labels=ALL_CASE_LABELS,
    all_families=families,
    expected_outcome=expected_outcome,
    compare=compare,
    describe_outcome=describe_outcome,
    write_scenario=scenario_steps,
    label_case=case_labels,
    find_unreadable=find_unreadable,
)
