"""The documents of the model against documents written by hand, byte by byte, and computed sizes against texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeproof.model.case import Case
from treeproof.oracles.list_directory import document
from treeproof.oracles.list_directory.model import model
from treeproof.tree import parse_tree

LARGE_BUDGET = 1_000_000


def case(tree: str, arguments: dict[str, Any] | None = None, budget: int | None = None) -> Case:
    context = {} if budget is None else {"max_output_bytes": budget, "available_capacity_bytes": LARGE_BUDGET}
    return Case("list_directory", parse_tree(tree), {"path": ".", **(arguments or {})}, context)


def size(tree: str, arguments: dict[str, Any] | None = None, budget: int | None = None) -> int:
    return len(model.expected(case(tree, arguments, budget)).encode())


GOLDEN = {
    "": '{"path":".","entries":[],"returned":0,"max_entries":200,"truncated":false,"truncated_reason":null}',
    "a=12": '{"path":".","entries":[{"name":"a","path":"a","depth":1,"type":"file","size_bytes":12,'
    '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],'
    '"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}',
    "d/, f=7, l->f, .h": '{"path":".","entries":[{"name":".h","path":".h","depth":1,"type":"file","size_bytes":0,'
    '"modified_epoch_ms":1700000000000,"is_hidden":true,"error_code":null,"error":null},{"name":"d","path":"d",'
    '"depth":1,"type":"dir","size_bytes":null,"modified_epoch_ms":1700000000000,"is_hidden":false,'
    '"error_code":null,"error":null},{"name":"f","path":"f","depth":1,"type":"file","size_bytes":7,'
    '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null},{"name":"l","path":"l",'
    '"depth":1,"type":"symlink","size_bytes":null,"modified_epoch_ms":1700000000000,"is_hidden":false,'
    '"error_code":null,"error":null}],"returned":4,"max_entries":200,"truncated":false,"truncated_reason":null}',
}


@pytest.mark.parametrize("tree", GOLDEN)
def test_documents_equal_the_golden_documents(tree: str) -> None:
    assert model.expected(case(tree, {"include_hidden": True})) == GOLDEN[tree]


@pytest.mark.parametrize(
    ("tree", "arguments", "length"),
    [
        ("a/{b}, a-b", {"recursive": True, "max_entries": 2}, 399),
        ("a/{b}, a-b", {"recursive": True}, 543),
        (r"""'a"b', 'c\\d'""", {}, 401),
        ("'" + "".join(f"\\x{byte:02x}" for byte in range(1, 0x20)) + "'", {}, 573),
        (r"'\x7f'", {}, 243),
        (r"'\u009b'", {}, 245),
        (r"'\u2028', '\u2029'", {}, 397),
        ("'<a>&b'", {}, 251),
        ("a/{b}", {"recursive": True}, 393),
        (r"'\u00e9\u65e5\U0001f600'", {}, 259),
        (r"'\uffff', '\ue000', '\U0010ffff'", {}, 549),
        (r"'\ufeffx', x", {}, 395),
        (r"'\u65e5'*85", {}, 751),
        (r"'a\xffb', c", {}, 397),
        ("f00..f10", {}, 1748),
        ("f00..f99", {}, 15099),
    ],
)
def test_the_length_of_a_document_is_correct(tree: str, arguments: dict[str, Any], length: int) -> None:
    assert size(tree, arguments) == length


SWEEPS: list[tuple[str, dict[str, Any], list[tuple[int, int | None, str | None, int]]]] = [
    (
        "a/{b}, a-b",
        {"recursive": True},
        [
            (543, 3, None, 543),
            (408, 2, "max_output_bytes", 408),
            (258, 1, "max_output_bytes", 258),
            (111, 0, "max_output_bytes", 111),
            (0, None, None, 0),
        ],
    ),
    (
        "a/{b}, a-b",
        {"recursive": True, "max_entries": 2},
        [
            (399, 2, "max_entries", 399),
            (256, 1, "max_output_bytes", 256),
            (109, 0, "max_output_bytes", 109),
            (0, None, None, 0),
        ],
    ),
    ("", {}, [(98, 0, None, 98), (0, None, None, 0)]),
    ("a", {}, [(243, 1, None, 243), (111, 0, "max_output_bytes", 111), (0, None, None, 0)]),
    (
        r"'\u65e5\u672c\u8a9e', '\U0001f600'",
        {},
        [
            (411, 2, None, 411),
            (272, 1, "max_output_bytes", 272),
            (111, 0, "max_output_bytes", 111),
            (0, None, None, 0),
        ],
    ),
    (
        r"""'\x01', '"'""",
        {},
        [
            (401, 2, None, 401),
            (266, 1, "max_output_bytes", 266),
            (111, 0, "max_output_bytes", 111),
            (0, None, None, 0),
        ],
    ),
]
"""Tree, arguments, and rows in descending order: minimum budget, entries (None: the call fails), reason, length."""


@pytest.mark.parametrize(("tree", "arguments", "rows"), SWEEPS, ids="ABCDEF")
def test_every_budget_gets_the_document_of_its_row(
    tree: str, arguments: dict[str, Any], rows: list[tuple[int, int | None, str | None, int]]
) -> None:
    for budget in range(rows[0][0] + 20):
        _, count, reason, length = next(row for row in rows if row[0] <= budget)
        text = model.expected(case(tree, arguments, budget))
        if count is None:
            assert text == "ExecutionFailed", budget
        else:
            found = json.loads(text)
            assert (found["returned"], found["truncated_reason"], len(text.encode())) == (count, reason, length)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
ENTRIES = st.builds(
    document.ExpectedEntry,
    name=TEXTS,
    path=TEXTS,
    depth=st.integers(1, 120),
    type=st.sampled_from(["file", "dir", "symlink", "other", "unknown"]),
    size_bytes=st.none() | st.integers(0, 2**63 - 1),
    accepted_times=st.tuples(st.none() | st.integers(-(2**63), 2**63 - 1)),
    is_hidden=st.booleans(),
    error_codes=st.just(()) | st.tuples(st.sampled_from(document.ERROR_CODES)),
    error=st.none() | TEXTS,
)


@given(
    ENTRIES,
    TEXTS,
    st.integers(0, 120),
    st.integers(1, 10**6),
    st.sampled_from([None, "max_entries", "max_output_bytes"]),
)
@settings(max_examples=100)
def test_computed_sizes_equal_the_sizes_of_texts(
    entry: Any, path: str, count: int, limit: int, reason: str | None
) -> None:
    text = document.document_json(path, [entry.json_text] * count, limit, reason)
    assert entry.json_size == len(entry.json_text.encode())
    assert document.document_size(path, [entry.json_size] * count, limit, reason) == len(text.encode())
    assert json.loads(text)["returned"] == count


@given(TEXTS)
@settings(max_examples=200)
def test_strings_are_encoded_like_json_dumps(text: str) -> None:
    assert document.json_string(text) == json.dumps(text, ensure_ascii=False)
