"""LS gets the same verdicts through every adapter, except for one interpretation over MCP."""

from __future__ import annotations

import functools
import importlib.util
import sys

import pytest

from treeproof.run.runner import Options, run

ENTRY = "treeproof.reference_impl.ls.candidate:candidate"
HOST = f"{sys.executable} -m treeproof.candidate.host"
SERVER = f"{sys.executable} -m treeproof serve reference --spec ls --protocol mcp --trust-context"
SAMPLE_SCENARIOS = (
    *("LS-ENV-08-06", "LS-ENV-10-02", "LS-SEC-03-08", "LS-DEF-03-01", "LS-SEC-04-01", "LS-ERR-04-01"),
    *("LS-TEXT-05-07", "LS-PAGE-04-04"),
)


@functools.cache
def outcomes(target: str) -> dict[str, tuple[str, str]]:
    """Return outcome and readings by scenario."""
    document = run(Options(target=target, specs=("ls",), select=SAMPLE_SCENARIOS)).document
    return {one["id"]: (one["outcome"], str(one["readings"])) for one in document["specs"][0]["scenarios"]}


def test_the_selection_holds_on_the_reference() -> None:
    assert {outcome for outcome, _ in outcomes("reference").values()} == {"passed"}


@pytest.mark.parametrize("kind", ["stdio", "command"])
def test_another_adapter_gives_the_same_outcomes_and_readings(kind: str) -> None:
    assert outcomes(f"{kind}:{HOST} {kind} {ENTRY}") == outcomes("reference")


@pytest.mark.skipif(
    importlib.util.find_spec("mcp") is None,
    reason="not verified: LS over MCP; needs the SDK: pip install 'treeproof[mcp]'",
)
def test_an_mcp_server_gives_the_same_outcomes_and_readings() -> None:
    assert outcomes(f"mcp:{SERVER}") == outcomes("reference")


@pytest.mark.skipif(
    importlib.util.find_spec("mcp") is None,
    reason="not verified: LS over MCP; needs the SDK: pip install 'treeproof[mcp]'",
)
def test_over_mcp_arguments_that_are_no_object_are_refused_before_the_tool_runs() -> None:
    document = run(Options(target=f"mcp:{SERVER}", specs=("ls",), select=("LS-ARG-08-01",))).document
    (scenario,) = document["specs"][0]["scenarios"]
    assert (scenario["outcome"], scenario["readings"]) == ("passed", {"AMB-LS-57": "c"})
