"""Adapter kind ``command``: one process a message. The request on stdin, the response on stdout, exit 0.

Nothing is kept between messages, so ``shutdown`` is not sent: when it would be, no process is left to hear
it.
"""

from treeproof.candidate import (
    Adapter,
    Call,
    Conversation,
    Launch,
    Limits,
    Method,
    Reply,
    Tail,
    Target,
    framing,
)

from .stdio import launched, require_program


def connect(target: Target, limits: Limits) -> Adapter:
    """An adapter, not yet started, to a command line. Raises UsageError where its program is missing."""
    require_program(target)
    return Conversation("command", OneShot(target, limits, Launch()), target, limits)


class OneShot:
    """The channel to a program that is run for every message."""

    heeds_modes = True  # Child sees to it

    def __init__(self, target: Target, limits: Limits, launch: Launch) -> None:
        self._target = target
        self._limits = limits
        self._launch = launch
        self._asked = 0
        self._stderr = Tail(limits.stderr_bytes)

    @property
    def pid(self) -> int | None:
        return None

    def open(self) -> None:
        """Nothing: each message starts the program."""

    def ask(self, method: Method, params: str, seconds: float) -> Reply:
        self._asked += 1
        self._stderr = Tail(self._limits.stderr_bytes)
        child = launched(self._target.argv, self._target, self._launch, self._stderr)
        try:
            request = framing.request(self._asked, method, params)
            text = child.ask_once(request, seconds, self._limits.answer_bytes)
        finally:
            child.end()
        return Reply(framing.result(text, self._asked), text)

    def stand_by(self, call: Call) -> None:
        """Nothing: each message has its own process."""

    def close(self, seconds: float) -> str | None:
        return None

    def drop(self) -> None:
        """Nothing: no process lives between messages."""

    def fresh(self, launch: Launch) -> "OneShot":
        return OneShot(self._target, self._limits, launch)

    def diagnostics(self) -> str:
        return self._stderr.shown()
