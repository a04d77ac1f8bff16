"""The sentences of a document: where they begin and end, and hashes that do not depend on markup."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import load_pack
from treeproof.spec.lint import lint
from treeproof.spec.packs import shortest_folder
from treeproof.spec.source_document import read_sentences, split_sentences

Write = Callable[..., Path]

DOCUMENT = """# A tool

Wrapped over
two lines. It lists `files`, e.g. all of them! See A.2.

## 2. Output

* one item
* **another:** with a
  second line

| id | text |
|----|------|
| A1 | Sorted. By name. |

```json
{"a": 1}
```
目录优先。类型相同则排序。

1. A numbered item
"""


def test_sentences_have_headings_lines_and_texts() -> None:
    found = [(one.headings, one.line, one.text) for one in split_sentences(DOCUMENT)]
    top, output = ("A tool",), ("A tool", "2. Output")
    assert found == [
        (top, 3, "Wrapped over two lines."),
        (top, 3, "It lists `files`, e.g. all of them!"),
        (top, 3, "See A.2."),
        (output, 8, "one item"),
        (output, 9, "**another:** with a second line"),
        (output, 12, "id | text"),
        (output, 14, "A1 | Sorted. By name."),
        (output, 17, '{"a": 1}'),
        (output, 19, "目录优先。"),
        (output, 19, "类型相同则排序。"),
        (output, 21, "A numbered item"),
    ]


def test_numbered_titles_are_headings_of_a_text_without_marked_ones() -> None:
    text = "2. Output\n\n2.1. Fields\n\nOne.\n\n  1. an item\n  2. another\n\n3. Errors\n\nTwo.\n"
    assert [(one.headings, one.text) for one in split_sentences(text)] == [
        (("2. Output", "2.1. Fields"), "One."),
        (("2. Output", "2.1. Fields"), "an item"),
        (("2. Output", "2.1. Fields"), "another"),
        (("3. Errors",), "Two."),
    ]


def test_the_hash_does_not_depend_on_markup_and_line_breaks() -> None:
    plain, marked = "It lists files by name.", "It  **lists**\n`files` by\nname."
    (first,), (second,) = split_sentences(plain), split_sentences(marked)
    assert first.hash == second.hash
    assert first.words == second.words == hashlib.sha256(plain.encode()).hexdigest()[:12]
    (other,) = split_sentences("It lists files by size.")
    assert other.hash != first.hash


@pytest.mark.parametrize(
    ("text", "other", "is_same"),
    [
        ("**It _lists_** *`all`*, ***by* name**.", "It lists `all`, by name.", False),
        ("**It** _lists_ *`all`*, **by *its* name**.", "It lists `all`, by its name.", True),
        ("A *b. _C_ d.* E.", "A b. C d. E.", True),
        ("参数**路径**必须存在。", "参数路径必须存在。", True),
        ("`**/*.py` is it.", "`*/*.py` is it.", False),
        ("**/*.py is it.", "*/*.py is it.", False),
        ("f(*args, **kwargs) has `*`.", "f(*args, **kwargs) has `**`.", False),
        ("2*3*4 is it.", "234 is it.", False),
        ("~~~\n*a*\n~~~", "~~~\na\n~~~", False),
        ("a_b_c is it.", "abc is it.", False),
    ],
)
def test_only_marks_of_emphasis_are_no_words(text: str, other: str, is_same: bool) -> None:
    first, second = ([one.hash for one in split_sentences(some)] for some in (text, other))
    assert (first == second) is is_same


CODE = "# no heading\n\n- x\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"# A\n\n~~~ sh\n{CODE}```\n~~~\nOne.", "A code # no heading, A code - x, A prose One."),
        (f"# A\n````\n```\n{CODE}````\nOne.", "A code # no heading, A code - x, A prose One."),
        ("# A\n\n    # no heading\n\n    x\n\nOne.", "A code # no heading, A code x, A prose One."),
        ("# A\n- One.\n\n    Two.\n", "A item One., A prose Two."),
        ("A\n===\n\nOne.\n\nB\n---\nTwo.\n\n---\n\n- c\n---\n", "A prose One., B prose Two., B item c ---"),
        ("# A\n\na | b\n--|--\nx \\| y | z\n\nOne.", r"A head a | b, A row x \| y | z, A prose One."),
        ("# A\n| a |\n|--|\n| x |\n", "A head a, A row x"),
        ("# A\nOne. <!-- It\nmust. --> Two.\n\n`<!-- x -->`\n", "A prose One., A prose Two., A prose `<!-- x -->`"),
    ],
)
def test_the_markdown_that_is_read(text: str, expected: str) -> None:
    assert ", ".join(f"{one.headings[-1]} {one.kind} {one.text}" for one in split_sentences(text)) == expected


def test_a_byte_order_mark_hides_no_heading(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOne.\n", "utf-8-sig")
    (one,) = read_sentences(tmp_path / "a.md")
    assert one.headings == ("A",)


def test_the_same_words_at_another_place_have_another_hash() -> None:
    text = "# 1. glob\n\nNo.\n\nNo.\n\n# 2. grep v1.0\n\nNo.\n"
    first, second, other = split_sentences(text)
    assert len({first.hash, second.hash, other.hash}) == 3
    assert first.words == second.words == other.words


@pytest.mark.parametrize(
    ("heading", "other", "is_same"),
    [
        ("1. glob", "2.3 **glob**", True),
        ("A.1 Tools (v0.1)", "A.2 Tools (v0.2.1)", True),
        ("3 glob", "3 grep", False),
        ("Phase 1", "Phase 2", False),
    ],
)
def test_numbers_and_versions_of_headings_are_not_in_the_hash(heading: str, other: str, is_same: bool) -> None:
    (first,), (second,) = (split_sentences(f"# {one}\n\nNo.\n") for one in (heading, other))
    assert (first.hash == second.hash) is is_same


def test_a_missing_document_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.md"):
        read_sentences(tmp_path / "gone.md")


def test_the_lint_checks_the_hash_of_the_document_and_the_sentences(pack_folder: Write, tmp_path: Path) -> None:
    document = tmp_path / "tiny.md"
    document.write_text("It lists files by name.", "utf-8")
    folder = pack_folder(steps="")
    messages = [one.message for one in lint(load_pack(folder), document=document)]
    digest = hashlib.sha256(document.read_bytes()).hexdigest()
    assert [message for message in messages if "tiny.md" in message] == [
        f"[spec]: sha256 is not that of {document}; if the catalogue restates it, write: "
        f"treeproof confirm --spec {shortest_folder(document.parent / 'tiny')} --document {shortest_folder(document)}, "
        "which writes sentences.lock too",
        "FR-TY-01: no sentence of tiny.md has the hash 0123456789ab; "
        f"name one of them: treeproof list sentences --document {shortest_folder(document)}",
    ]
    (sentence,) = read_sentences(document)
    catalogue = (folder / "spec.toml").read_text("utf-8")
    (folder / "spec.toml").write_text(
        catalogue.replace("0123456789ab", sentence.hash).replace(load_pack(folder).sha256, digest), "utf-8"
    )
    messages = [one.message for one in lint(load_pack(folder), document=document)]
    assert [message for message in messages if "tiny.md" in message or "sha256" in message] == []
