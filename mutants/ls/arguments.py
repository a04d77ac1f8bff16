"""Mutants: errors in the accepted arguments, in their values and their defaults."""

import json
from collections.abc import Callable
from typing import Any

from ..shared.mutant import Mutant
from ..shared.rows import Sent
from .answer import INVALID, Answer, Refusal
from .rows import echo, list_row, row, without_envelope

LIMIT, OFFSET = "LS-ARG-03 LS-ERR-05", "LS-ARG-02 LS-ERR-05"
HIDDEN, IGNORE = "LS-ARG-04 LS-ERR-05", "LS-ARG-05 LS-ERR-05"
DEFAULTS = "LS-DEF-04 LS-TEXT-03 LS-TEXT-04"
KNOWN = ("path", "offset", "limit", "include_hidden", "ignore")
INHERITED_NAMES = frozenset({"constructor", "toString", "length"})
BITS_64 = 2**64 - 1


def is_number(value: Any) -> bool:
    return type(value) is int


def is_object(sent: Sent) -> bool:
    return isinstance(sent.arguments, dict)


def default(**values: Any) -> Callable[[Sent], Any]:
    """Return the change that adds what is not sent."""
    return lambda sent: {**values, **sent.arguments} if is_object(sent) else sent.arguments


def number_of_boolean(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def not_negative(value: Any) -> Any:
    return max(value, 0) if is_number(value) else value


def of_digits(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


def cut(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def parsed(sent: Sent) -> Any:
    try:
        found = json.loads(sent.arguments) if isinstance(sent.arguments, str) else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) else sent.arguments


def first_of_a_list(sent: Sent) -> Any:
    is_one = isinstance(sent.arguments, list) and len(sent.arguments) == 1 and isinstance(sent.arguments[0], dict)
    return sent.arguments[0] if is_one else sent.arguments


def refused_where(condition: Callable[[Answer], Any]) -> Callable[[Answer], Refusal | None]:
    return lambda at: INVALID if condition(at) else None


def unknown_argument(at: Answer) -> Refusal | None:
    unknown = [name for name in at.arguments if name not in KNOWN]
    return ("INTERNAL_ERROR", f"unexpected argument {unknown[0]}") if unknown else None


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-LS-005", "The default page has fifty entries.", DEFAULTS, arguments=default(limit=50)),
    row("MUT-LS-006", "The default page has two hundred entries.", DEFAULTS, arguments=default(limit=200)),
    row(
        *("MUT-LS-007", "The default path is the project root, whatever the working directory."),
        "LS-DEF-04 LS-DATA-06 LS-ENV-09 LS-PAGE-01 LS-STAT-01 LS-TEXT-02 LS-SEC-02 LS-ENV-07 LS-DATA-03 "
        "LS-FILT-05 LS-FILT-10",
        arguments=lambda sent: (
            {"path": sent.call.context["roots"][0], **sent.arguments} if is_object(sent) else sent.arguments
        ),
    ),
    row(
        *("MUT-LS-011", "true and false are accepted as 1 and 0.", "LS-ARG-06 LS-ENV-08"),
        **{"limit": number_of_boolean, "offset": number_of_boolean},
    ),
    row(
        *("MUT-LS-012", "false is accepted as an offset of 0.", "LS-ARG-06"),
        offset=lambda value: 0 if value is False else value,
    ),
    row(
        *("MUT-LS-013", "A limit out of range is clamped.", "LS-ARG-03 LS-ENV-01 LS-ENV-02 LS-ENV-04 LS-ERR-05"),
        limit=lambda value: max(1, min(200, value)) if is_number(value) else value,
    ),
    row("MUT-LS-014", "A limit of 201 is accepted.", LIMIT, limit=lambda value: 200 if value == 201 else value),
    row(
        *("MUT-LS-454", "A limit of 1 is refused.", "LS-ARG-03"),
        limit=lambda value: 0 if is_number(value) and value == 1 else value,
    ),
    row(
        *("MUT-LS-015", "A limit above 100 is refused.", "LS-ARG-03 LS-ERR-01 LS-SEC-01 LS-PAGE-02"),
        limit=lambda value: 0 if is_number(value) and value > 100 else value,
    ),
    list_row(
        *("MUT-LS-016", "A limit of 0 is accepted.", "LS-ARG-03 LS-ENV-02 LS-ENV-01 LS-ENV-04 LS-ERR-05"),
        limit=lambda value: 1 if is_number(value) and value == 0 else value,
        end=lambda at: at.start + at.original.get("limit", 100),
    ),
    list_row(
        *("MUT-LS-017", "A negative offset counts from the end.", OFFSET),
        start=lambda at: at.offset if (given := at.original.get("offset", 0)) >= 0 else max(0, at.total + given),
        offset=not_negative,
    ),
    row(
        *("MUT-LS-018", "A negative offset becomes 0.", OFFSET),
        offset=not_negative,
    ),
    row("MUT-LS-019", "A limit can be a text of digits.", LIMIT, limit=of_digits),
    row("MUT-LS-020", "An offset can be a text of digits.", "LS-ARG-02", offset=of_digits),
    row("MUT-LS-021", "A limit loses its fraction.", "LS-ARG-03", limit=cut),
    row("MUT-LS-022", "An offset loses its fraction.", "LS-ARG-02", offset=cut),
    row(
        *("MUT-LS-023", "Every item of ignore is converted to a text.", IGNORE),
        ignore=lambda value: [*map(str, value)] if isinstance(value, list) else value,
    ),
    row(
        *("MUT-LS-024", "ignore can be a single text.", IGNORE),
        ignore=lambda value: [value] if isinstance(value, str) and value else value,
    ),
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
        arguments=lambda sent: sent.arguments if is_object(sent) else {},
    ),
    row(
        *("MUT-LS-032", "A name that is too long is refused without an envelope.", "LS-ARG-08"),
        where=lambda sent: (
            is_object(sent) and any(len(one) > 255 for one in str(sent.arguments.get("path")).split("/"))
        ),
        answer=without_envelope("File name too long"),
    ),
    row(
        *("MUT-LS-033", "Blanks around a path are trimmed.", "LS-ARG-01 LS-SEC-02"),
        path=lambda value: value.strip() or "." if isinstance(value, str) else value,
    ),
    list_row(
        *("MUT-LS-034", "An offset after the end shows the last entry.", "LS-PAGE-05 LS-PAGE-01 LS-STAT-03 LS-TEXT-01"),
        start=lambda at: min(at.offset, max(0, at.total - 1)),
    ),
    row(
        *("MUT-LS-309", "More than twenty patterns are refused.", "LS-ARG-05 LS-FILT-04"),
        error=refused_where(lambda at: len(at.arguments.get("ignore") or []) > 20),
    ),
    row(
        *("MUT-LS-310", "An offset can be a text that does not begin with 0.", "LS-ARG-02"),
        offset=lambda value: int(value) if isinstance(value, str) and "1" <= value[:1] <= "9" else value,
    ),
    row(
        *("MUT-LS-311", "A limit can be a text of three digits.", "LS-ARG-03"),
        limit=lambda value: int(value) if value in ("100", "200") else value,
    ),
    row(
        *("MUT-LS-312", "A path of blanks means the working directory.", "LS-ARG-01 LS-SEC-02"),
        path=lambda value: "." if isinstance(value, str) and not value.strip() else value,
    ),
    row(
        *("MUT-LS-456", "A number as include_hidden is true or false.", HIDDEN),
        include_hidden=lambda value: bool(value) if isinstance(value, int | float) else value,
    ),
    row(
        *("MUT-LS-457", "The texts true and false are values of include_hidden.", HIDDEN),
        include_hidden=lambda value: value == "true" if value in ("true", "false") else value,
    ),
    row("MUT-LS-327", "A text as arguments is parsed once more.", "LS-ARG-08", arguments=parsed),
    row(
        *("MUT-LS-328", "null as arguments means none.", "LS-ARG-08"),
        arguments=lambda sent: {} if sent.arguments is None else sent.arguments,
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
        *("MUT-LS-374", "limit is cut to 8 bits.", LIMIT),
        limit=lambda value: value & 0xFF if is_number(value) and value > 0 else value,
    ),
    row(
        *("MUT-LS-375", "limit is cut to 64 bits.", LIMIT),
        limit=lambda value: value & BITS_64 if is_number(value) and value > 0 else value,
    ),
    row(
        *("MUT-LS-376", "offset is cut to 32 bits.", "LS-PAGE-05"),
        offset=lambda value: value & (2**32 - 1) if is_number(value) and 0 < value < 2**40 else value,
    ),
    row(
        *("MUT-LS-440", "offset is cut to 64 bits.", "LS-PAGE-05"),
        offset=lambda value: value & BITS_64 if is_number(value) and value > 0 else value,
    ),
    row(
        *("MUT-LS-377", "false as a path is the working directory.", "LS-ARG-01"),
        path=lambda value: "." if value is False else value,
    ),
    list_row(
        *("MUT-LS-378", "An argument `recursive` lists the entries below.", "LS-DATA-06 LS-ARG-07"),
        where=lambda sent: is_object(sent) and sent.arguments.get("recursive") is True,
        more=lambda found, at: [*found, *(below for one in found if one.is_dir for below in at.below(one))],
        key=lambda entry: (entry.name.lower(), entry.name),
    ),
    list_row(
        *("MUT-LS-396", "With an offset and without a limit, all of the rest is shown."),
        "LS-DEF-04 LS-PAGE-01 LS-PAGE-05",
        where=lambda sent: is_object(sent) and "limit" not in sent.arguments,
        end=lambda at: at.total if at.offset else 100,
    ),
    row(
        *("MUT-LS-398", "With include_hidden a page holds 200.", "LS-DEF-04"),
        where=lambda sent: is_object(sent) and sent.arguments.get("include_hidden"),
        arguments=default(limit=200),
    ),
    row(
        *("MUT-LS-399", "With an offset a limit above 200 is clamped.", LIMIT),
        where=lambda sent: is_object(sent) and "offset" in sent.arguments,
        limit=lambda value: min(value, 200) if is_number(value) else value,
    ),
    row(
        *("MUT-LS-400", "With a limit a negative offset is 0.", OFFSET),
        where=lambda sent: is_object(sent) and "limit" in sent.arguments,
        offset=not_negative,
    ),
    row(
        *("MUT-LS-401", "An object as include_hidden fails without an envelope.", "LS-ARG-04 LS-ARG-08"),
        where=lambda sent: is_object(sent) and isinstance(sent.arguments.get("include_hidden"), dict),
        answer=without_envelope("include_hidden is an object"),
    ),
    row(
        *("MUT-LS-402", "A list with one object in place of the arguments is that object.", "LS-ARG-08"),
        arguments=first_of_a_list,
    ),
)
