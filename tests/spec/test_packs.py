"""Packs are found by name, by name and version, or by the path of a folder."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import treeproof
from treeproof.errors import UsageError
from treeproof.spec import bundled_packs, find_pack, open_pack

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
