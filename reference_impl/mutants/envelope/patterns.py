"""Wrong in what patterns leave out."""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...envelope.directory import Entry
from ...envelope.filters import Filters
from ...envelope.page import Page
from ..mutant import Mutant
from .made import wrong


class PatternsOrHidden(Filters):
    """include_hidden switches the patterns off as well."""

    def matches_a_pattern(self, entry: Entry) -> bool:
        return not self.request.include_hidden and super().matches_a_pattern(entry)


class PatternsInstead(Filters):
    """Patterns stand in for the listed names."""

    def is_ignored(self, entry: Entry) -> bool:
        return not self.request.ignore and super().is_ignored(entry)


class PatternsInsteadOfAll(Filters):
    def is_hidden(self, entry: Entry) -> bool:
        return not self.request.ignore and super().is_hidden(entry)


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
    """Patterns without a separator meet paths as well."""

    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.path, entry.name)


class PathsOnly(Filters):
    """Patterns without a separator meet paths only."""

    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.path, entry.name) if self.has_separator(pattern) else (entry.path,)


def counting(which: slice) -> type[Filters]:
    """Filters of which these patterns count."""

    class Counting(Filters):
        def matches_a_pattern(self, entry: Entry) -> bool:
            some = Filters(replace(self.request, ignore=self.request.ignore[which]))
            return some.matches_a_pattern(entry)

    return Counting


class Negation(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        if pattern.startswith("!"):
            return not super().matches(text, pattern[1:])
        return super().matches(text, pattern)


class TakesBack(Filters):
    """As in ignore files, a later pattern with an exclamation mark takes back what was left out."""

    def matches_a_pattern(self, entry: Entry) -> bool:
        out = False
        for pattern in self.request.ignore:
            back = pattern.startswith("!")
            one = Filters(replace(self.request, ignore=(pattern[1:] if back else pattern,)))
            if one.matches_a_pattern(entry):
                out = not back
        return out


class CommentsAndBlanks(Filters):
    """As in ignore files, a leading # makes a comment, and blanks around a pattern are nothing."""

    def matches_a_pattern(self, entry: Entry) -> bool:
        patterns = tuple(one.strip() for one in self.request.ignore if not one.startswith("#"))
        return Filters(replace(self.request, ignore=patterns)).matches_a_pattern(entry)


class AnyComponent(Filters):
    """As in ignore files, a name without a separator leaves out what lies below a directory of that name."""

    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        if self.has_separator(pattern):
            return super().texts(entry, pattern)
        return tuple(entry.path.split("/"))


class WhatLiesBelow(Filters):
    """As in ignore files, what lies below something that is left out is left out."""

    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        found = super().texts(entry, pattern)
        parts = entry.path.split("/")
        above = tuple("/".join(parts[:length]) for length in range(1, len(parts)))
        return (*found, *above) if self.has_separator(pattern) else found


class Braces(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        found = re.fullmatch(r"\{(.*)\}", pattern)
        choices = found[1].split(",") if found else [pattern]
        return any(super(Braces, self).matches(text, choice) for choice in choices)


class NoLeadingDot(Filters):
    """As in a shell, a star does not stand for a leading dot."""

    def matches(self, text: str, pattern: str) -> bool:
        return text.startswith(".") == pattern.startswith(".") and super().matches(text, pattern)


class BracketsAreText(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text, pattern.replace("[", "[[]"))


class CircumflexNegates(Filters):
    """Brackets are negated as in regular expressions, and not as in globs."""

    def matches(self, text: str, pattern: str) -> bool:
        return super().matches(text, pattern.replace("[!", "[\x00!"))


class AsExpressions(Filters):
    """Patterns are regular expressions."""

    def matches(self, text: str, pattern: str) -> bool:
        expression = pattern.replace("*", ".*").replace("?", ".").replace("[!", "[^")
        try:
            return re.fullmatch(expression, text) is not None
        except re.error:
            return False


class FilesOnly(Filters):
    def matches_a_pattern(self, entry: Entry) -> bool:
        return entry.type != "dir" and super().matches_a_pattern(entry)


class RootPathsOnly(Filters):
    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.path,) if self.has_separator(pattern) else (entry.name,)


class NamesOnly(Filters):
    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return (entry.name,)


class SeparatorsAreNothing(Filters):
    """Patterns with a separator never match."""

    def texts(self, entry: Entry, pattern: str) -> tuple[str, ...]:
        return () if "/" in pattern and not pattern.startswith("**/") else super().texts(entry, pattern)


class RootedBySlash(Filters):
    """A slash at the beginning of a pattern stands for the root."""

    def variants(self, pattern: str) -> Iterator[str]:
        yield from super().variants(pattern)
        if pattern.startswith("/"):
            yield pattern[1:]


class NeverZero(Filters):
    def variants(self, pattern: str) -> Iterator[str]:
        yield pattern
        yield pattern.replace("\\", "/")


class StarsAlone(Filters):
    """The slash behind the leading stars is dropped along with nothing."""

    def variants(self, pattern: str) -> Iterator[str]:
        yield from super().variants(pattern)
        if pattern.startswith("**/"):
            yield "**" + pattern[3:]


class ZeroForNamesOnly(Filters):
    """`**/` stands for nothing only where a name is behind it."""

    def variants(self, pattern: str) -> Iterator[str]:
        for one in super().variants(pattern):
            if one == pattern or "/" not in one:
                yield one


class RemembersPatterns(Filters):
    def kept(self, entries: Iterable[Entry]) -> list[Entry]:
        FilteredPage.filters = Filters(self.request)
        without = Filters(replace(self.request, ignore=()))
        return without.kept(entries)


class FilteredPage(Page):
    filters: Filters

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(FilteredPage.filters.kept(super().entries))


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        153,
        "include_hidden switches the patterns off.",
        "FILT-08",
        "FILT-04",
        "FILT-10",
        filters=PatternsOrHidden,
    ),
    wrong(
        154,
        "With patterns the listed names are shown.",
        *("FILT-08", "FILT-02", "PAGE-04", "TEXT-02", "STAT-01", "STAT-02", "FILT-07", "PAGE-02"),
        filters=PatternsInstead,
    ),
    wrong(
        155,
        "With patterns what is hidden is shown.",
        *("FILT-08", "FILT-01", "PAGE-04", "TEXT-02", "STAT-01", "STAT-02", "FILT-07", "PAGE-02"),
        filters=PatternsInsteadOfAll,
    ),
    wrong(
        156,
        "A pattern can meet any part of a name.",
        "FILT-04",
        "FILT-07",
        "STAT-01",
        "TEXT-02",
        "FILT-06",
        "FILT-05",
        filters=AnyPart,
    ),
    wrong(
        157,
        "A pattern can meet the beginning of a name.",
        "FILT-04",
        "FILT-07",
        "FILT-06",
        "FILT-05",
        filters=BeginningIsEnough,
    ),
    wrong(158, "Patterns are held against names in any case.", "FILT-04", "FILT-05", filters=CaseIsIgnored),
    wrong(159, "Patterns without a separator meet paths as well.", "FILT-04", filters=WholePaths),
    wrong(160, "Patterns without a separator meet paths only.", "FILT-04", "FILT-05", filters=PathsOnly),
    wrong(161, "Only the first pattern counts.", "FILT-04", "FILT-08", "FILT-05", filters=counting(slice(1))),
    wrong(
        162,
        "Only the last pattern counts.",
        "FILT-04",
        "FILT-10",
        "FILT-08",
        "FILT-05",
        filters=counting(slice(-1, None)),
    ),
    wrong(163, "A leading exclamation mark negates a pattern.", "FILT-04", filters=Negation),
    wrong(164, "Braces hold alternatives.", "FILT-04", filters=Braces),
    wrong(
        181,
        "A pattern with an exclamation mark takes back what others leave out.",
        "FILT-04",
        filters=TakesBack,
    ),
    wrong(182, "Patterns have comments and no blanks.", "FILT-04", filters=CommentsAndBlanks),
    wrong(
        183,
        "A pattern without a separator meets any directory above an entry.",
        "FILT-04",
        "FILT-10",
        filters=AnyComponent,
    ),
    wrong(165, "A star does not stand for a leading dot.", "FILT-04", filters=NoLeadingDot),
    wrong(
        166,
        "Brackets stand for themselves.",
        "FILT-04",
        "FILT-10",
        "PAGE-04",
        "FILT-05",
        "TEXT-02",
        "STAT-01",
        filters=BracketsAreText,
    ),
    wrong(
        167, "An exclamation mark in brackets is a member.", "FILT-04", "STAT-01", filters=CircumflexNegates
    ),
    wrong(168, "Patterns are regular expressions.", "FILT-04", filters=AsExpressions),
    wrong(
        169,
        "Patterns leave directories alone.",
        "FILT-04",
        "TEXT-01",
        "FILT-05",
        "FILT-06",
        "FILT-07",
        "FILT-08",
        "STAT-03",
        "TEXT-02",
        filters=FilesOnly,
    ),
    wrong(170, "Patterns with a separator meet paths from the root only.", "FILT-05", filters=RootPathsOnly),
    wrong(171, "Patterns with a separator meet names only.", "FILT-05", "FILT-06", filters=NamesOnly),
    wrong(
        184,
        "A pattern with a separator leaves out what lies below what it meets.",
        "FILT-05",
        filters=WhatLiesBelow,
    ),
    wrong(172, "Patterns with a separator meet nothing.", "FILT-05", filters=SeparatorsAreNothing),
    wrong(
        173, "A slash at the beginning of a pattern stands for the root.", "FILT-05", filters=RootedBySlash
    ),
    wrong(174, "A leading **/ stands for one directory at least.", "FILT-06", filters=NeverZero),
    wrong(175, "A leading **/ stands for the beginning of a name as well.", "FILT-06", filters=StarsAlone),
    wrong(176, "A leading **/ stands for nothing before names only.", "FILT-06", filters=ZeroForNamesOnly),
    wrong(
        177,
        "Patterns are held against the page, after it was cut.",
        *(
            "FILT-07",
            "TEXT-05",
            "STAT-01",
            "STAT-02",
            "PAGE-01",
            "PAGE-02",
            "TEXT-01",
            "TEXT-02",
            "PAGE-04",
            "TEXT-03",
        ),
        filters=RemembersPatterns,
        page=FilteredPage,
    ),
)
