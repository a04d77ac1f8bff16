"""State that a server handle and the transport share in addition to the messages. Reads and sends nothing."""

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

from treeproof.candidate import CandidateFault

# The streams of an SDK session: one to read messages from, one to write messages to.
Streams: TypeAlias = tuple[Any, Any]


@dataclass
class ConnectionState:
    """Shared state of one connection.

    ``fault`` is the known cause of its failure; ``is_ended`` means that no more messages will come.
    ``arguments_text`` is the JSON text of the next call's arguments whose spelling a value cannot keep (``1e2``, a
    duplicate member). The SDK sends values, so the text replaces them in the outgoing message.
    """

    fault: CandidateFault | None = None
    is_ended: bool = False
    arguments_text: str | None = None

    def record_fault(self, fault: CandidateFault) -> None:
        """Record the cause of the failure; the first one stays."""
        self.fault = self.fault or fault

    def insert_arguments_text(self, body: bytes) -> bytes:
        """Return the body of a message with the arguments' text inserted."""
        if self.arguments_text is None or b"tools/call" not in body:
            return body
        message = json.loads(body)
        if message.get("method") != "tools/call":
            return body
        params = message.pop("params")
        params.pop("arguments", None)
        arguments, self.arguments_text = self.arguments_text, None
        inner = "".join(f"{_encode_json(name)}:{_encode_json(value)}," for name, value in params.items())
        return f'{_encode_json(message)[:-1]},"params":{{{inner}"arguments":{arguments}}}}}'.encode()


def _encode_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
