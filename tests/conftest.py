"""Reset inherited settings that must not reach the processes that tests start."""

from __future__ import annotations

import os
import signal


def pytest_configure() -> None:
    """Restore signals that a background job ignores, and remove the options of the outer pytest."""
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    os.environ.pop("PYTEST_ADDOPTS", None)
