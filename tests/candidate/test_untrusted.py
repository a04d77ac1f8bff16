"""Text from a candidate is bounded and cannot control a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeproof.candidate import CandidateFault, TailBuffer, format_untrusted, format_untrusted_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é 日", "plain é 日"),
        (b"a\xffb\\", "a\\xffb\\"),
        ("\x1b[2J\n\t\r\x00\x7f\x9b", r"\x1b[2J\n\t\r\x00\x7f\u{9b}"),
        ("\u202e\u2028\ud800\U000e0001", r"\u{202e}\u{2028}\ud800\u{e0001}"),
    ],
)
def test_unprintable_characters_are_escaped(text: str | bytes, expected: str) -> None:
    assert format_untrusted(text) == expected


def test_long_text_is_cut_and_the_rest_counted() -> None:
    assert format_untrusted("x" * 500, 10) == "x" * 10 + "… (490 more characters)"
    assert format_untrusted(b"x" * 500, 10) == "x" * 10 + "… (490 more bytes)"


@given(st.one_of(st.binary(), st.text(st.characters())))
def test_formatted_text_is_printable_and_keeps_only_line_breaks(text: str | bytes) -> None:
    assert format_untrusted(text).isprintable()
    assert format_untrusted_lines(text).replace("\n", "").isprintable()


def test_a_tail_keeps_the_end_and_counts_the_rest() -> None:
    tail = TailBuffer(10)
    assert (tail.format_lines(), tail.last_line()) == ("", "")
    tail.write(b"0123456789")
    assert tail.format_lines() == "0123456789"
    tail.write(b"abc\n\x1b\n")
    assert tail.format_lines() == "[6 earlier bytes left out]\n6789abc\n\\x1b"
    assert tail.last_line() == "\\x1b"


@given(st.text(st.characters(), max_size=3000))
def test_a_faults_detail_is_one_bounded_printable_line(text: str) -> None:
    detail = CandidateFault("timeout", text).detail
    assert detail.isprintable()
    assert len(detail) <= 1200
