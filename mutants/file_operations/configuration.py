"""Mutants: the configuration is not read, or read from a table of the tool's name."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.file_operations.settings import Settings, read_settings

Reader = Callable[[Any], Settings]


def flag_in(config: Any, *names: str) -> bool | None:
    """Return the flag in a table of the configuration; None if it is not there."""
    table = config
    for name in names:
        table = table.get(name) if isinstance(table, dict) else None
    flag = table.get("allow_overwrite") if isinstance(table, dict) else None
    return flag if isinstance(flag, bool) else None


def below(tool: str) -> Reader:
    """Return settings for which a table of the tool's name below that of both tools takes precedence."""

    def read(config: Any) -> Settings:
        own = flag_in(config, "tools", "fileops", tool)
        return read_settings(config) if own is None else Settings(own)

    return read
