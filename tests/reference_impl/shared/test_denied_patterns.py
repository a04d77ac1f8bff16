"""Denied patterns against paths below the sandbox root, without a file system."""

import pytest

from treeproof.reference_impl.shared import denied_patterns as patterns
from treeproof.reference_impl.shared import errors


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("**/.ssh/**", [".ssh", ".ssh/keys", "a/b/.ssh/c/d"], ["x.ssh/a", ".sshx"]),
        ("**/*.pem", ["certs.pem", "a/b.pem", "a/.pem"], ["certs.pem/x", "pem", "a.pemx"]),
        ("a/*", ["a/b", "a/.c"], ["a", "a/b/c", "x/a/b"]),
        ("a/**/b", ["a/b", "a/x/y/b"], ["a", "ab", "a/xb"]),
        ("i?", ["in", "i?"], ["i", "inn", "i/"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "[a-c]x"]),
        ("[!a-c]x", ["dx"], ["ax"]),
        ("a.b", ["a.b"], ["aXb"]),
        ("**", ["", "a", "a/b"], []),
        ("./a", ["a"], ["b/a"]),
    ],
)
def test_a_pattern_matches_whole_paths(pattern: str, matching: list[str], others: list[str]) -> None:
    def matches(path: str) -> bool:
        components = tuple(part.encode() for part in path.split("/") if part)
        return bool(patterns.first_match([pattern], components, False) == pattern)

    assert [path for path in matching if not matches(path)] == []
    assert [path for path in others if matches(path)] == []


def test_case_is_significant_unless_the_platform_ignores_it() -> None:
    assert patterns.first_match(["*.pem"], (b"A.PEM",), False) is None
    assert patterns.first_match(["*.pem"], (b"A.PEM",), True) == "*.pem"


def test_a_malformed_pattern_is_an_invalid_context() -> None:
    with pytest.raises(errors.ContextInvalid, match=r"\[z-a\]"):
        patterns.first_match(["[z-a]"], (b"b",), False)
