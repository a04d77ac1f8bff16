"""The modules in the folder of a pack: each pack has its own, whatever their names are.

They are loaded by path, below a package name that no other folder has. So neither a candidate nor another pack can
replace them with modules of the same names. Their own ``import other_module`` finds the modules beside them.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

PACK_FILE = "spec.toml"
"""The catalogue of a pack, in its folder."""

_PREFIX = "treeproof_pack_"


def full_module_name(name: str, folder: Path) -> str:
    """Return the full name of a module, or of an entry point, that a pack in ``folder`` names.

    A module that the folder does not contain keeps its name: it can be any installed one.
    """
    folder = folder.resolve()
    return f"{_package(folder)}.{name}" if _is_own(folder, re.split("[.:]", name, maxsplit=1)[0]) else name


def is_own_module(full_name: str) -> bool:
    """Return whether a full name is that of a module in the folder of a pack."""
    return full_name.startswith(_PREFIX)


def _is_own(folder: Path, top: str) -> bool:
    if not top.isidentifier() or top == "treeproof" or top in sys.stdlib_module_names:
        return False  # an argument of a command can be any text, also one that is too long for a file name
    return (folder / f"{top}.py").is_file() or any((folder / top).glob("*.py"))


def _package(folder: Path) -> str:
    """Return the name of the package of a folder, which is created if necessary."""
    import hashlib  # slow to import, and a process of a bundled candidate does not need it

    name = _PREFIX + hashlib.sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
        _finder.imports[name] = _importer(name, folder)
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)  # before the finder of all files, which knows nothing of packs
    return name


def _importer(package: str, folder: Path) -> Callable[..., ModuleType]:
    """Return the ``__import__`` of the modules of a pack."""

    def import_from_pack(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level or not _is_own(folder, top):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        found = builtins.__import__(f"{package}.{name}", globals, locals, fromlist or (), 0)
        return found if fromlist else sys.modules[f"{package}.{top}"]

    return import_from_pack


class _Finder:
    """Finds the modules below the packages of packs."""

    def __init__(self) -> None:
        self.imports: dict[str, Callable[..., ModuleType]] = {}

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        package = name.partition(".")[0]
        if package not in self.imports or path is None:
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is not None and isinstance(found.loader, SourceFileLoader):
            found.loader = _Loader(name, found.loader.path, self.imports[package])
        return found


class _Loader(SourceFileLoader):
    """Executes a module with an ``__import__`` of its own."""

    def __init__(self, name: str, path: str, own_import: Callable[..., ModuleType]) -> None:
        super().__init__(name, path)
        self._own_import = own_import

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": self._own_import}
        super().exec_module(module)


_finder = _Finder()
