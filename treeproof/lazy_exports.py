"""Lazy exports of a package: a name is imported from its module when it is first used. Contains no names itself."""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence


def lazy_exports(package: str, exports: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of ``package``; ``exports`` maps a module to the names that it defines.

    The function raises AttributeError for any other name.
    """
    modules = {name: module for module, names in exports.items() for name in names}

    def __getattr__(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(modules[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return __getattr__
