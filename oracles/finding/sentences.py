"""A case as a scenario in the words of the features."""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.search.model import Case
from treeproof.tree import render, show_path

from .outcomes import Listed, Outcome

LONGEST_LINE = 150


def sentences(case: Case, outside: str, due: Outcome) -> Iterator[str]:
    """The steps, line by line."""
    tree = render(case.tree)
    if len(tree) < LONGEST_LINE:
        yield f'Given the tree "{tree}"'
    else:
        yield from ("Given the tree", '  """', f"  {tree}", '  """')
    if outside:
        yield f'And beside the sandbox the tree "{outside}"'
    yield f"When {case.tool} is called with {json.dumps(case.arguments)}"
    if isinstance(due, Listed):
        yield f'Then the entries are "{", ".join(show_path(child.raw) for child in due.due)}"'
    else:
        yield "Then the call fails with any error"
    if not isinstance(due, Listed) or not due.due:
        yield 'And a control call with {"path": "$ROOT"} on the tree "a/{b}, c" lists "a, c"'
    yield "And the tree is unchanged"
