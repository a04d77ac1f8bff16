"""A case as a scenario in the words of the features: what stands there, what is called, what has to come back."""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.api import Case, format_name, render_tree

from .expected import ExpectedFailure, ExpectedListing


def scenario_steps(case: Case, outside: str, due: ExpectedListing | ExpectedFailure) -> Iterator[str]:
    """The steps, line by line."""
    given = [f'beside the sandbox the tree "{outside}"'] if outside else []
    given.append(f'the tree "{render_tree(case.tree)}"')
    if case.context:
        given.append(f"the context {_json(dict(case.context))}")
    exactly = "" if isinstance(case.arguments, dict) else "exactly "
    when = [f"{case.tool} is called with {exactly}{_json(case.arguments)}"]
    then = list(_failure_steps(due) if isinstance(due, ExpectedFailure) else _listing_steps(due))
    for keyword, steps in (("Given", given), ("When", when), ("Then", [*then, "the tree is unchanged"])):
        for number, step in enumerate(steps):
            yield f"{keyword if number == 0 else 'And'} {step}"


def _listing_steps(due: ExpectedListing) -> Iterator[str]:
    yield f'the entries in order are "{_format_names(item.name for item in due.page)}"'
    status = "partial" if due.truncated else "success"
    counts = {f"{type}s": due.count_of(type) for type in ("dir", "file", "link")}
    stats = {"total_entries": len(due.entries), **counts, "returned": len(due.page)}
    yield f"the envelope has {_json({'status': status, 'stats': stats})}"
    if not due.page:
        yield 'a control call with {} on the tree "a" lists "a"'


def _failure_steps(due: ExpectedFailure) -> Iterator[str]:
    yield f"the call is refused with {' or '.join(due.codes)}"
    yield 'a control call with {} on the tree "a" lists "a"'


def _format_names(names: Iterator[str]) -> str:
    return ", ".join(format_name(name.encode()) for name in names)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
