"""Each call of a scenario is judged whole by the model: in a run, in workers, in shards and in `pytest --treeproof`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult, CandidateFault
from treeproof.report import document
from treeproof.report.merging import RunReport, group_runs, merge_shards
from treeproof.run.plan import Options, Shard
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.runner import run
from treeproof.run.sandbox import Sandbox, SandboxRoots
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.spec.contract import find_installed
from treeproof.tree import by_path, normalise, parse_tree, read_tree, render_tree
from treeproof.verdict import Outcome
from treeproof.verdict.run_document import RunDocument

PACK = load_pack(find_pack("fs_walkdir"))
CASES = {case.id: case for file in PACK.feature_files() for case in parse_feature(file).scenarios}
WALKS = ("WD-WALK-01-01", "WD-WALK-01-02", "WD-ERR-03-01")
NUMBERS_FOR_KINDS = "mutant:MUT-WD-012"  # isDir is 1 or 0


def run_document(target: str, *select: str, **options: Any) -> dict[str, Any]:
    done = run(Options(target, specs=("fs_walkdir",), select=select, **options)).document
    document.validate(done.to_json())
    return done.to_json()


def failed(done: dict[str, Any]) -> set[str]:
    return {one["id"] for one in done["specs"][0]["requirements"] if one["verdict"] == "FAIL"}


def blamed(done: dict[str, Any]) -> set[str]:
    return {one["requirement"] for case in done["specs"][0]["scenarios"] for one in case.get("findings", ())}


def without_times(done: dict[str, Any]) -> bytes:
    specs = [{**spec, "scenarios": [{**one, "seconds": 0} for one in spec["scenarios"]]} for spec in done["specs"]]
    return document.dump(RunDocument.from_json({**done, "started": "", "seconds": 0, "specs": specs}))


def test_the_model_judges_nearly_every_call_and_finds_nothing_in_the_reference() -> None:
    done = run_document("reference", examples=5)
    scenarios = [one for one in done["specs"][0]["scenarios"] if not one["id"].startswith("WD-P-")]
    reasons = [
        (one["id"], call["not_modelled"])
        for one in scenarios
        for call in one.get("calls", ())
        if "not_modelled" in call
    ]
    assert len(reasons) <= 0.02 * len(scenarios), reasons
    assert blamed(done) == set()
    assert (done["verdict"], done["specs"][0]["evidence"]) == (
        "conformant",
        [{"call": "FS.WalkDir", "shown": True, "problem": None}],
    )


def test_a_finding_fails_its_requirement_where_no_line_looks() -> None:
    done = run_document(NUMBERS_FOR_KINDS, *WALKS, "WD-ENT-03-01")
    assert failed(done) == {"WD-ENT-03"}
    (cause,) = [one for one in done["causes"] if one["requirement"] == "WD-ENT-03"]
    assert "WD-WALK-01-01" in cause["scenarios"]
    shown = next(one for one in done["specs"][0]["scenarios"] if one["id"] == "WD-WALK-01-01")
    (finding,) = shown["findings"]
    assert shown["outcome"] == "passed"
    assert finding["evidence"]["call"]["arguments"] == '{"path": "t"}'
    assert json.loads(finding["evidence"]["outcome"]["content"])


@pytest.mark.parametrize(("selected", "fails", "exit_code"), [("WD-WALK-01", set(), 3), (WALKS[0], {"WD-ENT-03"}, 1)])
def test_a_finding_on_a_requirement_that_is_not_selected_fails_it_only_where_the_scenario_is(
    selected: str, fails: set[str], exit_code: int
) -> None:
    done = run_document(NUMBERS_FOR_KINDS, selected)
    assert blamed(done) == {"WD-ENT-03"}
    assert (failed(done), done["exit"]) == (fails, exit_code)


def test_workers_and_merged_shards_find_what_one_process_finds(tmp_path: Path) -> None:
    select = (*WALKS, "WD-ERR-06-01", "WD-ENT-03-01", "WD-P-ENT-03-01")
    whole = run_document(NUMBERS_FOR_KINDS, *select)
    assert without_times(run_document(NUMBERS_FOR_KINDS, *select, jobs=2)) == without_times(whole)
    parts = []
    for number in (1, 2):
        file = tmp_path / f"{number}.json"
        file.write_bytes(
            document.dump(RunDocument.from_json(run_document(NUMBERS_FOR_KINDS, *select, shard=Shard(number, 2))))
        )
        parts.append(RunReport(file, document.parse_file(file)))
    (group,) = group_runs(parts)
    assert without_times(merge_shards(group, find_installed).to_json()) == without_times({**whole, "shard": None})


def test_the_runner_looks_at_the_tree_after_each_call() -> None:
    done = run_document("mutant:MUT-WD-133", "WD-WALK-01-01", "WD-SEC-04-01")  # an index file is left behind
    assert "WD-SEC-04" in failed(done)
    assert {one["kind"] for one in done["causes"]} >= {"the call changed the file system"}
    (finding,) = next(one for one in done["specs"][0]["scenarios"] if one["id"] == "WD-WALK-01-01")["findings"]
    assert finding["evidence"]["got"].endswith(": appeared")


def test_a_call_that_never_answers_is_judged_by_the_tree_after_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_after_a_change(sent: Call, *rest: Any) -> CallResult:
        (Path(str(sent.context["working_dir"])) / "left").write_text("", "utf-8")
        raise CandidateFault("exit", "the process ended")

    run_scenario(session, CASES["WD-ERR-03-01"])
    monkeypatch.setattr(session.candidate, "call", break_after_a_change)
    record = run_scenario(session, CASES["WD-ERR-03-01"])
    assert record.outcome is Outcome.FAULT
    ((finding,),) = [one.findings for one in record.calls[0].alternatives]
    assert (finding.requirement, finding.kind) == ("WD-SEC-04", "the call changed the file system")


def test_a_call_after_one_that_has_changed_the_tree_is_not_judged(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = session.candidate.call

    def leave_a_file(sent: Call, *rest: Any) -> CallResult:
        (Path(str(sent.context["working_dir"])) / "walktest" / "left").write_text("", "utf-8")
        return call(sent, *rest)

    run_scenario(session, CASES["WD-ERR-01-12"])
    monkeypatch.setattr(session.candidate, "call", leave_a_file)
    record = run_scenario(session, CASES["WD-ERR-01-12"])
    assert [one.not_modelled for one in record.calls if one.not_modelled] == ["an earlier call has changed the tree"]
    named = {finding.requirement for one in record.calls for kept in one.alternatives for finding in kept.findings}
    assert named == {"WD-SEC-04"}


@pytest.mark.parametrize("mutant", ["NULL-WD-01", "NULL-WD-03", "NULL-WD-05", "NULL-WD-07"])
def test_a_candidate_that_shows_no_content_passes_nothing(mutant: str) -> None:
    done = run_document(f"mutant:{mutant}", "WD-ERR-03-01", "WD-SEC-01-01", "WD-ARG-01-01")
    assert "PASS" not in {one["verdict"] for one in done["specs"][0]["requirements"]}
    assert done["exit"] != 0
    (shown,) = done["specs"][0]["evidence"]
    assert shown["shown"] is False
    assert shown["problem"].startswith("FS.WalkDir has shown no content in this run")


def test_content_has_to_be_shown_at_the_end_as_well(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_scenario(session, CASES["WD-ERR-03-01"]).outcome is Outcome.PASSED
    assert PositiveEvidence.for_session(session).finish() == {"FS.WalkDir": ""}
    call = session.candidate.call

    def silent(sent: Call, *rest: Any) -> CallResult:
        return replace(call(sent, *rest), content="[]")

    monkeypatch.setattr(session.candidate, "call", silent)
    assert PositiveEvidence.for_session(session).finish()["FS.WalkDir"]


@pytest.mark.parametrize("id", ["WD-ENT-04-15", "WD-ENT-05-201", "WD-WALK-01-101", "WD-SEC-02-102", "WD-ERR-05-08"])
def test_a_call_after_a_change_of_the_suite_is_judged_from_the_tree_that_is_there(session: Session, id: str) -> None:
    record = run_scenario(session, CASES[id])
    assert record.outcome is Outcome.PASSED
    assert [(one.number, one.alternatives, one.not_modelled) for one in record.calls] == [(1, (), ""), (2, (), "")]


def test_the_known_tree_follows_the_changes_of_the_suite(session: Session) -> None:
    fixture = Sandbox(SandboxRoots(session.workspace, "changes"), respects_file_modes=True)
    fixture.build_tree("a/{f=3, g=>a/f}, l->$ROOT/a, bad!L, d/{x}")
    (Path(fixture.root.decode()) / "d").rename(Path(fixture.root.decode()) / "e")
    (Path(fixture.root.decode()) / "new").write_text("new", "utf-8")
    fixture.note_changes([b"d", b"e", b"new"])
    known = by_path(fixture.tree)
    assert sorted(known) == [b"a", b"a/f", b"a/g", b"bad", b"e", b"e/x", b"l", b"new"]
    assert (known[b"new"].content, known[b"l"].target, set(known[b"bad"].faults)) == (b"new", b"$ROOT/a", {"lstat"})
    assert known[b"a/f"].mtime_ns is None  # what nobody has changed keeps its notation
    on_disk = normalise(parse_tree(render_tree(fixture.tree)), {b"$ROOT": fixture.root})
    assert sorted(by_path(on_disk)) == sorted(by_path(read_tree(fixture.root)))
    fixture.close()
