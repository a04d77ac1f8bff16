"""Construction of the mutants of FS.WalkDir: the reference with parts replaced, or with its list changed."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate
from treeproof.reference_impl.fs_walkdir.script import Interpreter, ScriptRun
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant, create_mutant

Elements = list[dict[str, Any]]
Change = Callable[[Elements], Any]


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    tool: WalkDir | None = None,
    script_run: type[ScriptRun] = ScriptRun,
    candidate_class: type[Candidate] = Candidate,
    **parts: Any,
) -> Mutant:
    """Return a mutant of FS.WalkDir; `parts` are those of the tool."""
    walk_dir = tool or WalkDir(**parts)

    def factory() -> Candidate:
        interpreter = Interpreter([walk_dir], script_run)
        return build_candidate(walk_dir, interpreter, name=id, candidate_class=candidate_class)

    return create_mutant(id, summary, violates, factory)


def with_list_changed(change: Change) -> WalkDir:
    """Return FS.WalkDir with its complete list changed."""

    class Changing(WalkDir):
        def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
            changed: Elements = change(super().list_elements(arguments, context, flavour))
            return changed

    return Changing()


def with_elements_changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> WalkDir:
    """Return FS.WalkDir with each element of its list changed."""
    return with_list_changed(lambda found: [change(element) for element in found])
