"""Mutants: errors in which paths may be requested, in their normalisation, and in the path of the document."""

import os
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from treeproof.api import CallResult
from treeproof.reference_impl.shared.paths import trim
from treeproof.rows.list_directory.listing import ENDLESS, ListCall, Table, document_of, with_table
from treeproof.rows.list_directory.row import Change
from treeproof.rows.shared.row import with_value
from treeproof.rows.shared.stored_names import stored_path

from ..shared.mutant import Mutant
from .hidden import SWITCHES, with_hidden
from .rows import row

DEVICE = re.compile(r"(?i)(^|/)(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.[^/]*)?(/|$)")
MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def refusing(is_unwanted: Callable[[str], Any], kind: str = "BadArgs") -> Change:
    text = "path holds what is not allowed in a path"
    return {"refuse": lambda sent: (kind, text) if is_unwanted(sent.path) else None}


def with_category(category: str) -> Callable[[str], bool]:
    return lambda path: any(unicodedata.category(character) == category for character in path)


def edited(pattern: str) -> Change:
    """Return the change that removes what a pattern matches, line by line, from a path."""
    return {"requested": lambda path: re.sub(pattern, "", trim(path), flags=re.MULTILINE) if "\n" in path else path}


def showing(path: Callable[[ListCall, str], str]) -> Change:
    """Return the change of the path in the document, from the call and the normalised path."""

    def shown(sent: ListCall, answer: CallResult) -> CallResult:
        value = document_of(answer)
        return with_value(answer, value | {"path": path(sent, value["path"])}) if value else answer

    return {"result": shown}


def normalised(change: Callable[[str], str]) -> Change:
    return showing(lambda sent, path: change(path))


def resolved(sent: ListCall, path: str) -> str:
    roots = [os.path.realpath(root) for root in sent.context["roots"]]
    place = os.path.realpath(sent.place)
    inside = next((os.path.relpath(place, root) for root in roots if f"{place}/".startswith(f"{root}/")), path)
    return path if path.startswith("/") else inside


def canonical(sent: ListCall, path: str) -> str:
    return "." if path == "." else os.path.realpath(sent.place)


def untrimmed(sent: ListCall, path: str) -> str:
    before, _, after = sent.text.partition(trim(sent.text))
    return before + path + after


def collapsed_once(text: str) -> str:
    path = trim(text).replace("//", "/")
    while path.startswith("./") and path.strip("./"):
        path = path[2:]
    path = path.replace("/./", "/").removesuffix("/.")
    return path.rstrip("/") or ("/" if path.startswith("/") else ".")


def without_dot_slash(text: str) -> str:
    path = re.sub("/+", "/", trim(text))
    start = "/" if path.startswith("/") else ""
    return start + path[len(start) :].replace("./", "").rstrip("/") or "."


def keeping_inner_dots(sent: ListCall, path: str) -> str:
    text = re.sub("/+", "/", trim(sent.text))
    return path if "/./" not in text else text.removeprefix("./").removesuffix("/") or "."


def with_final_slash(sent: ListCall, path: str) -> str:
    return path + "/" * (trim(sent.text).endswith("/") and not path.endswith("/") and path != ".")


def with_runs(sent: ListCall, path: str) -> str:
    return trim(sent.text).rstrip("/") if re.search("[^/]//+[^/]", trim(sent.text)) else path


def with_two_slashes(sent: ListCall, path: str) -> str:
    return "/" * bool(re.match("//(?!/)", trim(sent.text))) + path


def with_trimmed_components(text: str) -> str:
    parts = [trim(part) for part in trim(text).split("/")]
    path = "/".join(part for part in parts if part not in ("", "."))
    return "/" + path if trim(text).startswith("/") else path or "."


def any_drive(sent: ListCall, path: str) -> str:
    is_drive = re.fullmatch(r"\w+:/+", trim(sent.text)) is not None
    return path + "/" if is_drive and not path.endswith("/") else path


def is_absolute(sent: ListCall) -> bool:
    return sent.path.startswith("/") and str(sent.root) != "/"


def starts_below(sent: ListCall) -> bool:
    return str(sent.root).startswith(tuple(f"{root}/" for root in sent.context["roots"]))


def all_kinds(sent: ListCall) -> Table:
    """Return that all types are listed, if the call lists any."""
    return dict.fromkeys(SWITCHES, any(map(sent.effective, SWITCHES)))


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-721", "A path of 260 characters is too long.", "FR-LD-VAL-08")(
        **refusing(lambda path: len(path) >= 260, "ExecutionFailed")
    ),
    row("MUT-722", "A path of 512 characters is too long.", "FR-LD-VAL-08")(
        **refusing(lambda path: len(path) >= 512, "ExecutionFailed")
    ),
    row("MUT-723", "A path of more than sixteen names is refused.", "FR-LD-VAL-08")(
        **refusing(lambda path: path.count("/") >= 16)
    ),
    row("MUT-724", "The names of DOS devices are refused.", "FR-LD-VAL-08")(**refusing(DEVICE.search)),
    row("MUT-725", "Characters with a meaning for a shell are refused.", "FR-LD-VAL-08")(
        **refusing(re.compile("[;|&<>]").search)
    ),
    row("MUT-726", "A hyphen is refused, because it means the standard input.", "FR-LD-VAL-08")(
        **refusing(lambda path: path == "-")
    ),
    row("MUT-727", "Backticks around a path are removed.", "FR-LD-VAL-08")(
        requested=lambda path: re.sub("^`(.+)`$", r"\1", trim(path))
    ),
    # The path of a Windows device contains a question mark.
    row("MUT-728", "A path ends where a URL's query or fragment would begin.", "FR-LD-VAL-08 FR-LD-VAL-10")(
        requested=lambda path: re.split("(?<=.)[?#]", trim(path))[0]
    ),
    row("MUT-729", "A leading @ is removed from a path.", "FR-LD-VAL-08")(
        requested=lambda path: trim(path).removeprefix("@") or "."
    ),
    row("MUT-730", "C1 control characters in a path are refused.", "FR-LD-VAL-08")(
        **refusing(re.compile("[\u0080-\u0084\u0086-\u009f]").search)
    ),
    row("MUT-731", "Marks that change the writing direction are removed from a path.", "FR-LD-VAL-08")(
        requested=lambda path: MARKS.sub("", path) or path
    ),
    row("MUT-732", "Unassigned code points are refused.", "FR-LD-VAL-08")(**refusing(with_category("Cn"))),
    row("MUT-906", "A path that begins with a dash is read as an option.", "FR-LD-VAL-08")(
        elsewhere=lambda path: "." if trim(path).startswith("-") and trim(path) != "-" else path
    ),
    row("MUT-907", "A path that is a value in JavaScript counts as missing.", "FR-LD-VAL-08")(
        elsewhere=lambda path: "." if path in ("0", "null", "__proto__") else path
    ),
    row("MUT-1001", "A path with an empty line in it counts as empty.", "FR-LD-VAL-01")(
        **refusing(re.compile(r"^\s*$", re.MULTILINE).search)
    ),
    row("MUT-1002", "Blanks beside a line break in the path are removed.", "FR-LD-VAL-10 FR-LD-VAL-01")(
        **edited(r"^[ \t]+|[ \t]+$")
    ),
    row("MUT-1003", "A dot and a slash at the beginning of any line of the path are removed.", "FR-LD-VAL-10")(
        **edited(r"^\./")
    ),
    row("MUT-1004", "A slash at the end of any line of the path is removed.", "FR-LD-VAL-10")(**edited("/+$")),
    row(
        *("MUT-112", "The path in the document is absolute, except for the working directory."),
        "FR-LD-VAL-10 FR-LD-OUT-02 FR-LD-OUT-06 FR-LD-OUT-08 FR-LD-VAL-07 FR-LD-VAL-01 FR-LD-VAL-08",
    )(**showing(canonical)),
    row(
        *("MUT-113", "The path in the document is the requested one."),
        "FR-LD-VAL-10 FR-LD-VAL-01 FR-LD-VAL-07 FR-LD-VAL-08",
    )(**showing(lambda sent, path: sent.text)),
    row("MUT-115", "Repeated slashes are collapsed in one pass over pairs.", "FR-LD-VAL-10 FR-LD-VAL-07 FR-LD-VAL-08")(
        **showing(lambda sent, path: collapsed_once(sent.text))
    ),
    row("MUT-116", "The path in the document is in lower case.", "FR-LD-VAL-10")(**normalised(str.lower)),
    row("MUT-118", "The path in the document keeps its surrounding white space.", "FR-LD-VAL-10 FR-LD-VAL-01")(
        **showing(untrimmed)
    ),
    row("MUT-119", "The path of the root becomes empty.", "FR-LD-VAL-10")(**normalised(lambda path: path.rstrip("/"))),
    row(
        *("MUT-281", "Every './' is removed, also after a name."),
        "FR-LD-VAL-10 FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-ERR-02 T-LD-03 FR-LD-DEF-05",
    )(requested=lambda path: without_dot_slash(path) if path.strip() else path),
    row("MUT-282", "A '.' between two names stays.", "FR-LD-VAL-10 FR-LD-VAL-08")(**showing(keeping_inner_dots)),
    row("MUT-283", "A trailing slash stays.", "FR-LD-VAL-10")(**showing(with_final_slash)),
    row("MUT-284", "Runs of slashes between names stay.", "FR-LD-VAL-10")(**showing(with_runs)),
    row("MUT-285", "'./' and equivalent paths become an empty path.", "FR-LD-VAL-10")(
        **showing(lambda sent, path: "" if path == "." != sent.text else path)
    ),
    row("MUT-286", "Two leading slashes stay.", "FR-LD-VAL-10")(**showing(with_two_slashes)),
    row("MUT-287", "White space around every component is removed.", "FR-LD-VAL-10 FR-LD-OUT-02a FR-LD-VAL-07")(
        requested=lambda path: with_trimmed_components(path) if trim(path) else path
    ),
    row("MUT-288", "A run of white space within the path becomes one blank.", "FR-LD-VAL-10")(
        **normalised(lambda path: re.sub(r"\s+", " ", path))
    ),
    row("MUT-289", "Any word with a colon counts as a drive.", "FR-LD-VAL-10")(**showing(any_drive)),
    row("MUT-291", "The path in the document is in NFC.", "FR-LD-VAL-10")(
        **normalised(lambda path: unicodedata.normalize("NFC", path))
    ),
    # A link into another root is shown as requested, or refused (AMB-LD-36).
    row("MUT-292", "The path in the document has links resolved.", "FR-LD-VAL-10 FR-LD-VAL-07")(**showing(resolved)),
    row("MUT-1026", "The path in the document has the names as they are stored.", "FR-LD-VAL-10")(
        **showing(lambda sent, path: path if path.startswith("/") else stored_path(sent.root, path))
    ),
    row("MUT-991", "By an absolute path, hidden entries are listed.", "FR-LD-LST-06")(
        where=is_absolute, also=with_hidden
    ),
    row("MUT-992", "By an absolute path, all kinds of entries are listed.", "FR-LD-LST-06")(
        where=is_absolute, also=all_kinds
    ),
    row("MUT-993", "By an absolute path, a recursive listing has no limit of depth.", "FR-LD-LST-02")(
        where=lambda sent: is_absolute(sent) and sent.is_deep,
        also=lambda sent: {"max_depth": 1000},
        context=lambda context: with_table(context, {"max_depth": ENDLESS}),
    ),
    row("MUT-994", "By an absolute path, the limit of entries is the greatest one.", "FR-LD-LST-07 DOC-05")(
        where=is_absolute, also=lambda sent: {"max_entries": 200}
    ),
    row("MUT-995", "Below a working directory that is no root, hidden entries are listed.", "FR-LD-LST-06")(
        where=starts_below, also=with_hidden
    ),
    row("MUT-996", "Below a working directory that is no root, all kinds of entries are listed.", "FR-LD-LST-06")(
        where=starts_below, also=all_kinds
    ),
)
