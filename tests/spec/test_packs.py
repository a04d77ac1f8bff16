"""Packs are found by name, by name and version, or by the path of a folder."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import treeproof
from treeproof.errors import UsageError
from treeproof.pack_modules import full_module_name
from treeproof.spec import bundled_packs, find_pack, open_pack
from treeproof.spec.entry_points import import_pack_module

Write = Callable[..., Path]


@pytest.fixture
def bundled_pack(pack_folder: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the tiny pack the only bundled one, and return its folder."""
    folder = pack_folder(steps="")
    features = tmp_path / "package" / "features"
    features.mkdir(parents=True)
    (features / "no_spec_toml").mkdir()
    monkeypatch.setattr(treeproof, "__path__", [str(tmp_path / "nowhere"), str(features.parent)])
    return folder.rename(features / "tiny")


def test_bundled_packs_are_the_folders_with_a_spec_toml(bundled_pack: Path) -> None:
    assert bundled_packs() == [bundled_pack]


def test_no_features_folder_means_no_bundled_packs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(treeproof, "__path__", [str(tmp_path)])
    assert bundled_packs() == []


def test_a_pack_is_found_by_its_name(bundled_pack: Path) -> None:
    assert find_pack("tiny") == bundled_pack


def test_a_pack_is_found_by_its_name_and_version(bundled_pack: Path) -> None:
    assert find_pack("tiny@1.0") == bundled_pack


def test_another_version_is_refused_with_the_available_ones(bundled_pack: Path) -> None:
    with pytest.raises(UsageError, match=r'tiny is not bundled in version "2.0"; available: tiny@1.0'):
        find_pack("tiny@2.0")


def test_an_unknown_name_is_refused_with_the_nearest_one(bundled_pack: Path) -> None:
    with pytest.raises(UsageError, match=r'no specification is named "tinny"; write "tiny"$'):
        find_pack("tinny")


def test_a_folder_named_without_a_slash_is_explained(
    bundled_pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "spec.toml").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"for a folder, write \./mine"):
        find_pack("mine")


def test_a_pack_outside_is_found_by_its_folder_or_its_spec_toml(pack_folder: Write) -> None:
    folder = pack_folder(steps="")
    assert find_pack(str(folder)) == folder
    assert find_pack(str(folder / "spec.toml")) == folder
    assert open_pack(str(folder)).name == "tiny"


@pytest.mark.parametrize(("path", "message"), [("nowhere/at_all", "no such folder"), (".", "contains no spec.toml")])
def test_a_path_that_is_no_pack_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=message):
        find_pack(path)


def test_the_modules_of_a_pack_may_be_in_its_folder(pack_folder: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    folder = pack_folder(steps="")
    (folder / "module_of_a_pack.py").write_text("VALUE = 'found'\n", "utf-8")
    open_pack(str(folder))
    open_pack(str(folder))
    assert importlib.import_module("module_of_a_pack").VALUE == "found"
    assert sys.path[-1] == str(folder)
    assert sys.path.count(str(folder)) == 1


def _name_steps(folder: Path, value: str) -> Path:
    """Give the pack a step module whose name other packs have, too, and a module beside it."""
    (folder / "shared_name.py").write_text(
        "from beside_it import VALUE\n\ndef late():\n    import beside_it\n    return beside_it.VALUE\n"
    )
    (folder / "beside_it.py").write_text(f"VALUE = {value!r}\n")
    return folder


def test_packs_with_modules_of_one_name_have_their_own(pack_folder: Write, tmp_path: Path) -> None:
    first = _name_steps(pack_folder(steps=""), "first")
    second = tmp_path / "second"
    shutil.copytree(first, second)
    _name_steps(second, "second")
    for folder, value in ((first, "first"), (second, "second")):
        module = import_pack_module("shared_name", folder, "", "")
        assert (module.VALUE, module.late()) == (value, value)


def test_a_module_on_the_import_path_does_not_replace_that_of_a_pack(
    pack_folder: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _name_steps(pack_folder(steps=""), "own")
    (tmp_path / "candidate").mkdir()
    for name in ("shared_name", "beside_it"):
        (tmp_path / "candidate" / f"{name}.py").write_text("raise SystemExit('of the candidate')\n")
    monkeypatch.syspath_prepend(str(tmp_path / "candidate"))
    assert import_pack_module("shared_name", folder, "", "").VALUE == "own"


def test_a_module_that_the_folder_lacks_is_an_installed_one(pack_folder: Write) -> None:
    folder = pack_folder(steps="")
    (folder / "json.py").write_text("raise SystemExit('no module of the library')\n")
    assert full_module_name("treeproof.steps.shared.trees", folder) == "treeproof.steps.shared.trees"
    assert full_module_name("json", folder) == "json"
