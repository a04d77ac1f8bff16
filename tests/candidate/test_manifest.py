"""TARGET and treeproof.toml: their values, and one-line messages for errors."""

import re
from pathlib import Path

import pytest

from treeproof.candidate import ADAPTER_KINDS, Limits, Target, ToolConfig, UsageError, adapter_loader, connect
from treeproof.candidate.tool_mapping import ArgumentMapping

FULL = """
[candidate]
name = "acme tools"
adapter = "stdio"
command = ["node", "{folder}/server.mjs", "{root}"]
cwd = "work"
env = { LC_ALL = "C", HERE = "{folder}" }
call_timeout = 2.5
start_timeout = 60
max_answer_bytes = 1000
specs = ["list_directory@1.1"]
capabilities = ["config"]

[tools]
list_directory = "list_directory@1.1"

[tools.LS]
spec = "ls@2.0.0"
name = "list_dir"
arguments = { path = "dir" }

[interpretations]
AMB-LD-12 = "per_run"

[error_kinds]
"(?i)outside" = "SandboxViolation"
"." = "ExecutionFailed"
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "treeproof.toml"


def test_every_key_of_a_manifest_is_read(manifest: Path) -> None:
    manifest.write_text(FULL)
    folder = manifest.parent
    target = Target.parse(str(manifest))
    assert (target.kind, target.name, target.text, target.manifest) == (
        "stdio",
        "acme tools",
        str(manifest),
        manifest,
    )
    assert target.argv == ("node", f"{folder}/server.mjs", "{root}")
    assert (target.folder, target.working_directory) == (folder, folder / "work")
    assert target.env == {"LC_ALL": "C", "HERE": str(folder)}
    assert target.limits == Limits(call_seconds=2.5, start_seconds=60, answer_bytes=1000)
    assert target.specs == ("list_directory@1.1",)
    assert target.capabilities == frozenset({"config"})
    assert target.tools == {
        "list_directory": ToolConfig("list_directory@1.1"),
        "LS": ToolConfig("ls@2.0.0", "list_dir", {"path": ArgumentMapping(("dir",))}, is_mapped=True),
    }
    assert target.interpretations == {"AMB-LD-12": "per_run"}
    assert [(pattern.pattern, kind) for pattern, kind in target.error_kinds] == [
        ("(?i)outside", "SandboxViolation"),
        (".", "ExecutionFailed"),
    ]


def test_a_folder_with_a_manifest_is_a_target(manifest: Path) -> None:
    manifest.write_text(PYTHON + 'factory = "pkg.mod:make"\n')
    target = Target.parse(manifest.parent.name, folder=manifest.parent.parent)
    assert (target.kind, target.factory, target.folder) == ("python", "pkg.mod:make", manifest.parent)
    assert (target.limits, target.working_directory) == (Limits(), manifest.parent)


def test_a_command_may_be_one_string(manifest: Path) -> None:
    manifest.write_text('[candidate]\nadapter = "command"\ncommand = "sh \'my tool\' -x"\n')
    assert Target.parse(str(manifest)).argv == ("sh", "my tool", "-x")


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("python:pkg.mod:factory", "python", "pkg.mod:factory"),
        ("python:./my_tool.py:candidate", "python", "./my_tool.py:candidate"),
        ("stdio:node 'my server.mjs' --x", "stdio", ("node", "my server.mjs", "--x")),
        ("command:./tool", "command", ("./tool",)),
        ("mcp:npx some-server {root}", "mcp", ("npx", "some-server", "{root}")),
        ("mcp+http://127.0.0.1:8080/mcp", "mcp+http", "http://127.0.0.1:8080/mcp"),
    ],
)
def test_a_target_of_every_kind_is_parsed(tmp_path: Path, text: str, kind: str, address: object) -> None:
    target = Target.parse(text, folder=tmp_path)
    assert (target.kind, target.text, target.working_directory) == (kind, text, tmp_path)
    assert (target.factory or target.argv or target.url) == address


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sdtio:node x",
            "unknown adapter kind 'sdtio'; did you mean stdio? (reference, a path to treeproof.toml, mutant:ID, or",
        ),
        ("referense", "no such manifest or folder; did you mean reference?"),
        ("nowhere.toml", "no such manifest or folder (reference,"),
        (".", "the folder has no treeproof.toml"),
        ("python:", "nothing follows python:; write python:pkg.mod:attribute"),
        ("python:pkg.mod", "pkg.mod is not module:attribute or ./file.py:attribute"),
        ("stdio:  ", "nothing follows stdio:; write stdio:node server.mjs"),
        ("stdio:node 'x", "cannot be split into words: No closing quotation"),
        ("bad\x1b[31m:x", "TARGET bad\\x1b[31m:x: unknown adapter kind"),
    ],
)
def test_an_invalid_target_is_a_usage_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Target.parse(text, folder=tmp_path)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


STDIO = '[candidate]\nadapter = "stdio"\n'
GOOD = STDIO + 'command = "x"\n'
PYTHON = '[candidate]\nadapter = "python"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[candidate\n", "not TOML: Expected ']'"),
        ("", 'the file: the key "candidate" is missing; write a table below the heading [candidate]'),
        ('candidate = "x"\n', 'the key "candidate" holds "x"; write a table below the heading [candidate]'),
        ("[candidates]\n", 'the key "candidates" is unknown; write "candidate"'),
        ('adapter = "stdio"\n', 'the key "adapter" is unknown; it belongs in [candidate]'),
        ('[candidate]\nadaptor = "stdio"\n', '[candidate]: the key "adaptor" is unknown; write "adapter"'),
        ('[candidate]\nzzz = 1\n', '[candidate]: the key "zzz" is unknown; write one of: adapter, command'),
        ('[candidate]\nadapter = "stdoi"\n', '[candidate]: the key "adapter" holds "stdoi"; write "stdio"'),
        ('[candidate]\nadapter = 1\n', '[candidate]: the key "adapter" holds 1; write one of: python, stdio'),
        (STDIO, '[candidate]: the key "command" is missing; write the program and its arguments, such as command = '),
        (STDIO + "command = []\n", '[candidate]: the key "command" holds []; write the program and its'),
        (STDIO + "command = [1]\n", '[candidate]: the key "command" holds [1]; write the program and its arguments'),
        (STDIO + "command = 1\n", '[candidate]: the key "command" holds 1; write the program and its arguments'),
        (GOOD + 'factory = "a:b"\n', '[candidate]: the key "factory" is for adapter = "python"; remove it'),
        (GOOD + 'cwd = "gone"\n', '[candidate]: the key "cwd" names '),
        (GOOD + 'env = { A = 1 }\n', '[candidate.env]: the key "A" holds 1; write a text'),
        (GOOD + 'call_timeout = 0\n', 'the key "call_timeout" holds 0; write a number above 0 and at most 1000000'),
        (GOOD + 'call_timeout = 1e9\n', 'the key "call_timeout" holds 1000000000.0; write a number above 0'),
        (GOOD + 'jobs = 0\n', '[candidate]: the key "jobs" holds 0; write a whole number from 1 to 64, such'),
        (GOOD + 'jobs = 2.5\n', '[candidate]: the key "jobs" holds 2.5; write a whole number from 1 to 64'),
        (GOOD + 'call_timeout = nan\n', '4: nan is no number that a file can hold; write another one'),
        (GOOD + 'start = "never"\n', 'the key "start" holds "never"; write one of: once, fixture'),
        (GOOD + 'capabilities = "config"\n', 'the key "capabilities" holds "config"; write a list of: config, budget'),
        (GOOD + '[tools]\nLS = "ls"\n', '[tools]: the key "LS" holds "ls"; write a specification'),
        (GOOD + '[tools.LS]\nspce = "a@1"\n', '[tools.LS]: the key "spce" is unknown; write "spec"'),
        (GOOD + '[interpretations]\nAMB-LD-1 = true\n', '[interpretations]: the key "AMB-LD-1" holds true; write'),
        (GOOD + '[error_kinds]\nx = "Oops"\n', '[error_kinds]: the key "x" holds "Oops", which is no kind of'),
        (GOOD + '[error_kinds]\n"(" = "BadArgs"\n', "[error_kinds]: the key is '(', which is no regular expression:"),
        (PYTHON + 'factory = "a"\n', 'the key "factory" holds "a"; write module:attribute or ./file.py:attribute'),
        (
            '[candidate]\nadapter = "mcp+http"\nurl = "http://127.0.0.1:1/x"\nenv = {}\n',
            'the key "env" does not go with adapter = "mcp+http", whose server treeproof does not start; remove it',
        ),
    ],
)  # fmt: skip
def test_an_invalid_manifest_is_a_usage_error_with_its_path(manifest: Path, text: str, message: str) -> None:
    manifest.write_text(text)
    with pytest.raises(UsageError) as caught:
        Target.parse(str(manifest))
    assert re.match(rf"{re.escape(str(manifest))}:(\d+:)? ", str(caught.value))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"\xff", ":1", "byte 0 is not UTF-8; save the file as UTF-8"),
        (b"\xef\xbb\xbf[candidate]", "", "begins with a byte order mark; save the file as UTF-8 without one"),
        (b"a = " + b"9" * 5000, "", "not readable as TOML: a number is too long"),
        (b"a = " + b"[" * 5000, "", "not TOML: nested too deeply"),
        (b"[digits]\n[digits]", ":2", "not TOML: Cannot declare ('digits',) twice"),
        (b"[BOM]\n[BOM]", ":2", "not TOML: Cannot declare ('BOM',) twice"),
    ],
)
def test_a_manifest_that_is_not_toml_is_a_usage_error(manifest: Path, content: bytes, line: str, message: str) -> None:
    manifest.write_bytes(content)
    with pytest.raises(UsageError) as refusal:
        Target.parse(str(manifest))
    remedy = "; correct it, or name a treeproof.toml" if message.startswith("not") else ""
    assert str(refusal.value) == f"{manifest}{line}: {message}{remedy}"


def test_every_kind_has_an_adapter_or_names_the_package_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert adapter_loader._ENTRY_POINTS.keys() == ADAPTER_KINDS.keys()
    monkeypatch.setitem(adapter_loader._ENTRY_POINTS, "mcp", "no_such_sdk.mcp:connect")
    with pytest.raises(UsageError, match=r"the adapter kind mcp needs the module 'no_such_sdk', .* 'treeproof\[mcp\]'"):
        connect(Target.parse("mcp:server"))
