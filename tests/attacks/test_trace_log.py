"""A candidate that hides its network calls from strace is found out, and overwrites nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treeproof.tree import probe_host

from .conftest import Judge


@pytest.fixture(autouse=True)
def needs_strace(tmp_path: Path) -> None:
    if reason := probe_host(os.fsencode(tmp_path)).unsupported_reason("strace"):
        pytest.skip(f"not verified: attacks on the log of strace; {reason}")


@pytest.mark.parametrize(
    ("attack", "kind"),
    [("log_replaced", "stdio"), ("log_linked", "stdio"), ("log_fifo", "stdio"), ("log_replaced", "command")],
)
def test_a_log_cannot_be_replaced(judge: Judge, attack: str, kind: str) -> None:
    outcome = judge(attack, "--select", "LD-C-05-02", kind=kind)
    assert (outcome.code, outcome.verdict_of("C-05")) == (1, "FAIL"), outcome
