"""The configuration of `list_directory` and its built-in values (CFG-LD-01 to CFG-LD-05)."""

from dataclasses import dataclass
from typing import Any

from ..shared.config import ConfigTable


@dataclass(frozen=True)
class Settings:
    """The table `[tools.list_directory]` with the built-in defaults (CFG-LD-05)."""

    max_entries: int = 200  # default and hard cap (CFG-LD-02)
    max_depth: int = 4  # default and hard cap of recursive listings (CFG-LD-03)
    include_hidden_default: bool = False
    include_symlinks_default: bool = True
    include_files_default: bool = True
    include_dirs_default: bool = True
    include_other_default: bool = False


BUILT_IN = Settings()


def read_settings(config: Any) -> Settings:
    """Return the settings of a parsed file, key by key (AMB-LD-32). Raises ToolError (ConfigInvalid)."""
    if config is None:
        return BUILT_IN
    table = ConfigTable(config, "tools", "list_directory")
    return Settings(
        max_entries=table.positive_integer("max_entries", BUILT_IN.max_entries),
        max_depth=table.positive_integer("max_depth", BUILT_IN.max_depth),
        include_hidden_default=table.boolean("include_hidden_default", BUILT_IN.include_hidden_default),
        include_symlinks_default=table.boolean("include_symlinks_default", BUILT_IN.include_symlinks_default),
        include_files_default=table.boolean("include_files_default", BUILT_IN.include_files_default),
        include_dirs_default=table.boolean("include_dirs_default", BUILT_IN.include_dirs_default),
        include_other_default=table.boolean("include_other_default", BUILT_IN.include_other_default),
    )
