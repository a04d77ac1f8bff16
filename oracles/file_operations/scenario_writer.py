"""The conversion of calls on a tree to a scenario with the steps of the features.

The scenario is valid for every candidate: after the last call it allows all outcomes of accepted readings.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from treeproof.api import (
    ROOT_NAME,
    AcceptedReadings,
    Exchange,
    Tree,
    Unmodelled,
    render_tree,
    subtree,
    tree_diff,
    without_default_metadata,
)

from ..shared.scenario_writer import given_trees, write_scenario
from .calls import config_table, expected_tree, has_second_root, request_of, tool_name
from .expected import expected_outcomes
from .gates import is_usual
from .generators import OUTSIDE
from .outcome import ANY_ERROR, ExpectedOutcome


def scenario_steps(exchanges: Sequence[Exchange], accepted: AcceptedReadings) -> tuple[str, ...]:
    """Return the lines of the scenario. Raises Unmodelled for calls that the steps cannot express together."""
    if any(has_second_root(exchange) for exchange in exchanges):
        raise Unmodelled("the steps for a second root are others")
    if any(not is_usual(exchange.command) for exchange in exchanges):
        raise Unmodelled("the steps of a scenario do not express these calls")
    table = config_table(exchanges[0].command)
    if any(config_table(exchange.command) != table for exchange in exchanges):
        raise Unmodelled("the calls have different configurations")
    given = list(given_trees(_root_tree(exchanges[0].before), OUTSIDE))
    if table is not None:
        given.append(f"the configuration {json.dumps(table)}")
    *earlier, last = exchanges
    calls: list[tuple[str, list[str]]] = []
    for exchange in earlier:
        calls += [
            ("When", [_when_step(exchange, again=bool(calls))]),
            ("Then", [_intermediate_step(exchange)]),
        ]
    calls += [("When", [_when_step(last, again=bool(calls))]), ("Then", [_final_step(last, accepted)])]
    return write_scenario(("Given", given), *calls)


def _when_step(exchange: Exchange, *, again: bool) -> str:
    tool, name = tool_name(exchange.command), exchange.command.tool
    suffix = f' by the name "{name}"' if name != tool else " again" if again else ""
    return f"{tool} is called{suffix} with {json.dumps(dict(exchange.command.arguments))}"


def _intermediate_step(exchange: Exchange) -> str:
    """Return the step for a call before the last one, which must have the recommended outcome."""
    outcome, *_ = expected_outcomes(request_of(exchange), {})
    if tree_diff(expected_tree(exchange, outcome), exchange.after, times=False):
        raise Unmodelled("a call before the last one has another outcome than the recommended one")
    return _outcome_step(exchange, [outcome])


def _final_step(exchange: Exchange, accepted: AcceptedReadings) -> str:
    outcomes = expected_outcomes(request_of(exchange), accepted)
    successes = {_remaining_tree(exchange, outcome) for outcome in outcomes if outcome.error_kind is None}
    if len(successes) <= 1:
        return _outcome_step(exchange, outcomes)
    interpretations = {interpretation for outcome in outcomes for interpretation in outcome.labels}
    if len(interpretations) != 1:  # of several, the table shows the outcomes alone
        table = [("fails", "leaves"), *(_cells(exchange, outcome) for outcome in outcomes)]
        return f"the outcome is one of\n{_format_table(table)}"
    interpretation = interpretations.pop()
    rows = [("reading", "fails", "leaves")]
    rows += [(outcome.labels.get(interpretation, ""), *_cells(exchange, outcome)) for outcome in outcomes]
    return f"by {interpretation} the outcome is one of\n{_format_table(rows)}"


def _cells(exchange: Exchange, outcome: ExpectedOutcome) -> tuple[str, str]:
    """Return the cells `fails` and `leaves` of an outcome."""
    if outcome.error_kind is None:
        return "", _remaining_tree(exchange, outcome)
    return _kinds([outcome]), ""


def _format_table(rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"  | {' | '.join(map(_escape_cell, row))} |" for row in dict.fromkeys(rows))


def _outcome_step(exchange: Exchange, outcomes: Sequence[ExpectedOutcome]) -> str:
    """Return the step for outcomes with at most one state of success."""
    successes = [outcome for outcome in outcomes if outcome.error_kind is None]
    errors = [outcome for outcome in outcomes if outcome.error_kind is not None]
    if not successes:
        return f"the call fails with {_kinds(errors)} and changes nothing"
    remaining = _remaining_tree(exchange, successes[0])
    if not errors:
        return f'the call succeeds and leaves "{remaining}"'
    if remaining == render_tree(_root_tree(exchange.before)) and _kinds(errors) == "any error":
        return "the call changes nothing, whether it fails or succeeds"
    return f'the call either leaves "{remaining}", or fails with {_kinds(errors)} and changes nothing'


def _kinds(errors: Sequence[ExpectedOutcome]) -> str:
    kinds = {outcome.error_kind or ANY_ERROR for outcome in errors}
    return "any error" if ANY_ERROR in kinds else " or ".join(sorted(kinds))


def _remaining_tree(exchange: Exchange, outcome: ExpectedOutcome) -> str:
    return render_tree(_root_tree(expected_tree(exchange, outcome)))


def _root_tree(tree: Tree) -> Tree:
    return without_default_metadata(subtree(tree, ROOT_NAME))


def _escape_cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")
