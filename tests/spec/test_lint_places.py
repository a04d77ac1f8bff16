"""The place of an id: first in the module that the catalogue's key names, then in the other modules of the pack."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from treeproof.cli import main
from treeproof.scaffold.specification import new_spec
from treeproof.spec import load_pack
from treeproof.spec.lint_places import IdPlaces

PACK = load_pack(Path(__file__).parent / "read_text")


def test_an_id_is_shown_in_the_module_of_the_entry_point(tmp_path: Path) -> None:
    (tmp_path / "a_mutants.py").write_text('violates = ("RT2-OUT-01",)\n', "utf-8")
    (tmp_path / "b_oracle.py").write_text('\nrequirements = {"RT2-OUT-01"}\n', "utf-8")
    pack = replace(PACK, folder=tmp_path)
    assert IdPlaces(pack, "oracle", "b_oracle:model").of("RT2-OUT-01") == (tmp_path / "b_oracle.py", 2)
    assert IdPlaces(pack, "mutants", "a_mutants:mutants").of("RT2-OUT-01") == (tmp_path / "a_mutants.py", 1)


def test_what_is_no_file_is_left_out(tmp_path: Path) -> None:
    folder = new_spec("pets", tmp_path / "pets", with_oracle=True).folder
    (folder / ".#a_steps.py").symlink_to("nobody@host")  # Emacs leaves such links beside files with changes
    os.mkfifo(folder / "pipe.py")
    (folder / "folder.py").mkdir()
    assert main(["lint", str(folder)]) == 0


def test_an_id_of_another_module_is_found_too(tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text('OUTPUT = "RT2-OUT-01"\n', "utf-8")
    (tmp_path / "oracle.py").write_text("from names import OUTPUT\n", "utf-8")
    pack = replace(PACK, folder=tmp_path)
    assert IdPlaces(pack, "oracle", "oracle:model").of("RT2-OUT-01") == (tmp_path / "names.py", 1)
