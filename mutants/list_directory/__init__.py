"""The mutants and null candidates of `list_directory`: one module for each group of requirements."""

from ..shared.registry import collect_mutants

mutants = collect_mutants(__name__)

inseparable = {
    "T-LD-01": "An acceptance test: it shows on one tree what FR-LD-OUT-01 and FR-LD-LST-01 require of all.",
    "HID-01": "It shows only where the system has such a mark; FR-LD-LST-06a has the mutants.",
}
"""The reason why a requirement has no mutant of its own, by id."""
