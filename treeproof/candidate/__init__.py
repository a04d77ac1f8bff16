"""Who is asked: the protocol's messages, the adapter contract, manifests, and candidate processes.

Knows nothing of trees, specifications or verdicts. What the other rooms and the adapters may use is named
here.
"""

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
