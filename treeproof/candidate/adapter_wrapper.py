"""An adapter around another adapter. Subclasses change single operations."""

from __future__ import annotations

from treeproof.candidate.adapter import Adapter, ProcessOptions
from treeproof.candidate.messages import Call, CallResult, InitializeResult, ToolDefinition


class AdapterWrapper:
    """Passes every operation to the ``inner`` adapter."""

    def __init__(self, inner: Adapter) -> None:
        self.inner = inner

    @property
    def kind(self) -> str:
        """The adapter kind."""
        return self.inner.kind

    @property
    def target(self) -> str:
        """The TARGET as the user wrote it."""
        return self.inner.target

    @property
    def pid(self) -> int | None:
        """The process that lives from call to call."""
        return self.inner.pid

    @property
    def respects_file_modes(self) -> bool:
        """True if file modes apply to the candidate."""
        return self.inner.respects_file_modes

    @property
    def shares_root(self) -> bool:
        """True if the candidate has the trees of the whole run as its root."""
        return bool(getattr(self.inner, "shares_root", False))

    def start(self, workspace: str) -> InitializeResult:
        """Start the candidate. Raises CandidateFault."""
        return self.inner.start(workspace)

    def describe(self, tool: str) -> ToolDefinition:
        """Return the definition of a tool. Raises CandidateFault."""
        return self.inner.describe(tool)

    def call(self, call: Call) -> CallResult:
        """Call a tool. Raises CandidateFault."""
        return self.inner.call(call)

    def ensure_started(self, call: Call) -> None:
        """Start the process that ``call`` would use. Raises CandidateFault."""
        self.inner.ensure_started(call)

    def close(self) -> None:
        """Stop the candidate's process."""
        self.inner.close()

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Return an adapter for a new process. Raises UnsupportedByAdapter."""
        return self.inner.spawn(options)

    def captured_output(self) -> str:
        """Return the end of the candidate's stderr."""
        return self.inner.captured_output()
