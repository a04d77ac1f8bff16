"""Calls to a candidate in a session, and the records of a scenario's world."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.candidate import (
    Call,
    CallResult,
    CandidateFault,
    InitializeResult,
    ProcessOptions,
    ToolDefinition,
    UnsupportedByAdapter,
)
from treeproof.run import circuit_breaker
from treeproof.run.circuit_breaker import FAILURE_THRESHOLD
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.scenario_record import build_record
from treeproof.run.scenario_state import ScenarioEvidence
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.run.world import World, parse_creation_order
from treeproof.spec import Pack, load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.tree import REVERSED, Workspace, probe_host, shuffled
from treeproof.tree import parse_tree as recipe
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome, Profile
from treeproof.verdict.finding import Alternative, CallJudgement, Finding

from ..echoes import FEATURE

INITIALIZE_RESULT = InitializeResult(1, "scripted", "1", "python", {"say": "echoes@1"}, frozenset({"log"}), {})


@dataclass
class ScriptedAdapter:
    """An adapter without a process; a call with ``bad`` is a fault, and one with ``unsupported`` is refused."""

    initialize_result: InitializeResult = INITIALIZE_RESULT
    kind: str = "scripted"
    target: str = "scripted"
    pid: int | None = None
    respects_file_modes: bool = True
    before_fault: Callable[[], None] = lambda: None
    calls: list[Call] = field(default_factory=list)
    start_workspaces: list[str] = field(default_factory=list)
    spawn_options: list[ProcessOptions] = field(default_factory=list)
    spawned_initialize_result: InitializeResult = INITIALIZE_RESULT
    threads: set[int] = field(default_factory=set)
    dead: bool = False
    closed: bool = False

    def start(self, workspace: str) -> InitializeResult:
        self.start_workspaces.append(workspace)
        return self.initialize_result

    def describe(self, tool: str) -> ToolDefinition:
        raise CandidateFault("exit", "describe: gone")

    def call(self, call: Call) -> CallResult:
        self.calls.append(call)
        self.threads.add(threading.get_ident())
        if isinstance(call.arguments, dict) and call.arguments.get("unsupported"):
            raise UnsupportedByAdapter("this call is not supported")
        if self.dead or (isinstance(call.arguments, dict) and call.arguments.get("bad")):
            self.before_fault()
            raise CandidateFault("exit", "call: it ended with exit code 1")
        return CallResult("ok", "fine", None, None, None, None, None, b"")

    def ensure_started(self, call: Call) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def spawn(self, options: ProcessOptions) -> ScriptedAdapter:
        if options.umask == 0:
            raise UnsupportedByAdapter("it cannot be started")
        self.spawn_options.append(options)
        return replace(self, initialize_result=self.spawned_initialize_result)

    def captured_output(self) -> str:
        return ""


@pytest.fixture
def pack(echoes: Callable[..., Path]) -> Pack:
    return load_pack(echoes(FEATURE))


@pytest.fixture
def case(pack: Pack) -> ScenarioCase:
    return parse_feature(pack.feature_files()[0]).scenarios[0]


@pytest.fixture
def session(pack: Pack) -> Iterator[Session]:
    with Workspace.create() as workspace:
        environment = Environment(workspace, probe_host(os.fsencode(workspace.path)))
        yield Session(pack, ConnectedCandidate(ScriptedAdapter(), environment).start())


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
                world.fixture.build_tree(notation)
            else:
                with pytest.raises(NotVerified, match="may ignore file modes"):
                    world.fixture.build_tree(notation)
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


# ---- signals --------------------------------------------------------------------------------------------------------


def test_a_signal_ends_a_wait_at_once_and_other_work_at_its_next_check() -> None:
    with Interrupts() as interrupts:
        signal.raise_signal(signal.SIGTERM)
        assert interrupts.pending
        with pytest.raises(KeyboardInterrupt):
            interrupts.raise_if_pending()
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.interruptible():
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the wait went on")


def test_handlers_are_restored_and_ignored_signals_stay_ignored() -> None:
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = signal.getsignal(signal.SIGTERM)
    try:
        with Interrupts() as interrupts:
            with interrupts:
                signal.raise_signal(signal.SIGHUP)
            assert signal.getsignal(signal.SIGTERM) != before
            assert not interrupts.pending
        assert signal.getsignal(signal.SIGTERM) == before
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, previous)


def test_no_call_is_made_after_a_signal(session: Session) -> None:
    with session.candidate.environment.interrupts:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            session.call(call())
    assert scripted(session).calls == []


# ---- the world of a scenario ----------------------------------------------------------------------------------------


@pytest.fixture
def world(session: Session, case: ScenarioCase) -> Iterator[World]:
    created = World(session, case)
    yield created
    created.close()
    assert not session.workspace.path.exists() or [*session.workspace.path.glob("[0-9]*")] == []


def test_a_call_gets_the_path_the_roots_and_replaced_placeholders(world: World) -> None:
    world.fixture.build_tree("a, l->$OUTSIDE/b")
    world.call("say", '{"text": "$ROOT and $(\'x\'*3)"}')
    sent = world.log.calls[0]
    root = os.fsdecode(world.fixture.root)
    assert sent.arguments == {"text": f"{root} and xxx", "path": "."}
    assert (sent.context, sent.arguments_text) == ({"roots": [root], "working_dir": root}, None)
    assert os.readlink(world.fixture.root + b"/l") == world.fixture.outside + b"/b"


def test_verbatim_arguments_are_sent_unchanged(world: World) -> None:
    world.call("say", '{"n": 1e2}', verbatim=True)
    assert (world.log.calls[0].arguments, world.log.calls[0].arguments_text) == ({"n": 100.0}, '{"n": 1e2}')


def test_changes_after_the_first_call_are_reported(world: World) -> None:
    world.fixture.build_tree("a, d/{b}")
    assert world.effects.changes() == []
    world.call("say", "{}")
    assert world.effects.changes() == []
    os.unlink(world.fixture.root + b"/a")
    assert [line for line in world.effects.changes() if "root/a" in line] == ["root/a: vanished"]


TWO_READINGS = "an earlier answer shows the reading a of AMB-EC-01, and this one b"


def test_two_readings_in_one_scenario_are_a_warning_where_the_document_permits_different_results() -> None:
    evidence = ScenarioEvidence(is_strict=False, is_determined=lambda id: False)
    for label in "aabb":
        evidence.record_reading("AMB-EC-01", label)
    assert (evidence.readings, evidence.warnings) == ({"AMB-EC-01": "a"}, [TWO_READINGS])


def test_two_readings_in_one_scenario_fail_where_the_document_requires_the_same_result() -> None:
    evidence = ScenarioEvidence(is_strict=False, is_determined=lambda id: id == "AMB-EC-01")
    evidence.record_reading("AMB-EC-01", "a")
    with pytest.raises(Mismatch, match=TWO_READINGS) as raised:
        evidence.record_reading("AMB-EC-01", "b")
    assert (raised.value.compares_answers, raised.value.kind) == (True, "two readings of AMB-EC-01")


def test_an_injected_fault_that_did_not_occur_is_not_verified(world: World) -> None:
    world.fixture.build_tree("a!L, b")
    with pytest.raises(NotVerified, match="injected fault was not triggered"):
        world.check_evidence()
    world.faults.injected_count = 1
    world.check_evidence()


def test_a_failure_on_a_full_file_system_is_not_verified(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.fixture.build_tree("a")
    world.phase = "then"
    status = os.statvfs(world.fixture.root)
    for changes in ({"f_favail": 3}, {"f_bavail": 1}):
        values = {name: getattr(status, name) for name in ("f_bavail", "f_frsize", "f_files", "f_favail")}
        full = SimpleNamespace(**{**values, "f_files": 14, "f_frsize": 4096, **changes})
        with monkeypatch.context() as patched:
            patched.setattr(os, "fstatvfs", lambda descriptor, full=full: full)
            record = build_record(world.session.pack, world.case, world, Mismatch("no error"), 0.0)
        assert record.outcome is Outcome.NOT_VERIFIED
        assert record.evidence["cause"].startswith("No space left in the workspace")


def test_a_failure_without_the_injected_fault_is_not_verified(world: World) -> None:
    def outcome() -> Outcome:
        return build_record(world.session.pack, world.case, world, Mismatch("no error"), 0.0).outcome

    world.fixture.build_tree("a, b")
    world.phase = "then"
    world.call("say", "{}")
    assert outcome() is Outcome.FAILED
    world.faults.is_required = True
    assert outcome() is Outcome.NOT_VERIFIED
    world.faults.is_required, world.fixture.tree = False, recipe("a!L, b")
    assert outcome() is Outcome.NOT_VERIFIED
    world.faults.injected_count = 1
    assert outcome() is Outcome.FAILED


def test_only_what_an_earlier_finding_explains_is_blocked_by_it(world: World) -> None:
    def code(number: int) -> object:
        error = OSError(number, os.strerror(number))
        return build_record(world.session.pack, world.case, world, error, 0.0).evidence.get("code")

    assert code(errno.ENOENT) == "harness_fault"
    found = Alternative({}, (Finding("X-1", "the root is gone", "a directory", "nothing"),))
    world.judgements.append(CallJudgement(1, alternatives=(found,)))
    assert code(errno.ENOENT) == code(errno.ELOOP) == "other_requirement"
    assert code(errno.ENOSPC) == code(errno.EMFILE) == "harness_fault"


def test_a_warning_fails_a_scenario_under_the_strict_profile_only(world: World) -> None:
    world.evidence.warn("rather slow")
    assert world.evidence.warnings == ["rather slow"]
    session = Session(world.session.pack, world.session.candidate, Policy(Profile.STRICT))
    strict = World(session, world.case)
    with pytest.raises(Mismatch, match="rather slow"):
        strict.evidence.warn("rather slow")


def test_a_tree_that_the_host_refuses_is_not_verified(world: World) -> None:
    with pytest.raises(NotVerified, match="this machine cannot make the tree: .*File name too long"):
        world.fixture.build_tree("'n'*300")


def test_a_removed_workspace_is_a_candidate_fault(world: World, session: Session) -> None:
    os.rmdir(session.workspace.path)
    with pytest.raises(CandidateFault, match="workspace: it removed or renamed the workspace of the run"):
        world.fixture.build_tree("a")


def test_evidence_contains_no_path_of_the_run(world: World, case: ScenarioCase) -> None:
    world.fixture.build_tree("a")
    world.call("say", '{"text": "$ROOT"}')
    evidence = world.build_evidence(Outcome.FAILED, {"message": f"not in {os.fsdecode(world.fixture.root)}"})
    assert evidence["message"] == "not in $ROOT"
    assert str(world.session.workspace.path) not in str(evidence)
    assert evidence["steps"][0] == 'given the tree "a"'


@pytest.mark.parametrize(("text", "order"), [("reversed", REVERSED), ("shuffled 7", shuffled(7))])
def test_creation_orders_have_names(text: str, order: object) -> None:
    assert parse_creation_order(text) == order


def test_an_unknown_creation_order_is_a_fault() -> None:
    with pytest.raises(Fault, match="no creation order 'sideways'"):
        parse_creation_order("sideways")
