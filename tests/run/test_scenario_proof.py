"""A generated scenario is kept if it fails with the candidate and passes with the reference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.run.scenario_proof import with_proven_scenario
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.spec.gherkin import parse_feature_text
from treeproof.verdict.finding import CallJudgement

PACK = load_pack(find_pack("ls"))
CASE = parse_feature(PACK.feature_files()[0]).scenarios[0]
LISTED = 'Given the tree "a, b"\nWhen LS is called with {}\nThen the entries are "a, b"'
WRONG = LISTED.replace('entries are "a, b"', 'entries are "a, c"')


def lose_entries(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    call = session.candidate.call

    def losing(one: Call, adapter: object = None) -> CallResult:
        answer = call(one)
        return replace(answer, content=(answer.content or "").replace('"path": "b"', '"path": "x"'))

    monkeypatch.setattr(session.candidate, "call", losing)


@pytest.mark.parametrize(
    ("text", "is_wrong", "is_kept"),
    [(LISTED, True, True), (LISTED, False, False), (WRONG, True, False), (WRONG, False, False)],
)
def test_a_scenario_is_kept_if_only_the_candidate_fails(
    session: Session, monkeypatch: pytest.MonkeyPatch, text: str, is_wrong: bool, is_kept: bool
) -> None:
    if is_wrong:
        lose_entries(session, monkeypatch)
    feature = "Feature: a\n  Scenario: a\n" + "".join(f"    {line}\n" for line in LISTED.splitlines())
    steps = parse_feature_text(CASE.file, feature).scenarios[0].steps
    record = run_scenario(session, replace(CASE, steps=steps))
    evidence = replace(record.evidence, scenario=text)
    given = replace(record, evidence=evidence, calls=(CallJudgement(1, evidence=evidence),))
    found = with_proven_scenario(session, CASE, given)
    kept = text if is_kept else None
    assert [one.scenario for one in (found.evidence, *(call.evidence for call in found.calls))] == [kept, kept]
