"""Construction of the mutants of FS.WalkDir that change the inside: the reference with parts replaced."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate
from treeproof.reference_impl.fs_walkdir.script import Interpreter, ScriptRun
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant, create_mutant


def reference(id: str, summary: str, *violates: str) -> Callable[..., Mutant]:
    """Return the function from parts of the reference to the mutant that has them."""

    def replacing(
        script_run: type[ScriptRun] = ScriptRun, candidate_class: type[Candidate] = Candidate, **parts: Any
    ) -> Mutant:
        def factory() -> Candidate:
            tool = WalkDir(**parts)
            return build_candidate(tool, Interpreter([tool], script_run), name=id, candidate_class=candidate_class)

        return create_mutant(id, summary, violates, factory)

    return replacing
