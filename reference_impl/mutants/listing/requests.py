"""Wrong in which paths may be asked for: names that are refused or rewritten, and lengths that are too many."""

import re
import unicodedata
from collections.abc import Callable

from ...errors import Kind, ToolError
from ...list_directory import ListDirectory, failed
from ...listing.request import Reading
from ..mutant import Mutant
from .made import wrong

DEVICE = re.compile(r"(?i)(^|/)(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.[^/]*)?(/|$)")
MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def taking(read: Callable[[str], str]) -> ListDirectory:
    """Takes the path for another one."""

    class Taking(Reading):
        def path(self) -> str:
            return read(super().path()) or "."

    return ListDirectory(reading=Taking)


def refusing(unwanted: Callable[[str], object]) -> ListDirectory:
    def refused(path: str) -> str:
        if unwanted(path):
            raise ToolError(Kind.BAD_ARGS, "path holds what is not allowed in a path")
        return path

    return taking(refused)


def shorter_than(most: int) -> ListDirectory:
    def measured(path: str) -> str:
        if len(path) >= most:
            raise failed("path is too long")
        return path

    return taking(measured)


def with_category(category: str) -> Callable[[str], bool]:
    return lambda path: any(unicodedata.category(character) == category for character in path)


MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-721", "A path of 260 characters is too long.", "FR-LD-VAL-08", tool=shorter_than(260)),
    wrong("MUT-722", "A path of 512 characters is too long.", "FR-LD-VAL-08", tool=shorter_than(512)),
    wrong(
        "MUT-723",
        "A path of more than sixteen names is refused.",
        "FR-LD-VAL-08",
        tool=refusing(lambda path: path.count("/") >= 16),
    ),
    wrong("MUT-724", "The names of DOS devices are refused.", "FR-LD-VAL-08", tool=refusing(DEVICE.search)),
    wrong(
        "MUT-725",
        "Characters that a shell knows are refused.",
        "FR-LD-VAL-08",
        tool=refusing(re.compile("[;|&<>]").search),
    ),
    wrong(
        "MUT-726",
        "A hyphen is refused, as it stands for the standard input.",
        "FR-LD-VAL-08",
        tool=refusing(lambda path: path == "-"),
    ),
    wrong(
        "MUT-727",
        "Backticks around a path are taken away.",
        "FR-LD-VAL-08",
        tool=taking(lambda path: re.sub("^`(.+)`$", r"\1", path)),
    ),
    wrong(
        "MUT-728",
        "A path ends where an address would have its query or fragment.",
        "FR-LD-VAL-08",
        "FR-LD-VAL-10",  # the path of a Windows device has a question mark in it
        tool=taking(lambda path: re.split("(?<=.)[?#]", path)[0]),
    ),
    wrong(
        "MUT-729",
        "An @ before a path is taken away.",
        "FR-LD-VAL-08",
        tool=taking(lambda path: path.removeprefix("@")),
    ),
    wrong(
        "MUT-730",
        "C1 control characters in a path are refused.",
        "FR-LD-VAL-08",
        tool=refusing(re.compile("[\u0080-\u0084\u0086-\u009f]").search),
    ),
    wrong(
        "MUT-731",
        "Marks that turn the direction of writing are taken out of a path.",
        "FR-LD-VAL-08",
        tool=taking(lambda path: MARKS.sub("", path) or path),
    ),
    wrong(
        "MUT-732",
        "Code points that are not assigned are refused.",
        "FR-LD-VAL-08",
        tool=refusing(with_category("Cn")),
    ),
)
