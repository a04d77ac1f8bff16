r"""Names as text: bare, quoted and escaped names; lists, ranges and repetitions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeproof.errors import UsageError
from treeproof.tree import NotationError, escape_name, format_name, format_path, parse_paths


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"a", "a"),
        (b"a-b.c_d~#+[]()$&;|?*<^`", "a-b.c_d~#+[]()$&;|?*<^`"),
        (b"...", "..."),
        ("日本語".encode(), "日本語"),
        ("😀".encode(), "😀"),
        ("\ufffd".encode(), "\ufffd"),
        (b"a b", "'a b'"),
        (b" ", "' '"),
        (b"a,b", "'a,b'"),
        (b"it's", r"'it\'s'"),
        (b'"', "'\"'"),
        (b"a:", "'a:'"),
        (b"a->b", "'a->b'"),
        (b"a>b", "'a>b'"),
        (b"p\\q", r"'p\\q'"),
        (b"a\n\t\rb", r"'a\n\t\rb'"),
        (b"\x01\x7f", r"'\x01\x7f'"),
        ("\u009b\u2028\u202e".encode(), r"'\u009b\u2028\u202e'"),
        ("e\u0301".encode(), r"'e\u0301'"),
        ("\ue000\U0010ffff".encode(), r"'\ue000\U0010ffff'"),
        (b"\xff", r"'\xff'"),
        (b"\xed\xa0\x80", r"'\xed\xa0\x80'"),
        (b"\xe2\x82\xe2\x82\xac", r"'\xe2\x82€'"),
        (b"f00..f99", "'f00..f99'"),
        (b"", "''"),
    ],
)
def test_only_unambiguous_names_are_bare(name: bytes, text: str) -> None:
    assert format_name(name) == text


def test_the_slash_of_a_path_needs_no_quotes() -> None:
    assert format_path(b"a/b c") == "'a/b c'"
    assert format_path(b"a/b") == "a/b"
    assert format_name(b"a/b") == "'a/b'"


def test_an_escaped_name_is_one_readable_line_without_quotes() -> None:
    assert escape_name(b"a b'\"\n\xff\\") == "a b'\"\\n\\xff\\\\"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("  ", ()),
        ("a", (b"a",)),
        ("a, a/b,'x y'", (b"a", b"a/b", b"x y")),
        (".", (b".",)),
        ("../x, /abs", (b"../x", b"/abs")),
        ("a:, b", (b"a:", b"b")),
        (r"\xff'\u65e5'\U0001f600", (b"\xff\xe6\x97\xa5\xf0\x9f\x98\x80",)),
        (r"'\n\t\r\\\'\"'", (b"\n\t\r\\'\"",)),
        ("'p'*3", (b"ppp",)),
        ("d/'p q'*2/x", (b"d/p qp q/x",)),
        ("f08..f11", (b"f08", b"f09", b"f10", b"f11")),
        ("d/f0..d/f2, z", (b"d/f0", b"d/f1", b"d/f2", b"z")),
        ("'f0..f2'", (b"f0..f2",)),
        ("..x, a..b", (b"..x", b"a..b")),
        ("a\n,  b", (b"a", b"b")),
    ],
)
def test_a_list_of_paths_is_parsed(text: str, names: tuple[bytes, ...]) -> None:
    assert parse_paths(text) == names


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("a,", 3, "a path is missing"),
        (",a", 1, "a path is missing"),
        ("a b", 3, "write ',' between"),
        ("a=1", 2, "write ',' between"),
        ("d/", 1, "no '/' at its end"),
        ("'a", 1, "not closed"),
        ("a, 'b\\q'", 6, "no such escape"),
        (r"'\xf'", 2, "no such escape"),
        (r"'\u12'", 2, "no such escape"),
        ("'\\", 2, "no such escape"),
        (r"'\ud800'", 2, "not a Unicode scalar"),
        (r"'\U00110000'", 2, "not a Unicode scalar"),
        ("'a\nb'", 3, "write this character as an escape"),
        ("a\u202eb", 2, "write this character as an escape"),
        ("'a'*", 5, "how often it repeats"),
        ("'abc'*999999", 13, "up to 1000000 bytes"),
        ("f0..f10", 1, "one prefix and one width"),
        ("f2..f1", 1, "one prefix and one width"),
        ("f1..g2", 1, "one prefix and one width"),
        ("f000000..f999999", 1, "at most 100000 names"),
    ],
)
def test_an_invalid_list_of_paths_is_refused_with_its_position(text: str, column: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as refusal:
        parse_paths(text)
    assert refusal.value.column == column
    assert isinstance(refusal.value, UsageError)
    assert "\n" not in str(refusal.value)


def test_the_position_in_several_lines_has_a_line_number() -> None:
    with pytest.raises(NotationError, match=r'^line 3, column 4, near "c, d": write') as refusal:
        parse_paths("a,\nx,\n b c, d")
    assert refusal.value.column == 4


def test_the_message_contains_no_control_character() -> None:
    with pytest.raises(NotationError) as refusal:
        parse_paths("a\x1b[31m")
    assert "\x1b" not in str(refusal.value)


@settings(max_examples=200)
@given(st.lists(st.binary(min_size=1, max_size=12).filter(lambda path: not path.endswith(b"/"))))
def test_every_formatted_list_of_paths_is_parsed_back(paths: list[bytes]) -> None:
    assert parse_paths(", ".join(map(format_path, paths))) == tuple(paths)


@settings(max_examples=200)
@given(st.text(alphabet=",{}'\"!@%=:/>-<* \\xu0LR1n.~\n😀\u0301\udcff", max_size=30))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        names = parse_paths(text)
    except NotationError:
        return
    assert parse_paths(", ".join(map(format_path, names))) == names


def test_all_bytes_can_be_formatted_and_parsed() -> None:
    everything = bytes(range(256))
    assert parse_paths(format_path(everything)) == (everything,)
    assert format_path(everything).isprintable()
