"""Then: the members of the envelope, and its error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from treeproof.api import Mismatch, NotVerified, World, then

from ..shared.entries import parse_entry_list
from ..shared.entry_view import last_entries
from ..shared.reading_texts import reading_mismatch
from ..shared.values import (
    assert_same_names,
    format_json,
    format_member,
    format_names,
    matches,
    parse_json,
    parse_name_list,
)
from .text_lines import assert_line
from .view import ERROR_CODES, Envelope, json_equal, parse_answer

_AROUND = 60  # characters

ERROR_TEXT_INTERPRETATION = "AMB-LS-29"
"""Whether the text of an error is exactly its message."""

ENTRY_MEMBERS_INTERPRETATION = "AMB-LS-67"
"""Whether an entry may have members that are not named."""


@then(
    r"the envelope has (?P<members>\{.*\})",
    example='the envelope has {"status": "partial", "stats": {"returned": 2}}',
)
def the_envelope_has(world: World, members: str) -> None:
    """Compare members by value and type; other members are permitted.

    A list as a value permits each of its members.
    """
    assert_members(world, parse_json(members, world.sandbox.placeholders))


def assert_members(world: World, expected: dict[str, object]) -> None:
    """Raise Mismatch unless the last envelope has these members."""
    found = parse_answer(world.answer)
    if matches(expected, found.members):
        return
    if expected.keys() & {"data", "stats"} or expected.get("status") in ("success", "partial"):
        found.assert_not_refused()
    names = [key for key in expected if key not in found.members or not matches(expected[key], found.members[key])]
    due = format_json({key: expected[key] for key in names})
    got = format_json({key: found.members[key] for key in names if key in found.members})[:2000]
    error = f"; {found.refusal_text}" if found.is_error else ""
    kind = _find_difference(expected, found.members)
    raise Mismatch(f"the envelope has {kind}{error}", expected=due, got=got, kind=kind)


def _find_difference(expected: Any, got: Any, place: str = "") -> str:
    """Return the kind of the first difference: another member, or none, with its place, such as ``stats.links``."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name, wanted in expected.items():
            inner = f"{place}.{name}" if place else name
            if name not in got:
                return f"no {inner}"
            if not matches(wanted, got[name]):
                return _find_difference(wanted, got[name], inner)
    return f"another {place}"


@then(
    r'the keys of (?P<part>the envelope|each entry) are "(?P<listed>.+)"',
    example='the keys of the envelope are "status, data, text, stats, context"',
)
def the_keys_are(world: World, part: str, listed: str) -> None:
    """Require exactly these keys, in any order. Entries may have others if the candidate declares it."""
    found = parse_answer(world.answer)
    wanted = parse_name_list(listed)
    if part == "the envelope":
        assert_keys(found, wanted)
        return
    are_tolerated = "tolerated" in world.accepted_readings(ENTRY_MEMBERS_INTERPRETATION)
    for members in found.entries:
        names = format_names(wanted), format_names([*members])
        kind = "an entry has other members"
        if not are_tolerated and members.keys() > set(wanted):
            shown = [{ENTRY_MEMBERS_INTERPRETATION: "tolerated"}]
            raise reading_mismatch(world, shown, expected=names[0], got=names[1], kind=kind)
        if not members.keys() >= set(wanted):
            raise Mismatch(kind, expected=names[0], got=names[1])
    if found.entries:
        has_others = any(members.keys() - set(wanted) for members in found.entries)
        world.evidence.record_reading(ENTRY_MEMBERS_INTERPRETATION, "tolerated" if has_others else "forbidden")


def assert_keys(found: Envelope, wanted: Sequence[str]) -> None:
    """Raise Mismatch unless the envelope has these members at the top and no others."""
    if found.members.keys() != set(wanted):
        values = format_names(wanted), format_names([*found.members])
        raise Mismatch("the envelope has other members", expected=values[0], got=values[1])


@then(
    r'context\.path_resolved, if it is there, (?:is "(?P<path>.+)"|does not begin with "(?P<prefix>.+)")',
    example='context.path_resolved, if it is there, is "src"',
)
def path_resolved_is(world: World, path: str | None, prefix: str | None) -> None:
    """Compare the member exactly, or with a beginning that it must not have. It may be missing."""
    context = parse_answer(world.answer).object_member("context")
    if "path_resolved" not in context:
        return
    got, due = context["path_resolved"], parse_json(format_json(path), world.sandbox.placeholders)
    is_right = got == due if prefix is None else isinstance(got, str) and not got.startswith(prefix)
    if not is_right:
        what = "path_resolved is another path" if prefix is None else f"path_resolved is no text without {prefix}"
        kind = "another context.path_resolved"
        expected = "" if path is None else format_json(due)
        raise Mismatch(what, expected=expected, got=format_json(got), kind=kind)


@then(r"the envelope echoes (?P<arguments>.+)", example='the envelope echoes {"limit": 2}')
def the_envelope_echoes(world: World, arguments: str) -> None:
    """Compare params_input completely; numbers are compared by value."""
    assert_echoes(world, arguments)


def assert_echoes(world: World, arguments: str) -> None:
    """Raise Mismatch unless the last envelope's params_input is this JSON value."""
    context = parse_answer(world.answer).object_member("context")
    expected = parse_json(arguments, world.sandbox.placeholders)
    got = context.get("params_input")
    if "params_input" not in context or not json_equal(expected, got):
        what, kind = "params_input is not what was sent", "another context.params_input"
        raise Mismatch(what, expected=format_json(expected), got=format_json(got), kind=kind)


@then(
    r"the call is refused with (?P<codes>any code|[A-Z_]+(?: or [A-Z_]+)*)"
    r'(?:, and should say "(?P<advised>.+)")?',
    example="the call is refused with NOT_FOUND",
)
def the_call_is_refused(world: World, codes: str, advised: str | None) -> None:
    """Require an envelope with this error code.

    With `, and should say` the message is advisory, and only its beginning is compared.
    """
    assert_refused(world, codes)
    _check_message(world, None, advised)


@then("the call is refused with ACCESS_DENIED, or as the one before")
def the_call_is_refused_alike(world: World) -> None:
    """Require the code of a path outside, or the one with which the call before was refused."""
    code = parse_answer(world.log.answers[-2]).object_member("error").get("code", "ACCESS_DENIED")
    assert_refused(world, f"ACCESS_DENIED or {code}")


@then(
    r"the error has the code (?P<codes>[A-Z_]+(?: or [A-Z_]+)*)"
    r'(?: and the message "(?P<message>.+)"|, and should say "(?P<advised>.+)")?',
    example="the error has the code NOT_FOUND and the message \"Path 'x' does not exist.\"",
)
def the_error_has(world: World, codes: str, message: str | None, advised: str | None) -> None:
    """Compare the code of an error, and its message. With `, and should say` the message is advisory.

    Only the beginning of an advisory message is compared.
    """
    assert_refused(world, codes)
    _check_message(world, message, advised)


def _check_message(world: World, message: str | None, advised: str | None) -> None:
    got = parse_answer(world.answer).object_member("error").get("message")
    text = got if isinstance(got, str) else ""
    if message is not None and text != message:
        what = f"{parse_answer(world.answer).refusal_text}; the message should be another one"
        raise Mismatch(what, expected=message, got=text, kind="the error has another message")
    if advised is not None and not text.startswith(advised):
        world.evidence.warn(f"the error's message should be: {advised}")


@then(
    r'the fault has an effect: (?:the entries are not "(?P<listed>.+)"|line (?P<number>\d+) of the text is not '
    r'"(?P<line>.+)")',
    example='the fault has an effect: the entries are not "x, y"',
)
def the_fault_has_an_effect(world: World, listed: str | None, number: str | None, line: str | None) -> None:
    """Without a verdict if the listing is complete all the same: the candidate did not need what failed."""
    if parse_answer(world.answer).members.get("status") == "error":
        return
    try:
        if listed is not None:
            assert_same_names("the entries", parse_entry_list(listed), last_entries(world).keys)
        elif number is not None and line is not None:
            assert_line(world, int(number), line)
    except Mismatch:
        return
    raise NotVerified("fault_without_effect", "the listing is complete although reading the directory failed")


def assert_refused(world: World, codes: str) -> None:
    """Raise Mismatch unless the last answer is an envelope with an error of one of these codes."""
    found = parse_answer(world.answer)
    wanted = ERROR_CODES if codes == "any code" else tuple(codes.split(" or "))
    code = found.object_member("error").get("code")
    if not found.is_error:
        listed = format_json(found.object_member("data").get("entries"))
        raise Mismatch(f"the call succeeded; it should be refused with {codes}", expected=codes, got=listed[:400])
    if code not in wanted:
        what = f"{found.refusal_text}; it should be refused with {codes}"
        raise Mismatch(what, expected=codes, got=str(code)[:400])


@then("the answer is an envelope")
def the_answer_is_an_envelope(world: World) -> None:
    """Require an object with a status, of a listing or of an error."""
    parse_answer(world.answer).assert_has("status")


@then("the text of the error is its message")
def the_text_is_the_message(world: World) -> None:
    """Require the exact message, or one of several in the text (AMB-LS-29)."""
    found = parse_answer(world.answer)
    text, message = found.members.get("text"), found.object_member("error").get("message")
    if not isinstance(text, str) or not isinstance(message, str):
        raise Mismatch("there is no error with a text", got=format_member(found.members, "error")[:400])
    label = "a" if text.rstrip("\n") == message else "b" if message in text else "c"
    if label not in world.accepted_readings(ERROR_TEXT_INTERPRETATION):
        shown = [{ERROR_TEXT_INTERPRETATION: label}]
        kind = "the text lacks the message" if label == "c" else ""
        raise reading_mismatch(world, shown, expected=message, got=text, kind=kind)
    world.evidence.record_reading(ERROR_TEXT_INTERPRETATION, label)


@then(r'the answer does not say "(?P<text>.+)"', example='the answer does not say "secret"')
def the_answer_does_not_contain(world: World, text: str) -> None:
    """Require that the text occurs only in arguments that the envelope repeats."""
    found = parse_answer(world.answer)
    context = {key: item for key, item in found.object_member("context").items() if key != "params_input"}
    whole = format_json({**found.members, "context": context})
    wanted = parse_json(format_json(text), world.sandbox.placeholders)
    before, found_text, after = whole.partition(format_json(wanted)[1:-1])
    if found_text:
        got = f"{before[-_AROUND:]}{found_text}{after[:_AROUND]}"
        raise Mismatch(f"the answer contains {format_json(text)}", got=got)


@then("no object of the answer has a member twice")
def no_member_is_there_twice(world: World) -> None:
    """Compare the members of each object, of which a parsed one has only the last."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            raise Mismatch("an object has a member twice", got=format_names(names), kind="an object has a member twice")
        return dict(pairs)

    json.loads(parse_answer(world.answer).raw, object_pairs_hook=members)


@then("the answer is valid UTF-8")
def the_answer_is_utf8(world: World) -> None:
    """Require that the JSON text has no lone surrogate."""
    raw = parse_answer(world.answer).raw
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError as error:
        at = error.start
        raise Mismatch(
            f"the answer is not UTF-8 at character {at}",
            got=ascii(raw[at : at + 40]),
        ) from error
