"""An injected fault counts only if the answer depends on it, and only where something is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.candidate.strace import Trace
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.verdict import NotVerified

PACK = load_pack(find_pack("list_directory"))
CASE = next(case for file in PACK.feature_files() for case in parse_feature(file).scenarios)
FAILED_OPEN = '1 openat(3, "d", O_RDONLY|O_DIRECTORY) = -1 EIO (Input/output error) (INJECTED)'
FAILED_LOOK = '1 openat(3, "d", O_RDONLY|O_PATH) = -1 EIO (Input/output error) (INJECTED)'


@pytest.fixture
def world(session: Session) -> Iterator[World]:
    created = World(session, CASE)
    created.sandbox.build_tree("a, d/!R=EIO{x}")
    try:
        yield created
    finally:
        created.close()


def ok(content: str) -> CallResult:
    return CallResult("ok", content, None, None, None, None, None, b"")


REFUSED = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")


def call_with_fault(
    world: World, monkeypatch: pytest.MonkeyPatch, answers: Sequence[tuple[CallResult, str]], untroubled: CallResult
) -> list[Sequence[bytes]]:
    """Make a call whose traced answers and trace lines are `answers`; return the arguments of strace."""
    remaining, used = list(answers), []

    def call_traced(call: Call, args: Sequence[bytes], *_: object) -> tuple[CallResult, Trace]:
        used.append(args)
        answer, line = remaining.pop(0)
        return answer, Trace((line,))

    monkeypatch.setattr(world.session, "call_traced", call_traced)
    monkeypatch.setattr(world.session, "call", lambda *_: untroubled)
    world.call("list_directory", '{"recursive": true}')
    world.phase = "then"
    return used


def test_an_answer_that_is_the_same_without_the_fault_is_not_verified(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_with_fault(world, monkeypatch, [(ok("all"), FAILED_OPEN)], ok("all"))
    with pytest.raises(NotVerified) as caught:
        world.check_fault_had_effect()
    assert caught.value.code == "fault_without_effect"


@pytest.mark.parametrize("answer", [ok("a part"), REFUSED])
def test_an_answer_that_the_fault_changed_is_judged(
    world: World, monkeypatch: pytest.MonkeyPatch, answer: CallResult
) -> None:
    call_with_fault(world, monkeypatch, [(answer, FAILED_OPEN)], ok("all"))
    world.check_fault_had_effect()


def test_a_fault_that_was_not_triggered_is_left_to_its_own_check(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    call_with_fault(world, monkeypatch, [(ok("all"), FAILED_OPEN.removesuffix(" (INJECTED)"))], ok("all"))
    world.check_fault_had_effect()
    assert world.fault_not_triggered


def test_a_candidate_that_opens_what_it_examines_is_called_again_with_reading_alone_failing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [(ok("no d"), FAILED_LOOK), (ok("d unreadable"), FAILED_OPEN)]
    first, second = call_with_fault(world, monkeypatch, answers, ok("all"))
    assert world.answer.content == "d unreadable"
    assert b"openat" in first[-1] and b"openat" not in second[-1]
    assert world.faults.injected_count == 1
