"""Mutants: errors in the definition."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from treeproof.reference_impl.list_directory.request import SCHEMA
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant
from .builders import build_mutant


def with_definition(**changes: Any) -> type[Candidate]:
    class Describing(Candidate):
        def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
            return super().describe(params) | changes

    return Describing


def with_published_schema(**changes: Any) -> type[Candidate]:
    """Return the tool that publishes another schema than it applies."""
    return with_definition(input_schema=SCHEMA | changes)


def with_published_property(name: str, **rule: Any) -> type[Candidate]:
    properties = deepcopy(SCHEMA["properties"])
    properties[name] = rule
    return with_published_schema(properties=properties)


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
    build_mutant(
        "MUT-201", "The name contains a hyphen.", "FR-LD-DEF-01", candidate_class=with_definition(name="list-directory")
    ),
    build_mutant(
        "MUT-202", "The name is in camel case.", "FR-LD-DEF-01", candidate_class=with_definition(name="listDirectory")
    ),
    build_mutant(
        "MUT-203",
        "The description ends in a full stop.",
        "FR-LD-DEF-02",
        candidate_class=with_definition(description="List directory entries."),
    ),
    build_mutant(
        "MUT-204",
        "The description is longer than specified.",
        "FR-LD-DEF-02",
        candidate_class=with_definition(description="List directory entries, optionally recursively"),
    ),
    build_mutant(
        "MUT-205",
        "The definition declares side effects.",
        "FR-LD-DEF-03",
        candidate_class=with_definition(is_side_effecting=True),
    ),
    build_mutant(
        "MUT-206",
        "The definition declares that approval is required.",
        "FR-LD-DEF-04",
        candidate_class=with_definition(requires_approval=True),
    ),
    build_mutant(
        "MUT-207",
        "The definition declares a medium risk.",
        "FR-LD-DEF-04",
        candidate_class=with_definition(risk_level="Medium"),
    ),
    build_mutant(
        "MUT-208",
        "The published schema forbids additional members.",
        "SCH-LD",
        candidate_class=with_published_schema(additionalProperties=False),
    ),
    build_mutant(
        "MUT-209",
        "The published schema lacks include_other.",
        "SCH-LD",
        candidate_class=with_published_schema(properties=WITHOUT_OTHER),
    ),
    build_mutant(
        "MUT-210",
        "The published schema has no minimum for max_depth.",
        "SCH-LD",
        candidate_class=with_published_property("max_depth", type="integer"),
    ),
    build_mutant(
        "MUT-211",
        "The published schema gives max_entries a maximum of 200, whatever is configured.",
        "SCH-LD",
        candidate_class=with_published_property("max_entries", type="integer", minimum=1, maximum=200),
    ),
    build_mutant(
        "MUT-212",
        "The published schema requires recursive.",
        "SCH-LD",
        candidate_class=with_published_schema(required=["path", "recursive"]),
    ),
    build_mutant(
        "MUT-213",
        "The published schema declares true as the default of include_hidden.",
        "SCH-LD",
        candidate_class=with_published_property("include_hidden", type="boolean", default=True),
    ),
    build_mutant(
        "MUT-1009",
        "After a call with a configuration, the description tells of a limit.",
        "FR-LD-DEF-02",
        candidate_class=DescribesTheLimit,
    ),
)
