"""Names, arguments, error kinds, outputs and roots of a manifest, for the kinds stdio, command and python alike."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Call, CandidateFault, ProcessOptions, Target, UnsupportedByAdapter, connect
from treeproof.candidate.adapter import LacksArgument

TOOL = """
import json, os, sys

def answer(method, params):
    if method == "initialize":
        return {"protocol": 1, "candidate": {"name": "foreign", "version": "1", "language": "python"},
                "tools": {"Browse": "other@1"}, "capabilities": ["log"]}
    if method == "describe":
        names = ("where", "dir", "fail", "error")
        return {"name": params["tool"], "input_schema": {"properties": dict.fromkeys(names, {})}}
    if method == "call":
        seen = {"tool": params["tool"], "arguments": params["arguments"], "argv": sys.argv[1:],
                "variable": os.environ.get("ROOTS"), "cwd": os.getcwd(), "pid": os.getpid()}
        if isinstance(params["arguments"], dict) and params["arguments"].get("fail"):
            return {"status": "error", "error": {"kind": "ENOENT", "message": "no such thing"}}
        return {"status": "ok", "content": json.dumps({"files": [{"n": "a"}], "seen": seen})}

class candidate:
    def __getattr__(self, method):
        return lambda params: answer(method, params)

if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        result = answer(request["method"], request["params"])
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""
MAPPING = """
[tools.list_directory]
spec = "list_directory@1.1"
name = "Browse"
aliases = { ls = "BrowseShort" }
arguments = { path = "where.path" }
constants = { "where.deep" = false }
drop = ["max_entries"]
[error_kinds]
"ENOENT|no such" = "ExecutionFailed"
"""
SEEN = """
[tools.list_directory.output]
place = "entries"
entries = "files"
members.name = "n"
document.seen = "seen"
"""


def candidate_of(tmp_path: Path, kind: str, mapping: str, words: str = "", keys: str = "") -> Any:
    (tmp_path / "tool.py").write_text(TOOL, "utf-8")
    connection = (
        'factory = "./tool.py:candidate"' if kind == "python" else f'command = "{sys.executable} ./tool.py {words}"'
    )
    (tmp_path / "treeproof.toml").write_text(f'[candidate]\nadapter = "{kind}"\n{connection}\n{keys}{mapping}', "utf-8")
    return connect(Target.parse(str(tmp_path / "treeproof.toml")))


def make_call(
    arguments: Any, tool: str = "list_directory", roots: tuple[str, ...] = ("/tmp",), text: Any = None
) -> Call:
    return Call(tool, arguments, {"roots": list(roots), "working_dir": roots[0]}, text)


def seen(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer.content)["seen"]
    return found


KINDS = pytest.mark.parametrize("kind", ["stdio", "command", "python"])


@KINDS
def test_names_and_arguments_are_mapped(tmp_path: Path, kind: str) -> None:
    candidate = candidate_of(tmp_path, kind, MAPPING + SEEN)
    try:
        assert candidate.start("/tmp").tools == {"list_directory": "list_directory@1.1"}
        assert candidate.describe("list_directory").name == "Browse"  # what the tool is called is not hidden
        for lacking in ("max_entries", "recursive"):
            with pytest.raises(LacksArgument, match=f"the tool has no argument '{lacking}'"):
                candidate.call(make_call({"path": "a", lacking: 5}))
        answer = candidate.call(make_call({"path": "a"}))
        assert answer.is_mapped
        assert json.loads(answer.content)["entries"] == [{"name": "a"}]
        got = seen(answer)
        assert (got["tool"], got["arguments"]) == ("Browse", {"where": {"deep": False, "path": "a"}})
        assert seen(candidate.call(make_call({}, "ls")))["tool"] == "BrowseShort"
        assert candidate.call(make_call({"fail": True})).error_kind == "ExecutionFailed"
        assert seen(candidate.call(make_call([1])))["arguments"] == [1]
    finally:
        candidate.close()


@KINDS
def test_without_an_output_mapping_the_text_is_the_tools(tmp_path: Path, kind: str) -> None:
    candidate = candidate_of(tmp_path, kind, MAPPING)
    try:
        candidate.start("/tmp")
        answer = candidate.call(make_call({"path": "a"}))
        assert not answer.is_mapped
        assert json.loads(answer.content)["files"] == [{"n": "a"}]
    finally:
        candidate.close()


def test_an_output_can_be_an_error(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, "stdio", MAPPING.replace("drop =", 'error = "no such file"\ndrop =') + SEEN)
    candidate.start("/tmp")
    answer = candidate.call(make_call({"path": "no such file"}))
    assert (answer.status, answer.content, answer.error_kind) == ("error", None, "ExecutionFailed")
    assert "no such file" in (answer.error_message or "")
    assert candidate.call(make_call({"path": "a"})).status == "ok"
    candidate.close()


def test_an_unknown_kind_without_a_pattern_is_unclassified(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, "stdio", MAPPING.replace("ENOENT|no such", "other"))
    candidate.start("/tmp")
    assert candidate.call(make_call({"fail": True})).error_kind == "Unclassified"
    candidate.close()
    plain = candidate_of(tmp_path, "stdio", "")
    plain.start("/tmp")
    with pytest.raises(CandidateFault, match="kind"):
        plain.call(make_call({"fail": True}, "Browse"))
    plain.close()


def test_a_spelling_that_a_mapping_would_lose_is_not_sent(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, "stdio", MAPPING)
    candidate.start("/tmp")
    with pytest.raises(UnsupportedByAdapter, match="mapped arguments cannot keep this spelling"):
        candidate.call(make_call({"path": "b"}, text='{"path": "a", "path": "b"}'))
    candidate.close()


def test_a_stdio_candidate_is_started_again_for_other_roots(tmp_path: Path) -> None:
    keys = 'env = { ROOTS = "{roots}" }\n'
    candidate = candidate_of(tmp_path, "stdio", MAPPING + SEEN, "--root={root} {roots}", keys)
    roots = [tmp_path / name for name in ("a", "b")]
    for root in roots:
        root.mkdir()
    one, both = (str(roots[0]),), tuple(map(str, roots))
    hello = candidate.start(str(tmp_path))
    assert "roots" in hello.capabilities
    first, again, other = (seen(candidate.call(make_call({}, roots=each))) for each in (one, one, both))
    assert first["argv"] == [f"--root={one[0]}", *one]
    assert first["pid"] == again["pid"] != other["pid"]
    assert other["argv"] == [f"--root={one[0]}", *both]
    assert other["variable"] == ":".join(both)
    candidate.close()


def test_the_working_directory_can_be_the_root(tmp_path: Path) -> None:
    for kind in ("stdio", "command"):
        candidate = candidate_of(tmp_path, kind, MAPPING + SEEN, keys='cwd = "{root}"\n')
        candidate.start(str(tmp_path))
        root = tmp_path / f"root of {kind}"
        root.mkdir()
        assert seen(candidate.call(make_call({}, roots=(str(root),))))["cwd"] == str(root)
        with pytest.raises(UnsupportedByAdapter, match="as its working directory"):
            candidate.spawn(ProcessOptions(cwd=b"/"))
        candidate.close()


@KINDS
def test_no_scenario_replaces_a_variable_of_the_manifest(tmp_path: Path, kind: str) -> None:
    candidate = candidate_of(tmp_path, kind, MAPPING + SEEN, keys='env = { ROOTS = "in {root}" }\n')
    fresh = candidate.spawn(ProcessOptions(env={"ROOTS": None}, cwd=b"/"))
    try:
        fresh.start("/tmp")
        answer = seen(fresh.call(make_call({}, roots=(str(tmp_path),))))
        assert (answer["variable"], answer["cwd"]) == (f"in {tmp_path}", "/")
    finally:
        fresh.close()


def test_a_command_gets_the_roots_of_each_call(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, "command", MAPPING + SEEN, "{root}")
    candidate.start(str(tmp_path))
    assert seen(candidate.call(make_call({}, roots=("/tmp",))))["argv"] == ["/tmp"]
    assert seen(candidate.call(make_call({}, roots=("/var",))))["argv"] == ["/var"]
    candidate.close()
