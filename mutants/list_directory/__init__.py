"""The mutants and null candidates of `list_directory`: one module for each group of requirements."""

from ..shared.registry import collect_mutants

mutants = collect_mutants(__name__)

_ACCEPTANCE_TESTS = {
    "T-LD-01": "FR-LD-OUT-01 and FR-LD-LST-01",
    "T-LD-03": "FR-LD-VAL-07 and FR-LD-ERR-02",
    "T-LD-04": "FR-LD-LST-02 and FR-LD-VAL-03",
    "T-LD-05": "FR-LD-LST-07",
    "T-LD-06": "FR-LD-OUT-05 and FR-LD-OUT-07",
    "T-LD-07": "FR-LD-LST-06 and FR-LD-LST-06a",
    "T-LD-08": "EF-04 and FR-LD-VAL-09",
    "T-LD-09": "NFR-LD-REL-02",
    "T-LD-10": "FR-LD-LST-04 and FR-LD-ERR-04",
    "T-LD-11": "FR-LD-LST-06a",
    "T-LD-12": "FR-LD-LST-08",
    "T-LD-13": "FR-LD-OUT-08",
    "T-LD-14": "FR-LD-OUT-07",
}

inseparable = {
    id: f"An acceptance test: it shows on one tree what {rules} require of all, so whatever breaks it breaks those."
    for id, rules in _ACCEPTANCE_TESTS.items()
} | {"HID-01": "It shows only where the system has such a mark; FR-LD-LST-06a has the mutants."}
"""The reason why a requirement has no mutant of its own, by id."""
