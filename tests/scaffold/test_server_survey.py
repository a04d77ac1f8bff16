"""`treeproof init`: the manifest of a running MCP server, and the forms of answers that it recognises."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="not verified: treeproof init; needs the SDK: pip install 'treeproof[mcp]'")

from treeproof import cli
from treeproof.candidate import Target
from treeproof.run.doctor import check_adapter
from treeproof.scaffold.answer_form import recognise
from treeproof.scaffold.mcp_manifest import error_patterns

SERVER = """
import json, os, sys

ROOT = sys.argv[1]

def schema(*names):
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(names)}

TOOLS = {"listFiles": schema("dirPath"), "rename_file": schema("from", "to"), "copy_file": schema("src", "dst", "mode"),
         "delete_everything": schema("path")}

def inside(path):
    if not isinstance(path, str):
        raise ValueError("an argument of another type than text")
    found = os.path.realpath(path)
    if found != ROOT and not found.startswith(ROOT + "/"):
        raise ValueError(f"not below the permitted folder: {path}")
    return found

def call(name, arguments):
    if name == "listFiles":
        with os.scandir(inside(arguments["dirPath"])) as found:
            return [f"{'DIR ' if one.is_dir() else 'FILE'} {one.name}" for one in sorted(found, key=lambda e: e.name)]
    if name == "rename_file":
        os.rename(inside(arguments["from"]), inside(arguments["to"]))
        return ["renamed"]
    os._exit(7)  # no other tool may be called

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    method, result = request["method"], {}
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "small", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": name, "inputSchema": value} for name, value in TOOLS.items()]}
    else:
        params = request["params"]
        try:
            texts = call(params["name"], params["arguments"]) or ["(nothing)"]
        except (ValueError, OSError) as error:
            texts = [f"Error: {error.strerror if isinstance(error, OSError) else error}"]
        result = {"content": [{"type": "text", "text": text} for text in texts]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""


@pytest.fixture
def server(tmp_path: Path) -> list[str]:
    """Return the command line of a small server that lists and renames below one root."""
    script = tmp_path / "server.py"
    script.write_text(SERVER, "utf-8")
    return [sys.executable, str(script), "{root}"]


def test_the_manifest_of_a_server_fits_it(server: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "found"
    assert cli.main(["init", "--folder", str(folder), "--", *server]) == 0
    tools = Target.parse(str(folder)).tools
    assert {name: tool.remote_name for name, tool in tools.items()} == {
        "list_directory": "listFiles",
        "move": "rename_file",
    }
    text = (folder / "treeproof.toml").read_text("utf-8")
    assert 'absolute = ["path"]' in text
    assert "# not called: copy_file requires mode; write it in constants" in text
    assert 'error = "^Error:"' in text
    assert "ignore = '^\\(nothing\\)$'" in text
    checks = {check.name: check for check in check_adapter(str(folder))}
    assert not [check for check in checks.values() if check.status == "error"], checks
    assert any('"name":"s","path":"s","type":"dir"' in line for line in checks["call list_directory"].lines)
    assert "ExecutionFailed" in checks["error of list_directory"].detail


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--", "no-such-program"], "there is no program 'no-such-program' on the PATH"),
        (["--", "false"], "the server does not answer"),
        ([], "the following arguments are required: WORD"),
    ],
)
def test_a_server_that_cannot_be_looked_at_is_one_line(
    arguments: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = cli.main(["init", "--folder", str(tmp_path / "new"), *arguments])
    except SystemExit as ended:
        code = ended.code  # type: ignore[assignment]
    lines = capsys.readouterr().err.splitlines()
    assert (code, len(lines)) == (2, 1)
    assert problem in lines[0]
    assert not (tmp_path / "new").exists()


def test_what_cannot_be_used_is_named(server: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "treeproof.toml").write_text("", "utf-8")
    assert cli.main(["init", "--folder", str(tmp_path), "--", *server]) == 2
    assert "treeproof.toml exists already" in capsys.readouterr().err
    script = Path(server[1])
    script.write_text(SERVER.replace('"listFiles"', '"look"').replace("_file", "_it"), "utf-8")
    assert cli.main(["init", "--folder", str(tmp_path / "new"), "--", *server]) == 2
    assert "it offers look, rename_it, copy_it, delete_everything" in capsys.readouterr().err


TYPES = {"file": "F", "directory": "D"}
MEMBERS = {"name": ["name"], "type": ["type"], "size": ["size"], "time": ["time"]}
ENTRY = {"name": "alpha.txt", "kind": "file", "stat": {"size": 5, "mtime": 1_700_000_000_000}}
OTHER = {"name": "beta", "kind": "directory", "stat": {"size": 40, "mtime": 1_700_000_000_000}}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("beta\nalpha.txt", ['line = "(?P<name>.*)"', 'members.name = "name"']),
        (
            "alpha.txt\nbeta/",
            [
                'line = "(?P<name>[^/]*)(?P<type>/?)"',
                'members.name = "name"',
                'members.type = { from = "type", values = { "" = "F", "/" = "D" } }',
            ],
        ),
        (
            "Total: 2\n[FILE] alpha.txt (5 bytes)\n[DIR] beta",
            [
                r"line = '\[(?P<type>FILE|DIR)\] (?P<name>.*?)(?: \((?P<size>[0-9]+) bytes\)|)'",
                'ignore = "^Total: [0-9]+$"',
                'members.name = "name"',
                'members.type = { from = "type", values = { FILE = "F", DIR = "D" } }',
                'members.size = { from = "size", convert = "integer" }',
            ],
        ),
        (
            json.dumps({"found": {"items": ["alpha.txt", "beta"]}}),
            ['entries = "found.items"', *['line = "(?P<name>.*)"', 'members.name = "name"']],
        ),
        (
            json.dumps([OTHER, ENTRY]),
            [
                'entries = "."',
                'members.name = "name"',
                'members.type = { from = "kind", values = { file = "F", directory = "D" } }',
                'members.size = "stat.size"',
                'members.time = "stat.mtime"',
            ],
        ),
        (
            json.dumps({"name": "alpha.txt", "isDir": False, "at": "2023-11-14T22:13:20"})
            + "\n"
            + json.dumps({"name": "beta", "isDir": True, "at": "2023-11-14T22:13:20"}),
            [
                'entries = "."',
                'members.name = "name"',
                'members.type = { from = "isDir", values = { false = "F", true = "D" } }',
                'members.time = { from = "at", convert = "iso_to_milliseconds", zone = "UTC" }',
            ],
        ),
    ],
)
def test_the_form_of_an_answer_is_recognised(content: str, expected: list[str]) -> None:
    form = recognise(content)
    assert form is not None
    assert form.as_toml(MEMBERS, TYPES) == expected


@pytest.mark.parametrize(
    "content", ["", "alpha.txt", "-rw-r--r-- 5 alpha.txt\ndrwxr-xr-x 40 beta", '{"a": ["alpha.txt"]}']
)
def test_an_unknown_form_is_not_guessed(content: str) -> None:
    assert recognise(content) is None


def test_a_pattern_of_an_error_fits_no_other_kind() -> None:
    errors = [
        ("SandboxViolation", "Error executing tool ls: Path not allowed: /x/outside"),
        ("BadArgs", "Error executing tool ls: 3 validation errors for the arguments"),
        ("ExecutionFailed", "ENOENT: no such file or directory, scandir '/x/missing'"),
        ("ExecutionFailed", "Error executing tool ls"),
    ]
    assert error_patterns(errors, ["ls", "missing"]) == {
        "Path not allowed": "SandboxViolation",
        "[0-9]+ validation errors for the arguments": "BadArgs",
        "E[A-Z]+: ": "ExecutionFailed",
    }
