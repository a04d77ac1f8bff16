"""The packs that a verb is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treeproof.spec import Pack


def load_packs(names: Sequence[str]) -> list[Pack]:
    """The packs that ``--spec`` names, each a bundled one or a folder; all bundled ones where it names none."""
    from treeproof.spec import bundled_packs, find_pack, load_pack

    return [load_pack(folder) for folder in ([find_pack(name) for name in names] or bundled_packs())]


def load_bundled(name: str) -> list[Pack]:
    """The bundled pack of this name, for what pages tell beyond a run; none where there is none.

    The name stands in a report, so it is a name only: no path of somebody else's is followed.
    """
    from treeproof.spec import bundled_packs, load_pack

    return [load_pack(folder) for folder in bundled_packs() if folder.name == name]
