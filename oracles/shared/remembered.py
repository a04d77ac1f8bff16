"""Values that all outcomes of one case share: they are computed once for the case, or for its answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

_KEPT = 64


def once_in_a_row(compute: Callable[[Key], Value]) -> Callable[[Key], Value]:
    """Keep the value of the latest argument, which is compared by identity: a case is not hashable."""
    latest: list[tuple[Key, Value]] = []

    @wraps(compute)
    def remembered(key: Key) -> Value:
        if not latest or latest[0][0] is not key:
            latest[:] = [(key, compute(key))]
        return latest[0][1]

    return remembered


def once_for_each(compute: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """Keep the values of the latest arguments, compared by identity: trees that differ little are slow to compare."""
    kept: dict[tuple[int, ...], tuple[tuple[object, ...], Value]] = {}

    @wraps(compute)
    def remembered(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        key = tuple(map(id, args))
        if key not in kept:
            if len(kept) == _KEPT:
                del kept[next(iter(kept))]
            kept[key] = args, compute(*args, **kwargs)  # while it is kept, no other argument has this identity
        return kept[key][1]

    return remembered
