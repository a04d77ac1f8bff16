"""Wrong in what may run: the policy that governs all tools, and the user's word."""

from dataclasses import replace
from typing import Any

from ...context import CallContext, Mode, Policy
from ...errors import Kind, ToolError, message_for_caller
from ...executor import Definition, Executor, Result, Tool
from ...paths import Flavour
from ..listing.policy import AllowsFirst, DenyIsDeny, ListsByName, governed_by
from ..mutant import Mutant
from .made import made


class RunsWithoutAsking(Executor):
    """Nobody is asked."""

    def _must_ask(self, definition: Definition, policy: Policy) -> bool:
        super()._must_ask(definition, policy)
        return False


class RunsFirst(Executor):
    """The user is asked when it is done."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if context.policy.mode is Mode.PROMPT and not context.approves:
            done = super().execute(name, arguments, replace(context, approves=True), flavour)
            if done.kind in (None, Kind.EXECUTION_FAILED):
                return Result(kind=Kind.APPROVAL_DENIED, message="not approved", approval_requested=True)
            return done
        return super().execute(name, arguments, context, flavour)


class RunsAliases(Executor):
    """Who calls a tool by another name need not be asked."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name not in self.tools:
            context = replace(context, approves=True)
        return super().execute(name, arguments, context, flavour)


class AsksBeforeTheSandbox(Executor):
    """The user is asked before the paths are looked at."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        try:
            tool = self._permitted(name, context.policy)
            self._check(tool.definition, arguments)
            asked = self._must_ask(tool.definition, context.policy)
        except ToolError as error:
            return Result(kind=error.kind, message=message_for_caller(name, error))
        if asked and not context.approves:
            return Result(kind=Kind.APPROVAL_DENIED, message="not approved", approval_requested=True)
        result = super().execute(name, arguments, context, flavour)
        return replace(result, approval_requested=asked)


class AsksInVain(Executor):
    """The user is asked about what mode deny refuses whatever he says."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        done = super().execute(name, arguments, context, flavour)
        in_vain = context.policy.mode is Mode.DENY and done.kind is Kind.POLICY_DENIED
        return replace(done, approval_requested=True) if in_vain else done


class AllowsByOwnNames(Executor):
    """The allowlist knows tools by their own names only."""

    def _must_ask(self, definition: Definition, policy: Policy) -> bool:
        own = tuple(name for name in policy.allowlist if name in self.tools)
        return super()._must_ask(definition, replace(policy, allowlist=own))


class SandboxFirst(Executor):
    """The paths are looked at before the denylist is."""

    def _permitted(self, name: str, policy: Policy) -> Tool:
        return super()._permitted(name, replace(policy, denylist=()))

    def _must_ask(self, definition: Definition, policy: Policy) -> bool:
        if self._is_listed(self.tools[definition.name], policy.denylist):
            raise ToolError(Kind.POLICY_DENIED, f"{definition.name} is on the denylist")
        return super()._must_ask(definition, policy)


class RefusesWhatIsListed(Executor):
    """In mode prompt what is on the allowlist does not run."""

    def _must_ask(self, definition: Definition, policy: Policy) -> bool:
        listed = self._is_listed(self.tools[definition.name], policy.allowlist)
        if policy.mode is Mode.PROMPT and listed:
            raise ToolError(Kind.POLICY_DENIED, "mode prompt")
        return super()._must_ask(definition, policy)


class SwitchedOffQuietly(Executor):
    """Why nothing runs is not said."""

    def _permitted(self, name: str, policy: Policy) -> Tool:
        if not policy.enabled:
            raise ToolError(Kind.POLICY_DENIED, "no")
        return super()._permitted(name, policy)


class DeniesAll(Executor):
    """One tool on the denylist is enough to deny all."""

    def _is_listed(self, tool: Tool, names: Any) -> bool:
        return any(name in self._names for name in names)


MUTANTS: tuple[Mutant, ...] = (
    made(201, "Nobody is asked for approval.", "NFR-FOPS-SEC-02", "FR-APR-04d", executor=RunsWithoutAsking),
    made(
        202,
        "The user is asked when it is done.",
        "NFR-FOPS-SEC-02",
        "FR-APR-04d",
        executor=RunsFirst,
    ),
    made(203, "By another name a tool needs no approval.", "NFR-FOPS-SEC-02", executor=RunsAliases),
    made(
        204, "The user is asked before the sandbox.", "FR-VAL-02", "FR-APR-05", executor=AsksBeforeTheSandbox
    ),
    made(
        205,
        "A policy that switches tools off is ignored.",
        "FR-APR-04a",
        "FR-APR-05",
        "FR-FOPS-LS-01",
        executor=governed_by(lambda policy: replace(policy, enabled=True)),
    ),
    made(206, "Why nothing runs is not said.", "FR-APR-04a", executor=SwitchedOffQuietly),
    made(
        207,
        "An alias walks past the denylist.",
        "FR-APR-04b",
        "FR-APR-04c",
        "FR-APR-04d",
        executor=ListsByName,
    ),
    made(
        208,
        "The denylist is ignored.",
        "FR-APR-04b",
        "FR-APR-05",
        executor=governed_by(lambda policy: replace(policy, denylist=())),
    ),
    made(209, "The allowlist beats the denylist.", "FR-APR-04b", executor=AllowsFirst),
    made(
        210,
        "One tool on the denylist is enough to deny all.",
        "FR-APR-04b",
        "FR-APR-04c",
        executor=DeniesAll,
    ),
    made(
        211,
        "Mode deny runs what is on no list.",
        "FR-APR-04c",
        executor=governed_by(
            lambda policy: replace(policy, mode=Mode.AUTO) if policy.mode is Mode.DENY else policy
        ),
    ),
    made(212, "Mode deny runs nothing at all.", "FR-APR-04c", executor=DenyIsDeny),
    made(
        213, "In mode prompt what is on the allowlist is refused.", "FR-APR-04d", executor=RefusesWhatIsListed
    ),
    made(214, "The sandbox comes before the denylist.", "FR-APR-05", executor=SandboxFirst),
    made(
        220,
        "The user is asked about what mode deny refuses whatever he says.",
        "FR-APR-04c",
        executor=AsksInVain,
    ),
    made(221, "A further name on the allowlist is no tool's.", "FR-APR-04c", executor=AllowsByOwnNames),
)
