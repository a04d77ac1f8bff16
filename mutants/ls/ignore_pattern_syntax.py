"""Mutants: errors in the syntax of patterns."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from unicodedata import normalize

from treeproof.reference_impl.ls.directory import Entry
from treeproof.reference_impl.ls.filters import Filters

from ..shared.mutant import Mutant
from .builders import build_mutant
from .ignore_patterns import with_patterns_where

SET = r"\[!?\]?[^\]]*\]"


class ByHand(Filters):
    """Converts globs to regular expressions piece by piece."""

    pieces = re.compile(f"{SET}|.", re.DOTALL)

    def matches(self, text: str, pattern: str) -> bool:
        expression = "".join(map(self.piece, self.pieces.findall(pattern)))
        try:
            return self.meets(expression, text)
        except re.error:
            return False

    def meets(self, expression: str, text: str) -> bool:
        return re.fullmatch(expression, text, re.DOTALL) is not None

    def piece(self, glob: str) -> str:
        if len(glob) > 1:
            return self.members(glob[1:-1])
        return {"*": ".*", "?": "."}.get(glob) or self.plain(glob)

    def members(self, inside: str) -> str:
        kept = inside.removeprefix("!").replace("\\", "\\\\").replace("]", "\\]")
        return f"[^{kept}]" if inside.startswith("!") else f"[{kept}]"

    def plain(self, letter: str) -> str:
        return re.escape(letter)


class DotsEscaped(ByHand):
    def plain(self, letter: str) -> str:
        return "\\." if letter == "." else letter


class LooseSets(ByHand):
    pieces = re.compile(r"\[!?[^\]]*\]|.", re.DOTALL)

    def members(self, inside: str) -> str:
        return "(?!)" if not inside or inside.endswith("-") else super().members(inside)


class LineByLine(ByHand):
    """No character matches a line break, and a line break may follow."""

    def meets(self, expression: str, text: str) -> bool:
        return re.match(f"{expression}$", text) is not None


class BrokenMeetsNothing(Filters):
    """An unclosed bracket makes the whole pattern invalid."""

    def matches(self, text: str, pattern: str) -> bool:
        return "[" not in re.sub(SET, "", pattern) and super().matches(text, pattern)


class DotNamed(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        any_one = text.startswith(".") and pattern.startswith(("?", "["))
        return not any_one and super().matches(text, pattern)


class Composed(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return fnmatchcase(normalize("NFC", text), normalize("NFC", pattern))


class ByteByByte(Filters):
    def matches(self, text: str, pattern: str) -> bool:
        return fnmatchcase(text.encode().decode("latin-1"), pattern.encode().decode("latin-1"))


class SixteenBits(Filters):
    """Compares by the units of UTF-16, of which a character beyond 16 bits has two."""

    def matches(self, text: str, pattern: str) -> bool:
        return fnmatchcase(self.units(text), self.units(pattern))

    def units(self, text: str) -> str:
        units = text.encode("utf-16-be", "surrogatepass")
        return "".join(chr(int.from_bytes(units[at : at + 2])) for at in range(0, len(units), 2))


def void_if_one_is(broken: str) -> type[Filters]:
    """Return filters without any pattern if one of them is not well-formed."""

    class Void(Filters):
        def matches_any_pattern(self, entry: Entry) -> bool:
            return broken not in self.request.ignore and super().matches_any_pattern(entry)

    return Void


class FromAFile(Filters):
    def matches_any_pattern(self, entry: Entry) -> bool:
        written = [os.path.expandvars(one) for one in self.request.ignore if not one.startswith(";")]
        patterns = tuple(part for one in written for part in one.split(","))
        return Filters(replace(self.request, ignore=patterns)).matches_any_pattern(entry)


class FromHere(Filters):
    def matches_any_pattern(self, entry: Entry) -> bool:
        patterns = tuple(one.removeprefix("./") for one in self.request.ignore)
        return Filters(replace(self.request, ignore=patterns)).matches_any_pattern(entry)


class MeansDirectory(Filters):
    """A pattern with one ending excludes the directory before it."""

    ending = "/"

    def pattern_variants(self, pattern: str) -> Iterator[str]:
        yield from super().pattern_variants(pattern)
        if pattern.endswith(self.ending):
            yield from super().pattern_variants(pattern.removesuffix(self.ending))


class ContentMeansDirectory(MeansDirectory):
    ending = "/**"


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-300", "Only the dot of a pattern is escaped.", "LS-FILT-04", filters=DotsEscaped),
    build_mutant(
        "MUT-LS-301",
        "A pattern with an unclosed bracket matches nothing.",
        "LS-FILT-04",
        filters=BrokenMeetsNothing,
    ),
    build_mutant("MUT-LS-302", "A set ends at the first closing bracket.", "LS-FILT-04", filters=LooseSets),
    build_mutant("MUT-LS-303", "Patterns match single lines of a name.", "LS-FILT-04", filters=LineByLine),
    build_mutant(
        "MUT-LS-304",
        "Neither a question mark nor a set matches a leading dot.",
        "LS-FILT-04",
        filters=DotNamed,
    ),
    build_mutant(
        "MUT-LS-305",
        "Patterns and names are compared in one normal form.",
        "LS-FILT-04",
        filters=Composed,
    ),
    build_mutant("MUT-LS-350", "A question mark stands for a byte.", "LS-FILT-04", filters=ByteByByte),
    build_mutant("MUT-LS-351", "A question mark stands for sixteen bits.", "LS-FILT-04", filters=SixteenBits),
    build_mutant(
        "MUT-LS-352",
        "A range whose ends are reversed makes all patterns void.",
        "LS-FILT-04",
        filters=void_if_one_is("[z-a]"),
    ),
    build_mutant(
        "MUT-LS-353", "A bracket that stays open makes all patterns void.", "LS-FILT-04", filters=void_if_one_is("[")
    ),
    build_mutant("MUT-LS-306", "Patterns have commas, comments and variables.", "LS-FILT-04", filters=FromAFile),
    build_mutant(
        "MUT-LS-307",
        "Only the first fifty patterns have an effect.",
        "LS-FILT-04",
        filters=with_patterns_where(slice(50)),
    ),
    build_mutant("MUT-LS-308", "A leading dot and slash of a pattern are ignored.", "LS-FILT-05", filters=FromHere),
    build_mutant("MUT-LS-462", "`foo/` excludes the directory `foo`.", "LS-FILT-05", filters=MeansDirectory),
    build_mutant("MUT-LS-463", "`dist/**` excludes `dist` itself.", "LS-FILT-05", filters=ContentMeansDirectory),
)
