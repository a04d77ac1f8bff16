"""Adapter kind mcp with a misbehaving server: every fault has its kind and message, and so has every usage error."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="not verified: faults of MCP servers; needs the SDK: pip install 'treeproof[mcp]'")

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ToolConfig, UsageError
from treeproof.candidate.tool_mapping import ArgumentMapping

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]
CallWithin = Callable[[Adapter, Call, float | None], CallResult]

SERVER = "mcp_server.py"


def state(answer: CallResult) -> dict[str, Any]:
    assert answer.content is not None
    found: dict[str, Any] = json.loads(answer.content)
    return found


FAULTS = [
    ({"do": "hang"}, "timeout", "no answer within 0.5 s"),
    (
        {"do": "exit"},
        "exit",
        "the process ended with exit code 3: the disk is on fire",
    ),
    ({"do": "close"}, "exit", "it closed its stdout instead of answering"),
    ({"do": "half"}, "framing", 'its output ends in the middle of a line: \'{"jsonrpc": "2.0",\''),
    (
        {"do": "write", "text": "Listening!\n"},
        "framing",
        "is not JSON: Expecting value at column 1 (logs belong on stderr)",
    ),
    ({"do": "write", "text": "\n"}, "framing", "is not JSON"),
    ({"do": "write", "text": "{}\n"}, "framing", "is not a JSON-RPC message"),
    ({"do": "write", "text": '{"a": NaN}\n'}, "framing", "holds NaN"),
    (
        {"do": "write", "text": '{"jsonrpc": "2.0", "id": 99, "result": {}}\n'},
        "timeout",
        "no answer within 0.5 s",
    ),
    ({"do": "notify"}, "timeout", "no answer within 0.5 s"),
    ({"do": "flood"}, "output_limit", "longer than 200000 bytes"),
    ({"do": "result", "result": {"content": 5}}, "protocol", "its answer violates MCP: content"),
    (
        {"do": "result", "result": {"resultType": "input_required", "inputRequests": {}}},
        "protocol",
        "violates MCP",
    ),
    (
        {"do": "error", "error": {"code": -32601, "message": "no tools/call"}},
        "glue",
        "-32601 (no such method): no tools/call",
    ),
    ({"do": "error", "error": {"code": -32700, "message": "?"}}, "glue", "-32700 (not JSON)"),
]


@pytest.mark.parametrize(("arguments", "fault", "message"), FAULTS, ids=[str(f[0])[:60] for f in FAULTS])
def test_every_fault_has_its_kind_and_message(
    server: Make, call: MakeCall, call_within: CallWithin, arguments: dict[str, Any], fault: str, message: str
) -> None:
    candidate = server(limits={"answer_bytes": 200_000})
    candidate.start("/tmp")
    with pytest.raises(CandidateFault) as caught:
        call_within(candidate, call(**arguments), 0.5 if fault == "timeout" else None)
    assert caught.value.kind == fault
    assert message in caught.value.detail
    assert candidate.pid is None
    assert state(candidate.call(call()))["calls"] == 1  # started again


def test_a_server_that_answered_and_died_is_a_fault_at_the_next_call(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    assert state(candidate.call(call(do="answer_and_exit")))["calls"] == 1
    with pytest.raises(CandidateFault, match="ended with exit code 7"):
        candidate.call(call())
    assert state(candidate.call(call()))["calls"] == 1


@pytest.mark.parametrize(
    ("env", "fault", "message"),
    [
        (
            {"DIES": "1"},
            "exit",
            "the process ended with exit code 1: usage: give me a folder",
        ),
        ({"INITIALIZE": '{"protocolVersion": "1066"}'}, "protocol", "Unsupported protocol version"),
        ({"INITIALIZE": '{"serverInfo": 5}'}, "protocol", "its answer violates MCP: serverInfo"),
        ({"TOOLS": '[{"name": 5}]'}, "protocol", "its answer violates MCP: tools"),
    ],
)
def test_a_failed_handshake_is_a_fault_at_the_start(
    server: Make, env: dict[str, str], fault: str, message: str
) -> None:
    candidate = server(env=env)
    with pytest.raises(CandidateFault) as caught:
        candidate.start("/tmp")
    assert (caught.value.kind, message in caught.value.detail) == (fault, True), caught.value
    assert candidate.pid is None


def test_a_program_that_is_no_server_is_a_fault(adapter: Make, tmp_path: Path) -> None:
    from treeproof.candidate import Limits, Target, connect

    programs: list[tuple[tuple[str, ...], float, str]] = [(("sleep", "600"), 0.5, "timeout"), (("cat",), 60, "glue")]
    for argv, seconds, fault in programs:
        target = Target("x", "mcp", tmp_path, argv=argv, limits=Limits(start_seconds=seconds))
        candidate = connect(target)
        with pytest.raises(CandidateFault) as caught:
            candidate.start("/tmp")
        assert caught.value.kind == fault, caught.value


def test_a_server_that_ignores_the_end_of_its_input_is_killed(
    server: Make, call: MakeCall, is_running: Callable[[int], bool]
) -> None:
    candidate = server(limits={"close_seconds": 0.2})
    candidate.start("/tmp")
    pid = state(candidate.call(call(do="stubborn")))["pid"]
    began = time.monotonic()
    candidate.close()
    assert 0.5 < time.monotonic() - began < 60
    assert not is_running(pid)
    assert candidate.close_problem == "shutdown: it did not exit within 0.2 s"  # type: ignore[attr-defined]


def test_the_server_ends_when_treeproof_is_killed(assert_ends_with_treeproof: Callable[[str], None]) -> None:
    assert_ends_with_treeproof(f"mcp:{sys.executable} {SERVER} {{root}}")


def test_ctrl_c_during_a_call_ends_the_server(server: Make, assert_ends_by_ctrl_c: Callable[[Adapter], None]) -> None:
    assert_ends_by_ctrl_c(server())


def test_large_answers_pass(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    text = "é" * 1_000_000
    result = {"content": [{"type": "text", "text": text}]}
    assert candidate.call(call(do="result", result=result)).content == text


def test_an_unknown_tool_is_a_usage_error(server: Make) -> None:
    tools = {"list_directory": ToolConfig("list_directory@1.1", "list_dir")}
    with pytest.raises(UsageError) as caught:
        server(tools=tools).start("/tmp")
    assert str(caught.value) == (
        f"TARGET mcp:{SERVER}: [tools.list_directory]: the server has no tool 'list_dir'; did you mean "
        'name = "list_directory"? it offers list_directory'
    )


def test_an_unknown_argument_is_a_usage_error(server: Make) -> None:
    tools = {"list_directory": ToolConfig("list_directory@1.1", None, {"path": ArgumentMapping(("folder",))})}
    with pytest.raises(UsageError, match="takes no argument 'folder'; it takes path, do"):
        server(tools=tools).start("/tmp")


def test_a_server_that_claims_nothing_needs_a_manifest(server: Make) -> None:
    tools = [{"name": f"t{n}\x1b", "inputSchema": {"type": "object"}} for n in range(30)]
    with pytest.raises(UsageError) as caught:
        server(declares=False, args="{root}", env={"TOOLS": json.dumps(tools)}).start("/tmp")
    assert "write a manifest with [tools.NAME] spec" in str(caught.value)
    assert "t0\\x1b, t1\\x1b" in str(caught.value)
    assert "and 10 more" in str(caught.value)


def test_a_server_without_the_root_is_refused(server: Make) -> None:
    with pytest.raises(UsageError, match=r"does not get the root of a call; put \{root\}"):
        server(declares=False).start("/tmp")
    with pytest.raises(UsageError, match=r'start = "fixture" needs \{root\}'):
        server(declares=False, start="fixture").start("/tmp")


def test_a_missing_program_is_a_usage_error() -> None:
    from treeproof.candidate import Target, connect

    with pytest.raises(UsageError, match="TARGET mcp:nodee server.mjs: there is no program 'nodee' on the PATH"):
        connect(Target.parse("mcp:nodee server.mjs"))


@pytest.mark.parametrize("address", ["mcp+http:ftp://x/y", "mcp+http:/mcp", "mcp+http://127.0.0.1:port/mcp"])
def test_an_invalid_url_is_a_usage_error(address: str) -> None:
    from treeproof.candidate import Target, connect

    with pytest.raises(UsageError, match="is not a URL; write http://127.0.0.1:8080/mcp"):
        connect(Target.parse(address))


def run_treeproof(*args: str, before: str = "pass") -> subprocess.CompletedProcess[str]:
    code = f"import sys; {before}; from treeproof.cli import main; code = main(sys.argv[1:]); sys.stdout.flush(); "
    code += "print('SDK' if 'mcp' in sys.modules and sys.modules['mcp'] else 'no SDK', file=sys.stderr); sys.exit(code)"
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=120,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("run", "mcp:cat", "--jobs", "1"), "TARGET mcp:cat: the adapter kind mcp needs the module 'mcp', which is not "
         "installed (pip install 'treeproof[mcp]')"),
        (("run", "mcp+http://127.0.0.1:1/mcp"), "(pip install 'treeproof[mcp]')"),
        (("serve", "reference", "--protocol", "mcp"), "--protocol mcp: the MCP SDK is not installed: "
         "pip install 'treeproof[mcp]'"),
    ],
)  # fmt: skip
def test_a_missing_sdk_is_reported_in_one_line(args: tuple[str, ...], line: str) -> None:
    done = run_treeproof(*args, before="sys.modules['mcp'] = None")
    assert done.returncode == 2, done.stderr
    first, *rest = done.stderr.strip().split("\n")
    assert line in first
    assert rest == ["no SDK"]


def test_nothing_else_imports_the_sdk() -> None:
    assert run_treeproof("--help").stderr == "no SDK\n"
    done = run_treeproof("run", "reference", "--select", "LD-LST-05-01")
    assert done.returncode == 0, done.stdout
    assert done.stderr.endswith("no SDK\n")
