"""A case as a scenario in the words of the features."""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.api import Case, format_path, render_tree

from .expected import ExpectedListing, ExpectedOutcome

MAX_LINE_LENGTH = 150


def scenario_steps(case: Case, outside: str, due: ExpectedOutcome) -> Iterator[str]:
    """The steps, line by line."""
    tree = render_tree(case.tree)
    if len(tree) < MAX_LINE_LENGTH:
        yield f'Given the tree "{tree}"'
    else:
        yield from ("Given the tree", '  """', f"  {tree}", '  """')
    if outside:
        yield f'And beside the sandbox the tree "{outside}"'
    yield f"When {case.tool} is called with {json.dumps(case.arguments)}"
    if isinstance(due, ExpectedListing):
        yield f'Then the entries are "{", ".join(format_path(child.raw_path) for child in due.entries)}"'
    else:
        yield "Then the call fails with any error"
    if not isinstance(due, ExpectedListing) or not due.entries:
        yield 'And a control call with {"path": "$ROOT"} on the tree "a/{b}, c" lists "a, c"'
    yield "And the tree is unchanged"
