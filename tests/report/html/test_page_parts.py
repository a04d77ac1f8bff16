"""The places of the long parts of a page: in the page, compressed, left out; and the size of a page."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from markupsafe import Markup

from treeproof.report.html.page_parts import MAX_INLINE, MAX_PRINTED, MIN_COMPRESSED, place_parts
from treeproof.report.html.run_page import dump
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
Make = Callable[..., Json]


def parts_of(*texts: str) -> list[tuple[str, Callable[[], Markup]]]:
    return [(f"P-{number}", partial(Markup, text)) for number, text in enumerate(texts)]


def unpacked(chunk: str) -> Json:
    value: Json = json.loads(zlib.decompress(base64.b64decode(chunk)))
    return value


def test_a_few_parts_are_in_the_page() -> None:
    placed = place_parts(parts_of("<p>a</p>", "<p>b</p>"))
    assert placed.inline == {"P-0": "<p>a</p>", "P-1": "<p>b</p>"}
    assert (placed.chunks, placed.left_out, placed.printed) == ([], set(), {"P-0", "P-1"})


def test_later_parts_are_compressed_in_their_order() -> None:
    large = "x" * (MAX_INLINE // 3)
    placed = place_parts(parts_of(*[large] * 12))
    assert list(placed.inline) == ["P-0", "P-1", "P-2"]
    assert set(placed.chunk_of) == {f"P-{number}" for number in range(3, 12)}
    assert {key: text for chunk in placed.chunks for key, text in unpacked(chunk).items()} == dict.fromkeys(
        placed.chunk_of, large
    )
    assert all(key in unpacked(placed.chunks[number]) for key, number in placed.chunk_of.items())


def test_a_part_after_a_compressed_one_is_not_in_the_page() -> None:
    placed = place_parts(parts_of("a", "x" * MAX_INLINE, "b"))
    assert (list(placed.inline), sorted(placed.chunk_of)) == (["P-0"], ["P-1", "P-2"])


def test_parts_without_room_are_left_out_and_not_made() -> None:
    import random

    source, made = random.Random(7), []

    def make(number: int) -> Markup:
        made.append(number)
        return Markup(base64.b64encode(source.randbytes(30_000)).decode())

    numbers = range(60)
    parts = [(f"P-{number}", partial(make, number)) for number in numbers]
    placed = place_parts(parts, requirements=10_000)
    assert len(placed.inline) + len(placed.chunk_of) + len(placed.left_out) == 60
    assert "P-59" in placed.left_out and sum(map(len, placed.chunks)) <= MIN_COMPRESSED
    assert 59 not in made


def test_the_first_parts_are_printed() -> None:
    placed = place_parts(parts_of(*["a"] * (MAX_PRINTED + 3)))
    assert len(placed.printed) == MAX_PRINTED and "P-0" in placed.printed


def make_failures(run: Make, requirement: Make, scenario: Make, *, text: Callable[[int], str], size: int = 276) -> Json:
    """Return a run of a number of requirements, by default that of all five specifications with 1,518 failures."""
    requirements, scenarios = [], []
    for number in range(size):
        ids = [f"XX-SECT-{number}-{position:02}" for position in range(13 if number % 6 else 18)]
        verdict = "FAIL" if number % 2 else "PASS"
        about = f"requirement {number} " + "a sentence of the document, in other words, about its entries. " * 3
        requirements.append(
            requirement(f"FR-SECT-{number}", verdict, scenarios=ids, text=about, section=f"{number % 9}")
        )
        for position, id in enumerate(ids):
            fails = number % 2 and position < 11
            call = {"tool": "list_directory", "arguments": json.dumps({"path": f"d{position}", "recursive": True})}
            shown: Json = {"call": call}
            if fails:
                got = text(number * 100 + position)
                shown |= {
                    "tree": "a/{b, c/{d}}, e=12, f->a",
                    "message": f"{'wxyz'[number % 4]} differs",
                    "expected": got[:1] + got[:0:-1], "got": got, "step": "Then the entries are right",
                    "steps": ['given the tree "a"', "when list_directory is called", "then the entries are right"],
                    "outcome": {"status": "ok", "content": got},
                }  # fmt: skip
            one = scenario(id, f"FR-SECT-{number}", "failed" if fails else "passed", **shown)
            scenarios.append({**one, "title": f"a title that says which case of {number} is in {position}, and why"})
    return run(requirements, scenarios, verdict="non-conformant", exit=1)


def listing(number: int) -> str:
    entries = [{"name": f"n{number + i}", "path": f"a/n{number + i}", "type": "file", "size": i} for i in range(6)]
    return json.dumps({"path": ".", "entries": entries, "returned": 6, "truncated": False})


def noise(number: int) -> str:
    import random

    return base64.b85encode(random.Random(number).randbytes(6_000)).decode()


# tests/report/html/test_run_page_use.py holds the same of evidence that can be compressed.
@pytest.mark.slow
def test_a_page_has_at_most_two_megabytes_although_no_evidence_can_be_compressed(
    run: Make, requirement: Make, scenario: Make
) -> None:
    document = make_failures(run, requirement, scenario, text=noise)
    outcomes = [one["outcome"] for one in document["specs"][0]["scenarios"]]
    assert (len(outcomes), outcomes.count("failed")) == (3818, 1518)
    page = dump(RunDocument.from_json(document))
    assert len(page) <= 2_000_000
    assert b"of the evidence would make this page too large" in page
    assert page.count(b'<div class="scenario left-out') > 100
