"""Texts of a candidate are harmless after escaping and remain recognisable."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeproof.report.escape import (
    cut_long_words,
    cut_long_words_of_both,
    json_text,
    shortened,
    visible,
    without_ci_commands,
)
from treeproof.report.markdown_text import fenced_block

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # including lone surrogates


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\rb\nc\td", "a\\rb\\nc\\td"),
        ("nul \x00 del \x7f", "nul \\x00 del \\x7f"),
        ("c1 csi \x9b31m", "c1 csi \\u{9b}31m"),
        ("evil\u202egpj.exe", "evil\\u{202e}gpj.exe"),
        ("zero\u200bwidth", "zero\\u{200b}width"),
        ("no-break\u00a0space", "no-break\\u{a0}space"),
        ("lone \udcff", "lone \\udcff"),
        ("tag \U000e0041", "tag \\u{e0041}"),
        ("\ufeffbom", "\\u{feff}bom"),
        ("日本 é ü 🌲", "日本 é ü 🌲"),
        ("back\\slash", "back\\slash"),
    ],
)
def test_control_characters_are_escaped_and_text_is_unchanged(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_line_feeds_are_kept_only_with_the_argument_lines() -> None:
    assert visible("a\nb\tc", lines=True) == "a\nb\\tc"


def test_a_stack_of_combining_marks_is_limited() -> None:
    shown = visible("e" + "\u0301" * 40)
    assert shown.startswith("e" + "\u0301" * 4 + "\\u{301}")
    assert shown.count("\u0301") == 4


@given(ANY_TEXT)
def test_no_control_format_or_surrogate_character_survives(text: str) -> None:
    shown = visible(text)
    categories = {unicodedata.category(character) for character in shown}
    assert not categories & {"Cc", "Cs", "Co", "Zl", "Zp"}
    shown.encode("utf-8")


def test_no_unicode_character_that_reorders_or_hides_text_survives() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    harmful = [c for c in every if unicodedata.category(c) in ("Cc", "Cs", "Co", "Zl", "Zp") or _reorders(c)]
    assert len(harmful) > 130_000
    assert [c for c in harmful if c in visible(c)] == []


def _reorders(character: str) -> bool:
    return unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


@given(st.recursive(st.none() | st.booleans() | st.integers() | ANY_TEXT, lambda inner: st.lists(inner)))
def test_json_text_is_harmless_and_parses_to_the_same_value(value: object) -> None:
    text = json_text(value)
    assert visible(text) == text
    assert json.dumps(json.loads(text)) == json.dumps(_without_surrogates(value))


def _without_surrogates(value: object) -> object:
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, str):
        return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in value)
    return value


def test_json_text_has_no_raw_control_character() -> None:
    assert json_text({"a\x7f": "\x1b\x9b\u202e"}) == '{"a\\u007f": "\\u001b\\u009b\\u202e"}'


def test_json_text_writes_infinity_and_nan_as_strings() -> None:
    assert json_text([float("inf"), float("-inf"), float("nan")]) == '["Infinity", "-Infinity", "NaN"]'


def test_json_text_cuts_a_value_that_is_nested_too_deeply() -> None:
    nest: list[object] = []
    for _ in range(5000):
        nest = [nest]
    assert json_text(nest) == "[" * 64 + '"…"' + "]" * 64


def test_a_shortened_text_ends_with_the_number_of_omitted_characters() -> None:
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcdef… (1 more characters)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("a\n  ::warning::x", "a\n  \\x3a:warning::x"),
        ("##[error]x ##vso[task]", "#\\x23[error]x #\\x23vso[task]"),
        ("a::b # ## [", "a::b # ## ["),
    ],
)
def test_a_printed_text_is_no_command_of_a_ci_job(text: str, shown: str) -> None:
    assert without_ci_commands(text) == shown
    assert fenced_block(text) == f"```\n{shown}\n```"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * 120, "x" * 120),
        ("x" * 2000, "x" * 40 + "… (2,000 bytes)"),
        ('{"path": "' + "x" * 2000 + '", "n": 1}', '{"path": "' + "x" * 40 + '…" (2,000 bytes), "n": 1}'),
        ("missing: '" + "é" * 200 + "', 'b'", "missing: '" + "é" * 40 + "…' (400 bytes), 'b'"),
        ("\udc80" * 200, "\udc80" * 40 + "… (600 bytes)"),
        ("many short words " * 30, "many short words " * 30),
        ('[{"name":"a","path":"a/b","depth":2},' * 9, '[{"name":"a","path":"a/b","depth":2},' * 9),
    ],
)
def test_a_long_word_is_cut_with_its_length(text: str, shown: str) -> None:
    assert cut_long_words(text) == shown


@pytest.mark.parametrize("place", [0, 39, 40, 41, 60, 700, 1498, 1499])
def test_the_first_difference_of_two_long_words_remains(place: int) -> None:
    one = "e" * place + "A" + "e" * (1499 - place)
    found, other = cut_long_words_of_both(one, one.replace("A", "B"))
    assert found != other and found.replace("A", "B") == other
    assert len(found) < 120 and found.endswith(" (1,500 bytes)")


def test_a_text_that_is_the_beginning_of_another_differs_from_it_after_the_cut() -> None:
    assert cut_long_words_of_both("e" * 200, "e" * 300) != ("e" * 40 + "…", "e" * 40 + "…")
    found, other = cut_long_words_of_both("e" * 200, "e" * 300)
    assert found.endswith("(200 bytes)") and other.endswith("(300 bytes)")
