"""Run documents with every kind of verdict, built by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from treeproof.report.formats.registry import FORMATS
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]


def iter_dumps() -> Iterator[tuple[str, Callable[[RunDocument], bytes]]]:
    """Yield each dump function with the name of its format and, if there are several, the file suffix."""
    for name, dump in FORMATS.items():
        suffixes = {"": dump} if callable(dump) else dump
        yield from ((f"{name}{suffix}", each) for suffix, each in suffixes.items())


def make_scenario(id: str, requirement: str, outcome: str = "passed", /, **evidence: Any) -> Json:
    needed = {"failed": "message", "fault": "cause", "not-verified": "cause", "not-applicable": "cause"}
    if outcome in needed:
        evidence.setdefault(needed[outcome], f"why {id} ended {outcome}")
    return {
        "id": id,
        "requirement": requirement,
        "outcome": outcome,
        "title": f"the title of {id}",
        "file": "features/list_directory/traversal.feature",
        "line": 12,
        "also": [],
        "advisory": False,
        "basis": "stated",
        "readings": {},
        "warnings": [],
        "seconds": 0.004,
        "evidence": evidence,
    }


def make_requirement(id: str, verdict: str = "PASS", **other: Any) -> Json:
    cause = {"NOT VERIFIED": "no scenario verifies it yet", "NOT APPLICABLE": "applies on Windows only"}
    code = {"code": "no_scenario"} if verdict == "NOT VERIFIED" else {}
    return {
        "id": id,
        "level": "MUST",
        "basis": "stated",
        "section": "3.4 Traversal semantics",
        "text": f"the text of {id}",
        "verdict": verdict,
        "scenarios": [],
        "cause": cause.get(verdict, "a reason" if verdict == "EXCLUDED" else None),
        **code,
        "known": False,
        **other,
    }


def make_run(requirements: list[Json], scenarios: list[Json], **other: Any) -> Json:
    interpretations = other.pop("interpretations", [])
    return {
        "treeproof": "0.1.0",
        "verdict": "conformant",
        "reason": "every applicable MUST holds",
        "exit": 0,
        "claim": True,
        "profile": "default",
        "candidate": {
            "name": "acme-tools",
            "version": "3.1.0",
            "language": "go",
            "adapter": "stdio",
            "capabilities": ["config", "budget"],
        },
        "machine": {"system": "Linux", "root": True, "strace": False, "non_utf8_names": True},
        "selection": None,
        "seed": 0,
        "started": "2001-02-03T04:05:06Z",
        "seconds": 2.44,
        "interrupted": False,
        "warnings": [],
        "baseline": None,
        "specs": [
            {
                "name": "list_directory",
                "version": "1.1",
                "title": "list_directory",
                "sha256": "0" * 64,
                "requirements": requirements,
                "interpretations": interpretations,
                "scenarios": scenarios,
            }
        ],
        **other,
    }


def make_mixed() -> Json:
    """Return a run with every verdict, a fault, readings and warnings."""
    wrong_order = make_scenario(
        "LD-LST-05-01",
        "FR-LD-LST-05",
        "failed",
        tree="a/{b}, a-b",
        call={
            "tool": "list_directory",
            "arguments": '{"recursive": true, "max_entries": 2, "path": "."}',
            "context": {"roots": ["$ROOT"], "working_dir": "$ROOT", "max_output_bytes": 543},
        },
        steps=['given the tree "a/{b}, a-b"', 'then the entries are "a, a/b"'],
        step='Then the entries are "a, a/b"',
        message="the entries differ from the expected ones",
        expected="a, a/b",
        got="a, a-b",
        diff="- a/b\n+ a-b",
    )
    wrong_order["title"] = "pre-order decides survivors, path order decides output"
    wrong_order["evidence"]["outcome"] = {"status": "ok", "content": '{"entries":[]}'}
    second = make_scenario("LD-LST-05-02", "FR-LD-LST-05", "failed")
    third = make_scenario("LD-LST-05-03", "FR-LD-LST-05", "failed")
    passed = make_scenario("LD-VAL-01-01", "FR-LD-VAL-01")
    passed["readings"] = {"AMB-LD-01": "exceeded"}
    passed["warnings"] = ["the answer has members that the protocol does not name: extra"]
    other_reading = make_scenario("LD-VAL-02-01", "FR-LD-VAL-02")
    other_reading["readings"] = {"AMB-LD-02": "b"}
    return make_run(
        [
            make_requirement("FR-LD-VAL-01", section="3.2 Validation", scenarios=["LD-VAL-01-01"]),
            make_requirement(
                "FR-LD-VAL-02",
                "FAIL",
                section="3.2 Validation",
                scenarios=["LD-VAL-02-01"],
                cause="inconsistent readings of AMB-LD-02: LD-VAL-02-01 saw b, other scenarios saw a",
            ),
            make_requirement(
                "FR-LD-LST-05",
                "FAIL",
                scenarios=["LD-LST-05-01", "LD-LST-05-02", "LD-LST-05-03"],
                text="depth-first pre-order, siblings by ascending lossy name",
            ),
            make_requirement(
                "FR-LD-LST-06",
                "NOT VERIFIED",
                scenarios=["LD-LST-06-01"],
                cause="candidate fault (exit): it ended with status 139 in the middle of a call",
                code="candidate_fault",
            ),
            make_requirement(
                "FR-LD-LST-07",
                "NOT VERIFIED",
                scenarios=["LD-LST-07-01"],
                cause="the candidate does not declare the capability config",
                code="missing_capability",
            ),
            make_requirement("FR-LD-LST-08", "NOT VERIFIED"),
            make_requirement("FR-LD-LST-09", "NOT VERIFIED"),
            make_requirement("FR-LD-LST-10", "NOT APPLICABLE", level="SHOULD"),
            make_requirement("FR-LD-LST-11", "EXCLUDED", level="MAY"),
        ],
        [
            wrong_order,
            second,
            third,
            make_scenario(
                "LD-LST-06-01",
                "FR-LD-LST-06",
                "fault",
                call={"tool": "list_directory", "arguments": '{"path": "."}'},
                cause="candidate fault (exit): it ended with status 139 in the middle of a call",
                code="candidate_fault",
                stderr="panic: runtime error: index out of range [3] with length 3",
            ),
            make_scenario(
                "LD-LST-07-01",
                "FR-LD-LST-07",
                "not-verified",
                cause="the candidate does not declare the capability config",
                code="missing_capability",
            ),
            make_scenario("LD-LST-10-01", "FR-LD-LST-10", "not-applicable", cause="applies on Windows only"),
            passed,
            other_reading,
        ],
        verdict="non-conformant",
        exit=1,
        reason="2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05",
        warnings=["FR-LD-NAV-01 (SHOULD) does not hold"],
        interpretations=[
            {"id": "AMB-LD-01", "observed": ["exceeded"], "treatment": "any", "consistent": True},
            {"id": "AMB-LD-02", "observed": ["a", "b"], "treatment": "any", "consistent": False},
            {"id": "AMB-LD-03", "observed": [], "treatment": "strict", "consistent": True},
        ],
    )


@pytest.fixture
def mixed() -> Json:
    return make_mixed()


@pytest.fixture
def scenario() -> Callable[..., Json]:
    return make_scenario


@pytest.fixture
def requirement() -> Callable[..., Json]:
    return make_requirement


@pytest.fixture
def run() -> Callable[..., Json]:
    return make_run
