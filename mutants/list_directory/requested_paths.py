"""Mutants: errors in which paths may be requested: refused or changed names, and lengths."""

import re
import unicodedata
from collections.abc import Callable

from treeproof.reference_impl.list_directory.candidate import ListDirectory, execution_failed
from treeproof.reference_impl.list_directory.request import ArgumentParser
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from .builders import build_mutant

DEVICE = re.compile(r"(?i)(^|/)(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.[^/]*)?(/|$)")
MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def with_path_changed(read: Callable[[str], str]) -> ListDirectory:
    """Return the tool with the path changed."""

    class Taking(ArgumentParser):
        def parse_path(self) -> str:
            return read(super().parse_path()) or "."

    return ListDirectory(argument_parser=Taking)


def refusing_paths(unwanted: Callable[[str], object]) -> ListDirectory:
    def refused(path: str) -> str:
        if unwanted(path):
            raise ToolError(ErrorKind.BAD_ARGS, "path holds what is not allowed in a path")
        return path

    return with_path_changed(refused)


def shorter_than(most: int) -> ListDirectory:
    def measured(path: str) -> str:
        if len(path) >= most:
            raise execution_failed("path is too long")
        return path

    return with_path_changed(measured)


def with_category(category: str) -> Callable[[str], bool]:
    return lambda path: any(unicodedata.category(character) == category for character in path)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-721", "A path of 260 characters is too long.", "FR-LD-VAL-08", tool=shorter_than(260)),
    build_mutant("MUT-722", "A path of 512 characters is too long.", "FR-LD-VAL-08", tool=shorter_than(512)),
    build_mutant(
        "MUT-723",
        "A path of more than sixteen names is refused.",
        "FR-LD-VAL-08",
        tool=refusing_paths(lambda path: path.count("/") >= 16),
    ),
    build_mutant(
        "MUT-724", "The names of DOS devices are refused.", "FR-LD-VAL-08", tool=refusing_paths(DEVICE.search)
    ),
    build_mutant(
        "MUT-725",
        "Characters with a meaning for a shell are refused.",
        "FR-LD-VAL-08",
        tool=refusing_paths(re.compile("[;|&<>]").search),
    ),
    build_mutant(
        "MUT-726",
        "A hyphen is refused, because it means the standard input.",
        "FR-LD-VAL-08",
        tool=refusing_paths(lambda path: path == "-"),
    ),
    build_mutant(
        "MUT-727",
        "Backticks around a path are removed.",
        "FR-LD-VAL-08",
        tool=with_path_changed(lambda path: re.sub("^`(.+)`$", r"\1", path)),
    ),
    build_mutant(
        "MUT-728",
        "A path ends where a URL's query or fragment would begin.",
        "FR-LD-VAL-08 FR-LD-VAL-10",  # The path of a Windows device contains a question mark.
        tool=with_path_changed(lambda path: re.split("(?<=.)[?#]", path)[0]),
    ),
    build_mutant(
        "MUT-729",
        "A leading @ is removed from a path.",
        "FR-LD-VAL-08",
        tool=with_path_changed(lambda path: path.removeprefix("@")),
    ),
    build_mutant(
        "MUT-730",
        "C1 control characters in a path are refused.",
        "FR-LD-VAL-08",
        tool=refusing_paths(re.compile("[\u0080-\u0084\u0086-\u009f]").search),
    ),
    build_mutant(
        "MUT-731",
        "Marks that change the writing direction are removed from a path.",
        "FR-LD-VAL-08",
        tool=with_path_changed(lambda path: MARKS.sub("", path) or path),
    ),
    build_mutant(
        "MUT-732",
        "Unassigned code points are refused.",
        "FR-LD-VAL-08",
        tool=refusing_paths(with_category("Cn")),
    ),
)
