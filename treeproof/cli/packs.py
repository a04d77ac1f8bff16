"""The packs of a command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treeproof.spec import Pack


def load_packs(names: Sequence[str]) -> list[Pack]:
    """Return the packs in ``names``, each a bundled name or a folder.

    Without names, that of the working directory, or else all bundled ones.
    """
    from treeproof.spec import bundled_packs, load_pack, open_pack
    from treeproof.spec.packs import default_specs

    return [open_pack(name) for name in names or default_specs()] or [load_pack(folder) for folder in bundled_packs()]


def find_installed(name: str) -> Pack | None:
    """Return the bundled pack of this name, or that of the working directory; None if neither has the name.

    ``name`` comes from a report, so it is not used as a path.
    """
    from treeproof.spec import bundled_packs, load_pack, open_pack
    from treeproof.spec.packs import default_specs

    bundled = next((load_pack(folder) for folder in bundled_packs() if folder.name == name), None)
    return bundled or next((pack for pack in map(open_pack, default_specs()) if pack.name == name), None)
