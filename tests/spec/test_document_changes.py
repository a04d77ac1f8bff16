"""A catalogue beside a document that changes: what lint finds, and what `confirm` writes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.spec import Pack, load_pack
from treeproof.spec.document_confirmation import confirm
from treeproof.spec.document_trace import trace_document
from treeproof.spec.lint_document import lint_document, pack_of_document
from treeproof.spec.locks import LOCK_FILE, lock_sentence, read_lock
from treeproof.spec.sentence_changes import find_changes
from treeproof.spec.source_document import normalise, split_sentences

DOCUMENT = """# The pet tool

## 1. Purpose

The tool feeds pets. It is old.

## 2. Rules

| id | rule |
|----|------|
| FR-PT-01 | The tool must feed cats. |
| FR-PT-02 | The tool must feed dogs twice. |

A pet that sleeps is left alone. The limit is 7
pets.

## 3. Errors

工具必须返回错误。
"""
CAT, DOG = "FR-PT-01 | The tool must feed cats.", "FR-PT-02 | The tool must feed dogs twice."
SLEEP, LIMIT, ERROR = "A pet that sleeps is left alone.", "The limit is 7 pets.", "工具必须返回错误。"


def sentence_hash(text: str, document: str = DOCUMENT) -> str:
    """Return the hash of the only sentence with a text."""
    (hash,) = (one.hash for one in split_sentences(document) if normalise(one.text) == text)
    return hash


REQUIREMENT = """
[[requirement]]
id = "{id}"
level = "MUST"
section = "{section}"
text = "A rule."
basis = "stated"
sentences = [{sentences}]  # kept
verified_by = ["scenario"]
"""


@dataclass(frozen=True)
class Bench:
    """A pack with a document outside of it."""

    folder: Path
    document: Path

    @property
    def pack(self) -> Pack:
        return load_pack(self.folder)

    def edit(self, old: str, new: str) -> None:
        text = self.document.read_text("utf-8")
        assert old in text
        self.document.write_text(text.replace(old, new), "utf-8")

    def findings(self) -> list[tuple[str, str]]:
        return [(one.code, one.message) for one in sorted(lint_document(self.pack, self.document))]

    def confirm(self, *names: str) -> bool:
        confirmation = confirm(self.pack, self.document, names)
        (self.folder / "spec.toml").write_text(confirmation.catalogue, "utf-8")
        (self.folder / LOCK_FILE).write_text(confirmation.lock, "utf-8")
        return confirmation.is_complete


@pytest.fixture
def unconfirmed(tmp_path: Path) -> Bench:
    requirements = (
        ("FR-PT-01", "2 Rules", CAT),
        ("FR-PT-02", "2 Rules", DOG),
        ("PT-SLEEP-01", "2 Rules; 3 Errors", SLEEP, ERROR),
        ("PT-SLEEP-02", "2 Rules", SLEEP, LIMIT),
    )
    folder = tmp_path / "pets"
    folder.mkdir()
    head = (
        '[spec]\nname = "pets"\nversion = "1.0"\ntitle = "Pets"\nsource = "pets.md"\n'
        f'sha256 = "{64 * "0"}"\nprefix = "PT"\nsteps = []\n\n[[tool]]\nname = "pets"\ncapabilities = []\n'
    )
    for id, section, *texts in requirements:
        hashes = ", ".join(f'"{sentence_hash(text)}"' for text in texts)
        head += REQUIREMENT.format(id=id, section=section, sentences=hashes)
    (folder / "spec.toml").write_text(head, "utf-8")
    document = tmp_path / "pets.md"
    document.write_text(DOCUMENT, "utf-8")
    return Bench(folder, document)


@pytest.fixture
def bench(unconfirmed: Bench) -> Bench:
    assert unconfirmed.confirm()
    assert unconfirmed.findings() == []
    return unconfirmed


def test_a_document_is_confirmed_for_the_first_time(unconfirmed: Bench) -> None:
    codes = [code for code, _ in unconfirmed.findings()]
    assert codes == ["outdated"]
    assert unconfirmed.confirm()
    assert unconfirmed.findings() == []
    assert unconfirmed.pack.sha256 == hashlib.sha256(unconfirmed.document.read_bytes()).hexdigest()
    lock = read_lock(unconfirmed.pack)
    assert lock is not None
    assert [(one.headings[-1], one.ids) for one in lock if one.ids] == [
        ("2. Rules", ("FR-PT-01",)),
        ("2. Rules", ("FR-PT-02",)),
    ]
    text = (unconfirmed.folder / LOCK_FILE).read_text("utf-8")
    assert "sleeps" not in text and "feeds" not in text


def test_a_rule_that_no_requirement_names_is_not_confirmed_by_itself(unconfirmed: Bench) -> None:
    unconfirmed.edit("It is old.", "It should be old.")
    assert not unconfirmed.confirm()
    (_, spec), (code, message) = unconfirmed.findings()
    hash = sentence_hash("It should be old.", unconfirmed.document.read_text("utf-8"))
    assert code == "uncovered"
    assert message.startswith('"It should be old." demands something, and no requirement names it; ')
    assert f'sentences = ["{hash}"], or: treeproof confirm {hash} --spec ' in message
    assert "(1 added)" in spec
    assert unconfirmed.confirm(hash)
    assert unconfirmed.findings() == []


@pytest.mark.parametrize(
    ("old", "new", "codes", "fragment"),
    [
        ("cats.", "cats and birds.", {"outdated"}, f"FR-PT-01: its sentence {sentence_hash(CAT)} is now "),
        (
            "dogs twice",
            "dogs thrice",
            {"outdated"},
            '"FR-PT-02 | The tool must feed dogs thrice." (pets.md:12, below "2. Rules")',
        ),
        (ERROR, "工具必须返回警告。", {"outdated"}, f"PT-SLEEP-01: its sentence {sentence_hash(ERROR)} is now "),
        ("limit is 7", "limit is 8", {"outdated"}, "PT-SLEEP-02: its sentence"),
        (f"| {DOG} |\n", "", {"orphaned"}, f"FR-PT-02: its sentence {sentence_hash(DOG)} (below"),
        (f"| {DOG} |\n", "", {"orphaned"}, "FR-PT-02: pets.md no longer contains this id"),
        ("FR-PT-02", "FR-PT-03", {"orphaned", "outdated"}, "FR-PT-02: pets.md no longer contains this id"),
        ("## 3. Errors", "## 4. Errors", {"orphaned", "outdated"}, "no heading of pets.md has the number 3"),
        (
            "## 2. Rules",
            "## 2. Laws",
            {"outdated"},
            'PT-SLEEP-02: the heading "2. Rules" is now "2. Laws", above "id | rule" (pets.md:9',
        ),
        (f"{SLEEP} ", "", {"orphaned"}, "PT-SLEEP-01: its sentence"),
        (ERROR, f"{ERROR}\n\n{SLEEP}", {"outdated", "uncovered"}, "(1 added)"),
        ("It is old.", "It is new.", {"outdated", "uncovered"}, '"It is new." has other words; write a requirement'),
        ("It is old.", "It is old. It must eat.", {"outdated", "uncovered"}, '"It must eat." demands something'),
        ("It is old.", "It is old. 不得删除。", {"outdated", "uncovered"}, '"不得删除。" demands something'),
        ("It is old.", "It is old. See FR-PT-09.", {"outdated", "uncovered"}, '"See FR-PT-09." demands something'),
        (" It is old.", "", {"outdated"}, "(1 removed)"),
        ("The tool feeds pets. It is old.", "It is old. The tool feeds pets.", {"outdated"}, "1 moved"),
    ],
)
def test_every_edit_is_found(bench: Bench, old: str, new: str, codes: set[str], fragment: str) -> None:
    bench.edit(old, new)
    found = bench.findings()
    assert {code for code, _ in found} == codes
    assert any(fragment in message for _, message in found), found


def test_other_line_breaks_and_marks_are_no_edit(bench: Bench) -> None:
    bench.edit("The limit is 7\npets.", "The\nlimit   is **7** pets.  ")
    bench.edit("# The pet tool\n", "# The pet tool\n\n")
    assert bench.findings() == []


def test_a_requirement_is_confirmed(bench: Bench) -> None:
    bench.edit("dogs twice", "dogs thrice")
    before = (bench.folder / "spec.toml").read_text("utf-8")
    assert bench.confirm("FR-PT-02")
    assert bench.findings() == []
    new = sentence_hash("FR-PT-02 | The tool must feed dogs thrice.", bench.document.read_text("utf-8"))
    digest = hashlib.sha256(bench.document.read_bytes()).hexdigest()
    after = (bench.folder / "spec.toml").read_text("utf-8")
    old = load_pack(bench.folder).sha256
    assert old == digest
    assert [line for line in after.splitlines() if line not in before.splitlines()] == [
        f'sha256 = "{digest}"',
        f'sentences = ["{new}"]  # kept',
    ]


def test_requirements_that_share_a_sentence_are_confirmed_one_by_one(bench: Bench) -> None:
    bench.edit("sleeps is left alone", "eats is left alone")
    assert not bench.confirm("PT-SLEEP-01")
    (message,) = (message for _, message in bench.findings())
    assert message.startswith("PT-SLEEP-02: its sentence")
    assert bench.confirm("PT-SLEEP-02")
    assert bench.findings() == []


def test_one_of_several_changes_is_confirmed(bench: Bench) -> None:
    bench.edit("cats", "birds")
    bench.edit("It is old.", "It is new.")
    assert not bench.confirm("FR-PT-01")
    assert not any("FR-PT-01" in message for _, message in bench.findings())
    assert bench.confirm()
    assert bench.findings() == []


def test_a_moved_sentence_is_confirmed(bench: Bench) -> None:
    bench.edit("The limit is 7\npets.", "")
    bench.edit(ERROR, f"{ERROR} The limit is 7 pets.")
    messages = [message for _, message in bench.findings()]
    moved = 'PT-SLEEP-02: "The limit is 7 pets." (pets.md:18, below "3. Errors") moved from "2. Rules" to "3. Errors"; '
    assert [message for message in messages if message.startswith(moved)]
    assert bench.confirm("PT-SLEEP-02")
    assert bench.findings() == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("FR-PT-02", "FR-PT-02: none of its sentences is in .* and nothing is in their place; name another"),
        ("FR-PT-01", "FR-PT-01: nothing of it has changed in .*; leave it out"),
        ("FR-PT-11", 'FR-PT-11: write "FR-PT-01"'),
        (sentence_hash(DOG), "[0-9a-f]+: FR-PT-02 names it; write: treeproof confirm FR-PT-02 --spec "),
        ("0123456789ab", "0123456789ab: no new or changed sentence of .* has this hash; everything is confirmed"),
    ],
)
def test_what_cannot_be_confirmed_is_refused(bench: Bench, name: str, message: str) -> None:
    bench.edit(f"| {DOG} |\n", "")
    with pytest.raises(UsageError, match=message):
        bench.confirm(name)


@pytest.mark.parametrize(
    ("line", "message"),
    [("xyz", r'sentences.lock:1: "xyz" is no pair of hashes of 12 digits; restore'), ("\udcff", "cannot be read")],
)
def test_a_broken_lock_is_refused(bench: Bench, line: str, message: str) -> None:
    (bench.folder / LOCK_FILE).write_bytes(f"{line}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=message):
        bench.findings()


def changes(old: str, new: str) -> list[tuple[str, int]]:
    """Return what has become of each sentence of a text, with the line of the new text, or 0."""
    slots = find_changes([lock_sentence(one) for one in split_sentences(old)], list(split_sentences(new)))
    found = (slot.change for slot in slots if slot.has_new or slot.change.new is None)
    return [(one.kind, one.new.line if one.new is not None else 0) for one in found]


def test_of_equal_sentences_those_with_equal_neighbours_are_the_same() -> None:
    old = "# P\n- x\n- No.\n- y\n- No.\n"
    added = "# P\n- w\n- No.\n- x\n- No.\n- y\n- No.\n"
    assert changes(old, added) == [("added", 2), ("added", 3), *(("kept", line) for line in range(4, 8))]
    assert changes("- No.\n- No.\n- No.\n", "- No.\n- Yes.\n- No.\n") == [("kept", 1), ("changed", 2), ("kept", 3)]
    assert changes(added, old) == [("removed", 0), ("removed", 0), *(("kept", line) for line in range(2, 6))]


def test_of_three_items_the_two_that_change_places_are_the_moved_ones() -> None:
    found = changes("- a\n- b\n- c\n", "- c\n- b\n- a\n")
    assert found == [("moved", 1), ("kept", 2), ("moved", 3)]


@pytest.mark.parametrize(
    ("new", "kinds"),
    [
        ("# A\n- No.\n- a\n\n# B\n- Yes.\n- b\n", "kept kept kept kept"),
        ("# A\n- Yes.\n- a\n\n# B\n- Yes.\n- b\n", "changed kept kept kept"),
        ("# C\n- No.\n- a\n\n# B\n- Yes.\n- b\n", "renamed renamed kept kept"),
        ("# B\n- Yes.\n- b\n\n# A\n- No.\n- a\n", "kept kept moved moved"),
        ("# A\n- No.\n\n# B\n- a\n- Yes.\n- b\n", "kept moved kept kept"),
        ("# B\n- Yes.\n- b\n", "removed removed kept kept"),
        ("# C\n- No!\n- A\n\n# B\n- Yes.\n- b\n", "changed changed kept kept"),
        ("# A\n- a\n- No.\n\n# B\n- Yes.\n- b\n", "kept moved kept kept"),
        ("# A v2.0\n- No.\n- a\n\n# B\n- Yes.\n- b\n", "kept kept kept kept"),
        ("# 2. A\n- No.\n- a\n\n# B\n- Yes.\n- b\n", "renamed renamed kept kept"),
    ],
)
def test_what_has_become_of_a_sentence(new: str, kinds: str) -> None:
    old = "# A\n- No.\n- a\n\n# B\n- Yes.\n- b\n"
    assert sorted(kind for kind, _ in changes(old, new)) == sorted(kinds.split())


def test_the_states_of_requirements(bench: Bench) -> None:
    bench.edit("cats", "birds")
    bench.edit(f"| {DOG} |\n", "")
    bench.edit("It is old.", "It is old. It must eat.")
    found = trace_document(bench.pack, bench.document)
    assert found.states == {
        "FR-PT-01": "outdated",
        "FR-PT-02": "orphaned",
        "PT-SLEEP-01": "current",
        "PT-SLEEP-02": "current",
    }
    assert [sentence.text for sentence in found.uncovered] == ["It must eat."]


def test_a_document_belongs_to_the_pack_that_names_it(bench: Bench) -> None:
    other = load_pack(bench.folder)
    object.__setattr__(other, "source", "other.md")
    assert pack_of_document([other, bench.pack], bench.document).source == "pets.md"
    with pytest.raises(UsageError, match=r"may be that of several; .*pets@1.0 .restates other.md"):
        pack_of_document([other, other], bench.document)


def test_the_commands(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--spec", str(bench.folder), "--document", str(bench.document)]
    bench.edit("cats", "birds")
    assert main(["trace", *options, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["requirement"]: row["state"] for row in rows}["FR-PT-01"] == "outdated"
    assert main(["confirm", *options]) == 2
    assert "FR-PT-01: its sentence" in " ".join(capsys.readouterr().out.split())
    assert main(["confirm", "FR-PT-01", *options]) == 0
    out = capsys.readouterr().out
    assert "confirmed FR-PT-01: " in out and "pets 1.0: every sentence of pets.md is confirmed" in out
    assert main(["confirm", "FR-PT-01", "--spec", str(bench.folder)]) == 2
    assert "spec.toml; write --spec FOLDER and --document FILE" in capsys.readouterr().err


def test_a_document_beside_the_pack_is_always_checked(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.edit("cats", "birds")
    bench.document.rename(bench.folder / "pets.md")
    assert main(["lint", str(bench.folder)]) == 2
    assert "FR-PT-01: its sentence" in " ".join(capsys.readouterr().out.split())
