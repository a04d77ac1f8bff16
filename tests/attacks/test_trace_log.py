"""A candidate that hides its network calls from strace is found out, and overwrites nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treeproof.tree import probe_host

from .conftest import Judge, Outcome

SCENARIOS = ("--select", "LD-C-05-02", "--select", "LD-C-05-101", "--select", "LD-C-05-102")
"""Three scenarios on three trees: the log is replaced, made a link, and made a FIFO."""


@pytest.fixture(autouse=True)
def needs_strace(tmp_path: Path) -> None:
    if reason := probe_host(os.fsencode(tmp_path)).unsupported_reason("strace"):
        pytest.skip(f"not verified: attacks on the log of strace; {reason}")


def is_found_out(outcome: Outcome) -> bool:
    """Return whether each of the network calls is a failure."""
    assert outcome.report is not None, outcome.stderr
    outcomes = {one["outcome"] for spec in outcome.report["specs"] for one in spec["scenarios"]}
    return (outcome.code, outcome.verdict_of("C-05"), outcomes) == (1, "FAIL", {"failed"})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["stdio", "command"])
def test_a_log_cannot_be_replaced(judge: Judge, kind: str) -> None:
    assert is_found_out(judge("log_destroyed", *SCENARIOS, kind=kind))


def test_a_process_that_has_left_the_tree_is_traced(judge: Judge) -> None:
    assert is_found_out(judge("network_by_a_daemon", *SCENARIOS))
