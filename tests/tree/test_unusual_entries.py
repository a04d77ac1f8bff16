"""Unusual entries of trees, and trees without them."""

from __future__ import annotations

import pytest

from treeproof.tree import parse_tree, plain_tree, render_tree, unusual_kinds


@pytest.mark.parametrize(
    ("notation", "kinds"),
    [
        ("a, d/{b=3}, l->a, m->d", set()),
        ("d/{p:fifo}", {"a named pipe"}),
        ("p:fifo, s:sock, c:chr, b:blk", {"a named pipe", "a socket", "a device"}),
        (r"d/{'a\xff'}", {"a name that is not UTF-8"}),
        ("l->l", {"links in a circle"}),
        ("m->n, n->m", {"links in a circle"}),
        ("o->o/x", {"links in a circle"}),
        ("d/{loop->.}", {"links in a circle"}),
        ("loop->., x", {"links in a circle"}),
        ("d/{up->..}, z", {"links in a circle"}),
        ("d/{abs->$ROOT/d}", {"links in a circle"}),
        ("a/{tob->../b}, b/{toa->../a}", {"links in a circle"}),
        ("a/{x, l->../b}, b/{x}", set()),
        ("l->gone, m->/etc, o->$OUTSIDE/far, p->../outside", set()),
        ("l1->l2, l2->d, d/{x}", set()),
    ],
)
def test_the_unusual_kinds_of_a_tree(notation: str, kinds: set[str]) -> None:
    assert unusual_kinds(parse_tree(notation)) == kinds


def test_a_plain_tree_has_empty_files_instead() -> None:
    tree = plain_tree(parse_tree('p:fifo, d/%0500{s:sock, l->x, f="F"}, g!L'))
    assert render_tree(tree) == 'p, d/%0500{s, l, f="F"}, g'
    assert not unusual_kinds(tree) and not tree.faults()
