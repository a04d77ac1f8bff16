"""The modules that a module imports, also inside functions, as far as they are files below given folders."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType

from treeproof.pack_modules import is_own_module

_HARNESS = "treeproof."
_ROLES = "steps fixtures adapters reference_impl rows mutants variants oracles features"
_CONTENT = tuple(f"treeproof.{name}" for name in _ROLES.split())


class ImportGraph:
    """Answers whether a module or something that it imports is one of ``changed``. Modules must be imported before.

    Modules of treeproof itself are left out: almost everything imports them. So are those of Python.
    """

    def __init__(self, changed: Collection[Path]) -> None:
        self._changed = frozenset(file.resolve() for file in changed)
        self._imports: dict[str, tuple[str, ...]] = {}

    def is_affected(self, name: str) -> bool:
        """Return whether the module ``name`` has changed, or one that it imports directly or not."""
        pending, seen = [name], {name}
        while pending:
            module = sys.modules.get(pending.pop())
            if module is None or _is_left_out(module.__name__):
                continue
            file = _file_of(module)
            if file is not None and file in self._changed:
                return True
            found = [one for one in self._imported(module, file) if one not in seen]
            seen.update(found)
            pending += found
        return False

    def _imported(self, module: ModuleType, file: Path | None) -> tuple[str, ...]:
        if module.__name__ not in self._imports:
            names = () if file is None or file.suffix != ".py" else tuple(_imported_names(module, file))
            self._imports[module.__name__] = names
        return self._imports[module.__name__]


def _is_left_out(name: str) -> bool:
    if name.partition(".")[0] in sys.stdlib_module_names:
        return True
    return name.startswith(_HARNESS) and not any(name == one or name.startswith(f"{one}.") for one in _CONTENT)


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file else None


def _imported_names(module: ModuleType, file: Path) -> Iterator[str]:
    """Yield the names of the imported modules, and of attributes that may be modules."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    package = module.__package__ or ""
    own = package.partition(".")[0]  # modules in the folder of a pack import each other by short names
    prefixes = ("", f"{own}.") if is_own_module(module.__name__) else ("",)
    for node in _statements(tree.body):
        if isinstance(node, ast.Import):
            yield from (f"{prefix}{alias.name}" for alias in node.names for prefix in prefixes)
        elif isinstance(node, ast.ImportFrom):
            start = resolve_name(f"{'.' * node.level}{node.module or ''}", package) if node.level else node.module or ""
            names = (start, *(f"{start}.{alias.name}" for alias in node.names))
            yield from (f"{prefix}{name}" for name in names for prefix in prefixes)


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield statements and those in their blocks. Walking through their expressions as well takes ten times as long."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(statement, block, ()))
