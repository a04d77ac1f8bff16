"""The packs that a verb is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treeproof.spec import Pack


def packs_of(names: Sequence[str]) -> list[Pack]:
    """The packs that ``--spec`` names, each a bundled one or a folder; all bundled ones where it names none."""
    from treeproof.spec import bundled, find, load

    return [load(folder) for folder in ([find(name) for name in names] or bundled())]


def bundled(name: str) -> list[Pack]:
    """The bundled pack of this name, for what pages tell beyond a run; none where there is none.

    The name stands in a report, so it is a name only: no path of somebody else's is followed.
    """
    from treeproof.spec import bundled, load

    return [load(folder) for folder in bundled() if folder.name == name]
