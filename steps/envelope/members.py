"""Then: what stands in the envelope beside its entries, and which error it tells of."""

from __future__ import annotations

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..words import equal_lists, matches, names, sentence, show, value
from .envelopes import CODES, read, same

MESSAGES = "AMB-LS-15"
"""Whether the messages of the error table bind."""

TEXTS = "AMB-LS-29"
"""Whether the text of an error is its message and nothing else."""


@then(sentence(r"the envelope has (?P<members>\{.*\})"))
def the_envelope_has(world: World, members: str) -> None:
    """Then the envelope has {"status": "partial", "stats": {"returned": 2}}: members by value and type, others free.

    A list as a value means *one of these*.
    """
    has(world, value(members, world.names))


def has(world: World, expected: dict[str, object]) -> None:
    """Raise Mismatch unless the last envelope has these members."""
    found = read(world.answer)
    if found.is_listing and found.part("data")["entries"]:
        world.positive = True
    if not matches(expected, found.members):
        got = {key: found.members.get(key) for key in expected}
        raise Mismatch("the envelope differs", expected=show(expected), got=show(got)[:2000])


@then(sentence(r'the keys of (?P<part>the envelope|each entry) are "(?P<listed>.+)"'))
def the_keys_are(world: World, part: str, listed: str) -> None:
    """Then the keys of the envelope are "status, data, text, stats, context": these and no others, in any order."""
    found = read(world.answer)
    for members in [found.members] if part == "the envelope" else found.entries:
        equal_lists(f"the keys of {part}", names(listed), list(members))


@then(sentence(r"the envelope echoes (?P<arguments>.+)"))
def the_envelope_echoes(world: World, arguments: str) -> None:
    """Then the envelope echoes {"limit": 2}: params_input is exactly this; numbers are compared by value."""
    echoes(world, arguments)


def echoes(world: World, arguments: str) -> None:
    """Raise Mismatch unless the last envelope's params_input is this JSON value."""
    context = read(world.answer).part("context")
    expected = value(arguments, world.names)
    if "params_input" not in context:
        raise Mismatch("context has no params_input", expected=show(expected), got=show(context))
    if not same(expected, context["params_input"]):
        raise Mismatch(
            "params_input is not what was sent", expected=show(expected), got=show(context["params_input"])
        )


@then(
    sentence(
        r"the call is refused with (?P<codes>any code|[A-Z_]+(?: or [A-Z_]+)*)"
        r'(?:, saying "(?P<message>.+)"|, and should say "(?P<advised>.+)")?'
    )
)
def the_call_is_refused(world: World, codes: str, message: str | None, advised: str | None) -> None:
    """Then the call is refused with NOT_FOUND, saying "Path 'x' does not exist.": an envelope with this error.

    The message is exactly this one, unless the candidate declares that messages are advice. With `, and should say`
    it is advice for every candidate, and enough if it begins like that. Without a message any will do.
    """
    refused(world, codes)
    got = read(world.answer).part("error").get("message")
    text = got if isinstance(got, str) else ""
    if message is not None and text != message:
        if "advice" not in world.accepted(MESSAGES):
            raise Mismatch("the error has another message", expected=message, got=text)
        world.saw(MESSAGES, "advice")
    if advised is not None and not text.startswith(advised):
        world.advise(f"the error's message should be: {advised}")


def refused(world: World, codes: str) -> None:
    """Raise Mismatch unless the last answer is an envelope with an error of one of these codes."""
    found = read(world.answer)
    wanted = CODES if codes == "any code" else tuple(codes.split(" or "))
    code = found.part("error").get("code")
    if found.members.get("status") != "error" or code not in wanted:
        got = {key: found.members.get(key) for key in ("status", "error")}
        raise Mismatch(f"the call is not refused with {codes}", expected=codes, got=show(got)[:400])


@then("the text of the error is its message")
def the_text_is_the_message(world: World) -> None:
    """Then the text of the error is its message: the very sentence, or one of several in the text (AMB-LS-29)."""
    found = read(world.answer)
    text, message = found.members.get("text"), found.part("error").get("message")
    if not isinstance(text, str) or not isinstance(message, str) or not message.strip():
        raise Mismatch(
            "there is no error with a text", expected="text and error.message", got=found.raw[:400]
        )
    label = "a" if text.rstrip("\n") == message else "b" if message in text else "c"
    if label not in world.accepted(TEXTS):
        raise Mismatch("the text says something else than the message", expected=message, got=text)
    world.saw(TEXTS, label)


@then(sentence(r'the answer does not say "(?P<text>.+)"'))
def the_answer_does_not_say(world: World, text: str) -> None:
    """Then the answer does not say "secret": the text stands nowhere but in what was sent and comes back."""
    found = read(world.answer)
    context = {key: item for key, item in found.part("context").items() if key != "params_input"}
    said = show({**found.members, "context": context})
    wanted = value(show(text), world.names)
    if show(wanted)[1:-1] in said:
        raise Mismatch(f"the answer says {text}", expected=f"nothing of {text}", got=said[:2000])


@then("the answer is valid UTF-8")
def the_answer_is_utf8(world: World) -> None:
    """Then the answer is valid UTF-8: its JSON text has no half of a surrogate pair."""
    raw = read(world.answer).raw
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError as error:
        at = error.start
        raise Mismatch(
            f"the answer is not UTF-8 at character {at}", expected="UTF-8", got=ascii(raw[at : at + 40])
        ) from error
