"""The conversion of a case to a scenario with the steps of the features."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from treeproof.api import Case

from ..shared.formatting import join_paths
from ..shared.scenario_writer import control_call, doc_string, given_trees, write_scenario
from .arguments import ExpectedFailure
from .expected import ExpectedListing, ExpectedOutcome

CONTROL_CALL = control_call({}, "a", "a")


def scenario_steps(case: Case, outside: str, expected: ExpectedOutcome) -> tuple[str, ...]:
    """Return the lines of the scenario."""
    arguments = case.arguments
    if isinstance(arguments, dict) and "path" in arguments:
        text = json.dumps({key: value for key, value in arguments.items() if (key, value) != ("path", ".")})
    else:
        text = f"exactly {json.dumps(arguments)}"
    given = [*given_trees(case.tree, outside), *_context_steps(case)]
    when = [f"{case.tool} is called with {text}"]
    then = _outcome_steps(expected)
    return write_scenario(("Given", given), ("When", when), ("Then", then))


def _context_steps(case: Case) -> Iterator[str]:
    if case.config:
        yield f"the configuration {json.dumps(case.config)}"
    context: dict[str, Any] = {key: value for key, value in case.context.items() if key != "config"}
    if context.keys() == {"max_output_bytes", "available_capacity_bytes"}:
        yield f"budgets of {context['max_output_bytes']} and {context['available_capacity_bytes']} bytes"
    elif context:
        yield f"the context {json.dumps(context)}"


def _outcome_steps(expected: ExpectedOutcome) -> Iterator[str]:
    if isinstance(expected, ExpectedFailure) or expected.kept_count is None:
        kinds = expected.kinds if isinstance(expected, ExpectedFailure) else {"ExecutionFailed"}
        yield f"the call fails with {' or '.join(sorted(kinds))}"
        yield CONTROL_CALL
        return
    yield from _listing_steps(expected, expected.text or "")


def _listing_steps(expected: ExpectedListing, text: str) -> Iterator[str]:
    entries = expected.entries[: expected.kept_count]
    has_errors = any(entry.error_codes for entry in entries)
    if not has_errors and entries and text.isprintable():
        yield f"the document is exactly\n{doc_string(text)}"
        return
    yield f'the entries in order are "{join_paths(entry.path.encode() for entry in entries)}"'
    for entry in entries:
        if entry.error_codes:
            members = {"type": entry.type, "error_code": list(entry.error_codes)}
            yield f'the entry "{join_paths([entry.path.encode()])}" has {json.dumps(members)}'
    reason = expected.reason if expected.kept_count == len(expected.entries) else "max_output_bytes"
    yield f'the listing is truncated by "{reason}"' if reason else "the listing is complete"
    if not has_errors:
        yield f"the document has {len(text.encode())} bytes"
    if not entries:
        yield CONTROL_CALL
