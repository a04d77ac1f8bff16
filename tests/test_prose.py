"""Documentation, help, reports, messages, docstrings, comments and identifiers use plain technical English.

The rules are in ``BANNED``: a word or phrase and the term of docs/glossary.md to write instead. Code in backquotes and
fenced blocks is exempt: file names, keys and program output have their own spelling.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from treeproof.cli.parser import build_parser

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ("index", "contributing", "vulnerabilities", "changelog", "spec-toml")
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "changelog.d/README.md")),
    *sorted(page for page in (ROOT / "docs").glob("*.md") if page.stem not in GENERATED),
    *sorted((ROOT / "docs" / "glue").glob("*.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
    ROOT / "benchmarks" / "README.md",
]
GLOSSARY = ROOT / "docs" / "glossary.md"
PACKAGES = ("treeproof", "adapters", "steps", "oracles", "reference_impl", "rows", "mutants")
EXEMPT = {
    "floor": "math.floor",
    "saying": "a group of a step text",
    "the_answer_does_not_say": "named after its step text",
    "the_call_fails_saying": "named after its step text",
}
"""Identifiers that are correct, with the reason."""
MAX_WORDS = 25

BANNED: Mapping[str, str] = {
    "zoo|animals?": "mutants",
    "wrong (implementations?|versions?|behaviours?)": "mutant",
    "laws?": "property",
    "bites?": "kills mutants, detects",
    "houses?|rooms?|floors?|hubs?|spokes?": "project, package, layer, core, content",
    "faces?": "package interface, surface",
    "part(y|ies)": "target",
    "hired?|bench": "worker, check",
    "anew": "again",
    "so many": "at most N, this number of",
    "otherwise than": "differently from",
    "beside (each other|itself)": "in parallel",
    "ask(s|ed|ing)?": "call, request, require",
    "tells?|told|telling": "report, print, return",
    "hears?|heard": "receive, read",
    "say(s|ing)?|said": "report, print, state",
    "nobody|whoever": "name the actor: user, candidate, adapter, worker",
    "leavings": "cleanup, remaining processes",
    "graver|waver(s|ed|ing)?": "worse; flaky, inconsistent",
}
"""Regular expressions of whole words, and the terms to write instead."""

SUBJECT_CLAUSE = re.compile(r"(?:^|(?<=[.;:] ))(What|Whoever|Nobody)\b[^?]*$")


@dataclass(frozen=True)
class Text:
    """A piece of prose and its place: a file with a line, or a command with an option."""

    place: str
    words: str


def findings(texts: Iterable[Text], banned: Mapping[str, str] = BANNED) -> list[str]:
    """Return one line per banned word: the place, the word and the replacement."""
    patterns = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), term) for words, term in banned.items()]
    return [
        f"{text.place}: {found[0]!r}; write: {term}"
        for text in texts
        for pattern, term in patterns
        for found in pattern.finditer(text.words)
    ]


def long_sentences(texts: Iterable[Text]) -> list[str]:
    """Return one line per sentence of more than MAX_WORDS words; a code span, or a list of them, counts as one word."""
    sentences = [(text, one) for text in texts for one in re.split(r"(?<=[.!?;:])\s+", text.words)]
    counted = [(text, one, len(re.sub(r"(?:`code`, )+`code`", "`code`", one).split())) for text, one in sentences]
    return [
        f"{text.place}: {count} words, at most {MAX_WORDS}: {one}" for text, one, count in counted if count > MAX_WORDS
    ]


def page_texts(page: Path, content: str | None = None) -> Iterator[Text]:
    """Yield the paragraphs, list items, headings and table cells of a Markdown page."""
    name = page.relative_to(ROOT).as_posix()
    paragraph, start, fenced = list[str](), 0, False
    lines = (page.read_text("utf-8") if content is None else content).splitlines()
    for number, line in enumerate([*lines, ""], 1):
        stripped = line.strip()
        is_fence = stripped.startswith("```")
        begins = re.match(r"([-*#|<]|\d+\.) ?", stripped)
        if paragraph and (not stripped or is_fence or begins):
            yield Text(f"{name}:{start}", plain(" ".join(paragraph)))
            paragraph = []
        fenced ^= is_fence
        if fenced or is_fence or not stripped or stripped.startswith("<") or line.startswith("    "):
            continue
        if stripped.startswith("|"):
            yield from (Text(f"{name}:{number}", plain(cell.strip())) for cell in stripped.strip("|").split(" | "))
        else:
            start = start if paragraph else number
            paragraph.append(stripped[begins.end() :] if begins else stripped)


def plain(markdown: str) -> str:
    """Return Markdown text with code spans as one word, and links as their text."""
    text = re.sub(r"`[^`]+`", "`code`", markdown)
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text).replace("**", "")


def help_texts() -> Iterator[Text]:
    """Yield every description, epilog, help text and metavar of the command line."""
    pending = [build_parser()]
    while pending:
        parser = pending.pop(0)
        for words in (parser.description, parser.epilog, *(group.title for group in parser._action_groups)):
            yield Text(parser.prog, words or "")
        for action in parser._actions:
            place = f"{parser.prog} {'/'.join(action.option_strings) or action.metavar or action.dest}"
            yield Text(place, f"{action.help or ''}")
            yield Text(place, f"{action.metavar or ''}")
            if isinstance(action, argparse._SubParsersAction):
                pending += action.choices.values()
                yield from (Text(f"{parser.prog} {c.dest}", c.help or "") for c in action._choices_actions)


def code_texts(file: Path, content: str | None = None) -> Iterator[Text]:
    """Yield the string constants of a module except docstrings; a computed part of a text becomes ``…``."""
    name = file.relative_to(ROOT).as_posix()
    tree = ast.parse(file.read_text("utf-8") if content is None else content)
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            skipped |= {id(part) for part in ast.walk(node) if isinstance(part, ast.JoinedStr)}
            skipped |= {id(part) for part in node.values}
            yield Text(f"{name}:{node.lineno}", without_tags("".join(map(str, parts))))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Text(f"{name}:{node.lineno}", without_tags(node.value))


def template_texts(file: Path, content: str | None = None) -> Iterator[Text]:
    """Yield the visible text of a Jinja template or a script, line by line."""
    text = file.read_text("utf-8") if content is None else content
    quoted = r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1"""
    if file.suffix == ".js":
        text = re.sub(r"/\*.*?\*/|//[^\n]*", blank_lines, text, flags=re.DOTALL)
        shown = "\n".join(" ".join(found[2] for found in re.finditer(quoted, line)) for line in text.split("\n"))
    else:
        text = re.sub(r"\{#.*?#\}|<(style|script)\b.*?</\1>", blank_lines, text, flags=re.DOTALL)
        code = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
        shown = code.sub(lambda found: " ".join(q[2] for q in re.finditer(quoted, found[0]) if " " in q[2]), text)
        shown = without_tags(shown)
    name = file.relative_to(ROOT).as_posix()
    yield from (Text(f"{name}:{n}", line.strip()) for n, line in enumerate(shown.split("\n"), 1) if line.strip())


def blank_lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def without_tags(text: str) -> str:
    """Return the text without tags; texts of attributes that a reader sees or hears are kept."""
    visible = r'\b(?:title|alt|aria-label|placeholder)="([^"]*)"'
    return re.sub(r"<[a-zA-Z/][^<>]*>", lambda tag: " ".join(re.findall(visible, tag[0])), text)


def code_prose(file: Path, content: str | None = None) -> Iterator[Text]:
    """Yield the docstrings and comments of a module, and the words of its identifiers except ``EXEMPT``."""
    name, code = file.relative_to(ROOT).as_posix(), file.read_text("utf-8") if content is None else content
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Text(f"{name}:{node.lineno}", plain(node.value.value))
    words: dict[str, int] = {}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield Text(f"{name}:{token.start[0]}", plain(token.string))
        elif token.type == tokenize.NAME and token.string not in EXEMPT:
            for word in token.string.lower().split("_"):
                words.setdefault(word, token.start[0])
    yield from (Text(f"{name}:{line}", word) for word, line in words.items())


def report_texts() -> Iterator[Text]:
    """Yield the texts of templates and modules; outside `report` and `cli` a single word is a key or a file name."""
    for file in sorted((ROOT / "treeproof").rglob("*.py")):
        is_shown = file.relative_to(ROOT / "treeproof").parts[0] in ("report", "cli")
        yield from (text for text in code_texts(file) if is_shown or " " in text.words)
    for file in sorted((ROOT / "treeproof").rglob("*.j2")) + sorted((ROOT / "treeproof").rglob("*.js")):
        yield from template_texts(file)


def violations(texts: Iterable[Text]) -> list[str]:
    """Return one line per banned word, long sentence and clause as a subject."""
    found = list(texts)
    clauses = [f"{text.place}: name the subject: {text.words}" for text in found if SUBJECT_CLAUSE.search(text.words)]
    return findings(found) + long_sentences(found) + clauses


def check(lines: list[str]) -> None:
    assert not lines, "docs/glossary.md has the terms:\n" + "\n".join(lines)


@pytest.mark.parametrize(
    "page",
    PAGES,
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_a_page_is_plain_english(page: Path) -> None:
    check(violations(page_texts(page)))


def test_the_help_of_every_command_is_plain_english() -> None:
    check(violations(help_texts()))


def test_the_texts_of_reports_commands_and_messages_are_plain_english() -> None:
    check(violations(report_texts()))


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_comments_and_identifiers_are_plain_english(package: str) -> None:
    check(findings(text for file in sorted((ROOT / package).rglob("*.py")) for text in code_prose(file)))


def glossary_rows() -> list[list[str]]:
    rows = re.findall(r"^\| (.+) \|$", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    return [cells for row in rows if (cells := row.split(" | "))[0] != "term"]


def test_the_glossary_defines_each_term_once() -> None:
    terms = [term for term, *_ in glossary_rows()]
    assert len(terms) <= 45
    assert sorted(terms) == sorted(set(terms))


def test_every_row_of_the_glossary_is_complete() -> None:
    assert [row for row in glossary_rows() if len(row) != 2 or not all(map(str.strip, row))] == []


def test_every_term_of_the_glossary_is_used() -> None:
    texts = [page.read_text("utf-8") for page in PAGES if page != GLOSSARY]
    texts += [file.read_text("utf-8") for folder in PACKAGES for file in (ROOT / folder).rglob("*.py")]
    everything = " ".join(re.sub(r"[_\W]+", " ", text.lower()) for text in texts)
    terms = [term for row in glossary_rows() for term in row[0].split(", ")]
    assert [term for term in terms if f" {term}" not in everything] == []


# The checks themselves detect errors.


def test_a_banned_word_is_detected_with_its_place_and_replacement() -> None:
    page = page_texts(GLOSSARY, "# Zoo\n\nplain\n\n* a `zoo`, and\n  The Zoo.\n\n```\nzoo\n```\n| a | two laws |\n")
    assert findings(page) == [
        "docs/glossary.md:1: 'Zoo'; write: mutants",
        "docs/glossary.md:5: 'Zoo'; write: mutants",
        "docs/glossary.md:11: 'laws'; write: property",
    ]


def test_a_banned_word_in_code_is_detected() -> None:
    code = '"""zoo"""\ndef f(x):\n    """zoo"""\n    return f"the zoo{x} <b class=\'zoo\'>" + "a zoo"\n'
    texts = list(code_texts(ROOT / "code.py", code))
    assert [text.words for text in texts] == ["the zoo… ", "a zoo"]
    assert len(findings(texts)) == 2


def test_a_banned_word_in_a_docstring_a_comment_and_an_identifier_is_detected() -> None:
    code = (
        'def f(the_zoo, saying):\n    """A zoo."""  # a zoo, but no `zoo`\n    return the_zoo\n\nx = "zoo"\n"""zoo"""\n'
    )
    found = findings(code_prose(ROOT / "code.py", code))
    assert [line.partition(";")[0] for line in found] == [f"code.py:{n}: 'zoo'" for n in (6, 2, 2, 1)]


def test_a_banned_word_in_a_template_is_detected() -> None:
    template = '{# zoo #}\n<p class="zoo" title="a zoo">{{ zoo }} zoo {{ "the zoo" if zoo }}</p>\n<style>\nzoo</style>'
    assert [line.partition(";")[0] for line in findings(template_texts(ROOT / "page.j2", template))] == [
        "page.j2:2: 'zoo'"
    ] * 3
    script = "/* zoo */ zoo();\nx = 'a zoo';  // zoo\n"
    assert len(findings(template_texts(ROOT / "page.js", script))) == 1


def test_a_long_sentence_and_a_clause_as_subject_are_detected() -> None:
    longest = " ".join(["word"] * MAX_WORDS)
    text = Text("here", f"{longest} end. {longest}. What fails is shown.")
    assert [line.partition(",")[0] for line in long_sentences([text])] == [f"here: {MAX_WORDS + 1} words"]
    assert len(violations([text])) == 2
    assert violations([Text("here", "What is a candidate? It is the implementation under test.")]) == []
