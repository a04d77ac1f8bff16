"""Escaping of untrusted text for Markdown in the dialects of GitHub and GitLab, and templates that escape all of it.

Texts become code spans and fenced blocks, where nothing is markup, a mention, an issue or a link. In prose, plain words
are kept and other words become code spans. No backslash escapes are used, because renderers differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from treeproof.report.digest import abbreviate, pluralize
from treeproof.report.escape import shortened, visible, without_ci_commands

if TYPE_CHECKING:
    from jinja2 import Environment

_EMPTY = "(empty)"
_NO_LIMIT = 1_000_000  # characters, or lines
# A plain word: letters and digits, with hyphens and apostrophes inside. Other characters could be markup.
_PLAIN_WORD = re.compile(r"[^\W_]+(?:[-'’.,/][^\W_]+)*")
_OPEN, _CLOSE = "(\"“'‘", ".,;:!?)\"”'’…"
_DASHES = frozenset({"-", "–", "—", "·", "=", "…"})
# Plain words that become a link to a commit or an issue, or an address.
_SPECIAL_WORD = re.compile(r"[0-9a-fA-F]{7,}|(?i:gh-\d+)|(?i:www\..*)")
_NUMBERED_ITEM = re.compile(r"\d+[.)]")  # at the start of a line


def code_span(text: str, *, limit: int = 400) -> str:
    """Return ``text`` as a code span of one line, cut to ``limit`` characters."""
    return _make_span(shortened(visible(text), limit))


def _make_span(text: str) -> str:
    if not text.strip():
        return _make_span(f'"{text}"') if text else _EMPTY
    fence = "`" * (_longest_run(text) + 1)
    # In a table the pipe separates cells even inside a code span, and renderers treat `\\|` differently.
    text = text.replace("|", "\\x7c")
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced_block(text: str, *, limit: int = 2400, lines: int = 40, info: str = "") -> str:
    """Return ``text`` as a fenced block, cut to ``limit`` characters and ``lines`` lines with a note."""
    kept = shortened(visible(text, lines=True), limit).split("\n")
    if len(kept) > lines:
        kept = [*kept[:lines], f"… ({len(kept) - lines} more lines)"]
    whole = without_ci_commands("\n".join(kept))
    fence = "`" * max(3, _longest_run(whole) + 1)
    return f"{fence}{info}\n{whole}\n{fence}"


def prose(text: str, *, limit: int = 1200) -> str:
    """Return ``text`` as one line of prose: its code spans are kept, words that could be markup become code spans."""
    parts = re.split(r"`([^`\n]+)`", shortened(visible(text), limit))
    escaped = [_make_span(part) if position % 2 else _escape_words(part) for position, part in enumerate(parts) if part]
    # Adjacent spans would become one.
    return re.sub("(?<=`)\\0(?=`)", " ", "\0".join(escaped)).replace("\0", "").strip() or _EMPTY


def _escape_words(text: str) -> str:
    return re.sub(r"[^ ]+", lambda found: _escape_word(found.group(), is_first=found.start() == 0), text)


def _escape_word(word: str, *, is_first: bool) -> str:
    if word in _DASHES:
        return "–" if word in "-–—" else word if word in "·…" else _make_span(word)
    rest = word.lstrip(_OPEN)
    inner = rest.rstrip(_CLOSE)
    if not inner:  # punctuation only; a closing mark may follow a span
        return word if rest == word else _make_span(word)
    if _SPECIAL_WORD.fullmatch(word) or (is_first and _NUMBERED_ITEM.fullmatch(word)):
        return _make_span(word)
    if _SPECIAL_WORD.fullmatch(inner) or not _PLAIN_WORD.fullmatch(inner):
        return f"{word[: len(word) - len(rest)]}{_make_span(inner)}{rest[len(inner) :]}"
    return word


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def fit_to_lines(lines: Sequence[str], max_lines: int, noun: str) -> list[str]:
    """Return at most ``max_lines`` lines of a list; the last one counts what is left out."""
    if len(lines) <= max_lines:
        return list(lines)
    more = pluralize(len(lines) - max_lines + 1, f"more {noun}")
    return [*lines[: max_lines - 1], f"- and {more}: see the HTML or JSON report"]


def id_list_suffix(ids: Sequence[str], max_ids: int) -> str:
    """Return a colon and at most ``max_ids`` ids, escaped; an empty text without ids."""
    return f": {prose(', '.join(abbreviate(ids, max_ids)))}" if ids else ""


def table_line(cells: Sequence[str]) -> str:
    """Return one line of a table; the cells are escaped."""
    return f"| {' | '.join(cells)} |"


def render_markdown(template: str, **values: Any) -> str:
    """Return a page of ``template``.md.j2: every text is escaped as prose, unless a filter does otherwise."""
    text = _environment().get_template(f"{template}.md.j2").render(values)
    return text.rstrip() + "\n"


@cache
def _environment() -> Environment:
    # Imported here, because the import is slow and rarely needed.
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def read(name: str) -> str:
        return resources.files("treeproof.report").joinpath(name).read_text(encoding="utf-8")

    def finalize(value: Any) -> Any:
        return Markup(prose(value)) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=FunctionLoader(read),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = lambda text: Markup(code_span(text))
    environment.filters["whole"] = lambda text: Markup(prose(text, limit=_NO_LIMIT))
    environment.filters["section"] = lambda text: Markup(prose(text, limit=120))
    environment.filters["gherkin"] = lambda text: Markup(
        fenced_block(text, limit=_NO_LIMIT, lines=_NO_LIMIT, info="gherkin")
    )
    environment.globals["counted"] = pluralize
    return environment
