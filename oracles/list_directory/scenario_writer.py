"""A case as a scenario in the words of the features: what stands there, what is called, what has to come back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from treeproof.api import Case, format_name, render_tree

from .arguments import ExpectedFailure
from .expected import ExpectedListing

MAX_LINE_LENGTH = 160


def scenario_steps(case: Case, outside: str, due: ExpectedListing | ExpectedFailure) -> Iterator[str]:
    """The steps, line by line, with the text blocks of those that have one."""
    context = {key: value for key, value in case.context.items() if key != "config"}
    given = []
    if outside:
        given.append(f'beside the sandbox the tree "{outside}"')
    tree = render_tree(case.tree)
    given.append(f'the tree "{tree}"' if len(tree) < MAX_LINE_LENGTH else f'the tree\n  """\n  {tree}\n  """')
    if case.config:
        given.append(f"the configuration {_json(case.config)}")
    if context.keys() == {"max_output_bytes", "available_capacity_bytes"}:
        given.append(
            f"budgets of {context['max_output_bytes']} and {context['available_capacity_bytes']} bytes"
        )
    elif context:
        given.append(f"the context {_json(context)}")
    when = [f"{case.tool} is called with {_arguments(case.arguments)}"]
    then = list(
        _listing_steps(due)
        if isinstance(due, ExpectedListing) and due.kept_count is not None
        else _failure_steps(due)
    )
    for keyword, steps in (("Given", given), ("When", when), ("Then", [*then, "the tree is unchanged"])):
        for number, step in enumerate(steps):
            yield from f"{keyword if number == 0 else 'And'} {step}".split("\n")


def _arguments(arguments: Any) -> str:
    if not isinstance(arguments, dict) or "path" not in arguments:
        return f"exactly {_json(arguments)}"
    return _json({key: value for key, value in arguments.items() if (key, value) != ("path", ".")})


def _listing_steps(due: ExpectedListing) -> Iterator[str]:
    text = due.text or ""
    entries = due.entries[: due.kept_count]
    free = any(entry.error_codes for entry in entries)
    if not free and entries and text.isprintable():
        yield f'the document is exactly\n  """\n  {text}\n  """'
        return
    yield f'the entries in order are "{", ".join(format_name(entry.path.encode()) for entry in entries)}"'
    for entry in entries:
        if entry.error_codes:
            members = {"type": entry.type, "error_code": list(entry.error_codes)}
            yield f'the entry "{format_name(entry.path.encode())}" has {_json(members)}'
    reason = due.reason if due.kept_count == len(due.entries) else "max_output_bytes"
    yield f'the listing is truncated by "{reason}"' if reason else "the listing is complete"
    if not free:
        yield f"the document has {len(text.encode())} bytes"
    if not entries:
        yield 'a control call with {} on the tree "a" lists "a"'


def _failure_steps(due: ExpectedListing | ExpectedFailure) -> Iterator[str]:
    kinds = due.kinds if isinstance(due, ExpectedFailure) else frozenset({"ExecutionFailed"})
    yield f"the call fails with {' or '.join(sorted(kinds))}"
    yield 'a control call with {} on the tree "a" lists "a"'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)
