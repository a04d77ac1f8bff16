"""Then: errors, the call context after a call, approval, and calls by an alias."""

from __future__ import annotations

import json
from dataclasses import replace

from treeproof.api import (
    UNCLASSIFIED,
    Mismatch,
    NotVerified,
    World,
    expand_text,
    format_untrusted,
    then,
    with_context,
)

from .errors import describe_error, error_kind, quote_message
from .values import format_json, matches, parse_json

ERROR_KINDS = (
    "BadArgs",
    "SandboxViolation",
    "ExecutionFailed",
    "PolicyDenied",
    "ApprovalDenied",
    "UnknownTool",
    "ConfigInvalid",
)


def assert_fails(world: World, kinds: str, expected_text: str | None = None) -> None:
    """Raise Mismatch unless the last answer is an error of one of ``kinds`` ("BadArgs or ExecutionFailed").

    Raises NotVerified for an error whose kind the adapter does not know, if the kind matters.
    """
    answer, known = world.answer, (*ERROR_KINDS, *world.session.pack.error_kinds, UNCLASSIFIED)
    wanted = known if kinds == "any error" else tuple(kinds.split(" or "))
    if answer.status != "error":
        content = (answer.content or "")[:400]
        raise Mismatch(f"the call succeeded; it should fail with {kinds}", expected=kinds, got=content)
    if answer.error_kind == UNCLASSIFIED and UNCLASSIFIED not in wanted:
        message = format_untrusted(answer.error_message or "", 120)
        raise NotVerified(
            "unknown_error_kind",
            f"the call failed, but the kind of error is unknown ('{message}'); "
            "[error_kinds] in a manifest can map messages to kinds",
        )
    if answer.error_kind not in wanted:
        raise Mismatch(
            f"the call should fail with {kinds}, and {describe_error(answer)}",
            expected=kinds if len(wanted) == 1 else "",
            got=str(answer.error_kind),
            kind=f"{error_kind(answer)}; it should fail with {kinds}",
        )
    if not (answer.error_message or "").strip():
        warn_once(world, "the error has no message; docs/protocol.md asks for one")
    if expected_text is not None and expected_text.lower() not in (answer.error_message or "").lower():
        raise Mismatch(
            f"the error's message does not contain {expected_text!r}{quote_message(answer.error_message)}",
            got=answer.error_message or "",
            kind=f"the error's message does not contain {expected_text!r}",
        )


def warn_once(world: World, text: str) -> None:
    """Record a warning, once in a scenario; raises Mismatch instead under the strict profile."""
    if text not in world.evidence.warnings:
        world.evidence.warn(text)


@then(r"the call fails with (?P<kinds>any error|\w+(?: or \w+)*)", example="the call fails with BadArgs")
def the_call_fails(world: World, kinds: str) -> None:
    """Require an error of this kind, or of one of several kinds, with a message."""
    assert_fails(world, kinds)


@then(
    r'the call fails with (?P<kinds>any error|\w+(?: or \w+)*), saying "(?P<text>.+)"',
    example='the call fails with ExecutionFailed, saying "path is not a directory"',
)
def the_call_fails_with_text(world: World, kinds: str, text: str) -> None:
    """Require an error of this kind whose message contains the text."""
    assert_fails(world, kinds, text)


@then(r'the call fails and names "(?P<path>.+)"', example='the call fails and names "$ROOT/nope"')
def the_call_fails_and_names(world: World, path: str) -> None:
    """Require an error of any kind whose message contains the path."""
    assert_fails(world, "any error")
    message = world.answer.error_message or ""
    if expand_text(path, world.sandbox.placeholders) not in message:
        raise Mismatch(f"the error does not name the path {path}", got=message)


@then(
    r"the context afterwards has (?P<members>\{.*\})",
    example='the context afterwards has {"allow_truncation": false}',
    capabilities="context",
)
def the_context_afterwards(world: World, members: str) -> None:
    """Compare members of the call context after the call."""
    assert_context(world, members)


def assert_context(world: World, members: str) -> None:
    """Raise Mismatch unless the call context has these members after the call."""
    world.require_capability("context")
    expected, got = parse_json(members, world.sandbox.placeholders), dict(world.answer.context or {})
    if not matches(expected, got):
        raise Mismatch("the call context differs", expected=format_json(expected), got=format_json(got))


@then("approval was requested", capabilities="policy")
def approval_was_requested(world: World) -> None:
    """Require that the candidate requested approval before the tool ran."""
    world.require_capability("policy")
    if world.answer.approval_requested is not True:
        raise Mismatch("approval was not requested")


@then("approval was not requested", capabilities="policy")
def approval_was_not_requested(world: World) -> None:
    """Require that the candidate did not request approval."""
    world.require_capability("policy")
    if world.answer.approval_requested is True:
        raise Mismatch("approval was requested")


@then("approval was not requested, or the call fails", capabilities="policy")
def a_denied_call_fails(world: World) -> None:
    """Require an error if the candidate requested approval, where the answer is no."""
    world.require_capability("policy")
    if world.answer.approval_requested is True and world.answer.status != "error":
        raise Mismatch("approval was requested and denied, and the tool ran")


@then("the call by any alias answers alike")
def by_any_alias(world: World) -> None:
    """Compare status, output and kind of error of the same call under every alias."""
    call, first = world.log.calls[-1], world.answer
    for alias in world.session.describe(call.tool).aliases or ():
        by_alias = replace(call, tool=alias)
        again = world.session.call(by_alias, world.own_process())
        same = again.content == first.content if first.status == "ok" else again.error_kind == first.error_kind
        if again.status != first.status or not same:
            world.log.show_further(by_alias, again)
            error = describe_error(again) if first.status == "ok" else ""
            raise Mismatch(
                f"the call by the alias {alias!r} has another result{error and '; ' + error}",
                expected=first.content or str(first.error_kind),
                got=again.content or str(again.error_kind),
                compares_answers=True,
                kind="the call by an alias has another result",
            )


@then("the call is stopped as well where the denylist has any alias in the name's place")
def denylisted_by_any_alias(world: World) -> None:
    """Require PolicyDenied for every alias that the denylist contains instead of the name."""
    call = world.log.calls[-1]
    for alias in world.session.describe(call.tool).aliases or ():
        world.send(with_context(call, policy={"mode": "auto", "denylist": [alias]}))
        assert_fails(world, "PolicyDenied")


@then("the error's message should not be a JSON object")
def no_json_message(world: World) -> None:
    """Advise against a JSON object as the error message: a framework would pass it on unchanged."""
    answer = world.answer
    if answer.status != "error":
        content = (answer.content or "")[:400]
        raise Mismatch("the call succeeded; it should fail", expected="an error", got=content)
    try:
        parsed = json.loads((answer.error_message or "").strip())
    except (ValueError, RecursionError):
        return
    if isinstance(parsed, dict):
        world.evidence.warn("the error's message is a JSON object, which a framework may pass on unchanged")


@then(
    r"the answer is right, for example (?P<expected>\".*\")",
    example='the answer is right, for example "a, b"',
)
def the_answer_is_right(world: World, expected: str) -> None:
    """Require that the model finds the last answer right. The example is the result by the recommended readings."""
    # `treeproof coverage` compares the example with the model; a run only needs the judgement.
    last = world.judgements[-1]
    if last.not_modelled:
        raise NotVerified("not_observed", f"the model does not judge the call: {last.not_modelled}")
    must = {one.id for one in world.session.pack.requirements if one.level == "MUST"}
    # What breaks a SHOULD, or goes beyond the document, counts for its own rule, and leaves the answer right.
    broken = [
        [one for one in outcome.findings if one.requirement in must and one.basis != "prudent"]
        for outcome in last.alternatives
    ]
    if broken and all(broken):
        found = broken[0][0]
        raise Mismatch(found.message, expected=found.expected, got=found.got, kind=found.kind)
