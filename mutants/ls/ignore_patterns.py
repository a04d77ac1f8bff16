"""Mutants: errors in which entries patterns omit."""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from treeproof.reference_impl.ls.directory import Entry
from treeproof.reference_impl.ls.filters import Filters
from treeproof.reference_impl.ls.page import Page

from ..shared.mutant import Mutant
from .builders import build_mutant


class PatternsOrHidden(Filters):
    def matches_any_pattern(self, entry: Entry) -> bool:
        return not self.request.include_hidden and super().matches_any_pattern(entry)


class PatternsInstead(Filters):
    def is_ignored(self, entry: Entry) -> bool:
        return not self.request.ignore and super().is_ignored(entry)


class PatternsInsteadOfAll(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return not self.request.ignore and super().is_hidden(entry)


class NoDirectoryOnly(Filters):
    """A leading `**/` stands for no directory, and for nothing else."""

    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for spelling in super().pattern_variants(pattern):
            if not spelling.startswith("**/"):
                yield spelling


class AnyEnd(Filters):
    """A pattern with a separator matches the end of a path."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text, pattern) or ("/" in pattern and super().matches(text, f"*/{pattern}"))


class AnyText(Filters):
    """A pattern with a separator matches a part of a path, be it half a name."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text, pattern) or ("/" in pattern and pattern in text)


class AnyPart(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return bool(pattern) and super().matches(text, f"*{pattern}*")


class BeginningIsEnough(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return bool(pattern) and super().matches(text, f"{pattern}*")


class CaseIsIgnored(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return fnmatch.fnmatchcase(text.lower(), pattern.lower())


class WholePaths(Filters):
    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.path, entry.name)


class PathsOnly(Filters):
    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.path, entry.name) if self.has_separator(pattern) else (entry.path,)


def with_patterns_where(selected: slice) -> type[Filters]:
    """Return filters with only some of the patterns."""

    class Counting(Filters):
        def matches_any_pattern(self, entry: Entry) -> bool:
            some = Filters(replace(self.request, ignore=self.request.ignore[selected]))
            return some.matches_any_pattern(entry)

    return Counting


class Negation(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        if pattern.startswith("!"):
            return not super().matches(text, pattern[1:])
        return super().matches(text, pattern)


class ExclamationNegates(Filters):
    def matches_any_pattern(self, entry: Entry) -> bool:
        out = False
        for pattern in self.request.ignore:
            back = pattern.startswith("!")
            one = Filters(replace(self.request, ignore=(pattern[1:] if back else pattern,)))
            if one.matches_any_pattern(entry):
                out = not back
        return out


class CommentsAndBlanks(Filters):
    """As in ignore files, a leading # begins a comment, and blanks around a pattern are ignored."""

    def matches_any_pattern(self, entry: Entry) -> bool:
        patterns = tuple(one.strip() for one in self.request.ignore if not one.startswith("#"))
        return Filters(replace(self.request, ignore=patterns)).matches_any_pattern(entry)


class AnyComponent(Filters):
    """As in ignore files, a pattern without a separator omits the content of a matching directory."""

    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        if self.has_separator(pattern):
            return super().texts_to_match(entry, pattern)
        return tuple(entry.path.split("/"))


class WhatLiesBelow(Filters):
    """As in ignore files, the content of an omitted directory is omitted."""

    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        found = super().texts_to_match(entry, pattern)
        parts = entry.path.split("/")
        above = tuple("/".join(parts[:length]) for length in range(1, len(parts)))
        return (*found, *above) if self.has_separator(pattern) else found


class Braces(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        found = re.fullmatch(r"\{(.*)\}", pattern)
        choices = found[1].split(",") if found else [pattern]
        return any(super(Braces, self).matches(text, choice) for choice in choices)


class NoLeadingDot(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return text.startswith(".") == pattern.startswith(".") and super().matches(text, pattern)


class BracketsAreText(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text, pattern.replace("[", "[[]"))


class CircumflexNegates(Filters):
    """Brackets are negated as in regular expressions."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text, pattern.replace("[!", "[\x00!"))


class AsExpressions(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        expression = pattern.replace("*", ".*").replace("?", ".").replace("[!", "[^")
        try:
            return re.fullmatch(expression, text) is not None
        except re.error:
            return False


class FilesOnly(Filters):
    def matches_any_pattern(self, entry: Entry) -> bool:
        return entry.type != "dir" and super().matches_any_pattern(entry)


class NamesOnly(Filters):
    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.name,)


class SeparatorsAreNothing(Filters):
    def texts_to_match(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return () if "/" in pattern and not pattern.startswith("**/") else super().texts_to_match(entry, pattern)


class RootedBySlash(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        yield from super().pattern_variants(pattern)
        if pattern.startswith("/"):
            yield pattern[1:]


class NeverZero(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        yield pattern
        yield pattern.replace("\\", "/")


class StarsAlone(Filters):
    """A leading **/ is removed if it matches nothing."""

    def pattern_variants(self, pattern: str) -> Iterator[str]:
        yield from super().pattern_variants(pattern)
        if pattern.startswith("**/"):
            yield "**" + pattern[3:]


class ZeroForNamesOnly(Filters):
    def pattern_variants(self, pattern: str) -> Iterator[str]:
        for one in super().pattern_variants(pattern):
            if one == pattern or "/" not in one:
                yield one


class RemembersPatterns(Filters):
    def apply(self, entries: Iterable[Entry]) -> list[Entry]:
        FilteredPage.filters = Filters(self.request)
        without = Filters(replace(self.request, ignore=()))
        return without.apply(entries)


class FilteredPage(Page):
    filters: Filters

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(FilteredPage.filters.apply(super().entries))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-153",
        "include_hidden disables the patterns.",
        "LS-FILT-08 LS-FILT-04 LS-FILT-10",
        filters=PatternsOrHidden,
    ),
    build_mutant(
        "MUT-LS-154",
        "With patterns, the ignored names are shown.",
        "LS-FILT-08 LS-FILT-02 LS-PAGE-04 LS-TEXT-02 LS-STAT-01 LS-STAT-02 LS-FILT-07 LS-PAGE-02",
        filters=PatternsInstead,
    ),
    build_mutant(
        "MUT-LS-155",
        "With patterns, hidden entries are shown.",
        "LS-FILT-08 LS-FILT-01 LS-PAGE-04 LS-TEXT-02 LS-STAT-01 LS-STAT-02 LS-FILT-07 LS-PAGE-02",
        filters=PatternsInsteadOfAll,
    ),
    build_mutant(
        "MUT-LS-156",
        "A pattern can match any part of a name.",
        "LS-FILT-04 LS-FILT-07 LS-STAT-01 LS-TEXT-02 LS-FILT-06 LS-FILT-05",
        filters=AnyPart,
    ),
    build_mutant(
        "MUT-LS-157",
        "A pattern can match the beginning of a name.",
        "LS-FILT-04 LS-FILT-07 LS-FILT-06 LS-FILT-05",
        filters=BeginningIsEnough,
    ),
    build_mutant(
        "MUT-LS-158",
        "Patterns are case-insensitive.",
        "LS-FILT-04 LS-FILT-05",
        filters=CaseIsIgnored,
    ),
    build_mutant("MUT-LS-159", "Patterns without a separator match paths too.", "LS-FILT-04", filters=WholePaths),
    build_mutant(
        "MUT-LS-160",
        "Patterns without a separator match paths only.",
        "LS-FILT-04 LS-FILT-05",
        filters=PathsOnly,
    ),
    build_mutant(
        "MUT-LS-161",
        "Only the first pattern has an effect.",
        "LS-FILT-04 LS-FILT-08 LS-FILT-05",
        filters=with_patterns_where(slice(1)),
    ),
    build_mutant(
        "MUT-LS-162",
        "Only the last pattern has an effect.",
        "LS-FILT-04 LS-FILT-10 LS-FILT-08 LS-FILT-05",
        filters=with_patterns_where(slice(-1, None)),
    ),
    build_mutant("MUT-LS-163", "A leading exclamation mark negates a pattern.", "LS-FILT-04", filters=Negation),
    build_mutant("MUT-LS-164", "Braces hold alternatives.", "LS-FILT-04", filters=Braces),
    build_mutant(
        "MUT-LS-181",
        "A pattern with an exclamation mark includes entries that others omit.",
        "LS-FILT-04",
        filters=ExclamationNegates,
    ),
    build_mutant("MUT-LS-182", "Patterns have comments and no blanks.", "LS-FILT-04", filters=CommentsAndBlanks),
    build_mutant(
        "MUT-LS-183",
        "A pattern without a separator matches any directory above an entry.",
        "LS-FILT-04 LS-FILT-10",
        filters=AnyComponent,
    ),
    build_mutant("MUT-LS-165", "A star does not match a leading dot.", "LS-FILT-04", filters=NoLeadingDot),
    build_mutant(
        "MUT-LS-166",
        "Brackets are literal characters.",
        "LS-FILT-04 LS-FILT-10 LS-PAGE-04 LS-FILT-05 LS-TEXT-02 LS-STAT-01",
        filters=BracketsAreText,
    ),
    build_mutant(
        "MUT-LS-167",
        "An exclamation mark in brackets is a member.",
        "LS-FILT-04 LS-STAT-01",
        filters=CircumflexNegates,
    ),
    build_mutant("MUT-LS-168", "Patterns are regular expressions.", "LS-FILT-04", filters=AsExpressions),
    build_mutant(
        "MUT-LS-169",
        "Patterns do not apply to directories.",
        "LS-FILT-04 LS-TEXT-01 LS-FILT-05 LS-FILT-06 LS-FILT-07 LS-FILT-08 LS-STAT-03 LS-TEXT-02",
        filters=FilesOnly,
    ),
    build_mutant(
        "MUT-LS-171",
        "Patterns with a separator match names only.",
        "LS-FILT-05 LS-FILT-06",
        filters=NamesOnly,
    ),
    build_mutant(
        "MUT-LS-184",
        "A pattern with a separator omits the content of a matching directory.",
        "LS-FILT-05",
        filters=WhatLiesBelow,
    ),
    build_mutant("MUT-LS-172", "Patterns with a separator match nothing.", "LS-FILT-05", filters=SeparatorsAreNothing),
    build_mutant(
        "MUT-LS-173",
        "A leading slash of a pattern means the root.",
        "LS-FILT-05",
        filters=RootedBySlash,
    ),
    build_mutant("MUT-LS-174", "A leading **/ matches at least one directory.", "LS-FILT-06", filters=NeverZero),
    build_mutant(
        "MUT-LS-175",
        "A leading **/ matches the beginning of a name too.",
        "LS-FILT-06",
        filters=StarsAlone,
    ),
    build_mutant(
        "MUT-LS-176",
        "A leading **/ matches nothing before names only.",
        "LS-FILT-06",
        filters=ZeroForNamesOnly,
    ),
    build_mutant(
        "MUT-LS-177",
        "Patterns apply to the page, after the slice.",
        "LS-FILT-07 LS-TEXT-05 LS-STAT-01 LS-STAT-02 LS-PAGE-01 LS-PAGE-02 LS-TEXT-01 LS-TEXT-02 LS-PAGE-04 LS-TEXT-03",
        filters=RemembersPatterns,
        page=FilteredPage,
    ),
    build_mutant("MUT-LS-357", "A leading `**/` stands for no directory only.", "LS-FILT-06", filters=NoDirectoryOnly),
    build_mutant("MUT-LS-354", "A pattern with a separator matches the end of a path.", "LS-FILT-05", filters=AnyEnd),
    build_mutant("MUT-LS-355", "A pattern with a separator matches a part of a path.", "LS-FILT-05", filters=AnyText),
)
