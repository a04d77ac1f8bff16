"""The decoder of the model: by the table of the Unicode standard, and like CPython where it follows that table."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeproof.oracles.list_directory import lossy_names as lossy

decodings, is_utf8 = lossy.lossy_decodings, lossy.is_utf8

EXAMPLES = [
    (b"\xff", "\ufffd", 1, 1, 1),
    (b"a\xffb", "a\ufffdb", 1, 1, 1),
    (b"\x80", "\ufffd", 1, 1, 1),
    (b"\x80\x80", "\ufffd\ufffd", 2, 2, 1),
    (b"\xc3(", "\ufffd(", 1, 1, 1),
    (b"\xc0\xaf", "\ufffd\ufffd", 2, 2, 1),
    (b"\xe2\x82a", "\ufffda", 1, 2, 1),
    (b"\xe2\x82\xe2\x82\xac", "\ufffd\u20ac", 1, 2, 1),
    (b"\xe0\x80\xaf", "\ufffd\ufffd\ufffd", 3, 3, 1),
    (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd", 3, 3, 1),
    (b"\xed\xa0\xbd\xed\xb8\x80", "\ufffd" * 6, 6, 6, 1),
    (b"\xf0\x9f\x98", "\ufffd", 1, 3, 1),
    (b"\xf0\x9fx", "\ufffdx", 1, 2, 1),
    (b"\xf0(\x8c\xbc", "\ufffd(\ufffd\ufffd", 3, 3, 2),
    (b"\xf4\x90\x80\x80", "\ufffd" * 4, 4, 4, 1),
    (b"\xf8\x88\x80\x80\x80", "\ufffd" * 5, 5, 5, 1),
    (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", "\ufffd\ufffd\ufffd\ufffdA", 4, 8, 1),
]


@pytest.mark.parametrize(("name", "text", "subparts", "bytes_", "runs"), EXAMPLES)
def test_each_reading_has_its_number_of_replacement_characters(
    name: bytes, text: str, subparts: int, bytes_: int, runs: int
) -> None:
    texts = decodings(name)
    assert texts["maximal_subpart"] == text
    counts = {label: converted.count("\ufffd") for label, converted in texts.items()}
    assert (counts["maximal_subpart"], counts["per_byte"], counts["per_run"]) == (subparts, bytes_, runs)


def test_java_replaces_an_encoded_surrogate_by_one_character() -> None:
    assert decodings(b"\xed\xa0\x80")["java"] == "\ufffd"
    assert decodings(b"\xed\xa0\xbd\xed\xb8\x80")["java"] == "\ufffd\ufffd"
    assert decodings(b"\xe2\x82a\xff")["java"] == "\ufffda\ufffd"


@given(st.binary(max_size=12))
@settings(max_examples=500)
def test_maximal_subparts_are_those_of_cpython(name: bytes) -> None:
    assert decodings(name)["maximal_subpart"] == name.decode("utf-8", "replace")


def test_every_lead_byte_with_border_trail_bytes_is_decoded_like_cpython() -> None:
    edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    for lead, *trails in itertools.product(range(0xC0, 0x100), edges, edges):
        name = bytes([lead, *trails])
        assert decodings(name)["maximal_subpart"] == name.decode("utf-8", "replace"), name


@given(st.text(st.characters(codec="utf-8")))
@settings(max_examples=100)
def test_valid_utf_8_is_decoded_unchanged(text: str) -> None:
    assert is_utf8(text.encode())
    assert set(decodings(text.encode()).values()) == {text}


def test_first_and_last_characters_of_each_length_are_valid() -> None:
    for code in (0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF):
        assert decodings(chr(code).encode())["per_byte"] == chr(code)
    assert not is_utf8(b"\xed\xa0\x80")
