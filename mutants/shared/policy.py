"""Executors with one error in the policy, used by the mutants of several specifications."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.context import CallContext, Policy, PolicyMode
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, Tool, ToolDefinition
from treeproof.reference_impl.shared.paths import Flavour


def with_policy(change: Callable[[Policy], Policy]) -> type[Executor]:
    """Return an executor that applies a changed policy."""

    class WithChangedPolicy(Executor):
        def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
            policy = change(context.policy)
            result = super().execute(name, arguments, replace(context, policy=policy), flavour)
            context.allow_truncation = False
            return result

    return WithChangedPolicy


class ListsByName(Executor):
    """Compares a list with the name of the call."""

    _called = ""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        self._called = name
        return super().execute(name, arguments, context, flavour)

    def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
        return self._called in tuple(names)


class AllowsFirst(Executor):
    """The allowlist overrides the denylist."""

    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        tool = self.find_tool(name)
        if self._is_listed(tool, policy.allowlist):
            policy = replace(policy, denylist=())
        return super()._find_permitted_tool(name, policy)


class DenyIsDeny(Executor):
    """Mode deny permits no tool, not even one on the allowlist."""

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        if policy.mode is PolicyMode.DENY:
            raise ToolError(ErrorKind.POLICY_DENIED, "mode deny")
        return super()._needs_approval(definition, policy)
