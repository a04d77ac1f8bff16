"""Adapter kind mcp+http with web servers that are not MCP servers or fail; a correct one is in
test_adapter_parity.py.
"""

import importlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "mcp", reason="not verified: the MCP adapter over HTTP; needs the SDK: pip install 'treeproof[mcp]'"
)

from treeproof.candidate import (
    Adapter,
    Call,
    CallResult,
    CandidateFault,
    Limits,
    ProcessOptions,
    Target,
    ToolConfig,
    UnsupportedByAdapter,
    UsageError,
    connect,
    make_preexec_fn,
)

Handler = Callable[["WebHandler", dict[str, Any]], None]
CallWithin = Callable[[Adapter, Call, float | None], CallResult]

INITIALIZE_RESULT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {
        "tools": {},
        "experimental": {"treeproof/candidate": {"tools": {"t": "list_directory@1.1"}}},
    },
    "serverInfo": {"name": "by hand", "version": "7"},
}
TOOLS = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}


class WebHandler(BaseHTTPRequestHandler):
    """Implements MCP correctly except for ``tools/call``, which the test defines."""

    called: Handler
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        message = json.loads(body)
        match message.get("method"):
            case "initialize":
                self.answer(message, INITIALIZE_RESULT)
            case "tools/list":
                self.answer(message, TOOLS)
            case "tools/call":
                type(self).called(self, {**message, "body": body.decode()})
            case _:
                self.reply(202, "text/plain", "")

    def do_GET(self) -> None:
        self.reply(405, "text/plain", "")

    do_DELETE = do_GET

    def answer(self, message: dict[str, Any], result: Any) -> None:
        text = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
        self.reply(200, "application/json", text)

    def reply(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def http_listener(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def candidate(url: str, **changes: Any) -> Iterator[Adapter]:
    limits = Limits(**{"call_seconds": 60.0, "start_seconds": 60.0, "close_seconds": 60.0} | changes.pop("limits", {}))
    adapter = connect(Target(url, "mcp+http", Path("/"), url=url, limits=limits, **changes))
    try:
        yield adapter
    finally:
        adapter.close()


@contextmanager
def connected_candidate(called: Handler, **changes: Any) -> Iterator[Adapter]:
    """Return a started adapter to a server whose calls the test defines."""
    with (
        http_listener(type("Called", (WebHandler,), {"called": called})) as url,
        candidate(url, **changes) as adapter,
    ):
        adapter.start("/tmp")
        yield adapter


def call(**arguments: Any) -> Call:
    return Call("t", arguments, {"roots": ["/tmp"], "working_dir": "/tmp"})


def echo(web: WebHandler, message: dict[str, Any]) -> None:
    web.answer(message, {"content": [{"type": "text", "text": message["body"]}]})


def test_a_server_is_started_described_and_called() -> None:
    with connected_candidate(echo) as adapter:
        assert adapter.kind == "mcp+http"
        assert adapter.pid is None
        assert adapter.describe("t").name == "t"
        request = call(path=".")
        body = json.loads(adapter.call(request).content or "")
        assert body["params"]["arguments"] == {"path": "."}
        assert body["params"]["_meta"]["treeproof/context"] == request.context
        other_text = Call("t", {"n": 100.0}, request.context, '{"n": 1e2, "n": 2.0}')
        assert '"arguments":{"n": 1e2, "n": 2.0}}' in (adapter.call(other_text).content or "")


def test_an_event_stream_is_accepted() -> None:
    def stream(web: WebHandler, message: dict[str, Any]) -> None:
        result = {"content": [{"type": "text", "text": "x\ny"}]}
        event = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
        web.reply(200, "text/event-stream", f"event: message\ndata: {event}\n\n")

    with connected_candidate(stream) as adapter:
        assert adapter.call(call()).content == "x\ny"


def test_a_refusal_with_an_http_error_is_an_error_of_the_tool() -> None:
    def refuse(web: WebHandler, message: dict[str, Any]) -> None:
        error = {"code": -32602, "message": "no", "data": {"kind": "BadArgs"}}
        web.reply(400, "application/json", json.dumps({"jsonrpc": "2.0", "id": None, "error": error}))

    with connected_candidate(refuse) as adapter:
        assert adapter.call(call()).error_kind == "BadArgs"


def html(web: WebHandler, message: dict[str, Any]) -> None:
    web.reply(200, "text/html; charset=utf-8", "<!doctype html>\n<title>Welcome\x1b[31m</title>")


def hang(web: WebHandler, message: dict[str, Any]) -> None:
    web.connection.recv(1)  # until the client gives up
    web.close_connection = True


def flood(web: WebHandler, message: dict[str, Any]) -> None:
    web.reply(200, "application/json", "x" * 300_000)


def flood_of_events(web: WebHandler, message: dict[str, Any]) -> None:
    web.reply(200, "text/event-stream", "data: " + "x" * 300_000)


def hang_up(web: WebHandler, message: dict[str, Any]) -> None:
    web.close_connection = True
    web.connection.shutdown(socket.SHUT_RDWR)


FAULTS: list[tuple[Handler, str, str]] = [
    (html, "framing", "HTTP 200 with text/html: '<!doctype html>\\n<title>Welcome\\x1b[31m</title>'; is the path"),
    (lambda web, message: web.reply(500, "text/plain", "oops"), "framing", "answers HTTP 500 with text/plain: 'oops'"),
    (lambda web, message: web.reply(500, "application/json", "{}"), "framing", "HTTP 500 with application/json: '{}'"),
    (lambda web, message: web.reply(401, "", ""), "framing", "answers HTTP 401 with nothing; no credentials are sent"),
    (lambda web, message: web.reply(200, "application/json", "{nonsense"), "glue", "-32700"),
    (lambda web, message: web.reply(202, "text/plain", ""), "glue", "202 Accepted"),
    (lambda web, message: web.reply(200, "text/event-stream", ": nothing\n\n"), "exit", "its answer is incomplete"),
    (hang, "timeout", "no answer within 0.5 s"),
    (hang_up, "exit", "Server disconnected without sending a response"),
    (flood, "output_limit", "longer than 200000 bytes"),
    (flood_of_events, "output_limit", "longer than 200000 bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("called", "fault", "message"), FAULTS, ids=[message for _, _, message in FAULTS])
def test_every_fault_has_its_kind_and_message(
    call_within: CallWithin, called: Handler, fault: str, message: str
) -> None:
    with connected_candidate(called, limits={"answer_bytes": 200_000}) as adapter:
        with pytest.raises(CandidateFault) as caught:
            call_within(adapter, call(), 0.5 if fault == "timeout" else None)
        assert caught.value.kind == fault, caught.value
        assert message in caught.value.detail
        assert adapter.describe("t").name == "t"  # connected again


def test_a_web_site_is_a_fault_at_the_start() -> None:
    class Site(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = b"<h1>Not found</h1>"
            self.send_response(404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            pass

    with http_listener(Site) as url, candidate(url) as adapter:
        with pytest.raises(CandidateFault) as caught:
            adapter.start("/tmp")
        assert str(caught.value) == (
            f"framing: initialize: {url} answers HTTP 404 with text/html: '<h1>Not found</h1>'; "
            "is the path right? It often is /mcp"
        )


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return int(listener.getsockname()[1])


def test_a_closed_port_is_a_fault_at_the_start() -> None:
    url = f"http://127.0.0.1:{free_port()}/mcp"
    with candidate(url) as adapter:
        with pytest.raises(CandidateFault) as caught:
            adapter.start("/tmp")
        assert str(caught.value) == f"start: initialize: cannot reach {url}: Connection refused"


def test_a_listener_without_http_is_a_fault_at_the_start() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def babble() -> None:
            connection, _ = listener.accept()
            with closing(connection):
                connection.sendall(b"220 mail.example ESMTP\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        with candidate(url) as adapter, pytest.raises(CandidateFault, match=f"cannot reach {url}"):
            adapter.start("/tmp")
        thread.join()


def test_spawn_is_unsupported() -> None:
    with connected_candidate(echo) as adapter:
        with pytest.raises(UnsupportedByAdapter, match="needs a process that treeproof starts"):
            adapter.spawn(ProcessOptions())
        assert adapter.call(call()).status == "ok"


def test_start_per_fixture_is_refused() -> None:
    tools = {"t": ToolConfig("list_directory@1.1")}
    refused = pytest.raises(UsageError, match=r'start = "fixture" needs \{root\}')
    with (
        http_listener(type("Called", (WebHandler,), {"called": echo})) as url,
        candidate(url, start="fixture", tools=tools) as adapter,
        refused,
    ):
        adapter.start("/tmp")


SLEEPER = """
import socket, time
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
time.sleep(600)
"""


def find_listener_process(host: str, port: int) -> Any:
    return importlib.import_module("treeproof.adapters.mcp.listener_process").find_listener_process(host, port)


@pytest.mark.parametrize("drops_capabilities", [True, False], ids=["without capabilities", "with capabilities"])
def test_whether_file_modes_apply_to_the_server_is_detected(drops_capabilities: bool) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPER],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=make_preexec_fn() if drops_capabilities else None,
    )
    try:
        assert process.stdout is not None
        owner = find_listener_process("127.0.0.1", int(process.stdout.readline()))
        assert owner is not None
        assert (owner.pid, owner.uid) == (process.pid, os.geteuid())
        status = Path(f"/proc/{process.pid}/status").read_text()
        effective = next(int(line.split()[1], 16) for line in status.split("\n") if line.startswith("CapEff"))
        assert owner.ignores_file_modes == bool(effective & 0b110)
        assert not (drops_capabilities and owner.ignores_file_modes)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]


def test_the_listener_of_a_remote_address_is_unknown() -> None:
    assert find_listener_process("192.0.2.1", 80) is None
    assert find_listener_process("127.0.0.1", free_port()) is None
