"""Loads Python candidates: ``module:attribute`` names or creates an object with the protocol's methods.

Used in treeproof's own process and by ``host`` in a child process. Only this module imports candidates. Values are
passed through unchecked.
"""

import contextlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from treeproof.candidate.messages import PROTOCOL
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError, closest_match, format_exception
from treeproof.pack_modules import PACK_FILE, full_module_name

_METHODS = ("initialize", "describe", "call")


class PythonCandidate(Protocol):
    """The result of a factory. Params and results are the protocol's JSON values.

    An optional method ``shutdown(params)`` is called at the end.
    """

    def initialize(self, params: dict[str, Any], /) -> Any: ...
    def describe(self, params: dict[str, Any], /) -> Any: ...
    def call(self, params: dict[str, Any], /) -> Any: ...


class FunctionCandidate:
    """The smallest candidate: a function ``f(tool, arguments, context)`` that returns the result of a ``call``.

    It offers ``tools`` (name to name@version) and declares no capabilities.
    """

    def __init__(self, function: Callable[..., Any], tools: Mapping[str, str]) -> None:
        self._function = function
        self._tools = dict(tools)

    def initialize(self, params: dict[str, Any]) -> Any:
        name = getattr(self._function, "__qualname__", type(self._function).__name__)
        module = sys.modules.get(getattr(self._function, "__module__", ""), None)
        return {
            "protocol": PROTOCOL,
            "candidate": {
                "name": name,
                "version": str(getattr(module, "__version__", "0")),
                "language": "python",
            },
            "tools": self._tools,
            "capabilities": [],
        }

    def describe(self, params: dict[str, Any]) -> Any:
        documentation = inspect.getdoc(self._function)
        return {"name": params["tool"]} | ({"description": documentation} if documentation else {})

    def call(self, params: dict[str, Any]) -> Any:
        return self._function(params["tool"], params["arguments"], params["context"])


def load_candidate(entry_point: str, import_folder: Path, tools: Mapping[str, str]) -> PythonCandidate:
    """Return a new candidate from ``module:attribute``, ``file.py:attribute`` or ``module:mapping[key]``.

    ``import_folder`` comes first on the import path and is the base of relative file paths. A bare function offers
    ``tools``. Raises UsageError if the entry point gives no candidate, and all exceptions of the candidate's own code.
    """
    module_text, _, attribute = entry_point.partition(":")
    attribute, _, key = attribute.removesuffix("]").partition("[")
    with _import_path_first(import_folder):
        module = (
            _import_file(entry_point, import_folder / module_text)
            if _is_file_path(module_text)
            else _import_module(entry_point, module_text, import_folder)
        )
    found: Any = module
    for name in attribute.split("."):
        if not hasattr(found, name):
            near = closest_match(name, [known for known in dir(found) if not known.startswith("_")])
            raise UsageError(
                f"python:{format_untrusted(entry_point)}: {format_untrusted(module_text)} has no attribute "
                f"{name!r}{f'; did you mean {near!r}?' if near else ''}"
            )
        found = getattr(found, name)
    if key:
        found = found[key]
    return _to_candidate(entry_point, found, tools, may_call=True)


def load_reference(entry_point: str, folder: Path, tools: Mapping[str, str]) -> PythonCandidate:
    """Return the candidate of an entry point that a pack names; all exceptions of its code become UsageErrors."""
    try:
        return load_candidate(entry_point, folder, tools)
    except (UsageError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit, too
        cause = format_exception(error, full_module_name(entry_point.rpartition(":")[0], folder))
        raise UsageError(
            f"reference {format_untrusted(entry_point)}: cannot be imported: {cause}; correct it"
        ) from error


def _to_candidate(entry: str, found: Any, tools: Mapping[str, str], *, may_call: bool) -> PythonCandidate:
    if not inspect.isclass(found) and all(callable(getattr(found, name, None)) for name in _METHODS):
        candidate: PythonCandidate = found
        return candidate
    if callable(found):
        if may_call and _accepts(found, 0):
            return _to_candidate(entry, found(), tools, may_call=False)
        if not inspect.isclass(found) and _accepts(found, 3):
            return FunctionCandidate(found, tools)
    missing = [name for name in _METHODS if not callable(getattr(found, name, None))]
    raise UsageError(
        f"python:{format_untrusted(entry)}: a {type(found).__name__} is not a candidate: "
        f"it lacks {', '.join(missing)}, and is neither a factory without arguments "
        "nor a function (tool, arguments, context)"
    )


def _accepts(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*range(arguments))
    except (TypeError, ValueError):
        return False
    return True


def _is_file_path(module: str) -> bool:
    return module.endswith(".py") or "/" in module


def _import_module(entry: str, name: str, folder: Path) -> Any:
    is_pack = (folder / PACK_FILE).is_file()  # its modules are its own, whatever their names
    try:
        return importlib.import_module(full_module_name(name, folder) if is_pack else name)
    except ModuleNotFoundError as problem:
        missing = problem.name or ""
        if name == missing or name.startswith(missing + "."):
            raise UsageError(
                f"python:{format_untrusted(entry)}: there is no module '{format_untrusted(missing)}'; "
                "the import path starts with the manifest's folder, or else the working directory"
            ) from None
        raise


def _import_file(entry: str, path: Path) -> Any:
    if not path.is_file():
        raise UsageError(f"python:{format_untrusted(entry)}: there is no file {format_untrusted(str(path))}")
    name = f"treeproof_candidate_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"python:{format_untrusted(entry)}: {format_untrusted(str(path))} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as an import does: dataclasses and pickle need it
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def _import_path_first(folder: Path) -> Iterator[None]:
    """Put the folder first on the import path. Afterwards it stays there, last, for later imports of the candidate."""
    entry = str(folder)
    before = list(sys.path)
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        sys.path[:] = before if entry in before else [*before, entry]
