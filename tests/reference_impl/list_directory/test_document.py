"""The bytes of the document, and its reduction to a budget."""

import json
import time
from typing import Any

import pytest

from treeproof.reference_impl.list_directory import document, entries

UNLIMITED = 10**9
EMPTY = document.Document(".", [], 200, capped=False, budget=UNLIMITED)


def entry(path: str, raw_path: bytes | None = None, **fields: Any) -> Any:
    fields_by_name: dict[str, Any] = {
        "name": path.rpartition("/")[2],
        "path": path,
        "depth": path.count("/") + 1,
        "type": "file",
        "size_bytes": 0,
        "modified_epoch_ms": 1_700_000_000_000,
        "is_hidden": False,
        "error_code": None,
        "raw_path": path.encode() if raw_path is None else raw_path,
    }
    return entries.Entry(**(fields_by_name | fields))


def write(paths: list[str], budget: int = UNLIMITED, *, capped: bool = False, path: str = ".") -> str:
    return document_of([entry(each) for each in paths], budget, capped=capped, path=path)


def document_of(entry_list: list[Any], budget: int = UNLIMITED, *, capped: bool = False, path: str = ".") -> str:
    text = document.Document(path, entry_list, 200, capped=capped, budget=budget).render()
    assert isinstance(text, str)
    return text


def test_an_empty_document_has_exact_bytes() -> None:
    assert write([]) == (
        '{"path":".","entries":[],"returned":0,"max_entries":200,"truncated":false,"truncated_reason":null}'
    )


def test_an_entry_has_exact_bytes() -> None:
    assert EMPTY.encode_entry(entry("a", size_bytes=12)) == (
        '{"name":"a","path":"a","depth":1,"type":"file","size_bytes":12,"modified_epoch_ms":1700000000000'
        ',"is_hidden":false,"error_code":null,"error":null}'
    )


def test_strings_are_escaped_only_where_json_requires_it() -> None:
    characters = "".join(map(chr, [*range(0x300), 0x2028, 0x2029, 0xFEFF, 0xFFFD, 0xFFFF, 0x1F600])) + '"\\/'
    assert EMPTY.encode_string(characters) == json.dumps(characters, ensure_ascii=False)
    assert EMPTY.encode_string('\x00\x1f\x7f\b\n"\\/') == '"\\u0000\\u001f\x7f\\b\\n\\"\\\\/"'


def test_integers_beyond_2_to_the_53_are_exact() -> None:
    assert '"size_bytes":9007199254740993,' in EMPTY.encode_entry(entry("a", size_bytes=2**53 + 1))


def test_entries_are_sorted_by_path_and_ties_by_raw_bytes() -> None:
    entry_list = [
        entry("\ufffd", b"\xff", size_bytes=2),
        entry("a/b"),
        entry("\ufffd", b"\xfe", size_bytes=1),
        entry("a-b"),
    ]
    text = document_of(entry_list)
    found = [(each["path"], each["size_bytes"]) for each in json.loads(text)["entries"]]
    assert found == [("a-b", 0), ("a/b", 0), ("\ufffd", 1), ("\ufffd", 2)]


@pytest.mark.parametrize(
    "paths", [["a", "a-b", "a/b"], [f"f{i:02}" for i in range(11)], ["\u65e5", "\U0001f600", '"\x01']]
)
@pytest.mark.parametrize("capped", [False, True])
def test_every_budget_gets_the_largest_correct_document_that_fits(paths: list[str], capped: bool) -> None:
    complete = write(paths, capped=capped)
    all_entries = json.loads(complete)["entries"]

    def cut(count: int) -> str:
        members = {"path": ".", "entries": all_entries[:count], "returned": count, "max_entries": 200}
        reason = {"truncated": True, "truncated_reason": "max_output_bytes"}
        return json.dumps(members | reason, ensure_ascii=False, separators=(",", ":"))

    for budget in range(len(complete.encode()) + 2):
        fitting = [
            text for text in (complete, *map(cut, range(len(paths) - 1, -1, -1))) if len(text.encode()) <= budget
        ]
        if fitting:
            assert write(paths, budget, capped=capped) == fitting[0]
        else:
            with pytest.raises(document.BudgetTooSmall):
                write(paths, budget, capped=capped)


def test_an_empty_listing_needs_no_bytes_for_a_truncation_reason() -> None:
    assert len(write([], 98)) == 98
    with pytest.raises(document.BudgetTooSmall):
        write([], 97)


def test_reducing_a_long_listing_takes_about_as_long_as_writing_it() -> None:
    paths = [f"f{i:05}" for i in range(5000)]

    def seconds(budget: int) -> float:
        start = time.process_time()
        write(paths, budget)
        return time.process_time() - start

    assert min(seconds(2000) for _ in range(3)) < 3 * min(seconds(UNLIMITED) for _ in range(3)) + 0.05
