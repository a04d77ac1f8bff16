"""A case as a scenario in the words of the features."""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.api import Case, Kind, format_path, render_tree

from .expected import ExpectedListing, ExpectedOutcome

MAX_LINE_LENGTH = 150


def scenario_steps(case: Case, outside: str, due: ExpectedOutcome) -> Iterator[str]:
    """The steps, line by line."""
    tree = render_tree(case.tree)
    yield from (
        [f'Given the tree "{tree}"']
        if len(tree) < MAX_LINE_LENGTH
        else ["Given the tree", '  """', f"  {tree}", '  """']
    )
    if outside:
        yield f'And beside the sandbox the tree "{outside}"'
    exactly = "" if isinstance(case.arguments, dict) and "path" in case.arguments else "exactly "
    yield f"When {case.tool} is called with {exactly}{json.dumps(case.arguments)}"
    yield from _then_steps(due)
    if not isinstance(due, ExpectedListing) or not due.elements:
        yield 'And a control call with {"path": "."} on the tree "a/{b}" lists "a, a/b"'
    yield "And the tree is unchanged"


def _then_steps(due: ExpectedOutcome) -> Iterator[str]:
    if not isinstance(due, ExpectedListing):
        if due.may_fail:
            yield "Then by AMB-WD-09 the answer is one of"
            yield "  | reading    | result | fails     |"
            yield "  | nil        | nil    |           |"
            yield "  | call_error |        | any error |"
        else:
            yield "Then the result is nil or empty" if due.allows_empty_list else "Then the result is nil"
        return
    listed = ", ".join(format_path(one.path.encode()) for one in due.elements)
    if not due.elements:
        passage, label = ("AMB-WD-06", "empty") if due.start.ends_in_link else ("AMB-WD-01", "list")
        yield f"Then by {passage} the answer is one of"
        yield "  | reading | entries |"
        yield f'  | {label} | ""      |'
        return
    yield f'Then the entries are "{listed}"'
    directories = [format_path(one.path.encode()) for one in due.elements if one.node.kind is Kind.DIR]
    yield f'And the directories among them are "{", ".join(directories)}"'
