"""Mutants: errors in the arguments and in the text of the start."""

import json
import os
import re
import unicodedata
from typing import Any

from treeproof.rows.fs_walkdir.row import RESERVED, replacing

from ..shared.mutant import Mutant
from .rows import row

TEXT = "WD-ARG-04"
"""The requirement of a path that is taken as it is written."""

SPELLINGS = "WD-ARG-04 WD-ARG-05 WD-ENT-02 WD-WALK-02 WD-RET-02 WD-ERR-05 WD-SEC-02"
DOT = f"WD-ARG-05 {SPELLINGS} WD-ENT-01 WD-SYN-01 WD-ERR-06 WD-LOG-01 WD-WALK-01"
NOTHING = ("0", "false", "null", "nil", "undefined", "None")
"""Names of which one language or another takes each for nothing."""

INVISIBLE = "[\u200b-\u200f\u202a-\u202e\u00ad\ufeff]"


def last_of_both(given: Any) -> Any:
    """Return the arguments with the last one, if the name is there in another case as well."""
    is_twice = isinstance(given, dict) and len(given) == 2 and {name.lower() for name in given} == {"path"}
    return {"path": list(given.values())[-1]} if is_twice else given


def joined(value: Any) -> Any:
    return "/".join(map(str, value)) if isinstance(value, list) and len(value) > 1 else value


def without_inner_dots(path: str) -> str:
    parts = path.split("/")
    if ".." in parts[1:-1] and parts.count("..") == 1:
        parts.remove("..")
    return "/".join(parts)


def first_eight(path: str) -> str:
    return "/".join([part for part in path.split("/") if part not in ("", ".")][:8])


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-WD-070", "A second argument is ignored.", "WD-ARG-01")(
        arguments=lambda given: {"path": given["path"]} if isinstance(given, dict) and "path" in given else given
    ),
    row("MUT-WD-186", "The name in another case is the same argument, and the last one counts.", "WD-ARG-01")(
        arguments=last_of_both
    ),
    row("MUT-WD-071", "Without an argument, the sandbox is walked.", "WD-ARG-01")(
        arguments=lambda given: given or {"path": "."}
    ),
    row("MUT-WD-222", "Without an argument a directory with the name undefined is walked.", "WD-ARG-01")(
        arguments=lambda given: {"path": "undefined"} if given == {} else given
    ),
    row("MUT-WD-223", "Of a list of arguments the first one is taken.", "WD-ARG-01")(
        arguments=lambda given: {"path": given[0]} if isinstance(given, list) and given else given
    ),
    row("MUT-WD-296", "Arguments that are no object name the sandbox.", "WD-ARG-01")(
        arguments=lambda given: given if isinstance(given, dict) else {"path": "."}
    ),
    row("MUT-WD-073", "Values that are no string are converted.", "WD-ARG-02")(
        argument=lambda value: value if isinstance(value, str) else json.dumps(value)
    ),
    row("MUT-WD-074", "The first path of a list is walked.", "WD-ARG-02")(
        argument=lambda value: value[0] if isinstance(value, list) and value else value
    ),
    row("MUT-WD-246", "A list of texts is joined to a path.", "WD-ARG-02")(argument=joined),
    row("MUT-WD-224", "0, false and the empty list name the sandbox.", "WD-ARG-02")(
        argument=lambda value: "." if type(value) in (int, bool, list) and not value else value
    ),
    row("MUT-WD-269", "A number with a fraction is taken for a text.", "WD-ARG-02")(
        argument=lambda value: f"{value:g}" if isinstance(value, float) else value
    ),
    row("MUT-WD-075", "The empty path is the sandbox.", "WD-ARG-03")(
        argument=lambda value: "." if value == "" else value
    ),
    row("MUT-WD-076", "A path of blanks counts as empty.", TEXT)(
        argument=lambda value: value if not isinstance(value, str) or value.strip() else ""
    ),
    row("MUT-WD-270", "A path such as 0 is empty.", TEXT)(argument=lambda value: "" if value in NOTHING else value),
    row("MUT-WD-077", "Blanks around a path are removed.", TEXT, "WD-ERR-03")(start=str.strip),
    row("MUT-WD-145", "Leading and trailing blanks of the path are ignored.", TEXT, "WD-ERR-03")(
        start=lambda path: path.strip() or path
    ),
    row("MUT-WD-078", "A path ends at a NUL.", "WD-ERR-02 WD-LOG-01")(start=lambda path: path.partition("\0")[0]),
    row("MUT-WD-080", "A trailing slash leads to the parent.", SPELLINGS)(
        start=lambda path: os.path.dirname(os.path.normpath(path)) if path.endswith("/") else path
    ),
    row("MUT-WD-081", "The sandbox itself is refused.", DOT)(refuse=lambda path: os.path.normpath(path) == "."),
    row("MUT-WD-082", "A name that begins with two dots is refused.", "WD-ARG-04 WD-WALK-01")(
        refuse=lambda path: path.startswith("..")
    ),
    row("MUT-WD-169", "Two dots next to a slash always leave the sandbox.", TEXT)(
        refuse=lambda path: "../" in path or "/.." in path or path == ".."
    ),
    row("MUT-WD-247", "Two dots between two names are left out.", TEXT)(start=without_inner_dots),
    row("MUT-WD-083", "A path becomes lower case.", TEXT)(start=str.lower),
    row("MUT-WD-084", "A tilde and variables are expanded.", TEXT)(
        start=lambda path: os.path.expandvars(os.path.expanduser(path))
    ),
    row("MUT-WD-085", "Percent escapes are decoded.", TEXT)(start=lambda path: path.replace("%2e", ".")),
    row("MUT-WD-207", "A percent sign before two digits of base 16 is an escape.", TEXT)(
        start=lambda path: path.replace("%2f", "\u2044")
    ),
    row("MUT-WD-170", "A backslash is a slash, and a colon is refused.", TEXT)(
        refuse=lambda path: ":" in path, start=lambda path: path.replace("\\", "/")
    ),
    row("MUT-WD-171", "A path is normalised to NFC.", TEXT)(start=lambda path: unicodedata.normalize("NFC", path)),
    row("MUT-WD-172", "A plus sign is a blank.", TEXT)(start=lambda path: path.replace("+", " ")),
    row("MUT-WD-173", "Quotes and line endings around a path are removed.", TEXT)(
        start=lambda path: path.strip("\"'\r\n")
    ),
    row("MUT-WD-174", "Trailing dots of a name are removed.", TEXT)(start=replacing(r"(?<=[^./])\.+(?=/|\Z)")),
    row("MUT-WD-304", "Dots and slashes in front of a path are removed as signs.", TEXT)(
        start=lambda path: path if path.startswith("../") else path.lstrip("./") or path
    ),
    row("MUT-WD-191", "A path ends at a hash, a question mark or a semicolon, as an address does.", TEXT)(
        start=lambda path: re.split("[#?;]", path)[0]
    ),
    row("MUT-WD-244", "A path ends at a colon before a number.", TEXT)(start=replacing(r":\d+$")),
    row("MUT-WD-271", "A path that reads as a number is one.", TEXT)(
        start=lambda path: f"{float(path):g}" if re.fullmatch(r"\d+(\.\d*)?(e\d+)?", path, re.ASCII) else path
    ),
    row("MUT-WD-200", "Of a path with more than eight components the first eight are used.", TEXT)(start=first_eight),
    row("MUT-WD-201", "Names that Windows keeps are refused.", TEXT)(
        refuse=lambda path: any(RESERVED.fullmatch(part) for part in path.split("/"))
    ),
    row("MUT-WD-203", "A tilde before a name is removed.", TEXT)(start=replacing(r"(^|/)~(?=[^/])", r"\1")),
    row("MUT-WD-204", "Blanks in a row, and blanks of other kinds, become one blank.", TEXT)(
        start=replacing(r"[ \u00a0\u3000\u2028]+", " ")
    ),
    row("MUT-WD-205", "Marks that show nothing are removed from a path.", TEXT)(start=replacing(INVISIBLE)),
    row("MUT-WD-206", "Control characters are removed from a path.", TEXT)(start=replacing(r"[\x01-\x1f\x7f]")),
    row("MUT-WD-208", "A backslash stands before each sign of shells in a path.", TEXT)(
        start=replacing(r"([&|<>()`$])", r"\\\1")
    ),
    row("MUT-WD-272", "A component of 255 bytes is too long.", TEXT)(
        refuse=lambda path: any(len(part.encode(errors="replace")) >= 255 for part in path.split("/"))
    ),
    row("MUT-WD-308", "Nothing is within a sandbox that is the root of the system.", TEXT)(
        where=lambda sent: str(sent.root) == "/", refuse=lambda path: True
    ),
    row("MUT-WD-248", "A sandbox that is reached through a link contains nothing.", TEXT)(
        where=lambda sent: os.path.realpath(sent.root) != str(sent.root), refuse=lambda path: True
    ),
)
