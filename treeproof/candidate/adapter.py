"""The adapter interface and its exceptions. Types only: no process, no file, no transport.

All adapters carry the same messages (``messages``), so a verdict does not depend on the transport.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from treeproof.candidate.messages import Call, CallResult, InitializeResult, Method, ToolDefinition
from treeproof.candidate.untrusted import escape_unprintable

FaultKind = Literal[
    "start", "timeout", "exit", "framing", "output_limit", "protocol", "inconsistent", "glue", "crash", "workspace"
]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)

_MAX_DETAIL_CHARACTERS = 1200


class CandidateFault(Exception):
    """The candidate or its glue code broke. This gives no verdict (exit 4).

    Kinds:

    - ``start``: it could not be started;
    - ``timeout``: it did not answer before the deadline;
    - ``exit``: its process ended or closed its output before it answered;
    - ``framing``: its output is not exactly one JSON-RPC response to the request;
    - ``output_limit``: its answer is longer than the limit;
    - ``protocol``: the answer is JSON-RPC, but violates the message's schema;
    - ``inconsistent``: it contradicts an earlier declaration;
    - ``glue``: it answered with a JSON-RPC error object;
    - ``crash``: an exception left a candidate in Python;
    - ``workspace``: it removed, replaced or closed the workspace of the run, or a directory made for a tree.

    ``detail`` is one bounded line, safe to print: quote a candidate's output with ``format_untrusted``. ``output`` is
    the end of the stderr of the process that broke, bounded and escaped, with line breaks; "" if there is none.
    ``method`` is the message without a valid response; None if it is unknown or the candidate was started again for it.
    """

    def __init__(self, kind: FaultKind, detail: str, output: str = "", method: Method | None = None) -> None:
        super().__init__(kind, detail, output, method)
        self.kind: FaultKind = kind
        self.output = output
        self.method = method
        # Quoted parts are escaped already; this escapes all other control characters.
        clean = escape_unprintable(detail)
        self.detail = clean if len(clean) <= _MAX_DETAIL_CHARACTERS else clean[: _MAX_DETAIL_CHARACTERS - 1] + "…"

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


class UnsupportedByAdapter(Exception):
    """The adapter cannot transmit a request. The candidate is not at fault and keeps running.

    The affected requirements end NOT VERIFIED. The message is one line: what cannot be sent, why, and a remedy if
    any.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(escape_unprintable(reason)[:_MAX_DETAIL_CHARACTERS])


class LacksArgument(UnsupportedByAdapter):
    """A call has an argument that the candidate's tool does not have, so it is never sent.

    The scenario ends NOT APPLICABLE: it is about a part of the specification that the tool does not offer.
    """


class RefusedByGlue(UnsupportedByAdapter):
    """The glue has answered a call with ``unsupported``."""


@dataclass(frozen=True)
class Limits:
    """The limits of a candidate, in seconds and bytes. Exceeding one is a fault."""

    call_seconds: float = 10.0
    start_seconds: float = 20.0
    close_seconds: float = 2.0
    answer_bytes: int = 64 * 1024 * 1024
    stderr_bytes: int = 64 * 1024


@dataclass(frozen=True)
class PrivateMount:
    """What one process of the candidate has at the directory ``place``, and no other process: the directory ``source``.

    With ``is_copy`` it is another file system with a copy of ``source``, of at most ``kib`` KiB. Paths are absolute.
    """

    source: bytes
    place: bytes
    is_copy: bool = False
    kib: int | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """The start of a command line that mounts it, in a mount namespace of its own, before the program starts."""
        script, size = 'mount --bind "$1" "$2"', "mode=755" if self.kib is None else f"mode=755,size={self.kib}k"
        if self.is_copy:
            script = f'mount -t tmpfs -o {size} tmpfs "$2" && cp -a "$1/." "$2"'
        places = map(os.fsdecode, (self.source, self.place))
        return ("unshare", "-rm", "sh", "-c", f'{script} && shift 2 && exec "$@"', "sh", *places)


@dataclass(frozen=True)
class ProcessOptions:
    """The differences between a process started for one scenario and the usual one. None means: no difference.

    ``env`` is merged into the candidate's environment; None removes a variable. ``command_prefix`` is the start of
    the command line, such as ``env A=b``. ``during_call`` applies to adapters with one process per message: its
    context is entered with the id of the process of a ``call`` before the program starts, and left when it has ended.
    """

    env: Mapping[str, str | None] = field(default_factory=dict)
    cwd: bytes | None = None
    umask: int | None = None
    command_prefix: tuple[str, ...] = ()
    has_own_network: bool = False
    mount: PrivateMount | None = None
    during_call: Callable[[int], AbstractContextManager[object]] | None = None

    @property
    def prefix(self) -> tuple[str, ...]:
        """The start of the command line that gives a process its own network, its mount and ``command_prefix``."""
        network = ("unshare", "-rn", "--") if self.has_own_network else ()
        return (*network, *(self.mount.command if self.mount is not None else ()), *self.command_prefix)


class Adapter(Protocol):
    """A connection to one candidate. Only one request is outstanding at a time; not thread-safe.

    A CandidateFault ends the candidate; the next ``describe`` or ``call`` starts it again.
    """

    @property
    def kind(self) -> str:
        """Adapter kind: ``python``, ``stdio``, ``container``, ``command``, ``mcp``, ``mcp+http``."""

    @property
    def target(self) -> str:
        """TARGET as the user wrote it."""

    @property
    def pid(self) -> int | None:
        """Id of the process that serves several calls; None in process, between one-shot processes, and when none
        runs.
        """

    @property
    def respects_file_modes(self) -> bool:
        """Whether file modes apply to the candidate as to an ordinary user; known after the start, False if unknown."""

    def start(self, workspace: str) -> InitializeResult:
        """Start the candidate and send ``initialize``.

        ``workspace`` is the absolute path of the directory that contains all sandboxes. Raises CandidateFault, and
        UsageError if the target is wrong (no such module, a manifest that contradicts the candidate).
        """

    def describe(self, tool: str) -> ToolDefinition:
        """Return the candidate's definition of a tool. Raises CandidateFault and UnsupportedByAdapter."""

    def call(self, call: Call) -> CallResult:
        """Call a tool. An error of the tool is a CallResult. Raises CandidateFault and UnsupportedByAdapter."""

    def ensure_started(self, call: Call) -> None:
        """Start the process that would answer ``call``, so that ``pid`` is its id. Raises CandidateFault."""

    def close(self) -> None:
        """Send ``shutdown``, wait ``close_seconds``, then send SIGTERM and SIGKILL to its processes. Idempotent."""

    def spawn(self, options: ProcessOptions) -> "Adapter":
        """Return an adapter, not yet started, that runs the same candidate in a new process with ``options``.

        Raises UnsupportedByAdapter if treeproof does not start the candidate's process.
        """

    def captured_output(self) -> str:
        """Return the bounded, escaped end of its stderr (in process: its printed output), with line breaks."""
