"""Then: the members of the envelope, and its error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeproof.api import Mismatch, NotVerified, World, then

from ..shared.entries import parse_entry_list
from ..shared.entry_view import last_entries
from ..shared.reading_texts import reading_mismatch
from ..shared.values import assert_same_names, format_json, format_names, matches, parse_json, parse_name_list
from .text_lines import assert_line
from .view import ERROR_CODES, STATUSES, Envelope, json_equal, parse_answer

ERROR_TEXT_INTERPRETATION = "AMB-LS-29"
"""Whether the text of an error is exactly its message."""

ENTRY_MEMBERS_INTERPRETATION = "AMB-LS-67"
"""Whether an entry may have members that are not named."""

NO_FLAG = "data.truncated is neither true nor false"
"""The kind of a difference: whether the listing is cut cannot be read."""

NOT_REFUSED = "not refused"
"""The kind of a difference: the call succeeded, and a refusal was due."""


@then(
    r"the envelope has (?P<members>\{.*\})",
    example='the envelope has {"status": "partial", "stats": {"returned": 2}}',
)
def the_envelope_has(world: World, members: str) -> None:
    """Compare members by value and type; other members are permitted.

    A list as a value permits each of its members.
    """
    assert_members(world, parse_json(members, world.fixture.placeholders))


def assert_members(world: World, expected: dict[str, object]) -> None:
    """Raise Mismatch unless the last envelope has these members."""
    found = parse_answer(world.answer)
    if found.is_listing and found.object_member("data")["entries"]:
        world.evidence.is_positive = True
    if matches(expected, found.members):
        return
    _assert_comparable(found, expected)
    names = [key for key in expected if key not in found.members or not matches(expected[key], found.members[key])]
    due = format_json({key: expected[key] for key in names})
    got = format_json({key: found.members[key] for key in names if key in found.members})[:2000]
    error = f"; {found.refusal_text}" if found.is_error else ""
    kind = _find_difference(expected, found.members)
    message = f"the envelope has {kind}{error}"
    if kind == "another data.truncated" and not isinstance(found.object_member("data")["truncated"], bool):
        message = kind = NO_FLAG
    raise Mismatch(message, expected=due, got=got, stage="members", kind=kind)


def _assert_comparable(found: Envelope, expected: dict[str, Any]) -> None:
    """Raise Mismatch or NotVerified for an envelope to which no question about these members can be put.

    It is an error although a listing is expected, or the other way round, or it lacks a member at the top.
    """
    status, error = expected.get("status"), expected.get("error")
    if status == "error" or error is not None:
        assert_shows_error(found)
        if error is not None and "error" in found.members:
            _assert_has_code(found)
        code = error.get("code") if isinstance(error, dict) and "message" in error else None
        if isinstance(code, str) and code != (got := found.object_member("error").get("code")):
            raise other_requirement(f"the call is refused with {got}")
    elif status in ("success", "partial") or expected.keys() & {"data", "stats"}:
        found.assert_not_refused()
    for name in expected:
        found.assert_has(name)
    if "status" in expected and found.members["status"] not in STATUSES:
        raise _no_such_status(found)
    if "data" in expected and not isinstance(found.members["data"], dict):
        got = format_json(found.members["data"])[:400]
        raise Mismatch("data is no object", got=got, stage="output")


def _assert_has_code(found: Envelope) -> None:
    """Raise Mismatch for an error that is no object with a text as its code."""
    if not isinstance(found.object_member("error").get("code"), str):
        raise Mismatch("the error has no code", got=format_json(found.members.get("error"))[:400], stage="output")


def _no_such_status(found: Envelope) -> Mismatch:
    return Mismatch("there is no such status", got=format_json(found.members.get("status"))[:400], stage="output")


def other_requirement(what: str) -> NotVerified:
    """Return the NotVerified of a scenario whose answer shows a difference that another requirement judges."""
    return NotVerified("other_requirement", f"{what}, which another requirement judges")


def assert_shows_error(found: Envelope) -> None:
    """Raise NotVerified for an envelope that is no error and so shows none.

    The requirement by which the call is refused judges that.
    """
    if found.members.get("status") in ("success", "partial"):
        raise other_requirement("the call is not refused")


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
            raise reading_mismatch(world, shown, expected=names[0], got=names[1], stage="members", kind=kind)
        if not members.keys() >= set(wanted):
            raise Mismatch(kind, expected=names[0], got=names[1], stage="members")
    if found.entries:
        has_others = any(members.keys() - set(wanted) for members in found.entries)
        world.evidence.record_reading(ENTRY_MEMBERS_INTERPRETATION, "tolerated" if has_others else "forbidden")


def assert_keys(found: Envelope, wanted: Sequence[str]) -> None:
    """Raise Mismatch unless the envelope has these members at the top and no others."""
    if "error" in wanted:
        assert_shows_error(found)
    else:
        found.assert_not_refused()
    for name in wanted:
        found.assert_has(name)
    if others := found.members.keys() - set(wanted):
        got = format_names(sorted(others))
        expected = format_names(wanted)
        raise Mismatch("the envelope has other members", expected=expected, got=got, stage="output")


@then(
    r"the listing reports that it is (?P<flag>truncated|complete)",
    example="the listing reports that it is truncated",
)
def the_listing_reports(world: World, flag: str) -> None:
    """Without a verdict for a listing whose flag `truncated` has the other value: its requirement judges that."""
    found = parse_answer(world.answer)
    found.assert_not_refused()
    got = found.object_member("data").get("truncated")
    if isinstance(got, bool) and got != (flag == "truncated"):
        raise other_requirement(f"data.truncated is {format_json(got)}")


@then(
    r'context\.path_resolved, if it is there, (?:is "(?P<path>.+)"|does not begin with "(?P<prefix>.+)")',
    example='context.path_resolved, if it is there, is "src"',
)
def path_resolved_is(world: World, path: str | None, prefix: str | None) -> None:
    """Compare the member exactly, or with a beginning that it must not have. It may be missing."""
    context = parse_answer(world.answer).object_member("context")
    if "path_resolved" not in context:
        return
    got = context["path_resolved"]
    if path is not None:
        expected = parse_json(format_json(path), world.fixture.placeholders)
        if got != expected:
            raise Mismatch(
                "path_resolved is another path",
                expected=format_json(expected),
                got=format_json(got),
                stage="members",
                kind="another context.path_resolved",
            )
    elif not isinstance(got, str) or got.startswith(str(prefix)):
        raise Mismatch(
            f"path_resolved is no text that begins otherwise than with {prefix}",
            got=format_json(got),
            stage="members",
            kind="another context.path_resolved",
        )


@then(r"the envelope echoes (?P<arguments>.+)", example='the envelope echoes {"limit": 2}')
def the_envelope_echoes(world: World, arguments: str) -> None:
    """Compare params_input completely; numbers are compared by value."""
    assert_echoes(world, arguments)


def assert_echoes(world: World, arguments: str) -> None:
    """Raise Mismatch unless the last envelope's params_input is this JSON value."""
    found = parse_answer(world.answer)
    context = found.object_member("context")
    expected = parse_json(arguments, world.fixture.placeholders)
    found.assert_has("context")
    if "params_input" not in context:
        raise Mismatch(
            "context has no params_input",
            got=format_json(context)[:2000],
            stage="members",
            kind="no context.params_input",
        )
    got = context["params_input"]
    if not json_equal(expected, got):
        raise Mismatch(
            "params_input is not what was sent",
            expected=format_json(expected),
            got=format_json(got),
            stage="members",
            kind="another context.params_input",
        )


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


@then(
    r"the error has the code (?P<codes>[A-Z_]+(?: or [A-Z_]+)*)"
    r'(?: and the message "(?P<message>.+)"|, and should say "(?P<advised>.+)")?',
    example="the error has the code NOT_FOUND and the message \"Path 'x' does not exist.\"",
)
def the_error_has(world: World, codes: str, message: str | None, advised: str | None) -> None:
    """Compare the code of an error, or its message if there is one here.

    Without a verdict for an answer that is no error, and for a message if the code is another one: the requirement by
    which the call is refused judges that. With `, and should say` the message is advisory, and only its beginning is
    compared.
    """
    found = parse_answer(world.answer)
    assert_shows_error(found)
    code = found.object_member("error").get("code")
    if message is not None and isinstance(code, str) and code not in codes.split(" or "):
        raise other_requirement(f"the call is refused with {code}")
    assert_refused(world, codes)
    _check_message(world, message, advised)


def _check_message(world: World, message: str | None, advised: str | None) -> None:
    got = parse_answer(world.answer).object_member("error").get("message")
    text = got if isinstance(got, str) else ""
    if message is not None and text != message:
        what = f"{parse_answer(world.answer).refusal_text}; the message should be another one"
        raise Mismatch(what, expected=message, got=text, stage="error", kind="the error has another message")
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
    if found.members.get("status") not in STATUSES and "error" in found.members:
        raise _no_such_status(found)
    if not found.is_error:
        got = format_json({key: found.members.get(key) for key in ("status", "error")})[:400]
        what = f"the call succeeded; it should be refused with {codes}"
        raise Mismatch(what, got=got, stage="refusal", kind=NOT_REFUSED)
    _assert_has_code(found)
    if code not in wanted:
        raise Mismatch(
            f"{found.refusal_text}; it should be refused with {codes}",
            expected=codes if len(wanted) == 1 else "",
            got=str(code)[:400],
            stage="error",
            kind=found.refusal_kind.removeprefix("the call is "),
        )


@then("the answer is an envelope")
def the_answer_is_an_envelope(world: World) -> None:
    """Require an object with a status, of a listing or of an error."""
    parse_answer(world.answer).assert_has("status")


@then("the text of the error is its message")
def the_text_is_the_message(world: World) -> None:
    """Require the exact message, or one of several in the text (AMB-LS-29)."""
    found = parse_answer(world.answer)
    assert_shows_error(found)
    text, message = found.members.get("text"), found.object_member("error").get("message")
    if not isinstance(text, str) or not isinstance(message, str) or not message.strip():
        found.assert_has("text")
        if "error" in found.members:
            _assert_has_code(found)
        raise Mismatch("there is no error with a text", got=found.raw[:400], stage="output")
    label = "a" if text.rstrip("\n") == message else "b" if message in text else "c"
    if label not in world.accepted_readings(ERROR_TEXT_INTERPRETATION):
        shown = [{ERROR_TEXT_INTERPRETATION: label}]
        kind = "the text lacks the message" if label == "c" else ""
        raise reading_mismatch(world, shown, expected=message, got=text, stage="text", kind=kind)
    world.evidence.record_reading(ERROR_TEXT_INTERPRETATION, label)


@then(r'the answer does not say "(?P<text>.+)"', example='the answer does not say "secret"')
def the_answer_does_not_contain(world: World, text: str) -> None:
    """Require that the text occurs only in arguments that the envelope repeats."""
    found = parse_answer(world.answer)
    context = {key: item for key, item in found.object_member("context").items() if key != "params_input"}
    whole = format_json({**found.members, "context": context})
    wanted = parse_json(format_json(text), world.fixture.placeholders)
    if format_json(wanted)[1:-1] in whole:
        raise Mismatch(f"the answer contains {format_json(text)}", got=whole[:2000], stage="access")


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
            stage="output",
            kind="the answer is no JSON in UTF-8",
        ) from error
