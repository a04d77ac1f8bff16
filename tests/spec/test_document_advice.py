"""The author of a new pack edits the document: lint names requirement and sentence, and each command in it works."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.scaffold.specification import new_spec
from treeproof.spec import load_pack
from treeproof.spec.locks import read_lock
from treeproof.spec.source_document import read_sentences

DOCUMENT = """# Tools 1.0

## 1. glob

Confirmation: No. The default of `limit` is 100.

- Names are sorted.
- Hidden names are left out.

## 2. edit

Confirmation: Yes. A missing directory must be an error.

## 3. grep

Confirmation: No. Lines are numbered.

## 4. write

Confirmation: Yes.
"""
RESTS = {
    "PETS-OUT-01": ("1. glob", "Names are sorted."),
    "PETS-ERR-01": ("2. edit", "A missing directory must be an error."),
    "PETS-OUT-02": ("1. glob", "Confirmation: No."),
    "PETS-OUT-03": ("1. glob", "The default of `limit` is 100."),
    "PETS-OUT-04": ("3. grep", "Confirmation: No."),
}
REQUIREMENT = """
# Why {id} is here.
[[requirement]]
id = "{id}"
level = "MUST"
section = "{section}"
text = "A rule."
basis = "stated"
sentences = ["{hash}"] # kept
excluded = "It is an example."
"""
COMMAND = re.compile(r"treeproof (?:confirm|list sentences) [^;]*?--(?:spec|document) \S+")

Lint = Callable[..., list[str]]


class Author:
    """An author in the folder of a pack, whose document lies beside it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.document = folder / "specification.md"
        self.written: list[str] = []  # spec.toml before the first command

    def edit(self, *pairs: tuple[str, str]) -> None:
        text = self.document.read_text("utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        self.document.write_text(text, "utf-8")

    def run(self, *arguments: str) -> tuple[int, list[str]]:
        code = main(list(arguments))
        printed = self._capsys.readouterr()
        return code, (printed.out + printed.err).splitlines()

    def lint(self) -> list[str]:
        return self.run("lint", ".")[1][:-1]

    def hash_of(self, heading: str, text: str) -> str:
        found = read_sentences(self.document)
        return next(one.hash for one in found if one.headings[-1:] == (heading,) and one.text == text)


@pytest.fixture
def author(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Author:
    folder = new_spec("pets", tmp_path / "pets").folder
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "4000")
    author = Author(folder, capsys)
    author.document.write_text(DOCUMENT, "utf-8")
    text = (folder / "spec.toml").read_text("utf-8")
    for id, (section, sentence) in RESTS.items():
        hash = author.hash_of(section, sentence)
        if id in text:
            text = re.sub(rf'(id = "{id}"(?:.|\n)*?sentences = )\[.*\]', rf'\1["{hash}"]', text, count=1)
        else:  # after the interpretation, so that the tables of requirements are not together
            text += REQUIREMENT.format(id=id, section=section, hash=hash)
    (folder / "spec.toml").write_text(text, "utf-8")
    (folder / "sentences.lock").unlink()
    author.written = text.splitlines()
    assert author.run("confirm")[0] == 0
    assert author.lint() == []
    return author


EDITS = {
    "a value that stands elsewhere too": (("No.", "Yes."), ("PETS-OUT-02", '"Confirmation: Yes."')),
    "a default": (("is 100", "is 200"), ("PETS-OUT-03", '"The default of `limit` is 200."')),
    "a sentence is gone": (("- Names are sorted.\n", ""), ("PETS-OUT-01", "is gone")),
    "a heading": (("## 3. grep", "## 3. search"), ("PETS-OUT-04", '"3. search", above "Confirmation: No."')),
    "a number of a heading": (("## 3. grep", "## 5. grep"), ("PETS-OUT-04", 'is now "5. grep"')),
    "a list in another order": (
        ("- Names are sorted.\n- Hidden names are left out.", "- Hidden names are left out.\n- Names are sorted."),
        ("PETS-OUT-01", "in another order, now after"),
    ),
    "a sentence moves": ((" The default of `limit` is 100.", ""), ("PETS-OUT-03", "is gone")),
    "a rule is added": (("numbered.", "numbered. It must end."), ("PETS-OUT-04", '"It must end." demands something')),
    "a rule is split": (("default of `limit` is 100", "`limit` is optional. Its default is 100"), ("PETS-OUT-03",)),
    "a sentence occurs twice": (("- Names", "- Names are sorted.\n- Names"), ("PETS-OUT-01", '"Names are sorted."')),
}


@pytest.mark.parametrize(("edit", "fragments"), EDITS.values(), ids=EDITS)
def test_a_finding_names_the_sentence_the_requirement_and_a_command(
    author: Author, edit: tuple[str, str], fragments: tuple[str, ...]
) -> None:
    author.edit(edit)
    found = [line for line in author.lint() if all(one in line for one in fragments)]
    assert len(found) == 1
    assert COMMAND.search(found[0])


@pytest.mark.parametrize("edit", [edit for edit, _ in EDITS.values()], ids=EDITS)
def test_no_command_leaves_its_own_advice(author: Author, edit: tuple[str, str]) -> None:
    author.edit(edit)
    for _ in range(8):
        lines = author.lint()
        commands = [command for line in lines for command in COMMAND.findall(line) if " confirm " in command]
        if not commands:
            break
        _, printed = author.run(*shlex.split(commands[-1])[1:])
        assert lines != author.lint(), (commands[-1], printed)
    assert all(
        re.search("is gone.* `sentences`: treeproof list|no heading of .*; write one of", line) for line in lines
    )


def test_a_value_that_two_sections_swap_changes_both(author: Author) -> None:
    author.edit(("Confirmation: Yes. A", "Confirmation: No. A"), ("Confirmation: No.", "Confirmation: Yes."))
    (found,) = (line for line in author.lint() if "PETS" in line and "orphaned" not in line and "uncovered" not in line)
    assert "PETS-OUT-02: its sentence" in found and 'is now "Confirmation: Yes."' in found
    assert "PETS-OUT-04" not in found


def test_a_sentence_that_is_gone_is_no_other_equal_one(author: Author) -> None:
    author.edit(("left out.\n", "left out.\n- Names are sorted.\n"))
    assert author.run("confirm")[0] == 0
    author.edit(("- Names are sorted.\n", ""))
    (found,) = (line for line in author.lint() if "PETS-OUT-01" in line)
    assert "is gone; remove" not in found and "treeproof confirm" not in found


def test_a_section_that_moves_is_not_gone(author: Author) -> None:
    grep = "## 3. grep\n\nConfirmation: No. Lines are numbered.\n\n"
    author.edit((grep, ""), ("## 1. glob", f"{grep}## 1. glob"))
    moved = [line for line in author.lint() if "PETS-OUT-04" in line]
    assert len(moved) == 1 and "is gone" not in moved[0]
    assert author.run("confirm", "PETS-OUT-04")[0] == 2
    assert author.run("confirm")[0] == 0
    assert author.lint() == []


def test_what_has_moved_and_is_not_named_is_one_finding(author: Author) -> None:
    author.edit(("## 3. grep", "## 3. search"))
    assert author.run("confirm", "PETS-OUT-04")[0] == 2
    (found,) = author.lint()
    assert '(1 moved); moved: "Lines are numbered." (specification.md:' in found
    assert author.run("confirm")[0] == 0
    assert author.lint() == []


def test_what_a_requirement_names_by_now_needs_no_id(author: Author) -> None:
    author.edit(("numbered.", "numbered. It must end."))
    hash = author.hash_of("3. grep", "It must end.")
    text = (author.folder / "spec.toml").read_text("utf-8")
    named = text + REQUIREMENT.format(id="PETS-OUT-05", section="3", hash=hash)
    (author.folder / "spec.toml").write_text(named, "utf-8")
    assert author.run("confirm")[0] == 0
    assert author.lint() == []
    (author.folder / "spec.toml").write_text(text, "utf-8")
    (found,) = author.lint()
    assert '"It must end." demands something, and no requirement names it' in found
    assert author.run("confirm", hash)[0] == 0
    assert author.lint() == []
    # Named again, it is no longer confirmed to demand nothing.
    (author.folder / "spec.toml").write_text(named, "utf-8")
    assert author.run("confirm")[0] == 0
    (author.folder / "spec.toml").write_text(text, "utf-8")
    assert author.lint() == [found]


def test_a_hash_without_a_lock_writes_a_whole_one(author: Author) -> None:
    (author.folder / "sentences.lock").unlink()
    assert author.run("confirm", author.hash_of("4. write", "Confirmation: Yes."))[0] == 0
    lock = read_lock(load_pack(author.folder))
    assert lock is not None
    assert [one.hash for one in lock] == [one.hash for one in read_sentences(author.document)]


def test_confirm_changes_nothing_but_hashes(author: Author) -> None:
    author.edit(("is 100", "is 200"))
    assert author.run("confirm", "PETS-OUT-03")[0] == 0
    after = (author.folder / "spec.toml").read_text("utf-8").splitlines()
    differing = [pair for pair in zip(author.written, after, strict=True) if pair[0] != pair[1]]
    assert [re.sub(r'"\w+"', "…", new) for _, new in differing] == ["sha256 = …", "sentences = […] # kept"]


def write_two_versions(author: Author) -> None:
    """Make the confirmed document that of version 0.1, and an edited copy that of version 0.2."""
    text = (author.folder / "spec.toml").read_text("utf-8")
    digest = load_pack(author.folder).sha256
    older = f'[[version]]\nversion = "0.1"\nsource = "old.md"\nsha256 = "{digest}"\n\n[[tool]]'
    text = text.replace(digest, 64 * "0").replace('version = "0.1"', 'version = "0.2"', 1).replace("[[tool]]", older, 1)
    (author.folder / "spec.toml").write_text(text, "utf-8")
    (author.folder / "sentences.lock").rename(author.folder / "sentences-0.1.lock")
    (author.folder / "old.md").write_bytes(author.document.read_bytes())
    author.edit(("Tools 1.0", "Tools 2.0"), ("is 100", "is 200"), ("## 3. grep", "## 3. search"))


def test_a_second_version_makes_nothing_orphaned(author: Author) -> None:
    write_two_versions(author)
    lines = author.lint()
    assert not any("orphaned" in line for line in lines)
    assert any(line for line in lines if "PETS-OUT-03: its sentence" in line and "is 200" in line)
    assert any(line for line in lines if "PETS-OUT-04" in line and '"3. search"' in line)
    assert author.run("confirm", "PETS-OUT-03", "PETS-OUT-04")[0] == 0
    assert author.lint() == []
    assert len(load_pack(author.folder).requirement("PETS-OUT-03").sentences) == 2  # that of each version
    assert len(load_pack(author.folder).requirement("PETS-OUT-02").sentences) == 1


def test_without_locks_the_version_before_is_confirmed_first(author: Author) -> None:
    write_two_versions(author)
    (author.folder / "sentences-0.1.lock").unlink()
    (found,) = (line for line in author.lint() if "PETS-OUT-03" in line)
    assert found.endswith("if it is of the version before, first write: treeproof confirm --spec .@0.1")
    assert author.run("confirm", "--spec", ".@0.1")[0] == 0
    assert any("treeproof confirm PETS-OUT-03 --spec ." in line for line in author.lint())


def test_lint_compares_a_document_with_the_version_that_is_named(author: Author, tmp_path: Path) -> None:
    write_two_versions(author)
    text = (author.folder / "spec.toml").read_text("utf-8").replace('source = "old.md"', 'source = "specification.md"')
    (author.folder / "spec.toml").write_text(text, "utf-8")
    other = tmp_path / "specification.md"
    other.write_text(DOCUMENT.replace("is 100", "is 300"), "utf-8")
    code, lines = author.run("lint", ".", "--document", str(other))
    assert code == 2
    assert ".@0.1 (restates specification.md), .@0.2 (restates specification.md)" in lines[0]
    for version in ("0.1", "0.2"):
        _, lines = author.run("lint", f".@{version}", "--document", str(other))
        named = "" if version == "0.2" else "@0.1"
        assert any(
            f"treeproof confirm PETS-OUT-03 --spec .{named} --document ../{other.name}" in line for line in lines
        )


def test_the_document_of_an_earlier_version_is_not_confirmed_as_the_newest(author: Author) -> None:
    write_two_versions(author)
    code, lines = author.run("confirm", "--spec", ".", "--document", "old.md")
    assert (code, lines) == (2, ["treeproof: old.md: is the document of version 0.1; write .@0.1"])


def test_a_lock_of_an_earlier_treeproof_is_no_dead_end(author: Author) -> None:
    lock = author.folder / "sentences.lock"
    lock.write_text("# 1. glob\n0123456789ab\n", "utf-8")
    for command in ("lint", "confirm"):
        _, lines = author.run(command)
        assert "restore the file, or delete it and run 'treeproof confirm'" in " ".join(lines)
    lock.unlink()
    assert author.run("confirm")[0] == 0
    assert author.lint() == []
