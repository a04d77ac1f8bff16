"""Variants: how the configuration is read."""

from typing import Any

from treeproof.reference_impl.list_directory.settings import BUILT_IN, Settings, read_settings
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.variant import variant


class ReadsSettings:
    """The reference's reader of settings; a class, so that variants that extend it can be combined."""

    def __new__(cls, config: Any) -> Settings:  # type: ignore[misc]
        return read_settings(config)


class LenientSettings(ReadsSettings):
    """Reads each key by itself; an unusable value becomes what `instead` returns."""

    def __new__(cls, config: Any) -> Settings:  # type: ignore[misc]
        table = config
        for name in ("tools", "list_directory"):
            table = table.get(name, {}) if isinstance(table, dict) else {}
        table = table if isinstance(table, dict) else {}
        values = {name: table[name] for name in vars(BUILT_IN) if name in table}
        return Settings(**{name: cls.read(name, value) for name, value in values.items()})

    @classmethod
    def read(cls, name: str, value: Any) -> Any:
        default = getattr(BUILT_IN, name)
        if type(value) is type(default) and (type(value) is bool or value >= 1):
            return value
        return cls.instead(value, default)

    @classmethod
    def instead(cls, value: Any, default: Any) -> Any:
        return default


class ClampsSettings(LenientSettings):
    @classmethod
    def instead(cls, value: Any, default: Any) -> Any:
        if type(default) is bool:
            return default
        try:
            return max(1, int(value))
        except (TypeError, ValueError):
            return 1


class KeepsNumbers(ClampsSettings):
    """A limit below one bounds the listing as it stands."""

    @classmethod
    def instead(cls, value: Any, default: Any) -> Any:
        return 0 if type(default) is int and type(value) is int else super().instead(value, default)


class FoldsKeys(ReadsSettings):
    """Upper case and hyphens make no difference in the names of tables and keys."""

    def __new__(cls, config: Any) -> Settings:  # type: ignore[misc]
        return super().__new__(cls, cls.fold(config))

    @classmethod
    def fold(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        folded = {cls.fold_key(key): cls.fold(member) for key, member in value.items()}
        return folded | {key: cls.fold(member) for key, member in value.items() if key in folded}

    @classmethod
    def fold_key(cls, key: str) -> str:
        return key.lower().replace("-", "_")


class KnowsShortKeys(FoldsKeys):
    """A switch may be configured without the `_default` at the end of its name."""

    @classmethod
    def fold_key(cls, key: str) -> str:
        return f"{key}_default" if f"{key}_default" in vars(BUILT_IN) else key


class NarrowLimits(ReadsSettings):
    """A limit is a signed number of 32 bits."""

    def __new__(cls, config: Any) -> Settings:  # type: ignore[misc]
        settings = super().__new__(cls, config)
        if max(settings.max_depth, settings.max_entries) >= 2**31:
            raise ToolError(ErrorKind.CONFIG_INVALID, "a limit is too large")
        return settings


VARIANTS = (
    variant("AMB-LD-32=c", "Unusable settings become the nearest usable ones.")(settings=ClampsSettings),
    variant("AMB-LD-32=d", "Unusable settings count as absent.")(settings=LenientSettings),
    variant("VAR-LD-32", "A configured limit of zero lists nothing.", {"AMB-LD-32": "c"})(settings=KeepsNumbers),
    variant("VAR-LD-112", "Names in the configuration are folded.")(settings=FoldsKeys),
    variant("VAR-LD-113", "Switches have short names in the configuration.")(settings=KnowsShortKeys),
    variant("VAR-LD-114", "Configured limits have 32 bits.")(settings=NarrowLimits),
)
