"""What holds in each version of a specification, and what lint finds in several."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.two_versions import edit, write_two_versions
from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.pack_lint import lint_folder
from treeproof.spec import find_pack, load_pack, open_pack
from treeproof.spec.mutants import load_mutants
from treeproof.spec.pack_versions import VersionSpan
from treeproof.spec.packs import address_of
from treeproof.spec.version_features import scenarios_of

ORDER = ("1.0", "1.1", "1.2")
COMMON = ["RT2-OUT-01-01", "RT2-OUT-01-02", "RT2-OUT-01-03", "RT2-OUT-01-04"]


@pytest.mark.parametrize(
    ("since", "until", "holding"),
    [
        (None, None, ["1.0", "1.1", "1.2"]),
        ("1.1", None, ["1.1", "1.2"]),
        (None, "1.1", ["1.0", "1.1"]),
        ("1.1", "1.1", ["1.1"]),
    ],
)
def test_a_span_includes_both_of_its_versions(since: str | None, until: str | None, holding: list[str]) -> None:
    span = VersionSpan(since, until)
    assert [version for version in ORDER if span.contains(version, ORDER)] == holding
    assert span.problem(ORDER) is None


def test_the_order_of_a_span_is_that_of_the_file_and_not_of_the_numbers() -> None:
    order = ("9", "10", "beta")
    assert VersionSpan("9", "10").contains("10", order)
    assert not VersionSpan("beta").contains("10", order)
    assert VersionSpan("10", "9").problem(order) == (
        "until",
        '"9" is before "10", so it holds in no version; write a later one',
    )


def test_each_version_has_its_own_requirements_and_scenarios(folder: Path) -> None:
    older, newer = load_pack(folder, "1.1"), load_pack(folder)
    assert (older.version, newer.version, newer.versions) == ("1.1", "1.2", ("1.1", "1.2"))
    common = ["RT2-OUT-01", "RT2-ERR-01", "RT2-ACC-01"]
    assert sorted(one.id for one in older.requirements) == sorted([*common, "RT2-OUT-02", "RT2-ERR-02"])
    assert sorted(one.id for one in newer.requirements) == sorted([*common, "RT2-OUT-02", "RT2-ERR-03"])
    assert older.requirement("RT2-OUT-02").text != newer.requirement("RT2-OUT-02").text
    assert [case.id for case in scenarios_of(older)] == [*COMMON, "RT2-OUT-02-01", "RT2-ERR-01-01", "RT2-ERR-02-01"]
    assert [case.id for case in scenarios_of(newer)] == ["RT2-OUT-02-02", "RT2-ERR-03-01", *COMMON, "RT2-ERR-01-01"]


def test_a_requirement_of_another_version_is_left_out_of_also(folder: Path) -> None:
    by_version = {
        version: next(case.also for case in scenarios_of(load_pack(folder, version)) if case.id == "RT2-ERR-01-01")
        for version in ("1.1", "1.2")
    }
    assert by_version == {"1.1": ("RT2-ERR-02",), "1.2": ()}


def test_the_version_with_a_reference_of_its_own_has_its_own_mutants(folder: Path) -> None:
    older, newer = load_pack(folder, "1.1"), load_pack(folder)
    assert older.reference == "read_text_reference:Candidate"
    assert newer.reference == "read_text_candidate_1_2:Candidate"
    assert sorted(load_mutants(newer)) == ["MUT-RT2-11", "MUT-RT2-12"]
    assert "MUT-RT2-04" in load_mutants(older)
    edit(
        folder / "spec.toml",
        'mutants = "read_text_mutants:mutants"\nvariants = "read_text_variants:variants"\n\n',
        "\n",
    )
    assert load_pack(folder, "1.1").mutants is None  # those of 1.2 change another reference


def test_mutants_of_other_versions_are_left_out_if_the_reference_is_the_same(folder: Path) -> None:
    edit(folder / "spec.toml", "read_text_mutants_1_2:mutants", "read_text_mutants:mutants")
    assert "MUT-RT2-04" not in load_mutants(load_pack(folder))  # violates RT2-ERR-02, which is of 1.1
    assert "MUT-RT2-03" in load_mutants(load_pack(folder))


def test_a_version_follows_a_name_or_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert open_pack("./read_text@1.1").version == "1.1"
    assert open_pack("./read_text").version == "1.2"
    monkeypatch.chdir(folder)
    assert open_pack(".@1.1").version == "1.1"
    older = open_pack(".@1.1")
    assert open_pack(address_of(older)) == older
    with pytest.raises(UsageError, match=r'there is no version "1.3"; write one of: 1.1, 1.2'):
        open_pack(".@1.3")
    with pytest.raises(UsageError, match='ls is not bundled in version "9"; available: .*ls@2.0.0'):
        find_pack("ls@9")


def test_a_folder_whose_name_contains_an_at_sign_is_a_folder(folder: Path) -> None:
    other = write_two_versions(folder.parent / "copy@1.1")
    assert open_pack(str(other)).folder == other
    other.rename(folder.parent / "read_text@1.1")
    with pytest.raises(UsageError, match=r"can be this folder and version 1.1 of .*read_text; rename the folder"):
        open_pack(f"{folder}@1.1")


def test_lint_checks_every_version_and_names_an_earlier_one(folder: Path) -> None:
    assert lint_folder(folder) == []
    edit(folder / "text.feature", "    @RT2-ERR-02-01\n", "    @RT2-ERR-02-01 @also:RT2-ERR-09\n")
    found = [str(one).removeprefix(f"{folder}/") for one in lint_folder(folder)]
    assert found == [
        'text.feature:67: orphaned: @also:RT2-ERR-09 names no requirement; write "RT2-ERR-02" (version 1.1)'
    ]


def test_a_step_that_only_an_earlier_version_uses_is_used(folder: Path) -> None:
    edit(folder / "text.feature", "    @RT2-OUT-01-04\n", "    @RT2-OUT-01-04 @until:1.1\n")
    assert lint_folder(folder) == []


def test_an_id_of_a_scenario_is_assigned_once_for_all_versions(folder: Path) -> None:
    edit(folder / "added.feature", "@RT2-OUT-02-02", "@RT2-OUT-02-01")
    assert any("has the id RT2-OUT-02-01 too; choose another" in one.message for one in lint_folder(folder))


def test_tags_that_leave_no_version_are_reported(folder: Path) -> None:
    edit(folder / "added.feature", "@RT2-OUT-02-02", "@RT2-OUT-02-02 @until:1.1")
    assert any("leave no version in which the scenario holds" in one.message for one in lint_folder(folder))


def test_a_diagnostic_on_a_catalogue_has_the_line_of_its_own_version(folder: Path) -> None:
    edit(folder / "spec.toml", 'sentences = ["61158357d21e"]', 'sentences = ["000000000000"]')
    found = [one for one in lint_folder(folder) if "000000000000" in one.message]
    lines = (folder / "spec.toml").read_text("utf-8").splitlines()
    assert found
    assert "000000000000" in lines[found[0].line - 1]


def test_a_document_of_an_earlier_version_is_compared_with_that_version(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", str(folder), "--document", str(folder / "specification-1.1.md")]) == 0
    edit(folder / "specification-1.1.md", "A directory MUST be", "Each directory MUST be")
    assert main(["lint", str(folder), "--document", str(folder / "specification-1.1.md")]) == 2
    assert "RT2-ERR-02: no sentence of specification-1.1.md has the hash ae8c5c9dc6ce" in capsys.readouterr().out


def test_confirm_writes_the_hash_and_the_lock_of_the_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    older = folder / "specification-1.1.md"
    assert main(["confirm", "--spec", str(folder), "--document", str(folder / "specification.md")]) == 0
    assert main(["confirm", "--spec", f"{folder}@1.1", "--document", str(older)]) == 0
    assert (folder / "sentences.lock").exists()
    assert (folder / "sentences-1.1.lock").exists()
    edit(older, "A missing file MUST be", "Each missing file MUST be")
    assert main(["lint", str(folder), "--document", str(older)]) == 2
    main(["confirm", "RT2-ERR-01", "--spec", f"{folder}@1.1", "--document", str(older)])
    main(["confirm", "--spec", f"{folder}@1.1", "--document", str(older)])
    capsys.readouterr()
    assert main(["lint", str(folder)]) == 0, capsys.readouterr().out
    assert len(load_pack(folder).requirement("RT2-ERR-01").sentences) == 2  # 1.2 still has the old words
