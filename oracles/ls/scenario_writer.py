"""The conversion of a case to a scenario with the steps of the features."""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.api import Case

from ..shared.formatting import join_paths
from ..shared.scenario_writer import given_trees, write_scenario
from .outcomes import ExpectedFailure, ExpectedOutcome


def scenario_steps(case: Case, outside: str, expected: ExpectedOutcome) -> tuple[str, ...]:
    """Return the lines of the scenario."""
    given = list(given_trees(case.tree, outside))
    if case.context:
        given.append(f"the context {_json(dict(case.context))}")
    exactly = "" if isinstance(case.arguments, dict) else "exactly "
    when = [f"{case.tool} is called with {exactly}{_json(case.arguments)}"]
    return write_scenario(("Given", given), ("When", when), ("Then", _then_steps(expected)))


def _then_steps(expected: ExpectedOutcome) -> Iterator[str]:
    if isinstance(expected, ExpectedFailure):
        yield f"the call is refused with {' or '.join(expected.codes)}"
        return
    names = (entry.key.encode("utf-8", "surrogateescape") for entry in expected.page)
    yield f'the entries in order are "{join_paths(names)}"'
    status = "partial" if expected.is_truncated else "success"
    counts = ", ".join(f"{expected.count_of(type)} {type}s" for type in ("dir", "file", "link"))
    yield f"the envelope has {_json({'status': status})}"
    yield f'line 2 of the text is "(Total: {len(expected.entries)} items - {counts})"'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
