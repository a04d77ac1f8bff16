"""The variants of the file operations."""

from typing import Any

from treeproof.reference_impl.file_operations.candidate import (
    COPY_DEFINITION,
    MOVE_DEFINITION,
    CopyResolution,
    copy_tool,
    file_tools,
    move_tool,
)
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {
    "AMB-FO-16=allow": "The reference takes it, and no scenario asserts anything.",
    "AMB-FO-26=taken": "It needs a file system on which names that differ in case only are one.",
}
"""Readings without a variant, as `AMB-FO-01=gate`, and the reason: no call shows them."""

DEFINITIONS = {"move": MOVE_DEFINITION, "copy": COPY_DEFINITION}


def build(parts: Parts) -> Any:
    """Return the reference with parts exchanged; names of parts of one tool begin with `move_` or `copy_`.

    Other parts, but for `executor` and `candidate_class`, belong to both tools. A part `definition` is a subclass of
    DefinitionChange.
    """
    fields = dict(parts)
    executor, candidate_class = fields.pop("executor", Executor), fields.pop("candidate_class", Candidate)
    own: dict[str, dict[str, Any]] = {"move": {}, "copy": {}}
    for name, part in fields.items():
        tool, _, field = name.partition("_")
        for known, found in own.items():
            if tool == known:
                found[field] = _extended(found[field], part) if field in found else part
            elif tool not in own:
                found[name] = _extended(found[name], part) if name in found else part
    for tool, found in own.items():
        if "definition" in found:
            found["definition"] = found["definition"]().change(DEFINITIONS[tool])
    if "resolution" in own["copy"]:
        own["copy"]["resolution"] = _for_copy(own["copy"]["resolution"])
    return candidate_class(file_tools(move_tool(**own["move"]), copy_tool(**own["copy"])), executor=executor)


def _extended(first: type, second: type) -> type:
    """Return a class with the changes of both."""
    if issubclass(first, second):
        return first
    return type(f"{second.__name__}Of{first.__name__}", (second, first), {})


def _for_copy(resolution: type) -> type:
    """Return the resolution of `copy`, which follows a link as its source unless `resolution` says otherwise."""
    return type(f"{resolution.__name__}OfCopy", (resolution, CopyResolution), {})


variants = collect_variants(__name__, build)
