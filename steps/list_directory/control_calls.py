"""Then: what is not listed beside what is, and that several calls agree: what makes an absence mean something."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import assert_same_names, first_difference, format_names, parse_name_list
from .entries import last_listing
from .view import parse_answer


@then(r'the call does not list "(?P<listed>.*)"', example='the call does not list "secret"')
def the_call_does_not_list(world: World, listed: str) -> None:
    """Require an error, or a listing without these paths."""
    if world.answer.status == "ok":
        leaked = [name for name in parse_name_list(listed) if name in parse_answer(world.answer).paths]
        if leaked:
            raise Mismatch(
                f"the listing holds {format_names(leaked)}",
                expected=f"without {listed}",
                got=format_names(leaked),
            )


@then(
    r'a control call with (?P<arguments>\{.*\}) lists "(?P<listed>.+?)"',
    example='a control call with {"path": "."} lists "a, f"',
    role="control",
    evidence="always",
)
def a_control_call(world: World, arguments: str, listed: str) -> None:
    """Require that the same candidate lists these entries in another call."""
    _check_control_call(world, arguments, listed, None)


@then(
    r'a control call with (?P<arguments>\{.*\}) on the tree "(?P<notation>.+?)" lists "(?P<listed>.+?)"',
    example='a control call with {} on the tree "a" lists "a"',
    role="control",
    tree="notation",
    evidence="always",
)
def a_control_call_elsewhere(world: World, arguments: str, notation: str, listed: str) -> None:
    """Require that the same candidate lists these entries of another tree."""
    _check_control_call(world, arguments, listed, notation)


def _check_control_call(world: World, arguments: str, listed: str, notation: str | None) -> None:
    tool = world.session.pack.tool(world.log.calls[-1].tool if world.log.calls else "").name
    answer = world.control_call(tool, arguments, notation)
    try:
        paths = parse_answer(answer).paths
    except Mismatch as why:
        raise why.within("the control call: ") from why
    # Which paths are there is the question, not how often: that is the business of other sentences.
    assert_same_names("the control call's entries", sorted(set(parse_name_list(listed))), sorted(set(paths)))
    world.evidence.is_positive = True


@then("all answers are the same bytes")
def all_answers_are_the_same(world: World) -> None:
    """Require that all calls of the scenario returned the same output."""
    texts = [parse_answer(answer).raw for answer in world.log.answers]
    if len(texts) < 2:
        raise Mismatch("only one call was made before this sentence")
    if last_listing(world).entries:
        world.evidence.is_positive = True
    for number, text in enumerate(texts[1:], start=2):
        if text != texts[0]:
            raise Mismatch(
                f"call {number} answered otherwise than the first",
                expected=texts[0],
                got=text,
                diff=first_difference(texts[0], text),
            )
