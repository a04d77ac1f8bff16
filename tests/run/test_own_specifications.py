"""Specifications in a folder of their own: `doctor` and simulated platforms know their kinds of errors and modules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.spec.two_versions import READ_TEXT
from treeproof.cli import main
from treeproof.run.doctor import check_adapter
from treeproof.run.runner import Options, run
from treeproof.verdict.checks import CheckResult

ON_WINDOWS = '''"""The reference implementation on Windows."""

import os
from typing import Any

from read_text_reference import Candidate as Other
from read_text_reference import error


class Candidate(Other):
    """Returns the name of the directory's first entry as the content."""

    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        path = os.path.join(params["context"]["working_dir"], params["arguments"]["path"])
        if not os.path.exists(path):
            return error("NotFound", "it does not exist")
        return {"status": "ok", "content": os.listdir(os.path.dirname(path))[0]}
'''
FEATURE = """@read_text @simulated:windows
Feature: Windows

  @RT2-ERR-01
  Rule: a missing file is NotFound

    @RT2-ERR-01-02
    Scenario: a missing file with a backslash
      Given the tree "d/{a="one"}"
      When read_text is called with {"path": "d\\\\b"}
      Then the call fails with NotFound
      And a control call with {"path": "d\\\\a"} gives "a"
      And the tree is unchanged
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "read_text"
    shutil.copytree(READ_TEXT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def errors_of(checks: list[CheckResult]) -> list[str]:
    return [str(one) for one in checks if one.status == "error"]


def test_doctor_takes_the_specifications_of_the_manifest(folder: Path) -> None:
    checks = list(check_adapter(str(folder / "treeproof.toml")))
    assert errors_of(checks) == []
    assert any(one.name == "scenarios of read_text" and "all 7 can run" in one.detail for one in checks)


def test_doctor_takes_a_specification_of_the_command_line(folder: Path) -> None:
    target = f"python:{folder / 'read_text_reference.py'}:Candidate"
    assert errors_of(list(check_adapter(target, [str(folder)]))) == []
    unknown = next(one for one in check_adapter(target) if one.name == "tools")
    assert "which is not bundled" in unknown.detail


def test_doctor_checks_the_reference_of_a_specification(folder: Path) -> None:
    assert errors_of(list(check_adapter("reference", [str(folder)]))) == []


def test_doctor_without_a_target_refuses_a_specification(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--spec", str(folder)]) == 2
    assert "--spec: needs a TARGET" in capsys.readouterr().err


def test_a_simulated_reference_in_the_folder_has_its_own_modules_and_kinds_of_errors(folder: Path) -> None:
    catalogue = folder / "spec.toml"
    entry = '[spec.simulated]\nwindows = "read_text_windows:Candidate"\n\n[spec.schemas]'
    catalogue.write_text(catalogue.read_text("utf-8").replace("[spec.schemas]", entry), "utf-8")
    (folder / "read_text_windows.py").write_text(ON_WINDOWS, "utf-8")
    (folder / "windows.feature").write_text(FEATURE, "utf-8")
    document = run(Options("reference", specs=(str(folder),))).document
    record = next(one for one in document.to_json()["specs"][0]["scenarios"] if one["id"] == "RT2-ERR-01-02")
    assert record["outcome"] == "not-applicable", record["evidence"]
    assert "held in a simulated Windows" in str(record["evidence"])


def test_commands_in_reports_name_the_specification(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    catalogue = (folder / "spec.toml").read_text("utf-8")
    excluded = (
        'verified_by = ["scenario"]\n\n[[requirement]]\nid = "RT2-ERR-09"\nlevel = "MUST"\nsection = "2 Errors"\n'
    )
    excluded += 'text = "A class has this name."\nbasis = "implied"\nreason = "r"\nexcluded = "it names a class"\n'
    (folder / "spec.toml").write_text(catalogue.replace('verified_by = ["scenario"]\n', excluded, 1), "utf-8")
    assert main(["run", "mutant:MUT-RT2-03", "--spec", "./read_text", "--verbose", "--report", "sarif=run.sarif"]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "treeproof run mutant:MUT-RT2-03 --spec ./read_text --select RT2-ERR-01-01" in output
    assert "`treeproof explain ID --spec ./read_text` prints the reason" in output
    assert "treeproof explain RT2-ERR-01 --spec ./read_text" in Path("run.sarif").read_text("utf-8")
