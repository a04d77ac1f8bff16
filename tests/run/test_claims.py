"""The specifications that a candidate claims: a wrong claim is reported first, and no other specification is run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from treeproof import cli
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run

CANDIDATE = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    result = None
    if request["method"] == "initialize":
        result = {"protocol": 1, "candidate": {"name": "claims", "version": "1", "language": "python"},
                  "tools": TOOLS, "capabilities": []}
    elif request["method"] == "describe":
        result = {"name": request["params"]["tool"]}
    elif request["method"] == "call":
        open(sys.argv[1], "a").write("called\\n")
        result = {"status": "error", "error": {"kind": "BadArgs", "message": "no"}}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""
KNOWN = r"list_directory@1\.1, .*ls@2\.0\.0"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def write_candidate(folder: Path, tools: dict[str, str]) -> str:
    (folder / "tool.py").write_text(CANDIDATE.replace("TOOLS", repr(tools)), "utf-8")
    command = json.dumps([sys.executable, "./tool.py", str(folder / "calls")])
    (folder / "treeproof.toml").write_text(f'[candidate]\nadapter = "stdio"\ncommand = {command}\n', "utf-8")
    return str(folder)


def is_called(folder: Path) -> bool:
    return (folder / "calls").exists()


REFUSED = {
    "unknown": ({"Browse": "acme@3"}, rf"claims acme@3 for its tool Browse, and there is no such.*{KNOWN}.*--spec"),
    "version": (
        {"LS": "ls@1.0.0"},
        r"claims ls@1\.0\.0 for its tool LS, and this treeproof has ls@2\.0\.0;.*--spec ls$",
    ),
    "one of two": (
        {"LS": "ls@1.0.0", "list_directory": "list_directory@1.1"},
        r"claims ls@1\.0\.0 for its tool LS, and this treeproof has ls@2\.0\.0",
    ),
    "none": ({}, rf"offers no tool; .*known: {KNOWN}"),
}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_claim_is_refused_before_any_call(folder: Path, case: str, jobs: int) -> None:
    tools, message = REFUSED[case]
    with pytest.raises(UsageError, match=message):
        run(Options(write_candidate(folder, tools), jobs=jobs))
    assert not is_called(folder)


def test_the_exit_code_of_a_wrong_claim_is_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", write_candidate(folder, {"LS": "ls@3"})]) == 2
    assert "treeproof: the candidate claims ls@3 for its tool LS" in capsys.readouterr().err


def test_a_named_specification_needs_no_claim(folder: Path) -> None:
    options = Options(write_candidate(folder, {"LS": "ls@1"}), specs=("ls",), select=("LS-ARG-01-07",))
    done = run(options).document
    assert [len(spec["scenarios"]) for spec in done.to_json()["specs"]] == [1]
    assert done.to_json()["warnings"] == ["the candidate claims ls@1 for its tool LS; it was judged by ls@2.0.0"]
    assert is_called(folder)


def test_an_unknown_claim_beside_a_known_one_is_a_warning(folder: Path) -> None:
    tools = {"LS": "ls@2.0.0", "move": "file_operation@1.1"}
    done = run(Options(write_candidate(folder, tools), select=("LS-ARG-01-07",))).document
    assert [spec["name"] for spec in done.to_json()["specs"]] == ["ls"]
    assert done.to_json()["warnings"] == [
        "the candidate claims file_operation@1.1 for its tool move; there is no such specification here"
    ]
