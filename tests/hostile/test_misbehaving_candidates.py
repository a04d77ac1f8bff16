"""Runs against misbehaving candidates in real processes: the right outcome in time, and nothing remains."""

from __future__ import annotations

import io
import json
import os
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.descriptors import open_descriptors
from treeproof.report import document as report
from treeproof.report import terminal
from treeproof.report.formats import junit
from treeproof.verdict.run_document import RunDocument

from .conftest import HostileProject

HANG_SECONDS = 100
"""Far less than a misbehaviour that is waited for, and than the long time limit of a healthy call."""


@dataclass(frozen=True)
class ExpectedOutcome:
    """The outcomes of the scenario with the misbehaviour and of the next one, and a part of the message."""

    outcome: str
    message: str = ""
    next_outcome: str = "passed"
    exit_code: int = 4
    warning: str = ""


def expect_fault(message: str, next_outcome: str = "passed") -> ExpectedOutcome:
    return ExpectedOutcome("fault", message, next_outcome)


def expect_failure(message: str, next_outcome: str = "passed") -> ExpectedOutcome:
    return ExpectedOutcome("failed", message, next_outcome, exit_code=1)


def expect_pass(warning: str = "") -> ExpectedOutcome:
    return ExpectedOutcome("passed", exit_code=0, warning=warning)


EXPECTED_OUTCOMES = {
    "hang": expect_fault("(timeout): no answer within 0.4 s"),
    "hang_and_ignore_sigterm": expect_fault("no answer within 0.4 s"),
    "spin": expect_fault("no answer within 0.4 s"),
    "stop_itself": expect_fault("no answer within 0.4 s"),
    "half_a_line_and_hang": expect_fault("no answer within 5 s; so far it wrote '{\"jsonrpc"),
    "respond_without_newline": expect_fault("no answer within 0.4 s"),
    "dribble_forever": expect_fault("no answer within 5 s; so far it wrote '   "),
    "exit_in_mid_response": expect_fault("(framing): its output ends in the middle of a line"),
    "segfault": expect_fault("(exit): the process was killed by SIGSEGV"),
    "abort": expect_fault("was killed by SIGABRT"),
    "close_stdout": expect_fault("closed its stdout instead of answering"),
    "fork_that_keeps_the_pipe": expect_fault("ended with exit code 0"),
    "endless_line": expect_fault("(output_limit): its answer is longer than 1000000 bytes"),
    "answer_the_call_before": expect_fault("has the id 2 of an earlier request, which it has answered, instead of 3"),
    "answer_another_id": expect_fault('has the id "3" instead of 3'),
    "answer_null_id": expect_fault("has the id null"),
    "send_request": expect_fault("is a request or a notification"),
    "invalid_utf8": expect_fault("is not UTF-8: byte 0xff"),
    "deep_json": expect_fault("nested more than 200 levels deep"),
    "not_a_number": expect_fault("holds NaN"),
    "endless_number": expect_fault("a number of more than 4300 digits"),
    "other_status": expect_fault("(protocol): call: result.status"),
    "content_is_no_text": expect_fault("result.content is"),
    "rpc_error": expect_fault("(glue): it answered with the JSON-RPC error -32000"),
    "banner_on_stdout": expect_fault("its answer is not JSON: Expecting value at column 1: 'Listing "),
    # A fault after a correct response is detected at the next call.
    "answer_twice": ExpectedOutcome("passed", next_outcome="fault"),
    "answer_later_again": ExpectedOutcome("passed", next_outcome="fault"),
    "close_stdin": ExpectedOutcome("passed", next_outcome="fault"),
    "change_capabilities": expect_fault("(exit): the process ended with exit code 1", next_outcome="fault"),
    "flood_stderr": expect_pass(),
    "fork_repeatedly": expect_pass(),
    "many_descriptors": expect_pass(),
    "hang_at_shutdown": expect_pass(),
    "exit_with_9": expect_pass(),
    "unprintable_name": expect_pass(),
    "leave_a_daemon": expect_pass(warning="the candidate left 1 process running"),
    "fill_the_workspace": expect_pass(warning="in the workspace: junk"),
    "change_a_file": expect_failure("root/a: "),
    "change_and_restore_times": expect_failure("root/a: was changed and changed back"),
    "delete_the_fixture": expect_failure("root: vanished"),
    "delete_the_workspace": expect_failure("vanished", next_outcome="fault"),
    "rename_the_workspace": expect_failure("vanished", next_outcome="fault"),
    "move_the_workspace_away": expect_failure("vanished", next_outcome="fault"),
    "close_the_workspace": ExpectedOutcome("fault", "it changed the permissions of the workspace", "fault"),
    "link_instead_of_root": expect_failure("root"),
    "link_instead_of_its_parent": ExpectedOutcome(
        "failed", "changed the file system", exit_code=1, warning="in the workspace: HO-2-01-elsewhere"
    ),
    "links_everywhere": expect_failure("root/1: appeared"),
    "remove_permissions": expect_failure("mode 40755 -> 40000"),
    "make_deep_directories": expect_failure("appeared"),
    "wrong_list": expect_failure("it lists something else"),
    "unprintable_error": expect_failure("it lists something else"),
}


@pytest.mark.parametrize("mode", EXPECTED_OUTCOMES)
def test_a_misbehaving_candidate_has_the_expected_outcome_and_leaves_nothing(
    hostile_project: HostileProject, mode: str
) -> None:
    expected, before = EXPECTED_OUTCOMES[mode], open_descriptors()
    reset_peak_memory()
    document, seconds = hostile_project.run(mode)
    outcomes = {s["title"]: s["outcome"] for s in document["specs"][0]["scenarios"]}
    assert outcomes == {"before": "passed", "bad": expected.outcome, "after": expected.next_outcome}, document["reason"]
    assert expected.message in message_of(document, "bad")
    assert document["exit"] == (
        4 if expected.exit_code == 0 and expected.next_outcome == "fault" else expected.exit_code
    )
    assert expected.warning in "\n".join(document["warnings"])
    assert expected.warning or not document["warnings"]
    assert seconds < HANG_SECONDS
    assert hostile_project.leftovers() == []
    assert open_descriptors() == before
    assert hostile_project.read_precious_files() == {"a": "keep", "d/b": "keep"}
    assert peak_memory_mib() < 40
    assert_harmless(document)


@pytest.mark.parametrize(
    ("mode", "limits", "message"),
    [
        ("hang_at_start", {"start_timeout": 0.5}, "no answer within 0.5 s"),
        ("die_at_start", {}, "initialize: the process ended with exit code 1: no licence key"),
        ("other_protocol", {}, "result.protocol is 2, not 1"),
    ],
)
def test_a_candidate_that_does_not_start_is_a_fault(
    hostile_project: HostileProject,
    mode: str,
    limits: dict[str, float],
    message: str,
) -> None:
    before = open_descriptors()
    document, seconds = hostile_project.run(mode, **limits)
    assert (document["verdict"], document["exit"]) == ("fault", 4)
    assert message in document["reason"]
    assert {r["verdict"] for r in document["specs"][0]["requirements"]} == {"NOT VERIFIED"}
    assert seconds < HANG_SECONDS
    assert (hostile_project.leftovers(), open_descriptors()) == ([], before)
    assert_harmless(document)


def test_a_candidate_that_offers_no_tool_passes_nothing(hostile_project: HostileProject) -> None:
    document, _ = hostile_project.run("offer_nothing")
    assert (document["verdict"], document["exit"]) == ("incomplete", 3)
    causes = {r["cause"] for r in document["specs"][0]["requirements"]}
    assert causes == {"the candidate does not offer the tool 'say'"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "limits", "fault"),
    [("hang", {"call_timeout": 0.2}, "timeout"), ("abort", {}, "exit"), ("invalid_utf8", {}, "framing")],
)
def test_calls_go_on_after_many_faults_while_the_candidate_answers_others(
    hostile_project: HostileProject, mode: str, limits: dict[str, float], fault: str
) -> None:
    hostile_project.write_pack(["before", *(f"bad {n}" for n in range(16)), "after"])
    document, seconds = hostile_project.run(mode, **limits)
    scenarios = document["specs"][0]["scenarios"]
    broken = [s for s in scenarios if s["title"].startswith("bad")]
    assert [s["outcome"] for s in broken] == ["fault"] * 16
    assert all(f"({fault})" in messages(s) for s in broken)
    assert {s["title"]: s["outcome"] for s in scenarios if s not in broken} == {"before": "passed", "after": "passed"}
    assert (document["exit"], document["warnings"], seconds < HANG_SECONDS) == (4, [], True)
    assert hostile_project.leftovers() == []


def test_calls_go_on_if_faults_occur_in_some_scenarios_only(
    hostile_project: HostileProject,
) -> None:
    hostile_project.write_pack(
        ["before", *(f"bad {n}" for n in range(7)), "after", *(f"bad {n}" for n in range(7, 14)), "end"]
    )
    document, _ = hostile_project.run("segfault")
    outcomes = {s["title"]: s["outcome"] for s in document["specs"][0]["scenarios"]}
    assert {title for title, outcome in outcomes.items() if outcome == "passed"} == {"before", "after", "end"}
    assert not document["warnings"]


def test_calls_end_early_for_a_candidate_that_never_answers(
    hostile_project: HostileProject,
) -> None:
    hostile_project.write_pack([f"bad {n}" for n in range(120)])
    document, seconds = hostile_project.run("hang_at_every_call")
    scenarios = document["specs"][0]["scenarios"]
    refused = [s for s in scenarios if s["evidence"].get("code") == "not_called"]
    assert len(refused) == 116
    assert all("not called any more after 5 faults in a row" in messages(s) for s in refused), "four and the probe"
    assert not any("stderr" in s["evidence"] for s in refused)
    assert sorted(s["outcome"] for s in scenarios) == ["fault"] * 4 + ["not-verified"] * 116
    assert (document["exit"], seconds < HANG_SECONDS) == (4, True)
    warnings = [warning for warning in document["warnings"] if "not called any more" in warning]
    assert len(warnings) == 1 and "no answer within 0.4 s" in warnings[0]
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize("mode", ["hang", "abort", "endless_line", "answer_twice", "stop_itself", "fork_repeatedly"])
def test_outcomes_are_the_same_under_strace(hostile_project: HostileProject, mode: str) -> None:
    hostile_project.write_pack(["before", "bad traced", "after"])
    before = open_descriptors()
    document, seconds = hostile_project.run(mode)
    if document["machine"]["strace"] is False:
        pytest.skip("not verified: outcomes of misbehaving candidates under strace; needs strace")
    outcomes = [s["outcome"] for s in document["specs"][0]["scenarios"]]
    # A candidate that answers correctly never calls lstat for the entry whose lstat fails.
    bad = "not-verified" if mode in ("fork_repeatedly", "answer_twice") else "fault"
    assert outcomes == ["passed", bad, EXPECTED_OUTCOMES[mode].next_outcome]
    assert seconds < HANG_SECONDS
    assert (hostile_project.leftovers(), open_descriptors()) == ([], before)


def test_a_candidate_cannot_take_the_places_of_later_scenarios(hostile_project: HostileProject) -> None:
    document, seconds = hostile_project.run("take_later_places")
    outcomes = {s["title"]: s["outcome"] for s in document["specs"][0]["scenarios"]}
    assert outcomes == {"before": "passed", "bad": "passed", "after": "failed"}, document["reason"]
    assert (document["exit"], seconds < HANG_SECONDS) == (1, True)
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize("mode", ["rename_the_workspace", "replace_the_workspace", "close_the_workspace"])
def test_nothing_passes_after_the_workspace_was_lost(
    hostile_project: HostileProject, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeproof.run.plan.require_clean", lambda packs: None)  # a step that lint demands is left out
    hostile_project.write_pack(["bad", "other"])
    feature = hostile_project.pack / "hostile.feature"
    feature.write_text(feature.read_text().replace("      And the tree is unchanged\n", ""))
    document, seconds = hostile_project.run(mode)
    scenarios = document["specs"][0]["scenarios"]
    assert [s["outcome"] for s in scenarios] == ["fault", "fault"]
    assert all("candidate fault (workspace): it " in messages(s) for s in scenarios)
    assert all("of the run" in messages(s) for s in scenarios)
    assert (document["verdict"], document["exit"], seconds < HANG_SECONDS) == ("fault", 4, True)
    left = [text for text in hostile_project.leftovers() if mode != "replace_the_workspace" or "-moved" in text]
    assert left == []
    assert hostile_project.read_precious_files() == {"a": "keep", "d/b": "keep"}


def test_equal_runs_of_a_misbehaving_candidate_write_equal_documents(hostile_project: HostileProject) -> None:
    """No name of the workspace and its fixtures reaches a document."""
    first, second = (hostile_project.run("log_every_path")[0] for _ in range(2))
    assert "stderr" in first["specs"][0]["scenarios"][1]["evidence"]
    assert comparable(first) == comparable(second)


def comparable(document: dict[str, Any]) -> str:
    for scenario in document["specs"][0]["scenarios"]:
        del scenario["seconds"]
    members = {name: value for name, value in document.items() if name not in ("started", "seconds")}
    return json.dumps(members, indent=1, sort_keys=True)


def message_of(document: dict[str, Any], title: str) -> str:
    return messages(next(s for s in document["specs"][0]["scenarios"] if s["title"] == title))


def messages(scenario: dict[str, Any]) -> str:
    evidence = scenario["evidence"]
    return "\n".join(str(evidence.get(key, "")) for key in ("cause", "message", "got"))


def assert_harmless(document: dict[str, Any]) -> None:
    """Check that no report contains a control character or markup of the candidate."""
    report.validate(document)
    page = io.StringIO()
    terminal.render(RunDocument.from_json(document), Console(file=page, width=100, color_system=None, markup=False))
    for text in (
        page.getvalue(),
        report.dump(RunDocument.from_json(document)).decode(),
        junit.dump(RunDocument.from_json(document)).decode(),
    ):
        assert not [c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0]
        assert "\u202e" not in text
    ET.fromstring(junit.dump(RunDocument.from_json(document)))
    assert "<script>" not in junit.dump(RunDocument.from_json(document)).decode()


def reset_peak_memory() -> None:
    Path("/proc/self/clear_refs").write_text("5")
    global initial_memory_mib
    initial_memory_mib = memory_field_mib("VmRSS")


def peak_memory_mib() -> float:
    """Return the peak growth of the memory of this process since `reset_peak_memory`, in MiB."""
    return memory_field_mib("VmHWM") - initial_memory_mib


def memory_field_mib(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1024


initial_memory_mib = 0.0

if os.uname().sysname != "Linux":
    pytest.skip(
        "not verified: outcomes of misbehaving candidates; needs Linux and its /proc",
        allow_module_level=True,
    )
