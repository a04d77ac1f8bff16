"""What a transport and the one who asks tell each other beside the messages. Values only: nothing is read or sent."""

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

from treeproof.candidate import CandidateFault

# What a transport gives the SDK's session: a stream of its messages to read, and one to write.
Streams: TypeAlias = tuple[Any, Any]


@dataclass
class ConnectionState:
    """One connection's side channel.

    ``fault`` is why the transport gave up, where it knows; ``ended`` says that no message will come any more.
    ``spelled`` is the JSON text of the next call's arguments, for a spelling that no value keeps (``1e2``, a member
    twice): the SDK sends values, so the text takes their place on the way out.
    """

    fault: CandidateFault | None = None
    is_ended: bool = False
    arguments_text: str | None = None

    def record_fault(self, fault: CandidateFault) -> None:
        """Note why the transport gave up; the first reason stays."""
        self.fault = self.fault or fault

    def insert_arguments_text(self, body: bytes) -> bytes:
        """The body of a message as it is to be sent."""
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
