"""A search from end to end: a seeded mistake is found, made small, kept, seen again and made a scenario."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.report.console_writer import console_for
from treeproof.run.runner import Options, run
from treeproof.search.console import SearchProgress
from treeproof.search.counterexample_file import SavedCounterexample, read_counterexample
from treeproof.search.model import Case
from treeproof.search.promote import promote
from treeproof.search.search import Search
from treeproof.spec import find_pack, load_pack, parse_feature

FORGETFUL = "python:seeded:Forgetful"
EXPECTED_REQUIREMENT = "FR-LD-LST-02"


@pytest.fixture(autouse=True)
def seeded_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "seeded_candidates"))


@pytest.fixture(scope="module")
def saved_counterexample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counterexample that a search for the seeded mistake has kept."""
    folder = tmp_path_factory.mktemp("saved")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent / "seeded_candidates"))
        # As long as it takes, on whatever machine, and no longer.
        patch.setattr(
            Search,
            "is_over",
            property(lambda hunt: has_counterexample(hunt, EXPECTED_REQUIREMENT) or hunt.elapsed >= hunt.seconds),
        )
        assert main(["search", FORGETFUL, "--seconds", "300", "--save", str(folder)]) == 1
    return next(folder.glob(f"{EXPECTED_REQUIREMENT}-*.json"))


def has_counterexample(hunt: Search, requirement: str) -> bool:
    return any(bundle.requirement == requirement for bundle in hunt.counterexamples)


def test_a_seeded_mistake_is_found_and_made_small(saved_counterexample: Path) -> None:
    found = read_counterexample(saved_counterexample)
    assert (found.requirement, found.spec, found.target) == ("FR-LD-LST-02", "list_directory", FORGETFUL)
    assert len(list(found.case.tree.walk())) == 2
    assert "only the candidate differs" in found.agreement
    assert found.answer["status"] == "ok" and found.answer["raw"]
    assert str(saved_counterexample.parent) not in saved_counterexample.read_text()


def test_a_search_without_success_says_what_it_covered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "reference", "--seconds", "2", "--seed", "4"]) == 0
    told = capsys.readouterr().out
    assert "no counterexample in" in told
    assert "recursion" in told and "seed 4" in told


def test_who_watches_a_search_may_go_away(saved_counterexample: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream, SearchProgress(console_for(stream, {})) as progress:
        progress.on_counterexample(read_counterexample(saved_counterexample))
        progress.on_counterexample(read_counterexample(saved_counterexample))


def test_a_search_is_one_of_one_specification(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "reference", "--spec", "list_directory", "--spec", "ls"]) == 2
    assert "--spec ls: a search needs exactly one specification" in capsys.readouterr().err


def test_a_candidate_that_always_breaks_is_no_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "python:seeded:Dying", "--seconds", "5"]) == 4
    assert "candidate fault: " in capsys.readouterr().out


def test_a_counterexample_is_seen_again_and_not_on_the_reference(
    saved_counterexample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(saved_counterexample)]) == 1
    assert "FR-LD-LST-02" in capsys.readouterr().out
    assert main(["replay", str(saved_counterexample), "reference"]) == 0


def test_what_this_candidate_cannot_be_asked_is_not_verified(
    saved_counterexample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = replace(read_counterexample(saved_counterexample), family="settings").write(tmp_path)
    assert main(["replay", str(other), "python:seeded:Bare"]) == 3
    assert "does not support cases" in capsys.readouterr().out


def test_cases_of_a_tool_that_this_candidate_does_not_offer_are_not_verified(
    saved_counterexample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search = {"tool": "findFiles", "arguments": {"path": "$ROOT", "recursive": True, "glob": "*"}}
    case = Case.from_json({**search, "tree": "a", "context": {}})
    kept = replace(read_counterexample(saved_counterexample), spec="local_files", family="searches", case=case).write(
        tmp_path
    )
    assert main(["replay", str(kept), "reference"]) == 0
    assert main(["replay", str(kept), "python:seeded:Listing"]) == 3
    assert "does not support cases of the family searches" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 99}, "format"),
        ({"case": {}}, "case"),
        ({"spec": None}, "spec"),
        ({"case": {"tree": "a/{", "tool": "t", "arguments": {}, "context": {}}}, "case.tree"),
    ],
)
def test_a_file_that_is_no_counterexample_is_refused(
    saved_counterexample: Path, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({**json.loads(saved_counterexample.read_text()), **change}))
    with pytest.raises(UsageError, match=said):
        read_counterexample(broken)


def test_files_that_cannot_be_read_are_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("no json")
    assert main(["replay", str(tmp_path / "text")]) == 2
    assert main(["replay", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the pack, to be changed."""
    folder = tmp_path / "pack"
    shutil.copytree(load_pack(find_pack("list_directory")).folder, folder)
    return folder


def test_a_counterexample_becomes_a_scenario_with_a_new_id(saved_counterexample: Path, copy: Path) -> None:
    found: SavedCounterexample = replace(read_counterexample(saved_counterexample), spec=str(copy))
    before = {row.id for file in copy.glob("*.feature") for row in parse_feature(file).scenarios}
    file, id = promote(found, None)
    row = next(row for row in parse_feature(file).scenarios if row.id == id)
    assert id not in before
    assert (row.requirement, row.id.rpartition("-")[0]) == ("FR-LD-LST-02", "LD-LST-02")

    def outcome(target: str) -> str:
        done = run(Options(target=target, specs=(str(copy),), select=(id,))).document
        return str(done["specs"][0]["scenarios"][0]["outcome"])

    assert outcome(FORGETFUL) == "failed"
    assert outcome("reference") == "passed"


def test_a_second_promotion_gets_another_id_and_title(saved_counterexample: Path, copy: Path) -> None:
    found = replace(read_counterexample(saved_counterexample), spec=str(copy))
    assert promote(found, None)[1] != promote(found, None)[1]


def test_a_file_without_the_rule_is_refused_and_left_alone(saved_counterexample: Path, copy: Path) -> None:
    other = copy / "policy.feature"
    before = other.read_text()
    with pytest.raises(UsageError, match="is no feature of the pack with a Rule of FR-LD-LST-02"):
        promote(replace(read_counterexample(saved_counterexample), spec=str(copy)), other)
    assert other.read_text() == before


def test_a_scenario_that_does_not_pass_the_lint_is_taken_out_again(saved_counterexample: Path, copy: Path) -> None:
    texts = {file: file.read_text() for file in copy.glob("*.feature")}
    with pytest.raises(UsageError, match="lint|cannot be read|expected"):
        promote(replace(read_counterexample(saved_counterexample), spec=str(copy), scenario="Giben the tree"), None)
    assert {file: file.read_text() for file in copy.glob("*.feature")} == texts


def test_a_lint_that_is_interrupted_leaves_the_feature_as_it_was(
    saved_counterexample: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("treeproof.search.promote.lint", interrupted)
    texts = {file: file.read_text() for file in copy.glob("*.feature")}
    with pytest.raises(KeyboardInterrupt):
        promote(replace(read_counterexample(saved_counterexample), spec=str(copy)), None)
    assert {file: file.read_text() for file in copy.glob("*.feature")} == texts
