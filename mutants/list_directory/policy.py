"""Mutants: errors in the policy and in approval."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.list_directory.listing import ListCall, Table, failed
from treeproof.rows.list_directory.row import TOOLS, Change

from ..shared.mutant import Mutant
from .rows import row


def policy_of(sent: ListCall) -> Table:
    return dict(sent.context.get("policy") or {})


def names(sent: ListCall, key: str) -> list[Any]:
    return [*policy_of(sent).get(key, ())]


def with_policy(sent: ListCall, **members: Any) -> ListCall:
    return sent.within({**sent.context, "policy": policy_of(sent) | members})


def policy(**members: Callable[[ListCall], Any]) -> Change:
    """Return the change of members of the policy."""
    return {"call": lambda sent: with_policy(sent, **{name: change(sent) for name, change in members.items()})}


def lists(read: Callable[[list[str]], list[str]]) -> Change:
    """Return the change to another reading of both lists."""
    return policy(
        denylist=lambda sent: read(names(sent, "denylist")), allowlist=lambda sent: read(names(sent, "allowlist"))
    )


def each(change: Callable[[str], str]) -> Change:
    return lists(lambda names: [*map(change, names)])


def in_mode(*modes: str) -> Callable[[ListCall], Any]:
    return lambda sent: policy_of(sent).get("mode", "auto") in modes


def is_listed(sent: ListCall) -> bool:
    return not set(TOOLS).isdisjoint(names(sent, "allowlist"))


def needing_approval(sent: ListCall, answer: CallResult) -> CallResult:
    """Return the answer of a call that needs approval."""
    if answer.status == "ok" and sent.context.get("approval") != "approve":
        answer = failed(answer, "ApprovalDenied", "the call is not approved")
    return replace(answer, approval_requested=True)


def requesting_approval(sent: ListCall, answer: CallResult) -> CallResult:
    return replace(answer, approval_requested=answer.status == "ok")


def as_approved(sent: ListCall) -> ListCall:
    return sent.within({**sent.context, "approval": "approve"})


def running_first(sent: ListCall) -> CallResult:
    """Check the denylist after the listing."""
    with_policy(sent, denylist=[], enabled=True, mode="auto").answer()
    return sent.answer()


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-641", "A policy that disables tools is ignored.", "FR-LD-DEF-05")(**policy(enabled=lambda sent: True)),
    row("MUT-642", "The denylist is ignored.", "FR-LD-DEF-05")(**policy(denylist=lambda sent: [])),
    row("MUT-643", "An alias avoids the denylist.", "FR-LD-DEF-05")(
        **policy(denylist=lambda sent: [name for name in names(sent, "denylist") if name == sent.call.tool])
    ),
    row("MUT-644", "The allowlist overrides the denylist.", "FR-LD-DEF-05")(
        where=is_listed, call=lambda sent: with_policy(sent, denylist=[])
    ),
    row("MUT-645", "Mode deny permits tools on no list.", "FR-LD-DEF-05")(
        where=in_mode("deny"), call=lambda sent: with_policy(sent, mode="auto")
    ),
    row("MUT-646", "Mode deny permits no tool, not even one on the allowlist.", "FR-LD-DEF-05")(
        where=in_mode("deny"), call=lambda sent: with_policy(sent, allowlist=[])
    ),
    row("MUT-647", "A tool on the allowlist needs approval.", "FR-LD-DEF-05 FR-LD-DEF-04")(
        where=lambda sent: names(sent, "allowlist"), result=needing_approval
    ),
    row("MUT-648", "A denied call is executed and then refused.", "FR-LD-DEF-05")(answer=running_first),
    row("MUT-649", "In mode prompt, a refused call is executed.", "FR-LD-DEF-05 FR-LD-OUT-04")(
        where=in_mode("prompt"), call=as_approved, result=requesting_approval
    ),
    row("MUT-733", "Aliases on a list have no effect.", "FR-LD-DEF-05")(
        **lists(lambda names: [name for name in names if name == "list_directory"])
    ),
    row("MUT-734", "Only the first name of a list has an effect.", "FR-LD-DEF-05")(**lists(lambda names: names[:1])),
    row("MUT-735", "Only the last name of a list has an effect.", "FR-LD-DEF-05")(**lists(lambda names: names[-1:])),
    row("MUT-736", "In mode auto, an allowlist denies all other tools.", "FR-LD-DEF-05")(
        where=lambda sent: in_mode("auto")(sent) and names(sent, "allowlist"),
        call=lambda sent: with_policy(sent, mode="deny"),
    ),
    row("MUT-737", "Names on a list are case-insensitive.", "FR-LD-DEF-05")(**each(str.lower)),
    row("MUT-738", "Blanks around names on a list are ignored.", "FR-LD-DEF-05")(**each(str.strip)),
    row("MUT-930", "A call that shows hidden entries needs approval.", "FR-LD-DEF-04")(
        where=lambda sent: sent.given.get("include_hidden") is True, result=needing_approval
    ),
    row(
        "MUT-988",
        "In mode prompt, approval is requested unless the tool is on the allowlist, and a denied call runs.",
        "FR-LD-DEF-05",
    )(where=lambda sent: in_mode("prompt")(sent) and not is_listed(sent), result=requesting_approval),
    row("MUT-1010", "Only the first name of an allowlist is compared.", "FR-LD-DEF-05")(
        **policy(allowlist=lambda sent: names(sent, "allowlist")[:1])
    ),
    row("MUT-1011", "Only the last name of an allowlist is compared.", "FR-LD-DEF-05")(
        **policy(allowlist=lambda sent: names(sent, "allowlist")[-1:])
    ),
)
