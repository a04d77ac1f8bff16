"""Mutants: errors in the policy and in approval."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext, Policy, PolicyMode
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError, message_for_caller
from treeproof.reference_impl.shared.executor import Executor, Result, Tool, ToolDefinition
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.policy import AllowsFirst, DenyIsDeny, ListsByName, with_policy
from .builders import build_mutant


class RunsWithoutApproval(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        super()._needs_approval(definition, policy)
        return False


class RunsFirst(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if context.policy.mode is PolicyMode.PROMPT and not context.approves:
            done = super().execute(name, arguments, replace(context, approves=True), flavour)
            if done.kind in (None, ErrorKind.EXECUTION_FAILED):
                return Result(kind=ErrorKind.APPROVAL_DENIED, message="not approved", approval_requested=True)
            return done
        return super().execute(name, arguments, context, flavour)


class RunsAliases(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name not in self.tools:
            context = replace(context, approves=True)
        return super().execute(name, arguments, context, flavour)


class RequestsApprovalBeforeSandbox(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        try:
            tool = self._find_permitted_tool(name, context.policy)
            self._check_arguments(tool.definition, arguments)
            requests_approval = self._needs_approval(tool.definition, context.policy)
        except ToolError as error:
            return Result(kind=error.kind, message=message_for_caller(name, error))
        if requests_approval and not context.approves:
            return Result(kind=ErrorKind.APPROVAL_DENIED, message="not approved", approval_requested=True)
        result = super().execute(name, arguments, context, flavour)
        return replace(result, approval_requested=requests_approval)


class AllowsByOwnNames(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        own = tuple(name for name in policy.allowlist if name in self.tools)
        return super()._needs_approval(definition, replace(policy, allowlist=own))


class SandboxFirst(Executor):
    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        return super()._find_permitted_tool(name, replace(policy, denylist=()))

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        if self._is_listed(self.tools[definition.name], policy.denylist):
            raise ToolError(ErrorKind.POLICY_DENIED, f"{definition.name} is on the denylist")
        return super()._needs_approval(definition, policy)


class RefusesWhatIsListed(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        listed = self._is_listed(self.tools[definition.name], policy.allowlist)
        if policy.mode is PolicyMode.PROMPT and listed:
            raise ToolError(ErrorKind.POLICY_DENIED, "mode prompt")
        return super()._needs_approval(definition, policy)


class DeniesAll(Executor):
    def _is_listed(self, tool: Tool, names: Any) -> bool:
        return any(name in self._tool_by_alias for name in names)


class StopsWhatChanges(Executor):
    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        tool = self.find_tool(name)
        return super()._find_permitted_tool(name, policy) if tool.definition.is_side_effecting else tool

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return definition.is_side_effecting and super()._needs_approval(definition, policy)


class AsksForWhatIsAllowed(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        kept = replace(policy, allowlist=()) if policy.mode is PolicyMode.PROMPT else policy
        return super()._needs_approval(definition, kept)


class AllowsAllByOne(Executor):
    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        allowed = tuple(self.tools) if policy.mode is PolicyMode.PROMPT and policy.allowlist else policy.allowlist
        return super()._needs_approval(definition, replace(policy, allowlist=allowed))


def open_empty_list(policy: Policy) -> Policy:
    """Take an empty allowlist for one that allows everything."""
    is_open = policy.mode is PolicyMode.DENY and not policy.allowlist
    return replace(policy, mode=PolicyMode.AUTO) if is_open else policy


class ApprovalSwitchesOn(Executor):
    """In mode prompt, an approval lets tools run that are switched off."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        policy = context.policy
        if not policy.enabled and policy.mode is PolicyMode.PROMPT and context.approves:
            context = replace(context, policy=replace(policy, enabled=True))
        return super().execute(name, arguments, context, flavour)


class RequestsApprovalBeforePatterns(Executor):
    """Approval is requested before denied patterns are compared."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        is_late = result.kind is ErrorKind.SANDBOX_VIOLATION and "denied pattern" in (result.message or "")
        if not is_late or context.policy.mode is not PolicyMode.PROMPT:
            return result
        if context.approves:
            return replace(result, approval_requested=True)
        return Result(kind=ErrorKind.APPROVAL_DENIED, message="not approved", approval_requested=True)


class PromptsOnDemand(Candidate):
    """A policy without `prompt_side_effects` has no prompts."""

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        policy = params["context"].get("policy", {})
        return super().call(
            {**params, "context": {**params["context"], "policy": {"prompt_side_effects": False, **policy}}}
        )


def with_tools_named_in_part(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of a policy with the tools whose names are a part of one on it."""
    tools = ("move", "copy", "list_directory")
    return (*names, *(tool for tool in tools if any(tool in name for name in names)))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-201",
        "Approval is never requested.",
        "NFR-FOPS-SEC-02 FR-APR-04d",
        executor=RunsWithoutApproval,
    ),
    build_mutant(
        "MUT-FO-202",
        "Approval is requested after the effect.",
        "NFR-FOPS-SEC-02 FR-APR-04d",
        executor=RunsFirst,
    ),
    build_mutant("MUT-FO-203", "Under an alias, a tool needs no approval.", "NFR-FOPS-SEC-02", executor=RunsAliases),
    build_mutant(
        "MUT-FO-204",
        "Approval is requested before the sandbox check.",
        "FR-VAL-02 FR-APR-05",
        executor=RequestsApprovalBeforeSandbox,
    ),
    build_mutant(
        "MUT-FO-205",
        "A policy that disables tools is ignored.",
        "FR-APR-04a FR-APR-05 FR-FOPS-LS-01",
        executor=with_policy(lambda policy: replace(policy, enabled=True)),
    ),
    build_mutant(
        "MUT-FO-207",
        "An alias avoids the denylist.",
        "FR-APR-04b FR-APR-04c FR-APR-04d",
        executor=ListsByName,
    ),
    build_mutant(
        "MUT-FO-208",
        "The denylist is ignored.",
        "FR-APR-04b FR-APR-05",
        executor=with_policy(lambda policy: replace(policy, denylist=())),
    ),
    build_mutant("MUT-FO-209", "The allowlist overrides the denylist.", "FR-APR-04b", executor=AllowsFirst),
    build_mutant(
        "MUT-FO-210",
        "One tool on the denylist denies all.",
        "FR-APR-04b FR-APR-04c",
        executor=DeniesAll,
    ),
    build_mutant(
        "MUT-FO-211",
        "Mode deny permits tools on no list.",
        "FR-APR-04c",
        executor=with_policy(
            lambda policy: replace(policy, mode=PolicyMode.AUTO) if policy.mode is PolicyMode.DENY else policy
        ),
    ),
    build_mutant("MUT-FO-212", "Mode deny permits no tool at all.", "FR-APR-04c", executor=DenyIsDeny),
    build_mutant(
        "MUT-FO-213",
        "In mode prompt, a tool on the allowlist is refused.",
        "FR-APR-04d",
        executor=RefusesWhatIsListed,
    ),
    build_mutant("MUT-FO-214", "The sandbox check comes before the denylist.", "FR-APR-05", executor=SandboxFirst),
    build_mutant("MUT-FO-221", "An alias on the allowlist has no effect.", "FR-APR-04c", executor=AllowsByOwnNames),
    build_mutant(
        "MUT-FO-282",
        "The policy stops only tools with side effects.",
        "FR-APR-04a FR-APR-04b FR-APR-04c",
        executor=StopsWhatChanges,
    ),
    build_mutant(
        "MUT-FO-283",
        "In mode prompt, the allowlist has no effect.",
        "FR-APR-04d",
        executor=AsksForWhatIsAllowed,
    ),
    build_mutant(
        "MUT-FO-284",
        "In mode prompt, an allowlist with one tool allows all.",
        "FR-APR-04d",
        executor=AllowsAllByOne,
    ),
    build_mutant(
        "MUT-FO-343",
        "In mode deny, an empty allowlist allows everything.",
        "FR-APR-04c",
        executor=with_policy(open_empty_list),
    ),
    build_mutant(
        "MUT-FO-395",
        "An approval lets tools run that are switched off.",
        "FR-APR-04a",
        executor=ApprovalSwitchesOn,
    ),
    build_mutant(
        "MUT-FO-396",
        "Approval is requested before denied patterns are compared.",
        "FR-VAL-02",
        executor=RequestsApprovalBeforePatterns,
    ),
    build_mutant(
        "MUT-FO-397",
        "A policy without `prompt_side_effects` has no prompts.",
        "FR-APR-04d",
        candidate_class=PromptsOnDemand,
    ),
    build_mutant(
        "MUT-FO-439",
        "A name on the denylist that contains the name of a tool denies it.",
        "FR-APR-04b",
        executor=with_policy(lambda policy: replace(policy, denylist=with_tools_named_in_part(policy.denylist))),
    ),
    build_mutant(
        "MUT-FO-440",
        "A name on the allowlist that contains the name of a tool permits it.",
        "FR-APR-04c",
        executor=with_policy(lambda policy: replace(policy, allowlist=with_tools_named_in_part(policy.allowlist))),
    ),
)
