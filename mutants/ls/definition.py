"""Mutants: errors in the definition, which no call shows."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.ls.candidate import DEFINITION, ListFiles
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, mutate_reference


def build(id: str, summary: str, violates: str, **members: Any) -> Mutant:
    """Return a mutant with other members of the definition."""
    return mutate_reference(id, summary, (violates,), [ListFiles(definition=replace(DEFINITION, **members))])


def with_parameter(name: str, **changes: Any) -> Any:
    """Return the schema in which a parameter has other members."""
    schema: Any = deepcopy(DEFINITION.input_schema)
    schema["properties"].setdefault(name, {}).update(changes)
    return schema


class SmallName(Candidate):
    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return super().describe(params) | {"name": "ls"}


MORE = with_parameter("recursive", type="boolean", default=False)
LIMIT_IS_TEXT, OF_FIFTY = with_parameter("limit", type="string"), with_parameter("limit", default=50)
HOW_MANY, NO_PATTERNS = with_parameter("limit", description="How many."), with_parameter("ignore", default=[])
NEEDS_PATH = {**DEFINITION.input_schema, "required": ["path"]}

MUTANTS: tuple[Mutant, ...] = (
    mutate_reference(
        "MUT-LS-001", "The name is ls, in lower case.", ("LS-DEF-01",), [ListFiles()], candidate_class=SmallName
    ),
    build("MUT-LS-002", "There is a parameter recursive too.", "LS-DEF-03", input_schema=MORE),
    build("MUT-LS-003", "path is required by the schema.", "LS-DEF-03", input_schema=NEEDS_PATH),
    build("MUT-LS-004", "limit is a text in the schema.", "LS-DEF-03", input_schema=LIMIT_IS_TEXT),
    build("MUT-LS-008", "The schema says that limit is 50 by default.", "LS-DEF-04", input_schema=OF_FIFTY),
    build("MUT-LS-009", "The description differs.", "LS-DEF-05", description="Lists a directory."),
    build("MUT-LS-010", "The descriptions of the parameters differ.", "LS-DEF-05", input_schema=HOW_MANY),
    build(
        "MUT-LS-356", "The schema says that ignore is an empty array by default.", "LS-DEF-04", input_schema=NO_PATTERNS
    ),
)
