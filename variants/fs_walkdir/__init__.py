"""The variants of FS.WalkDir."""

from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import UnvalidatingExecutor, WalkDir, build_candidate
from treeproof.reference_impl.fs_walkdir.script import Interpreter, ScriptRun
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.variant import Parts, collect_variants

unobservable: dict[str, str] = {}
"""Readings without a variant, as `AMB-WD-01=nil`, and the reason: no call shows them."""


def build(parts: Parts) -> Any:
    """Return the reference with parts exchanged.

    `tool`, `script_run`, `candidate_class` and `executor` are classes; the others are fields of the tool.
    """
    fields = dict(parts)
    script_run, candidate_class = fields.pop("script_run", ScriptRun), fields.pop("candidate_class", Candidate)
    executor = fields.pop("executor", UnvalidatingExecutor)
    tool = fields.pop("tool", WalkDir)(**fields)
    interpreter = Interpreter([tool], script_run)
    return build_candidate(tool, interpreter, candidate_class=candidate_class, executor=executor)


variants = collect_variants(__name__, build)
