"""The differences between two versions, for an implementer of the older one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.spec.two_versions import READ_TEXT, edit, write_two_versions
from treeproof.cli import main
from treeproof.spec import load_pack
from treeproof.spec.version_differences import compare_versions


def test_differences_are_what_an_implementer_has_to_do(folder: Path) -> None:
    found = compare_versions(load_pack(folder, "1.1"), load_pack(folder))
    kinds = {one.id: one.kind for one in found.requirements}
    assert kinds == {"RT2-OUT-02": "changed", "RT2-ERR-03": "new", "RT2-ERR-02": "withdrawn"}
    changed = next(one for one in found.requirements if one.id == "RT2-OUT-02")
    assert [one.key for one in changed.fields] == ["text"]
    assert (changed.new_scenarios, changed.gone_scenarios) == (("RT2-OUT-02-02",), ("RT2-OUT-02-01",))
    assert found.same == 3


def test_a_version_does_not_differ_from_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare_versions(load_pack(folder), load_pack(folder)).is_empty
    assert main(["diff-spec", str(folder), str(folder)]) == 0
    assert "nothing differs for a candidate" in capsys.readouterr().out


def test_new_readings_tools_error_kinds_and_schemas_are_differences(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / "copies").mkdir()
    write_two_versions(other)
    reading = '[[interpretation.reading]]\nlabel = "half"\ntext = "Half."\n\n[[retired]]'
    edit(other / "spec.toml", "[[retired]]", reading)
    edit(other / "spec.toml", '"NotFound", "NotAFile"', '"NotFound", "NotText"')
    edit(other / "spec.toml", "capabilities = []", 'capabilities = ["config"]')
    edit(other / "arguments.schema.json", '"type"', '"title": "t", "type"')
    found = compare_versions(load_pack(folder), load_pack(other))
    assert [(one.id, one.fields[0].old, one.fields[0].new) for one in found.interpretations] == [
        ("AMB-RT2-01", "verbatim, stripped", "verbatim, stripped, half")
    ]
    assert found.error_kinds == (("NotText", "new"), ("NotAFile", "withdrawn"))
    assert [(one.id, one.fields[0].key) for one in found.tools] == [("read_text", "capabilities")]
    assert found.schemas == (("arguments", "changed"),)


@pytest.mark.parametrize("format", ["text", "md", "json"])
def test_the_differences_are_printed_in_each_format(
    folder: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    assert main(["diff-spec", f"{folder}@1.1", str(folder), "--format", format]) == 0
    output = capsys.readouterr().out
    if format == "json":
        document = json.loads(output)
        assert (document["old"], document["new"], document["same"]) == ("read_text@1.1", "read_text@1.2", 3)
        assert {one["id"]: one["kind"] for one in document["requirements"]}["RT2-ERR-03"] == "new"
        return
    flat = " ".join(output.split())
    assert "To do" in flat
    assert "An empty path is BadArgs." in flat
    assert "No longer required" in flat
    assert "--select RT2-OUT-02" in flat


def test_two_specifications_have_no_differences_of_versions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff-spec", "ls", str(folder)]) == 2
    assert "ls and read_text are two specifications; write two versions of one" in capsys.readouterr().err


def test_a_pack_of_one_version_needs_no_entry(tmp_path: Path) -> None:
    pack = load_pack(READ_TEXT)
    assert pack.versions == ("1.1",)
    assert pack.ids_of_other_versions == frozenset()
    assert pack.is_newest
