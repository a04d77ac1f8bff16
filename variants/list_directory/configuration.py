"""Variants: how the configuration is read."""

from collections.abc import Callable
from functools import partial
from typing import Any

from treeproof.reference_impl.list_directory.settings import BUILT_IN, Settings, read_settings
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.rows.list_directory.row import row
from treeproof.rows.shared.row import Row

from ..shared.variant import variant


def read_each(config: Any, instead: Callable[[Any, Any], Any]) -> Settings:
    """Read each key by itself; `instead` returns what an unusable value becomes, by it and the built-in one."""
    table = config
    for name in ("tools", "list_directory"):
        table = table.get(name, {}) if isinstance(table, dict) else {}
    values: dict[str, Any] = {}
    for name, usual in vars(BUILT_IN).items():
        if isinstance(table, dict) and name in table:
            value = table[name]
            is_usable = type(value) is type(usual) and (type(value) is bool or value >= 1)
            values[name] = value if is_usable else instead(value, usual)
    return Settings(**values)


def nearest(value: Any, usual: Any) -> Any:
    if type(usual) is bool:
        return usual
    try:
        return max(1, int(value))
    except (TypeError, ValueError):
        return 1


def zero(value: Any, usual: Any) -> Any:
    """Let a limit below one bound the listing as it stands."""
    return 0 if type(usual) is int and type(value) is int else nearest(value, usual)


def narrow(config: Any) -> Settings:
    """Return settings whose limits are signed numbers of 32 bits."""
    settings = read_settings(config)
    if max(settings.max_depth, settings.max_entries) >= 2**31:
        raise ToolError(ErrorKind.CONFIG_INVALID, "a limit is too large")
    return settings


def folding(fold_key: Callable[[str], str]) -> Row:
    """Return the row that reads names of tables and keys in other spellings; their own ones come first."""

    def fold(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        folded = {fold_key(key): fold(member) for key, member in value.items()}
        return folded | {key: fold(member) for key, member in value.items() if key in folded}

    return row(
        context=lambda context: {name: fold(value) if name == "config" else value for name, value in context.items()}
    )


def long_key(key: str) -> str:
    """Return the name of a switch with the `_default` at its end."""
    return f"{key}_default" if f"{key}_default" in vars(BUILT_IN) else key


VARIANTS = (
    variant("AMB-LD-32=c", "Unusable settings become the nearest usable ones.")(
        settings=partial(read_each, instead=nearest)
    ),
    variant("AMB-LD-32=d", "Unusable settings count as absent.")(
        settings=partial(read_each, instead=lambda value, usual: usual)
    ),
    variant("VAR-LD-32", "A configured limit of zero lists nothing.", {"AMB-LD-32": "c"})(
        settings=partial(read_each, instead=zero)
    ),
    variant("VAR-LD-112", "Names in the configuration are folded.")(folding(lambda key: key.lower().replace("-", "_"))),
    variant("VAR-LD-113", "Switches have short names in the configuration.")(folding(long_key)),
    variant("VAR-LD-114", "Configured limits have 32 bits.")(settings=narrow),
)
