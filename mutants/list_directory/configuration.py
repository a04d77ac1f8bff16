"""Mutants: errors in the configuration and its precedence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.request import ArgumentParser, Request
from treeproof.reference_impl.list_directory.settings import BUILT_IN, Settings, read_settings

from ..shared.mutant import Mutant
from .builders import build_mutant

Table = dict[str, Any]

DEFAULTS = tuple(f"include_{kind}_default" for kind in ("hidden", "symlinks", "files", "dirs", "other"))


def tool_table(config: Any, name: str = "list_directory") -> Table | None:
    """Return the tool's table if it is a table."""
    tools = config.get("tools") if isinstance(config, dict) else None
    found = tools.get(name) if isinstance(tools, dict) else None
    return found if isinstance(found, dict) else None


def with_table_changed(change: Callable[[Table], Table]) -> ListDirectory:
    """Return the tool with a changed configuration table."""

    def settings(config: Any) -> Settings:
        found = tool_table(config)
        return read_settings(config if found is None else {"tools": {"list_directory": change(found)}})

    return ListDirectory(settings=settings)


def without_keys(*keys: str) -> ListDirectory:
    return with_table_changed(lambda found: {key: value for key, value in found.items() if key not in keys})


def with_built_in_values(**changes: Any) -> ListDirectory:
    """Return the tool with other built-in values."""

    def settings(config: Any) -> Settings:
        found = tool_table(config) or {}
        return replace(read_settings(config), **{k: v for k, v in changes.items() if k not in found})

    return ListDirectory(settings=settings)


def partial_is_off(config: Any) -> Settings:
    found = tool_table(config)
    if found is None:
        return read_settings(config)
    return read_settings({"tools": {"list_directory": dict.fromkeys(DEFAULTS, False) | found}})


def partial_is_absent(config: Any) -> Settings:
    found = tool_table(config)
    complete = found is not None and {"max_entries", "max_depth", *DEFAULTS} <= found.keys()
    return read_settings(config) if complete else BUILT_IN


def ignores_configuration(config: Any) -> Settings:
    return BUILT_IN


def from_any_table(config: Any) -> Settings:
    """Return the settings from the tables of all tools."""
    tools = config.get("tools") if isinstance(config, dict) else None
    if not isinstance(tools, dict) or tool_table(config) is not None:
        return read_settings(config)
    merged = {key: value for found in tools.values() if isinstance(found, dict) for key, value in found.items()}
    return read_settings({"tools": {"list_directory": merged}})


def from_hyphenated(config: Any) -> Settings:
    found = tool_table(config, "list-directory")
    return read_settings(config) if found is None else read_settings({"tools": {"list_directory": found}})


def from_top_level(config: Any) -> Settings:
    found = config.get("list_directory") if isinstance(config, dict) else None
    return read_settings({"tools": {"list_directory": found}} if isinstance(found, dict) else config)


def from_all_of_tools(config: Any) -> Settings:
    """Return the settings from [tools] where the tool has no table."""
    tools = config.get("tools") if isinstance(config, dict) else None
    if not isinstance(tools, dict) or "list_directory" in tools:
        return read_settings(config)
    return read_settings({"tools": {"list_directory": tools}})


class DropsConfigurationBesideSwitches(ArgumentParser):
    def parse(self) -> Request:
        if any(name.startswith("include_") for name in self.arguments):
            self.settings = BUILT_IN
        return super().parse()


def unusable_is_unlimited(config: Any) -> Settings:
    found = tool_table(config)
    if found is None:
        return read_settings(config)
    limits = {
        key: 10**9
        for key in ("max_entries", "max_depth")
        if key in found and (isinstance(found[key], bool) or not isinstance(found[key], int) or found[key] < 1)
    }
    return read_settings({"tools": {"list_directory": found | limits}})


def suffixless(found: Table) -> Table:
    """Return the table with keys that lack `_default`."""
    kept = {key: value for key, value in found.items() if not key.endswith("_default")}
    return kept | {f"{key}_default": value for key, value in kept.items() if f"{key}_default" in DEFAULTS}


def swapped(found: Table) -> Table:
    names = {"include_files_default": "include_dirs_default", "include_dirs_default": "include_files_default"}
    return {names.get(key, key): value for key, value in found.items()}


class ConfigWinsWhenTrue(ArgumentParser):
    def parse_switch(self, name: str, configured: bool) -> bool:
        if configured and not getattr(BUILT_IN, f"{name}_default"):
            return True
        return super().parse_switch(name, configured)


class ConfigWinsWhenFalse(ArgumentParser):
    def parse_switch(self, name: str, configured: bool) -> bool:
        if not configured and getattr(BUILT_IN, f"{name}_default"):
            return False
        return super().parse_switch(name, configured)


class SchemaDefaultsFirst(ArgumentParser):
    def parse_switch(self, name: str, configured: bool) -> bool:
        return super().parse_switch(name, bool(getattr(BUILT_IN, f"{name}_default")))


class DefaultButNoCap(ArgumentParser):
    def parse_max_depth(self) -> int:
        if self.arguments.get("recursive") and "max_depth" in self.arguments:
            self.settings = replace(self.settings, max_depth=max(4, self.settings.max_depth))
        return super().parse_max_depth()


class CapButNoDefault(ArgumentParser):
    def parse_max_depth(self) -> int:
        if self.arguments.get("recursive") and "max_depth" not in self.arguments:
            return min(4, self.settings.max_depth)
        return super().parse_max_depth()


class FlatGoesAsDeepAsConfigured(ArgumentParser):
    def parse_max_depth(self) -> int:
        depth = super().parse_max_depth()
        configured = self.settings.max_depth
        return configured if "max_depth" not in self.arguments and configured != BUILT_IN.max_depth else depth


class LimitIsNoDefault(ArgumentParser):
    def parse_max_entries(self) -> int:
        if "max_entries" not in self.arguments:
            return max(BUILT_IN.max_entries, self.settings.max_entries)
        return super().parse_max_entries()


class FewerWhenRecursive(ArgumentParser):
    def parse_max_entries(self) -> int:
        if self.arguments.get("recursive") and self.settings.max_entries == BUILT_IN.max_entries:
            self.settings = replace(self.settings, max_entries=100)
        return super().parse_max_entries()


class HiddenWhenRecursive(ArgumentParser):
    def parse_switch(self, name: str, configured: bool) -> bool:
        is_meant = name == "include_hidden" and self.arguments.get("recursive")
        return super().parse_switch(name, configured or bool(is_meant))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-107",
        "A call cannot exclude hidden or special entries that the configuration includes.",
        "FR-LD-VAL-06a",
        tool=ListDirectory(argument_parser=ConfigWinsWhenTrue),
    ),
    build_mutant(
        "MUT-109",
        "In an incomplete table, missing switches are off.",
        "FR-LD-VAL-06a CFG-LD-01 CFG-LD-04 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 "
        "SCH-LD CFG-LD-03 CFG-LD-05 DOC-05 FR-LD-VAL-02 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-06b EF-04 "
        "FR-LD-VAL-06",
        tool=ListDirectory(settings=partial_is_off),
    ),
    build_mutant(
        "MUT-251",
        "A call cannot include a type that the configuration excludes.",
        "FR-LD-VAL-06a FR-LD-VAL-05",
        tool=ListDirectory(argument_parser=ConfigWinsWhenFalse),
    ),
    build_mutant(
        "MUT-252",
        "The schema's defaults take precedence over the configuration.",
        "FR-LD-VAL-06a CFG-LD-01 CFG-LD-04 FR-LD-VAL-05 SCH-LD",
        tool=ListDirectory(argument_parser=SchemaDefaultsFirst),
    ),
    build_mutant(
        "MUT-253",
        "An incomplete table is ignored.",
        "FR-LD-VAL-06a CFG-LD-01 CFG-LD-03 CFG-LD-04 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-05 FR-LD-VAL-06b "
        "DOC-05 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 SCH-LD FR-LD-VAL-06 "
        "NFR-LD-PERF-02",  # The timed directories have more entries than the built-in limit.
        tool=ListDirectory(settings=partial_is_absent),
    ),
    build_mutant(
        "MUT-254",
        "The configuration is ignored.",
        "CFG-LD-01 CFG-LD-03 CFG-LD-04 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-05 FR-LD-VAL-06a FR-LD-VAL-06b "
        "DOC-05 FR-LD-LST-02 FR-LD-LST-07 FR-LD-OUT-03 FR-LD-OUT-07 FR-LD-OUT-08 SCH-LD FR-LD-VAL-06 "
        "NFR-LD-PERF-02",  # The timed directories have more entries than the built-in limit.
        tool=ListDirectory(settings=ignores_configuration),
    ),
    build_mutant(
        "MUT-255",
        "Without its own table, the tool uses those of the other tools.",
        "CFG-LD-05",
        tool=ListDirectory(settings=from_any_table),
    ),
    build_mutant(
        "MUT-256",
        "The table [tools.list-directory] is read too.",
        "CFG-LD-05",
        tool=ListDirectory(settings=from_hyphenated),
    ),
    build_mutant(
        "MUT-257",
        "The table [list_directory] is read too.",
        "CFG-LD-05",
        tool=ListDirectory(settings=from_top_level),
    ),
    build_mutant(
        "MUT-258",
        "Invalid limits mean no limit.",
        "CFG-LD-01",
        tool=ListDirectory(settings=unusable_is_unlimited),
    ),
    build_mutant(
        "MUT-259",
        "The switches' keys lack the suffix _default.",
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01 FR-LD-VAL-05 SCH-LD",
        tool=with_table_changed(suffixless),
    ),
    build_mutant(
        "MUT-260",
        "The key include_symlinks_default is not read.",
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01 FR-LD-VAL-05",
        tool=without_keys("include_symlinks_default"),
    ),
    build_mutant(
        "MUT-261",
        "The key include_other_default is not read.",
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01",
        tool=without_keys("include_other_default"),
    ),
    build_mutant(
        "MUT-262",
        "The keys for files and directories are swapped.",
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-01 FR-LD-VAL-05",
        tool=with_table_changed(swapped),
    ),
    build_mutant(
        "MUT-263",
        "The configured max_depth is a default and no cap.",
        "CFG-LD-03 FR-LD-VAL-06b",
        tool=ListDirectory(argument_parser=DefaultButNoCap),
    ),
    build_mutant(
        "MUT-264",
        "The configured max_depth is a cap and no default.",
        "CFG-LD-03 FR-LD-VAL-03 FR-LD-LST-02",
        tool=ListDirectory(argument_parser=CapButNoDefault),
    ),
    build_mutant(
        "MUT-265",
        "A configured max_depth makes flat listings recursive.",
        "FR-LD-VAL-02 FR-LD-VAL-06a CFG-LD-03 FR-LD-LST-01",
        tool=ListDirectory(argument_parser=FlatGoesAsDeepAsConfigured),
    ),
    build_mutant(
        "MUT-266",
        "The configured max_entries is a cap and no default.",
        "FR-LD-VAL-06a CFG-LD-01 DOC-05 FR-LD-VAL-04",
        tool=ListDirectory(argument_parser=LimitIsNoDefault),
    ),
    build_mutant(
        "MUT-267",
        "The built-in limit of a recursive listing is 100 entries.",
        "CFG-LD-05 DOC-05 FR-LD-VAL-04 FR-LD-LST-07 CFG-LD-01 FR-LD-LST-02 SCH-LD",
        tool=ListDirectory(argument_parser=FewerWhenRecursive),
    ),
    build_mutant(
        "MUT-269",
        "The built-in depth is 3.",
        "CFG-LD-05 FR-LD-VAL-03 FR-LD-LST-02 FR-LD-VAL-06b NFR-LD-PERF-01 T-LD-04 EF-03 FR-LD-LST-07 "
        "FR-LD-LST-08 NFR-LD-PORT-01 SCH-LD",
        tool=with_built_in_values(max_depth=3),
    ),
    build_mutant(
        "MUT-270",
        "The built-in depth is 5.",
        "CFG-LD-05 FR-LD-VAL-03 FR-LD-LST-02 FR-LD-LST-08 FR-LD-VAL-06b NFR-LD-PERF-01 T-LD-04",
        tool=with_built_in_values(max_depth=5),
    ),
    build_mutant(
        "MUT-272",
        "Special files are included by default.",
        "CFG-LD-05 FR-LD-VAL-06 FR-LD-VAL-06a CFG-LD-04 FR-LD-VAL-05 FR-LD-LST-06 FR-LD-OUT-02a FR-LD-VAL-08",
        tool=with_built_in_values(include_other_default=True),
    ),
    build_mutant(
        "MUT-273",
        "Hidden entries are included by default in a recursive listing.",
        "CFG-LD-05 FR-LD-VAL-06a FR-LD-LST-06 FR-LD-LST-06a T-LD-07 T-LD-11 CFG-LD-01 FR-LD-LST-04 "
        "FR-LD-LST-05 FR-LD-LST-08 FR-LD-OUT-02 FR-LD-VAL-09",
        tool=ListDirectory(argument_parser=HiddenWhenRecursive),
    ),
    build_mutant(
        "MUT-274",
        "Without a table, hidden entries are included by default.",
        "CFG-LD-05 FR-LD-LST-06 FR-LD-LST-06a FR-LD-VAL-06a FR-LD-VAL-06 FR-LD-LST-04 FR-LD-LST-08 EF-07 "
        "T-LD-07 T-LD-11 CFG-LD-01 CFG-LD-04 DOC-04 DOC-06 FR-LD-LST-05 FR-LD-OUT-02 FR-LD-OUT-02b "
        "FR-LD-OUT-08 FR-LD-VAL-09",
        tool=with_built_in_values(include_hidden_default=True),
    ),
    build_mutant(
        "MUT-1012",
        "Without a table of the tool, the keys of [tools] are used.",
        "CFG-LD-05 CFG-LD-01",
        tool=ListDirectory(settings=from_all_of_tools),
    ),
    build_mutant(
        "MUT-1013",
        "The configuration is dropped if the call sets any switch.",
        "FR-LD-VAL-06a CFG-LD-04 CFG-LD-02 FR-LD-VAL-05 FR-LD-VAL-04",
        tool=ListDirectory(argument_parser=DropsConfigurationBesideSwitches),
    ),
)
