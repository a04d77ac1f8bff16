"""Reads typed values from a table of a manifest. Every error is a UsageError that names the file and the key."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError, abbreviated_json, suggest_name


class TableReader:
    """Reads typed keys of one table; each error names the file and the key."""

    def __init__(self, path: Path, table: Mapping[str, Any], name: str = "candidate") -> None:
        self.path = path
        self.table = table
        self.name = name

    def check_keys(self, known: Sequence[str]) -> None:
        """Raise UsageError for a key that is not ``known``."""
        for key in self.table:
            if key not in known:
                where = f"{self.path}: [{self.name}]"
                raise UsageError(f"{where} has an unknown key '{format_untrusted(key)}'; {suggest_name(key, known)}")

    def get_table(self, key: str) -> Mapping[str, Any]:
        """Return a table with keys and values of the user; empty without the key."""
        found: Mapping[str, Any] = self._get(key, lambda v: isinstance(v, dict), "a table", {})
        return found

    def get_string(self, key: str) -> str | None:
        """Return a text that is not empty, or None."""
        found: str | None = self._get(key, lambda v: isinstance(v, str) and v != "", "a string", None)
        return found

    def get_string_list(self, key: str) -> list[str] | None:
        """Return a list of texts, or None."""

        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(item, str) for item in value)

        found: list[str] | None = self._get(key, fits, 'a list of strings, ["…", "…"]', None)
        return found

    def get_string_table(self, key: str) -> dict[str, str]:
        """Return a table of texts; empty without the key."""

        def fits(value: Any) -> bool:
            return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())

        found: dict[str, str] = self._get(key, fits, "a table of strings", {})
        return found

    def get_positive_number(self, key: str, default: float, maximum: int) -> float:
        """Return a number above 0 and at most ``maximum``."""

        def fits(value: Any) -> bool:
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= maximum

        return float(self._get(key, fits, f"a number above 0, at most {maximum}", default))

    def get_count(self, key: str, maximum: int) -> int | None:
        """Return a whole number from 1 to ``maximum``, or None."""

        def fits(value: Any) -> bool:
            return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= maximum

        count: int | None = self._get(key, fits, f"a whole number from 1 to {maximum}", None)
        return count

    def get_flag(self, key: str) -> bool:
        """Return true or false; false without the key."""
        return bool(self._get(key, lambda v: isinstance(v, bool), "true or false", False))

    def get_choice(self, key: str, choices: tuple[Any, ...]) -> Any:
        """Return one of ``choices``, or None."""
        return self._get(key, lambda v: v in choices, f"one of {', '.join(choices)}", None)

    def _get(self, key: str, fits: Callable[[Any], bool], expected: str, default: Any) -> Any:
        if key not in self.table:
            return default
        if not fits(self.table[key]):
            where = f"[{self.name}] {key}" if self.name else f"[{key}]"
            raise UsageError(
                f"{self.path}: {where} = {format_untrusted(abbreviated_json(self.table[key]), 80)} must be {expected}"
            )
        return self.table[key]
