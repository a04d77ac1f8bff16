"""Mutants: errors in the definition, which no call shows."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.ls.candidate import DEFINITION, ListFiles
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, mutate_reference
from .builders import build_mutant


def parameter_row(id: str, summary: str, violates: str, parameter: str, **members: Any) -> Mutant:
    """Return a mutant whose schema has other members for a parameter."""
    schema: Any = deepcopy(DEFINITION.input_schema)
    schema["properties"].setdefault(parameter, {}).update(members)
    return build_mutant(id, summary, violates, definition=replace(DEFINITION, input_schema=schema))


class SmallName(Candidate):
    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return super().describe(params) | {"name": "ls"}


MORE = {"type": "boolean", "default": False}
NEEDS_PATH = replace(DEFINITION, input_schema={**DEFINITION.input_schema, "required": ["path"]})
DESCRIBED = replace(DEFINITION, description="Lists a directory.")

MUTANTS: tuple[Mutant, ...] = (
    mutate_reference(
        "MUT-LS-001", "The name is ls, in lower case.", ("LS-DEF-01",), [ListFiles()], candidate_class=SmallName
    ),
    parameter_row("MUT-LS-002", "There is a parameter recursive too.", "LS-DEF-03", "recursive", **MORE),
    build_mutant("MUT-LS-003", "path is required by the schema.", "LS-DEF-03", definition=NEEDS_PATH),
    parameter_row("MUT-LS-004", "limit is a text in the schema.", "LS-DEF-03", "limit", type="string"),
    parameter_row("MUT-LS-008", "The schema says that limit is 50 by default.", "LS-DEF-04", "limit", default=50),
    build_mutant("MUT-LS-009", "The description differs.", "LS-DEF-05", definition=DESCRIBED),
    parameter_row(
        "MUT-LS-010", "The descriptions of the parameters differ.", "LS-DEF-05", "limit", description="How many."
    ),
    parameter_row(
        "MUT-LS-356", "The schema says that ignore is an empty array by default.", "LS-DEF-04", "ignore", default=[]
    ),
)
