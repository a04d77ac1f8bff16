"""Mutants of LS as rows: which entries a listing leaves out. Contains no mutants."""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from treeproof.reference_impl.ls.filters import DEFAULT_IGNORES
from treeproof.rows.ls.answer import Entry

from ..shared.mutant import Mutant
from .rows import list_row


def hidden(entry: Entry) -> bool:
    return entry.name.startswith(".")


def ignored(entry: Entry) -> bool:
    return entry.is_dir and entry.name in DEFAULT_IGNORES


def shows_hidden(entry: Entry) -> bool:
    return entry.listing.arguments.get("include_hidden") is True


def patterns(entry: Entry) -> list[str]:
    return entry.listing.arguments.get("ignore") or []


def has_separator(pattern: str) -> bool:
    return "/" in pattern or "\\" in pattern


def texts(entry: Entry, pattern: str) -> tuple[str, ...]:
    """Return the texts that a pattern is matched against."""
    return (entry.path, entry.name) if has_separator(pattern) else (entry.name,)


def spellings(pattern: str) -> list[str]:
    """Return the pattern, also with slashes for backslashes and without a leading `**/`."""
    found = [pattern, pattern.replace("\\", "/")]
    return [*found, *(one.removeprefix("**/") for one in found)]


def excluded(
    entry: Entry,
    matches: Callable[[str, str], bool] = fnmatchcase,
    texts: Callable[[Entry, str], Iterable[str]] = texts,
    spellings: Callable[[str], Iterable[str]] = spellings,
) -> bool:
    """Return whether a pattern leaves the entry out."""
    return any(
        matches(text, spelling)
        for pattern in patterns(entry)
        for text in texts(entry, pattern)
        for spelling in spellings(pattern)
    )


def left_out(
    entry: Entry,
    hidden: Callable[[Entry], bool] = hidden,
    ignored: Callable[[Entry], bool] = ignored,
    excluded: Callable[[Entry], bool] = excluded,
) -> bool:
    """Return whether the filters leave the entry out."""
    return (not shows_hidden(entry) and (hidden(entry) or ignored(entry))) or excluded(entry)


def filter_row(
    id: str,
    summary: str,
    *violates: str,
    hidden: Callable[[Entry], bool] = hidden,
    ignored: Callable[[Entry], bool] = ignored,
    excluded: Callable[[Entry], bool] = excluded,
    **others: Any,
) -> Mutant:
    """Return a mutant whose listings are filtered again, as `list_row` does with all entries."""
    drop = partial(left_out, hidden=hidden, ignored=ignored, excluded=excluded)
    return list_row(id, summary, *violates, **{"source": lambda at: at.unfiltered, "drop": drop, **others})


def pattern_row(
    id: str,
    summary: str,
    *violates: str,
    matches: Callable[[str, str], bool] = fnmatchcase,
    texts: Callable[[Entry, str], Iterable[str]] = texts,
    spellings: Callable[[str], Iterable[str]] = spellings,
) -> Mutant:
    """Return a mutant in which patterns match other entries."""
    return filter_row(id, summary, *violates, excluded=lambda entry: excluded(entry, matches, texts, spellings))
