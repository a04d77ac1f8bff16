"""Settings of all tests: no options and signals of the outer process, and random cases that do not depend on time."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from treeproof.processors import usable_processors

settings.register_profile(
    "tests", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers for ``-n auto``: more than processors, because many tests wait for processes."""
    return usable_processors() * 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first, so that all workers of pytest-xdist end at about the same time."""
    items.sort(
        key=lambda item: not any(name in item.nodeid for name in ("test_image", "test_gallery", "test_examples"))
    )


def pytest_configure() -> None:
    """Restore signals that a background job ignores, remove the options of the outer pytest, and set the profile."""
    settings.load_profile("tests")
    gc.set_threshold(100_000, 20, 20)  # as in a command: thousands of collected tests live to the end
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    os.environ.pop("PYTEST_ADDOPTS", None)


@pytest.fixture(autouse=True)
def import_path() -> Iterator[None]:
    """Restore the import path: each pack outside of the package appends its folder."""
    before = sys.path[:]
    yield
    sys.path[:] = before


@pytest.fixture
def unlinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs take a pack as it is, to see what they do with an error that the lint would refuse before."""
    monkeypatch.setattr("treeproof.run.plan.require_clean", lambda packs: None)
