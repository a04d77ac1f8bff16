"""Values that all outcomes of one case share: they are computed once for the case, or for its answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def once_in_a_row(compute: Callable[[Key], Value]) -> Callable[[Key], Value]:
    """Keep the value of the latest argument, which is compared by identity: a case is not hashable."""
    latest: list[tuple[Key, Value]] = []

    @wraps(compute)
    def remembered(key: Key) -> Value:
        if not latest or latest[0][0] is not key:
            latest[:] = [(key, compute(key))]
        return latest[0][1]

    return remembered
