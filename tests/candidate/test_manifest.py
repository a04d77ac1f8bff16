"""TARGET and treeproof.toml: their values, and one-line messages for errors."""

from pathlib import Path

import pytest

from treeproof.candidate import ADAPTER_KINDS, Limits, Target, ToolConfig, UsageError, adapter_loader, connect

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
        "LS": ToolConfig("ls@2.0.0", "list_dir", {"path": ("dir",)}),
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


def test_the_reference_is_the_entry_point_of_the_specification() -> None:
    target = Target.parse("reference", reference="treeproof.reference_impl.list_directory.candidate:candidate")
    assert (target.kind, target.text) == ("python", "reference")
    assert target.factory == "treeproof.reference_impl.list_directory.candidate:candidate"
    with pytest.raises(UsageError, match="names no reference implementation"):
        Target.parse("reference")


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
        ("", "[candidate] lacks the key 'adapter'; write one of python, stdio, command, mcp"),
        ('candidate = "x"\n', "candidate must be a table: write [candidate]"),
        ("[candidates]\n", "unknown table or key 'candidates'; did you mean 'candidate'?"),
        ('adapter = "stdio"\n', "unknown table or key 'adapter'; it belongs in [candidate]"),
        ('[candidate]\nadaptor = "stdio"\n', "[candidate] has an unknown key 'adaptor'; did you mean 'adapter'?"),
        ('[candidate]\nzzz = 1\n', "[candidate] has an unknown key 'zzz'; known: name, adapter, command"),
        ('[candidate]\nadapter = "stdoi"\n', "adapter = 'stdoi' is not an adapter kind; did you mean 'stdio'?"),
        ('[candidate]\nadapter = 1\n', "[candidate] adapter = 1 must be a string"),
        (STDIO, "[candidate] lacks the key 'command' (write command = [\"node\", \"server.mjs\"])"),
        (STDIO + "command = []\n", "[candidate] command is empty; write the program and its arguments"),
        (STDIO + "command = [1]\n", "[candidate] command = [1] must be a list of strings"),
        (STDIO + "command = 1\n", "[candidate] command = 1 must be a string"),
        (STDIO + 'factory = "a:b"\n', "factory cannot be used with adapter = 'stdio'; write command"),
        (GOOD + 'cwd = "gone"\n', "[candidate] cwd: "),
        (GOOD + 'env = { A = 1 }\n', "[candidate] env = {\"A\": 1} must be a table of strings"),
        (GOOD + 'call_timeout = 0\n', "[candidate] call_timeout = 0 must be a number above 0"),
        (GOOD + 'call_timeout = 1e9\n', "call_timeout = 1000000000.0 must be a number above 0, at most 1000000"),
        (GOOD + 'jobs = 0\n', "[candidate] jobs = 0 must be a whole number from 1 to 64"),
        (GOOD + 'jobs = 2.5\n', "[candidate] jobs = 2.5 must be a whole number from 1 to 64"),
        (GOOD + 'call_timeout = nan\n', "[candidate] call_timeout = NaN must be a number above 0"),
        (GOOD + 'start = "never"\n', "[candidate] start = \"never\" must be one of once, fixture"),
        (GOOD + 'capabilities = "config"\n', "capabilities = \"config\" must be a list of strings"),
        (GOOD + '[tools]\nLS = "ls"\n', "[tools] LS: 'ls' is not a specification"),
        (GOOD + '[tools.LS]\nspce = "a@1"\n', "[tools.LS] has an unknown key 'spce'; did you mean 'spec'?"),
        (GOOD + '[interpretations]\nAMB-LD-1 = true\n', "[interpretations] = {\"AMB-LD-1\": true}"),
        (GOOD + '[error_kinds]\nx = "Oops"\n', "[error_kinds] 'x': unknown error kind 'Oops'; known: BadArgs"),
        (GOOD + '[error_kinds]\n"(" = "BadArgs"\n', "[error_kinds] '(' is not a regular expression: missing )"),
        (PYTHON + 'factory = "a"\n', "a is not module:attribute"),
        (
            '[candidate]\nadapter = "mcp+http"\nurl = "http://127.0.0.1:1/x"\nenv = {}\n',
            "treeproof does not start that server; remove env",
        ),
    ],
)  # fmt: skip
def test_an_invalid_manifest_is_a_usage_error_with_its_path(manifest: Path, text: str, message: str) -> None:
    manifest.write_text(text)
    with pytest.raises(UsageError) as caught:
        Target.parse(str(manifest))
    assert str(caught.value).startswith(f"{manifest}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "byte 0 is not UTF-8; save the file as UTF-8"),
        (b"\xef\xbb\xbf[candidate]", "begins with a byte order mark; save the file as UTF-8 without one"),
        (b"a = " + b"9" * 5000, "not readable as TOML: a number is too long"),
        (b"a = " + b"[" * 5000, "not TOML: nested too deeply"),
        (b"[digits]\n[digits]", "not TOML: Cannot declare ('digits',) twice (at line 2, column 8)"),
        (b"[BOM]\n[BOM]", "not TOML: Cannot declare ('BOM',) twice (at line 2, column 5)"),
    ],
)
def test_a_manifest_that_is_not_toml_is_a_usage_error(manifest: Path, content: bytes, message: str) -> None:
    manifest.write_bytes(content)
    with pytest.raises(UsageError) as refusal:
        Target.parse(str(manifest))
    remedy = "; correct it, or name a TOML file" if message.startswith("not") else ""
    assert str(refusal.value) == f"{manifest}: {message}{remedy}"


def test_every_kind_has_an_adapter_or_names_the_package_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert adapter_loader._ENTRY_POINTS.keys() == ADAPTER_KINDS.keys()
    monkeypatch.setitem(adapter_loader._ENTRY_POINTS, "mcp", "no_such_sdk.mcp:connect")
    with pytest.raises(UsageError, match=r"the adapter kind mcp needs the module 'no_such_sdk', .* 'treeproof\[mcp\]'"):
        connect(Target.parse("mcp:server"))
