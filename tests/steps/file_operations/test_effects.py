"""The comparison of times in the expected effect of a call."""

from __future__ import annotations

import pytest

from treeproof.steps.file_operations.effects import with_kept_times
from treeproof.tree import parse_tree, tree_diff


@pytest.mark.parametrize(("after", "is_kept"), [("a@1000ns", True), ("a@1999ns", True), ("a@2000ns", False)])
def test_a_time_is_kept_to_the_microsecond(after: str, is_kept: bool) -> None:
    got = parse_tree(after)
    assert (not tree_diff(with_kept_times(parse_tree("a@1000ns"), got), got)) == is_kept
