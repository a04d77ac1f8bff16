"""Adapter kind python: a candidate in this process, isolated as far as possible."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions, ToolConfig, UsageError

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]
CallWithin = Callable[[Adapter, Call, float | None], CallResult]


@pytest.fixture
def candidate(adapter: Make) -> Adapter:
    started = adapter("python", "in_process:candidate", limits={"answer_bytes": 100_000}, is_own=True)
    started.start("/tmp")
    return started


def test_a_factory_creates_the_candidate(candidate: Adapter, call: MakeCall) -> None:
    assert candidate.pid is None
    assert candidate.describe("list_directory").name == "list_directory"
    answers = [candidate.call(call()) for _ in range(3)]
    assert [answer.content for answer in answers] == ["1", "2", "3"]
    assert json.loads(answers[0].raw) == {"status": "ok", "content": "1"}


@pytest.mark.parametrize("entry", ["in_process:Candidate", "in_process:an_object", "./in_process.py:candidate"])
def test_a_class_an_object_and_a_file_are_candidates_too(adapter: Make, entry: str) -> None:
    assert adapter("python", entry).start("/tmp").name == "in process"


def test_one_function_is_the_smallest_candidate(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("python", "in_process:one_function")
    result = candidate.start("/tmp")
    assert (result.name, result.version, result.language) == ("one_function", "2.5", "python")
    assert result.tools == {"list_directory": "list_directory@1.1"}
    assert result.capabilities == frozenset()
    assert candidate.describe("list_directory").description == "List nothing."
    assert candidate.call(call(a=1)).content == "list_directory {'a': 1} /tmp"


def test_a_manifest_sets_the_tools_of_a_function(adapter: Make, tool_config: Callable[[str], ToolConfig]) -> None:
    candidate = adapter(
        "python",
        "in_process:one_function",
        tools={"LS": tool_config("ls@2.0.0")},
        capabilities=frozenset(["config"]),
    )
    result = candidate.start("/tmp")
    assert (dict(result.tools), set(result.capabilities)) == ({"LS": "ls@2.0.0"}, {"config"})


@pytest.mark.parametrize(
    ("do", "fault", "message"),
    [
        ("exit", "crash", "it raised SystemExit: 3 at "),
        ("interrupt", "crash", "it raised KeyboardInterrupt at "),
        ("recursion", "crash", "it raised RecursionError: maximum recursion depth"),
        ("memory", "crash", "it raised MemoryError at "),
        ("raise", "crash", "it raised ValueError: bad \\x1b[31m day at "),
        ("unprintable", "crash", "it raised Unprintable: (it cannot be shown)"),
        ("hang", "timeout", "no answer within 0.3 s"),
        ("spin", "timeout", "no answer within 0.3 s"),
        ("hang_on_and_on", "timeout", "no answer within 0.3 s"),
        ("bytes", "framing", "its result is a dict that is not JSON: Object of type bytes"),
        ("cycle", "framing", "Circular reference"),
        ("nan", "framing", "not JSON compliant"),
        ("deep", "framing", "nested more than 200 levels deep"),
        ("none", "protocol", "call: result is null, not an object"),
    ],
)
def test_misbehaviour_is_a_fault_and_the_next_call_goes_to_a_new_candidate(
    candidate: Adapter, call: MakeCall, call_within: CallWithin, do: str, fault: str, message: str
) -> None:
    candidate.call(call())
    with pytest.raises(CandidateFault) as caught:
        call_within(candidate, call(do=do), 0.3 if fault == "timeout" else None)
    assert (caught.value.kind, message in caught.value.detail) == (fault, True), caught.value.detail
    assert caught.value.method == "call"
    assert candidate.call(call()).content == "1"


def test_a_blocking_system_call_is_interrupted(
    candidate: Adapter, call: MakeCall, call_within: CallWithin, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(CandidateFault, match="timeout"):
        call_within(candidate, call(do="open_a_fifo", path=str(tmp_path / "fifo")), 0.3)


def test_an_answer_has_a_limit(candidate: Adapter, call: MakeCall) -> None:
    assert len(candidate.call(call(do="long", size=90_000)).content or "") == 90_000
    with pytest.raises(CandidateFault, match="output_limit: its answer is longer than 100000 bytes"):
        candidate.call(call(do="long", size=100_001))


def test_ctrl_c_is_raised_to_the_caller(candidate: Adapter, call: MakeCall) -> None:
    with pytest.raises(KeyboardInterrupt):
        candidate.call(call(do="real_interrupt"))
    assert candidate.call(call()).content == "1"


def test_the_deadline_leaves_timers_and_handlers_as_they_were(
    candidate: Adapter, call: MakeCall, call_within: CallWithin
) -> None:
    alarms: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, frame: alarms.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        interrupt = signal.getsignal(signal.SIGINT)
        with pytest.raises(CandidateFault, match="timeout"):
            call_within(candidate, call(do="hang"), 0.3)
        deadline = time.monotonic() + 60
        while not alarms and time.monotonic() < deadline:
            time.sleep(0.01)
        assert alarms == [signal.SIGALRM]
        assert signal.getsignal(signal.SIGINT) is interrupt
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_it_works_in_another_thread(candidate: Adapter, call: MakeCall) -> None:
    contents: list[str | None] = []
    thread = threading.Thread(target=lambda: contents.append(candidate.call(call()).content))
    thread.start()
    thread.join()
    assert contents == ["1"]


def test_prints_are_captured_and_escaped(candidate: Adapter, call: MakeCall, capfd: pytest.CaptureFixture[str]) -> None:
    candidate.call(call(do="print"))
    assert candidate.captured_output() == "on stdout\non stderr\\x1b[31m\n\\xff"
    candidate.call(call(do="close_stdout"))
    candidate.call(call(do="print"))
    assert candidate.call(call(do="read_stdin")).content == "''"
    print("treeproof still prints")
    assert capfd.readouterr() == ("treeproof still prints\n", "")


def test_changes_of_params_do_not_reach_the_caller(candidate: Adapter, call: MakeCall) -> None:
    request = call(do="spoil")
    candidate.call(request)
    assert request == call(do="spoil")


def test_the_text_of_arguments_is_used(candidate: Adapter, call: MakeCall) -> None:
    text = '{"do": "none",\n"do": "result", "result": {"status": "ok", "content": "spelled"}}'
    assert candidate.call(call(text)).content == "spelled"


def test_results_are_validated(candidate: Adapter, call: MakeCall) -> None:
    with pytest.raises(CandidateFault, match=r"protocol: call: result.status is 1, not one of ok, error"):
        candidate.call(call(do="result", result={"status": 1}))


def test_file_modes_apply_to_root(candidate: Adapter, call: MakeCall, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.write_text("secret")
    locked.chmod(0)
    before = os.access(locked, os.R_OK)
    answer = candidate.call(call(do="read", path=str(locked)))
    assert (answer.status, answer.error_kind) == ("error", "ExecutionFailed")
    assert os.access(locked, os.R_OK) == before  # treeproof itself keeps its access


def test_spawn_starts_a_process(candidate: Adapter, call: MakeCall, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.write_text("secret")
    locked.chmod(0)
    candidate.call(call())
    fresh = candidate.spawn(ProcessOptions(cwd=b"/", env={"COLOUR": "red"}, umask=0o077))
    try:
        assert fresh.start("/tmp").name == "in process"
        assert fresh.pid not in (None, os.getpid())
        assert Path(f"/proc/{fresh.pid}/cwd").readlink() == Path("/")
        assert fresh.call(call(do="read", path=str(locked))).status == "error"
        assert fresh.call(call(do="print")).content == "2"
        with pytest.raises(CandidateFault, match="crash: it raised ValueError: bad"):
            fresh.call(call(do="raise"))
        assert "host.py" not in fresh.captured_output()
        assert fresh.call(call()).content == "1"
    finally:
        fresh.close()
    assert candidate.call(call()).content == "2"


def test_environment_and_working_directory_are_those_of_the_manifest(
    adapter: Make, call: MakeCall, tmp_path: Path
) -> None:
    (tmp_path / "placed.py").write_text(
        "import os\ndef one(tool, arguments, context):\n"
        "    return {'status': 'ok', 'content': os.environ['COLOUR'] + os.getcwd()}\n"
    )
    env = {"COLOUR": "red", "PYTHONPATH": str(tmp_path)}
    candidate = adapter("python", "placed:one", env=env, cwd=tmp_path)
    candidate.start("/tmp")
    assert candidate.call(call()).content == f"red{tmp_path}"


def test_spawn_finds_files_and_functions(adapter: Make, call: MakeCall) -> None:
    for entry, content in [
        ("./in_process.py:candidate", "1"),
        ("in_process:one_function", "list_directory {} /tmp"),
    ]:
        fresh = adapter("python", entry).spawn(ProcessOptions(cwd=b"/"))
        fresh.start("/tmp")
        assert fresh.call(call()).content == content
        fresh.close()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("no_such_module:candidate", "there is no module 'no_such_module'"),
        ("in_process:candidat", "in_process has no attribute 'candidat'; did you mean 'candidate'?"),
        ("./no_such_file.py:candidate", "there is no file "),
        ("in_process:INITIALIZE_RESULT", "a dict is not a candidate: it lacks initialize, describe, call"),
        ("in_process:returns_nothing", "a NoneType is not a candidate"),
    ],
)
def test_an_invalid_entry_point_is_a_usage_error(adapter: Make, entry: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        adapter("python", entry).start("/tmp")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "unimportable:candidate",
            "ModuleNotFoundError: No module named 'a_missing_module'",
        ),
        ("in_process:exits", "ended with exit code 1: no licence"),
    ],
)
def test_a_factory_that_raises_is_a_fault_at_the_start(adapter: Make, entry: str, message: str) -> None:
    with pytest.raises(CandidateFault) as caught:
        adapter("python", entry).start("/tmp")
    assert (caught.value.kind, message in caught.value.detail) == ("start", True), caught.value.detail


def test_the_folder_of_a_candidate_does_not_precede_treeproof_on_the_import_path(
    adapter: Make, sample_candidates: Path
) -> None:
    adapter("python", "in_process:candidate", is_own=True).start("/tmp")
    assert sys.path.index(str(sample_candidates)) == len(sys.path) - 1


def test_an_adapter_must_be_started(adapter: Make, call: MakeCall) -> None:
    with pytest.raises(RuntimeError, match="not started"):
        adapter("python", "in_process:candidate").call(call())
