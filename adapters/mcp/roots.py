"""Which root a server works below, and what that leaves to be asked of it. Looks at links; opens nothing else.

A call's context says its root, budgets, policy. A server is *told* the context where it reads it from ``_meta``. One
that is not told works below the root it was started with: that of the fixture, or that of the whole run.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.candidate import Target, ToolConfig, UnsupportedByAdapter, UsageError, format_untrusted

# What a context may say to a server that is not told: nothing but what is so anyway. Several spellings of one
# default: the protocol's own, and none at all.
_CONTEXT_DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "allow_absolute": (False,),
    "denied_patterns": ([],),
    "include_default_denies": (True,),
    "max_output_bytes": (102_400,),
    "available_capacity_bytes": (65_536,),
    "config": ({},),
    "policy": ({},),
    "approval": ("deny",),
}
_FIXTURE_HELPS = 'start = "fixture" with {root} in its command line asks this'


@dataclass(frozen=True)
class RootPolicy:
    """How one server learns of roots. ``workspace`` is where all fixtures lie."""

    target: Target
    receives_context: bool
    starts_per_fixture: bool
    workspace: str

    @classmethod
    def create(
        cls, target: Target, *, receives_context: bool, accepts_root: bool, workspace: str
    ) -> "RootPolicy":
        """Raises UsageError where no way leads from a call's root to the server."""
        source = target.manifest or f"TARGET {format_untrusted(target.text)}"
        if target.start == "fixture" and not accepts_root:
            raise UsageError(
                f'{source}: start = "fixture" needs {{root}} in command, env or cwd, and the adapter kind mcp'
            )
        per_fixture = target.start == "fixture" or (
            target.start is None and accepts_root and not receives_context
        )
        if (
            not receives_context
            and not per_fixture
            and not any(tool.absolute_path_arguments for tool in target.tools.values())
        ):
            raise UsageError(
                f"{source}: the server cannot know the root of a call: put {{root}} where its command line takes a "
                'root, or write absolute = ["path"] below [tools.NAME] for a server that may list the whole '
                "workspace, or let it read _meta (docs/mcp.md)"
            )
        return cls(target, receives_context, per_fixture, workspace)

    def root_of(self, context: Mapping[str, Any]) -> str:
        """The root that the server must have been started with for a call."""
        roots = context["roots"]
        return str(roots[0]) if self.starts_per_fixture and roots else self.workspace

    def map_arguments(
        self, tool: ToolConfig | None, arguments: Mapping[str, Any], context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The arguments under the server's own names, paths made absolute where it wants that. Raises CannotAsk."""
        if not self.receives_context:
            self._check_default_context(tool, context)
        if tool is None:
            return dict(arguments)
        sent: dict[str, Any] = {}
        for name, value in arguments.items():
            if name in tool.absolute_path_arguments and isinstance(value, str) and (path := value.strip()):
                absolute = os.path.join(context["working_dir"], path)
                if not self.receives_context and not self.starts_per_fixture:
                    self._check_within_fixture(absolute, context["roots"])
                # Blanks stay around it: what a tool makes of them is its own business.
                value = value.replace(path, absolute, 1)
            sent[tool.argument_names.get(name, name)] = value
        return sent

    def _check_default_context(self, tool: ToolConfig | None, context: Mapping[str, Any]) -> None:
        for name, value in context.items():
            if name in _CONTEXT_DEFAULTS and value not in _CONTEXT_DEFAULTS[name]:
                raise UnsupportedByAdapter(
                    f"the server is not told a call's context ({name}); docs/mcp.md says how it could be"
                )
        roots = context["roots"]
        if len(roots) != 1:
            raise UnsupportedByAdapter(
                f"the server is not told a call's {len(roots)} roots; docs/mcp.md says how it could be"
            )
        if not self.starts_per_fixture and not _is_below(os.path.realpath(roots[0]), self.workspace):
            raise UnsupportedByAdapter(
                f"the fixture lies elsewhere than below the server's root; {_FIXTURE_HELPS}"
            )
        if context["working_dir"] != roots[0] and not (tool and tool.absolute_path_arguments):
            raise UnsupportedByAdapter(
                "the server is not told a call's working directory, which is not the root here"
            )

    def _check_within_fixture(self, path: str, roots: list[str]) -> None:
        """What leaves the fixture may still be below the root that the server knows of, which is the workspace."""
        try:
            place = os.path.realpath(path)
        except ValueError:  # a NUL in it leads nowhere
            return
        if _is_below(place, self.workspace) and not _is_below(place, roots[0]):
            raise UnsupportedByAdapter(
                f"the path leaves the fixture, and the server's root is the whole run's; {_FIXTURE_HELPS}"
            )


def _is_below(place: str, root: str) -> bool:
    """Whether a resolved path leads below the root."""
    root = os.path.realpath(root)
    return place == root or place.startswith(root.rstrip("/") + "/")
