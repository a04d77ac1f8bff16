"""Scenarios as lines of Gherkin, with the steps that all packs have in common."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from treeproof.api import Tree, render_tree

MAX_LINE_LENGTH = 150


def write_scenario(*parts: tuple[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the lines of a scenario from (keyword, steps); the second step of a part begins with And."""
    return tuple(
        line
        for keyword, steps in parts
        for number, step in enumerate(steps)
        for line in f"{'And' if number else keyword} {step}".split("\n")
    )


def given_trees(tree: Tree, outside: str) -> Iterator[str]:
    """Yield the steps that build a tree, and the one beside the sandbox if there is one."""
    if outside:
        yield f'beside the sandbox the tree "{outside}"'
    notation = render_tree(tree)
    yield f'the tree "{notation}"' if len(notation) < MAX_LINE_LENGTH else f"the tree\n{doc_string(notation)}"


def doc_string(text: str) -> str:
    """Return a text as the doc string of a step."""
    return f'  """\n  {text}\n  """'


def control_call(arguments: Any, tree: str, listed: str) -> str:
    """Return the step that shows that the candidate works at all."""
    return f'a control call with {json.dumps(arguments)} on the tree "{tree}" lists "{listed}"'
