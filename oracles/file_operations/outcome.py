"""A call of move or copy, and what may come of it. The document names no kind of error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .gates import Gate, path_of
from .tree_state import Path, State

ANY_ERROR = ""
"""Any kind of error is accepted."""

COPY, MOVE = "copy", "move"


@dataclass(frozen=True)
class ExpectedOutcome:
    """An accepted outcome: the kind of error, or None for success, and the state after the call."""

    error_kind: str | None
    state: State
    requirement: str
    labels: Mapping[str, str]
    kinds: tuple[str, ...] = ()
    kind_rule: str = ""
    """The kinds of error that are right where this rule of the framework applies; without a rule, all are."""
    overwrites: bool = False
    """Whether a file takes the name of another one, as the argument and the configuration permit."""
    is_certain: bool = True
    is_midway: bool = False
    """Whether the system can refuse a step in the middle, after which all contents are somewhere (DFO-04)."""


@dataclass(frozen=True)
class Request:
    """A valid call, with the state and the configuration before it."""

    verb: str
    source: Path
    destination: Path
    overwrite: bool | None
    overwrite_allowed: bool | None  # None: the configuration has no value
    state: State
    directories: tuple[bool, bool] = (False, False)
    """Whether source and destination end with a slash, which only a directory does."""


def is_in_doubt(request: Request) -> bool:
    """Return whether the readings of the configuration differ in whether a call may overwrite (AMB-FO-01)."""
    return len(set(permissions(request).values())) > 1


def permissions(request: Request) -> Mapping[str, bool]:
    """Return whether a call may overwrite, by each reading of the configuration."""
    requested, allowed = request.overwrite, request.overwrite_allowed
    default = bool(allowed) if requested is None else requested
    return {
        "gate": bool(requested) and bool(allowed),
        "default": default,
        "both": default and bool(allowed),
        "configured": bool(requested) and allowed is not False,
    }


def make_request(
    verb: str,
    arguments: Mapping[str, Any],
    config_table: Mapping[str, Any],
    state: State,
    context: Mapping[str, Any] | None = None,
) -> Request:
    """Return the request of a call; `config_table` is the tools' table of the configuration."""
    texts = [str(arguments[name]) for name in ("source", "destination")]
    source, destination = (path_of(text, context) for text in texts)
    value = config_table.get("allow_overwrite")
    allowed = value if isinstance(value, bool) else None
    ends = tuple(text.endswith(("/", "/.")) for text in texts)
    return Request(verb, source, destination, arguments.get("overwrite"), allowed, state, (ends[0], ends[1]))


def outcome_of_gate(gate: Gate, state: State) -> ExpectedOutcome:
    """Return the error of a call that a rule stops."""
    kinds = gate.kinds, gate.kind_rule
    return ExpectedOutcome(ANY_ERROR, state, gate.requirement, gate.labels, *kinds, is_certain=gate.certain)
