"""The kind of a difference has no names, paths and numbers, and keeps what distinguishes two bugs."""

from __future__ import annotations

import pytest

from treeproof.verdict.difference import difference_kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("there are 3 entries", "there are 20 entries"),
        ("the entry 'a b' has another name", "the entry 'x' has another name"),
        ('line 1 of "a" differs', 'line 23 of "it\'s" differs'),
        ("no such file: $ROOT/a/b", "no such file: $ROOT/c"),
        ("no such file: /tmp/x/a", "no such file: /tmp/y/b"),
        ("missing 'a', 'b', 'c'", "missing 'd'"),
        ("the limit -1.5 is refused", "the limit 7 is refused"),
        ("no entry a\ufffdb, d/\ufffd is there", "no entry \ufffd is there"),
    ],
)
def test_equal_differences_of_other_cases_have_one_kind(one: str, other: str) -> None:
    assert difference_kind(one) == difference_kind(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the call failed with BadArgs", "the call failed with ExecutionFailed"),
        ("the reading AMB-LD-01 is not accepted", "the reading AMB-LD-02 is not accepted"),
        ("KeyError: 'x'", "TypeError: 'x'"),
        ("the entry 'a' has another name", "the entry 'a' has another size"),
    ],
)
def test_other_differences_have_other_kinds(one: str, other: str) -> None:
    assert difference_kind(one) != difference_kind(other)


def test_a_kind_is_bounded() -> None:
    assert len(difference_kind("word " * 10_000)) <= 200
    assert len(difference_kind("'" * 100_001)) <= 200
