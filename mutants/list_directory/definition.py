"""Mutants that remain classes: errors in the definition, which no call shows."""

from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.list_directory.request import SCHEMA
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant
from .builders import build_mutant


def defined(id: str, summary: str, violates: str, **changes: Any) -> Mutant:
    """Return the mutant that describes itself in another way."""

    class Describing(Candidate):
        def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
            return super().describe(params) | changes

    return build_mutant(id, summary, violates, candidate_class=Describing)


def published(id: str, summary: str, **changes: Any) -> Mutant:
    """Return the mutant that publishes another schema than it applies."""
    return defined(id, summary, "SCH-LD", input_schema=SCHEMA | changes)


def with_property(name: str, **rule: Any) -> dict[str, Any]:
    return {**SCHEMA["properties"], name: rule}


class DescribesTheLimit(Candidate):
    """Adds the limit of the last call with a configuration to the description."""

    _note = ""

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        context = params.get("context")
        config = context.get("config") if isinstance(context, dict) else None
        if config:
            self._note = " (limited)"
        return super().call(params)

    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        definition = super().describe(params)
        return definition | {"description": definition["description"] + self._note}


WITHOUT_OTHER = {name: rule for name, rule in SCHEMA["properties"].items() if name != "include_other"}

MUTANTS: tuple[Mutant, ...] = (
    defined("MUT-201", "The name contains a hyphen.", "FR-LD-DEF-01", name="list-directory"),
    defined("MUT-202", "The name is in camel case.", "FR-LD-DEF-01", name="listDirectory"),
    defined("MUT-203", "The description ends in a full stop.", "FR-LD-DEF-02", description="List directory entries."),
    defined(
        "MUT-204",
        "The description is longer than specified.",
        "FR-LD-DEF-02",
        description="List directory entries, optionally recursively",
    ),
    defined("MUT-205", "The definition declares side effects.", "FR-LD-DEF-03", is_side_effecting=True),
    defined("MUT-206", "The definition declares that approval is required.", "FR-LD-DEF-04", requires_approval=True),
    defined("MUT-207", "The definition declares a medium risk.", "FR-LD-DEF-04", risk_level="Medium"),
    published("MUT-208", "The published schema forbids additional members.", additionalProperties=False),
    published("MUT-209", "The published schema lacks include_other.", properties=WITHOUT_OTHER),
    published(
        "MUT-210",
        "The published schema has no minimum for max_depth.",
        properties=with_property("max_depth", type="integer"),
    ),
    published(
        "MUT-211",
        "The published schema gives max_entries a maximum of 200, whatever is configured.",
        properties=with_property("max_entries", type="integer", minimum=1, maximum=200),
    ),
    published("MUT-212", "The published schema requires recursive.", required=["path", "recursive"]),
    published(
        "MUT-213",
        "The published schema declares true as the default of include_hidden.",
        properties=with_property("include_hidden", type="boolean", default=True),
    ),
    build_mutant(
        "MUT-1009",
        "After a call with a configuration, the description tells of a limit.",
        "FR-LD-DEF-02",
        candidate_class=DescribesTheLimit,
    ),
)
