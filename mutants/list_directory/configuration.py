"""Mutants: errors in the configuration and its precedence."""

from collections.abc import Callable
from typing import Any

from treeproof.rows.list_directory.listing import ENDLESS, ListCall, Table, table_of, with_table

from ..shared.mutant import Mutant
from .hidden import SWITCHES
from .rows import row

DEFAULTS = tuple(f"include_{kind}_default" for kind in ("hidden", "symlinks", "files", "dirs", "other"))
KEYS = {"max_entries", "max_depth", *DEFAULTS}

Change = Callable[[Table], Table]


def tables(context: Table) -> Table:
    """Return the tables of all tools."""
    config = context.get("config")
    tools = config.get("tools") if isinstance(config, dict) else None
    return tools if isinstance(tools, dict) else {}


def with_missing_table(find: Callable[[Table], Any]) -> Change:
    """Return the change of a context in which the tool has no table: what is found instead, if that is a table."""

    def changed(context: Table) -> Table:
        found = find(context) if table_of(context) is None else None
        return with_table(context, found) if isinstance(found, dict) else context

    return changed


def with_hyphenated(context: Table) -> Table:
    found = tables(context).get("list-directory")
    return with_table(context, found) if isinstance(found, dict) else context


def with_top_level(context: Table) -> Table:
    config = context.get("config")
    found = config.get("list_directory") if isinstance(config, dict) else None
    return with_table(context, found) if isinstance(found, dict) else context


def all_keys(context: Table) -> Table:
    """Return the keys of the tables of all tools."""
    return {k: v for table in tables(context).values() if isinstance(table, dict) for k, v in table.items()}


def with_built_in(**values: Any) -> Change:
    """Return the change to other built-in values, in a context without an unusable table."""

    def changed(context: Table) -> Table:
        table = table_of(context)
        is_open = table is not None or not context.get("config") or context["config"] == {"tools": {}}
        return with_table(context, values | (table or {})) if is_open else context

    return changed


def with_values(context: Table, **values: Any) -> Table:
    return with_table(context, (table_of(context) or {}) | values)


def without_config(context: Table) -> Table:
    return {name: value for name, value in context.items() if name != "config"}


def without(*keys: str) -> Change:
    return lambda table: {key: value for key, value in table.items() if key not in keys}


def with_unlimited(table: Table) -> Table:
    """Return the table with no limit in place of an unusable one."""
    limits = {key: table[key] for key in ("max_entries", "max_depth") if key in table}
    return table | {key: ENDLESS for key, limit in limits.items() if type(limit) is not int or limit < 1}


def suffixless(table: Table) -> Table:
    """Return the table with keys that lack `_default`."""
    kept = {key: value for key, value in table.items() if not key.endswith("_default")}
    return kept | {f"{key}_default": value for key, value in kept.items() if f"{key}_default" in DEFAULTS}


def swapped(table: Table) -> Table:
    names = {"include_files_default": "include_dirs_default", "include_dirs_default": "include_files_default"}
    return {names.get(key, key): value for key, value in table.items()}


def numbers(change: Callable[[int], int], *keys: str) -> Change:
    """Return the change of numbers in the table."""
    return lambda table: {
        key: change(value) or value if key in keys and type(value) is int and value > 0 else value
        for key, value in table.items()
    }


def with_one_beyond(number: int) -> int:
    beyond = (number + 1 + 2**31) % 2**32 - 2**31
    return max(1, beyond - 1)


def sets(sent: ListCall, name: str) -> bool:
    return name in sent.given


def switches_that_win(sent: ListCall) -> Table:
    return {name: False for name in SWITCHES if not sent.configured(name)}


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-107", "A call cannot exclude hidden or special entries that the configuration includes.", "FR-LD-VAL-06a")(
        also=lambda sent: {n: True for n in ("include_hidden", "include_other") if sent.configured(n) is True}
    ),
    row(
        *("MUT-109", "In an incomplete table, missing switches are off."),
        "FR-LD-VAL-06a CFG-LD-01 CFG-LD-04 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 "
        "SCH-LD CFG-LD-03 CFG-LD-05 DOC-05 FR-LD-VAL-02 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-06b EF-04 "
        "FR-LD-VAL-06",
    )(table=lambda table: dict.fromkeys(DEFAULTS, False) | table),
    row("MUT-251", "A call cannot include a type that the configuration excludes.", "FR-LD-VAL-06a FR-LD-VAL-05")(
        also=switches_that_win
    ),
    row(
        *("MUT-252", "The schema's defaults take precedence over the configuration."),
        "FR-LD-VAL-06a CFG-LD-01 CFG-LD-04 FR-LD-VAL-05 SCH-LD",
    )(table=without(*DEFAULTS)),
    # The timed directories have more entries than the built-in limit.
    row(
        *("MUT-253", "An incomplete table is ignored."),
        "FR-LD-VAL-06a CFG-LD-01 CFG-LD-03 CFG-LD-04 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-05 FR-LD-VAL-06b "
        "DOC-05 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 SCH-LD FR-LD-VAL-06 "
        "NFR-LD-PERF-02",
    )(table=lambda table: table if table.keys() >= KEYS else {}),
    row(
        *("MUT-254", "The configuration is ignored."),
        "CFG-LD-01 CFG-LD-03 CFG-LD-04 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-05 FR-LD-VAL-06a FR-LD-VAL-06b "
        "DOC-05 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 SCH-LD FR-LD-VAL-06 "
        "NFR-LD-PERF-02",
    )(context=without_config),
    row("MUT-255", "Without its own table, the tool uses those of the other tools.", "CFG-LD-05")(
        context=with_missing_table(all_keys)
    ),
    row("MUT-256", "The table [tools.list-directory] is read too.", "CFG-LD-05")(context=with_hyphenated),
    row("MUT-257", "The table [list_directory] is read too.", "CFG-LD-05")(context=with_top_level),
    row("MUT-258", "Invalid limits mean no limit.", "CFG-LD-01")(table=with_unlimited),
    row(
        *("MUT-259", "The switches' keys lack the suffix _default."),
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01 FR-LD-VAL-05 SCH-LD",
    )(table=suffixless),
    row("MUT-260", "The key include_symlinks_default is not read.", "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01 FR-LD-VAL-05")(
        table=without("include_symlinks_default")
    ),
    row("MUT-261", "The key include_other_default is not read.", "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01")(
        table=without("include_other_default")
    ),
    row("MUT-262", "The keys for files and directories are swapped.", "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01 FR-LD-VAL-05")(
        table=swapped
    ),
    row("MUT-263", "The configured max_depth is a default and no cap.", "CFG-LD-03 FR-LD-VAL-06b")(
        where=lambda sent: sent.is_recursive and sets(sent, "max_depth") and sent.configured("max_depth") < 4,
        table=lambda table: table | {"max_depth": 4},
    ),
    row("MUT-264", "The configured max_depth is a cap and no default.", "CFG-LD-03 FR-LD-VAL-03 FR-LD-LST-02")(
        where=lambda sent: sent.is_deep,
        also=lambda sent: {"max_depth": sent.given.get("max_depth", min(4, sent.levels))},
    ),
    row(
        *("MUT-265", "A configured max_depth makes flat listings recursive."),
        "FR-LD-VAL-02 FR-LD-VAL-06a CFG-LD-03 FR-LD-LST-01",
    )(
        where=lambda sent: not sent.is_recursive and not sets(sent, "max_depth") and sent.configured("max_depth") != 4,
        also=lambda sent: {"recursive": True},
    ),
    row(
        "MUT-266", "The configured max_entries is a cap and no default.", "FR-LD-VAL-06a CFG-LD-01 DOC-05 FR-LD-VAL-04"
    )(
        where=lambda sent: not sets(sent, "max_entries") and sent.configured("max_entries") < 200,
        table=lambda table: table | {"max_entries": 200},
    ),
    row(
        *("MUT-267", "The built-in limit of a recursive listing is 100 entries."),
        "CFG-LD-05 DOC-05 FR-LD-VAL-04 FR-LD-LST-07 CFG-LD-01 FR-LD-LST-02 SCH-LD",
    )(
        where=lambda sent: sent.is_recursive and sent.configured("max_entries") == 200,
        context=lambda context: with_values(context, max_entries=100),
    ),
    row(
        *("MUT-269", "The built-in depth is 3."),
        "CFG-LD-05 FR-LD-VAL-03 FR-LD-LST-02 FR-LD-VAL-06b NFR-LD-PERF-01 T-LD-04 EF-03 FR-LD-LST-07 "
        "FR-LD-LST-08 NFR-LD-PORT-01 SCH-LD",
    )(context=with_built_in(max_depth=3)),
    row(
        *("MUT-270", "The built-in depth is 5."),
        "CFG-LD-05 FR-LD-VAL-03 FR-LD-LST-02 FR-LD-LST-08 FR-LD-VAL-06b NFR-LD-PERF-01 T-LD-04",
    )(context=with_built_in(max_depth=5)),
    row(
        *("MUT-272", "Special files are included by default."),
        "CFG-LD-05 FR-LD-VAL-06 FR-LD-VAL-06a CFG-LD-04 FR-LD-VAL-05 FR-LD-LST-06 FR-LD-OUT-02a FR-LD-VAL-08",
    )(context=with_built_in(include_other_default=True)),
    row(
        *("MUT-273", "Hidden entries are included by default in a recursive listing."),
        "CFG-LD-05 FR-LD-VAL-06a FR-LD-LST-06 FR-LD-LST-06a T-LD-07 T-LD-11 CFG-LD-01 FR-LD-LST-04 "
        "FR-LD-LST-05 FR-LD-LST-08 FR-LD-OUT-02 FR-LD-VAL-09",
    )(
        where=lambda sent: sent.is_recursive and not sets(sent, "include_hidden"),
        also=lambda sent: {"include_hidden": True},
    ),
    row(
        *("MUT-274", "Without a table, hidden entries are included by default."),
        "CFG-LD-05 FR-LD-LST-06 FR-LD-LST-06a FR-LD-VAL-06a FR-LD-VAL-06 FR-LD-LST-04 FR-LD-LST-08 EF-07 "
        "T-LD-07 T-LD-11 CFG-LD-01 CFG-LD-04 DOC-04 DOC-06 FR-LD-LST-05 FR-LD-OUT-02 FR-LD-OUT-02b "
        "FR-LD-OUT-08 FR-LD-VAL-09",
    )(context=with_built_in(include_hidden_default=True)),
    row("MUT-1012", "Without a table of the tool, the keys of [tools] are used.", "CFG-LD-05 CFG-LD-01")(
        context=with_missing_table(tables)
    ),
    row(
        *("MUT-1013", "The configuration is dropped if the call sets any switch."),
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-02 FR-LD-VAL-05 FR-LD-VAL-04",
    )(where=lambda sent: any(name.startswith("include_") for name in sent.given), context=without_config),
    row("MUT-743", "A table with an unknown key is ignored.", "CFG-LD-01")(
        table=lambda table: table if table.keys() <= KEYS else {}
    ),
    row("MUT-903", "Limits of the configuration wrap around at 32 bits.", "FR-LD-VAL-04 FR-LD-VAL-06b CFG-LD-03")(
        table=numbers(lambda number: number & 0xFFFFFFFF, "max_entries", "max_depth")
    ),
    row("MUT-917", "The configured depth is stored in 8 bits.", "CFG-LD-03 FR-LD-VAL-06b FR-LD-LST-02")(
        table=numbers(lambda number: number & 0xFF, "max_depth")
    ),
    row("MUT-918", "The configured number of entries is stored in 16 bits.", "FR-LD-VAL-04")(
        table=numbers(lambda number: number & 0xFFFF, "max_entries")
    ),
    row("MUT-919", "Limits plus one are stored in 32 signed bits.", "FR-LD-VAL-04 FR-LD-VAL-06b CFG-LD-03")(
        table=numbers(with_one_beyond, "max_entries", "max_depth")
    ),
)
