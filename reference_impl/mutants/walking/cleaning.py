"""Wrong in what the text of a path means: what `..` takes back, and which characters are taken for others."""

import re
import unicodedata
from collections.abc import Callable

from ...walking.argument import Refused
from ...walking.start import Start
from ..mutant import Mutant
from .made import wrong


class TakesBackWhatLeadsOut(Start):
    def cleaned(self, path: str) -> str:
        kept: list[str] = []
        for part in super().cleaned(path).split("/"):
            if part == ".." and kept:
                kept.pop()
            else:
                kept.append(part)
        return "/".join(kept) or "."


class DotsBesideSlashes(Start):
    def cleaned(self, path: str) -> str:
        if "../" in path or "/.." in path or path == "..":
            raise Refused("the path leads out")
        return super().cleaned(path)


class AsOnWindows(Start):
    def cleaned(self, path: str) -> str:
        if ":" in path:
            raise Refused("the path names a drive or a stream")
        return super().cleaned(path.replace("\\", "/"))


def understood(change: Callable[[str], str]) -> type[Start]:
    """A start whose path is changed before it is looked at."""

    class Changed(Start):
        def cleaned(self, path: str) -> str:
            return super().cleaned(change(path))

    return Changed


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-WD-151",
        "A second `..` takes back the first.",
        "WD-SEC-01",
        start=TakesBackWhatLeadsOut,
    ),
    wrong(
        "MUT-WD-169",
        "Two dots beside a slash are a way out, whatever else.",
        "WD-ARG-04",
        start=DotsBesideSlashes,
    ),
    wrong("MUT-WD-170", "A backslash is a slash, and a colon is refused.", "WD-ARG-04", start=AsOnWindows),
    wrong(
        "MUT-WD-171",
        "A path is composed to NFC.",
        "WD-ARG-04",
        start=understood(lambda path: unicodedata.normalize("NFC", path)),
    ),
    wrong(
        "MUT-WD-172",
        "A plus sign is a blank.",
        "WD-ARG-04",
        start=understood(lambda path: path.replace("+", " ")),
    ),
    wrong(
        "MUT-WD-173",
        "Quotes and line ends around a path are cut off.",
        "WD-ARG-04",
        start=understood(lambda path: path.strip("\"'\r\n")),
    ),
    wrong(
        "MUT-WD-174",
        "Dots at the end of a name are cut off.",
        "WD-ARG-04",
        start=understood(lambda path: re.sub(r"(?<=[^./])\.+(?=/|\Z)", "", path)),
    ),
)
