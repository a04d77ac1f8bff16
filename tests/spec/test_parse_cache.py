"""The cache of parsed files: it is equal to parsing, never stale, never needed, and creates no foreign object."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.files import parse_cache
from treeproof.spec import bundled_packs, gherkin, load_pack, parse_feature

FEATURE = """@list_directory
Feature: one
  @FR-LD-LST-05
  Rule: in order
    @LD-LST-05-01
    Scenario: first
      Given the tree "a"
"""


@pytest.fixture(autouse=True)
def writes_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.fixture
def feature(tmp_path: Path) -> Path:
    file = tmp_path / "one.feature"
    file.write_text(FEATURE, "utf-8")
    return file


def parse_in_new_process(file: Path) -> gherkin.FeatureText:
    """Parse as a process does that has not read the file before."""
    gherkin._parse_cached.cache_clear()
    return parse_feature(file)


def cache_files(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").iterdir())


def test_the_second_process_does_not_parse(feature: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = parse_in_new_process(feature)
    monkeypatch.setattr(gherkin, "parse_feature_text", None)
    assert parse_in_new_process(feature) == first


@pytest.mark.parametrize("pack", bundled_packs(), ids=lambda folder: str(folder.name))
def test_cached_features_and_catalogues_equal_parsed_ones(pack: Path, tmp_path: Path) -> None:
    folder = tmp_path / pack.name
    shutil.copytree(pack, folder, ignore=shutil.ignore_patterns("__pycache__"))
    catalogue = load_pack(folder)
    parsed = [parse_in_new_process(file) for file in catalogue.feature_files()]
    assert len(cache_files(folder)) >= 2
    assert load_pack(folder) == catalogue
    assert [parse_in_new_process(file) for file in catalogue.feature_files()] == parsed


def test_a_changed_feature_is_parsed_although_size_and_time_are_equal(feature: Path) -> None:
    before = feature.stat()
    parse_in_new_process(feature)
    feature.write_text(FEATURE.replace("first", "other"), "utf-8")
    os.utime(feature, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert parse_in_new_process(feature).scenarios[0].title == "other"


def test_a_copy_in_another_folder_has_its_own_place(feature: Path, tmp_path: Path) -> None:
    parse_in_new_process(feature)
    copy = tmp_path / "copy"
    shutil.copytree(feature.parent / "__pycache__", copy / "__pycache__")
    shutil.copy(feature, copy)
    assert parse_in_new_process(copy / "one.feature").scenarios[0].file == copy / "one.feature"


@pytest.mark.parametrize("damage", [b"", b"x" * 10, b"x" * 100])
def test_a_damaged_cache_is_replaced(feature: Path, damage: bytes) -> None:
    expected = parse_in_new_process(feature)
    (cache,) = cache_files(feature.parent)
    whole = cache.read_bytes()
    for content in (damage, whole[:32] + damage, whole[:-20]):
        cache.write_bytes(content)
        assert parse_in_new_process(feature) == expected
        assert cache.read_bytes() == whole


def test_a_named_pipe_in_place_of_a_cache_stops_nothing(feature: Path) -> None:
    parse_in_new_process(feature)
    (cache,) = cache_files(feature.parent)
    cache.unlink()
    os.mkfifo(cache)
    assert parse_in_new_process(feature).title == "one"
    assert cache.is_file()  # the next process finds a cache again


def test_a_cache_creates_only_the_objects_of_its_kind(feature: Path) -> None:
    parse_in_new_process(feature)
    (cache,) = cache_files(feature.parent)
    cache.write_bytes(cache.read_bytes()[:32] + pickle.dumps(Fraction(1, 2)))
    digest = cache.read_bytes()[:32]
    assert parse_cache.load(feature, digest, ()) is None
    assert parse_cache.load(feature, digest, (Fraction,)) == Fraction(1, 2)
    assert parse_in_new_process(feature).title == "one"


def test_where_nothing_can_be_written_the_feature_is_parsed(feature: Path) -> None:
    (feature.parent / "__pycache__").write_text("a file", "utf-8")
    assert parse_in_new_process(feature).title == "one"
    assert (feature.parent / "__pycache__").read_text("utf-8") == "a file"


def test_python_without_byte_code_writes_no_cache(feature: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    parse_in_new_process(feature)
    assert not (feature.parent / "__pycache__").exists()


def test_a_wrong_feature_is_reported_each_time_and_not_cached(feature: Path) -> None:
    feature.write_text("Feature: one\n  Scenario: first\n    And more\n", "utf-8")
    for _ in range(2):
        with pytest.raises(UsageError, match="write Given, When or Then"):
            parse_in_new_process(feature)
    assert not (feature.parent / "__pycache__").exists()
