"""The policy of a call: whether it stops the call, and whether it needs an approval (FR-LD-DEF-05).

The document defers to the page of the executor: switched off, denylist, sandbox, mode. It names no kind of error for a
call that is stopped, so any is right here; the rows about an executor name theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.api import Case, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import ANY_ERROR_KIND, ExpectedFailure

_OTHER_TOOLS = frozenset({"read_file", "write_file", "run_command"})
_ANY_KIND = ANY_ERROR_KIND | {"PolicyDenied", "ApprovalDenied", "UnknownTool"}
_REQUIREMENT = "FR-LD-DEF-05"


@dataclass(frozen=True)
class PolicyDecision:
    """What a policy makes of a call. `stop`: it is not carried out. `needs_approval`: the user approves it first."""

    stop: ExpectedFailure | None = None
    needs_approval: bool = False


def decide(case: Case, readings: ReadingChoices) -> PolicyDecision:
    """Return what the policy of a case makes of its call; without a policy the call runs without approval."""
    policy: Mapping[str, Any] = case.context.get("policy") or {}
    if not policy.get("enabled", True):
        return _stopped("the policy has switched all tools off")
    if case.tool in policy.get("denylist", ()):
        return _stopped("the tool is in the denylist")
    if not _OTHER_TOOLS.issuperset(policy.get("denylist", ())):
        raise Unmodelled("a name in the denylist may be an alias of the tool")
    is_allowed = case.tool in policy.get("allowlist", ())
    mode = policy.get("mode", "auto")
    if mode == "deny" and not is_allowed:
        return _stopped("the tool is not in the allowlist")
    if mode != "prompt" or is_allowed:
        return PolicyDecision()
    interpretation = "AMB-LD-39" if policy.get("prompt_side_effects", True) else "AMB-LD-65"
    if readings[interpretation] == "a":
        return PolicyDecision()
    if case.context.get("approval") == "approve":
        return PolicyDecision(needs_approval=True)
    return PolicyDecision(_stop("the user has refused the call"), needs_approval=True)


def _stopped(reason: str) -> PolicyDecision:
    return PolicyDecision(_stop(reason))


def _stop(reason: str) -> ExpectedFailure:
    return ExpectedFailure(_ANY_KIND, _REQUIREMENT, reason)
