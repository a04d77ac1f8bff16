"""Tables of a parsed configuration file. Each tool defines the meaning of its own keys.

A missing table is empty, unknown keys are ignored, and an invalid value makes the whole configuration invalid: it is
neither reduced nor replaced by a default.
"""

from typing import Any

from .errors import ErrorKind, ToolError


class ConfigTable:
    """One table of the configuration, such as `[tools.list_directory]`. Raises ToolError (ConfigInvalid)."""

    def __init__(self, config: Any, *names: str) -> None:
        values = _require_table({} if config is None else config, "the configuration")
        for length, name in enumerate(names, 1):
            values = _require_table(values.get(name, {}), ".".join(names[:length]))
        self._path = ".".join(names)
        self._values = values

    def positive_integer(self, key: str, default: int) -> int:
        """Return a whole number of at least 1. TOML separates integers from floats, so 5.0 is invalid."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise _config_invalid(f"{self._path}.{key}", "a whole number of at least 1 is needed")
        return value

    def boolean(self, key: str, default: bool) -> bool:
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise _config_invalid(f"{self._path}.{key}", "true or false is needed")
        return value


def _require_table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _config_invalid(where, "a table is needed")
    return value


def _config_invalid(where: str, needed: str) -> ToolError:
    return ToolError(ErrorKind.CONFIG_INVALID, f"{where}: {needed}")
