"""What the tests of steps and properties share."""

from __future__ import annotations

import pytest

from treeproof.search import case_samples, sequences


@pytest.fixture
def unminimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let properties keep the first failing case, for tests that do not read it."""
    for module in (case_samples, sequences):
        monkeypatch.setattr(module, "SHRINK_ATTEMPTS_PER_RUN", 0)
