"""The mutants and variants that a change since a revision of git can affect, in a repository made for the test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.mutation.mutants_to_run import Revision, Selection, select_affected
from treeproof.scaffold.specification import new_spec
from treeproof.spec import find_pack, load_pack

ORDER, MISSING, EMPTY = "MUT-MYTOOL-01", "MUT-MYTOOL-02", "MUT-MYTOOL-90"


STEPS = '''
from treeproof.api import World, then

@then("there are entries")
def there_are_entries(world: World) -> None:
    """Require an answer."""
    assert world.answer.content
'''


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "my_tool"
    new_spec("my_tool", folder)
    edit(folder / "first.feature", 'Then the entries in order are "a, b, c"', "Then there are entries")
    (folder / "my_tool_steps.py").write_text(STEPS, "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "first")
    return folder


def affected(folder: Path) -> Selection:
    return select_affected([load_pack(find_pack(str(folder)))], "HEAD")[0]


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_nothing_is_affected_without_a_change(folder: Path) -> None:
    (folder / "README.md").write_text("other", "utf-8")
    found = affected(folder)
    assert found.is_empty and not found.requirements


def test_a_changed_scenario_affects_the_mutants_of_its_requirement_and_null_candidates(folder: Path) -> None:
    edit(folder / "first.feature", 'the tree "b, a/{x}, c"', 'the tree "b, a/{x, y}, c"')
    found = affected(folder)
    assert found.requirements == {"MYTOOL-OUT-01"}
    assert (found.mutants, found.scenarios) == ((ORDER, EMPTY), ("MYTOOL-OUT-01-01",))


def test_lines_that_only_move_affect_nothing(folder: Path) -> None:
    feature = folder / "first.feature"
    feature.write_text("# a comment\n\n" + feature.read_text("utf-8"), "utf-8")
    found = affected(folder)
    assert found.is_empty and not found.requirements


def test_a_removed_scenario_affects_its_requirement(folder: Path) -> None:
    case = load_pack(find_pack(str(folder))).feature_files()[0]
    text = case.read_text("utf-8")
    start = text.index("  @MYTOOL-ERR-01")
    case.write_text(text[:start], "utf-8")
    assert affected(folder).requirements == {"MYTOOL-ERR-01"}


@pytest.mark.parametrize("name", ["my_tool_reference.py", "my_tool_mutants.py"])
def test_a_changed_reference_affects_all_mutants_and_no_scenario(folder: Path, name: str) -> None:
    (folder / name).write_text((folder / name).read_text("utf-8") + "\n# changed\n", "utf-8")
    found = affected(folder)
    assert (found.mutants, found.scenarios) == ((ORDER, MISSING, EMPTY), ())


def test_a_changed_step_module_affects_the_scenarios_that_use_it(folder: Path) -> None:
    file = folder / "my_tool_steps.py"
    file.write_text(file.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert affected(folder).requirements == {"MYTOOL-OUT-01"}


def test_a_changed_requirement_affects_its_mutants(folder: Path) -> None:
    edit(folder / "spec.toml", 'id = "MYTOOL-ERR-01"', 'id = "MYTOOL-ERR-01"\ncondition = "Linux"')
    found = affected(folder)
    assert found.requirements == {"MYTOOL-ERR-01"}
    assert found.mutants == (MISSING, EMPTY)


def test_a_changed_table_of_the_specification_affects_everything(folder: Path) -> None:
    edit(folder / "spec.toml", 'title = "', 'title = "Another ')
    found = affected(folder)
    assert found.requirements == {"MYTOOL-OUT-01", "MYTOOL-ERR-01"}
    assert found.mutants == (ORDER, MISSING, EMPTY)


def test_a_new_file_is_a_change(folder: Path) -> None:
    (folder / "more.feature").write_text("Feature: more\n", "utf-8")
    assert folder / "more.feature" in Revision(folder, "HEAD").changed_files()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "--since nowhere: .* has no such revision; write one such as origin/main"),
        ("--output=x", "--since --output=x: is no revision; write one such as"),
    ],
)
def test_an_unknown_revision_is_refused(folder: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Revision(folder, name)


def test_a_folder_outside_of_a_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is in no git repository; leave --since out"):
        Revision(tmp_path, "HEAD")


def test_a_machine_without_git_gets_one_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(UsageError, match="the program git is not installed; leave --since out"):
        Revision(folder, "HEAD")


def test_the_command_runs_what_is_affected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["adequacy", "--spec", str(folder), "--jobs", "1", "--since", "HEAD"]
    assert main(options) == 0
    assert "nothing since HEAD" in capsys.readouterr().out
    edit(folder / "spec.toml", 'id = "MYTOOL-ERR-01"', 'id = "MYTOOL-ERR-01"\nharm = "data"')
    assert main(options) == 0
    out = capsys.readouterr().out
    assert "1 of 1 mutants are killed" in out and "1 of 1 null candidates pass no requirement" in out
    assert main([*options, "--select", ORDER]) == 2
    assert "--since and --select exclude each other" in capsys.readouterr().err
