"""Real trees are cheap: hundreds of scenarios must not wait for them."""

import os
import time

from treeproof.tree import Workspace, build, differences, parse, take


def test_ten_nodes_are_built_looked_at_and_removed_in_a_moment(workspace: Workspace) -> None:
    tree = parse("a/{b=3, c/{d, e}}, l->a, .h, p:fifo, f=12, g")

    def once() -> float:
        began = time.perf_counter()
        place = workspace.fixture()
        build(tree, place)
        seen = take(os.path.dirname(place))
        assert workspace.discard(place) == []
        took = time.perf_counter() - began
        assert differences(seen, seen) == []
        return took

    # About 0.4 ms in memory and 0.8 ms on a disk; ten times that would be another algorithm.
    assert min(once() for _ in range(30)) < 0.008
