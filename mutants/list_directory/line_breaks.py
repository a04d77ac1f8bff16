"""Mutants: texts are compared line by line, as patterns with `^` and `$` are in some languages."""

import re
from collections.abc import Callable
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.request import ArgumentParser, bad_arguments
from treeproof.reference_impl.list_directory.walk import Walk

from ..shared.mutant import Mutant
from .builders import build_mutant
from .names import with_entry_shown


class EmptyLineIsEmpty(ArgumentParser):
    def trim(self, text: str) -> str:
        core = super().trim(text)
        if re.search(r"^\s*$", core, re.MULTILINE):
            raise bad_arguments("path must not be blank")
        return core


def with_path_edited(pattern: str) -> ListDirectory:
    """Return the tool that removes what a pattern matches, line by line, from a path."""

    class Editing(ArgumentParser):
        def tidy(self, text: str) -> str:
            return super().tidy(re.sub(pattern, "", text, flags=re.MULTILINE) if "\n" in text else text)

    return ListDirectory(argument_parser=Editing)


class HiddenByAnyLine(Walk):
    def _is_hidden(self, lossy_name: str) -> bool:
        return any(line.startswith(".") for line in re.split("[\r\n]", lossy_name))


def with_name(change: Callable[[str], str]) -> ListDirectory:
    """Return the tool with names changed, but not paths."""
    return with_entry_shown(lambda entry, _: replace(entry, name=change(entry.name)))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-1001",
        "A path with an empty line in it counts as empty.",
        "FR-LD-VAL-01",
        tool=ListDirectory(argument_parser=EmptyLineIsEmpty),
    ),
    build_mutant(
        "MUT-1002",
        "Blanks beside a line break in the path are removed.",
        "FR-LD-VAL-10 FR-LD-VAL-01",
        tool=with_path_edited(r"^[ \t]+|[ \t]+$"),
    ),
    build_mutant(
        "MUT-1003",
        "A dot and a slash at the beginning of any line of the path are removed.",
        "FR-LD-VAL-10",
        tool=with_path_edited(r"^\./"),
    ),
    build_mutant(
        "MUT-1004",
        "A slash at the end of any line of the path is removed.",
        "FR-LD-VAL-10",
        tool=with_path_edited("/+$"),
    ),
    build_mutant(
        "MUT-1007",
        "A name is hidden if any line of it begins with a dot.",
        "FR-LD-LST-06a EF-07",
        tool=ListDirectory(walk=HiddenByAnyLine),
    ),
    build_mutant(
        "MUT-1008",
        "A line break at the end of a name is lost, but not that of its path.",
        "EF-01",
        tool=with_name(lambda name: name.removesuffix("\n")),
    ),
)
