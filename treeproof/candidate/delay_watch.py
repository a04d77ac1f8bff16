"""Runs an action while a system call of the candidate waits in an injected delay."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

_POLL_SECONDS = 0.002
_TAIL_BYTES = 65536
_DELAYED_CALLS = re.compile(rb"^inject=(.+):delay_enter=\d+$")
_END_OF_DELAY = b"(DELAYED)"


class DelayWatch:
    """A context manager: inside it, ``action`` runs once, in a thread, as soon as a call waits.

    ``log`` is the descriptor of strace's log, ``args`` are its arguments. strace writes a call before it lets it wait,
    and the end of the line when the call has returned, so the action does not depend on the speed of the machine.
    """

    def __init__(self, log: int, args: Sequence[bytes], action: Callable[[], object]) -> None:
        injections = [match[1] for arg in args if (match := _DELAYED_CALLS.match(arg))]
        names = b"|".join(name.lstrip(b"?") for injection in injections for name in injection.split(b","))
        self._begin = re.compile(rb"^(?:\d+ +)?(?:" + names + rb")\(", re.MULTILINE)
        self._log = log
        self._action = action
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._wait, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._has_ended.set()
        self._thread.join()

    def _wait(self) -> None:
        while not self._has_ended.is_set():
            if self._is_waiting():
                self._action()
                return
            self._has_ended.wait(_POLL_SECONDS)

    def _is_waiting(self) -> bool:
        start = max(0, os.fstat(self._log).st_size - _TAIL_BYTES)
        text = os.pread(self._log, _TAIL_BYTES, start)
        return len(self._begin.findall(text)) > text.count(_END_OF_DELAY)
