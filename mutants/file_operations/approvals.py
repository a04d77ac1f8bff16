"""Mutants: errors in the policy and in approval."""

from dataclasses import replace
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.file_operations.row import NAMES, At, Memory, with_context

from ..shared.mutant import Mutant
from .rows import row

EVERY = "move copy list"
TOOLS = tuple(names[0] for names in NAMES.values())


def denied(answer: CallResult) -> CallResult:
    """Return the answer of a call without an approval."""
    error: dict[str, Any] = {"error_kind": "ApprovalDenied", "error_message": "not approved"}
    return replace(answer, status="error", content=None, approval_requested=True, **error)


def approved(at: At) -> CallResult:
    return with_context(at.sent, {**at.context, "approval": "approve"}).answer()


def is_approved(at: At) -> bool:
    return at.context.get("approval") == "approve"


def prompts(at: At) -> bool:
    """Whether the mode requests approval, if the tool is not on the allowlist."""
    return at.policy.get("mode") == "prompt"


def is_allowed(at: At) -> bool:
    return not set(own_names(at)).isdisjoint(at.policy.get("allowlist", ()))


def own_names(at: At) -> tuple[str, ...]:
    return next(names for names in NAMES.values() if at.name in names)


def with_policy(at: At, **changes: Any) -> CallResult:
    """Return the candidate's answer under another policy."""
    return with_context(at.sent, {**at.context, "policy": {**at.policy, **changes}}).answer()


def lists(at: At, change: Any) -> CallResult:
    """Return the candidate's answer with both lists of the policy changed."""
    return with_policy(at, **{key: change(at.policy.get(key, [])) for key in ("allowlist", "denylist")})


def in_mode(mode: str, /, **changes: Any) -> Any:
    """Return the change of a policy in one mode."""
    return lambda policy: {**policy, **changes} if policy.get("mode") == mode else policy


def before_the_sandbox(at: At) -> CallResult:
    answer = at.sent.answer()
    is_late = answer.error_kind in ("SandboxViolation", "ExecutionFailed") and not is_allowed(at)
    if is_late and at.policy.get("prompt_side_effects", True):
        return replace(answer, approval_requested=True) if is_approved(at) else denied(answer)
    return answer


def before_patterns(at: At) -> CallResult:
    answer = at.sent.answer()
    others = {"denied_patterns": [], "include_default_denies": False}
    if answer.error_kind != "SandboxViolation" or is_approved(at):
        return answer
    found = with_context(at.sent, {**at.context, **others}).answer()
    return found if found.error_kind == "ApprovalDenied" else answer


def after_the_effect(at: At) -> CallResult:
    answer = approved(at)
    return denied(answer) if answer.error_kind in (None, "ExecutionFailed") else answer


def named_in_part(names: list[str]) -> list[str]:
    """Return a list of a policy with the tools whose names are a part of one on it."""
    return [*names, *(tool for tool in TOOLS if any(tool in name for name in names))]


def once_for_all(at: At, kept: Memory) -> CallResult:
    if kept and prompts(at):
        return with_policy(at, mode="auto")
    answer = at.sent.answer()
    if answer.approval_requested and is_approved(at):
        kept["approved"] = True
    return answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-FO-201", "Approval is never requested.", "NFR-FOPS-SEC-02 FR-APR-04d")(
        where=prompts, answer=lambda at: replace(approved(at), approval_requested=False)
    ),
    row("MUT-FO-202", "Approval is requested after the effect.", "NFR-FOPS-SEC-02 FR-APR-04d")(
        where=lambda at: prompts(at) and not is_approved(at), answer=after_the_effect
    ),
    row("MUT-FO-203", "Under an alias, a tool needs no approval.", "NFR-FOPS-SEC-02")(
        on="rename mv cp listdir ls dir", context=lambda context: {**context, "approval": "approve"}
    ),
    row("MUT-FO-204", "Approval is requested before the sandbox check.", "FR-VAL-02 FR-APR-05")(
        where=prompts, answer=before_the_sandbox
    ),
    row("MUT-FO-027", "Approval is requested before the arguments are checked.", "FR-VAL-01 FR-APR-05")(
        on=EVERY,
        where=lambda at: prompts(at) and not is_approved(at) and at.policy.get("enabled", True),
        answer=lambda at: denied(at.sent.answer({})),
    ),
    row("MUT-FO-205", "A policy that disables tools is ignored.", "FR-APR-04a FR-APR-05 FR-FOPS-LS-01")(
        on=EVERY, policy=lambda policy: {**policy, "enabled": True}
    ),
    row("MUT-FO-207", "An alias avoids the denylist.", "FR-APR-04b FR-APR-04c FR-APR-04d")(
        on=EVERY, answer=lambda at: lists(at, lambda names: [at.name] if at.name in names else [])
    ),
    row("MUT-FO-208", "The denylist is ignored.", "FR-APR-04b FR-APR-05")(
        on=EVERY, policy=lambda policy: {**policy, "denylist": []}
    ),
    row("MUT-FO-209", "The allowlist overrides the denylist.", "FR-APR-04b")(
        on=EVERY, where=is_allowed, policy=lambda policy: {**policy, "denylist": []}
    ),
    row("MUT-FO-210", "One tool on the denylist denies all.", "FR-APR-04b FR-APR-04c")(
        on=EVERY,
        answer=lambda at: lists(
            at, lambda names: [at.name] if any(name in own for own in NAMES.values() for name in names) else []
        ),
    ),
    row("MUT-FO-211", "Mode deny permits tools on no list.", "FR-APR-04c")(
        on=EVERY, policy=in_mode("deny", mode="auto")
    ),
    row("MUT-FO-212", "Mode deny permits no tool at all.", "FR-APR-04c")(
        on=EVERY, policy=in_mode("deny", allowlist=[])
    ),
    row("MUT-FO-213", "In mode prompt, a tool on the allowlist is refused.", "FR-APR-04d")(
        on=EVERY,
        where=lambda at: prompts(at) and is_allowed(at),
        answer=lambda at: with_policy(at, mode="deny", allowlist=[]),
    ),
    row("MUT-FO-214", "The sandbox check comes before the denylist.", "FR-APR-05")(
        on=EVERY,
        where=lambda at: not set(own_names(at)).isdisjoint(at.policy.get("denylist", ())),
        answer=lambda at: with_policy(at, mode="deny", allowlist=[], denylist=[]),
    ),
    row("MUT-FO-221", "An alias on the allowlist has no effect.", "FR-APR-04c")(
        on=EVERY,
        policy=lambda policy: {**policy, "allowlist": [name for name in policy.get("allowlist", ()) if name in TOOLS]},
    ),
    row("MUT-FO-282", "The policy stops only tools with side effects.", "FR-APR-04a FR-APR-04b FR-APR-04c")(
        on="list", policy=lambda policy: {"enabled": True}
    ),
    row("MUT-FO-283", "In mode prompt, the allowlist has no effect.", "FR-APR-04d")(
        on=EVERY, policy=in_mode("prompt", allowlist=[])
    ),
    row("MUT-FO-284", "In mode prompt, an allowlist with one tool allows all.", "FR-APR-04d")(
        on=EVERY,
        where=lambda at: prompts(at) and at.policy.get("allowlist"),
        policy=in_mode("prompt", allowlist=list(TOOLS)),
    ),
    row("MUT-FO-343", "In mode deny, an empty allowlist allows everything.", "FR-APR-04c")(
        on=EVERY, where=lambda at: not at.policy.get("allowlist"), policy=in_mode("deny", mode="auto")
    ),
    row("MUT-FO-344", "After one approval, none is requested again.", "NFR-FOPS-SEC-02 FR-APR-04d")(
        on=EVERY, keeps=once_for_all
    ),
    row("MUT-FO-395", "An approval lets tools run that are switched off.", "FR-APR-04a")(
        on=EVERY, where=is_approved, policy=in_mode("prompt", enabled=True)
    ),
    row("MUT-FO-396", "Approval is requested before denied patterns are compared.", "FR-VAL-02")(
        on=EVERY, where=prompts, answer=before_patterns
    ),
    row("MUT-FO-397", "A policy without `prompt_side_effects` has no prompts.", "FR-APR-04d")(
        on=EVERY, policy=lambda policy: {"prompt_side_effects": False, **policy}
    ),
    row("MUT-FO-439", "A name on the denylist that contains the name of a tool denies it.", "FR-APR-04b")(
        on=EVERY, policy=lambda policy: {**policy, "denylist": named_in_part(policy.get("denylist", []))}
    ),
    row("MUT-FO-440", "A name on the allowlist that contains the name of a tool permits it.", "FR-APR-04c")(
        on=EVERY, policy=lambda policy: {**policy, "allowlist": named_in_part(policy.get("allowlist", []))}
    ),
    row("MUT-FO-451", "Under a policy without a switch, mode auto runs nothing.", "FR-APR-04a FR-APR-04b FR-APR-04d")(
        on=EVERY, policy=lambda policy: {"enabled": False, **policy} if policy.get("mode") == "auto" else policy
    ),
)
