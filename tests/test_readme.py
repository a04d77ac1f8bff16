"""The README's table of specifications is the one that the command prints: its numbers are never typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from treeproof.report.specifications import markdown
from treeproof.spec import bundled, load

HOUSE = Path(__file__).resolve().parent.parent
README = (HOUSE / "README.md").read_text("utf-8")


def shown() -> str:
    _, opening, rest = README.partition("<!-- specifications: written by `make readme` -->\n")
    table, closing, _ = rest.partition("<!-- end of specifications -->\n")
    assert opening
    assert closing
    return table


def printed(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "treeproof", "list", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=HOUSE)


def test_the_table_is_what_the_command_prints() -> None:
    assert shown() == printed("specs", "--format", "md").stdout, "write it anew: make readme"


def test_every_bundled_specification_has_a_row() -> None:
    rows = shown().splitlines()[2:]
    named = [f"`{pack.name}@{pack.version}`" for pack in map(load, bundled())]
    assert [row.split(" ")[1] for row in rows] == [*named, "all"]


def test_one_specification_alone_has_no_sum() -> None:
    table = markdown([load(bundled()[0])], lambda pack: 1234)
    assert table.count("\n") == 3
    assert table.endswith("| 1,234 |\n")


def test_other_lists_are_no_tables() -> None:
    done = printed("steps", "--format", "md")
    assert (done.returncode, done.stdout) == (2, "")
    assert "specs only" in done.stderr
