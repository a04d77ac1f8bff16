"""The README's table of specifications is the one that the command prints: its numbers are never typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from treeproof.report.specification_table import markdown_table
from treeproof.spec import bundled_packs, load_pack

HOUSE = Path(__file__).resolve().parent.parent
README = (HOUSE / "README.md").read_text("utf-8")


def readme_table() -> str:
    _, opening, rest = README.partition("<!-- specifications: written by `make readme` -->\n")
    table, closing, _ = rest.partition("<!-- end of specifications -->\n")
    assert opening
    assert closing
    return table


def run_treeproof(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "treeproof", "list", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=HOUSE)


def test_the_table_is_what_the_command_prints() -> None:
    assert readme_table() == run_treeproof("specs", "--format", "md").stdout, "write it anew: make readme"


def test_every_bundled_specification_has_a_row() -> None:
    rows = readme_table().splitlines()[2:]
    named = [f"`{pack.name}@{pack.version}`" for pack in map(load_pack, bundled_packs())]
    assert [row.split(" ")[1] for row in rows] == [*named, "all"]


def test_one_specification_alone_has_no_sum() -> None:
    table = markdown_table([load_pack(bundled_packs()[0])], lambda pack: 1234)
    assert table.count("\n") == 3
    assert table.endswith("| 1,234 |\n")


def test_other_lists_are_no_tables() -> None:
    done = run_treeproof("steps", "--format", "md")
    assert (done.returncode, done.stdout) == (2, "")
    assert "specs only" in done.stderr
