"""Adapter kind stdio with a misbehaving process: every fault has its kind and message."""

import json
import os
import signal
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions, UsageError

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]
CallWithin = Callable[[Adapter, Call, float | None], CallResult]


def state(answer: CallResult) -> dict[str, Any]:
    assert answer.content is not None
    found: dict[str, Any] = json.loads(answer.content)
    return found


def test_a_correct_candidate_is_started_described_called_and_closed(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    result = candidate.start("/tmp")
    assert (result.name, result.version, result.language) == ("misbehaving", "1", "python")
    assert result.tools == {"list_directory": "list_directory@1.1"}
    assert result.capabilities == {"config"}
    definition = candidate.describe("list_directory")
    assert (definition.name, definition.aliases, definition.input_schema) == ("list_directory", ("ls",), {})
    assert definition.is_side_effecting is None
    answers = [state(candidate.call(call())) for _ in range(3)]
    assert [answer["calls"] for answer in answers] == [1, 2, 3]
    assert {answer["pid"] for answer in answers} == {candidate.pid}
    candidate.close()
    assert candidate.pid is None
    assert candidate.close_problem is None  # type: ignore[attr-defined]
    candidate.close()


RESPONSE = '{"jsonrpc": "2.0", "id": {id}, "result": {"status": "ok", "content": ""}%s}'
FRAMES = [
    ("[1]", "framing", "is not a JSON object"),
    ("Listening on port 8080", "framing", "is not JSON: Expecting value at column 1: 'Listening"),
    (RESPONSE.replace("2.0", "1.0") % "", "framing", 'lacks "jsonrpc": "2.0"'),
    (RESPONSE.replace("{id}", "77") % "", "framing", "has the id 77 instead of 2"),
    (RESPONSE.replace("{id}", "1") % "", "framing", "has the id 1 of an earlier request, which it has answered"),
    (RESPONSE.replace("{id}", '"{id}"') % "", "framing", 'has the id "2" instead of 2'),
    (RESPONSE.replace("{id}", "null") % "", "framing", "has the id null"),
    (RESPONSE.replace('"id": {id}, ', "") % "", "framing", "has no id"),
    (RESPONSE % ', "error": {"code": 1, "message": ""}', "framing", "has both a result and an error"),
    ('{"jsonrpc": "2.0", "id": {id}}', "framing", "has neither a result nor an error"),
    ('{"jsonrpc": "2.0", "id": {id}, "error": "x"}', "framing", "an integer code and a message"),
    ('{"jsonrpc": "2.0", "method": "log", "params": {}}', "framing", "is a request or a notification"),
    (RESPONSE % ', "x": NaN', "framing", "holds NaN"),
    (RESPONSE % ', "x": -Infinity', "framing", "holds -Infinity"),
    (RESPONSE % ', "x": 1e999', "framing", "holds the number 1e999"),
    (RESPONSE % f', "x": {"9" * 5000}', "framing", "a number of more than 4300 digits"),
    (RESPONSE % f', "x": {"[" * 200}{"]" * 200}', "framing", "nested more than 200 levels"),
    (RESPONSE % f', "x": {"[" * 9000}{"]" * 9000}', "framing", "nested more than 200 levels"),
    (RESPONSE % ', "id": 3', "framing", "has the member 'id' twice"),
    (RESPONSE % ', "x": "\xff"', "framing", "is not UTF-8: byte 0xff at offset"),
    (RESPONSE.replace('""', '"\xed\xa0\x80"') % "", "framing", "is not UTF-8"),
    ("", "framing", "is not JSON"),
    (
        '{"jsonrpc": "2.0", "id": {id}, "error": {"code": -32603, "message": "no \\u001b[31m luck"}}',
        "glue",
        "the JSON-RPC error -32603: no \\x1b[31m luck",
    ),
    ('{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "?"}}', "glue", "-32700: ?"),
]


@pytest.mark.parametrize(("text", "fault", "message"), FRAMES, ids=[message for _, _, message in FRAMES])
def test_every_invalid_response_has_its_fault(
    adapter: Make, call: MakeCall, text: str, fault: str, message: str
) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    with pytest.raises(CandidateFault) as caught:
        candidate.call(call(do="write", text=text))
    assert (caught.value.kind, message in caught.value.detail) == (fault, True), caught.value.detail
    assert len(caught.value.detail) < 1000
    assert caught.value.detail.isprintable()
    assert state(candidate.call(call()))["calls"] == 1


@pytest.mark.parametrize(
    ("do", "seconds", "fault", "message"),
    [
        ("hang", 0.6, "timeout", "no answer within 0.6 s"),
        ("dribble", 5, "timeout", "so far it wrote 'xx"),
        ("exit", None, "exit", "the process ended with exit code 3: the disk is on fire"),
        ("exit_well", None, "exit", "ended with exit code 0"),
        ("die", None, "exit", "was killed by SIGKILL"),
        ("close", None, "exit", "closed its stdout instead of answering"),
        ("half_a_line", None, "framing", 'ends in the middle of a line: \'{"jsonrpc"'),
        ("noise", None, "framing", "is not JSON: Expecting value at column 1: 'Listening on port 8080'"),
        ("endless", None, "output_limit", "is longer than 100000 bytes"),
        ("grandchild_then_exit", None, "exit", "ended with exit code 0"),
    ],
)
def test_misbehaviour_is_a_fault_and_the_next_call_goes_to_a_new_process(
    adapter: Make,
    call: MakeCall,
    call_within: CallWithin,
    do: str,
    seconds: float | None,
    fault: str,
    message: str,
) -> None:
    candidate = adapter("stdio", limits={"answer_bytes": 100_000})
    candidate.start("/tmp")
    broken = state(candidate.call(call()))["pid"]
    with pytest.raises(CandidateFault) as caught:
        call_within(candidate, call(do=do), seconds)
    assert caught.value.kind == fault
    assert caught.value.method == "call"
    assert message in caught.value.detail
    after = state(candidate.call(call()))
    assert after["calls"] == 1
    assert after["pid"] != broken


RESULTS: list[tuple[Any, str]] = [
    (None, "call: result is null, not an object"),
    ({}, "call: result lacks the member 'status'"),
    ({"status": "maybe"}, 'call: result.status is "maybe", not one of ok, error'),
    ({"status": "ok"}, "call: result lacks the member 'content'"),
    ({"status": "ok", "content": {"entries": []}}, 'call: result.content is {"entries": []}, not a string'),
    ({"status": "ok", "content": "", "error": {}}, "call: result.error is {}, not null"),
    (
        {"status": "error", "error": {"kind": "Bad\n", "message": ""}},
        'result.error.kind is "Bad\\n", not one of',
    ),
    ({"status": "error", "error": {"kind": "BadArgs"}}, "call: result.error lacks the member 'message'"),
    ({"status": "ok", "content": "", "log": [{"level": "fatal", "message": ""}]}, "result.log[0].level is"),
    ({"status": "ok", "content": "", "approval_requested": 1}, "is 1, not true or false"),
    (
        {"status": "ok", "content": "", "context": {"allow_truncation": "no"}},
        "result.context.allow_truncation",
    ),
]


@pytest.mark.parametrize(("result", "message"), RESULTS, ids=[message for _, message in RESULTS])
def test_a_result_that_violates_its_schema_is_a_protocol_fault(
    adapter: Make, call: MakeCall, result: Any, message: str
) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    with pytest.raises(CandidateFault) as caught:
        candidate.call(call(do="result", result=result))
    assert caught.value.kind == "protocol"
    assert message in caught.value.detail


@pytest.mark.parametrize(
    ("declared", "fault", "message"),
    [
        ({"protocol": 2}, "protocol", "initialize: result.protocol is 2, not 1"),
        ({"candidate": {"name": "", "version": "", "language": ""}}, "protocol", "which is too short"),
        (
            {"tools": {"list_directory": "1.1"}},
            "protocol",
            'tools.list_directory is "1.1", not the specification',
        ),
        ({"capabilities": "config"}, "protocol", 'result.capabilities is "config", not an array'),
    ],
)
def test_an_invalid_initialize_result_is_a_fault_at_the_start(
    adapter: Make, declared: dict[str, Any], fault: str, message: str
) -> None:
    candidate = adapter("stdio", env={"DECLARED": json.dumps(declared)})
    with pytest.raises(CandidateFault) as caught:
        candidate.start("/tmp")
    assert caught.value.kind == fault
    assert message in caught.value.detail
    assert candidate.pid is None


def test_an_error_of_the_tool_is_a_call_result(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    error = {"kind": "BadArgs", "message": "no"}
    log = [{"level": "error", "message": "m", "more": 1}]
    result = {"status": "error", "error": error, "content": None, "log": log, "approval_requested": True}
    answer = candidate.call(call(do="result", result=result))
    assert (answer.status, answer.content, answer.error_kind, answer.error_message) == ("error", None, "BadArgs", "no")
    assert (answer.log, answer.approval_requested, answer.context) == (tuple(log), True, None)
    assert json.loads(answer.raw)["result"] == result


def test_integers_and_unusual_characters_are_transmitted_exactly(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    content = "\x00\u2028\U0001f600\ud800 \ufeff"
    result = {"status": "ok", "content": content, "context": {"n": 2**64 + 1, "m": -(10**400)}}
    answer = candidate.call(call(do="result", result=result))
    assert answer.content == content
    assert answer.context == {"n": 2**64 + 1, "m": -(10**400)}


def test_the_text_of_arguments_reaches_the_candidate(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    text = '{"do": "raw", "n": 1e2,\n "x": 2.0, "x": "\\ud800é"}'
    answer = candidate.call(call(text, do="raw"))
    assert answer.context is not None
    assert f'"arguments":{text.replace(chr(10), " ")},' in answer.context["line"]  # type: ignore[operator]


def test_an_unrequested_line_is_a_fault_of_the_next_call(
    adapter: Make, call: MakeCall, wait_for_file: Callable[[Path], None], tmp_path: Path
) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    assert candidate.call(call(do="later", marker=str(tmp_path / "written"))).content == ""
    wait_for_file(tmp_path / "written")
    with pytest.raises(CandidateFault, match=r"wrote to stdout before a request: 'by the way\\n'"):
        candidate.call(call())


def test_a_second_answer_is_a_fault_of_the_next_call_however_soon_it_comes(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    assert candidate.call(call(do="two_answers")).status == "ok"
    with pytest.raises(CandidateFault, match=r"wrote to stdout before a request: '\{\"jsonrpc\""):
        candidate.call(call())


def test_a_candidate_that_answered_and_died_is_a_fault_at_the_next_call(
    adapter: Make, call: MakeCall, wait_for_end: Callable[[int], None]
) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    assert candidate.call(call(do="answer_and_fail")).content == ""
    wait_for_end(candidate.pid or 0)
    with pytest.raises(CandidateFault, match="before the request the process ended with exit code 7"):
        candidate.call(call())
    assert state(candidate.call(call()))["calls"] == 1


def test_an_unread_request_ends_at_the_deadline(adapter: Make, call: MakeCall, call_within: CallWithin) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    candidate.call(call())
    os.kill(candidate.pid or 0, signal.SIGSTOP)
    os.waitid(os.P_PID, candidate.pid or 0, os.WSTOPPED | os.WNOWAIT)
    with pytest.raises(CandidateFault, match=r"no answer within 0.3 s; \d+ bytes of the request are unread"):
        call_within(candidate, call(path="x" * 1_000_000), 0.3)


def test_large_requests_and_answers_pass(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    content = "é" * 2_000_000
    answer = candidate.call(call(do="result", result={"status": "ok", "content": content}))
    assert answer.content == content


def test_diagnostics_are_bounded_and_escaped(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio", limits={"stderr_bytes": 1000})
    candidate.start("/tmp")
    candidate.call(call(do="stderr", size=3))
    deadline = time.monotonic() + 60
    while "last line" not in read_stderr_line(candidate):
        assert time.monotonic() < deadline
    assert candidate.captured_output() == "\\x1b[31mred\\x07eee\nlast line"
    candidate.call(call(do="stderr", size=1_000_000))
    candidate.close()
    final_output = candidate.captured_output()
    assert final_output.endswith("eee\nlast line")
    assert len(final_output) < 1100
    assert "earlier bytes left out" in final_output


def read_stderr_line(candidate: Adapter) -> str:
    candidate.describe("list_directory")
    return candidate.captured_output()


def test_a_candidate_that_ignores_shutdown_and_sigterm_is_killed(
    adapter: Make, call: MakeCall, is_running: Callable[[int], bool]
) -> None:
    candidate = adapter("stdio", limits={"close_seconds": 0.2})
    candidate.start("/tmp")
    pid = state(candidate.call(call(do="stubborn")))["pid"]
    began = time.monotonic()
    candidate.close()
    assert 0.5 < time.monotonic() - began < 60
    assert not is_running(pid)
    assert "no answer within 0.2 s" in candidate.close_problem  # type: ignore[attr-defined]


def test_an_exit_code_after_shutdown_is_recorded(adapter: Make) -> None:
    candidate = adapter("stdio", env={"EXIT_CODE": "4"})
    candidate.start("/tmp")
    candidate.close()
    assert candidate.close_problem == "shutdown: it ended with exit code 4"  # type: ignore[attr-defined]


@pytest.mark.parametrize("do", ["grandchild", "grandchild_in_a_session"])
def test_grandchildren_end_with_the_candidate(
    adapter: Make,
    call: MakeCall,
    is_running: Callable[[int], bool],
    wait_for_end: Callable[[int], None],
    do: str,
) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    answer = candidate.call(call(do=do))
    assert answer.context is not None
    grandchild = answer.context["pid"]
    assert isinstance(grandchild, int) and is_running(grandchild)
    with pytest.raises(CandidateFault):
        candidate.call(call(do="write", text="x"))
    wait_for_end(grandchild)


def test_a_grandchild_that_keeps_the_pipes_open_does_not_outlive_the_candidate(
    adapter: Make, call: MakeCall, wait_for_end: Callable[[int], None]
) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    with pytest.raises(CandidateFault, match="ended with exit code 0"):
        candidate.call(call(do="grandchild_then_exit"))
    grandchild = int(candidate.captured_output())
    wait_for_end(grandchild)


def test_it_runs_without_the_file_mode_capabilities(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("stdio")
    candidate.start("/tmp")
    assert state(candidate.call(call()))["capabilities"] & 0b110 == 0


def test_spawn_applies_the_process_options(adapter: Make, call: MakeCall, sample_candidates: Path) -> None:
    candidate = adapter("stdio", usual_env={"COLOUR": "green"})
    candidate.start("/tmp")
    first = state(candidate.call(call()))
    assert (first["cwd"], first["colour"]) == (str(sample_candidates), "green")
    launch = ProcessOptions(env={"COLOUR": "red", "HOME": None}, cwd=b"/", umask=0o077)
    fresh = candidate.spawn(launch)
    try:
        fresh.start("/tmp")
        assert fresh.pid != candidate.pid
        other = state(fresh.call(call()))
        assert (other["cwd"], other["colour"], other["home"], other["umask"]) == ("/", "red", None, 0o077)
        assert state(candidate.call(call()))["calls"] == 2
    finally:
        fresh.close()


def test_spawn_applies_the_command_prefix(adapter: Make, call: MakeCall) -> None:
    wrapped = adapter("stdio").spawn(ProcessOptions(command_prefix=("env", "COLOUR=blue")))
    try:
        wrapped.start("/tmp")
        assert state(wrapped.call(call()))["colour"] == "blue"
    finally:
        wrapped.close()


def test_another_initialize_result_after_a_restart_is_inconsistent(
    adapter: Make, call: MakeCall, tmp_path: Path
) -> None:
    once = tmp_path / "once"
    script = tmp_path / "inconsistent.py"
    script.write_text(
        textwrap.dedent(f"""
        import os, runpy
        if os.path.exists({str(once)!r}):
            os.environ["DECLARED"] = '{{"capabilities": []}}'
        open({str(once)!r}, "w").close()
        runpy.run_path({str(Path(__file__).parents[1] / "candidate/sample_candidates/misbehaving.py")!r})
        """)
    )
    candidate = adapter("stdio", str(script))
    candidate.start("/tmp")
    with pytest.raises(CandidateFault):
        candidate.call(call(do="die"))
    with pytest.raises(CandidateFault) as caught:
        candidate.call(call())
    assert (caught.value.kind, "declares other capabilities" in caught.value.detail) == ("inconsistent", True)
    with pytest.raises(CandidateFault, match="inconsistent"):
        candidate.call(call())


def test_readings_of_manifest_and_candidate_must_agree(adapter: Make) -> None:
    env = {"DECLARED": json.dumps({"interpretations": {"AMB-LD-12": "per_call", "AMB-LD-21": "resolve"}})}
    agreeing = adapter("stdio", env=env, interpretations={"AMB-LD-12": "per_call", "AMB-LD-01": "exceeded"})
    assert agreeing.start("/tmp").interpretations == {
        "AMB-LD-12": "per_call",
        "AMB-LD-21": "resolve",
        "AMB-LD-01": "exceeded",
    }
    contradicting = adapter("stdio", env=env, interpretations={"AMB-LD-12": "per_run"})
    with pytest.raises(UsageError, match="AMB-LD-12 = 'per_run', but .* declares 'per_call'"):
        contradicting.start("/tmp")


def test_a_missing_program_is_a_usage_error(tmp_path: Path) -> None:
    from treeproof.candidate import Target, connect

    with pytest.raises(UsageError, match="TARGET stdio:nodee server.mjs: there is no program 'nodee' on the PATH"):
        connect(Target.parse("stdio:nodee server.mjs"))
    with pytest.raises(UsageError, match=r"there is no program './tool' below"):
        connect(Target.parse("stdio:./tool", folder=tmp_path))


def test_a_candidate_that_cannot_start_is_a_fault(adapter: Make) -> None:
    candidate = adapter("stdio", "no_such_script.py")
    with pytest.raises(CandidateFault) as caught:
        candidate.start("/tmp")
    assert caught.value.kind == "exit"
    assert "No such file" in caught.value.detail


def test_the_candidate_ends_when_treeproof_is_killed(
    assert_ends_with_treeproof: Callable[[str], None],
) -> None:
    assert_ends_with_treeproof(f"stdio:{sys.executable} misbehaving.py")


def test_ctrl_c_during_a_call_ends_the_candidate(
    adapter: Make, assert_ends_by_ctrl_c: Callable[[Adapter], None]
) -> None:
    assert_ends_by_ctrl_c(adapter("stdio"))
