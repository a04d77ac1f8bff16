"""Edit every line of a document in three ways, and show that each edit is found with what rests on it.

    python benchmarks/document_drift.py SPEC DOCUMENT

SPEC is a bundled specification or a folder whose catalogue is confirmed against DOCUMENT (Markdown). A line of one
sentence gets another word, gets the text of another line, or is removed. Exits with 1 if `lint --document` names other
ids than those that name this sentence, or finds something in a text with other line breaks.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from treeproof.spec.catalogue import Pack
from treeproof.spec.document_trace import find_drift
from treeproof.spec.lint_document import lint_document
from treeproof.spec.packs import open_pack
from treeproof.spec.source_document import DocumentSentence

_BLOCK = re.compile(r"\s*(?:$|[-*+•]\s|\||\d+\.\s)")


def edits(text: str, sentences: list[DocumentSentence]) -> Iterator[tuple[str, DocumentSentence, str]]:
    """Yield the name of each edit, the sentence that it changes, and the edited text."""
    lines = [*text.splitlines(), ""]
    on_line, below = Counter(one.line for one in sentences), Counter(one.headings for one in sentences)
    # A line after which a block begins; a section whose only sentence is gone is another finding.
    alone = [one for one in sentences if on_line[one.line] == 1 and below[one.headings] > 1]
    whole = [one for one in alone if _BLOCK.match(lines[one.line]) and re.search(r"\w", lines[one.line - 1])]
    pick = random.Random(7)
    for one in whole:
        line = lines[one.line - 1]
        others = [lines[other.line - 1] for other in whole if other.text != one.text]
        others = [other for other in others if bool(_BLOCK.match(other)) == bool(_BLOCK.match(line))]
        news = {"another word": [re.sub(r"(\w)(\W*)$", r"\1 altered\2", line)], "removed": []}
        if others:
            news["another line"] = [pick.choice(others)]
        for name, new in news.items():
            yield name, one, "\n".join([*lines[: one.line - 1], *new, *lines[one.line :]])


def reflow(text: str) -> str:
    """Return the text with its paragraphs wrapped elsewhere, and blanks at the ends of lines."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        is_paragraph = not fenced and re.match(r"[A-Za-z*]", line) and "|" not in line and len(line) > 60
        lines += textwrap.wrap(line, 50, break_long_words=False, break_on_hyphens=False) if is_paragraph else [line]
    return "\n".join(f"{line}  " for line in lines) + "\n\n"


def named_ids(pack: Pack, document: Path, text: str) -> set[str] | None:
    """Return the ids that the diagnostics on a text of the document begin with; None without a diagnostic."""
    document.write_text(text, encoding="utf-8")
    found = [(one.file, one.message) for one in lint_document(pack, document)]
    ids = (message.partition(": ")[0].split(", ") for file, message in found if file == pack.pack_file)
    return {id for some in ids for id in some if id != "[spec]"} if found else None


def main() -> int:
    """Print a line for each edit that is wrong, and the numbers; return the exit code."""
    if len(sys.argv) != 3:
        sys.exit("write: python benchmarks/document_drift.py SPEC DOCUMENT")
    pack, document = open_pack(sys.argv[1]), Path(sys.argv[2])
    text = document.read_text(encoding="utf-8")
    drift = find_drift(pack, document)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / pack.source
        for name, sentence, edited in edits(text, list(drift.sentences)):
            expected = {one.id for one in drift.naming.get(sentence.hash, ())}
            found = named_ids(pack, copy, edited)
            counts[f"edits: {name}"] += 1
            if found != expected:
                counts["wrong"] += 1
                print(f"{name} {document}:{sentence.line}: {expected} expected, {found} found")
        for same in (text, reflow(text)):
            counts["wrong"] += named_ids(pack, copy, same) is not None
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
