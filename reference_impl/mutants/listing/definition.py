"""Wrong in what the tool says of itself."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ...candidate import Candidate
from ...listing.request import SCHEMA
from ..mutant import Mutant
from .made import wrong


def describing(**changes: Any) -> type[Candidate]:
    class Describing(Candidate):
        def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
            return super().describe(params) | changes

    return Describing


def publishing(**changes: Any) -> type[Candidate]:
    """Says another schema than it goes by."""
    return describing(input_schema=SCHEMA | changes)


def publishing_property(name: str, **rule: Any) -> type[Candidate]:
    properties = deepcopy(SCHEMA["properties"])
    properties[name] = rule
    return publishing(properties=properties)


WITHOUT_OTHER = {name: rule for name, rule in SCHEMA["properties"].items() if name != "include_other"}

MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-201", "The name is spelt with a hyphen.", "FR-LD-DEF-01", face=describing(name="list-directory")
    ),
    wrong("MUT-202", "The name is in camel case.", "FR-LD-DEF-01", face=describing(name="listDirectory")),
    wrong(
        "MUT-203",
        "The description ends in a full stop.",
        "FR-LD-DEF-02",
        face=describing(description="List directory entries."),
    ),
    wrong(
        "MUT-204",
        "The description tells more than it should.",
        "FR-LD-DEF-02",
        face=describing(description="List directory entries, optionally recursively"),
    ),
    wrong(
        "MUT-205",
        "The tool says that it has side effects.",
        "FR-LD-DEF-03",
        face=describing(is_side_effecting=True),
    ),
    wrong(
        "MUT-206",
        "The tool says that it requires approval.",
        "FR-LD-DEF-04",
        face=describing(requires_approval=True),
    ),
    wrong("MUT-207", "The risk level is Medium.", "FR-LD-DEF-04", face=describing(risk_level="Medium")),
    wrong(
        "MUT-208",
        "The published schema forbids further members.",
        "SCH-LD",
        face=publishing(additionalProperties=False),
    ),
    wrong(
        "MUT-209",
        "The published schema lacks include_other.",
        "SCH-LD",
        face=publishing(properties=WITHOUT_OTHER),
    ),
    wrong(
        "MUT-210",
        "The published schema has no minimum for max_depth.",
        "SCH-LD",
        face=publishing_property("max_depth", type="integer"),
    ),
    wrong(
        "MUT-211",
        "The published schema gives max_entries a maximum of 200, whatever is configured.",
        "SCH-LD",
        face=publishing_property("max_entries", type="integer", minimum=1, maximum=200),
    ),
    wrong(
        "MUT-212",
        "The published schema requires recursive.",
        "SCH-LD",
        face=publishing(required=["path", "recursive"]),
    ),
    wrong(
        "MUT-213",
        "The published schema calls include_hidden true by default.",
        "SCH-LD",
        face=publishing_property("include_hidden", type="boolean", default=True),
    ),
)
