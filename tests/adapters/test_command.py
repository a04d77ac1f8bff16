"""Adapter kind command: one process per message, judged by its whole output and its exit status."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions, UsageError, connect
from treeproof.candidate.manifest import Target

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]
CallWithin = Callable[[Adapter, Call, float | None], CallResult]

ONCE = "misbehaving.py once"


def test_every_message_has_its_own_process(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("command", ONCE)
    result = candidate.start("/tmp")
    assert (result.name, candidate.kind, candidate.pid) == ("misbehaving", "command", None)
    assert candidate.describe("list_directory").aliases == ("ls",)
    states = [json.loads(candidate.call(call()).content or "") for _ in range(2)]
    assert [state["calls"] for state in states] == [1, 1]
    assert states[0]["pid"] != states[1]["pid"]
    assert states[0]["capabilities"] & 0b110 == 0


@pytest.mark.parametrize(
    ("do", "seconds", "fault", "message"),
    [
        ("hang", 0.5, "timeout", "no answer within 0.5 s"),
        ("dribble", 5, "timeout", "so far it wrote 'xx"),
        ("exit", None, "exit", "ended with exit code 3: the disk is on fire"),
        ("exit_well", None, "framing", "is not JSON"),
        ("die", None, "exit", "was killed by SIGKILL"),
        ("close", 0.5, "timeout", "no answer within 0.5 s"),
        ("half_a_line", None, "framing", "is not JSON"),
        ("answer_and_fail", None, "exit", "ended with exit code 7 after it wrote '{"),
        ("two_answers", None, "framing", "is not JSON: Extra data"),
        ("noise", None, "framing", "is not JSON: Expecting value at column 1: 'Listening"),
        ("endless", None, "output_limit", "is longer than 100000 bytes"),
        ("stubborn", 5, "timeout", "no answer within 5 s; so far it wrote"),
        ("grandchild_then_exit", None, "framing", "is not JSON"),
    ],
)
def test_a_broken_response_is_a_fault_and_the_next_message_succeeds(
    adapter: Make,
    call: MakeCall,
    call_within: CallWithin,
    do: str,
    seconds: float | None,
    fault: str,
    message: str,
) -> None:
    candidate = adapter("command", ONCE, limits={"answer_bytes": 100_000})
    candidate.start("/tmp")
    with pytest.raises(CandidateFault) as caught:
        call_within(candidate, call(do=do), seconds)
    assert (caught.value.kind, message in caught.value.detail) == (fault, True), caught.value.detail
    assert candidate.call(call()).status == "ok"


def test_an_answer_counts_when_a_grandchild_keeps_the_pipe_open(
    adapter: Make, call: MakeCall, wait_for_end: Callable[[int], None]
) -> None:
    candidate = adapter("command", ONCE)
    candidate.start("/tmp")
    answer = candidate.call(call(do="grandchild"))
    assert answer.status == "ok"
    assert answer.context is not None
    grandchild = answer.context["pid"]
    assert isinstance(grandchild, int)
    wait_for_end(grandchild)


def test_the_last_line_end_may_be_missing(adapter: Make, tmp_path: Path) -> None:
    result = {
        "protocol": 1,
        "candidate": {"name": "n", "version": "1", "language": "sh"},
        "tools": {},
        "capabilities": [],
    }
    script = tmp_path / "tool.sh"
    response = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result})
    script.write_text(f"#!/bin/sh\ncat >/dev/null\nprintf '%s' '{response}'\n")
    script.chmod(0o755)
    candidate = connect(Target.parse("command:./tool.sh", folder=tmp_path))
    assert candidate.start("/tmp").language == "sh"
    candidate.close()


def test_spawn_applies_the_process_options(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("command", ONCE).spawn(ProcessOptions(env={"COLOUR": "red"}, cwd=b"/", umask=0o027))
    candidate.start("/tmp")
    state = json.loads(candidate.call(call()).content or "")
    assert (state["colour"], state["cwd"], state["umask"]) == ("red", "/", 0o027)
    candidate.close()


def test_a_missing_program_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no program './tool' below"):
        connect(Target.parse("command:./tool", folder=tmp_path))
