"""The skeleton of a pack from its document: a requirement, a Rule and an unfinished scenario for each rule in it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, groupby

from treeproof.errors import UsageError, listed
from treeproof.files.toml_file import toml_value
from treeproof.spec.gherkin import UNFINISHED
from treeproof.spec.levels import STATES, level_of
from treeproof.spec.locks import ids_in
from treeproof.spec.source_document import DocumentSentence, cells, place_below, without_emphasis

_LIST_HEAD = re.compile(r".*[:：]|\*\*[^*]+\*\*")
"""The last sentence of an item that only introduces others, such as "Returns:" or the name of a tool in bold."""
_NUMBER = re.compile(r"((?:\d+\.)*\d+)\.?\s+")


@dataclass(frozen=True)
class RuleDraft:
    """A rule as the document has it. `sentences` are its hashes; `level` is None if the words of `text` give it."""

    id: str
    text: str
    level: str | None
    sentences: tuple[str, ...]


def find_section(sentences: Sequence[DocumentSentence], wanted: str) -> str:
    """Return the heading of a document with this text, this number or this title, or its path. Raises UsageError."""
    paths = {one.headings[:depth]: None for one in sentences for depth in range(1, len(one.headings) + 1)}
    wanted = wanted.strip().rstrip(".")
    place = place_below(wanted.split(" > "))
    matches: tuple[Callable[[tuple[str, ...]], bool], ...] = (
        lambda path: wanted == " > ".join(path),
        lambda path: (number := _NUMBER.match(path[-1])) is not None and wanted == number[1],
        lambda path: place_below(path)[-len(place) :] == place,
    )
    found = next((found for match in matches if (found := [*filter(match, paths)])), [])
    if not paths:
        raise UsageError(f'the section "{wanted}": the document has no headings; leave out --section')
    if len(found) != 1:
        problem = "is the heading of several sections" if found else "is no heading of the document"
        names = [f'"{name}"' for name in (map(" > ".join, found) if found else (path[-1] for path in paths))]
        raise UsageError(f'the section "{wanted}" {problem}; write one of: {listed([*dict.fromkeys(names)])}')
    (path,) = found
    is_only = sum(place_below(one)[-1:] == place_below(path)[-1:] for one in paths) == 1
    return path[-1] if is_only else " > ".join(path)


def draft_rules(sentences: Sequence[DocumentSentence], prefix: str) -> list[RuleDraft]:
    """Return a draft for each rule in these sentences: a list item, a table row, or a sentence of prose."""
    numbers: dict[str, Iterator[int]] = {}
    codes: dict[tuple[str, ...], str] = {}
    drafts: list[RuleDraft] = []
    for group in _rules(sentences):
        first = group[0]
        code = codes.get(first.headings) or codes.setdefault(first.headings, _code(first.headings, codes))
        words = _words(group)
        own = ids_in(words.partition(":")[0])
        id = own[0] if own and words.startswith(f"{own[0]}:") else ""
        if not id or any(one.id == id for one in drafts):
            id = f"{prefix}-{code}-{next(numbers.setdefault(code, count(1))):02}"
        level = None if level_of(words) else "MUST"
        drafts.append(RuleDraft(id, words, level, tuple(dict.fromkeys(one.hash for one in group))))
    return drafts


def _rules(sentences: Sequence[DocumentSentence]) -> Iterator[list[DocumentSentence]]:
    """Yield the sentences of each rule.

    Examples in code, the heads of tables and of lists, and other prose are none.
    """
    for _, group in groupby(sentences, lambda one: one.line):
        found = list(group)
        kind = found[0].kind
        if kind == "prose" or (kind == "item" and _LIST_HEAD.fullmatch(found[-1].text)):
            yield from ([one] for one in found if STATES.search(one.text))
        elif kind == "item" and len({level_of(one.text) for one in found} - {None}) > 1:
            yield from ([one] for one in found)
        elif kind in ("item", "row"):
            yield found


def _words(group: Sequence[DocumentSentence]) -> str:
    """Return the words of a rule without emphasis; a row of a table has those of the table's head."""
    found = " ".join(without_emphasis(one.text) for one in group)
    if group[0].kind != "row":
        return found
    first, *others = (cell.replace("\\|", "|") for cell in cells(found))
    heads = group[0].head
    if len(heads) == 2 and others:
        return f"{first}: {others[0]}"
    parts = [f"{head} {cell}".strip() for head, cell in zip(heads[1:], others, strict=False) if cell]
    return f"{first}: {'; '.join(parts)}" if parts else first


def _code(headings: Sequence[str], used: Mapping[tuple[str, ...], str]) -> str:
    """Return three letters for a heading, for ids. A heading without such letters has its number."""
    heading = headings[-1] if headings else "Rules"
    letters, number = re.sub("[^A-Z]", "", heading.upper()), _NUMBER.match(heading)
    code = letters[:3] if len(letters) > 1 else f"S{re.sub('[^0-9]', '', number[1]) if number else ''}"
    taken = {*used.values()}
    return next(one for end in chain([""], map(str, count(2))) if (one := f"{code}{end}") not in taken)


def requirement_tables(drafts: Sequence[RuleDraft]) -> str:
    """Return the requirements as TOML."""
    return "\n".join(
        "\n".join(
            [
                "[[requirement]]",
                f"id = {toml_value(one.id)}",
                *([f"level = {toml_value(one.level)}"] if one.level else []),
                f"text = {toml_value(one.text)}",
                f"sentences = {toml_value(list(one.sentences))}",
                "",
            ]
        )
        for one in drafts
    )


def feature_text(name: str, tool: str, prefix: str, drafts: Sequence[RuleDraft]) -> str:
    """Return a feature with one Rule for each requirement, and one unfinished scenario in it."""
    blocks = [f"@{name}\nFeature: The rules of {tool}\n"]
    for one in drafts:
        scenario = one.id if one.id.startswith(f"{prefix}-") else f"{prefix}-{one.id}"
        blocks.append(f"""\
  @{one.id}
  Rule: {textwrap.shorten(one.text, 100, placeholder=" …")}

    @{scenario}-01
    Scenario: an example of {one.id}
      Given {UNFINISHED}
      And the tree "a, d/{{b}}"
      When {tool} is called with {{}}
      Then the entries are "a, d/b"
""")
    return "\n".join(blocks)
