"""The command that repeats a run, as the run document contains it."""

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
    ids=["only options that differ from the defaults", "a target is not split, a selection is omitted", "every option"],
)
def test_the_command_contains_the_options_that_affect_verdicts(options: Options, command: list[str]) -> None:
    assert options.command == command
