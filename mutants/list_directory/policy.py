"""Mutants: errors in the policy and in approval."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.context import CallContext, Policy, PolicyMode
from treeproof.reference_impl.shared.executor import Executor, Result, Tool, ToolDefinition
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.policy import AllowsFirst, DenyIsDeny, ListsByName, with_policy
from .builders import build_mutant


class ResolvesTheCalledOnly(Executor):
    """Resolves the alias of the call, but not those of a list."""

    def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
        return tool.definition.name in tuple(names)


class AllowlistBinds(Executor):
    """An allowlist denies all other tools, in every mode."""

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        mode = PolicyMode.DENY if policy.mode is PolicyMode.AUTO and policy.allowlist else policy.mode
        return super()._needs_approval(definition, replace(policy, mode=mode))


class AllowsTheFirstOnly(Executor):
    """Compares only the first name of an allowlist."""

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, replace(policy, allowlist=policy.allowlist[:1]))


class AllowsTheLastOnly(Executor):
    """Compares only the last name of an allowlist."""

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, replace(policy, allowlist=policy.allowlist[-1:]))


def with_listed_names(read: Callable[[list[str]], list[str]]) -> type[Executor]:
    """Return an executor that reads the names of a list in another way."""

    class Reading(Executor):
        def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
            return super()._is_listed(tool, read(list(names)))

    return Reading


def for_each_name(change: Callable[[str], str]) -> type[Executor]:
    return with_listed_names(lambda names: [change(name) for name in names])


class IgnoresApproval(Executor):
    """Requests approval in mode prompt, as permitted, and runs even if it is denied."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        return super().execute(name, arguments, replace(context, approves=True), flavour)

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, policy) or policy.mode is PolicyMode.PROMPT


class AsksAndRuns(Executor):
    """Requests approval in mode prompt for what is on no list, and runs even if it is denied."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        policy = context.policy
        is_requested = policy.mode is PolicyMode.PROMPT and not self._is_listed(self.find_tool(name), policy.allowlist)
        return replace(result, approval_requested=is_requested and result.kind is None)


class AsksAboutHiddenEntries(Executor):
    """Requests approval for a call that shows hidden entries."""

    _shows_hidden = False

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        self._shows_hidden = isinstance(arguments, dict) and arguments.get("include_hidden") is True
        return super().execute(name, arguments, context, flavour)

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, policy) or self._shows_hidden


class RunsFirst(Executor):
    """Checks the denylist after the listing."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        lenient = replace(context.policy, denylist=(), enabled=True, mode=PolicyMode.AUTO)
        super().execute(name, arguments, replace(context, policy=lenient), flavour)
        return super().execute(name, arguments, context, flavour)


class RequestsApprovalAlways(Executor):
    """Requests approval before every call, in every mode."""

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        return super()._needs_approval(definition, policy) or bool(policy.allowlist)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-641",
        "A policy that disables tools is ignored.",
        "FR-LD-DEF-05",
        executor=with_policy(lambda policy: replace(policy, enabled=True)),
    ),
    build_mutant(
        "MUT-642",
        "The denylist is ignored.",
        "FR-LD-DEF-05",
        executor=with_policy(lambda policy: replace(policy, denylist=())),
    ),
    build_mutant("MUT-643", "An alias avoids the denylist.", "FR-LD-DEF-05", executor=ListsByName),
    build_mutant("MUT-644", "The allowlist overrides the denylist.", "FR-LD-DEF-05", executor=AllowsFirst),
    build_mutant(
        "MUT-645",
        "Mode deny permits tools on no list.",
        "FR-LD-DEF-05",
        executor=with_policy(
            lambda policy: replace(policy, mode=PolicyMode.AUTO) if policy.mode is PolicyMode.DENY else policy
        ),
    ),
    build_mutant(
        "MUT-646",
        "Mode deny permits no tool, not even one on the allowlist.",
        "FR-LD-DEF-05",
        executor=DenyIsDeny,
    ),
    build_mutant(
        "MUT-647",
        "A tool on the allowlist needs approval.",
        "FR-LD-DEF-05 FR-LD-DEF-04",
        executor=RequestsApprovalAlways,
    ),
    build_mutant("MUT-648", "A denied call is executed and then refused.", "FR-LD-DEF-05", executor=RunsFirst),
    build_mutant(
        "MUT-649",
        "In mode prompt, a refused call is executed.",
        "FR-LD-DEF-05 FR-LD-OUT-04",
        executor=IgnoresApproval,
    ),
    build_mutant("MUT-733", "Aliases on a list have no effect.", "FR-LD-DEF-05", executor=ResolvesTheCalledOnly),
    build_mutant(
        "MUT-734",
        "Only the first name of a list has an effect.",
        "FR-LD-DEF-05",
        executor=with_listed_names(lambda names: names[:1]),
    ),
    build_mutant(
        "MUT-735",
        "Only the last name of a list has an effect.",
        "FR-LD-DEF-05",
        executor=with_listed_names(lambda names: names[-1:]),
    ),
    build_mutant(
        "MUT-736",
        "In mode auto, an allowlist denies all other tools.",
        "FR-LD-DEF-05",
        executor=AllowlistBinds,
    ),
    build_mutant(
        "MUT-737",
        "Names on a list are case-insensitive.",
        "FR-LD-DEF-05",
        executor=for_each_name(str.lower),
    ),
    build_mutant(
        "MUT-738",
        "Blanks around names on a list are ignored.",
        "FR-LD-DEF-05",
        executor=for_each_name(str.strip),
    ),
    build_mutant(
        "MUT-930",
        "A call that shows hidden entries needs approval.",
        "FR-LD-DEF-04",
        executor=AsksAboutHiddenEntries,
    ),
    build_mutant(
        "MUT-988",
        "In mode prompt, approval is requested unless the tool is on the allowlist, and a denied call runs.",
        "FR-LD-DEF-05",
        executor=AsksAndRuns,
    ),
    build_mutant(
        "MUT-1010",
        "Only the first name of an allowlist is compared.",
        "FR-LD-DEF-05",
        executor=AllowsTheFirstOnly,
    ),
    build_mutant(
        "MUT-1011",
        "Only the last name of an allowlist is compared.",
        "FR-LD-DEF-05",
        executor=AllowsTheLastOnly,
    ),
)
