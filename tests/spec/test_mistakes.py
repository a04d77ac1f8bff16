"""Mistakes that the author of a specification makes: lint tells each with its file, its line and what to write instead.

The folder `mistakes/` lists them as edits of the correct pack in `read_text/`, or of what `new spec` writes. A run
refuses what lint calls an error, with the same line.
"""

from __future__ import annotations

import inspect
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.model.case import Model, StateMachineModel
from treeproof.run.pack_lint import lint_folder
from treeproof.run.plan import Options, plan_run
from treeproof.run.runner import run
from treeproof.scaffold.specification import new_spec
from treeproof.spec.lint_modules import MODEL_ATTRIBUTES, MODEL_METHODS

PACK = Path(__file__).parent / "read_text"
LISTS = {file.stem: file for file in sorted((Path(__file__).parent / "mistakes").glob("*.toml"))}
MISTAKES: list[tuple[str, Mapping[str, Any]]] = [
    (f"{name} {number}", one)
    for name, file in LISTS.items()
    for number, one in enumerate(tomllib.loads(file.read_text("utf-8"))["mistake"], 1)
]
MET = [(id, one) for id, one in MISTAKES if "gap" not in one and one["file"] != "treeproof.toml"]
MANIFESTS = [(id, one) for id, one in MISTAKES if one["file"] == "treeproof.toml"]
STARTER = "starter"
"""The list for the pack that `treeproof new spec --with-oracle` writes."""
LINES_BETWEEN = 12
"""The finding may be at the beginning of the table, the scenario or the function that is edited."""


@pytest.fixture(scope="module")
def shared_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the pack for all mistakes outside of its modules, which are loaded once."""
    return copy_pack(tmp_path_factory.mktemp("mistakes"))


def copy_pack(folder: Path, kind: str = "") -> Path:
    """Copy the pack, or write that of the starter, into a folder; return the new folder."""
    if kind == STARTER:
        return new_spec("pets", folder / "pack", with_oracle=True).folder
    return shutil.copytree(PACK, folder / "pack", ignore=shutil.ignore_patterns("__pycache__"))


@contextmanager
def one_mistake(
    shared_copy: Path, folder: Path, mistake: Mapping[str, Any], kind: str = ""
) -> Iterator[tuple[Path, int]]:
    """Make one edit for a while; yield the folder of the edited pack and the line of the edit."""
    is_shared = kind != STARTER and not mistake["file"].endswith(".py")
    pack = shared_copy if is_shared else copy_pack(folder, kind)
    file = pack / mistake["file"]
    correct = file.read_text("utf-8")
    before, found, after = correct.partition(mistake["old"])
    assert found, "the pack has no such text"
    file.write_text(before + mistake["new"] + after, "utf-8")
    try:
        yield pack, before.count("\n") + 1
    finally:
        file.write_text(correct, "utf-8")


@pytest.mark.parametrize(("kind", "mistake"), [pytest.param(id.split()[0], one, id=id) for id, one in MET])
def test_lint_tells_a_mistake_and_a_run_refuses_it(
    kind: str, mistake: Mapping[str, Any], shared_copy: Path, tmp_path: Path
) -> None:
    with one_mistake(shared_copy, tmp_path, mistake, kind) as (pack, edited_line):
        check_mistake(mistake, pack, edited_line)


def check_mistake(mistake: Mapping[str, Any], pack: Path, edited_line: int) -> None:
    findings = lint_folder(pack)
    lines = "\n".join(map(str, findings))
    place = pack / mistake.get("at", mistake["file"])
    found = [one for one in findings if one.file == place and mistake["says"] in one.message]
    assert found, lines
    assert found[0].line > 0, lines
    assert re.search(r"[;,:] ", found[0].message), "no fix"
    if "at" not in mistake:
        assert any(abs(one.line - edited_line) <= LINES_BETWEEN for one in found), lines
    errors = [one for one in findings if one.is_error]
    assert bool(errors) != mistake.get("note", False), lines
    if errors:
        with pytest.raises(UsageError) as refused:
            plan_run(Options("reference", specs=(str(pack),)))
        assert any(str(refused.value).startswith(f"{one.file}:{one.line}: ") for one in errors), refused.value
    else:
        plan_run(Options("reference", specs=(str(pack),)))


@pytest.mark.parametrize("mistake", [pytest.param(one, id=id) for id, one in MANIFESTS])
def test_a_run_refuses_a_mistake_in_a_manifest(
    mistake: Mapping[str, Any], shared_copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with one_mistake(shared_copy, tmp_path, mistake) as (pack, _):
        assert main(["run", str(pack / "treeproof.toml"), "--jobs", "1"]) == 2
    assert mistake["says"] in capsys.readouterr().err


def test_the_pack_without_mistakes_is_conformant() -> None:
    assert lint_folder(PACK) == []
    assert run(Options("reference", specs=(str(PACK),))).document.to_json()["verdict"] == "conformant"
    assert run(Options(str(PACK / "treeproof.toml"))).document.to_json()["verdict"] == "conformant"


def test_nearly_all_mistakes_are_met() -> None:
    gaps = [id for id, one in MISTAKES if "gap" in one]
    assert len(MISTAKES) >= 120
    assert len(gaps) <= 0.03 * len(MISTAKES)


def test_no_mistake_is_listed_twice() -> None:
    edits = Counter((one["file"], one["old"], one["new"]) for _, one in MISTAKES)
    assert [edit for edit, times in edits.items() if times > 1] == []


@pytest.mark.parametrize(("key", "protocol"), [("oracle", Model), ("state_machine", StateMachineModel)])
def test_lint_knows_the_members_of_models(key: str, protocol: type) -> None:
    members = {name: value for name, value in vars(protocol).items() if not name.startswith("_")}
    methods = {name: value for name, value in members.items() if inspect.isfunction(value)}
    assert set(MODEL_ATTRIBUTES[key]) == members.keys() - methods.keys()
    assert MODEL_METHODS[key] == {
        name: tuple(str(one).partition(":")[0] for one in inspect.signature(value).parameters.values())[1:]
        for name, value in methods.items()
    }


def test_all_mistakes_of_a_catalogue_come_at_once_and_hide_none_of_the_features(tmp_path: Path) -> None:
    pack = copy_pack(tmp_path)
    catalogue, feature = pack / "spec.toml", pack / "text.feature"
    text = catalogue.read_text("utf-8").replace('level = "MUST"', 'level = "MOST"', 1)
    catalogue.write_text(text.replace('treatment = "any"', 'treatment = "all"'), "utf-8")
    feature.write_text(feature.read_text("utf-8").replace("fails with NotAFile", "fails with NotFile"), "utf-8")
    found = [(one.file.name, one.message.partition(";")[0]) for one in lint_folder(pack)]
    assert found == [
        ("spec.toml", '[[requirement]] RT2-OUT-01: the key "level" holds "MOST"'),
        ("spec.toml", '[[interpretation]] AMB-RT2-01: the key "treatment" holds "all"'),
        ("text.feature", 'no kind of error is named "NotFile"'),
    ]


def test_an_argument_that_only_one_call_has(tmp_path: Path) -> None:
    """Without a schema, other calls are what is known of the arguments."""
    folder = new_spec("pets", tmp_path / "pets").folder
    feature, catalogue = folder / "first.feature", folder / "spec.toml"
    feature.write_text(feature.read_text("utf-8").replace('{"path": "."}', '{"paht": "."}', 1), "utf-8")
    assert any('no other call of pets has the argument "paht"; write "path"' in str(one) for one in lint_folder(folder))
    feature.write_text(feature.read_text("utf-8").replace("paht", "path"), "utf-8")
    assert not lint_folder(folder)
    catalogue.write_text(catalogue.read_text("utf-8").replace("{path =", "{pth ="), "utf-8")
    (found,) = lint_folder(folder)
    assert '[[tool]] pets: evidence: no other call of pets has the argument "pth"; write "path"' in found.message
    assert catalogue.read_text("utf-8").splitlines()[found.line - 1].startswith("evidence")
