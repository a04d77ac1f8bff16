"""A case as a scenario in the words of the features."""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.search.model import Case
from treeproof.tree import Kind, render, show_path

from .outcomes import Outcome, Walk

LONGEST_LINE = 150


def sentences(case: Case, outside: str, due: Outcome) -> Iterator[str]:
    """The steps, line by line."""
    tree = render(case.tree)
    yield from (
        [f'Given the tree "{tree}"']
        if len(tree) < LONGEST_LINE
        else ["Given the tree", '  """', f"  {tree}", '  """']
    )
    if outside:
        yield f'And beside the sandbox the tree "{outside}"'
    exactly = "" if isinstance(case.arguments, dict) and "path" in case.arguments else "exactly "
    yield f"When {case.tool} is called with {exactly}{json.dumps(case.arguments)}"
    yield from _then(due)
    if not isinstance(due, Walk) or not due.due:
        yield 'And a control call with {"path": "."} on the tree "a/{b}" lists "a, a/b"'
    yield "And the tree is unchanged"


def _then(due: Outcome) -> Iterator[str]:
    if not isinstance(due, Walk):
        if due.failing:
            yield "Then by AMB-WD-09 the answer is one of"
            yield "  | reading    | result | fails     |"
            yield "  | nil        | nil    |           |"
            yield "  | call_error |        | any error |"
        else:
            yield "Then the result is nil or empty" if due.empty else "Then the result is nil"
        return
    listed = ", ".join(show_path(one.text.encode()) for one in due.due)
    if not due.due:
        passage, label = ("AMB-WD-06", "empty") if due.found.ends else ("AMB-WD-01", "list")
        yield f"Then by {passage} the answer is one of"
        yield "  | reading | entries |"
        yield f'  | {label} | ""      |'
        return
    yield f'Then the entries are "{listed}"'
    directories = [show_path(one.text.encode()) for one in due.due if one.node.kind is Kind.DIR]
    yield f'And the directories among them are "{", ".join(directories)}"'
