"""Then: the raw text of the output, compared byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from treeproof.api import (
    CONTROL_CALL,
    CallResult,
    Mismatch,
    NotVerified,
    World,
    expand_text,
    then,
    with_context,
)

from ..shared.calls import budgets_of
from ..shared.own_text import own_text
from ..shared.reading_texts import reading_mismatch
from ..shared.values import first_difference, format_json
from .truncation import OTHER_TRUNCATION
from .view import (
    ENTRY_MEMBERS,
    MEMBERS,
    OTHER_MEMBERS,
    Document,
    JsonObject,
    canonical_json,
    largest_that_fits,
    parse_answer,
    utf8_length,
)

ESCAPES_INTERPRETATION = "AMB-LD-15"
UNLIMITED_BUDGET = 2**62
OTHER_ENTRIES_KEPT = "other entries are kept than the first ones"
TOO_FEW_ENTRIES_KEPT = "fewer entries are kept than fit"
"""The kinds of differences in what a budget leaves."""
EXCEEDS_BUDGET = "the output exceeds the budget"
FITS_IN_CHARACTERS = "the output fits in characters and not in bytes"
NOT_CANONICAL = "the output is not canonical"
"""The kind of a document in another spelling."""
_TYPES: Mapping[str, tuple[type, ...]] = {
    "returned": (int,),
    "max_entries": (int,),
    "truncated": (bool,),
    "truncated_reason": (str, type(None)),
}
OTHER_LENGTH = "a member has another length"
"""The kind of a document in the right form whose length is another one."""


def accepts_any_escapes(world: World) -> bool:
    """Return whether the run accepts any valid JSON escape (AMB-LD-15)."""
    return "any_valid" in world.accepted_readings(ESCAPES_INTERPRETATION)


def comparable_text(world: World, found: Document) -> str:
    """Return the text that exact steps compare: as it is, or with minimal escapes if the run accepts any others."""
    return canonical_json(found) if accepts_any_escapes(world) and _is_compact(found) else found.raw


@then(r"the document has (?P<length>\d+) bytes", example="the document has 399 bytes")
def the_document_has_bytes(world: World, length: str) -> None:
    """Compare the UTF-8 length of the complete output."""
    assert_length(world, int(length))


def assert_length(world: World, length: int) -> None:
    """Raise Mismatch unless the text of the last document has this length in UTF-8 bytes."""
    _assert_length_of(world, Document.last(world), length)


def _assert_length_of(world: World, found: Document, length: int) -> None:
    got = utf8_length(comparable_text(world, found))
    if got != length:
        is_form = found.raw != canonical_json(found)
        raise Mismatch(
            f"the output has {got} bytes; it should have {length} bytes",
            got=found.raw[:400],
            kind=NOT_CANONICAL if is_form else OTHER_LENGTH,
        )


@then("the document is exactly")
def the_document_is_exactly(world: World, docstring: str) -> None:
    """Compare the output with the text block byte for byte."""
    found = Document.last(world)
    got = comparable_text(world, found)
    if got != docstring:
        diff = first_difference(docstring, got)
        raise Mismatch("the output differs", expected=docstring, got=got, diff=diff)


@then("the document is canonical")
def the_document_is_canonical(world: World) -> None:
    """Require the documented member order, no padding and minimal escapes."""
    found = Document.last(world)
    again = canonical_json(found)
    if found.raw == again:  # no reading to record, because perhaps nothing needed an escape
        return
    if accepts_any_escapes(world) and _is_compact(found):
        world.evidence.record_reading(ESCAPES_INTERPRETATION, "any_valid")
        return
    is_reading = _is_compact(found) and not accepts_any_escapes(world)
    if is_reading:
        shown = [{ESCAPES_INTERPRETATION: "any_valid"}]
        raise reading_mismatch(world, shown, expected=again, got=found.raw)
    raise Mismatch(
        NOT_CANONICAL,
        expected=again,
        got=found.raw,
        diff=first_difference(again, found.raw),
    )


def _is_compact(found: Document) -> bool:
    """Return whether the text has the documented order and no padding; escapes are not compared."""
    return not set(_TEXT.sub("", found.raw)) & set(" \t\r\n") and _has_documented_order(found)


_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
"""A JSON text between its quotes."""


def _has_documented_order(found: Document) -> bool:
    return tuple(found.members.member_names) == MEMBERS and all(
        tuple(e.member_names) == ENTRY_MEMBERS for e in found.entries
    )


@then("the document has nothing around it")
def nothing_around(world: World) -> None:
    """Require that the output begins with { and ends with }, without byte order mark or newline."""
    found = Document.last(world)
    if not (found.raw.startswith("{") and found.raw.endswith("}")):
        raise Mismatch(
            f"there is text around the JSON object: it begins with {format_json(found.raw[:8])} "
            f"and ends with {format_json(found.raw[-8:])}",
            got=found.raw[:400],
            kind="there is text around the JSON object",
        )


@then(
    r'every entry\'s members are "(?P<listed>.+)"',
    example='every entry\'s members are "name, path, …"',
)
def entry_members_are(world: World, listed: str) -> None:
    """Require exactly these members in this order in every entry, none twice."""
    for entry in Document.last(world, nonempty=True).entries:
        _assert_member_names(entry, listed, f"the entry {format_json(entry.get('path'))}")


def _assert_member_names(got: JsonObject, listed: str, what: str) -> None:
    if got.member_names != listed.split(", "):
        got_names = ", ".join(got.member_names)
        is_order = sorted(got.member_names) == sorted(listed.split(", "))
        kind = NOT_CANONICAL if is_order else OTHER_MEMBERS
        raise Mismatch(f"{what} has other members", expected=listed, got=got_names, kind=kind)


@then("the document is valid UTF-8")
def valid_utf8(world: World) -> None:
    """Require that there is no lone surrogate, neither raw nor escaped."""
    found = Document.last(world)
    try:
        found.raw.encode("utf-8")
        canonical_json(found).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Mismatch(f"the output is not valid UTF-8: {error.reason}", got=format_json(found.raw[:400])) from error


@then(
    r'the document\'s text does not contain "(?P<text>.+)"',
    example='the document\'s text does not contain "$ROOT"',
)
def text_does_not_contain(world: World, text: str) -> None:
    """Search for the text in the raw output."""
    found = Document.last(world)
    if expand_text(text, world.sandbox.placeholders) in found.raw:
        raise Mismatch(f"the output contains {text}", got=found.raw[:2000])


@then("the document is within its budgets")
def within_its_budgets(world: World) -> None:
    """Require that the output is no longer than the smaller budget; a failed call has none."""
    assert_within_budget(world.answer, min(budgets_of(world.log.calls[-1])))


def assert_within_budget(answer: CallResult, budget: int) -> None:
    """Raise Mismatch if an output is longer than ``budget`` bytes."""
    text = own_text(answer) if answer.status == "ok" else ""
    if utf8_length(text) > budget:
        fits_in_characters = len(text) <= budget
        raise Mismatch(
            f"the output has {utf8_length(text)} bytes and {len(text)} characters under a budget of {budget} bytes",
            got=text[:400],
            kind=FITS_IN_CHARACTERS if fits_in_characters else EXCEEDS_BUDGET,
        )


@then("the document has as many entries as fit")
def as_many_as_fit(world: World) -> None:
    """Require as many entries as fit into the budget. Other rules check the reason, and the success of the call."""
    full, answer, budget = _answers_with_and_without_budget(world)
    if answer.status == "ok":
        _assert_kept_entries(full, answer, budget)


@then("the document is the largest that fits")
def the_largest_that_fits(world: World) -> None:
    """Require that entries are cut from the end only as far as the budget demands, and that the reason states it."""
    full, answer, budget = _answers_with_and_without_budget(world)
    assert_largest_that_fits(world, full, answer, budget)


def _answers_with_and_without_budget(world: World) -> tuple[Document, CallResult, int]:
    """Return the document of the last call without a limit, its answer, and its budget."""
    call = world.log.calls[-1]
    answer = world.answer
    budget = min(budgets_of(call))
    unlimited = with_context(call, max_output_bytes=UNLIMITED_BUDGET, available_capacity_bytes=UNLIMITED_BUDGET)
    whole = world.session.call(unlimited)
    try:
        full = parse_answer(whole)
        assert_form(full)
    except Mismatch as why:  # the judgement of other calls names the rule that this answer breaks
        raise NotVerified("other_requirement", f"{CONTROL_CALL}without a budget: {why}") from why
    return full, answer, budget


def assert_form(full: Document) -> None:
    """Raise Mismatch unless ``full`` has the documented members and no blanks: in another form no size is right.

    The members of the document have their types as well.
    """
    for got, due in ((full.members, MEMBERS), *((entry, ENTRY_MEMBERS) for entry in full.entries)):
        _assert_documented_members(got, due)
    for name, types in _TYPES.items():
        if type(full.members[name]) not in types:
            shown = format_json({name: full.members[name]})
            raise Mismatch(f"{name!r} has another type", got=shown, kind=f"another {name}")
    if not _is_compact(full):
        raise Mismatch(NOT_CANONICAL, expected=canonical_json(full), got=full.raw)


def _assert_documented_members(got: JsonObject, due: tuple[str, ...]) -> None:
    if sorted(got.member_names) != sorted(due):
        texts = ", ".join(due), ", ".join(got.member_names)
        raise Mismatch("there are other members", expected=texts[0], got=texts[1], kind=OTHER_MEMBERS)


def assert_largest_that_fits(world: World, full: Document, answer: CallResult, budget: int) -> None:
    """Raise Mismatch unless ``answer`` is ``full``, truncated to at most ``budget`` bytes."""
    expected = largest_that_fits(full, budget)
    if expected is None:
        assert_within_budget(answer, budget)
        if answer.status == "ok" or answer.error_kind != "ExecutionFailed":
            raise mismatch_of_failure(f"nothing fits into {budget} bytes", answer, "ExecutionFailed")
        return
    found = parse_answer(answer)
    _assert_kept_entries(full, answer, budget)
    due = json.loads(expected)
    cuts = [
        {name: document.get(name) for name in ("truncated", "truncated_reason")} for document in (due, found.members)
    ]
    if cuts[0] != cuts[1]:
        texts = format_json(cuts[0]), format_json(cuts[1])
        raise Mismatch(OTHER_TRUNCATION, expected=texts[0], got=texts[1])


def _assert_kept_entries(full: Document, answer: CallResult, budget: int) -> None:
    """Raise Mismatch unless the entries are the first of ``full``, as many as fit into ``budget`` bytes."""
    assert_within_budget(answer, budget)
    expected, found = largest_that_fits(full, budget), parse_answer(answer)
    if expected is None:
        return  # another rule requires that the call fails
    due, got = (
        [format_json(entry) for entry in entries] for entries in (json.loads(expected)["entries"], found.entries)
    )
    if due != got:
        kind = TOO_FEW_ENTRIES_KEPT if got == due[: len(got)] else OTHER_ENTRIES_KEPT
        raise Mismatch(
            f"not as many entries as fit into {budget} bytes",
            expected=expected,
            got=found.raw,
            diff=first_difference(expected, found.raw),
            kind=kind,
        )


def mismatch_of_failure(what: str, answer: CallResult, expected: str) -> Mismatch:
    """Return the Mismatch for an answer that is not one of the expected kinds of error ("BadArgs or …")."""
    if answer.status == "ok":
        got, kind = answer.content or "", f"the call succeeded; it should fail with {expected}"
    else:
        got = f"{answer.error_kind}: {answer.error_message}"
        kind = f"the call failed with {answer.error_kind}; it should fail with {expected}"
    return Mismatch(what, expected=expected, got=got[:400], kind=kind)


@then("the error texts are short, on one line and name no path")
def error_texts(world: World) -> None:
    """Warn unless error texts have at most 200 bytes, one line and no path."""
    for entry in Document.last(world).entries:
        text = entry.get("error")
        if isinstance(text, str) and (
            utf8_length(text) > 200 or "\n" in text or world.sandbox.placeholders["$ROOT"] in text
        ):
            what = f"the error text of {format_json(entry.get('path'))}"
            world.evidence.warn(f"{what} should be short, on one line, without a path: {text}")
