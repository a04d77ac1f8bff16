"""Construction of the mutants of FS.WalkDir that change the inside: the reference with parts replaced."""

from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate
from treeproof.reference_impl.fs_walkdir.script import Interpreter, ScriptRun
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, create_mutant


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    script_run: type[ScriptRun] = ScriptRun,
    candidate_class: type[Candidate] = Candidate,
    **parts: Any,
) -> Mutant:
    """Return a mutant of FS.WalkDir; `parts` are those of the tool."""
    walk_dir = WalkDir(**parts)

    def factory() -> Candidate:
        interpreter = Interpreter([walk_dir], script_run)
        return build_candidate(walk_dir, interpreter, name=id, candidate_class=candidate_class)

    return create_mutant(id, summary, violates, factory)
