"""Selects the root of a server, and the calls that remain possible with it. Reads links only.

A call's context contains its root, budgets and policy. A server *receives* the context if it reads it from
``_meta``. Another server works below the root of its start: that of the fixture, or that of the whole run.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.candidate import Target, ToolConfig, UnsupportedByAdapter, UsageError, format_untrusted
from treeproof.candidate.tool_mapping import map_arguments

from ..root_placeholders import roots_of

# Permitted values in the context of a call to a server that does not receive it: the protocol's defaults.
_CONTEXT_DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "allow_absolute": (False,),
    "denied_patterns": ([],),
    "include_default_denies": (True,),
    "max_output_bytes": (102_400,),
    "available_capacity_bytes": (65_536,),
    "config": ({},),
    "policy": ({},),
    "approval": ("deny", "approve"),  # a server that requests no approval needs none
}
_FIXTURE_HELPS = 'start = "fixture" with {root} in its command line permits this call'


@dataclass(frozen=True)
class RootPolicy:
    """The way in which one server gets its root. ``workspace`` contains all fixtures."""

    target: Target
    receives_context: bool
    starts_per_fixture: bool
    accepts_roots: bool
    workspace: str

    @classmethod
    def create(
        cls, target: Target, *, receives_context: bool, accepts_root: bool, accepts_roots: bool, workspace: str
    ) -> "RootPolicy":
        """Return the policy of a server. Raises UsageError if it cannot get the root of a call."""
        source = target.manifest or f"TARGET {format_untrusted(target.text)}"
        if target.start == "fixture" and not accepts_root:
            raise UsageError(
                f'{source}: start = "fixture" needs {{root}} in command, env or cwd, and the adapter kind mcp'
            )
        per_fixture = target.start == "fixture" or (target.start is None and accepts_root and not receives_context)
        if (
            not receives_context
            and not per_fixture
            and not target.is_unclaimed
            and not any(tool.absolute_path_arguments for tool in target.tools.values())
        ):
            fixed = next(
                (word for word in reversed(target.argv[1:]) if word.startswith("/") and os.path.isdir(word)), ""
            )
            place = f"in the place of {format_untrusted(fixed, 80)}" if fixed else "where its command line takes a root"
            raise UsageError(
                f"{source}: the server does not get the root of a call; put {{root}} {place}, "
                'or write absolute = ["path"] below [tools.NAME] for a server that may list the whole '
                "workspace, or let it read _meta (docs/mcp.md)"
            )
        is_shared = not receives_context and not per_fixture
        if is_shared and any(tool.rooted_path_arguments for tool in target.tools.values()):
            raise UsageError(f'{source}: rooted needs a server whose / is the root of a call: start = "fixture"')
        return cls(target, receives_context, per_fixture, accepts_roots, workspace)

    def roots_of(self, context: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the roots with which the server must have been started for a call."""
        if not self.starts_per_fixture:
            return (self.workspace,)
        roots = roots_of(context, self.workspace)
        return roots if self.accepts_roots else roots[:1]

    def map_arguments(
        self,
        tool: ToolConfig | None,
        arguments: Mapping[str, Any],
        context: Mapping[str, Any],
        schema: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the arguments under the server's names, as its tool takes them; ``schema`` is the tool's own.

        Raises UnsupportedByAdapter.
        """
        if not self.receives_context:
            self._check_default_context(tool, context)
        if tool is None:
            return dict(arguments)
        if not self.receives_context and not self.starts_per_fixture:
            for name in tool.absolute_path_arguments:
                value = arguments.get(name)
                if isinstance(value, str) and value:
                    self._check_within_fixture(os.path.join(context["working_dir"], value), context["roots"])
        return map_arguments(tool, arguments, context, schema)

    def _check_default_context(self, tool: ToolConfig | None, context: Mapping[str, Any]) -> None:
        for name, value in context.items():
            if name in _CONTEXT_DEFAULTS and value not in _CONTEXT_DEFAULTS[name]:
                raise UnsupportedByAdapter(f"the server does not receive a call's context ({name}); see docs/mcp.md")
        roots = context["roots"]
        if len(roots) != 1 and not (self.starts_per_fixture and self.accepts_roots):
            raise UnsupportedByAdapter(f"the server does not receive a call's {len(roots)} roots; see docs/mcp.md")
        if not self.starts_per_fixture and not _is_below(os.path.realpath(roots[0]), self.workspace):
            raise UnsupportedByAdapter(f"the fixture is not below the server's root; {_FIXTURE_HELPS}")
        if context["working_dir"] != roots[0] and not (tool and tool.absolute_path_arguments):
            raise UnsupportedByAdapter(
                "the server does not receive a call's working directory, which is not the root here"
            )

    def _check_within_fixture(self, path: str, roots: list[str]) -> None:
        """Refuse a path that leaves the fixture but not the server's root, which is the workspace."""
        try:
            resolved = os.path.realpath(path)
        except ValueError:  # a path with NUL
            return
        if _is_below(resolved, self.workspace) and not _is_below(resolved, roots[0]):
            raise UnsupportedByAdapter(
                f"the path leaves the fixture, and the server's root is the whole run's; {_FIXTURE_HELPS}"
            )


def _is_below(path: str, root: str) -> bool:
    """Return whether a resolved path is below the root."""
    root = os.path.realpath(root)
    return path == root or path.startswith(root.rstrip("/") + "/")
