"""Then: the members of the envelope, and its error."""

from __future__ import annotations

from treeproof.api import Mismatch, NotVerified, World, then

from ..shared.entries import parse_entry_list
from ..shared.entry_view import last_entries
from ..shared.reading_texts import reading_mismatch
from ..shared.values import assert_same_names, format_json, format_names, matches, parse_json, parse_name_list
from .text_lines import assert_line
from .view import ERROR_CODES, json_equal, parse_answer

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
    assert_members(world, parse_json(members, world.fixture.placeholders))


def assert_members(world: World, expected: dict[str, object]) -> None:
    """Raise Mismatch unless the last envelope has these members."""
    found = parse_answer(world.answer)
    if found.is_listing and found.object_member("data")["entries"]:
        world.evidence.is_positive = True
    if not matches(expected, found.members):
        if found.is_error and _needs_success(expected):
            raise found.refusal()
        names = [key for key in expected if key not in found.members or not matches(expected[key], found.members[key])]
        due = format_json({key: expected[key] for key in names})
        got = format_json({key: found.members[key] for key in names if key in found.members})[:2000]
        error = f"; {found.refusal_text}" if found.is_error else ""
        what = f"the envelope has another {' and '.join(names)}"
        raise Mismatch(what + error, expected=due, got=got, stage="members", kind=what)


def _needs_success(expected: dict[str, object]) -> bool:
    """Return whether no envelope with an error has these members."""
    status = expected.get("status", "error")
    wanted = status if isinstance(status, list) else [status]
    counts = expected.get("stats")
    return (
        "error" not in wanted
        or bool(expected.get("data"))
        or (isinstance(counts, dict) and counts.keys() != {"time_ms"})
    )


@then(
    r'the keys of (?P<part>the envelope|each entry) are "(?P<listed>.+)"',
    example='the keys of the envelope are "status, data, text, stats, context"',
)
def the_keys_are(world: World, part: str, listed: str) -> None:
    """Require exactly these keys, in any order. Entries may have others if the candidate declares it."""
    found = parse_answer(world.answer)
    wanted = parse_name_list(listed)
    if part == "the envelope":
        assert_same_names("the keys of the envelope", wanted, list(found.members))
        return
    are_tolerated = "tolerated" in world.accepted_readings(ENTRY_MEMBERS_INTERPRETATION)
    for members in found.entries:
        if not are_tolerated and members.keys() > set(wanted):
            shown = [{ENTRY_MEMBERS_INTERPRETATION: "tolerated"}]
            names = format_names(wanted), format_names([*members])
            raise reading_mismatch(world, shown, expected=names[0], got=names[1], stage="members")
        if not are_tolerated or not members.keys() >= set(wanted):
            assert_same_names("the keys of each entry", wanted, list(members))
    if found.entries:
        has_others = any(members.keys() - set(wanted) for members in found.entries)
        world.evidence.record_reading(ENTRY_MEMBERS_INTERPRETATION, "tolerated" if has_others else "forbidden")


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
            raise Mismatch("path_resolved is another path", expected=format_json(expected), got=format_json(got))
    elif not isinstance(got, str) or got.startswith(str(prefix)):
        what = f"path_resolved is no text that begins otherwise than with {prefix}"
        raise Mismatch(what, got=format_json(got), stage="members", kind="path_resolved is no such path")


@then(r"the envelope echoes (?P<arguments>.+)", example='the envelope echoes {"limit": 2}')
def the_envelope_echoes(world: World, arguments: str) -> None:
    """Compare params_input completely; numbers are compared by value."""
    assert_echoes(world, arguments)


def assert_echoes(world: World, arguments: str) -> None:
    """Raise Mismatch unless the last envelope's params_input is this JSON value."""
    context = parse_answer(world.answer).object_member("context")
    expected = parse_json(arguments, world.fixture.placeholders)
    if "params_input" not in context:
        raise Mismatch("context has no params_input", got=format_json(context)[:2000], stage="members")
    got = context["params_input"]
    if not json_equal(expected, got):
        what = "params_input is not what was sent"
        raise Mismatch(what, expected=format_json(expected), got=format_json(got))


@then(
    r"the call is refused with (?P<codes>any code|[A-Z_]+(?: or [A-Z_]+)*)"
    r'(?:, saying "(?P<message>.+)"|, and should say "(?P<advised>.+)")?',
    example="the call is refused with NOT_FOUND, saying \"Path 'x' does not exist.\"",
)
def the_call_is_refused(world: World, codes: str, message: str | None, advised: str | None) -> None:
    """Require an envelope with this error code and exactly this message.

    With `, and should say` the message is advisory, and only its beginning is compared. Without a message, any is
    permitted.
    """
    assert_refused(world, codes)
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
    if found.members.get("status") != "error" or code not in wanted:
        got = {key: found.members.get(key) for key in ("status", "error")}
        is_error = found.members.get("status") == "error"
        if not is_error:
            what = f"the call succeeded; it should be refused with {codes}"
            raise Mismatch(what, got=format_json(got)[:400], stage="refusal", kind="not refused")
        raise Mismatch(
            f"{found.refusal_text}; it should be refused with {codes}",
            expected=codes if len(wanted) == 1 else "",
            got=str(code)[:400],
            stage="error",
            kind=found.refusal_kind.removeprefix("the call is "),
        )


@then("the text of the error is its message")
def the_text_is_the_message(world: World) -> None:
    """Require the exact message, or one of several in the text (AMB-LS-29)."""
    found = parse_answer(world.answer)
    text, message = found.members.get("text"), found.object_member("error").get("message")
    if not isinstance(text, str) or not isinstance(message, str) or not message.strip():
        what = "there is no error with a text and a message"
        raise Mismatch(what, got=found.raw[:400], stage="error" if found.is_error else "refusal")
    label = "a" if text.rstrip("\n") == message else "b" if message in text else "c"
    if label not in world.accepted_readings(ERROR_TEXT_INTERPRETATION):
        shown = [{ERROR_TEXT_INTERPRETATION: label}]
        raise reading_mismatch(world, shown, expected=message, got=text, stage="text")
    world.evidence.record_reading(ERROR_TEXT_INTERPRETATION, label)


@then(r'the answer does not say "(?P<text>.+)"', example='the answer does not say "secret"')
def the_answer_does_not_contain(world: World, text: str) -> None:
    """Require that the text occurs only in arguments that the envelope repeats."""
    found = parse_answer(world.answer)
    context = {key: item for key, item in found.object_member("context").items() if key != "params_input"}
    whole = format_json({**found.members, "context": context})
    wanted = parse_json(format_json(text), world.fixture.placeholders)
    if format_json(wanted)[1:-1] in whole:
        raise Mismatch(f"the answer contains {text}", got=whole[:2000])


@then("the answer is valid UTF-8")
def the_answer_is_utf8(world: World) -> None:
    """Require that the JSON text has no lone surrogate."""
    raw = parse_answer(world.answer).raw
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError as error:
        at = error.start
        what = f"the answer is not UTF-8 at character {at}"
        raise Mismatch(what, got=ascii(raw[at : at + 40]), stage="text") from error
