"""How a wrong FS.WalkDir is made of the right one: pieces exchanged, or the list changed on its way out."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate
from treeproof.reference_impl.fs_walkdir.script import Interpreter, ScriptRun
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant

Elements = list[dict[str, Any]]
Change = Callable[[Elements], Any]


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    tool: WalkDir | None = None,
    script_run: type[ScriptRun] = ScriptRun,
    candidate_class: type[Candidate] = Candidate,
    reading: str | None = None,
    **parts: Any,
) -> Mutant:
    """FS.WalkDir with some of its pieces exchanged, or another tool, script or face altogether."""

    def make() -> Candidate:
        walk_dir = tool or WalkDir(**parts)
        return build_candidate(
            walk_dir, Interpreter([walk_dir], script_run), name=id, candidate_class=candidate_class
        )

    return Mutant(id, summary, tuple(dict.fromkeys(violates)), make, reading)


def with_list_changed(change: Change) -> WalkDir:
    """FS.WalkDir whose list is changed when it is complete."""

    class Changing(WalkDir):
        def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
            changed: Elements = change(super().list_elements(arguments, context, flavour))
            return changed

    return Changing()


def with_elements_changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> WalkDir:
    """FS.WalkDir whose maps are changed one by one."""
    return with_list_changed(lambda found: [change(element) for element in found])
