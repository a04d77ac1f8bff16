"""A run of a tool that was not made for treeproof, with a mapping in its manifest: what a report shows of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from treeproof.report.evidence_members import evidence_members
from treeproof.run.runner import Options, run

TOOL = """
import json, os, sys

def answer(method, params):
    if method == "initialize":
        return {"protocol": 1, "candidate": {"name": "foreign", "version": "1", "language": "python"},
                "tools": {"list": "other@1"}, "capabilities": []}
    if method == "describe":
        return {"name": "list", "input_schema": {"properties": {"dir": {}}}}
    if method == "call":
        try:
            names = sorted(os.listdir(params["arguments"]["dir"]))
        except OSError as error:
            return {"status": "ok", "content": f"Error: {error.strerror}"}
        return {"status": "ok", "content": json.dumps(names)}

for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(request["method"], request["params"])}),
          flush=True)
"""
MANIFEST = f"""
[candidate]
adapter = "stdio"
command = ["{sys.executable}", "./tool.py"]
[tools.list_directory]
spec = "list_directory@1.1"
name = "list"
arguments = {{ path = "dir" }}
absolute = ["path"]
error = "^Error: "
[tools.list_directory.output]
place = "entries"
entries = "."
line = '(?P<name>.*)'
[error_kinds]
"^Error: " = "ExecutionFailed"
"""


def scenarios_of(tmp_path: Path, *select: str, manifest: str = MANIFEST) -> dict[str, Any]:
    (tmp_path / "tool.py").write_text(TOOL, "utf-8")
    (tmp_path / "treeproof.toml").write_text(manifest, "utf-8")
    options = Options(str(tmp_path), specs=("list_directory",), select=select, jobs=1)
    (spec,) = run(options).document.specs
    return {one.id: one for one in spec.scenarios}


def test_the_report_shows_what_the_tool_got_and_what_it_cannot_be_given(tmp_path: Path) -> None:
    found = scenarios_of(tmp_path, "LD-LST-01-01", "LD-LST-02-01")
    call = found["LD-LST-01-01"].evidence.call
    assert (call.arguments, call.sent) == ('{"path": "."}', '{"dir": "$ROOT/."}')
    assert [one.text for one in evidence_members(found["LD-LST-01-01"].evidence) if one.label == "sent"] == [call.sent]
    lacking = found["LD-LST-02-01"]
    assert (lacking.outcome, lacking.evidence.reason) == ("not-applicable", "the tool has no argument 'recursive'")
    assert lacking.evidence.call.sent is None


def test_an_error_without_a_kind_fails_nothing_that_a_kind_would_pass(tmp_path: Path) -> None:
    """A call that should have succeeded is wrong with every kind."""
    unknown = MANIFEST.replace('"^Error: " =', '"^Never" =')
    scenarios = scenarios_of(tmp_path, "FR-LD-VAL-08", manifest=unknown).values()
    kinds = [one.kind for each in scenarios for finding in each.findings for one in [finding.evidence] if one.kind]
    assert any(each.evidence.code == "unknown_error_kind" for each in scenarios)
    assert not [kind for kind in kinds if "Unclassified; it should fail" in kind]
