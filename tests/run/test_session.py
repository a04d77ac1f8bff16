"""When a candidate is asked, when it is not asked any more, and what a scenario's world keeps of it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treeproof.candidate import Answer, Call, CandidateFault, CannotAsk, Definition, Hello, Launch
from treeproof.run import breaker
from treeproof.run.breaker import FAULTS_IN_A_ROW, Breaker
from treeproof.run.interrupts import Interrupts
from treeproof.run.recording import record_of
from treeproof.run.session import Session
from treeproof.run.world import World, order_of
from treeproof.spec import Pack, load
from treeproof.spec.gherkin import ScenarioRow, parse
from treeproof.tree import REVERSED, Workspace, probe, shuffled
from treeproof.tree import parse as recipe
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome, Profile

from ..echoes import FEATURE

HELLO = Hello(1, "scripted", "1", "python", {"say": "echoes@1"}, frozenset({"log"}), {})


@dataclass
class Scripted:
    """An adapter without a process: a call with ``bad`` is a fault, one with ``odd`` cannot be asked, any other is
    answered.
    """

    hello: Hello = HELLO
    kind: str = "scripted"
    target: str = "scripted"
    pid: int | None = None
    heeds_modes: bool = True
    hangs: Callable[[], None] = lambda: None
    calls: list[Call] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    fresh_hello: Hello = HELLO
    threads: set[int] = field(default_factory=set)
    dead: bool = False
    closed: bool = False

    def start(self, workspace: str) -> Hello:
        self.started.append(workspace)
        return self.hello

    def describe(self, tool: str) -> Definition:
        raise CandidateFault("exit", "describe: gone")

    def call(self, call: Call) -> Answer:
        self.calls.append(call)
        self.threads.add(threading.get_ident())
        if isinstance(call.arguments, dict) and call.arguments.get("odd"):
            raise CannotAsk("no way leads there")
        if self.dead or (isinstance(call.arguments, dict) and call.arguments.get("bad")):
            self.hangs()
            raise CandidateFault("exit", "call: it exited with 1")
        return Answer("ok", "fine", None, None, None, None, None, b"")

    def stand_by(self, call: Call) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def fresh(self, launch: Launch) -> Scripted:
        if launch.umask == 0:
            raise CannotAsk("it is not ours to start")
        self.launches.append(launch)
        return replace(self, hello=self.fresh_hello)

    def diagnostics(self) -> str:
        return ""


@pytest.fixture
def pack(echoes: Callable[..., Path]) -> Pack:
    return load(echoes(FEATURE))


@pytest.fixture
def row(pack: Pack) -> ScenarioRow:
    return parse(pack.features()[0]).scenarios[0]


@pytest.fixture
def session(pack: Pack) -> Iterator[Session]:
    with Workspace.create() as workspace:
        machine = probe(os.fsencode(workspace.path))
        yield Session(pack, Scripted(), HELLO, workspace, machine, Profile.DEFAULT, {})


def scripted(session: Session) -> Scripted:
    assert isinstance(session.adapter, Scripted)
    return session.adapter


def call(**arguments: Any) -> Call:
    return Call("say", arguments, {"roots": ["/gone"], "working_dir": "/gone", "approval": "deny"})


def broken(session: Session, times: int) -> list[str]:
    said = []
    for number in range(times):
        with pytest.raises(CandidateFault) as caught:
            session.call(call(bad=number + 1))
        said.append(str(caught.value))
    return said


def test_a_candidate_that_never_answered_is_not_asked_after_a_few_faults(session: Session) -> None:
    said = broken(session, FAULTS_IN_A_ROW + 3)
    assert len(scripted(session).calls) == FAULTS_IN_A_ROW
    assert said[0] == "exit: call: it exited with 1"
    assert said[-1] == (
        "exit: not asked any more after 4 faults in a row; the last: exit: call: it exited with 1"
    )


def test_what_cannot_be_asked_is_not_verified_and_no_fault(session: Session) -> None:
    for _ in range(FAULTS_IN_A_ROW + 1):
        with pytest.raises(NotVerified, match="no way leads there"):
            session.call(call(odd=True))
    with pytest.raises(NotVerified, match="it is not ours to start"):
        session.fresh(Launch(umask=0))
    assert session.breaker.in_a_row == 0
    assert session.call(call()).content == "fine"


def test_directories_that_may_not_be_read_are_not_built_for_a_candidate_that_may_ignore_that(
    session: Session, row: ScenarioRow
) -> None:
    scripted(session).heeds_modes = False
    for notation, is_built in (
        ("d/%0555{x}, f%0000", True),
        ("d/%0111{x}", False),
        ("a/{d/%0444{x}}", False),
    ):
        world = World(session, row)
        try:
            if is_built:
                world.grow(notation)
            else:
                with pytest.raises(NotVerified, match="may ignore file modes"):
                    world.grow(notation)
        finally:
            world.close()


def test_an_answer_between_two_faults_starts_the_count_anew(session: Session) -> None:
    for _ in range(5):
        broken(session, FAULTS_IN_A_ROW - 1)
        assert session.call(call()).content == "fine"
    assert session.breaker.why is None


def test_what_it_answered_before_speaks_for_it_in_a_place_of_its_own(session: Session) -> None:
    session.call(call(text="good"))
    broken(session, FAULTS_IN_A_ROW + 1)
    control = scripted(session).calls[1 + FAULTS_IN_A_ROW]
    assert control.arguments == {"text": "good"}
    place = Path(str(control.context["working_dir"]))
    assert (control.context["roots"], control.context["approval"]) == ([str(place)], "deny")
    assert place.is_relative_to(session.workspace.path) and list(place.iterdir()) == []
    assert session.breaker.why is None


def test_nothing_speaks_for_it_for_ever(session: Session) -> None:
    session.call(call())
    said = broken(session, 40)
    asked = [one for one in said if "not asked any more" not in one]
    assert len(asked) == FAULTS_IN_A_ROW * (1 + breaker.VOUCHERS)
    assert "after 12 faults in a row" in said[-1]


def test_a_candidate_that_no_longer_answers_what_it_answered_is_given_up(session: Session) -> None:
    session.call(call())
    scripted(session).dead = True
    said = broken(session, FAULTS_IN_A_ROW + 2)
    assert "not asked any more after 5 faults in a row" in said[FAULTS_IN_A_ROW]
    assert len(scripted(session).calls) == 1 + FAULTS_IN_A_ROW + 1


def test_two_faults_that_take_long_are_enough_for_a_doubt(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "SECONDS_IN_A_ROW", 0.0)
    assert "not asked any more after 2 faults" in broken(session, 3)[-1]


def test_time_lost_in_vain_is_bounded_whatever_is_answered_between() -> None:
    counted = Breaker()
    for _ in range(13):
        counted.broke(CandidateFault("hang", "no answer"), 9.9)
        counted.answered()
    assert (
        counted.why == "not asked any more after it cost 120 s of waiting in vain; the last: hang: no answer"
    )
    with pytest.raises(CandidateFault, match="waiting in vain"):
        counted.refuse()


def test_faults_of_other_processes_and_of_descriptions_count_as_well(session: Session) -> None:
    other = Scripted(dead=True)
    for _ in range(2):
        with pytest.raises(CandidateFault):
            session.call(call(), other)
        with pytest.raises(CandidateFault):
            session.describe("say")
    with pytest.raises(CandidateFault, match="not asked any more"):
        session.fresh(Launch())
    assert scripted(session).launches == [Launch()]
    assert scripted(session).started == []


def test_off_the_main_thread_no_process_is_started_anew_for_a_doubt(session: Session) -> None:
    session.call(call())
    broken(session, FAULTS_IN_A_ROW)
    asked = threading.Thread(target=lambda: session.call(call()))
    asked.start()
    asked.join()
    assert [c.context["roots"] for c in scripted(session).calls[-2:]] == [["/gone"], ["/gone"]]


def test_a_fresh_process_that_declares_something_else_is_a_liar(session: Session) -> None:
    scripted(session).fresh_hello = replace(HELLO, capabilities=frozenset({"log", "config"}))
    with pytest.raises(CandidateFault) as caught:
        session.fresh(Launch())
    assert str(caught.value) == "lying: in a new process it declares other capabilities than before"


def test_a_fresh_process_may_call_its_version_otherwise(session: Session) -> None:
    scripted(session).fresh_hello = replace(HELLO, version="1 (pid 7)")
    session.fresh(Launch())


def test_a_tool_that_is_not_offered_is_not_asked_for_and_another_name_is(session: Session) -> None:
    session.hello = replace(HELLO, tools={"shout": "echoes@1"})
    for ask in (lambda: session.call(call()), lambda: session.describe("say")):
        with pytest.raises(NotVerified, match="does not offer the tool 'say'"):
            ask()
    session.call(replace(call(), tool="nonsense"))
    assert [c.tool for c in scripted(session).calls] == ["nonsense"]


def test_a_capability_that_is_not_declared_is_not_verified(session: Session) -> None:
    session.require("log")
    with pytest.raises(NotVerified, match="does not declare the capability 'budget'"):
        session.require("budget")


def test_without_strace_an_observed_call_is_not_verified(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotVerified, match="^needs strace: strace is not installed$"):
        session.observed(call(), (b"-e", b"trace=open"))
    assert scripted(session).calls == []


def test_a_candidate_without_a_process_of_its_own_is_started_by_strace(session: Session) -> None:
    why = session.machine.why_not("strace")
    if why is not None:
        pytest.skip(f"not verified: a candidate that strace has to start; {why}")
    answer, trace = session.observed(call(), (b"-e", b"trace=open"))
    assert (answer.content, trace.lines) == ("fine", ())
    prefixes = [launch.prefix for launch in scripted(session).launches]
    assert prefixes[0] == ()
    assert prefixes[1][0].endswith("/strace") and prefixes[1][-2:] == ("-e", "trace=open")


# ---- signals --------------------------------------------------------------------------------------------------------


def test_a_signal_ends_a_wait_at_once_and_harness_work_only_at_its_end() -> None:
    with Interrupts() as interrupts:
        signal.raise_signal(signal.SIGTERM)
        assert interrupts.pending
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.waiting():
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the wait went on")


def test_handlers_are_put_back_and_ignored_signals_stay_ignored() -> None:
    ours = signal.signal(signal.SIGHUP, signal.SIG_IGN)
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
        signal.signal(signal.SIGHUP, ours)


def test_no_call_is_made_after_a_signal(session: Session) -> None:
    with session.interrupts:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            session.call(call())
    assert scripted(session).calls == []


# ---- the world of a scenario ----------------------------------------------------------------------------------------


@pytest.fixture
def world(session: Session, row: ScenarioRow) -> Iterator[World]:
    made = World(session, row)
    yield made
    made.close()
    assert not session.workspace.path.exists() or [*session.workspace.path.glob("[0-9]*")] == []


def test_a_call_gets_the_path_the_roots_and_what_stands_for_them(world: World) -> None:
    world.grow("a, l->$OUTSIDE/b")
    world.call("say", '{"text": "$ROOT and $(\'x\'*3)"}')
    sent = world.calls[0]
    root = os.fsdecode(world.root)
    assert sent.arguments == {"text": f"{root} and xxx", "path": "."}
    assert (sent.context, sent.arguments_text) == ({"roots": [root], "working_dir": root}, None)
    assert os.readlink(world.root + b"/l") == world.outside + b"/b"


def test_exactly_spelt_arguments_are_sent_as_they_are(world: World) -> None:
    world.call("say", '{"n": 1e2}', exactly=True)
    assert (world.calls[0].arguments, world.calls[0].arguments_text) == ({"n": 100.0}, '{"n": 1e2}')


def test_what_changes_after_the_first_call_is_told(world: World) -> None:
    world.grow("a, d/{b}")
    assert world.changes() == []
    world.call("say", "{}")
    assert world.changes() == []
    os.unlink(world.root + b"/a")
    assert [line for line in world.changes() if "root/a" in line] == ["root/a: vanished"]


def test_two_readings_in_one_scenario_contradict_each_other(world: World) -> None:
    world.saw("AMB-1", "a")
    world.saw("AMB-1", "a")
    with pytest.raises(Mismatch, match="AMB-1: this scenario saw the reading a and then b"):
        world.saw("AMB-1", "b")


def test_a_fault_that_was_not_met_verifies_nothing(world: World) -> None:
    world.grow("a!L, b")
    with pytest.raises(NotVerified, match="injected fault was not met"):
        world.settle()
    world.injected = 1
    world.settle()


def test_a_failure_where_nothing_more_can_be_built_is_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.grow("a")
    world.phase = "then"
    room = os.statvfs(world.root)
    for changes in ({"f_favail": 3}, {"f_bavail": 1}):
        left = {name: getattr(room, name) for name in ("f_bavail", "f_frsize", "f_files", "f_favail")}
        full = SimpleNamespace(**{**left, "f_files": 14, "f_frsize": 4096, **changes})
        with monkeypatch.context() as patched:
            patched.setattr(os, "fstatvfs", lambda descriptor, full=full: full)
            record = record_of(world.session.pack.folder, world.row, world, Mismatch("no error"), 0.0)
        assert record.outcome is Outcome.NOT_VERIFIED
        assert record.evidence["cause"].startswith("No space left in the workspace")


def test_a_failure_around_a_fault_that_was_not_met_is_none(world: World) -> None:
    def outcome() -> Outcome:
        return record_of(world.session.pack.folder, world.row, world, Mismatch("no error"), 0.0).outcome

    world.grow("a, b")
    world.phase = "then"
    world.call("say", "{}")
    assert outcome() is Outcome.FAILED
    world.must_be_met = True
    assert outcome() is Outcome.NOT_VERIFIED
    world.must_be_met, world.tree = False, recipe("a!L, b")
    assert outcome() is Outcome.NOT_VERIFIED
    world.injected = 1
    assert outcome() is Outcome.FAILED


def test_advice_decides_under_the_strict_profile_only(world: World) -> None:
    world.advise("rather slow")
    assert world.warnings == ["rather slow"]
    world.session.profile = Profile.STRICT
    with pytest.raises(Mismatch, match="rather slow"):
        world.advise("rather slow")


def test_a_tree_that_the_machine_refuses_is_not_verified(world: World) -> None:
    with pytest.raises(NotVerified, match="this machine cannot make the tree: .*File name too long"):
        world.grow("'n'*300")


def test_a_removed_workspace_is_the_candidates_fault(world: World, session: Session) -> None:
    os.unlink(session.workspace.path / "owner")
    os.rmdir(session.workspace.path)
    with pytest.raises(Fault, match="candidate fault: it has removed the workspace"):
        world.grow("a")


def test_evidence_holds_no_path_of_the_run(world: World, row: ScenarioRow) -> None:
    world.grow("a")
    world.call("say", '{"text": "$ROOT"}')
    told = world.evidence(Outcome.FAILED, {"message": f"not in {os.fsdecode(world.root)}"})
    assert told["message"] == "not in $ROOT"
    assert str(world.session.workspace.path) not in str(told)
    assert told["steps"][0] == 'given the tree "a"'


@pytest.mark.parametrize(("text", "order"), [("reversed", REVERSED), ("shuffled 7", shuffled(7))])
def test_building_orders_have_names(text: str, order: object) -> None:
    assert order_of(text) == order


def test_an_unknown_building_order_is_a_fault_of_the_harness() -> None:
    with pytest.raises(Fault, match="no building order 'sideways'"):
        order_of("sideways")


def test_what_it_is_given_up_for_is_what_it_did_last() -> None:
    counted = Breaker()
    for _ in range(FAULTS_IN_A_ROW):
        counted.broke(CandidateFault("hang", "no answer"), 0.1)
    counted.give_up()
    with pytest.raises(CandidateFault, match="^hang: not asked any more after 4 faults in a row"):
        counted.refuse()
