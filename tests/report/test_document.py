"""The run document: its schema, loading it, and bytes that depend only on the value."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from treeproof.errors import UsageError
from treeproof.report.document import SCHEMA, dump, load, schema, validate
from treeproof.spec import bundled_packs, load_pack
from treeproof.spec.packs import shown_path
from treeproof.spec.version_features import scenarios_of
from treeproof.verdict import Outcome, Profile, ScenarioRecord, judge
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import REMEDIES, CauseCode
from treeproof.verdict.run_document import CandidateFacts, HostFacts, RunDocument, RunFacts, build_run_document

Json = dict[str, Any]
Change = Callable[[Json], object]


def test_the_published_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_every_object_of_the_schema_is_closed() -> None:
    def open_objects(node: object, place: str) -> list[str]:
        if isinstance(node, list):
            return [found for i, item in enumerate(node) for found in open_objects(item, f"{place}/{i}")]
        if not isinstance(node, dict):
            return []
        here = [place] if node.get("type") == "object" and "additionalProperties" not in node else []
        return here + [found for key, item in node.items() for found in open_objects(item, f"{place}/{key}")]

    # The context of a call has arbitrary members; every other object defines its members.
    assert open_objects(schema(), "") == ["/$defs/call/properties/context"]


def test_a_document_with_every_kind_of_verdict_is_valid(mixed: Json) -> None:
    validate(mixed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda run: run.pop("reason"), "the document lacks the member 'reason'"),
        (lambda run: run.update({"extra\n": 1}), r'the document has the unknown member "extra\n"'),
        (lambda run: run.update(interrupted=None), "interrupted is null, not true or false"),
        (lambda run: run.update(specs={"a": 1}), 'specs is {"a": 1}, not an array'),
        (lambda run: run.update(profile=True), "profile is true, not one of default, strict, lenient"),
        (lambda run: run.update(seed="x" * 99), f'seed is "{"x" * 59}…, not an integer'),
        (lambda run: run.update(warnings=[[1, 2]]), "warnings/0 is [1, 2], not a string"),
        (lambda run: run.update(exit=0), "exit is 0, not 1"),
        (lambda run: run.update(started="now"), 'started is "now", not ISO 8601, UTC'),
    ],
)
def test_an_invalid_document_is_described_in_terms_of_json(mixed: Json, change: Change, message: str) -> None:
    change(mixed)
    with pytest.raises(UsageError) as refusal:
        validate(mixed)
    assert str(refusal.value).startswith(message)


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(place for key, member in members for place in places(member, (*path, key)))]


def test_the_compiled_schema_accepts_only_what_the_published_one_accepts(mixed: Json) -> None:
    """The compiled one is fast, and the other one decides about what it refuses."""
    checked, rng = Draft202012Validator(schema()), random.Random(7)
    accepted = 0
    for place in rng.sample([one for one in places(mixed) if one], 60):
        for value in (
            None,
            True,
            False,
            0,
            1,
            -1,
            1.5,
            "",
            "x",
            "a b\n",
            [],
            ["x", "x"],
            {},
            {"x": 1},
            "passed",
            "failed",
        ):
            changed = copy.deepcopy(mixed)
            node: Any = changed
            for key in place[:-1]:
                node = node[key]
            node[place[-1]] = value
            if SCHEMA.accepts(changed):
                accepted += 1
                assert checked.is_valid(changed), (place, value)
    assert accepted > 50 and SCHEMA.accepts(mixed)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda run: run.update(verdict="fine"), "verdict"),
        (lambda run: run.update(exit=0), "exit"),
        (lambda run: run.pop("reason"), "the document"),
        (lambda run: run.update(extra=1), "the document"),
        (lambda run: run.update(started="yesterday"), "started"),
        (lambda run: run.update(selection=["FR-LD-LST-05"]), "claim"),
        (lambda run: run.update(interrupted=True), "claim"),
        (lambda run: run["candidate"].update(extra="good"), "candidate"),
        (lambda run: run["machine"].update(strace="yes"), "machine/strace"),
        (lambda run: run["specs"][0]["requirements"][0].update(level="OUGHT"), "specs/0/requirements/0/level"),
        (lambda run: run["specs"][0]["requirements"][3].update(cause=None), "specs/0/requirements/3/cause"),
        (lambda run: run["specs"][0]["scenarios"][0].update(outcome="ok"), "specs/0/scenarios/0/outcome"),
        (lambda run: run["specs"][0]["scenarios"][0]["evidence"].pop("message"), "specs/0/scenarios/0/evidence"),
        (lambda run: run["specs"][0]["scenarios"][3]["evidence"].pop("cause"), "specs/0/scenarios/3/evidence"),
        (lambda run: run["specs"][0]["scenarios"][0]["evidence"].update(extra=1), "specs/0/scenarios/0/evidence"),
        (lambda run: run["specs"][0]["interpretations"][0].update(treatment="x"), "specs/0/interpretations/0"),
    ],
)
def test_an_invalid_document_is_refused_with_the_place_of_the_error(mixed: Json, change: Change, place: str) -> None:
    change(mixed)
    with pytest.raises(UsageError) as refusal:
        validate(mixed)
    assert str(refusal.value).startswith(place)


@pytest.mark.parametrize(
    ("conclusion", "code"), [("conformant", 0), ("non-conformant", 1), ("usage", 2), ("incomplete", 3), ("fault", 4)]
)
def test_every_conclusion_has_one_exit_code(run: Callable[..., Json], conclusion: str, code: int) -> None:
    for exit_code in range(5):
        document = run([], [], verdict=conclusion, exit=exit_code)
        if exit_code == code:
            validate(document)
        else:
            with pytest.raises(UsageError):
                validate(document)


def test_a_partial_run_is_never_a_claim(run: Callable[..., Json]) -> None:
    validate(run([], [], verdict="partial", exit=0, claim=False, selection=["LD-LST-05-01"]))
    with pytest.raises(UsageError):
        validate(run([], [], verdict="partial", exit=0, claim=True, selection=["LD-LST-05-01"]))


def test_a_run_with_a_selection_is_never_conformant(run: Callable[..., Json]) -> None:
    with pytest.raises(UsageError):
        validate(run([], [], verdict="conformant", exit=0, claim=False, selection=["LD-LST-05-01"]))


def test_the_evidence_of_success_is_written_only_into_a_shard(mixed: Json) -> None:
    passed, *others = sorted(mixed["specs"][0]["scenarios"], key=lambda one: str(one["outcome"] != "passed"))
    passed["evidence"] = {"tree": "a, b", "call": {"tool": "t", "arguments": "{}"}}
    whole = json.loads(dump(RunDocument.from_json(mixed)))["specs"][0]["scenarios"]
    assert next(one for one in whole if one["id"] == passed["id"]) == passed | {"evidence": {}}
    assert all(one in whole for one in others if one["outcome"] != "passed") and others
    assert passed["evidence"]["tree"] == "a, b"  # the other reports of the same run show it
    part = mixed | {"shard": {"numbers": [1], "of": 2, "content": "x", "guards": [], "fault": None}}
    assert passed in json.loads(dump(RunDocument.from_json(part)))["specs"][0]["scenarios"]


@pytest.mark.parametrize("folder", bundled_packs(), ids=lambda folder: folder.name)
def test_a_scenario_without_failure_costs_450_bytes_at_most(folder: Path) -> None:
    """The requirements count, too. A run of the five specifications then has less than 2 MB."""
    pack = load_pack(folder)
    cases = scenarios_of(pack)
    bases = {one.id: one.basis for one in pack.requirements}
    answer = {"status": "ok", "content": "x" * 1000}
    records = [
        ScenarioRecord(
            id=case.id,
            requirement=case.requirement,
            outcome=Outcome.PASSED,
            title=case.title,
            file=shown_path(pack, case.file),
            line=case.line,
            also=case.also,
            basis=case.basis or bases[case.requirement],
            seconds=0.0123,
            evidence=Evidence.from_json({"tree": "a/{b}", "call": {"tool": "t", "arguments": "{}"}, "outcome": answer}),
        )
        for case in cases
    ]
    expected = {case.id: case.requirement for case in cases}
    judged = judge(pack, records, platform="Linux", selected=None, expected=expected)
    facts = RunFacts(
        CandidateFacts("", "", "", "", ()),
        HostFacts("Linux", False, {}, {}),
        Profile.DEFAULT,
        None,
        0,
        "2001-01-01T00:00:00Z",
        1.0,
    )
    document = build_run_document([judged], Conclusion.CONFORMANT, "every applicable MUST holds", facts)
    assert len(dump(document)) / len(records) <= 450


def test_the_bytes_depend_only_on_the_value(mixed: Json) -> None:
    assert dump(RunDocument.from_json(mixed)) == dump(RunDocument.from_json(copy.deepcopy(mixed)))
    value = RunDocument.from_json(mixed).to_json()
    assert json.loads(dump(RunDocument.from_json(mixed))) == value
    assert list(json.loads(dump(RunDocument.from_json(mixed)))) == list(value)


def test_a_written_document_is_read_back(mixed: Json, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(dump(RunDocument.from_json(mixed)))
    assert load(file) == RunDocument.from_json(mixed)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"{", "not JSON"), (b"\xff", "byte 0 is not UTF-8"), (b"[" * 100_000, "not JSON"), (b"[]", "not a run report")],
)
def test_a_file_that_is_no_report_is_refused_in_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(data)
    with pytest.raises(UsageError) as refusal:
        load(file)
    assert "run.json" in str(refusal.value)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_report_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        load(tmp_path / "none.json")


def test_an_endless_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treeproof.report.document.MAX_BYTES", 1 << 20)
    with pytest.raises(UsageError, match="/dev/zero: is a device, not a file; name a report"):
        load(Path("/dev/zero"))


def test_the_codes_and_remedies_are_those_of_the_published_schema() -> None:
    codes = get_args(CauseCode)
    assert tuple(schema()["$defs"]["code"]["enum"]) == codes
    assert set(REMEDIES) < set(codes)
