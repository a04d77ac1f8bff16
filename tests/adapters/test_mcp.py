"""Adapter kind mcp against a server written by hand that misbehaves on request; the SDK's own servers are in
test_mcp_reference.py.
"""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the MCP SDK is not installed: pip install 'treeproof[mcp]'")

from treeproof.candidate import (
    UNCLASSIFIED,
    Adapter,
    Answer,
    Call,
    CandidateFault,
    CannotAsk,
    Launch,
    OfferedTool,
    UsageError,
)

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]

SERVER = "mcp_server.py"
TOLD = {
    "experimental": {"treeproof/candidate": {"tools": {"list_directory": "list_directory@1.1"}}},
    "tools": {},
}
ABSOLUTE = {"list_directory": OfferedTool("list_directory@1.1", absolute=("path",))}


@pytest.fixture
def server(adapter: Make) -> Make:
    """Make adapters to the server by hand; ``told`` says that it declares itself to the suite."""

    def make(
        *, told: bool = True, words: str = "", env: dict[str, str] | None = None, **changes: Any
    ) -> Adapter:
        says = {"SAYS": json.dumps({"capabilities": TOLD})} if told else {}
        return adapter("mcp", f"{SERVER} {words}".strip(), env={**says, **(env or {})}, **changes)

    return make


def state(answer: Answer) -> dict[str, Any]:
    assert answer.content is not None
    found: dict[str, Any] = json.loads(answer.content)
    return found


def sent(answer: Answer) -> dict[str, Any]:
    """The params of tools/call as they came over the wire."""
    params: dict[str, Any] = json.loads(state(answer)["line"])["params"]
    return params


def below(root: str, **context: Any) -> dict[str, Any]:
    return {"roots": [root], "working_dir": root, **context}


# --- what is asked, and what it is told ---


def test_a_good_server_is_greeted_described_called_and_let_go(server: Make, call: MakeCall) -> None:
    candidate = server()
    hello = candidate.start("/tmp")
    assert (hello.name, hello.version, hello.language) == ("by hand", "7", "")
    assert hello.tools == {"list_directory": "list_directory@1.1"}
    assert hello.capabilities == frozenset()
    definition = candidate.describe("list_directory")
    assert (definition.name, definition.description) == ("list_directory", "Lists.")
    assert set((definition.input_schema or {})["properties"] or ()) == {"path", "do"}  # type: ignore[arg-type]
    assert (definition.is_side_effecting, definition.requires_approval) == (True, None)
    assert definition.raw["unsaid"] == ["aliases", "requires_approval", "risk_level"]
    answers = [state(candidate.call(call())) for _ in range(3)]
    assert [answer["calls"] for answer in answers] == [1, 2, 3]
    assert {answer["pid"] for answer in answers} == {candidate.pid}
    candidate.close()
    assert candidate.pid is None
    assert candidate.farewell is None  # type: ignore[attr-defined]
    candidate.close()


def test_what_a_server_declares_is_taken_over(server: Make) -> None:
    declared = {
        "candidate": {"name": "acme", "version": "3", "language": "go"},
        "tools": {"list_directory": "list_directory@1.0"},
        "capabilities": ["config", "log"],
        "interpretations": {"AMB-LD-12": "per_run"},
    }
    says = {"capabilities": {"tools": {}, "experimental": {"treeproof/candidate": declared}}}
    hello = server(env={"SAYS": json.dumps(says)}).start("/tmp")
    assert (hello.name, hello.version, hello.language) == ("acme", "3", "go")
    assert hello.tools == declared["tools"]
    assert hello.capabilities == {"config", "log"}
    assert hello.interpretations == declared["interpretations"]


def test_all_pages_of_tools_are_read_and_the_definition_is_completed_by_meta(server: Make) -> None:
    more = {"aliases": ["ls"], "requires_approval": False, "risk_level": "Low"}
    tools = [
        {"name": "other", "inputSchema": {"type": "object"}},
        {
            "name": "list_directory",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
            "_meta": {"treeproof/definition": more},
        },
    ]
    candidate = server(env={"TOOLS": json.dumps(tools)})
    candidate.start("/tmp")
    for name in ("list_directory", "ls"):
        definition = candidate.describe(name)
        assert (definition.name, definition.aliases) == ("list_directory", ("ls",))
        assert (definition.is_side_effecting, definition.requires_approval) == (False, False)
        assert (definition.risk_level, definition.description) == ("Low", None)
        assert definition.raw["unsaid"] == []


def test_the_context_of_a_call_goes_into_meta_and_only_where_it_is_read(server: Make, call: MakeCall) -> None:
    told = server()
    told.start("/tmp")
    asked = call(path=".")
    assert sent(told.call(asked))["_meta"]["treeproof/context"] == asked.context
    other = server(told=False, tools=ABSOLUTE)
    other.start("/tmp")
    assert "_meta" not in sent(other.call(asked))


def test_tool_and_argument_names_are_mapped(server: Make, call: MakeCall) -> None:
    tool = {"name": "ls", "inputSchema": {"type": "object", "properties": {"dir": {}, "deep": {}}}}
    mapped = OfferedTool("list_directory@1.1", "ls", {"path": "dir", "recursive": "deep"}, absolute=("path",))
    candidate = server(told=False, tools={"list_directory": mapped}, env={"TOOLS": json.dumps([tool])})
    assert candidate.start("/tmp").tools == {"list_directory": "list_directory@1.1"}
    assert candidate.describe("list_directory").name == "ls"
    got = sent(candidate.call(call(path="a/b", recursive=None, more=1)))
    assert got == {"name": "ls", "arguments": {"dir": "/tmp/a/b", "deep": None, "more": 1}}


@pytest.mark.parametrize(
    ("path", "absolute"),
    [
        (".", "/tmp/."),
        ("../x", "/tmp/../x"),
        ("/etc", "/etc"),
        ("", ""),
        ("~", "/tmp/~"),
        (" .. ", " /tmp/.. "),
        ("\t/etc", "\t/etc"),
        (" \n", " \n"),
        (5, 5),
        ("a\0b", "/tmp/a\0b"),
    ],
)
def test_relative_paths_are_made_absolute_where_a_server_wants_that(
    server: Make, call: MakeCall, path: object, absolute: object
) -> None:
    candidate = server(told=False, tools=ABSOLUTE, start="fixture", words="{root}")
    candidate.start("/tmp")
    assert sent(candidate.call(call(path=path)))["arguments"] == {"path": absolute}


SPELLINGS = [
    '{"n": 1e2, "x": "\\u00e9",\n "x": 2.0}',
    "[1]",
    "null",
    '"."',
    "-0.0",
    '{"n": 123456789012345678901234567890}',
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_spelling_of_arguments_reaches_the_server(server: Make, call: MakeCall, text: str) -> None:
    candidate = server()
    candidate.start("/tmp")
    asked = Call("list_directory", json.loads(text), below("/tmp"), text)
    assert f'"arguments":{text.replace(chr(10), " ")}}}' in state(candidate.call(asked))["line"]
    assert sent(candidate.call(call(path=".")))["arguments"] == {"path": "."}


def test_what_cannot_be_sent_is_said_and_the_server_lives_on(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    pid = state(candidate.call(call()))["pid"]
    with pytest.raises(CannotAsk, match="lone surrogate"):
        candidate.call(call(path="\ud800"))
    assert sent(candidate.call(call(path="\U0001f600")))["arguments"] == {"path": "\U0001f600"}
    assert state(candidate.call(call()))["pid"] == pid


def test_a_member_twice_does_not_survive_a_mapping(server: Make, call: MakeCall) -> None:
    candidate = server(told=False, tools=ABSOLUTE)
    candidate.start("/tmp")
    with pytest.raises(CannotAsk, match="has the member 'path' twice"):
        candidate.call(call('{"path": "a", "path": "b"}', path="b"))


def test_a_server_that_asks_gets_an_answer(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    reply = json.loads(candidate.call(call(do="ask")).content or "")
    assert (reply["id"], "error" in reply) == ("mine", True)


# --- what it answers ---


def ask(candidate: Adapter, call: MakeCall, result: dict[str, Any]) -> Answer:
    return candidate.call(call(do="result", result=result))


def texts(*each: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in each]


def test_the_text_is_the_content_to_the_byte(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    exact = '{"a": 1}\r\n\x00\u2028 \ufeff'
    assert ask(candidate, call, {"content": texts(exact)}).content == exact
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    assert ask(candidate, call, {"content": [*texts("a"), image, *texts("b")]}).content == "a\nb"
    structured = {"content": [], "structuredContent": {"b": [None, 1.5], "a": "é"}}
    assert ask(candidate, call, structured).content == '{"b":[null,1.5],"a":"é"}'
    assert ask(candidate, call, {"content": [], "isError": False}).content == ""


def test_meta_tells_what_the_tool_did_to_its_context(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    more = {"context": {"allow_truncation": False}, "approval_requested": True}
    log = [{"level": "error", "message": "m"}]
    answer = ask(
        candidate,
        call,
        {"content": texts("x"), "_meta": {"treeproof/result": {**more, "log": log, "other": 1}}},
    )
    assert (answer.context, answer.approval_requested) == ({"allow_truncation": False}, True)
    assert answer.log == tuple(log)
    assert json.loads(answer.raw)["content"] == "x"


PATTERNS = (
    (re.compile("^Access denied"), "SandboxViolation"),
    (re.compile("denied|ENOENT"), "ExecutionFailed"),
)
KINDS = [
    ({"structuredContent": {"error": {"kind": "BadArgs"}}}, "Access denied", "BadArgs"),
    ({"_meta": {"treeproof/result": {"error": {"kind": "BadArgs"}}}}, "Access denied", "BadArgs"),
    ({"structuredContent": {"error": {"kind": "Oops"}}}, "Access denied", "SandboxViolation"),
    ({"structuredContent": {"error": "text"}}, "it was denied", "ExecutionFailed"),
    ({}, "Access denied", "SandboxViolation"),
    ({}, "ENOENT: denied", "ExecutionFailed"),
    ({}, "no idea", UNCLASSIFIED),
    ({"structuredContent": {"error": {"kind": 5}}}, "", UNCLASSIFIED),
]


@pytest.mark.parametrize(("more", "text", "kind"), KINDS)
def test_the_kind_of_an_error(
    server: Make, call: MakeCall, more: dict[str, Any], text: str, kind: str
) -> None:
    candidate = server(error_kinds=PATTERNS)
    candidate.start("/tmp")
    answer = ask(candidate, call, {"content": texts(text), "isError": True, **more})
    assert (answer.status, answer.kind, answer.message, answer.content) == ("error", kind, text, None)


REFUSALS = [
    (-32602, "Unknown tool: x", None, UNCLASSIFIED),
    (-32602, "Access denied", None, "SandboxViolation"),
    (-32603, "Access denied", {"kind": "UnknownTool"}, "UnknownTool"),
    (-32000, "whatever", {"kind": "Oops"}, UNCLASSIFIED),
    (0, "whatever", "text", UNCLASSIFIED),
]


@pytest.mark.parametrize(("code", "message", "data", "kind"), REFUSALS)
def test_an_error_of_json_rpc_is_an_error_of_the_tool(
    server: Make, call: MakeCall, code: int, message: str, data: object, kind: str
) -> None:
    candidate = server(error_kinds=PATTERNS)
    candidate.start("/tmp")
    error = {"code": code, "message": message, "data": data}
    answer = candidate.call(call(do="error", error=error))
    assert (answer.status, answer.kind, answer.message) == ("error", kind, message)


def test_arguments_that_mcp_forbids_are_bad_arguments(server: Make) -> None:
    candidate = server(env={"REFUSES": "1"})
    candidate.start("/tmp")
    assert candidate.call(Call("list_directory", [1], below("/tmp"))).kind == "BadArgs"
    assert candidate.call(Call("list_directory", {}, below("/tmp"))).kind == UNCLASSIFIED


# --- what breaks ---

FAULTS = [
    ({"do": "hang"}, "hang", "call: no answer within 0.5 s"),
    (
        {"do": "exit"},
        "exit",
        "it exited with 3 instead of answering; its stderr ends in 'the disk is on fire'",
    ),
    ({"do": "close"}, "exit", "it closed its stdout instead of answering"),
    ({"do": "half"}, "framing", 'its output ends in the middle of a line: \'{"jsonrpc": "2.0",\''),
    (
        {"do": "write", "text": "Listening!\n"},
        "framing",
        "is not JSON: Expecting value at column 1 (logs belong on stderr)",
    ),
    ({"do": "write", "text": "\n"}, "framing", "is not JSON"),
    ({"do": "write", "text": "{}\n"}, "framing", "is no JSON-RPC message"),
    ({"do": "write", "text": '{"a": NaN}\n'}, "framing", "holds NaN"),
    (
        {"do": "write", "text": '{"jsonrpc": "2.0", "id": 99, "result": {}}\n'},
        "hang",
        "no answer within 0.5 s",
    ),
    ({"do": "notify"}, "hang", "no answer within 0.5 s"),
    ({"do": "flood"}, "flood", "longer than 200000 bytes"),
    ({"do": "result", "result": {"content": 5}}, "protocol", "its answer is not what MCP says: content"),
    (
        {"do": "result", "result": {"resultType": "input_required", "inputRequests": {}}},
        "protocol",
        "is not what MCP says",
    ),
    (
        {"do": "error", "error": {"code": -32601, "message": "no tools/call"}},
        "glue",
        "-32601 (no such method): no tools/call",
    ),
    ({"do": "error", "error": {"code": -32700, "message": "?"}}, "glue", "-32700 (not JSON)"),
]


@pytest.mark.parametrize(("arguments", "fault", "words"), FAULTS, ids=[str(f[0])[:60] for f in FAULTS])
def test_what_breaks_has_its_kind_and_its_words(
    server: Make, call: MakeCall, arguments: dict[str, Any], fault: str, words: str
) -> None:
    candidate = server(limits={"call_seconds": 0.5, "answer_bytes": 200_000})
    candidate.start("/tmp")
    began = time.monotonic()
    with pytest.raises(CandidateFault) as caught:
        candidate.call(call(**arguments))
    assert caught.value.fault == fault
    assert words in caught.value.detail
    assert time.monotonic() - began < 4
    assert candidate.pid is None
    assert state(candidate.call(call()))["calls"] == 1  # started again


def test_a_server_that_answered_and_died_is_a_fault_at_the_next_call(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    assert state(candidate.call(call(do="answer_and_exit")))["calls"] == 1
    with pytest.raises(CandidateFault, match="exited with 7 instead of answering"):
        candidate.call(call())
    assert state(candidate.call(call()))["calls"] == 1


@pytest.mark.parametrize(
    ("env", "fault", "words"),
    [
        (
            {"DIES": "1"},
            "exit",
            "it exited with 1 instead of answering; its stderr ends in 'usage: give me a folder'",
        ),
        ({"SAYS": '{"protocolVersion": "1066"}'}, "protocol", "Unsupported protocol version"),
        ({"SAYS": '{"serverInfo": 5}'}, "protocol", "its answer is not what MCP says: serverInfo"),
        ({"TOOLS": '[{"name": 5}]'}, "protocol", "its answer is not what MCP says: tools"),
    ],
)
def test_a_server_that_cannot_be_greeted_is_a_fault_at_the_start(
    server: Make, env: dict[str, str], fault: str, words: str
) -> None:
    candidate = server(env=env)
    with pytest.raises(CandidateFault) as caught:
        candidate.start("/tmp")
    assert (caught.value.fault, words in caught.value.detail) == (fault, True), caught.value
    assert candidate.pid is None


def test_a_program_that_is_no_server_hangs_or_echoes(adapter: Make, tmp_path: Path) -> None:
    from treeproof.candidate import Limits, Target, connect

    programs: list[tuple[tuple[str, ...], str]] = [(("sleep", "60"), "hang"), (("cat",), "glue")]
    for argv, fault in programs:
        target = Target("x", "mcp", tmp_path, argv=argv, limits=Limits(start_seconds=0.5))
        candidate = connect(target)
        with pytest.raises(CandidateFault) as caught:
            candidate.start("/tmp")
        assert caught.value.fault == fault, caught.value


def test_a_server_that_ignores_the_end_of_its_input_is_killed(
    server: Make, call: MakeCall, is_running: Callable[[int], bool]
) -> None:
    candidate = server(limits={"close_seconds": 0.2})
    candidate.start("/tmp")
    pid = state(candidate.call(call(do="stubborn")))["pid"]
    began = time.monotonic()
    candidate.close()
    assert 0.5 < time.monotonic() - began < 2
    assert not is_running(pid)
    assert candidate.farewell == "shutdown: it did not exit within 0.2 s"  # type: ignore[attr-defined]


def test_the_server_dies_with_the_harness(gallery: Path, is_running: Callable[[int], bool]) -> None:
    harness = f"""
        import os, signal, sys
        from pathlib import Path
        from treeproof.candidate import Target, connect
        target = Target.parse(f"mcp:{{sys.executable}} {SERVER} {{{{root}}}}", folder=Path({str(gallery)!r}))
        adapter = connect(target)
        adapter.start("/tmp")
        print(adapter.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(harness)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    deadline = time.monotonic() + 5
    while is_running(int(run.stdout)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_ctrl_c_during_a_call_ends_the_server(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            candidate.call(call(do="hang"))
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert candidate.pid is None


def test_large_answers_pass(server: Make, call: MakeCall) -> None:
    candidate = server()
    candidate.start("/tmp")
    text = "é" * 1_000_000
    assert ask(candidate, call, {"content": texts(text)}).content == text


# --- where it works ---


def test_a_server_started_per_fixture_gets_each_root(server: Make, tmp_path: Path) -> None:
    candidate = server(told=False, words="--root={root}", cwd=Path("{root}"), start=None)
    first, second = (str(tmp_path / name) for name in ("first", "second"))
    for root in (first, second):
        Path(root).mkdir()
    candidate.start(str(tmp_path))
    answers = [
        state(candidate.call(Call("list_directory", {"path": "."}, below(root))))
        for root in (first, first, second, first)
    ]
    assert [answer["argv"] for answer in answers] == [
        [f"--root={root}"] for root in (first, first, second, first)
    ]
    assert [answer["cwd"] for answer in answers] == [first, first, second, first]
    assert [answer["calls"] for answer in answers] == [1, 2, 1, 1]
    assert len({answer["pid"] for answer in answers}) == 3


def test_a_server_that_is_told_the_context_is_started_once_below_the_workspace(
    server: Make, tmp_path: Path
) -> None:
    candidate = server(words="{root}")
    candidate.start(str(tmp_path))
    answers = [
        state(candidate.call(Call("list_directory", {}, below(str(tmp_path / name))))) for name in ("a", "b")
    ]
    assert [answer["argv"] for answer in answers] == [[str(tmp_path)]] * 2
    assert answers[1]["calls"] == 2


UNTOLD: list[dict[str, Any]] = [
    {"allow_absolute": True},
    {"denied_patterns": ["*.key"]},
    {"include_default_denies": False},
    {"max_output_bytes": 5},
    {"config": {"tools": {"list_directory": {}}}},
    {"approval": "approve"},
    {"roots": ["/tmp", "/var"]},
    {"working_dir": "/tmp/else"},
]


@pytest.mark.parametrize("context", UNTOLD, ids=[next(iter(each)) for each in UNTOLD])
def test_what_a_server_is_not_told_is_not_asked(server: Make, context: dict[str, Any]) -> None:
    candidate = server(told=False, words="{root}")
    candidate.start("/tmp")
    with pytest.raises(CannotAsk, match="the server is not told"):
        candidate.call(Call("list_directory", {"path": "."}, {**below("/tmp"), **context}))
    asked = below("/tmp", allow_absolute=False, denied_patterns=[], approval="deny")
    assert candidate.call(Call("list_directory", {"path": "."}, asked)).status == "ok"


def test_a_path_that_leaves_the_fixture_is_not_asked_of_a_server_that_may_list_the_workspace(
    server: Make, tmp_path: Path
) -> None:
    root, beside = tmp_path / "1" / "root", tmp_path / "1" / "root2"
    for folder in (root, beside):
        folder.mkdir(parents=True)
    (root / "out").symlink_to("../root2")
    (root / "in").symlink_to(".")
    candidate = server(told=False, words="{root}", start="once", tools=ABSOLUTE)
    candidate.start(str(tmp_path))
    context = below(str(root))
    for path in ("..", "../root2", "out", "in/../out", str(beside)):
        with pytest.raises(CannotAsk, match=r'start = "fixture" with \{root\}'):
            candidate.call(Call("list_directory", {"path": path}, context))
    for path in (".", "in", "in/in", "/etc", "missing"):
        assert candidate.call(Call("list_directory", {"path": path}, context)).status == "ok", path
    with pytest.raises(CannotAsk, match="the fixture lies elsewhere"):
        candidate.call(Call("list_directory", {"path": "."}, below("/var")))


def test_a_fresh_process_is_launched_as_asked(server: Make, call: MakeCall, gallery: Path) -> None:
    candidate = server(env={"COLOUR": "green"})
    candidate.start("/tmp")
    first = state(candidate.call(call()))
    assert (first["cwd"], first["colour"]) == (str(gallery), "green")
    fresh = candidate.fresh(Launch(env={"COLOUR": "red"}, cwd=b"/", umask=0o077, prefix=("env", "X=1")))
    try:
        fresh.start("/tmp")
        assert fresh.pid != candidate.pid
        other = state(fresh.call(call()))
        assert (other["cwd"], other["colour"], other["umask"]) == ("/", "red", 0o077)
        assert state(candidate.call(call()))["calls"] == 2
    finally:
        fresh.close()


def test_the_process_that_will_answer_can_be_looked_at_before(server: Make, tmp_path: Path) -> None:
    candidate = server(told=False, words="{root}", start="fixture")
    candidate.start(str(tmp_path))
    asked = Call("list_directory", {"path": "."}, below(str(tmp_path / "1")))
    first = candidate.pid
    candidate.stand_by(asked)
    looked_at = candidate.pid
    assert looked_at not in (None, first)
    assert state(candidate.call(asked))["pid"] == looked_at


def test_it_can_be_started_and_asked_in_another_thread(server: Make, call: MakeCall) -> None:
    found: list[dict[str, Any]] = []

    def whole() -> None:
        candidate = server()
        candidate.start("/tmp")
        found.append(state(candidate.call(call())))
        candidate.close()

    threads = [threading.Thread(target=whole) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each["pid"] for each in found}) == 3


def test_the_example_tells_kinds_by_the_words_of_the_public_server() -> None:
    from treeproof.candidate import Target

    target = Target.parse(str(Path(__file__).parents[2] / "examples" / "mcp-filesystem"))
    assert (target.kind, target.start) == ("mcp", "once")
    said = {
        "Access denied - path outside allowed directories: /etc not in /tmp": "SandboxViolation",
        "ENOENT: no such file or directory, scandir '/tmp/x'": "ExecutionFailed",
        "MCP error -32602: Input validation error: Invalid arguments for tool list_directory: …": "BadArgs",
        "MCP error -32602: Tool nope not found": "UnknownTool",
    }
    for message, kind in said.items():
        assert next(kind for pattern, kind in target.error_kinds if pattern.search(message)) == kind


# --- what a user gets wrong ---


def test_a_tool_that_the_server_lacks_is_the_users_mistake(server: Make) -> None:
    tools = {"list_directory": OfferedTool("list_directory@1.1", "list_dir")}
    with pytest.raises(UsageError) as caught:
        server(tools=tools).start("/tmp")
    assert str(caught.value) == (
        f"TARGET mcp:{SERVER}: [tools.list_directory]: the server has no tool 'list_dir'; did you mean "
        'name = "list_directory"? It offers list_directory'
    )


def test_an_argument_that_the_tool_does_not_take_is_the_users_mistake(server: Make) -> None:
    tools = {"list_directory": OfferedTool("list_directory@1.1", None, {"path": "folder"})}
    with pytest.raises(UsageError, match="takes no argument 'folder', but path, do"):
        server(tools=tools).start("/tmp")


def test_a_server_that_claims_nothing_needs_a_manifest(server: Make) -> None:
    tools = [{"name": f"t{n}\x1b", "inputSchema": {"type": "object"}} for n in range(30)]
    with pytest.raises(UsageError) as caught:
        server(told=False, words="{root}", env={"TOOLS": json.dumps(tools)}).start("/tmp")
    assert "write a manifest with [tools.NAME] spec" in str(caught.value)
    assert "t0\\x1b, t1\\x1b" in str(caught.value)
    assert "and 10 more" in str(caught.value)


def test_a_server_that_cannot_know_the_root_is_refused(server: Make) -> None:
    with pytest.raises(UsageError, match=r"cannot know the root of a call: put \{root\}"):
        server(told=False).start("/tmp")
    with pytest.raises(UsageError, match=r'start = "fixture" needs \{root\}'):
        server(told=False, start="fixture").start("/tmp")


def test_a_missing_program_is_the_users_mistake() -> None:
    from treeproof.candidate import Target, connect

    with pytest.raises(
        UsageError, match="TARGET mcp:nodee server.mjs: there is no program 'nodee' on the PATH"
    ):
        connect(Target.parse("mcp:nodee server.mjs"))


@pytest.mark.parametrize("address", ["mcp+http:ftp://x/y", "mcp+http:/mcp", "mcp+http://127.0.0.1:port/mcp"])
def test_what_is_no_address_is_the_users_mistake(address: str) -> None:
    from treeproof.candidate import Target, connect

    with pytest.raises(UsageError, match="is no address: write http://127.0.0.1:8080/mcp"):
        connect(Target.parse(address))


def treeproof(*words: str, before: str = "pass") -> subprocess.CompletedProcess[str]:
    code = f"import sys; {before}; from treeproof.cli import main; code = main(sys.argv[1:]); sys.stdout.flush(); "
    code += "print('SDK' if 'mcp' in sys.modules and sys.modules['mcp'] else 'no SDK', file=sys.stderr); sys.exit(code)"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=120,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("run", "mcp:cat"), "TARGET mcp:cat: the adapter kind mcp needs the module 'mcp', which is not installed "
         "(pip install 'treeproof[mcp]')"),
        (("run", "mcp+http://127.0.0.1:1/mcp"), "(pip install 'treeproof[mcp]')"),
        (("serve", "reference", "--protocol", "mcp"), "--protocol mcp: the MCP SDK is not installed: "
         "pip install 'treeproof[mcp]'"),
    ],
)  # fmt: skip
def test_without_the_sdk_one_line_says_what_to_install(words: tuple[str, ...], line: str) -> None:
    done = treeproof(*words, before="sys.modules['mcp'] = None")
    assert done.returncode == 2, done.stderr
    first, *rest = done.stderr.strip().split("\n")
    assert line in first
    assert rest == ["no SDK"]


def test_nothing_else_imports_the_sdk() -> None:
    assert treeproof("--help").stderr == "no SDK\n"
    done = treeproof("run", "reference", "--select", "LD-LST-05-01")
    assert done.returncode == 0, done.stdout
    assert done.stderr.endswith("no SDK\n")
