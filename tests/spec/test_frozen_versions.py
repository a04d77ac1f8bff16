"""Frozen versions: what changes them, and what lint, a run and `freeze` do then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.spec.two_versions import edit, freeze
from treeproof.cli import main
from treeproof.run.pack_lint import lint_folder
from treeproof.spec import load_pack
from treeproof.spec.frozen_versions import changes_since_frozen
from treeproof.spec.locks import FROZEN_FILE


def test_a_frozen_version_without_changes_has_no_diagnostics(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["freeze", "--spec", f"{folder}@1.1"]) == 0
    assert "read_text 1.1: frozen, 16 items" in capsys.readouterr().out
    assert lint_folder(folder) == []
    assert changes_since_frozen(load_pack(folder, "1.1")) == []
    assert changes_since_frozen(load_pack(folder)) is None


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("text.feature", 'the content is "one"', 'the content is "two"', {"RT2-OUT-01-01": "changed"}),
        ("text.feature", "@RT2-OUT-01-04\n", "@RT2-OUT-01-04 @prudent\n", {"RT2-OUT-01-04": "changed"}),
        ("text.feature", "@RT2-OUT-01-04\n", "@RT2-OUT-01-04 @since:1.2\n", {"RT2-OUT-01-04": "removed"}),
        ("text.feature", "| 1   | one     |", "| 1   | two     |", {"RT2-OUT-02-01": "changed"}),
        ("text.feature", "| verbatim | one\\|   |\n", "", {"RT2-OUT-01-02": "changed"}),
        ("added.feature", "@read_text @since:1.2", "@read_text", {"RT2-OUT-02-02": "added"}),
        ("spec.toml", 'treatment = "any"', 'treatment = "strict"', {"AMB-RT2-01": "changed"}),
        ("spec.toml", 'text = "No."', 'text = "No."\naccepted = false', {"AMB-RT2-01": "changed"}),
        ("spec.toml", 'until = "1.1"\nlevel = "MUST"', 'until = "1.1"\nlevel = "SHOULD"', {"RT2-OUT-02": "changed"}),
        ("spec.toml", "capabilities = []", 'capabilities = ["config"]', {"tool:read_text": "changed"}),
        ("spec.toml", 'path = "."', 'path = "a"', {"tool:read_text": "changed"}),
        ("spec.toml", 'error_kinds = ["NotFound", "NotAFile"]', 'error_kinds = ["NotAFile"]', {"settings": "changed"}),
        ("spec.toml", 'determinism = "RT2-OUT-01"\n', "", {"settings": "changed"}),
        ("spec.toml", "evidence = ", "# ", {"tool:read_text": "changed"}),
        ("arguments.schema.json", '"type"', '"title": "t", "type"', {"schema:arguments": "changed"}),
    ],
)
def test_a_change_of_what_decides_verdicts_changes_the_frozen_version(
    folder: Path, file: str, old: str, new: str, changes: dict[str, str]
) -> None:
    freeze(folder, "1.1")
    edit(folder / file, old, new)
    assert {one.id: one.kind for one in changes_since_frozen(load_pack(folder, "1.1")) or ()} == changes


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("text.feature", "Scenario: one line", "Scenario: a single line"),
        ("text.feature", "@RT2-OUT-01-04\n", "@RT2-OUT-01-04 @since:1.1\n"),
        ("spec.toml", 'text = "A missing file is NotFound."', 'text = "Where no file is, the error is NotFound."'),
        ("spec.toml", 'text = "Yes."', 'text = "It does."'),
        ("added.feature", 'the content is "three"', 'the content is "four"'),
    ],
)
def test_words_and_other_versions_do_not_change_a_frozen_version(folder: Path, file: str, old: str, new: str) -> None:
    freeze(folder, "1.1")
    edit(folder / file, old, new)
    assert changes_since_frozen(load_pack(folder, "1.1")) == []


def test_lint_and_a_run_refuse_a_changed_frozen_version_until_it_is_frozen_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    freeze(folder, "1.1")
    edit(folder / "text.feature", 'the content is "one"', 'the content is "two"')
    found = [str(one).removeprefix(f"{folder}/") for one in lint_folder(folder)]
    assert len(found) == 1
    assert re.match(r"text.feature:8: outdated: RT2-OUT-01-01: it has changed, and version 1.1 is frozen;", found[0])
    assert "if it was wrong: treeproof freeze --spec" in found[0]
    assert main(["run", "reference", "--spec", f"{folder}@1.1"]) == 2
    assert main(["freeze", "--spec", f"{folder}@1.1"]) == 0
    assert "changed  RT2-OUT-01-01" in capsys.readouterr().out
    assert lint_folder(folder) == []


def test_a_pack_with_errors_cannot_be_frozen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(folder / "text.feature", 'the content is "one"', "the content is purple")
    assert main(["freeze", "--spec", f"{folder}@1.1"]) == 2
    assert "matches no step definition" in capsys.readouterr().err
    assert not (folder / FROZEN_FILE).exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# 1.1\nnonsense\n", '2: malformed: "nonsense" is no hash with an id below a version; restore the file'),
        ("4ed11de95e4b AMB-RT2-01\n", '1: malformed: "4ed11de95e4b AMB-RT2-01" is no hash with an id below a version'),
        ("// x\n# 0.9\n", '2: orphaned: there is no version "0.9"; write it into spec.toml, or remove its lines'),
    ],
)
def test_a_broken_file_of_frozen_versions_is_reported_with_its_line(folder: Path, text: str, message: str) -> None:
    (folder / FROZEN_FILE).write_text(text, "utf-8")
    found = [str(one).removeprefix(f"{folder}/{FROZEN_FILE}:") for one in lint_folder(folder)]
    assert [one for one in found if one.startswith(message)], found
