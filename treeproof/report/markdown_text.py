"""Texts made harmless for Markdown as GitHub, GitLab and their like read it.

What a stranger wrote is put into code spans and fenced blocks, where nothing is markup, a mention, an issue or a link;
prose keeps its plain words and puts every other word into a code span. Nothing here relies on escapes that a
renderer may know or not. Every text passes `visible` first.
"""

from __future__ import annotations

import re

from treeproof.report.escape import shortened, visible

_EMPTY = "(empty)"
# A word of prose: letters and digits, with hyphens and apostrophes inside; what else a word holds could mean something.
_PLAIN_WORD = re.compile(r"[^\W_]+(?:[-'’.,/][^\W_]+)*")
_OPEN, _CLOSE = "(\"“'‘", ".,;:!?)\"”'’…"
_DASHES = frozenset({"-", "–", "—", "·", "=", "…"})
# Plain to the eye, and yet a link to a commit or an issue, an address, a numbered item.
_SPECIAL_WORD = re.compile(r"[0-9a-fA-F]{7,}|(?i:gh-\d+)|(?i:www\..*)|\d+[.)]")


def code_span(text: str, *, limit: int = 400) -> str:
    """Return ``text`` as a code span of one line that no text can end, cut to ``limit`` characters."""
    return _make_span(shortened(visible(text), limit))


def _make_span(shown: str) -> str:
    if not shown.strip():
        return _make_span(f'"{shown}"') if shown else _EMPTY
    fence = "`" * (_longest_run(shown) + 1)
    # In a table the pipe parts cells even inside a code span, and a backslash before it is read in several ways.
    shown = shown.replace("|", "\\x7c")
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def fenced_block(text: str, *, limit: int = 2400, lines: int = 40, info: str = "") -> str:
    """Return ``text`` as a fenced block, cut to ``limit`` characters and ``lines`` lines, and say the cut."""
    kept = shortened(visible(text, lines=True), limit).split("\n")
    if len(kept) > lines:
        kept = [*kept[:lines], f"… ({len(kept) - lines} more lines)"]
    whole = "\n".join(kept)
    fence = "`" * max(3, _longest_run(whole) + 1)
    return f"{fence}{info}\n{whole}\n{fence}"


def prose(text: str, *, limit: int = 1200) -> str:
    """Return ``text`` as one line of prose: its own code spans stay, words that could mean something become such."""
    parts = re.split(r"`([^`\n]+)`", shortened(visible(text), limit))
    told = [
        _make_span(part) if position % 2 else _escape_words(part)
        for position, part in enumerate(parts)
        if part
    ]
    # Two spans side by side would be one, and what follows no span any more.
    return re.sub("(?<=`)\\0(?=`)", " ", "\0".join(told)).replace("\0", "").strip() or _EMPTY


def _escape_words(text: str) -> str:
    return re.sub(r"[^ ]+", lambda found: _escape_word(found.group()), text)


def _escape_word(word: str) -> str:
    if word in _DASHES:
        return "–" if word in "-–—" else word if word in "·…" else _make_span(word)
    begun = word.lstrip(_OPEN)
    inner = begun.rstrip(_CLOSE)
    if not inner:  # marks alone: what closes may stand behind a span
        return word if begun == word else _make_span(word)
    if _SPECIAL_WORD.fullmatch(word):
        return _make_span(word)
    if _SPECIAL_WORD.fullmatch(inner) or not _PLAIN_WORD.fullmatch(inner):
        return f"{word[: len(word) - len(begun)]}{_make_span(inner)}{begun[len(inner) :]}"
    return word


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
