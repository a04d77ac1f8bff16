"""How a wrong FS.WalkDir is made of the right one: pieces exchanged, or the list changed on its way out."""

from collections.abc import Callable
from typing import Any

from ...candidate import Candidate
from ...context import CallContext
from ...fs_walkdir import WalkDir, offered
from ...paths import Flavour
from ...walking.script import Interpreter, Run
from ..mutant import Mutant

Elements = list[dict[str, Any]]
Change = Callable[[Elements], Any]


def wrong(
    id: str,
    summary: str,
    *violates: str,
    tool: WalkDir | None = None,
    run: type[Run] = Run,
    face: type[Candidate] = Candidate,
    reading: str | None = None,
    **pieces: Any,
) -> Mutant:
    """FS.WalkDir with some of its pieces exchanged, or another tool, script or face altogether."""

    def make() -> Candidate:
        walk_dir = tool or WalkDir(**pieces)
        return offered(walk_dir, Interpreter([walk_dir], run), name=id, face=face)

    return Mutant(id, summary, tuple(dict.fromkeys(violates)), make, reading)


def changing(change: Change) -> WalkDir:
    """FS.WalkDir whose list is changed when it is complete."""

    class Changing(WalkDir):
        def elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> Elements:
            changed: Elements = change(super().elements(arguments, context, flavour))
            return changed

    return Changing()


def each(change: Callable[[dict[str, Any]], dict[str, Any]]) -> WalkDir:
    """FS.WalkDir whose maps are changed one by one."""
    return changing(lambda found: [change(element) for element in found])
