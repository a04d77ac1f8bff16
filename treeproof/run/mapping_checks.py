"""The checks of a mapping: what it sends against the tool's own schema, an error, optional arguments, the start.

Like `adapter_checks`, they give no verdict.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeproof.candidate import UNCLASSIFIED, Call, CallResult, ToolConfig, UnsupportedByAdapter, format_untrusted
from treeproof.candidate.orphans import process_tree
from treeproof.candidate.tool_mapping import has_argument
from treeproof.errors import suggest
from treeproof.run.capability_needs import LeftOut, count_left_out
from treeproof.run.check_context import CheckContext
from treeproof.tree import CannotBuild
from treeproof.verdict.checks import CheckResult

_SHELLS = ("ash", "bash", "busybox", "dash", "ksh", "sh", "zsh")
_SAMPLES: Mapping[str, Any] = {"boolean": True, "integer": 1, "number": 1, "string": "a", "array": [], "object": {}}
"""A value for an optional argument of each type."""
_EXCERPT = 120


def check_start(context: CheckContext) -> Iterator[CheckResult]:
    """Look at the process that was started, and at the root of the server."""
    pid = context.candidate.adapter.pid
    if pid is not None and os.path.exists(link := f"/proc/{pid}/exe"):
        shell = Path(os.readlink(link)).name
        if shell in _SHELLS and len(process_tree(pid)) > 1:
            detail = f"{shell} was started, and a child of it answers, which can outlive it"
            yield CheckResult("process", "warning", detail, "write exec before the last command of the script")
    if getattr(context.candidate.adapter, "shares_root", False):
        yield from _check_root(context)


def _check_root(context: CheckContext) -> Iterator[CheckResult]:
    """Propose another start for a server that does not get the root of a call."""
    workspace = str(context.environment.workspace.path)
    fixed = [word for word in context.target.argv[1:] if word.startswith("/") and os.path.isdir(word)]
    if fixed and not any(Path(workspace).is_relative_to(os.path.realpath(word)) for word in fixed):
        detail = (
            f"the command line has the directory {format_untrusted(fixed[-1], 80)}, which is not that of a scenario"
        )
        yield CheckResult("root", "warning", detail, 'write {root} in its place, and start = "fixture"')
        return
    detail = "the server has the trees of the whole run as its root: what leaves that of a scenario is not verified"
    more = '; start = "fixture" starts it for each tree' if context.has_root_placeholder else ""
    yield CheckResult("root", "ok", detail + more)


def check_scenarios(context: CheckContext) -> Iterator[CheckResult]:
    """Compare the mapping with the tools' own schemas, and count the scenarios that can run."""
    hello = context.candidate.initialize_result
    schemas = {tool: context.candidate.adapter.describe(tool).input_schema for tool in hello.tools}
    for name, tool in context.target.tools.items():
        if tool.is_mapped and name in schemas:
            yield from _check_places(name, tool, schemas[name])

    def lacks(name: str, argument: str) -> bool:
        tool = context.target.tools.get(name)
        return tool is not None and tool.is_mapped and _lacks(tool, schemas.get(name), argument)

    claimed = {claim.partition("@")[0] for claim in hello.tools.values()}
    for pack in context.packs:
        if pack.name in claimed:
            detail = _describe_left_out(count_left_out(pack, hello, lacks, context.target.platform))
            yield CheckResult(f"scenarios of {pack.name}", "ok", detail)


def _lacks(tool: ToolConfig, schema: Mapping[str, Any] | None, argument: str) -> bool:
    return argument in tool.dropped or not has_argument(schema, tool.place_of(argument))


def _check_places(name: str, tool: ToolConfig, schema: Mapping[str, Any] | None) -> Iterator[CheckResult]:
    """Yield an error for each place of the mapping that the tool does not have."""
    for place in (*map(tool.place_of, tool.arguments), *tool.constants):
        if not has_argument(schema, place):
            own = [format_untrusted(each, 40) for each in (schema or {}).get("properties", ())]
            shown = format_untrusted(".".join(place), 60)
            detail = f"the mapping sends '{shown}', which the tool does not take"
            yield CheckResult(f"arguments of {name}", "error", detail, suggest(place[0], own))


def _describe_left_out(found: LeftOut) -> str:
    """Return how many scenarios can run, and what the others need that the candidate does not declare or take."""
    counts = {"the capabilities": found.by_capability, "the tools": found.by_tool, "the arguments": found.by_argument}
    parts = [
        f"{what} {', '.join(f'{name} ({n})' for name, n in needs.items())}" for what, needs in counts.items() if needs
    ]
    able = found.total - found.left_out - found.simulated
    texts = [
        f"{able} of {found.total} can run" if found.left_out or found.simulated else f"all {found.total} can run",
        f"{found.simulated} are for other systems" if found.simulated else "",
        f"{found.left_out} need what is not declared: {'; '.join(parts)}" if found.left_out else "",
    ]
    return "; ".join(filter(None, texts))


def check_calls(context: CheckContext) -> Iterator[CheckResult]:
    """Make a call of each mapped tool that has to fail, and one with each optional argument."""
    for name, claim in context.candidate.initialize_result.tools.items():
        tool = context.target.tools.get(name, ToolConfig(claim))
        if not (tool.is_mapped or context.target.kind.startswith("mcp")):
            continue
        try:
            yield from _check_error(context, name, claim, tool)
            yield from _check_optional(context, name, claim, tool)
        except CannotBuild as error:
            yield CheckResult(f"error of {name}", "skipped", f"this machine cannot make the tree: {error}")
        except UnsupportedByAdapter as reason:
            yield CheckResult(f"error of {name}", "skipped", str(reason))


def _check_error(context: CheckContext, name: str, claim: str, tool: ToolConfig) -> Iterator[CheckResult]:
    plain, call = (context.build_plain_call(name, claim, exists=exists) for exists in (True, False))
    if "missing" not in json.dumps(call.arguments) or "missing" in json.dumps(plain.arguments):
        return
    answer = context.call(call)
    text = (answer.content if answer.status == "ok" else answer.error_message) or ""
    shown = format_untrusted(text.replace(str(call.context["working_dir"]), "$ROOT"), _EXCERPT)
    what = f"error of {format_untrusted(name, 40)}"
    changes_tree = any(pack.has_side_effects for pack in context.packs if pack.name == claim.partition("@")[0])
    if answer.status == "ok" and (changes_tree or (tool.output is not None and not answer.is_mapped)):
        remedy = f'write error = "PATTERN" in [tools.{name}], which matches such outputs'
        yield CheckResult(what, "error", f"what does not exist gives a success: {shown}", remedy)
    elif answer.error_kind == UNCLASSIFIED:
        remedy = "write a pattern for it in [error_kinds]; without a kind, such scenarios verify nothing"
        yield CheckResult(what, "warning", f"no pattern gives a kind to: {shown}", remedy)
    else:
        yield CheckResult(what, "ok", f"what does not exist gives {answer.error_kind or 'an output'}: {shown}")


def _check_optional(context: CheckContext, name: str, claim: str, tool: ToolConfig) -> Iterator[CheckResult]:
    schema = context.candidate.adapter.describe(name).input_schema if tool.is_mapped else None
    answered = []
    for argument, value in _optional_arguments(context, name, claim):
        if _lacks(tool, schema, argument):
            continue
        answer = _call_with(context, context.build_plain_call(name, claim), {argument: value})
        if answer.status == "ok":
            answered.append(argument)
            continue
        shown = format_untrusted(answer.error_message or "", _EXCERPT)
        detail = f"with {argument} = {json.dumps(value)} it returns {answer.error_kind}: {shown}"
        yield CheckResult(f"arguments of {name}", "warning", detail, "check the mapping of this argument")
    if answered:
        yield CheckResult(f"arguments of {name}", "ok", f"it answers with {', '.join(answered)}")


def _call_with(context: CheckContext, plain: Call, more: Mapping[str, Any]) -> CallResult:
    assert isinstance(plain.arguments, dict)
    return context.call(replace(plain, arguments={**plain.arguments, **more}))


def _optional_arguments(context: CheckContext, name: str, claim: str) -> Sequence[tuple[str, Any]]:
    """Return the optional arguments that the specification has for a tool, each with a value."""
    pack = next((pack for pack in context.packs if pack.name == claim.partition("@")[0]), None)
    path = None if pack is None else pack.schemas.get(name) or pack.schemas.get("arguments")
    if path is None:
        return ()
    schema = json.loads(path.read_text("utf-8"))
    required = schema.get("required", ())
    found = {key: value for key, value in schema.get("properties", {}).items() if key not in required}
    plain = context.build_plain_call(name, claim).arguments
    assert isinstance(plain, dict)
    return [(key, _SAMPLES.get(str(value.get("type")))) for key, value in found.items() if key not in plain]
