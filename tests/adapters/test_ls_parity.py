"""LS over MCP: the one interpretation that the protocol decides."""

from __future__ import annotations

import sys

import pytest

from treeproof.run.runner import Options, run

SERVER = f"{sys.executable} -m treeproof serve reference --spec ls --protocol mcp --trust-context"


def test_over_mcp_arguments_that_are_no_object_are_refused_before_the_tool_runs() -> None:
    pytest.importorskip("mcp", reason="not verified: LS over MCP; needs the SDK: pip install 'treeproof[mcp]'")
    document = run(Options(target=f"mcp:{SERVER}", specs=("ls",), select=("LS-ARG-08-01",))).document
    (scenario,) = document.to_json()["specs"][0]["scenarios"]
    assert (scenario["outcome"], scenario["readings"]) == ("passed", {"AMB-LS-57": "c"})
