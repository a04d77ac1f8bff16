"""The calls of one scenario before they are sent: arguments, context and configuration. Sends nothing.

Placeholders stand for absolute paths of a run and for long repetitions, into a call and out of the evidence, so that
reports are equal everywhere.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.candidate import Call
from treeproof.model.placeholders import placeholders_of, scrub
from treeproof.run.sandbox import Sandbox
from treeproof.spec import Pack


class CallBuilder:
    """Builds calls with the context that the Given steps have set."""

    def __init__(self, pack: Pack, sandbox: Sandbox) -> None:
        self.context: dict[str, Any] = {}
        """Members of the call context that the scenario sets."""
        self.config: dict[str, Any] | None = None
        """The whole configuration."""
        self.tool_config: dict[str, Any] | None = None
        """The tool's own table of the configuration."""
        self._pack = pack
        self._sandbox = sandbox

    def build(
        self, tool: str, text: str, *, verbatim: bool = False, extra_context: Mapping[str, Any] | None = None
    ) -> Call:
        """Return a call with the JSON ``text`` as arguments; ``verbatim`` sends the text exactly as it is."""
        placeholders = self._sandbox.placeholders
        arguments_text = expand_text(text, placeholders)
        arguments = json.loads(arguments_text)
        if not verbatim and isinstance(arguments, dict):
            arguments = {**self._pack.tool(tool).default_arguments, **arguments}
        root = os.fsdecode(self._sandbox.root)
        context = {
            "roots": [root],
            "working_dir": root,
            **expand({**self._pack.context, **self.context}, placeholders),
            **(extra_context or {}),
        }
        config = self._config_for(tool)
        if config is not None:
            context["config"] = config
        return Call(tool, arguments, context, arguments_text if verbatim else None)

    def build_default(self, tool: str, text: str, root: bytes) -> Call:
        """Return a call on the sandbox root ``root`` that ignores what the scenario has set."""
        placeholders = placeholders_of(root)
        arguments = {**self._pack.tool(tool).default_arguments, **json.loads(expand_text(text, placeholders))}
        path = placeholders["$ROOT"]
        return Call(tool, arguments, {**self._pack.context, "roots": [path], "working_dir": path})

    def move_to(self, call: Call, root: bytes) -> Call:
        """Return ``call`` with the sandbox root ``root`` instead of the scenario's own."""
        placeholders = placeholders_of(root)
        arguments = expand(scrub(call.arguments, self._sandbox.placeholders), placeholders)
        moved = replace(call, arguments=arguments)
        return with_context(moved, roots=[placeholders["$ROOT"]], working_dir=placeholders["$ROOT"])

    def _config_for(self, tool: str) -> dict[str, Any] | None:
        if self.config is None and self.tool_config is None:
            return None
        config: dict[str, Any] = json.loads(json.dumps(self.config or {}))
        if self.tool_config is not None:
            table = self._pack.tool(tool).config_table
            config.setdefault("tools", {}).setdefault(table, {}).update(self.tool_config)
        return config


def with_context(call: Call, **members: Any) -> Call:
    """Return ``call`` with members of its context replaced."""
    return replace(call, context={**call.context, **members})


_REPETITION = re.compile(r"\$\('((?:[^'\\]|\\.)*)'\*(\d+)\)")


def expand(value: Any, placeholders: Mapping[str, str]) -> Any:
    """Return ``value`` with every ``$NAME`` of ``placeholders`` and every ``$('x'*n)`` in its strings replaced."""
    match value:
        case str():
            text = _REPETITION.sub(lambda m: m.group(1) * int(m.group(2)), value)
            for name, replacement in placeholders.items():
                text = text.replace(name, replacement)
            return text
        case list():
            return [expand(item, placeholders) for item in value]
        case dict():
            return {expand(key, placeholders): expand(item, placeholders) for key, item in value.items()}
        case _:
            return value


def expand_text(text: str, placeholders: Mapping[str, str]) -> str:
    """Return JSON text with its placeholders replaced, and no other change."""
    return str(expand(text, placeholders))


def mask_volatile_members(text: str | None, members: Sequence[str]) -> str | None:
    """Return a JSON text with ``$DURATION`` for the numbers of these members."""
    if not members or text is None:
        return text
    number = rf'("(?:{"|".join(map(re.escape, members))})"\s*:\s*)\d+(?:\.\d+)?'
    return re.sub(number, r"\1$DURATION", text)
