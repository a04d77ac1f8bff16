"""`treeproof new spec --document`: each rule of a section is a requirement, and nothing passes before it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.run.runner import Options, run
from treeproof.scaffold.document_skeleton import find_section
from treeproof.scaffold.specification import new_spec_of_document
from treeproof.spec import load_pack
from treeproof.spec.lint_document import lint_document
from treeproof.spec.locks import LOCK_FILE
from treeproof.spec.source_document import read_sentences, split_sentences

DOCUMENT = """# Tools

A server must answer.

## 4. glob

It finds files. The answer must be short.

### 4.1 Arguments

| argument | type | default |
|---|---|---|
| `path` | string | `.` |
| `limit` | integer | |

### 4.2 Answer

- FR-GL-7: Paths **SHOULD** be sorted.
- `**` matches any part. It
  matches none, too.
- UTF-8 must be kept. Time should.

A server MAY list links. The default of `x` is 3. 路径必须存在。

```
glob must be no example
```

## 5. grep

It must find lines.
"""
REFERENCE = """
def candidate(tool, arguments, context):
    return {"status": "ok", "content": "a\\nd/b"}
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    file = tmp_path / "tools.md"
    file.write_text(DOCUMENT, "utf-8")
    return file


@pytest.fixture
def folder(document: Path, tmp_path: Path) -> Path:
    return new_spec_of_document("glob", tmp_path / "pack", document, ["4. glob"], "fs.glob").folder


def test_each_rule_of_the_section_is_a_requirement(folder: Path) -> None:
    rules = [(one.id, one.level, one.section, one.text) for one in load_pack(folder).requirements]
    assert rules == [
        ("GLOB-GLO-01", "MUST", "4. glob", "The answer must be short."),
        ("GLOB-ARG-01", "MUST", "4.1 Arguments", "`path`: type string; default `.`"),
        ("GLOB-ARG-02", "MUST", "4.1 Arguments", "`limit`: type integer"),
        ("FR-GL-7", "SHOULD", "4.2 Answer", "FR-GL-7: Paths SHOULD be sorted."),
        ("GLOB-ANS-01", "MUST", "4.2 Answer", "`**` matches any part. It matches none, too."),
        ("GLOB-ANS-02", "MUST", "4.2 Answer", "UTF-8 must be kept."),
        ("GLOB-ANS-03", "SHOULD", "4.2 Answer", "Time should."),
        ("GLOB-ANS-04", "MAY", "4.2 Answer", "A server MAY list links."),
        ("GLOB-ANS-05", "MUST", "4.2 Answer", "The default of `x` is 3."),
        ("GLOB-ANS-06", "MUST", "4.2 Answer", "路径必须存在。"),
    ]


def test_lint_names_each_scenario_as_unfinished_and_a_run_passes_none(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["lint", str(folder)]) == 0
    output = capsys.readouterr().out
    assert output.count("is unfinished, so it verifies nothing") == 10
    assert "0 errors, 11 notes" in output
    (tmp_path / "it.py").write_text(REFERENCE, "utf-8")
    manifest = '[candidate]\nadapter = "python"\nfactory = "./it.py:candidate"\n[tools]\n"fs.glob" = "fs.glob@0.1"\n'
    (tmp_path / "treeproof.toml").write_text(manifest, "utf-8")
    document = run(Options(target=str(tmp_path), specs=(str(folder),))).document.to_json()
    assert {one["verdict"] for one in document["specs"][0]["requirements"]} == {"NOT VERIFIED"}

    feature = folder / "glob.feature"
    feature.write_text(feature.read_text("utf-8").replace("Given this scenario is unfinished\n      And", "Given", 1))
    document = run(Options(target=str(tmp_path), specs=(str(folder),))).document.to_json()
    passed = [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == "PASS"]
    assert passed == ["GLOB-GLO-01"]


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("lines.", "words.", ""),
        ("A server must answer", "It must answer", ""),
        (
            "must be short",
            "should be short",
            'is now "The answer should be short."',
        ),
        (
            "4. glob",
            "4. globs",
            '[spec]: sections names "4. glob", no heading of tools.md; its sentences have another heading; '
            'write sections = ["4. globs"]',
        ),
    ],
)
def test_only_the_section_is_watched(folder: Path, old: str, new: str, finding: str) -> None:
    document = folder / "tools.md"
    document.write_text(document.read_text("utf-8").replace(old, new), "utf-8")
    found = [one.message for one in lint_document(load_pack(folder), document)]
    assert [one for one in found if finding in one] if finding else not found


def test_a_section_with_another_number_is_the_same(folder: Path) -> None:
    document = folder / "tools.md"
    document.write_text(document.read_text("utf-8").replace("# 4", "# 6"), "utf-8")
    messages = [one.message for one in lint_document(load_pack(folder), document)]
    assert messages
    assert not [one for one in messages if "section is" in one or "sections names" in one]


def test_the_sentences_of_a_renamed_section_are_below_the_deepest_heading(tmp_path: Path) -> None:
    document = tmp_path / "tools.md"
    document.write_text("# Glob\n\n## glob\n\nIt must end.\n", "utf-8")
    folder = new_spec_of_document("glob", tmp_path / "pack", document, ["glob"], "glob").folder
    document.write_text("# Glob\n\n## globs\n\nIt must end.\n", "utf-8")
    (found,) = lint_document(load_pack(folder), document)
    assert found.message.endswith('write sections = ["globs"]')


PATHS = "# 1. glob\n\n## Errors\n\nIt must.\n\n# 2. grep\n\n## Errors\n\nIt may.\n\n# Errors\n\nIt should.\n"
MANY = "".join(f"# Part {number}\n\nIt must.\n" for number in range(2000))


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        (PATHS, "grep > Errors", "2. grep > Errors"),
        (PATHS, "2. grep > Errors", "2. grep > Errors"),
        (PATHS, "2", "2. grep"),
        (PATHS, "Errors", "Errors"),
        (PATHS.replace("# Errors\n\nIt s", "It s"), "Errors", 'write one of: "1. glob > Errors", "2. grep > Errors"'),
        ("It must.", "Errors", 'the section "Errors": the document has no headings; leave out --section'),
        (MANY, "Errors", '"Part 39" and 1960 more'),
    ],
    ids=range(7),
)
def test_a_section_is_found_by_its_path(text: str, wanted: str, found: str) -> None:
    sentences = list(split_sentences(text))
    try:
        assert find_section(sentences, wanted) == found
    except UsageError as error:
        assert str(error).endswith(found)


def test_nothing_is_compared_by_a_wrong_spec(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue = folder / "spec.toml"
    catalogue.write_text(catalogue.read_text("utf-8").replace('["4. glob"]', '"4. glob"'), "utf-8")
    assert main(["lint", str(folder)]) == 2
    assert "1 error," in capsys.readouterr().out


def test_a_level_must_agree_with_the_sentence(folder: Path) -> None:
    catalogue = folder / "spec.toml"
    text = catalogue.read_text("utf-8")
    catalogue.write_text(text.replace("Paths SHOULD be", "Paths must be"), "utf-8")
    (found,) = lint_document(load_pack(folder), folder / "tools.md")
    assert "FR-GL-7: its text has the word of MUST, and its sentence has that of SHOULD" in found.message
    catalogue.write_text(text.replace('FR-GL-7"', 'FR-GL-7"\nlevel = "MAY"'), "utf-8")
    (found,) = lint_document(load_pack(folder), folder / "tools.md")
    assert "FR-GL-7: its level is MAY, and its sentence has that of SHOULD; correct the level" in found.message


@pytest.mark.parametrize("lock", ["", None, "broken"])
def test_a_section_is_known_without_the_lock(folder: Path, lock: str | None) -> None:
    file = folder / LOCK_FILE
    file.unlink()
    if lock is not None:
        file.write_text(lock, "utf-8")
    assert load_pack(folder).requirement("GLOB-ARG-01").section == "4.1 Arguments"
    (folder / "tools.md").unlink()
    assert load_pack(folder).requirement("GLOB-ARG-01").section == "tools.md"


@pytest.mark.parametrize("section", ["4", "4.", "glob", "4. glob"])
def test_the_names_of_a_section(document: Path, tmp_path: Path, section: str) -> None:
    pack = load_pack(new_spec_of_document("glob", tmp_path / "pack", document, [section], "glob").folder)
    assert (pack.sections, len(pack.requirements)) == (("4. glob",), 10)


@pytest.mark.parametrize(
    ("section", "tool", "message"),
    [
        ("7", "glob", 'the section "7" is no heading of the document; write one of: "Tools", "4. glob"'),
        ("4", "list-files", '"list-files" is no name of a tool in steps'),
    ],
)
def test_what_does_not_exist_is_refused(document: Path, tmp_path: Path, section: str, tool: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        new_spec_of_document("glob", tmp_path / "pack", document, [section], tool)
    assert not (tmp_path / "pack").exists()


def test_a_document_in_the_folder_stays(document: Path) -> None:
    pack = load_pack(new_spec_of_document("glob", document.parent, document, [], "glob").folder)
    assert document.read_text("utf-8") == DOCUMENT
    assert (pack.source, pack.sections, len(pack.requirements)) == ("tools.md", (), 12)


def test_several_sections(document: Path, tmp_path: Path) -> None:
    command = ["new", "spec", "glob", str(tmp_path / "pack"), "--document", str(document)]
    assert main([*command, "--section", "4.1", "--section", "5"]) == 0
    pack = load_pack(tmp_path / "pack")
    assert pack.sections == ("4.1 Arguments", "5. grep")
    assert [one.id for one in pack.requirements] == ["GLOB-ARG-01", "GLOB-ARG-02", "GLOB-GRE-01"]


def test_what_introduces_a_list_is_no_rule(tmp_path: Path) -> None:
    document = tmp_path / "tools.md"
    document.write_text(
        "---\ntitle: tools\nkeywords:\n  - glob\n---\n\n# Tools\n\n- **glob**\n  - Inputs:\n    - `path` (text)\n"
        "  - Ignored by default:\n    - `.git`\n",
        "utf-8",
    )
    pack = load_pack(new_spec_of_document("glob", tmp_path / "pack", document, [], "glob").folder)
    texts = [one.text for one in pack.requirements]
    assert texts == ["`path` (text)", "Ignored by default:", "`.git`"]


def test_what_is_a_rule(tmp_path: Path) -> None:
    document = tmp_path / "tools.md"
    text = (
        "# Tools\n\nIt mustn't end. It shouldn't wait. It cannot fail. A link is not allowed. \udcff. It ends.\n\n"
        "a | b | c\n--|--|--\n`x \\| y` | *z* | |\n\n<!-- It\nMUST NOT. -->\n\n~~~~\n~~~\nIt must.\n"
    )
    content = text.replace("\n", "\r\n").encode(errors="surrogateescape")
    document.write_bytes(content)
    folder = new_spec_of_document("glob", tmp_path / "pack", document, [], "glob").folder
    assert [(one.level, one.text) for one in load_pack(folder).requirements] == [
        ("MUST", "It mustn't end."),
        ("SHOULD", "It shouldn't wait."),
        ("MUST", "It cannot fail."),
        ("MUST", "A link is not allowed."),
        ("MUST", "`x | y`: b z"),
    ]
    assert (folder / "tools.md").read_bytes() == content
    assert not [*lint_document(load_pack(folder), folder / "tools.md")]


def test_a_sentence_below_no_heading_of_sections(folder: Path) -> None:
    catalogue, document = folder / "spec.toml", folder / "tools.md"
    other = next(one.hash for one in read_sentences(document) if one.text == "It must find lines.")
    own = load_pack(folder).requirement("FR-GL-7").sentences[0]
    catalogue.write_text(catalogue.read_text("utf-8").replace(own, other), "utf-8")
    found = [one.message for one in lint_document(load_pack(folder), document)]
    assert (
        'FR-GL-7: "It must find lines." is below no heading of sections; '
        'name another sentence, or add "5. grep" to sections in [spec]'
    ) in found
