"""README.md opens with the two commands and stays short; the table of specifications is a command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from treeproof.report.specification_page import markdown_table
from treeproof.spec import bundled_packs, load_pack

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def run_treeproof(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "treeproof", "list", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_the_two_commands_are_first() -> None:
    title, fence, demo, test, end, *_ = filter(None, README.splitlines())
    assert (title, fence, end) == ("# treeproof", "```", "```")
    assert (demo[:9], test[:9]) == ("make demo", "make test")


def test_it_is_short() -> None:
    assert len(README.split()) <= 500
    assert README.count("<picture>") == 1


def test_every_bundled_specification_has_a_row() -> None:
    rows = run_treeproof("specs", "--format", "md").stdout.splitlines()[2:]
    named = [f"`{pack.name}@{pack.version}`" for pack in map(load_pack, bundled_packs())]
    assert [row.split(" ")[1] for row in rows] == [*named, "all"]


def test_one_specification_has_no_sums() -> None:
    table = markdown_table([load_pack(bundled_packs()[0])], lambda pack: (56, 1234))
    assert table.count("\n") == 3
    assert table.endswith("| 1,234 |\n")


def test_only_specs_can_be_a_table() -> None:
    result = run_treeproof("steps", "--format", "md")
    assert (result.returncode, result.stdout) == (2, "")
    assert "only specs" in result.stderr
