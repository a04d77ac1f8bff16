"""Mutants: errors in the accepted arguments, in their values and their defaults."""

import json
from collections.abc import Callable
from typing import Any

from treeproof.rows.ls.answer import INVALID, Answer, Refusal
from treeproof.rows.ls.row import number, text
from treeproof.rows.shared.row import Sent

from ..shared.mutant import Mutant
from .rows import echo, list_row, row, without_envelope

LIMIT, OFFSET = "LS-ARG-03 LS-ERR-05", "LS-ARG-02 LS-ERR-05"
HIDDEN, IGNORE = "LS-ARG-04 LS-ERR-05", "LS-ARG-05 LS-ERR-05"
DEFAULTS = "LS-DEF-04 LS-TEXT-03 LS-TEXT-04"
KNOWN = ("path", "offset", "limit", "include_hidden", "ignore")
INHERITED_NAMES = frozenset({"constructor", "toString", "length"})
TRUTHS = {"true": True, "false": False}


def sent_value(name: str, sent: Sent) -> Any:
    """Return an argument as it was sent, None without it."""
    return sent.arguments.get(name) if isinstance(sent.arguments, dict) else None


def sends(name: str) -> Callable[[Sent], bool]:
    return lambda sent: isinstance(sent.arguments, dict) and name in sent.arguments


def default(**values: Any) -> Callable[[Sent], Any]:
    """Return the change that adds what is not sent."""
    return lambda sent: {**values, **sent.arguments} if isinstance(sent.arguments, dict) else sent.arguments


def root_by_default(sent: Sent) -> Any:
    return default(path=Answer(sent).root_text)(sent)


def boolean_is_number(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def of_digits(value: str) -> Any:
    return int(value) if value.isdigit() else value


def cut(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def parsed(sent: Sent) -> Any:
    try:
        found = json.loads(sent.arguments) if isinstance(sent.arguments, str) else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) else sent.arguments


def only_one(sent: Sent) -> Any:
    """Return the object in a list with one element."""
    is_one = isinstance(sent.arguments, list) and len(sent.arguments) == 1 and isinstance(sent.arguments[0], dict)
    return sent.arguments[0] if is_one else sent.arguments


def unknown_argument(at: Answer) -> Refusal | None:
    unknown = [name for name in at.arguments if name not in KNOWN]
    return ("INTERNAL_ERROR", f"unexpected argument {unknown[0]}") if unknown else None


def start_from_the_end(at: Answer) -> int:
    given: int = at.original.get("offset", 0)
    return max(0, at.total + given) if given < 0 else given


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-LS-005", "The default page has fifty entries.", DEFAULTS, arguments=default(limit=50)),
    row("MUT-LS-006", "The default page has two hundred entries.", DEFAULTS, arguments=default(limit=200)),
    row(
        *("MUT-LS-007", "The default path is the project root, whatever the working directory."),
        "LS-DEF-04 LS-DATA-06 LS-ENV-09 LS-PAGE-01 LS-STAT-01 LS-TEXT-02 LS-SEC-02 LS-ENV-07 LS-DATA-03 "
        "LS-FILT-05 LS-FILT-10",
        arguments=root_by_default,
    ),
    row(
        *("MUT-LS-011", "true and false are accepted as 1 and 0.", "LS-ARG-06 LS-ENV-08"),
        limit=boolean_is_number,
        offset=boolean_is_number,
    ),
    row(
        *("MUT-LS-012", "false is accepted as an offset of 0.", "LS-ARG-06"),
        offset=lambda value: 0 if value is False else value,
    ),
    row(
        *("MUT-LS-013", "A limit out of range is clamped.", "LS-ARG-03 LS-ENV-01 LS-ENV-02 LS-ENV-04 LS-ERR-05"),
        limit=number(lambda limit: max(1, min(200, limit))),
    ),
    row("MUT-LS-014", "A limit of 201 is accepted.", LIMIT, limit=number(lambda limit: 200 if limit == 201 else limit)),
    row("MUT-LS-454", "A limit of 1 is refused.", "LS-ARG-03", limit=number(lambda limit: 0 if limit == 1 else limit)),
    row(
        *("MUT-LS-015", "A limit above 100 is refused.", "LS-ARG-03 LS-ERR-01 LS-SEC-01 LS-PAGE-02"),
        limit=number(lambda limit: 0 if limit > 100 else limit),
    ),
    list_row(
        *("MUT-LS-016", "A limit of 0 is accepted.", "LS-ARG-03 LS-ENV-02 LS-ENV-01 LS-ENV-04 LS-ERR-05"),
        limit=number(lambda limit: limit or 1),
        end=lambda at: at.start + at.original.get("limit", 100),
    ),
    list_row(
        *("MUT-LS-017", "A negative offset counts from the end.", OFFSET),
        offset=number(lambda offset: max(0, offset)),
        start=start_from_the_end,
    ),
    row("MUT-LS-018", "A negative offset becomes 0.", OFFSET, offset=number(lambda offset: max(0, offset))),
    row("MUT-LS-019", "A limit can be a text of digits.", LIMIT, limit=text(of_digits)),
    row("MUT-LS-020", "An offset can be a text of digits.", "LS-ARG-02", offset=text(of_digits)),
    row("MUT-LS-021", "A limit loses its fraction.", "LS-ARG-03", limit=cut),
    row("MUT-LS-022", "An offset loses its fraction.", "LS-ARG-02", offset=cut),
    row(
        *("MUT-LS-023", "Every item of ignore is converted to a text.", IGNORE),
        ignore=lambda value: [*map(str, value)] if isinstance(value, list) else value,
    ),
    row("MUT-LS-024", "ignore can be a single text.", IGNORE, ignore=text(lambda one: one and [one])),
    row("MUT-LS-025", "An ignore that is empty, false or 0 is null.", "LS-ARG-05", ignore=lambda value: value or None),
    row(
        *("MUT-LS-026", "The keys of an object are patterns.", "LS-ARG-05 LS-ENV-08"),
        ignore=lambda value: [*value] if isinstance(value, dict) else value,
    ),
    row(
        *("MUT-LS-027", "A number is accepted as the name of a directory.", "LS-ARG-01 LS-ENV-04 LS-ERR-05"),
        path=lambda value: str(value) if isinstance(value, int) else value,
    ),
    row(
        *("MUT-LS-028", "An empty or false value means the working directory.", "LS-ARG-01"),
        path=lambda value: value or ".",
    ),
    row(
        *("MUT-LS-029", "Every value of include_hidden that is not empty means true.", "LS-ARG-04 LS-ENV-08"),
        include_hidden=lambda value: bool(value) and value != "false",
    ),
    row("MUT-LS-030", "An unknown argument is an internal error.", "LS-ARG-07", error=unknown_argument),
    row(
        *("MUT-LS-031", "Arguments that are no object are ignored.", "LS-ARG-08"),
        arguments=lambda sent: sent.arguments if isinstance(sent.arguments, dict) else {},
    ),
    row(
        *("MUT-LS-032", "A name that is too long is refused without an envelope.", "LS-ARG-08"),
        where=lambda sent: any(len(name) > 255 for name in str(sent_value("path", sent)).split("/")),
        answer=without_envelope("File name too long"),
    ),
    row(
        *("MUT-LS-033", "Blanks around a path are trimmed.", "LS-ARG-01 LS-SEC-02"),
        path=text(lambda path: path.strip() or "."),
    ),
    list_row(
        *("MUT-LS-034", "An offset after the end shows the last entry.", "LS-PAGE-05 LS-PAGE-01 LS-STAT-03 LS-TEXT-01"),
        start=lambda at: min(at.offset, max(0, at.total - 1)),
    ),
    row(
        *("MUT-LS-309", "More than twenty patterns are refused.", "LS-ARG-05 LS-FILT-04"),
        error=lambda at: INVALID if len(at.arguments.get("ignore") or []) > 20 else None,
    ),
    row(
        *("MUT-LS-310", "An offset can be a text that does not begin with 0.", "LS-ARG-02"),
        offset=text(lambda value: int(value) if "1" <= value[:1] <= "9" else value),
    ),
    row(
        *("MUT-LS-311", "A limit can be a text of three digits.", "LS-ARG-03"),
        limit=text(lambda value: int(value) if value in ("100", "200") else value),
    ),
    row(
        *("MUT-LS-312", "A path of blanks means the working directory.", "LS-ARG-01 LS-SEC-02"),
        path=text(lambda path: path if path.strip() else "."),
    ),
    row(
        *("MUT-LS-456", "A number as include_hidden is true or false.", HIDDEN),
        include_hidden=lambda value: bool(value) if isinstance(value, int | float) else value,
    ),
    row(
        *("MUT-LS-457", "The texts true and false are values of include_hidden.", HIDDEN),
        include_hidden=text(lambda value: TRUTHS.get(value, value)),
    ),
    row("MUT-LS-327", "A text as arguments is parsed once more.", "LS-ARG-08", arguments=parsed),
    row(
        *("MUT-LS-328", "null as arguments means none.", "LS-ARG-08"),
        arguments=lambda sent: {} if sent.arguments is None else sent.arguments,
    ),
    row(
        *("MUT-LS-402", "A list with one object in place of the arguments is that object.", "LS-ARG-08"),
        arguments=only_one,
    ),
    row(
        *("MUT-LS-329", "params_input lacks names that every object has.", "LS-ENV-08"),
        every=echo(lambda sent: {name: sent[name] for name in sent if name not in INHERITED_NAMES}),
    ),
    row(
        *("MUT-LS-330", "params_input lacks an argument `__proto__`.", "LS-ENV-08"),
        every=echo(lambda sent: {name: sent[name] for name in sent if name != "__proto__"}),
    ),
    row(
        "MUT-LS-374", "limit is cut to 8 bits.", LIMIT, limit=number(lambda limit: limit % 2**8 if limit > 0 else limit)
    ),
    row(
        *("MUT-LS-375", "limit is cut to 64 bits.", LIMIT),
        limit=number(lambda limit: limit % 2**64 if limit > 0 else limit),
    ),
    row(
        *("MUT-LS-376", "offset is cut to 32 bits.", "LS-PAGE-05"),
        offset=number(lambda offset: offset % 2**32 if 0 < offset < 2**40 else offset),
    ),
    row(
        *("MUT-LS-440", "offset is cut to 64 bits.", "LS-PAGE-05"),
        offset=number(lambda offset: offset % 2**64 if offset > 0 else offset),
    ),
    row(
        *("MUT-LS-377", "false as a path is the working directory.", "LS-ARG-01"),
        path=lambda value: "." if value is False else value,
    ),
    list_row(
        *("MUT-LS-378", "An argument `recursive` lists the entries below.", "LS-DATA-06 LS-ARG-07"),
        where=lambda sent: sent_value("recursive", sent) is True,
        more=lambda found, at: [*found, *(below for entry in found if entry.is_dir for below in entry.below)],
        first=lambda at: at.sorts_first,
    ),
    list_row(
        *("MUT-LS-396", "With an offset and without a limit, all of the rest is shown."),
        "LS-DEF-04 LS-PAGE-01 LS-PAGE-05",
        end=lambda at: at.total if at.offset and "limit" not in at.arguments else at.start + at.limit,
    ),
    row(
        *("MUT-LS-398", "With include_hidden a page holds 200.", "LS-DEF-04"),
        where=lambda sent: sent_value("include_hidden", sent) is True,
        arguments=default(limit=200),
    ),
    row(
        *("MUT-LS-399", "With an offset a limit above 200 is clamped.", LIMIT),
        where=sends("offset"),
        limit=number(lambda limit: min(limit, 200)),
    ),
    row(
        *("MUT-LS-400", "With a limit a negative offset is 0.", OFFSET),
        where=sends("limit"),
        offset=number(lambda offset: max(offset, 0)),
    ),
    row(
        *("MUT-LS-401", "An object as include_hidden fails without an envelope.", "LS-ARG-04 LS-ARG-08"),
        where=lambda sent: isinstance(sent_value("include_hidden", sent), dict),
        answer=without_envelope("include_hidden is an object"),
    ),
)
