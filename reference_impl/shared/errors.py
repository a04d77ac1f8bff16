"""The errors of a call: kinds and messages."""

import json
from enum import StrEnum


class ErrorKind(StrEnum):
    """The error kinds of the candidate protocol."""

    BAD_ARGS = "BadArgs"
    SANDBOX_VIOLATION = "SandboxViolation"
    EXECUTION_FAILED = "ExecutionFailed"
    POLICY_DENIED = "PolicyDenied"
    APPROVAL_DENIED = "ApprovalDenied"
    UNKNOWN_TOOL = "UnknownTool"
    CONFIG_INVALID = "ConfigInvalid"


class ToolError(Exception):
    """A call that returns an error. Every other exception is a bug."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class ContextInvalid(ValueError):
    """The call context is malformed. This is an error of the adapter, not a result of the call."""


def message_for_caller(tool: str, error: ToolError) -> str:
    """Return the message of an error. Failures of execution have a prefix unless they are a JSON object."""
    if error.kind is not ErrorKind.EXECUTION_FAILED or _is_json_object(error.message):
        return error.message
    return f"{tool} failed: {error.message}"


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
