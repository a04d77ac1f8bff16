"""What whoever starts the tests has left in the environment and must not reach the processes that tests start."""

from __future__ import annotations

import os
import signal


def pytest_configure() -> None:
    """Signals do what they do in a terminal: a job in the background ignores them. One's options stay one's own."""
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    os.environ.pop("PYTEST_ADDOPTS", None)
