"""Two packs whose modules have equal names: each runs with its own reference, steps and mutants."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.run.runner import Options, run
from treeproof.scaffold.specification import new_spec


@pytest.fixture
def packs(tmp_path: Path) -> tuple[Path, Path]:
    """Return two packs with equal names of modules; the second has a mutant that survives."""
    first = new_spec("twin", tmp_path / "first").folder
    second = new_spec("twin", tmp_path / "second").folder
    changes = {
        "TWIN-": "OTHER-",
        '"twin"': '"other"',
        "twin@": "other@",
        "@twin\n": "@other\n",
        "twin is called": "other is called",
        'prefix = "TWIN"': 'prefix = "OTHER"',
        '"\\n".join(reversed(result["content"].splitlines()))': 'result["content"]',
    }
    for file in second.glob("*"):
        text = file.read_text("utf-8")
        for old, new in changes.items():
            text = text.replace(old, new)
        file.write_text(text, "utf-8")
    return first, second


def test_each_pack_runs_with_its_own_reference(packs: tuple[Path, Path]) -> None:
    document = run(Options("reference", specs=tuple(map(str, packs)))).document
    assert [spec["name"] for spec in document.to_json()["specs"]] == ["twin", "other"]
    assert document.to_json()["verdict"] == "conformant"


def test_a_surviving_mutant_is_not_hidden_by_the_pack_beside_it(
    packs: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["adequacy", "--spec", str(packs[0]), "--spec", str(packs[1])]) == 1
    output = capfd.readouterr().out
    assert "2 of 2 mutants are killed" in output
    assert "survives MUT-OTHER-01" in output
