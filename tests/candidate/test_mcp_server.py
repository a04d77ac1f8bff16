"""The reference as an MCP server: calls by a client of the SDK, and usage errors.

Most servers run in this process. The tests of the working directory, of the revision without a handshake and of HTTP
start a process.
"""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="not verified: the MCP server; needs the SDK: pip install 'treeproof[mcp]'")

import anyio
from mcp import Client, ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.memory import create_client_server_memory_streams
from mcp_types import CallToolResult, TextContent

from treeproof.candidate import UsageError, mcp_server, mcp_server_config
from treeproof.cli import main

ARGUMENTS = ["serve", "reference", "--protocol", "mcp"]
SERVE = ["-m", "treeproof", *ARGUMENTS]
PROJECT = Path(__file__).parents[2]

Serve = Callable[..., tuple[int, str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Build root/{a/{b}, c, .hidden} with a secret beside it."""
    folder = tmp_path / "root"
    (folder / "a").mkdir(parents=True)
    for file in ("a/b", "c", ".hidden"):
        (folder / file).touch()
    (tmp_path / "secret").touch()
    return folder


def make_server(*args: str) -> Any:
    """Return the server that `treeproof serve` would serve over stdio."""
    served: list[mcp_server.McpServer] = []

    def serve_stdio(server: mcp_server.McpServer) -> int:
        served.append(server)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mcp_server, "serve_stdio", serve_stdio)
        assert main([*ARGUMENTS, *args]) == 0
    return served[0].server


@contextlib.asynccontextmanager
async def session(*args: str) -> AsyncIterator[ClientSession]:
    server = make_server(*args)
    async with create_client_server_memory_streams() as (client, other), anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, *other, server.create_initialization_options())
        async with ClientSession(*client) as client_session:
            await client_session.initialize()
            yield client_session
        tasks.cancel_scope.cancel()


def run_session(work: Callable[[ClientSession], Any], *args: str) -> Any:
    """Return the result of a function that is called with a new session."""

    async def run() -> Any:
        async with session(*args) as client_session:
            return await work(client_session)

    return asyncio.run(asyncio.wait_for(run(), 30))


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def call_tool(*arguments: dict[str, Any], meta: Any = None) -> Callable[[ClientSession], Any]:
    async def work(client_session: ClientSession) -> list[CallToolResult]:
        return [await client_session.call_tool("list_directory", each, meta=meta) for each in arguments]

    return work


def paths(result: CallToolResult) -> list[str]:
    assert not result.is_error, text(result)
    return [entry["path"] for entry in json.loads(text(result))["entries"]]


def kind(result: CallToolResult) -> str:
    assert result.is_error
    assert result.structured_content["error"]["message"] == text(result)
    return str(result.structured_content["error"]["kind"])


def test_a_client_lists_only_below_the_root(root: Path) -> None:
    here, deep, up, absolute, bad = run_session(
        call_tool(
            {"path": "."},
            {"path": ".", "recursive": True, "include_hidden": True},
            {"path": ".."},
            {"path": str(root)},
            {"path": 5},
        ),
        "--root",
        str(root),
    )
    assert paths(here) == ["a", "c"]
    assert paths(deep) == [".hidden", "a", "a/b", "c"]
    assert (kind(up), kind(absolute), kind(bad)) == ("SandboxViolation", "SandboxViolation", "BadArgs")


def test_the_tool_is_listed_with_its_schema_and_annotations(root: Path) -> None:
    async def listed(client_session: ClientSession) -> Any:
        return await client_session.list_tools(), client_session.initialize_result

    tools, handshake = run_session(listed, "--root", str(root))
    (tool,) = tools.tools
    assert (tool.name, tool.annotations.read_only_hint) == ("list_directory", True)
    assert tool.input_schema["required"] == ["path"]
    assert tool.meta["treeproof/definition"]["risk_level"] == "Low"
    assert handshake.server_info.name == "treeproof reference"
    # The declaration for treeproof is not sent to other clients.
    assert not handshake.capabilities.experimental


def test_the_working_directory_is_the_root_unless_another_is_given(root: Path) -> None:
    code = [sys.executable, *SERVE]
    request = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "0"},
    }
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": request},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "ls", "arguments": {"path": "."}},
        },
    ]
    process = subprocess.Popen(code, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    for line in lines:
        process.stdin.write(json.dumps(line) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    answer = json.loads(process.stdout.readline())["result"]["content"][0]["text"]
    assert [entry["path"] for entry in json.loads(answer)["entries"]] == ["a", "c"]
    process.communicate(timeout=120)  # closes stdin
    assert process.returncode == 0


CONFIG = """
[tools.list_directory]
max_entries = 1

[sandbox]
allow_absolute = true
denied_patterns = ["a/**"]
"""


def test_a_file_sets_tools_sandbox_budgets_and_policy(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(CONFIG)
    args = ("--root", str(root), "--config", str(file))
    few, absolute = run_session(call_tool({"path": "."}, {"path": str(root)}), *args)
    assert paths(few) == paths(absolute) == ["a"]
    assert json.loads(text(few))["truncated_reason"] == "max_entries"
    file.write_text("[budgets]\nmax_output_bytes = 400\n")
    (short,) = run_session(call_tool({"path": ".", "recursive": True}), *args)
    assert (json.loads(text(short))["truncated_reason"], len(text(short).encode()) <= 400) == ("max_output_bytes", True)
    file.write_text('[policy]\nmode = "deny"\n')
    (denied,) = run_session(call_tool({"path": "."}), *args)
    assert kind(denied) == "PolicyDenied"


def test_only_a_server_that_trusts_its_caller_accepts_a_context(root: Path) -> None:
    outside = {"treeproof/context": {"roots": [str(root.parent)], "working_dir": str(root.parent)}}
    (refused,) = run_session(call_tool({"path": "."}, meta=outside), "--root", str(root))
    assert paths(refused) == ["a", "c"]
    (trusted,) = run_session(call_tool({"path": "."}, meta=outside), "--root", str(root), "--trust-context")
    assert paths(trusted) == ["root", "secret"]


def test_an_invalid_context_is_refused(root: Path) -> None:
    from mcp import MCPError

    with pytest.raises(BaseExceptionGroup) as caught:
        run_session(
            call_tool({"path": "."}, meta={"treeproof/context": {"roots": 5}}),
            "--root",
            str(root),
            "--trust-context",
        )
    refusals = caught.value.subgroup(MCPError)
    assert refusals is not None and "params.context" in str(refusals.exceptions)


def test_clients_of_the_revision_without_a_handshake_are_served(root: Path) -> None:
    async def work() -> CallToolResult:
        parameters = StdioServerParameters(command=sys.executable, args=[*SERVE, "--root", str(root)], cwd=PROJECT)
        async with Client(stdio_client(parameters)) as client:
            result = await client.call_tool("list_directory", {"path": "a"})
            assert isinstance(result, CallToolResult)
            return result

    assert paths(asyncio.run(asyncio.wait_for(work(), 30))) == ["b"]


@contextlib.contextmanager
def http_server(*args: str) -> Any:
    process = subprocess.Popen(
        [sys.executable, *SERVE, "--http", "0", *args],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().removeprefix("serving at ").strip()
    finally:
        process.kill()
        process.communicate()


def test_an_http_server_serves_several_clients_and_ends_by_sigint(root: Path) -> None:
    async def work(url: str) -> tuple[CallToolResult, ...]:
        async def one() -> CallToolResult:
            async with streamable_http_client(url) as (read, write), ClientSession(read, write) as client_session:
                await client_session.initialize()
                return await client_session.call_tool("list_directory", {"path": "."})

        return await asyncio.gather(one(), one(), one())

    with http_server("--root", str(root)) as (process, url):
        assert url.startswith("http://127.0.0.1:")
        results = asyncio.run(asyncio.wait_for(work(url), 120))
        assert [paths(result) for result in results] == [["a", "c"]] * 3
        process.send_signal(2)
        assert process.communicate(timeout=120) == ("", "")
        assert process.returncode == 0


@pytest.fixture
def serve(capsys: pytest.CaptureFixture[str]) -> Serve:
    """Return a function that calls `treeproof serve` and returns the exit code and stderr."""

    def call(*args: str, protocol: str = "mcp") -> tuple[int, str]:
        return main([*ARGUMENTS[:-1], protocol, *args]), capsys.readouterr().err

    return call


INVALID_FILES = [
    ("nonsense", "not TOML"),
    ("[tool.list_directory]", 'the key "tool" is unknown; write "tools"'),
    ("tools = 5", 'the key "tools" holds 5; write a table below the heading [tools]'),
    ("[tools.list_directry]", '[tools]: the key "list_directry" is no tool; write "list_directory"'),
    (
        "[budgets]\nmax_output = 5",
        '[budgets]: the key "max_output" is unknown; write "max_output_bytes"',
    ),
    ("[budgets]\nmax_output_bytes = -1", '[budgets]: the key "max_output_bytes" holds -1; write a whole number from 0'),
    ('[policy]\nmode = "maybe"', '[policy]: the key "mode" holds "maybe"; write one of: auto, prompt, deny'),
    ('[policy]\napproval = "yes"', '[policy]: the key "approval" holds "yes"; write one of: approve, deny'),
    ("[sandbox]\ndenied_patterns = [5]", '[sandbox]: the key "denied_patterns" holds [5]; write a list of texts'),
]


@pytest.mark.parametrize(("toml", "message"), INVALID_FILES, ids=[toml for toml, _ in INVALID_FILES])
def test_an_invalid_file_is_reported_in_one_line(tmp_path: Path, toml: str, message: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(toml)
    with pytest.raises(UsageError) as caught:
        mcp_server_config.build_context(tmp_path, file, ["list_directory"])
    assert str(caught.value).startswith(f"{file}:")
    assert message in str(caught.value)


def test_settings_that_the_tool_refuses_are_reported_at_the_start(serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("[tools.list_directory]\nmax_entries = 0")
    code, output = serve("--root", str(tmp_path), "--config", str(file))
    assert (code, output.count("\n")) == (2, 1), output
    assert output.startswith(f"treeproof: {file}: ")
    assert "tools.list_directory.max_entries: a whole number" in output


def test_invalid_arguments_are_reported_in_one_line(serve: Serve, tmp_path: Path) -> None:
    cases = [
        (("--root", str(tmp_path / "none")), f"--root {tmp_path}/none: no such directory"),
        (("--config", str(tmp_path / "none")), f"{tmp_path}/none: cannot be read: No such file or directory"),
        (("--http", "here"), "--http here: write HOST:PORT or PORT"),
        (("--http", "127.0.0.1:99999"), "write HOST:PORT or PORT"),
        (("--http", "9" * 5000), "write HOST:PORT or PORT"),
        (("--http", "no.such.host.invalid:1"), "--http no.such.host.invalid:1: "),
    ]
    for args, expected in cases:
        code, output = serve(*args)
        assert (code, output.count("\n")) == (2, 1), output
        assert expected in output
    for option in (("--root", "."), ("--http", "1"), ("--trust-context",)):
        assert serve(*option, protocol="stdio") == (
            2,
            f"treeproof: {option[0]} requires --protocol mcp; add it, or leave the option out\n",
        )


def test_a_port_in_use_is_reported_in_one_line(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, output = serve("--http", str(port))
    assert code == 2
    assert output.startswith(f"treeproof: --http 127.0.0.1:{port}: Address already in use")
    assert output.count("\n") == 1
