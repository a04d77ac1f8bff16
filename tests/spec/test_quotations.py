"""The sentences of a requirement, quoted from a document or named by their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.spec import Pack, find_pack, load_pack
from treeproof.spec.quotations import quotations, quotations_of, use_documents
from treeproof.spec.source_document import split_sentences

DOCUMENT = "# 1. Names\n\nA name is kept. It may be empty.\n\n# 2. Links\n\nA name is kept.\n"
KEPT = list(split_sentences(DOCUMENT))[-1]


@pytest.fixture
def pack(tmp_path: Path) -> Iterator[Pack]:
    """A pack of one requirement of the second section, whose sentence stands in both."""
    bundled = load_pack(find_pack("ls"))
    links = replace(bundled.requirements[0], section="2 Links", sentences=(KEPT.hash,))
    yield replace(bundled, name="names", folder=tmp_path, source="names.md", requirements=(links,))
    use_documents((), ())


def test_of_equal_sentences_that_of_the_requirement_is_quoted(pack: Pack, tmp_path: Path) -> None:
    document = tmp_path / "other.md"
    document.write_text(DOCUMENT, "utf-8")
    use_documents([document], [pack])
    (found,) = quotations_of("names", pack.version, pack.requirements[0].id)
    assert (found.text, found.line, found.heading) == ("A name is kept.", 7, "2. Links")
    assert found.place == f"{document}:7, sentence 1 below “2. Links”"


def test_the_document_beside_the_catalogue_is_quoted(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "names.md").write_text(DOCUMENT, "utf-8")
    assert [one.text for one in quotations(pack, pack.requirements[0])] == ["A name is kept."]


def test_without_a_document_the_lock_names_the_place(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "sentences.lock").write_text(f"# 2. Links\n{12 * '0'} {12 * '0'}\n{KEPT.hash} {KEPT.words}\n", "utf-8")
    (found,) = quotations(pack, pack.requirements[0])
    assert (found.place, found.text) == ("sentence 2 below “2. Links”", "")


def test_another_document_is_refused(pack: Pack, tmp_path: Path) -> None:
    document = tmp_path / "other.md"
    document.write_text("Something else.\n", "utf-8")
    with pytest.raises(UsageError, match=r"has no sentence that a specification restates; write the path of names.md"):
        use_documents([document], [pack])
    use_documents([], [pack], [document])


def test_what_another_version_lacks_has_its_place(pack: Pack, tmp_path: Path) -> None:
    gone = next(iter(split_sentences("It was here.")))
    both = replace(pack, requirements=(replace(pack.requirements[0], sentences=(KEPT.hash, gone.hash)),))
    (tmp_path / "names.md").write_text(DOCUMENT, "utf-8")
    (tmp_path / "sentences.lock").write_text(
        f"# 2. Links\n{KEPT.hash} {KEPT.words}\n{gone.hash} {gone.words}\n", "utf-8"
    )
    kept, other = quotations(both, both.requirements[0])
    assert (kept.line, other.text) == (7, "")
    assert other.place == "sentence 2 below “2. Links”, which names.md does not have: it is another version"
