"""The selection of mutants and variants by id, in the packs that register them."""

from __future__ import annotations

import pytest

from treeproof.errors import UsageError
from treeproof.mutation.mutants_to_run import Selection, select
from treeproof.spec import bundled_packs, load_pack, open_pack

PACKS = [load_pack(folder) for folder in bundled_packs()]
LISTING, FILES = open_pack("list_directory"), open_pack("file_operations")


def test_without_ids_every_pack_is_complete() -> None:
    assert select(PACKS, []) == [Selection(pack, is_complete=True) for pack in PACKS]


def test_ids_are_searched_in_every_pack() -> None:
    assert select(PACKS, ["MUT-FO-232", "MUT-001", "MUT-671", "MUT-001"]) == [
        Selection(LISTING, ("MUT-001", "MUT-671")),
        Selection(FILES, ("MUT-FO-232",)),
    ]


def test_combinations_of_variants_can_be_selected() -> None:
    ids = ["AMB-LD-03=append", "AMB-LD-03=append+AMB-LD-57=b", "MUT-001"]
    assert select(PACKS, ids) == [Selection(LISTING, ("MUT-001",), tuple(ids[:2]))]


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(UsageError, match="--select MUT-LX-1: no mutant of list_directory"):
        select(PACKS, ["MUT-001", "MUT-LX-1"])
