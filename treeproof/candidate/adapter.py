"""What an adapter is, and how it says that a candidate broke. Types only: no process, no file, no transport.

Every adapter carries the same messages (``messages``), so a verdict never depends on the transport.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from treeproof.candidate.messages import Call, CallResult, InitializeResult, ToolDefinition
from treeproof.candidate.untrusted import escape_unprintable

FaultKind = Literal[
    "start", "timeout", "exit", "framing", "output_limit", "protocol", "inconsistent", "glue", "crash"
]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)

_MAX_DETAIL_CHARACTERS = 1200


class CandidateFault(Exception):
    """The candidate or its glue broke, which is no verdict: what it touched is withheld (exit 4).

    ``kind`` is one of

    - ``start``: it could not be started;
    - ``timeout``: it did not answer before the deadline;
    - ``exit``: its process ended, or closed its output, where an answer was due;
    - ``framing``: what it wrote is not exactly one JSON-RPC response to the request;
    - ``output_limit``: its answer is longer than the limit;
    - ``protocol``: the answer is JSON-RPC, but does not fit the message's schema;
    - ``inconsistent``: it contradicts what it declared before;
    - ``glue``: it answered with a JSON-RPC error object;
    - ``crash``: an exception left a candidate in the harness's own process.

    ``detail`` is one bounded line, safe to print: quote what a candidate wrote with ``shown``.
    """

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind: FaultKind = kind
        # Quoted parts are escaped already; a stray control character must not get through all the same.
        clean = escape_unprintable(detail)
        self.detail = (
            clean if len(clean) <= _MAX_DETAIL_CHARACTERS else clean[: _MAX_DETAIL_CHARACTERS - 1] + "…"
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


class UnsupportedByAdapter(Exception):
    """A question that this way to the candidate cannot carry: nobody broke, and nothing was judged.

    What it touched ends NOT VERIFIED. The message is one line that says what cannot be asked, why, and what would
    help where something would. The candidate lives on.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(escape_unprintable(reason)[:_MAX_DETAIL_CHARACTERS])


@dataclass(frozen=True)
class Limits:
    """What a candidate may take before it is a fault: seconds and bytes."""

    call_seconds: float = 10.0
    start_seconds: float = 20.0
    close_seconds: float = 2.0
    answer_bytes: int = 64 * 1024 * 1024
    stderr_bytes: int = 64 * 1024


@dataclass(frozen=True)
class ProcessOptions:
    """How a process that is started for some scenario differs from the ordinary one.

    ``env`` is laid over the candidate's environment, None removes a variable. ``prefix`` are the words of a
    program that runs the candidate's command (``strace -f …``). None means: as usual.
    """

    env: Mapping[str, str | None] = field(default_factory=dict)
    cwd: bytes | None = None
    umask: int | None = None
    command_prefix: tuple[str, ...] = ()


class Adapter(Protocol):
    """A way to reach one candidate. One request is outstanding at a time; not for use by several threads.

    After a CandidateFault the candidate's state is gone: the next ``describe`` or ``call`` starts it again.
    """

    @property
    def kind(self) -> str:
        """The adapter kind: ``python``, ``stdio``, ``command``, ``mcp``, ``mcp+http``."""

    @property
    def target(self) -> str:
        """The TARGET as the user wrote it."""

    @property
    def pid(self) -> int | None:
        """The process that lives from call to call; None in process, between messages, and when none runs."""

    @property
    def respects_file_modes(self) -> bool:
        """Whether file modes bind the candidate as they bind an ordinary user; False where nobody can see to that.

        Known once it is started.
        """

    def start(self, workspace: str) -> InitializeResult:
        """Start the candidate and send ``initialize``.

        ``workspace`` is the absolute directory that all fixtures lie below. Raises CandidateFault, and
        UsageError where the target itself is wrong (no such module, a manifest that contradicts the
        candidate).
        """

    def describe(self, tool: str) -> ToolDefinition:
        """The candidate's definition of a tool. Raises CandidateFault and CannotAsk."""

    def call(self, call: Call) -> CallResult:
        """One call of a tool; a tool's own failure is an Answer. Raises CandidateFault and CannotAsk."""

    def ensure_started(self, call: Call) -> None:
        """See to it that the process that would answer ``call`` runs, so that ``pid`` is its. Raises CandidateFault."""

    def close(self) -> None:
        """Send ``shutdown``, wait ``close_seconds``, then SIGTERM and SIGKILL its processes. Idempotent."""

    def spawn(self, options: ProcessOptions) -> "Adapter":
        """An adapter, not yet started, to the same candidate in a new process launched in this way.

        Raises CannotAsk where the candidate's process is not the suite's to start.
        """

    def captured_output(self) -> str:
        """The bounded end of what it wrote to stderr (in process: printed), escaped, lines kept."""
