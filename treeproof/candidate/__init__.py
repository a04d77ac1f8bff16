"""The candidate protocol: its messages, the adapter interface, manifests and candidate processes.

Contains nothing about trees, specifications or verdicts. Other packages and the adapters import from here. Exports
are loaded lazily, because the process that serves a Python candidate (``host``) needs few and starts dozens of
times.
"""

from typing import TYPE_CHECKING

from treeproof.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from treeproof.candidate import framing, messages
    from treeproof.candidate.adapter import (
        FAULT_KINDS,
        Adapter,
        CandidateFault,
        FaultKind,
        Limits,
        PrivateMount,
        ProcessOptions,
        UnsupportedByAdapter,
    )
    from treeproof.candidate.adapter_loader import connect
    from treeproof.candidate.manifest import ADAPTER_KINDS, MANIFEST_NAME, Target
    from treeproof.candidate.messages import (
        CAPABILITIES,
        ERROR_KINDS,
        PROTOCOL,
        UNCLASSIFIED,
        Call,
        CallResult,
        InitializeResult,
        Json,
        MessageError,
        Method,
        ToolDefinition,
    )
    from treeproof.candidate.privileges import drop_dac_capabilities, make_preexec_fn
    from treeproof.candidate.process import CandidateProcess
    from treeproof.candidate.rpc import RpcAdapter, RpcResponse, Transport
    from treeproof.candidate.schema import load_schema, unknown_members
    from treeproof.candidate.tool_mapping import ToolConfig
    from treeproof.candidate.untrusted import TailBuffer, format_untrusted, format_untrusted_lines
    from treeproof.errors import UsageError

__all__ = [
    "CAPABILITIES",
    "ERROR_KINDS",
    "FAULT_KINDS",
    "ADAPTER_KINDS",
    "MANIFEST_NAME",
    "PROTOCOL",
    "UNCLASSIFIED",
    "Adapter",
    "CallResult",
    "Call",
    "CandidateFault",
    "UnsupportedByAdapter",
    "Transport",
    "CandidateProcess",
    "RpcAdapter",
    "ToolDefinition",
    "FaultKind",
    "InitializeResult",
    "Json",
    "PrivateMount",
    "ProcessOptions",
    "Limits",
    "MessageError",
    "Method",
    "ToolConfig",
    "RpcResponse",
    "TailBuffer",
    "Target",
    "UsageError",
    "make_preexec_fn",
    "connect",
    "framing",
    "messages",
    "load_schema",
    "format_untrusted",
    "format_untrusted_lines",
    "unknown_members",
    "drop_dac_capabilities",
]

_EXPORTS = {
    "treeproof.candidate.adapter": (
        "FAULT_KINDS",
        "Adapter",
        "CandidateFault",
        "UnsupportedByAdapter",
        "FaultKind",
        "PrivateMount",
        "ProcessOptions",
        "Limits",
    ),
    "treeproof.candidate.rpc": (
        "Transport",
        "RpcAdapter",
        "RpcResponse",
    ),
    "treeproof.candidate.manifest": (
        "ADAPTER_KINDS",
        "MANIFEST_NAME",
        "Target",
    ),
    "treeproof.candidate.tool_mapping": ("ToolConfig",),
    "treeproof.candidate.messages": (
        "CAPABILITIES",
        "ERROR_KINDS",
        "PROTOCOL",
        "UNCLASSIFIED",
        "CallResult",
        "Call",
        "ToolDefinition",
        "InitializeResult",
        "Json",
        "MessageError",
        "Method",
    ),
    "treeproof.candidate.privileges": (
        "make_preexec_fn",
        "drop_dac_capabilities",
    ),
    "treeproof.candidate.process": ("CandidateProcess",),
    "treeproof.candidate.adapter_loader": ("connect",),
    "treeproof.candidate.schema": (
        "load_schema",
        "unknown_members",
    ),
    "treeproof.candidate.untrusted": (
        "TailBuffer",
        "format_untrusted",
        "format_untrusted_lines",
    ),
    "treeproof.errors": ("UsageError",),
}
"""The module of each export."""

if not TYPE_CHECKING:  # to a type checker they have been imported, each with its type
    __getattr__ = lazy_exports(__name__, _EXPORTS)
