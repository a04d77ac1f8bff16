"""How a call differs from an accepted outcome, answer and tree together, and the requirement that it breaks."""

from __future__ import annotations

from dataclasses import replace

from treeproof.api import (
    ROOT_NAME,
    Exchange,
    Finding,
    Tree,
    by_path,
    from_paths,
    notations_of,
    tree_diff,
)

from ..shared.judgement import MATCH, Comparison
from ..shared.remembered import once_for_each, once_in_a_row
from .attribution import CHANGED_OUTSIDE, RUNS_AWAY, Difference, attribute, escape_of, lost_contents
from .calls import expected_tree, tool_name
from .outcome import ExpectedOutcome
from .tree_state import FAR

MAX_DIFF_LINES = 12

FAR_AWAY = -100
"""How near an error is that has neither its kind nor had to be: everything else is nearer."""

_WRONG_STATUS = {"ok": 8, "error": 1}
"""How many changes of the tree a wrong status weighs.

A success is held against what a success had to do, wherever it is accepted: one without effect is no breach of the rule
by which the call may be refused.
"""

ALIAS_RULE = "FR-FOPS-01"
"""The requirement on the names of the tools."""

REQUIREMENTS = frozenset(
    {
        *("FR-FOPS-01", "FR-FOPS-MV-01", "FR-FOPS-MV-02", "FR-FOPS-MV-03", "FR-FOPS-MV-04"),
        *("FR-FOPS-CP-01", "FR-FOPS-CP-02", "FR-FOPS-CP-03", "FR-FOPS-LS-01", "T-FOPS-LS-01"),
        *("NFR-FOPS-SEC-01", "NFR-FOPS-SEC-02", "CFG-FOPS-01"),
        *(f"DFO-{number:02}" for number in (1, 2, 3, 4, 5, 6, 7, 9)),
        *("FR-VAL-01", "FR-VAL-04", "FR-VAL-05", "FR-VAL-08", "FR-VAL-09"),
        *("FR-APR-04a", "FR-APR-04b", "FR-APR-04c", "FR-APR-04d", "FR-EXE-01"),
    }
)
"""Every requirement that a finding of the model can name."""


def unknown_tool(exchange: Exchange) -> tuple[Finding, ...]:
    """Return that a call by a name of no tool was carried out, or changed something."""
    answer = exchange.answer
    changes = tree_diff(exchange.before, exchange.after, times=False)
    if answer.status != "ok" and not changes:
        return ()
    message = f"no tool has the name {exchange.command.tool}"
    got = "success" if answer.status == "ok" else f"{answer.error_kind}, with an effect"
    kind = "a call by the name of no tool is carried out"
    return (Finding(ALIAS_RULE, message, "an error", got, kind=kind),)


def missing_name(exchange: Exchange) -> Finding:
    """Return that there is no tool of a name that the document gives."""
    tool = exchange.command.tool
    message = f"{tool} is no name of any tool"
    due = tool_name(exchange.command)
    return Finding(ALIAS_RULE, message, due, "UnknownTool", kind="there is no tool of this name")


def is_right_status(exchange: Exchange, outcome: ExpectedOutcome) -> bool:
    """Return whether a call succeeded or failed as in an outcome; one without an answer did either."""
    return not exchange.is_answered or (exchange.answer.status == "ok") == (outcome.error_kind is None)


def compare(exchange: Exchange, outcome: ExpectedOutcome) -> Comparison:
    """Compare answer and tree together: the fewer differences, the closer the outcome."""
    answer, tree = exchange.answer, expected_tree(exchange, outcome)
    is_success = outcome.error_kind is None
    changes = _changes(exchange, outcome, tree)
    is_right = is_right_status(exchange, outcome)
    if is_right and not changes:
        return MATCH if is_success or not exchange.is_answered else _compare_kind(exchange, outcome)
    expected = "success" if is_success else " or ".join(outcome.kinds) or "an error"
    got = "success" if answer.status == "ok" else f"{answer.error_kind}: {answer.error_message}"
    got = got if exchange.is_answered else "no answer"
    if is_right:
        expected, got = notations_of(tree, exchange.after)
    found = attribute(Difference(exchange, outcome, tree, tuple(changes)))
    # A name that leads to the wrong tool is no matter of the rule that the tool follows.
    further = (ALIAS_RULE,) if exchange.command.tool != tool_name(exchange.command) else ()
    finding = Finding(
        found.requirement,
        ": ".join(filter(None, (found.kind, "; ".join(changes[:MAX_DIFF_LINES])))),
        expected,
        got,
        (*found.other_requirements, *further),
        kind=found.kind,
        harm=found.harm,
    )
    return -len(changes) - (0 if is_right else _WRONG_STATUS[answer.status]), (finding,)


def _compare_kind(exchange: Exchange, outcome: ExpectedOutcome) -> Comparison:
    """Compare the kind of an error, where a rule of the framework names it."""
    kind = exchange.answer.error_kind
    if not outcome.kinds or kind in (*outcome.kinds, "Unclassified"):
        return MATCH
    due = " or ".join(outcome.kinds)
    message = f"{exchange.command.tool} failed with {kind}; the framework's kind of error is {due}"
    finding = Finding(outcome.kind_rule, message, due, str(kind), kind=f"{kind} instead of {due}")
    # What does not fit the schema is refused as such, whatever the kind.
    is_near = outcome.is_certain or outcome.kind_rule == "FR-VAL-01"
    return 0 if is_near else FAR_AWAY, (finding,)


def _changes(exchange: Exchange, outcome: ExpectedOutcome, tree: Tree) -> list[str]:
    """Return how the tree after a call differs from the expected one.

    A call that fails may leave something behind. One without an answer may have ended anywhere on its way.
    """
    failed = exchange.answer.status != "ok"
    if not exchange.is_answered or (outcome.is_midway and failed):
        lost = [f"{len(content)} bytes are lost" for content in lost_contents(exchange, tree)]
        return lost or ([CHANGED_OUTSIDE] if escape_of(exchange, tree) else [])
    if outcome.error_kind is not None and failed:
        return _losses(tree, exchange.after) or _copies_of_copies(exchange)
    return tree_diff(tree, exchange.after, times=False)


@once_in_a_row
def _copies_of_copies(exchange: Exchange) -> list[str]:
    """Return that a failed call has copied what it had copied: more levels than those of a copy in what was there."""
    before, after = by_path(exchange.before), by_path(exchange.after)
    levels = max(path.count(b"/") + 1 for path in before)
    bound = 2 * levels + str(exchange.command.arguments).count("/") + 1
    return [RUNS_AWAY] if any(path.count(b"/") >= bound for path in after.keys() - before.keys()) else []


@once_for_each  # most outcomes of a call that fails leave the same tree
def _losses(before: Tree, after: Tree) -> list[str]:
    """Return what a failed call lost or changed; what it added is no loss."""
    due, got = by_path(before), by_path(after)
    roots = (ROOT_NAME + b"/", FAR + b"/")
    shared = {path: node for path, node in got.items() if path in due or not path.startswith(roots)}
    shared = {
        path: replace(node, hardlink=None) if node.hardlink is not None and node.hardlink not in shared else node
        for path, node in shared.items()
    }
    return tree_diff(before, from_paths(shared), times=False)
