"""The checks of an adapter, in order. Each one reports its observation in one line.

The checks give no verdict: they test whether results arrive, not whether they are right. The example of a call shows
what a mapping of the manifest makes of it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from treeproof.candidate import (
    CAPABILITIES,
    Call,
    CallResult,
    CandidateFault,
    InitializeResult,
    ProcessOptions,
    Target,
    ToolConfig,
    UnsupportedByAdapter,
    connect,
    format_untrusted,
    unknown_members,
)
from treeproof.candidate.tool_mapping import map_arguments, map_output, remote_name, tool_of
from treeproof.run.check_context import TIMEOUT_REMEDY, CheckContext, fault_result
from treeproof.run.mapping_checks import check_calls, check_scenarios, check_start
from treeproof.run.process_checks import check_leftovers, check_output, check_second_process, check_shutdown
from treeproof.tree import CannotBuild
from treeproof.verdict.checks import CheckResult

_UNUSUAL_DIRECTORY = "a b é日\U0001f600'\"$&"
_UNUSUAL_TREE = r"""'a b \u00e9\u65e5\U0001f600\'"$&'/{inside}, 'x\xff'"""


def run_checks(context: CheckContext) -> Iterator[CheckResult]:
    """Yield the results of all checks; a fault ends them, except the check for remaining processes."""
    for name, check in _CHECKS:
        try:
            yield from check(context)
        except UnsupportedByAdapter as why:
            yield CheckResult(name, "skipped", str(why))
        except CandidateFault as fault:
            yield fault_result(name, fault)
            break
    yield from check_leftovers(context)


# --- requests to the candidate ---


def _check_handshake(context: CheckContext) -> Iterator[CheckResult]:
    began = time.monotonic()
    # What a specification names runs in this process, without an environment; all others get the marker variable.
    try:
        adapter = connect(context.target) if context.target.is_own else context.spawn(ProcessOptions())
    except UnsupportedByAdapter:  # a server that the user has started
        adapter = connect(context.target)
    context.candidate = context.start(adapter)
    hello = context.candidate.initialize_result
    seconds_taken = time.monotonic() - began
    limit = context.target.limits.start_seconds
    candidate_name = format_untrusted(" ".join(part for part in (hello.name, hello.version) if part), 80)
    detail = f"{candidate_name} answered initialize in {seconds_taken:.2f} s (limit {limit:g} s)"
    yield CheckResult(
        "handshake",
        "warning" if seconds_taken > limit / 2 else "ok",
        detail,
        TIMEOUT_REMEDY if seconds_taken > limit / 2 else "",
    )
    yield from _check_unknown_members("initialize", hello.raw)
    yield from _check_claims(context, hello)
    yield from _check_working_directory(context, hello)


def _check_working_directory(context: CheckContext, hello: InitializeResult) -> Iterator[CheckResult]:
    """Start a candidate whose tools change files where it can change none of the user's."""
    claims = {claim.partition("@")[0] for claim in hello.tools.values()}
    changing = [pack.name for pack in context.packs if pack.name in claims and pack.has_side_effects]
    if not changing:
        return
    tools = f"the tools of {changing[0]} change files"
    if not context.protect_folders():
        where = context.target.url or context.target.cwd
        remedy = "start the server in an empty directory" if context.target.url else "remove cwd"
        yield CheckResult("working directory", "warning", f"{tools}, and {where} decides where it starts", remedy)
        return
    yield CheckResult("working directory", "ok", f"an empty directory of the workspace, because {tools}")


def _check_claims(context: CheckContext, hello: InitializeResult) -> Iterator[CheckResult]:
    packs = {pack.name: pack for pack in context.packs}
    for tool, claim in hello.tools.items():
        name, _, version = claim.partition("@")
        pack = packs.get(name)
        what = f"{format_untrusted(tool, 60)} claims {format_untrusted(claim, 60)}"
        if pack is None:
            known = ", ".join(f"{p.name}@{p.version}" for p in context.packs)
            yield CheckResult(
                "tools", "warning", f"{what}, which is not bundled", f"bundled: {known}; or run with --spec"
            )
        elif tool not in {one.name for one in pack.tools}:
            names = ", ".join(one.name for one in pack.tools)
            yield CheckResult("tools", "error", f"{what}, which has no such tool", f"name it as {name} does: {names}")
        elif version != pack.version:
            yield CheckResult(
                "tools", "warning", f"{what}; {name}@{pack.version} is used", f"claim {name}@{pack.version}"
            )
        else:
            yield CheckResult("tools", "ok", what)
    if not hello.tools:
        yield CheckResult("tools", "error", "no tool is declared", 'name them: "tools": {"<tool>": "<spec>@<version>"}')
    unknown = sorted(hello.capabilities - set(CAPABILITIES))
    if unknown:
        names = ", ".join(format_untrusted(name, 40) for name in unknown)
        yield CheckResult("capabilities", "error", f"unknown: {names}", f"write some of {', '.join(CAPABILITIES)}")
    else:
        yield CheckResult("capabilities", "ok", f"declared: {', '.join(sorted(hello.capabilities)) or 'none'}")
    register = {entry.id: entry.labels for pack in context.packs for entry in pack.interpretations}
    for entry, label in hello.interpretations.items():
        if label not in register.get(entry, ()):
            choice = f"one of {', '.join(register[entry])}" if entry in register else "an id that `treeproof list "
            choice += "" if entry in register else "interpretations` prints"
            detail = f"{format_untrusted(entry, 40)} = {format_untrusted(label, 40)} is in no catalogue"
            yield CheckResult("interpretations", "error", detail, f"write {choice}")


def _check_describe(context: CheckContext) -> Iterator[CheckResult]:
    for tool in context.candidate.initialize_result.tools:
        name = f"describe {format_untrusted(tool, 40)}"
        definition = context.candidate.adapter.describe(tool)
        if definition.name != tool and definition.name == remote_name(context.target.tools, tool):
            yield CheckResult(name, "ok", _describe_mapped_name(context, tool, definition.name))
            yield from _check_unknown_members("describe", definition.raw)
            continue
        if definition.name != tool:
            detail = f"its definition has the name {format_untrusted(definition.name, 60)}"
            yield CheckResult(name, "error", detail, f'answer {{"name": "{format_untrusted(tool, 60)}", …}}')
            continue
        missing_members = [k for k in ("description", "input_schema") if getattr(definition, k) is None]
        detail = f"answered{'; without ' + ' and '.join(missing_members) if missing_members else ''}"
        yield CheckResult(name, "warning" if missing_members else "ok", detail)
        yield from _check_unknown_members("describe", definition.raw)


def _describe_mapped_name(context: CheckContext, tool: str, name: str) -> str:
    """Return the observation on a tool with a name of its own, which the manifest maps."""
    claim = context.candidate.initialize_result.tools[tool].partition("@")[0]
    pack = next((pack for pack in context.packs if pack.name == claim), None)
    named = pack.naming if pack else None
    consequence = f"the requirement about the name will FAIL: {named}" if named else "no requirement is about the name"
    return f"answered with its own name {format_untrusted(name, 60)}, as the manifest maps it; {consequence}"


def _check_call(context: CheckContext) -> Iterator[CheckResult]:
    for tool, claim in context.candidate.initialize_result.tools.items():
        name = f"call {format_untrusted(tool, 40)}"
        try:
            call = context.build_plain_call(tool, claim)
        except CannotBuild as error:
            yield CheckResult(name, "skipped", f"this machine cannot make the tree: {error}")
            continue
        lines = describe_call(call, context.plain_tree(tool, claim))
        try:
            answer = context.call(call)
        except UnsupportedByAdapter as reason:
            yield CheckResult(name, "warning", f"a plain call cannot be made: {reason}", lines=tuple(lines))
            continue
        if answer.status != "ok" and context.find_plain_call(tool, claim) is None:
            detail = f"no scenario has a plain call of it; without arguments it returns {answer.error_kind}"
            result = CheckResult(name, "ok", detail)  # an error is a valid result
        else:
            result = _plain_call_result(name, answer)
        mapping_lines, problem = describe_mapping(context.target, call, answer)
        yield replace(result, lines=(*lines, *mapping_lines))
        if problem:
            yield CheckResult(f"mapping of {tool}", "error", problem, _MAPPING_REMEDY)
        yield from _check_unknown_members("call", _raw_result(answer))
        yield from _check_declared_members(context.candidate.initialize_result, answer)


_MAPPING_REMEDY = "correct the mapping in the manifest; without it the output is judged as it is"


def _plain_call_result(name: str, answer: CallResult) -> CheckResult:
    if answer.status == "ok":
        return CheckResult(name, "ok", f"answered ok with {len(answer.content or '')} characters")
    detail = f"a plain call returns {answer.error_kind}: {format_untrusted(answer.error_message or '', 120)}"
    return CheckResult(
        name, "warning", detail, "check that the glue passes context.roots, context.working_dir and arguments on"
    )


def _check_declared_members(hello: InitializeResult, answer: CallResult) -> Iterator[CheckResult]:
    for capability, what in (("context", answer.context), ("log", answer.log)):
        if capability in hello.capabilities and what is None:
            detail = f"{capability} is declared, but the answer has no member {capability}"
            yield CheckResult("capabilities", "warning", detail, f'answer {{…, "{capability}": …}} or drop it')


def _raw_result(answer: CallResult) -> Any:
    """Return the result with all its members, including those that the protocol does not define."""
    message = json.loads(answer.raw)
    return message["result"] if isinstance(message, dict) and "jsonrpc" in message else message


def _check_unknown_members(method: str, raw: object) -> Iterator[CheckResult]:
    unknown = unknown_members(f"{method}.result", raw)
    if unknown:
        members = ", ".join(format_untrusted(path, 60) for path in unknown[:5]) + (", …" if len(unknown) > 5 else "")
        yield CheckResult(f"members of {method}", "warning", f"not defined by the protocol, ignored: {members}")


def _check_names(context: CheckContext) -> Iterator[CheckResult]:
    if context.platform is not None:
        yield CheckResult("names", "skipped", f"{context.platform.label} has no unusual names")
        return
    for tool, claim in context.candidate.initialize_result.tools.items():
        plain = context.build_plain_call(tool, claim).arguments
        if not isinstance(plain, dict) or "path" not in plain:
            continue
        is_absolute = str(plain["path"]).startswith("/")
        why = context.environment.host.unsupported_reason("non_utf8_names")
        if why is not None:
            yield CheckResult("names", "skipped", f"a name that is not UTF-8 cannot be created here: {why}")
            return
        root = context.build_sandbox(_UNUSUAL_TREE)
        for path, what, expected_name in (
            (".", "a name that is not UTF-8 comes out", "x"),
            (_UNUSUAL_DIRECTORY, "an unusual path goes in", "inside"),
        ):
            place = os.path.normpath(os.path.join(root, path)) if is_absolute else path
            answer = context.call(Call(tool, {**plain, "path": place}, {"roots": [root], "working_dir": root}))
            if answer.status != "ok":
                detail = f"{what}: {answer.error_kind}: {format_untrusted(answer.error_message or '', 120)}"
                yield CheckResult("names", "warning", detail, _PASS_THROUGH_REMEDY)
            else:
                names = (text.rpartition("/")[2] for text in _iter_strings(answer.content) if "\n" not in text)
                found = next((name for name in names if name.startswith(expected_name)), None)
                if found:
                    yield CheckResult("names", "ok", f"{what}, as '{format_untrusted(found, 40)}'")
                else:
                    detail = f"{what}, but no text in the content names '{expected_name}'"
                    yield CheckResult("names", "warning", detail, _PASS_THROUGH_REMEDY)
        return


_PASS_THROUGH_REMEDY = "check that the content is the tool's JSON and that the glue does not change texts"


def _iter_strings(content: str | None) -> Iterator[str]:
    """Yield the texts of a JSON value, or the lines of another content."""
    try:
        pending = [json.loads(content or "")]
    except (ValueError, RecursionError):
        yield from (content or "").splitlines()
        return
    while pending:
        match pending.pop():
            case str(text):
                yield text
            case list(items):
                pending += items
            case dict(members):
                pending += members.values()


_CHECKS: tuple[tuple[str, Callable[[CheckContext], Iterator[CheckResult]]], ...] = (
    ("handshake", _check_handshake),
    ("process", check_start),
    ("describe", _check_describe),
    ("scenarios", check_scenarios),
    ("call", _check_call),
    ("arguments", check_calls),
    ("names", _check_names),
    ("stdout", check_output),
    ("second process", check_second_process),
    ("shutdown", check_shutdown),
)


_MAX_LINES = 3
_MAX_CHARACTERS = 300


def is_mapped(tool: ToolConfig | None) -> bool:
    """Return whether the manifest changes anything of a tool's calls."""
    return tool is not None and tool.is_mapped


def describe_call(call: Call, tree: str) -> list[str]:
    """Return the lines about a call: the tree, and the tool with its arguments."""
    return [f"tree: {tree}", _line(f"call: {call.tool} {_json(call.arguments)}", call)]


def describe_mapping(target: Target, call: Call, answer: CallResult) -> tuple[list[str], str]:
    """Return the lines about the mapping of a call and its result, and its problem; "" if there is none."""
    tool = tool_of(target.tools, call.tool)
    if tool is None or not is_mapped(tool) or not isinstance(call.arguments, dict):
        return [], ""
    try:
        arguments = map_arguments(tool, call.arguments, call.context)
    except UnsupportedByAdapter as problem:
        return [], str(problem)
    lines = [_line(f"sent: {remote_name(target.tools, call.tool)} {_json(arguments)}", call)]
    output = own_output(answer)
    if answer.status != "ok":
        return [*lines, _line(f"error: {answer.error_kind}: {answer.error_message}", call)], ""
    found = output.split("\n")
    lines += [_line(f"output: {text}", call) for text in found[:_MAX_LINES]]
    if len(found) > _MAX_LINES:
        lines.append(f"output: … ({len(found) - _MAX_LINES} more lines)")
    if tool.output is None:
        return lines, ""
    mapped = map_output(tool.output, output, _root(call))
    if mapped.content is None:
        return lines, format_untrusted(mapped.problem.replace(_root(call), "$ROOT"), _MAX_CHARACTERS)
    return [*lines, _line(f"document: {mapped.content}", call)], ""


def own_output(answer: CallResult) -> str:
    """Return the text of an answer as the tool gave it, before any mapping."""
    message = json.loads(answer.raw)
    result = message["result"] if isinstance(message, dict) and "jsonrpc" in message else message
    content = result.get("content") if isinstance(result, dict) else None
    return content if isinstance(content, str) else ""


def _root(call: Call) -> str:
    roots = call.context["roots"]
    return str(roots[0]) if isinstance(roots, list) and roots else ""


def _line(text: str, call: Call) -> str:
    return format_untrusted(text.replace(_root(call), "$ROOT"), _MAX_CHARACTERS)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
