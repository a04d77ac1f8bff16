"""`--select`: ids in any case, their beginnings, patterns, interpretations, tags and feature files; `--failed`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.plan import Options, plan_run, with_exact_selection
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.selection import apply_selection, exact_selection


@pytest.fixture(scope="module")
def packs() -> Sequence[SelectedPack]:
    return plan_run(Options("reference", specs=("list_directory", "ls")))


def selected(packs: Sequence[SelectedPack], *words: str) -> set[str]:
    return {id for part in apply_selection(packs, words) for id in part.selected_ids or ()}


def test_an_id_selects_a_scenario_a_requirement_or_a_specification_in_any_case(packs: Sequence[SelectedPack]) -> None:
    assert selected(packs, "ld-lst-05-01") == {"LD-LST-05-01"}
    by_requirement = packs[0].requirement_by_scenario
    assert selected(packs, "Fr-Ld-Lst-05") == {id for id, r in by_requirement.items() if r == "FR-LD-LST-05"}
    assert selected(packs, "LIST_DIRECTORY") == set(by_requirement)


def test_a_beginning_ends_at_a_hyphen(packs: Sequence[SelectedPack]) -> None:
    all_ids = set(packs[0].requirement_by_scenario)
    with pytest.raises(UsageError, match="--select LD-VAL-1: "):
        selected(packs, "LD-VAL-1")
    assert selected(packs, "LD-VAL-10") == {id for id in all_ids if id.startswith("LD-VAL-10-")}


def test_patterns_meet_scenarios_and_requirements_of_every_pack(packs: Sequence[SelectedPack]) -> None:
    known = {id for part in packs for id in part.requirement_by_scenario}
    assert selected(packs, "LD-LST-05-0?") == {id for id in known if id[:-1] == "LD-LST-05-0"}
    assert selected(packs, "*-sort-*")  # those of LS
    assert selected(packs, "*") == known


def test_an_interpretation_selects_what_names_it_and_what_it_affects(packs: Sequence[SelectedPack]) -> None:
    found = selected(packs, "amb-ld-51")
    assert "LD-VAL-07-24" in found  # names it
    assert selected(packs, "FR-LD-VAL-10") <= found
    assert len(found) < 250
    assert "LD-OUT-02a-09" in selected(packs, "AMB-LD-15")


def test_a_tag_and_the_name_of_a_feature_file(packs: Sequence[SelectedPack]) -> None:
    tagged = selected(packs, "@needs:strace")
    assert tagged == {
        case.id
        for part in packs
        for text in part.features.values()
        for case in text.scenarios
        if "strace" in case.needs
    }
    in_file = selected(packs, "@Traversal_Order")
    assert "LD-LST-05-01" in in_file
    assert selected(packs, "@returns", "LD-LST-05-01") >= {"LD-LST-05-01"}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("FR-LD-LTS-05", "no requirement, scenario or specification has this id; did you mean FR-LD-LST-05?"),
        ("AMB-LD-500", "did you mean AMB-LD-5"),
        ("@sandbx", "no scenario has this tag, and no feature file has this name; did you mean @sandbox?"),
        ("LD-*-nothing", "no requirement, scenario or specification has this id"),
        ("@", "no scenario has this tag"),
        ("LD-LST-05-01,LD-VAL-01-01", "separate the ids with blanks, without commas: LD-LST-05-01 LD-VAL-01-01"),
    ],
)
def test_an_unknown_word_gets_a_remedy(packs: Sequence[SelectedPack], word: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        apply_selection(packs, [word])
    assert str(caught.value).startswith(f"--select {word}: ")
    assert message in str(caught.value)


def test_a_shard_records_ids_that_a_merge_can_apply(packs: Sequence[SelectedPack]) -> None:
    words = ["FR-LD-LST-05", "LD-LST-05-0[13]", "@nothing-else"]
    assert exact_selection(packs, words[:2]) == ("FR-LD-LST-05", "LD-LST-05-01", "LD-LST-05-03")
    options = Options("reference", specs=("list_directory",), select=("LD-LST-05-0[13]",))
    assert with_exact_selection(options) == options


def test_failed_runs_what_failed_and_broke_and_everything_if_nothing_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = ["run", "mutant:MUT-001", "--jobs", "1", "--report", "json=run.json"]
    assert main([*run, "--select", "LD-LST-05-01", "T-LD-02"]) == 1
    ids = [one["id"] for spec in json.loads(Path("run.json").read_text())["specs"] for one in spec["scenarios"]]
    assert len(ids) > 1
    assert main([*run, "--failed", "run.json"]) == 1
    document = json.loads(Path("run.json").read_text())
    assert [one["id"] for spec in document["specs"] for one in spec["scenarios"]] == ["LD-LST-05-01"]
    assert main(["run", "reference", "--jobs", "1", "--failed", "run.json", "--report", "json=run.json"]) == 0
    capsys.readouterr()
    again = ["run", "reference", "--jobs", "1", "--select", "LD-LST-05-03", "--failed", "run.json"]
    assert main(again) == 0
    output = capsys.readouterr()
    assert "--failed run.json: nothing failed or broke there; everything runs" in output.err
    assert "LD-LST-05-03  passed" in output.out


def test_failed_refuses_what_is_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text("[]", "utf-8")
    assert main(["run", "reference", "--failed", str(tmp_path / "x.json")]) == 2
    assert "x.json: not a run report" in capsys.readouterr().err
