"""The configuration of the file operations (CFG-FOPS-01)."""

from dataclasses import dataclass
from typing import Any

from ..shared.config import ConfigTable


@dataclass(frozen=True)
class Settings:
    """The table `[tools.fileops]` with its built-in default."""

    allow_overwrite: bool = False


BUILT_IN = Settings()


def read_settings(config: Any) -> Settings:
    """Return the settings of a parsed file. Raises ToolError (ConfigInvalid)."""
    if config is None:
        return BUILT_IN
    table = ConfigTable(config, "tools", "fileops")
    return Settings(allow_overwrite=table.boolean("allow_overwrite", BUILT_IN.allow_overwrite))
