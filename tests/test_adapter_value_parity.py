"""Tools with structured output get the same report with each adapter: no adapter loses a value."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from typing import Any

import pytest

from treeproof.report import document
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack

SELECTED = {
    "fs_walkdir": (
        "WD-RET-01-01",
        "WD-ERR-03-01",
        "WD-LOG-02-01",
        "WD-LOG-01-07",
        "WD-LAST-01-01",
        "WD-ARG-02-03",
        "WD-ENT-01-12",
    ),
    "file_operations": (
        "FO-01-03",
        "FO-LS-106",
        "FO-D01-04",
        "FO-D01-12",
        "FO-D02-02",
        "FO-CFG-01-01",
        "FO-MV-03-01",
        "FO-SEC-01-10",
        "FO-SEC-02-03",
        "FO-VAL-01-01",
    ),
    "ls": (
        "LS-ARG-01-07",
        "LS-DEF-03-01",
        "LS-ENV-08-06",
        "LS-DATA-06-13",
        "LS-ERR-04-01",
        "LS-FILT-09-102",
        "LS-PAGE-04-04",
        "LS-SEC-03-08",
        "LS-SEC-04-01",
        "LS-TEXT-05-07",
    ),
    "local_files": ("LF-MODEL-01-01", "LF-ERR-01-01", "LF-FIELD-01-08", "LF-FIND-03-01", "LF-LINK-01-08"),
}
"""Scenarios with lists, nil, errors, logs, unusual names and changes of the tree."""

HOST = f"{sys.executable} -m treeproof.candidate.host"
SERVER = f"{sys.executable} -m treeproof serve reference --protocol mcp --trust-context --spec"
PAIRS = [
    ("fs_walkdir", "stdio"),
    ("local_files", "stdio"),
    ("ls", "mcp"),
    pytest.param("fs_walkdir", "mcp", marks=pytest.mark.slow),
    pytest.param("file_operations", "command", marks=pytest.mark.slow),
]
"""Each specification, and each adapter with lists, errors and logs: how values pass does not depend on the tool."""


def target(name: str, adapter: str) -> str:
    if adapter == "mcp":
        return f"mcp:{SERVER} {name}"
    return f"{adapter}:{HOST} {adapter} {load_pack(find_pack(name)).reference}"


@cache
def run_document(name: str, target: str) -> dict[str, Any]:
    result = run(Options(target=target, specs=(name,), select=SELECTED[name])).document
    document.validate(result.to_json())
    return result.to_json()


def comparable_scenarios(run: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of the scenarios without times."""
    scenarios = run["specs"][0]["scenarios"]
    return [{key: value for key, value in one.items() if key != "seconds"} for one in scenarios]


@pytest.mark.parametrize(("name", "adapter"), PAIRS)
def test_every_adapter_gives_the_same_report(name: str, adapter: str) -> None:
    if adapter == "mcp" and importlib.util.find_spec("mcp") is None:
        pytest.skip("not verified: values over the MCP adapter; needs the SDK: pip install 'treeproof[mcp]'")
    other = run_document(name, target(name, adapter))
    assert other["candidate"]["adapter"] == adapter
    assert {one["outcome"] for one in comparable_scenarios(other)} == {"passed"}
    assert comparable_scenarios(other) == comparable_scenarios(run_document(name, "reference"))


def test_over_mcp_arguments_that_are_no_object_are_refused_before_the_tool_runs() -> None:
    """The one interpretation of ls that the protocol decides."""
    pytest.importorskip("mcp", reason="not verified: LS over MCP; needs the SDK: pip install 'treeproof[mcp]'")
    document = run(Options(target=target("ls", "mcp"), specs=("ls",), select=("LS-ARG-08-01",))).document
    (scenario,) = document.to_json()["specs"][0]["scenarios"]
    assert (scenario["outcome"], scenario["readings"]) == ("passed", {"AMB-LS-57": "c"})
