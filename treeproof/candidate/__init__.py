"""Who is asked: the protocol's messages, the adapter contract, manifests, and candidate processes.

Knows nothing of trees, specifications or verdicts. What the other rooms and the adapters may use is named
here. A name is looked up when somebody first uses it: the process that serves a Python candidate (``host``) lies
in this package too, needs few of them, and is started dozens of times in a run.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treeproof.candidate import framing, messages
    from treeproof.candidate.contract import (
        FAULT_KINDS,
        Adapter,
        CandidateFault,
        CannotAsk,
        FaultKind,
        Launch,
        Limits,
    )
    from treeproof.candidate.conversation import Channel, Conversation, Reply
    from treeproof.candidate.manifest import KINDS, MANIFEST_NAME, OfferedTool, Target
    from treeproof.candidate.messages import (
        CAPABILITIES,
        ERROR_KINDS,
        PROTOCOL,
        UNCLASSIFIED,
        Answer,
        Call,
        Definition,
        Hello,
        Json,
        MessageError,
        Method,
    )
    from treeproof.candidate.privileges import child_setup, without_dac
    from treeproof.candidate.process import Child
    from treeproof.candidate.reach import connect
    from treeproof.candidate.schema import published, unnamed_members
    from treeproof.candidate.untrusted import Tail, shown, shown_lines
    from treeproof.errors import UsageError

__all__ = [
    "CAPABILITIES",
    "ERROR_KINDS",
    "FAULT_KINDS",
    "KINDS",
    "MANIFEST_NAME",
    "PROTOCOL",
    "UNCLASSIFIED",
    "Adapter",
    "Answer",
    "Call",
    "CandidateFault",
    "CannotAsk",
    "Channel",
    "Child",
    "Conversation",
    "Definition",
    "FaultKind",
    "Hello",
    "Json",
    "Launch",
    "Limits",
    "MessageError",
    "Method",
    "OfferedTool",
    "Reply",
    "Tail",
    "Target",
    "UsageError",
    "child_setup",
    "connect",
    "framing",
    "messages",
    "published",
    "shown",
    "shown_lines",
    "unnamed_members",
    "without_dac",
]

_HOMES = {
    "treeproof.candidate.contract": (
        "FAULT_KINDS",
        "Adapter",
        "CandidateFault",
        "CannotAsk",
        "FaultKind",
        "Launch",
        "Limits",
    ),
    "treeproof.candidate.conversation": (
        "Channel",
        "Conversation",
        "Reply",
    ),
    "treeproof.candidate.manifest": (
        "KINDS",
        "MANIFEST_NAME",
        "OfferedTool",
        "Target",
    ),
    "treeproof.candidate.messages": (
        "CAPABILITIES",
        "ERROR_KINDS",
        "PROTOCOL",
        "UNCLASSIFIED",
        "Answer",
        "Call",
        "Definition",
        "Hello",
        "Json",
        "MessageError",
        "Method",
    ),
    "treeproof.candidate.privileges": (
        "child_setup",
        "without_dac",
    ),
    "treeproof.candidate.process": ("Child",),
    "treeproof.candidate.reach": ("connect",),
    "treeproof.candidate.schema": (
        "published",
        "unnamed_members",
    ),
    "treeproof.candidate.untrusted": (
        "Tail",
        "shown",
        "shown_lines",
    ),
    "treeproof.errors": ("UsageError",),
}
"""Where the names above live."""

if not TYPE_CHECKING:  # to a type checker they have been imported, each with its type

    def __getattr__(name: str) -> object:
        import importlib

        for home, names in _HOMES.items():
            if name in names:
                found = globals()[name] = getattr(importlib.import_module(home), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
