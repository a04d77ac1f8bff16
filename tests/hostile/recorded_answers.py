"""The calls of a run of the reference, and what the suite makes of garbled answers to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from tests.selections import scenarios_of_each_step
from treeproof.candidate import Call, CallResult, CandidateFault, Limits, RpcAdapter, RpcResponse, Target, Transport
from treeproof.candidate.adapter import UnsupportedByAdapter
from treeproof.candidate.framing import parse_response
from treeproof.model.case import Exchange
from treeproof.run import call_judge
from treeproof.run.call_judge import CallJudge
from treeproof.run.runner import Options, run

from .garbling import Garbling, general_garblings, member_garblings

SPECS = ("list_directory", "file_operations", "fs_walkdir", "local_files", "ls")
_TARGET = Target("stdio:x", "stdio", Path()).with_own_error_kinds(["NotFound"])
EXCHANGES_PER_GARBLING = 3
"""The number of calls whose answers each garbling changes; they are different ones for different garblings."""


MAX_RESULT_BYTES = 20_000
"""The length of the longest result that is garbled: some garblings make a thousand bytes of each."""


@dataclass(frozen=True)
class RecordedCall:
    """A call of the reference, the result that it sent, and the judge of its session."""

    judge: CallJudge
    exchange: Exchange
    result: dict[str, Any]


@cache
def recorded_calls(spec: str) -> tuple[RecordedCall, ...]:
    """Return the calls of a run of the reference that the model judges right, with different results."""
    found: dict[bytes, RecordedCall] = {}
    make = call_judge.exchange_of_call

    def record(scenario: Any, call: Call, answer: CallResult) -> Exchange:
        exchange = make(scenario, call, answer)
        is_short = len(answer.raw) <= MAX_RESULT_BYTES
        if exchange.is_answered and is_short and scenario.simulated_platform is None:
            judge = CallJudge.for_session(scenario.session)
            if judge.judge_exchange(exchange, 1).explanations:
                found.setdefault(answer.raw, RecordedCall(judge, exchange, json.loads(answer.raw)))
        return exchange

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(call_judge, "exchange_of_call", record)
        run(Options("reference", specs=(spec,), select=scenarios_of_each_step(spec)[::2], jobs=1, examples=1))
    return tuple(found.values())


@cache
def garblings(spec: str) -> tuple[Garbling, ...]:
    """Return the garblings of the answers of a specification."""
    return (*general_garblings(), *member_garblings(one.result for one in recorded_calls(spec)))


def garbled_calls(spec: str, garbling: Garbling, number: int) -> Iterator[tuple[RecordedCall, Any, bytes]]:
    """Yield calls with a garbled result and its line, starting at a place that depends on a number."""
    calls = recorded_calls(spec)
    start, left = number * 7 % len(calls), EXCHANGES_PER_GARBLING
    for call in (*calls[start:], *calls[:start]):
        usual = _line(call.result)
        result = garbling.on_result(call.result)
        line = garbling.on_line(_line(result))
        if line != usual:
            yield call, result, line
            left -= 1
        if not left:
            return


def _line(result: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}, separators=(",", ":")).encode()


class _Wire:
    """A transport that answers with one line."""

    pid, respects_file_modes = None, True

    def __init__(self, line: bytes) -> None:
        self.line = line

    def send_request(self, *request: object) -> RpcResponse:
        return RpcResponse(parse_response(self.line, 1), self.line)

    def kill(self) -> None:
        pass

    def captured_output(self) -> str:
        return ""


def verdict_of_line(call: RecordedCall, line: bytes) -> str:
    """Return what the suite makes of a line: `fault`, `finding`, `not modelled` or `right`."""
    adapter = RpcAdapter("stdio", cast(Transport, _Wire(line)), _TARGET, Limits())
    adapter._is_open = True
    try:
        answer = adapter.call(call.exchange.call)
    except (CandidateFault, UnsupportedByAdapter):
        return "fault"
    judged = call.judge.judge_exchange(replace(call.exchange, answer=answer), 1)
    if judged.alternatives:
        return "finding"
    return "not modelled" if judged.not_modelled else "right"


def part_of(items: Sequence[Any], part: int, parts: int) -> list[tuple[int, Any]]:
    """Return every item whose number gives a remainder, with its number."""
    return [(number, item) for number, item in enumerate(items) if number % parts == part]
