"""Calls to a candidate in a session."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import (
    Call,
    CandidateFault,
    ProcessOptions,
)
from treeproof.run import circuit_breaker
from treeproof.run.circuit_breaker import FAILURE_THRESHOLD
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import NotVerified

from .scripted import INITIALIZE_RESULT, ScriptedAdapter


@pytest.fixture
def session(scripted_session: Session) -> Session:
    return scripted_session


def scripted(session: Session) -> ScriptedAdapter:
    assert isinstance(session.candidate.adapter, ScriptedAdapter)
    return session.candidate.adapter


def call(**arguments: Any) -> Call:
    return Call("say", arguments, {"roots": ["/gone"], "working_dir": "/gone", "approval": "deny"})


def provoke_faults(session: Session, times: int) -> list[str]:
    messages = []
    for number in range(times):
        with pytest.raises((CandidateFault, NotVerified)) as caught:
            session.call(call(bad=number + 1))
        messages.append(str(caught.value))
    return messages


def test_a_candidate_without_any_result_is_not_called_after_a_few_faults(session: Session) -> None:
    messages = provoke_faults(session, FAILURE_THRESHOLD + 3)
    assert len(scripted(session).calls) == FAILURE_THRESHOLD
    assert messages[0] == "exit: call: it ended with exit code 1"
    assert messages[-1] == (
        "not called any more after 4 faults in a row; the last: exit: call: it ended with exit code 1"
    )


def test_an_unsupported_call_is_not_verified_and_no_fault(session: Session) -> None:
    for _ in range(FAILURE_THRESHOLD + 1):
        with pytest.raises(NotVerified, match="this call is not supported"):
            session.call(call(unsupported=True))
    with pytest.raises(NotVerified, match="it cannot be started"):
        session.spawn(ProcessOptions(umask=0))
    assert session.candidate.circuit_breaker.consecutive_failures == 0
    assert session.call(call()).content == "fine"


def test_unreadable_directories_are_not_built_for_a_candidate_that_may_ignore_modes(
    session: Session, case: ScenarioCase
) -> None:
    scripted(session).respects_file_modes = False
    for notation, is_built in (("d/%0555{x}, f%0000", True), ("d/%0111{x}", False), ("a/{d/%0444{x}}", False)):
        world = World(session, case)
        try:
            if is_built:
                world.sandbox.build_tree(notation)
            else:
                with pytest.raises(NotVerified, match="may ignore file modes"):
                    world.sandbox.build_tree(notation)
        finally:
            world.close()


def test_a_result_between_two_faults_resets_the_count(session: Session) -> None:
    for _ in range(5):
        provoke_faults(session, FAILURE_THRESHOLD - 1)
        assert session.call(call()).content == "fine"
    assert session.candidate.circuit_breaker.open_reason is None


def test_an_earlier_successful_call_is_repeated_as_a_probe_in_its_own_folder(session: Session) -> None:
    session.call(call(text="good"))
    provoke_faults(session, FAILURE_THRESHOLD + 1)
    control = scripted(session).calls[1 + FAILURE_THRESHOLD]
    assert control.arguments == {"text": "good"}
    folder = Path(str(control.context["working_dir"]))
    assert (control.context["roots"], control.context["approval"]) == ([str(folder)], "deny")
    assert folder.is_relative_to(session.workspace.path) and list(folder.iterdir()) == []
    assert session.candidate.circuit_breaker.open_reason is None


def test_a_candidate_that_answers_the_probes_is_called_again(session: Session) -> None:
    session.call(call())
    assert not [one for one in provoke_faults(session, 40) if "not called any more" in one]
    assert len(scripted(session).calls) == 1 + 40 + 9, "one probe after every four faults"


def test_a_failed_probe_is_not_repeated(session: Session, pack: Pack) -> None:
    session.candidate.packs = (SelectedPack(pack, {}, None),)
    scripted(session).dead = True
    assert "not called any more" in provoke_faults(session, FAILURE_THRESHOLD + 10)[-1]
    assert len(scripted(session).calls) == FAILURE_THRESHOLD + 1


def test_without_an_answered_call_the_probe_has_the_default_arguments(session: Session, pack: Pack) -> None:
    session.candidate.packs = (SelectedPack(pack, {}, None),)
    assert not [one for one in provoke_faults(session, 6) if "not called any more" in one]
    probe = scripted(session).calls[FAILURE_THRESHOLD]
    assert (probe.tool, probe.arguments) == ("say", dict(pack.tool("say").default_arguments))
    assert Path(str(probe.context["working_dir"])).is_relative_to(session.workspace.path)


def test_a_failed_probe_opens_the_circuit_breaker(session: Session) -> None:
    session.call(call())
    scripted(session).dead = True
    messages = provoke_faults(session, FAILURE_THRESHOLD + 2)
    assert "not called any more after 5 faults in a row" in messages[FAILURE_THRESHOLD]
    assert len(scripted(session).calls) == 1 + FAILURE_THRESHOLD + 1


def test_two_slow_faults_open_the_circuit_breaker(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit_breaker, "FAILURE_SECONDS_THRESHOLD", 0.0)
    assert "not called any more after 2 faults" in provoke_faults(session, 3)[-1]


def test_faults_of_other_processes_and_of_describe_requests_are_counted(session: Session) -> None:
    other = ScriptedAdapter(dead=True)
    for _ in range(2):
        with pytest.raises(CandidateFault):
            session.call(call(), other)
        with pytest.raises(CandidateFault):
            session.describe("say")
    with pytest.raises(NotVerified, match="not called any more"):
        session.spawn(ProcessOptions())
    assert scripted(session).spawn_options == [ProcessOptions()]
    assert scripted(session).start_workspaces == [str(session.workspace.path)], "no new process was started"


def test_no_probe_runs_outside_the_main_thread(session: Session) -> None:
    session.call(call())
    provoke_faults(session, FAILURE_THRESHOLD)
    thread = threading.Thread(target=lambda: session.call(call()))
    thread.start()
    thread.join()
    assert [c.context["roots"] for c in scripted(session).calls[-2:]] == [["/gone"], ["/gone"]]


def test_a_new_process_that_declares_other_capabilities_is_inconsistent(session: Session) -> None:
    scripted(session).spawned_initialize_result = replace(INITIALIZE_RESULT, capabilities=frozenset({"log", "config"}))
    with pytest.raises(CandidateFault) as caught:
        session.spawn(ProcessOptions())
    assert str(caught.value) == "inconsistent: in a new process it declares other capabilities than before"


def test_a_new_process_may_declare_another_version(session: Session) -> None:
    scripted(session).spawned_initialize_result = replace(INITIALIZE_RESULT, version="1 (pid 7)")
    session.spawn(ProcessOptions())


def test_a_tool_that_is_not_offered_is_not_called_but_an_unknown_tool_is(session: Session) -> None:
    session.candidate.initialize_result = replace(INITIALIZE_RESULT, tools={"shout": "echoes@1"})
    for request in (lambda: session.call(call()), lambda: session.describe("say")):
        with pytest.raises(NotVerified, match="does not offer the tool 'say'"):
            request()
    session.call(replace(call(), tool="nonsense"))
    assert [c.tool for c in scripted(session).calls] == ["nonsense"]


def test_a_capability_that_is_not_declared_is_not_verified(session: Session) -> None:
    session.require_capability("log")
    with pytest.raises(NotVerified, match="does not declare the capability 'budget'"):
        session.require_capability("budget")


def test_without_strace_a_traced_call_is_not_verified(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotVerified, match="^needs strace: strace is not installed$"):
        session.call_traced(call(), (b"-e", b"trace=open"))
    assert scripted(session).calls == []


def test_a_process_to_which_strace_was_not_attached_gives_no_trace(session: Session) -> None:
    reason = session.host.unsupported_reason("strace")
    if reason is not None:
        pytest.skip(f"not verified: a call without a process to trace; {reason}")
    with pytest.raises(NotVerified, match="the adapter scripted has no process to which strace could attach"):
        session.call_traced(call(), (b"-e", b"trace=open"))
    assert scripted(session).spawn_options[-1].during_call is not None


def test_no_call_is_made_after_a_signal(session: Session) -> None:
    with session.candidate.environment.interrupts:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            session.call(call())
    assert scripted(session).calls == []
