"""The call context: the permissions and limits of one call. Reads and checks the context; does not apply it.

Every call has a new context. A tool may change `allow_truncation` and `log` only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .errors import ContextInvalid

DEFAULT_MAX_OUTPUT_BYTES = 102_400
DEFAULT_AVAILABLE_CAPACITY_BYTES = 65_536


class PolicyMode(StrEnum):
    AUTO = "auto"
    PROMPT = "prompt"
    DENY = "deny"


@dataclass(frozen=True)
class Policy:
    """The policy of a call. The defaults are those of a missing `policy`."""

    enabled: bool = True
    mode: PolicyMode = PolicyMode.AUTO
    allowlist: tuple[str, ...] = ()
    denylist: tuple[str, ...] = ()
    prompt_side_effects: bool = True


@dataclass
class CallContext:
    """The context of one call. Paths are the caller's text; budgets are bytes of UTF-8."""

    roots: tuple[str, ...]
    working_dir: str
    allow_absolute: bool = False
    denied_patterns: tuple[str, ...] = ()
    include_default_denies: bool = True
    max_output_bytes: int = DEFAULT_MAX_OUTPUT_BYTES
    available_capacity_bytes: int = DEFAULT_AVAILABLE_CAPACITY_BYTES
    config: Any = None
    policy: Policy = field(default_factory=Policy)
    approves: bool = False
    allow_truncation: bool = True
    log: list[tuple[str, str]] = field(default_factory=list)
    """The tool's log: a level of the protocol, and a message."""

    @property
    def effective_max(self) -> int:
        """Return the maximum size of a result in bytes (FR-LD-OUT-03)."""
        return min(self.max_output_bytes, self.available_capacity_bytes)


def read_context(value: object) -> CallContext:
    """Return the context of a `call` message. Raises ContextInvalid with the wrong key."""
    given = _require_object(value, "context")
    roots = _read_texts(given, "roots", None)
    if not roots:
        raise ContextInvalid("context.roots: at least one sandbox root is needed")
    return CallContext(
        roots=roots,
        working_dir=_read_text(given, "working_dir", roots[0]),
        allow_absolute=_read_flag(given, "allow_absolute", False),
        denied_patterns=_read_texts(given, "denied_patterns", ()),
        include_default_denies=_read_flag(given, "include_default_denies", True),
        max_output_bytes=_read_byte_count(given, "max_output_bytes", DEFAULT_MAX_OUTPUT_BYTES),
        available_capacity_bytes=_read_byte_count(given, "available_capacity_bytes", DEFAULT_AVAILABLE_CAPACITY_BYTES),
        config=given.get("config"),
        policy=_read_policy(given.get("policy")),
        approves=_read_approval(given.get("approval")),
    )


def _read_policy(value: object) -> Policy:
    if value is None:
        return Policy()
    given = _require_object(value, "policy")
    mode = given.get("mode", PolicyMode.AUTO)
    if mode not in tuple(PolicyMode):
        raise ContextInvalid(f"policy.mode: {mode!r} is none of {', '.join(PolicyMode)}")
    return Policy(
        enabled=_read_flag(given, "enabled", True),
        mode=PolicyMode(mode),
        allowlist=_read_texts(given, "allowlist", ()),
        denylist=_read_texts(given, "denylist", ()),
        prompt_side_effects=_read_flag(given, "prompt_side_effects", True),
    )


def _read_approval(value: object) -> bool:
    if value not in (None, "approve", "deny"):
        raise ContextInvalid(f"context.approval: {value!r} is neither 'approve' nor 'deny'")
    return value == "approve"


def _require_object(value: object, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ContextInvalid(f"{key}: an object is needed")
    return value


def _read_flag(given: Mapping[str, Any], key: str, default: bool) -> bool:
    value = given.get(key, default)
    if not isinstance(value, bool):
        raise ContextInvalid(f"{key}: true or false is needed, not {value!r}")
    return value


def _read_byte_count(given: Mapping[str, Any], key: str, default: int) -> int:
    value = given.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ContextInvalid(f"{key}: a whole number of bytes is needed, not {value!r}")
    return value


def _read_text(given: Mapping[str, Any], key: str, default: str) -> str:
    value = given.get(key, default)
    if not isinstance(value, str):
        raise ContextInvalid(f"{key}: text is needed, not {value!r}")
    return value


def _read_texts(given: Mapping[str, Any], key: str, default: tuple[str, ...] | None) -> tuple[str, ...]:
    value = given.get(key, default)
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ContextInvalid(f"{key}: a list of texts is needed")
    return tuple(value)
