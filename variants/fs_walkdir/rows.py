"""Rows of FS.WalkDir that change the calls of scripts too. Contains no variants."""

from typing import Unpack

from treeproof.rows.fs_walkdir import row as rows
from treeproof.rows.fs_walkdir.scripts import scripted
from treeproof.rows.shared.row import Row

NAMES = 1
"""The stage of rows that know the argument in another way; what is inside sees its name only."""


def row(stage: int = 0, **change: Unpack[rows.Change]) -> Row:
    """Return the row that makes a change of FS.WalkDir's calls, whether a script makes them or not."""
    return scripted(rows.row(stage, **change))
