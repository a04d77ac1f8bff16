"""What a call can fail with: the kinds and their wording for the caller. Who raises them does not matter."""

import json
from enum import StrEnum


class ErrorKind(StrEnum):
    """The error kinds of the candidate protocol, spelled as they travel."""

    BAD_ARGS = "BadArgs"
    SANDBOX_VIOLATION = "SandboxViolation"
    EXECUTION_FAILED = "ExecutionFailed"
    POLICY_DENIED = "PolicyDenied"
    APPROVAL_DENIED = "ApprovalDenied"
    UNKNOWN_TOOL = "UnknownTool"
    CONFIG_INVALID = "ConfigInvalid"


class ToolError(Exception):
    """A call that ends in an error result. Never a bug: bugs are every other exception."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class ContextInvalid(ValueError):
    """The call context itself is malformed. That is the glue's fault, so it is no error result."""


def message_for_caller(tool: str, error: ToolError) -> str:
    """The text of an error result. Failures of execution are prefixed unless they are a JSON object."""
    if error.kind is not ErrorKind.EXECUTION_FAILED or _is_json_object(error.message):
        return error.message
    return f"{tool} failed: {error.message}"


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
