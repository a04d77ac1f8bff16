"""A complete search: a seeded error is found, minimised, saved, replayed and promoted to a scenario."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.model.case import Case
from treeproof.report.console_writer import console_for
from treeproof.run.runner import Options, run
from treeproof.search.counterexample_file import SavedCounterexample, read_counterexample
from treeproof.search.promote import promote
from treeproof.search.search import Search
from treeproof.search.search_output import SearchProgress
from treeproof.spec import find_pack, load_pack, parse_feature

TARGET = "python:seeded:OmitsFiles"
REQUIREMENT = "FR-LD-LST-02"


@pytest.fixture(autouse=True)
def seeded_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "seeded_candidates"))


@pytest.fixture(scope="module")
def saved_counterexample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the counterexample that a search for the seeded error saved."""
    folder = tmp_path_factory.mktemp("saved")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent / "seeded_candidates"))
        # The search ends when it has found the counterexample, or at its time limit.
        patch.setattr(
            Search,
            "is_over",
            property(lambda search: has_counterexample(search, REQUIREMENT) or search.elapsed >= search.seconds),
        )
        assert main(["search", TARGET, "--seconds", "300", "--seed", "3", "--save", str(folder)]) == 1
    return next(folder.glob(f"{REQUIREMENT}-*.json"))


def has_counterexample(search: Search, requirement: str) -> bool:
    return any(counterexample.requirement == requirement for counterexample in search.counterexamples)


def test_a_seeded_error_is_found_and_minimised(saved_counterexample: Path) -> None:
    found = read_counterexample(saved_counterexample)
    assert (found.requirement, found.spec, found.target) == ("FR-LD-LST-02", "list_directory", TARGET)
    assert len(list(found.case.tree.walk())) == 2
    assert "only the candidate differs" in found.agreement
    assert found.answer["status"] == "ok" and found.answer["raw"]
    assert str(saved_counterexample.parent) not in saved_counterexample.read_text()


def test_a_search_without_counterexamples_reports_its_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "reference", "--seconds", "2", "--seed", "4"]) == 0
    output = capsys.readouterr().out
    assert "no counterexample in" in output
    assert "recursion" in output and "seed 4" in output


@pytest.mark.slow
def test_a_change_of_the_disk_is_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Search, "is_over", property(lambda search: search.counterexamples or search.elapsed >= search.seconds)
    )
    target = "python:seeded:LeavesAFile"
    assert main(["search", target, "--spec", "local_files", "--seconds", "300"]) == 1
    output = capsys.readouterr().out
    assert "LF-ROLE-02" in output and "the call has changed the disk" in output


def test_a_recommendation_has_a_counterexample_only_under_the_strict_profile(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    search = ["search", "variant:VAR-LS-01", "--spec", "ls"]
    assert main([*search, "--seconds", "3"]) == 0
    assert "no counterexample in" in capsys.readouterr().out
    monkeypatch.setattr(
        Search, "is_over", property(lambda search: search.counterexamples or search.elapsed >= search.seconds)
    )
    assert main([*search, "--seconds", "300", "--profile", "strict"]) == 1
    assert "LS-ERR-0" in capsys.readouterr().out


def test_the_progress_of_a_search_may_have_a_closed_pipe(saved_counterexample: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream, SearchProgress(console_for(stream, {})) as progress:
        progress.on_counterexample(read_counterexample(saved_counterexample))
        progress.on_counterexample(read_counterexample(saved_counterexample))


def test_a_search_of_two_specifications_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "reference", "--spec", "list_directory", "--spec", "ls"]) == 2
    assert "--spec ls: a search needs exactly one specification" in capsys.readouterr().err


def test_a_candidate_that_always_crashes_is_no_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "python:seeded:AlwaysCrashes", "--seconds", "300"]) == 4  # it ends with the fault
    assert "candidate fault: " in capsys.readouterr().out


def test_a_counterexample_is_reproduced_but_not_on_the_reference(
    saved_counterexample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(saved_counterexample), read_counterexample(saved_counterexample).target]) == 1
    assert "FR-LD-LST-02" in capsys.readouterr().out
    assert main(["replay", str(saved_counterexample), "reference"]) == 0


def test_earlier_calls_are_made_on_their_own_trees(
    saved_counterexample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = {"tool": "list_directory", "arguments": {"path": "."}, "context": {}}
    case = Case.from_json({**call, "tree": "f=3", "earlier": [{**call, "tree": "f/{g}, h"}]})
    saved = replace(read_counterexample(saved_counterexample), family="earlier calls", case=case).write(tmp_path)
    assert main(["replay", str(saved), "mutant:MUT-980"]) == 1
    assert "type of f is wrong" in capsys.readouterr().out
    assert main(["replay", str(saved), "reference"]) == 0
    alone = replace(read_counterexample(saved), case=replace(case, earlier=())).write(tmp_path)
    assert main(["replay", str(alone), "mutant:MUT-980"]) == 0


def test_a_command_of_a_file_is_shown_and_not_run_unseen(
    saved_counterexample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marker = tmp_path / "ran"
    target = f"stdio:touch {marker}"
    hostile = replace(read_counterexample(saved_counterexample), target=target).write(tmp_path)
    assert main(["replay", str(hostile)]) == 2
    assert f"to run it, write: treeproof replay {hostile} '{target}'" in capsys.readouterr().err
    assert not marker.exists()
    of_reference = replace(read_counterexample(saved_counterexample), target="reference").write(tmp_path)
    assert main(["replay", str(of_reference)]) == 0


def test_a_case_that_the_candidate_does_not_support_is_not_verified(
    saved_counterexample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = replace(read_counterexample(saved_counterexample), family="settings").write(tmp_path)
    assert main(["replay", str(other), "python:seeded:NoCapabilities"]) == 3
    assert "does not support cases" in capsys.readouterr().out


def test_cases_of_a_tool_that_this_candidate_does_not_offer_are_not_verified(
    saved_counterexample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search = {"tool": "findFiles", "arguments": {"path": "$ROOT", "recursive": True, "glob": "*"}}
    case = Case.from_json({**search, "tree": "a", "context": {}})
    saved = replace(read_counterexample(saved_counterexample), spec="local_files", family="searches", case=case).write(
        tmp_path
    )
    assert main(["replay", str(saved), "reference"]) == 0
    assert main(["replay", str(saved), "python:seeded:OnlyListDirectory"]) == 3
    assert "does not support cases of the family searches" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "format"),
        ({"case": {}}, "case"),
        ({"spec": None}, "spec"),
        ({"case": {"tree": "a/{", "tool": "t", "arguments": {}, "context": {}}}, "case.tree"),
        ({"case": {"tree": "a", "tool": "t", "arguments": {}, "context": {}, "earlier": [{}]}}, "case.earlier"),
        (
            {
                "case": {
                    **{"tree": "a", "tool": "t", "arguments": {}, "context": {}},
                    "earlier": [{"tree": "a/{", "tool": "t", "arguments": {}, "context": {}}],
                }
            },
            "case.tree",
        ),
    ],
)
def test_a_file_that_is_no_counterexample_is_refused(
    saved_counterexample: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({**json.loads(saved_counterexample.read_text()), **change}))
    with pytest.raises(UsageError, match=message):
        read_counterexample(broken)


def test_unreadable_files_are_usage_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("no json")
    assert main(["replay", str(tmp_path / "text")]) == 2
    assert main(["replay", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a copy of the pack that a test may change."""
    folder = tmp_path / "pack"
    shutil.copytree(load_pack(find_pack("list_directory")).folder, folder)
    return folder


@pytest.mark.slow
def test_a_counterexample_becomes_a_scenario_with_a_new_id(saved_counterexample: Path, copied: Path) -> None:
    found: SavedCounterexample = replace(read_counterexample(saved_counterexample), spec=str(copied))
    before = {case.id for file in copied.glob("*.feature") for case in parse_feature(file).scenarios}
    file, id = promote(found, None)
    case = next(case for case in parse_feature(file).scenarios if case.id == id)
    assert id not in before
    assert (case.requirement, case.id.rpartition("-")[0]) == ("FR-LD-LST-02", "LD-LST-02")

    def outcome(target: str) -> str:
        done = run(Options(target=target, specs=(str(copied),), select=(id,))).document
        return str(done.to_json()["specs"][0]["scenarios"][0]["outcome"])

    assert outcome(TARGET) == "failed"
    assert outcome("reference") == "passed"


@pytest.mark.slow
def test_a_second_promotion_is_refused(saved_counterexample: Path, copied: Path) -> None:
    found = replace(read_counterexample(saved_counterexample), spec=str(copied))
    promote(found, None)
    with pytest.raises(UsageError, match=r"\.feature: a scenario has the steps of this counterexample already"):
        promote(found, None)


def test_a_file_without_the_rule_is_refused_and_left_alone(saved_counterexample: Path, copied: Path) -> None:
    other = copied / "policy.feature"
    before = other.read_text()
    with pytest.raises(UsageError, match="is no feature of the pack with a Rule of FR-LD-LST-02"):
        promote(replace(read_counterexample(saved_counterexample), spec=str(copied)), other)
    assert other.read_text() == before


@pytest.mark.slow
def test_a_scenario_that_does_not_pass_the_lint_is_removed_again(saved_counterexample: Path, copied: Path) -> None:
    texts = {file: file.read_text() for file in copied.glob("*.feature")}
    with pytest.raises(UsageError, match="lint|cannot be read|expected"):
        promote(replace(read_counterexample(saved_counterexample), spec=str(copied), scenario="Giben the tree"), None)
    assert {file: file.read_text() for file in copied.glob("*.feature")} == texts


@pytest.mark.slow
def test_a_lint_that_is_interrupted_leaves_the_feature_as_it_was(
    saved_counterexample: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("treeproof.search.promote.lint_pack", interrupted)
    texts = {file: file.read_text() for file in copied.glob("*.feature")}
    with pytest.raises(KeyboardInterrupt):
        promote(replace(read_counterexample(saved_counterexample), spec=str(copied)), None)
    assert {file: file.read_text() for file in copied.glob("*.feature")} == texts
