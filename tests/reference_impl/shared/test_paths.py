"""Normalised paths by the rules of both platforms, and lossy names, without a file system."""

import pytest

from treeproof.reference_impl.shared import paths


@pytest.mark.parametrize(
    ("requested", "posix", "windows"),
    [
        (" \ta\n", "a", "a"),
        ("./", ".", "."),
        ("./.", ".", "."),
        ("a/.", "a", "a"),
        ("a////b", "a/b", "a/b"),
        ("a/././b//", "a/b", "a/b"),
        ("a../b", "a../b", "a../b"),
        ("./.a", ".a", ".a"),
        (".../a", ".../a", ".../a"),
        ("SRC", "SRC", "SRC"),
        ("a /b", "a /b", "a /b"),
        ("a/ /", "a/ ", "a/ "),
        ("./ a", " a", " a"),
        ("/", "/", "/"),
        ("///", "/", "/"),
        ("/.", "/", "/"),
        ("/a//b/./", "/a/b", "/a/b"),
        ("//a", "/a", "/a"),
        ("a\\b\\", "a\\b\\", "a/b"),
        ("\\", "\\", "/"),
        ("C:/", "C:/", "C:/"),
        ("C:/./", "C:/", "C:/"),
        ("C:\\\\", "C:\\\\", "C:/"),
        ("./C:", "C:", "C:"),
        ("c:/Users/", "c:/Users", "c:/Users"),
        ("CC:/", "CC:", "CC:"),
        ("1:/", "1:", "1:"),
        ("\\\\srv\\share\\d", "\\\\srv\\share\\d", "//srv/share/d"),
        ("///srv/share", "/srv/share", "/srv/share"),
        ("a\u00a0", "a", "a"),
        ("a\u001f", "a\u001f", "a\u001f"),
        ("a\u200b", "a\u200b", "a\u200b"),
    ],
)
def test_a_requested_path_is_normalised(requested: str, posix: str, windows: str) -> None:
    assert paths.normalise_path(requested, paths.POSIX) == posix
    assert paths.normalise_path(requested, paths.WINDOWS) == windows


@pytest.mark.parametrize("requested", ["a/./b/", ".", "/", "C:/", "//srv/share", "e\u0301//", 'q"\n/'])
def test_normalising_twice_changes_nothing(requested: str) -> None:
    for flavour in (paths.POSIX, paths.WINDOWS):
        once = paths.normalise_path(requested.strip("\n"), flavour)
        assert paths.normalise_path(once.rstrip("\n"), flavour) == once.rstrip("\n")


def test_drives_make_a_path_absolute_on_windows_only() -> None:
    for path in ("/x", "C:/x", "C:", "C:x"):
        assert paths.is_absolute(path, paths.WINDOWS)
    assert [path for path in ("/x", "C:/x", "C:", "x/C:") if paths.is_absolute(path, paths.POSIX)] == ["/x"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"a\xffb", "a\ufffdb"),
        (b"\xe2\x82a", "\ufffda"),
        (b"\xf0\x9f\x98", "\ufffd"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"\xc0\xaf", "\ufffd\ufffd"),
        (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", "\ufffd\ufffd\ufffd\ufffdA"),
    ],
)
def test_each_maximal_subpart_becomes_one_replacement_character(name: bytes, text: str) -> None:
    assert paths.decode_lossy(name, paths.POSIX) == text


def test_an_unpaired_surrogate_on_windows_becomes_one_replacement_character() -> None:
    assert paths.decode_lossy("a\ud800b".encode("utf-8", "surrogatepass"), paths.WINDOWS) == "a\ufffdb"
