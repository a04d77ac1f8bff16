"""The host serves a Python candidate; only responses are written to stdout."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SAMPLE_CANDIDATES = Path(__file__).parent / "sample_candidates"
ROOT = Path(__file__).parents[2]
CONTEXT = {"roots": ["/tmp"], "working_dir": "/tmp"}


def run_host(*requests: Any, protocol: str = "stdio", entry: str = "in_process:candidate") -> tuple[list[Any], str]:
    """Return the responses to these requests, and stderr."""
    lines = [request if isinstance(request, str) else json.dumps({"jsonrpc": "2.0"} | request) for request in requests]
    run = subprocess.run(
        [sys.executable, "-m", "treeproof.candidate.host", protocol, entry],
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        text=True,
        errors="backslashreplace",
        cwd=SAMPLE_CANDIDATES,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=120,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr


def call(number: int, **arguments: Any) -> dict[str, Any]:
    params = {"tool": "list_directory", "arguments": arguments, "context": CONTEXT}
    return {"id": number, "method": "call", "params": params}


def test_requests_are_answered_in_order_until_shutdown() -> None:
    responses, _ = run_host(
        {"id": 1, "method": "initialize", "params": {"protocol": 1, "workspace": "/tmp"}},
        {"id": 2, "method": "describe", "params": {"tool": "t"}},
        call(3),
        call(4),
        {"id": 5, "method": "shutdown", "params": {}},
        call(6),
    )
    assert [response["id"] for response in responses] == [1, 2, 3, 4, 5]
    assert responses[0]["result"]["candidate"]["name"] == "in process"
    assert responses[1]["result"] == {"name": "t"}
    assert [responses[index]["result"]["content"] for index in (2, 3)] == ["1", "2"]
    assert responses[4]["result"] is None


def test_prints_go_to_stderr_and_the_candidate_cannot_read_requests() -> None:
    responses, stderr = run_host(call(1, do="print"), call(2, do="read_stdin"), call(3))
    assert [response["id"] for response in responses] == [1, 2, 3]
    assert "on stdout" in stderr and "on stderr" in stderr and "\\xff" in stderr
    assert responses[1]["result"]["content"] == "''"


@pytest.mark.parametrize(
    ("request_line", "code"),
    [
        ("not json", -32700),
        ("[" * 100_000, -32700),
        ("[]", -32600),
        ('{"jsonrpc": "2.0", "method": "call"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "list"}', -32601),
        ('{"jsonrpc": "2.0", "id": 1, "method": "call", "params": {}}', -32602),
        ('{"jsonrpc": "2.0", "id": 1, "method": "describe", "params": {"tool": 1}}', -32602),
    ],
)
def test_a_bad_request_is_an_error_and_the_next_one_is_served(request_line: str, code: int) -> None:
    responses, _ = run_host(request_line, call(2))
    assert responses[0]["error"]["code"] == code
    assert responses[1]["result"]["status"] == "ok"


@pytest.mark.parametrize("do", ["raise", "exit", "interrupt", "recursion", "memory", "bytes", "cycle"])
def test_an_exception_of_the_candidate_is_an_error_and_the_next_call_is_served(do: str) -> None:
    responses, stderr = run_host(call(1, do=do), call(2))
    assert responses[0]["error"]["code"] == -32000
    assert "Traceback" in stderr
    assert responses[1]["result"]["status"] == "ok"


def test_protocol_command_serves_one_message() -> None:
    responses, _ = run_host(call(1), call(2), protocol="command")
    assert [response["id"] for response in responses] == [1]


def test_a_wrong_command_line_prints_the_usage() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "treeproof.candidate.host", "stdin"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (run.returncode, run.stderr[:6]) == (1, "usage:")
