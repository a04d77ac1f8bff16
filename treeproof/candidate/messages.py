"""The protocol's messages as values, and their conversion from and to JSON values. Protocol version 1.

Contains nothing about transport. Both directions of each message are checked against the published schema: an
invalid request is an error of treeproof (``MessageError``), an invalid response becomes a fault in the adapter.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeAlias

Json: TypeAlias = None | bool | int | float | str | list[Any] | dict[str, Any]
Method: TypeAlias = Literal["initialize", "describe", "call", "shutdown"]

PROTOCOL = 1
CAPABILITIES = (
    "config",
    "budget",
    "policy",
    "denied_patterns",
    "allow_absolute",
    "roots",
    "working_dir",
    "executor",
    "context",
    "log",
)
ERROR_KINDS = (
    "BadArgs",
    "SandboxViolation",
    "ExecutionFailed",
    "PolicyDenied",
    "ApprovalDenied",
    "UnknownTool",
    "ConfigInvalid",
)
# The kind of an error whose kind the glue code does not know. It fits only where any kind of error is accepted.
UNCLASSIFIED = "Unclassified"

# ASCII, so that every str can be sent, even a lone surrogate.
_to_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode


class MessageError(ValueError):
    """A message violates its schema: ``where`` names the message and a JSON path in it."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where} {problem}")
        self.where = where
        self.problem = problem


@dataclass(frozen=True)
class InitializeResult:
    """The result of ``initialize``: the candidate, its tools and capabilities.

    ``tools`` maps a tool's name to the specification it claims, ``name@version``. ``raw`` is the unchanged result.
    """

    protocol: int
    name: str
    version: str
    language: str
    tools: Mapping[str, str]
    capabilities: frozenset[str]
    interpretations: Mapping[str, str]
    raw: Mapping[str, Json] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class ToolDefinition:
    """The result of ``describe``. Members that the candidate omitted are None; ``raw`` is the unchanged result."""

    name: str
    aliases: tuple[str, ...] | None
    description: str | None
    input_schema: Mapping[str, Json] | None
    is_side_effecting: bool | None
    requires_approval: bool | None
    risk_level: str | None
    raw: Mapping[str, Json] = field(repr=False)


@dataclass(frozen=True)
class Call:
    """One call of a tool. ``tool`` may be an alias, ``arguments`` any JSON value.

    ``arguments_text`` is the JSON text of the arguments where its spelling matters (``1e2``, a duplicate member).
    It is sent unchanged, except that line breaks between its tokens become blanks.
    """

    tool: str
    arguments: Json
    context: Mapping[str, Json]
    arguments_text: str | None = None


@dataclass(frozen=True)
class CallResult:
    """The result of ``call``: ``ok`` with ``content``, or ``error`` with ``error_kind`` and ``error_message``.

    ``content`` is the tool's output. It may contain a lone surrogate: encode it with ``surrogatepass``.
    ``context``, ``log`` and ``approval_requested`` are None if the candidate did not report them. ``raw`` is its
    output: the bytes of the response, or in process the result as JSON. ``is_mapped``: the manifest makes ``content``
    from the values of the tool, so that its text is not the tool's.
    """

    status: Literal["ok", "error"]
    content: str | None
    error_kind: str | None
    error_message: str | None
    context: Mapping[str, Json] | None
    log: tuple[Mapping[str, Json], ...] | None
    approval_requested: bool | None
    raw: bytes = field(repr=False)
    is_mapped: bool = False


def initialize_params(workspace: str) -> str:
    """Return the JSON text of the params of ``initialize``. Raises MessageError."""
    return _encode_params("initialize", {"protocol": PROTOCOL, "workspace": workspace})


def describe_params(tool: str) -> str:
    """Return the JSON text of the params of ``describe``. Raises MessageError."""
    return _encode_params("describe", {"tool": tool})


def call_params(call: Call) -> str:
    """Return the JSON text of the params of ``call``, on one line. Raises MessageError."""
    context = dict(call.context)
    _validate("call", "params", {"tool": call.tool, "arguments": call.arguments, "context": context})
    arguments = (
        _encode_json("call", call.arguments) if call.arguments_text is None else _to_single_line(call.arguments_text)
    )
    tool = _encode_json("call", call.tool)
    return f'{{"tool":{tool},"arguments":{arguments},"context":{_encode_json("call", context)}}}'


def shutdown_params() -> str:
    """Return the JSON text of the params of ``shutdown``."""
    return "{}"


def validate_result(method: Method, result: Json) -> Json:
    """Return the result if it fits the published schema of the method's result. Raises MessageError."""
    return _validate(method, "result", result)


def validate_params(method: Method, params: Json) -> Json:
    """Return the params if they fit the published schema of the method's params. Raises MessageError."""
    return _validate(method, "params", params)


def parse_initialize_result(result: Any) -> InitializeResult:
    """Return the InitializeResult of a validated result of ``initialize``."""
    candidate = result["candidate"]
    return InitializeResult(
        protocol=int(result["protocol"]),
        name=candidate["name"],
        version=candidate["version"],
        language=candidate["language"],
        tools=dict(result["tools"]),
        capabilities=frozenset(result["capabilities"]),
        interpretations=dict(result.get("interpretations", {})),
        raw=result,
    )


def parse_tool_definition(result: Any) -> ToolDefinition:
    """Return the ToolDefinition of a validated result of ``describe``."""
    aliases = result.get("aliases")
    return ToolDefinition(
        name=result["name"],
        aliases=None if aliases is None else tuple(aliases),
        description=result.get("description"),
        input_schema=result.get("input_schema"),
        is_side_effecting=result.get("is_side_effecting"),
        requires_approval=result.get("requires_approval"),
        risk_level=result.get("risk_level"),
        raw=result,
    )


def unsupported_reason(result: Any) -> str | None:
    """Return why the glue cannot make a call; None for a validated result of ``call`` with another status."""
    return str(result["reason"]) if result["status"] == "unsupported" else None


def parse_call_result(result: Any, raw: bytes) -> CallResult:
    """Return the CallResult of a validated result of ``call`` that is ``ok`` or ``error``."""
    error = result.get("error") or {}
    log = result.get("log")
    return CallResult(
        status=result["status"],
        content=result.get("content"),
        error_kind=error.get("kind"),
        error_message=error.get("message"),
        context=result.get("context"),
        log=None if log is None else tuple(log),
        approval_requested=result.get("approval_requested"),
        raw=raw,
    )


def _encode_params(method: Method, params: dict[str, Any]) -> str:
    _validate(method, "params", params)
    return _encode_json(method, params)


def _encode_json(method: Method, value: Json) -> str:
    try:
        return _to_json(value)
    except (ValueError, TypeError, RecursionError) as problem:
        raise MessageError(f"{method}: params", f"cannot be written as JSON: {problem}") from None


def _to_single_line(text: str) -> str:
    # JSON strings contain no raw line breaks, so every line break is between tokens.
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise MessageError("call: params.arguments", "has a lone surrogate: write it as \\uNNNN")
    return text.replace("\n", " ").replace("\r", " ")


def _validate(method: Method, part: Literal["params", "result"], value: Json) -> Json:
    problem = _validator(method, part)(value)
    if problem is None:
        return value
    raise MessageError(f"{method}: {part}{problem[0]}", problem[1])


@cache
def _validator(method: Method, part: Literal["params", "result"]) -> Callable[[Any], tuple[str, str] | None]:
    from treeproof.candidate.schema import validator_for  # a process that checks nothing starts sooner without it

    return validator_for(f"{method}.{part}")
