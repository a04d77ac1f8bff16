"""JSON is parsed strictly and exactly; each error has its message."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treeproof.candidate.framing import MAX_DEPTH, decode_json
from treeproof.candidate.messages import MessageError

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_json_is_read_exactly(value: object) -> None:
    assert decode_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize("pair", [("[", "]"), ('{"a":', "}")])
def test_nesting_is_allowed_up_to_200_levels(pair: tuple[str, str]) -> None:
    def nested(levels: int) -> bytes:
        return (pair[0] * levels + ("1" if pair[0] != "[" else "") + pair[1] * levels).encode()

    decode_json(nested(MAX_DEPTH))
    for levels in (MAX_DEPTH + 1, 990, 100_000):
        with pytest.raises(MessageError, match="nested more than 200 levels"):
            decode_json(nested(levels))


def test_brackets_inside_strings_are_not_nesting() -> None:
    assert decode_json(json.dumps("[{" * 500).encode()) == "[{" * 500


def test_many_siblings_are_not_nesting() -> None:
    assert decode_json(b"[" + b"[]," * 500 + b"[]]") == [[]] * 501


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "is not JSON: Expecting value at column 1"),
        (b"{} {}", "is not JSON: Extra data at column 4"),
        (b'{"a": 1, "b": {"a": 1, "a": 2}}', "has the member 'a' twice"),
        (b"[NaN]", "holds NaN"),
        (b"[Infinity]", "holds Infinity"),
        (b"[-1e400]", "holds the number -1e400"),
        (b"\xef\xbb\xbf{}", "is not JSON"),
        (b'"\xc3"', "is not UTF-8: byte 0xc3 at offset 1"),
        (b'"\xc0\x80"', "is not UTF-8"),
        (b"9" * 5000, "a number of more than 4300 digits"),
        (b'"a\nb"', "Invalid control character"),
        (b"'a'", "is not JSON"),
    ],
)
def test_invalid_json_is_refused(text: bytes, message: str) -> None:
    with pytest.raises(MessageError) as caught:
        decode_json(text)
    assert message in str(caught.value)
