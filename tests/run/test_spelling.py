"""Cases in which a call spells an entry's name otherwise are not modelled where names are folded."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.model.case import Case, Unmodelled
from treeproof.model.spelling import check_spelling, folds_names
from treeproof.tree import Host, parse_tree


@pytest.mark.parametrize(
    ("tree", "arguments"),
    [
        ("Read", {"path": "READ"}),
        ("d/{Read}", {"paths": [{"of": "d/read/x"}]}),
        ("é", {"path": "e\u0301"}),
        ("a", {"path": "../ROOT"}),
        ("a, l->A", {"path": "l"}),
    ],
)
def test_another_spelling_is_not_modelled(tree: str, arguments: Any) -> None:
    with pytest.raises(Unmodelled):
        check_spelling(Case("t", parse_tree(tree), arguments))


@pytest.mark.parametrize("arguments", [{"path": "Read"}, {"path": "other/./root"}, {"path": "\ud800"}, ["a" * 300]])
def test_a_name_as_it_is_stored_is_modelled(arguments: Any) -> None:
    check_spelling(Case("t", parse_tree(r"Read, '\xff'"), arguments))


@pytest.mark.parametrize("lacking", ["case_sensitive", "normal_forms"])
def test_a_host_that_takes_some_names_for_one_folds_them(lacking: str) -> None:
    known = {"case_sensitive": None, "normal_forms": None}
    assert not folds_names(Host(b"/", "Linux", True, dict(known)))
    assert folds_names(Host(b"/", "Linux", True, {**known, lacking: "the same here"}))
