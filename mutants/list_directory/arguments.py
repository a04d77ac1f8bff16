"""Mutants: errors in the check of arguments against the schema, in limits, and in arguments beyond the schema."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.list_directory.listing import ENDLESS, ListCall, Table, usable, with_table
from treeproof.rows.list_directory.row import Change

from ..shared.mutant import Mutant
from .hidden import SWITCHES, has_a_kind
from .implied import REFUSED
from .rows import row
from .traversal import with_any_depth

INTEGERS = ("max_depth", "max_entries")
BOOLEANS = ("recursive", *SWITCHES, "include_hidden", "include_other")


def members(names: tuple[str, ...], change: Callable[[Any], Any]) -> Callable[[Table], Table]:
    """Return the change of arguments of these names."""
    return lambda given: {name: change(value) if name in names else value for name, value in given.items()}


def wrapped(bits: int) -> Callable[[Any], Any]:
    return lambda value: value % 2**bits if isinstance(value, int) and value >= 2**bits else value


def without(is_dropped: Callable[[str, Any], bool]) -> Callable[[Table], Table]:
    return lambda given: {name: value for name, value in given.items() if not is_dropped(name, value)}


def without_large_numbers(most: int) -> Callable[[Table], Table]:
    """Omit a limit with a fraction or exponent if it is this large."""
    return without(lambda name, value: name in INTEGERS and isinstance(value, float) and value >= most)


def number(sent: ListCall, name: str) -> int:
    """Return a limit that the call sets, 0 without a usable one."""
    return max(int(usable(sent.given, name, 0)), 0)


def exceeds(sent: ListCall, name: str) -> bool:
    return number(sent, name) > int(sent.configured(name))


def exceeds_depth(sent: ListCall) -> bool:
    return sent.is_recursive and exceeds(sent, "max_depth")


def lacks_depth(sent: ListCall) -> bool:
    return sent.is_recursive and "max_depth" not in sent.given


def with_any_number(context: Table) -> Table:
    return with_table(context, {"max_entries": ENDLESS})


def refusing(is_refused: Callable[[ListCall], Any], text: str) -> Change:
    return {"refuse": lambda sent: ("BadArgs", text) if is_refused(sent) else None}


def excluding(is_meant: Callable[[ListCall], Any]) -> Change:
    """Return the change that accepts calls without any type."""
    return {
        "where": lambda sent: not has_a_kind(sent) and is_meant(sent),
        "also": lambda sent: {"include_symlinks": True},
        "drop": lambda item: item.is_link,
    }


def silent(answer: CallResult) -> CallResult:
    return replace(answer, error_message="") if answer.error_kind == "BadArgs" else answer


def late(sent: ListCall, answer: CallResult) -> CallResult:
    is_meant = answer.error_kind == "BadArgs" and (exceeds(sent, "max_entries") or exceeds_depth(sent))
    return replace(answer, error_kind="ExecutionFailed") if is_meant else answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-097", "Booleans are accepted as integers.", "SCH-LD", REFUSED)(
        arguments=members(INTEGERS, lambda value: int(value) if isinstance(value, bool) else value)
    ),
    row("MUT-100", "Integers wrap around at 32 bits.", "FR-LD-VAL-04 SCH-LD FR-LD-VAL-02 FR-LD-VAL-06b", REFUSED)(
        arguments=members(INTEGERS, wrapped(32))
    ),
    row("MUT-221", "Digits in a string are accepted as an integer.", "SCH-LD", REFUSED)(
        arguments=members(INTEGERS, lambda v: int(v) if isinstance(v, str) and v.isdigit() else v)
    ),
    row("MUT-222", "Fractions are truncated to integers.", "SCH-LD", REFUSED)(
        arguments=members(INTEGERS, lambda v: int(v) if isinstance(v, float) and abs(v) < 9e99 else v)
    ),
    row("MUT-223", "Every value that is not empty is accepted as true.", "SCH-LD", REFUSED)(
        arguments=members(BOOLEANS, lambda value: bool(value) if value is not None else value)
    ),
    row("MUT-225", "The names of arguments are case-insensitive.", "SCH-LD", REFUSED)(
        arguments=lambda given: {name.lower(): value for name, value in given.items()}
    ),
    row("MUT-226", "A missing path means the working directory.", "SCH-LD", REFUSED)(
        arguments=lambda given: {"path": "."} | given
    ),
    row("MUT-227", "Limits below 1 mean no limit.", "SCH-LD", REFUSED)(
        arguments=without(lambda name, value: name in INTEGERS and type(value) in (int, float) and value < 1)
    ),
    row("MUT-228", "Arguments that are no object list the working directory.", "SCH-LD", REFUSED)(
        where=lambda sent: not isinstance(sent.arguments, dict),
        answer=lambda sent: sent.with_arguments({"path": "."}).answer(),
    ),
    row("MUT-229", "A list of one path is accepted as a path.", "SCH-LD", REFUSED)(
        arguments=members(("path",), lambda value: value[0] if isinstance(value, list) and value else value)
    ),
    row("MUT-230", "Integers wrap around at 64 bits.", "FR-LD-VAL-04 SCH-LD FR-LD-VAL-02", REFUSED)(
        arguments=members(INTEGERS, wrapped(64))
    ),
    row(
        *("MUT-246", "Arguments that the schema refuses are reported without a message."),
        "FR-LD-ERR-01 SCH-LD FR-LD-DEF-05 FR-LD-OUT-08 FR-LD-VAL-01 FR-LD-VAL-07",
    )(failure=silent),
    row("MUT-740", "A limit with an exponent beyond 32 bits is ignored.", "FR-LD-VAL-04")(
        arguments=without_large_numbers(2**32)
    ),
    row("MUT-741", "A limit with an exponent beyond 64 bits is ignored.", "FR-LD-VAL-04")(
        arguments=without_large_numbers(2**64)
    ),
    row("MUT-101", "max_entries above the limit is reduced to it.", "FR-LD-VAL-04", REFUSED)(
        where=lambda sent: exceeds(sent, "max_entries"),
        also=lambda sent: {"max_entries": sent.configured("max_entries")},
    ),
    row("MUT-103", "The cap on max_depth is not enforced.", "FR-LD-VAL-06b CFG-LD-03", REFUSED)(
        where=exceeds_depth, context=with_any_depth
    ),
    row("MUT-104", "max_depth is ignored where recursive is false.", "FR-LD-VAL-02 FR-LD-ERR-01", REFUSED)(
        where=lambda sent: not sent.is_recursive and number(sent, "max_depth"),
        arguments=without(lambda name, value: name == "max_depth"),
    ),
    row(
        *("MUT-106", "A recursive call without max_depth has no depth limit."),
        "FR-LD-VAL-03 CFG-LD-03 CFG-LD-05 FR-LD-LST-02 FR-LD-LST-08 FR-LD-VAL-06b",
    )(where=lacks_depth, context=with_any_depth),
    row("MUT-231", "max_entries must stay below the limit.", "FR-LD-VAL-04 FR-LD-LST-07 FR-LD-OUT-08 SCH-LD")(
        **refusing(
            lambda sent: number(sent, "max_entries") == sent.configured("max_entries"),
            "max_entries is not less than the limit",
        )
    ),
    row(
        *("MUT-232", "max_entries may be at most 200, whatever is configured."),
        "FR-LD-VAL-04 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 SCH-LD EF-04 FR-LD-VAL-06",
    )(**refusing(lambda sent: sent.effective("max_entries") > 200, "max_entries must be at most 200")),
    row("MUT-233", "max_entries has no limit at all.", "FR-LD-VAL-04", REFUSED)(
        where=lambda sent: exceeds(sent, "max_entries"), context=with_any_number
    ),
    row("MUT-234", "max_depth above the cap is reduced to it.", "FR-LD-VAL-06b CFG-LD-03", REFUSED)(
        where=exceeds_depth, also=lambda sent: {"max_depth": sent.configured("max_depth")}
    ),
    row(
        *("MUT-235", "max_depth must stay below the cap."),
        "FR-LD-VAL-06b CFG-LD-01 CFG-LD-03 NFR-LD-PERF-01 SCH-LD T-LD-04",
    )(
        **refusing(
            lambda sent: sent.is_recursive and number(sent, "max_depth") == sent.configured("max_depth"),
            "max_depth is not less than the cap",
        )
    ),
    row("MUT-236", "max_depth may be at most 4, whatever is configured.", "FR-LD-VAL-06b CFG-LD-03")(
        **refusing(lambda sent: sent.is_recursive and number(sent, "max_depth") > 4, "max_depth must be at most 4")
    ),
    row("MUT-237", "max_depth above 1 makes a call recursive.", "FR-LD-VAL-02 FR-LD-ERR-01", REFUSED)(
        where=lambda sent: number(sent, "max_depth") > 1, also=lambda sent: {"recursive": True}
    ),
    row("MUT-238", "A flat listing refuses any max_depth, even 1.", "FR-LD-VAL-02 FR-LD-LST-01 SCH-LD")(
        **refusing(lambda sent: not sent.is_recursive and "max_depth" in sent.given, "max_depth needs recursive")
    ),
    row(
        *("MUT-239", "A recursive call without max_depth has four levels, whatever the configuration."),
        "FR-LD-VAL-03 CFG-LD-03 FR-LD-LST-02",
    )(where=lacks_depth, also=lambda sent: {"max_depth": 4}, context=with_any_depth),
    row(
        *("MUT-247", "An exceeded limit is reported as ExecutionFailed."),
        "FR-LD-ERR-01 FR-LD-VAL-04 FR-LD-VAL-06b CFG-LD-03",
    )(result=late),
    row("MUT-037", "Special files count as an included type.", "FR-LD-VAL-05", REFUSED)(
        **excluding(lambda sent: sent.effective("include_other"))
    ),
    row("MUT-110", "Only the call's arguments are checked for an included type.", "FR-LD-VAL-05", REFUSED)(
        **excluding(lambda sent: any(sent.given.get(name) is not False for name in SWITCHES))
    ),
    row("MUT-241", "All types may be excluded.", "FR-LD-VAL-05", REFUSED)(**excluding(lambda sent: True)),
    row(
        *("MUT-242", "Symlinks alone do not suffice as an included type."),
        "FR-LD-VAL-05 FR-LD-LST-06 FR-LD-VAL-06 FR-LD-VAL-09",
    )(
        **refusing(
            lambda sent: not sent.effective("include_files") and not sent.effective("include_dirs"),
            "neither files nor directories are included",
        )
    ),
    row("MUT-243", "A blank path means the working directory.", "FR-LD-VAL-01", REFUSED)(
        requested=lambda path: path if path.strip() else "."
    ),
    row("MUT-244", "Only an empty path is refused; white space means the working directory.", "FR-LD-VAL-01", REFUSED)(
        requested=lambda path: path if path.strip() or not path else "."
    ),
    row("MUT-245", "Only spaces count as blank; a tab is used as a name.", "FR-LD-VAL-01", REFUSED)(
        requested=lambda path: f"./{path}/." if path.strip(" ") and not path.strip() else path
    ),
)
