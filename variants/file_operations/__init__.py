"""The variants of the file operations."""

from typing import Any

from treeproof.reference_impl.file_operations.candidate import CopyResolution, copy_tool, file_tools, move_tool
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {}
"""Readings without a variant, as `AMB-FO-01=gate`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts exchanged; names of parts of one tool begin with `move_` or `copy_`."""
    fields = dict(parts)
    executor, candidate_class = fields.pop("executor", Executor), fields.pop("candidate_class", Candidate)
    own: dict[str, dict[str, Any]] = {"move": {}, "copy": {}}
    for name, part in fields.items():
        tool, _, field = name.partition("_")
        if tool in own:
            own[tool][field] = part
        else:
            own["move"].setdefault(name, part)
            own["copy"].setdefault(name, _for_copy(part) if name == "resolution" else part)
    return candidate_class(file_tools(move_tool(**own["move"]), copy_tool(**own["copy"])), executor=executor)


def _for_copy(resolution: type) -> type:
    return type(f"{resolution.__name__}OfCopy", (resolution, CopyResolution), {})


variants = collect_variants(__name__, build)
