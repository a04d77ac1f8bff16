"""The same tool gets the same outcomes by glue that declares no capability and by MCP without the context of a call."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack

pytest.importorskip("mcp", reason="not verified: parity over MCP; needs the SDK: pip install 'treeproof[mcp]'")

SELECTED = {
    "list_directory": ("LD-VAL-07-04", "LD-DEF-05-05", "LD-OUT-08-15"),
    "file_operations": ("FO-MV-01-11", "FO-CFG-01-01", "FO-SEC-01-10"),
    "fs_walkdir": ("WD-ERR-03-01", "WD-LOG-01-07"),
    "local_files": ("LF-ERR-01-01",),
    "ls": ("LS-SEC-04-01", "LS-DEF-01-01"),
}
"""For each specification a call that fails, with a control call, and where it has them, calls that need a capability.

They are few, because a server starts for each tree.
"""


def outcomes(folder: Path, name: str, keys: str) -> dict[str, str]:
    (folder / "treeproof.toml").write_text(f"[candidate]\n{keys}", "utf-8")
    document = run(Options(str(folder), specs=(name,), select=SELECTED[name], jobs=1)).document
    return {one["id"]: one["outcome"] for spec in document.to_json()["specs"] for one in spec["scenarios"]}


@pytest.mark.slow
@pytest.mark.parametrize("name", SELECTED)
def test_glue_and_mcp_give_the_same_outcomes(tmp_path: Path, name: str) -> None:
    pack = load_pack(find_pack(name))
    glue = json.dumps([sys.executable, "-m", "treeproof.candidate.host", "stdio", pack.reference])
    by_glue = outcomes(tmp_path, name, f'adapter = "stdio"\ncommand = {glue}\ncapabilities = []\n')
    serve = ["-m", "treeproof", "serve", "reference", "--protocol", "mcp", "--spec", name, "--root", "{root}"]
    claims = "".join(f'"{tool.name}" = "{name}@{pack.version}"\n' for tool in pack.tools)
    server = json.dumps([sys.executable, *serve])
    by_mcp = outcomes(tmp_path, name, f'adapter = "mcp"\ncommand = {server}\nstart = "fixture"\n[tools]\n{claims}')
    assert by_mcp == by_glue
    assert "passed" in by_glue.values()
    assert set(by_glue.values()) <= {"passed", "not-verified", "not-applicable"}
