"""The command that asks for a run once more, as the run document has it."""

from __future__ import annotations

import pytest

from treeproof.run.runner import Options
from treeproof.verdict import Profile


@pytest.mark.parametrize(
    ("options", "command"),
    [
        (Options("reference"), ["reference"]),
        (Options("stdio:node 'a b.mjs'", select=("FR-LD-LST-05",)), ["stdio:node 'a b.mjs'"]),
        (
            Options("t.toml", specs=("ls", "./x"), profile=Profile.STRICT, seed=7, examples=40),
            ["t.toml", "--spec", "ls", "--spec", "./x", "--profile", "strict", "--seed", "7", "--examples", "40"],
        ),
    ],
    ids=["only what differs from the defaults", "words are not split, a selection is left out", "everything"],
)
def test_the_words_that_verdicts_depend_on(options: Options, command: list[str]) -> None:
    assert options.command == command
