"""Then: what is not listed beside what is, and that several calls agree: what makes an absence mean something."""

from __future__ import annotations

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..words import difference, equal_lists, names, sentence, spell
from .documents import read
from .entries import document


@then(sentence(r'the call does not list "(?P<listed>.*)"'))
def the_call_does_not_list(world: World, listed: str) -> None:
    """Then the call does not list "secret": an error, or a listing without these paths."""
    if world.answer.status == "ok":
        leaked = [name for name in names(listed) if name in read(world.answer).paths]
        if leaked:
            raise Mismatch(
                f"the listing holds {spell(leaked)}", expected=f"without {listed}", got=spell(leaked)
            )


@then(sentence(r'a control call with (?P<arguments>\{.*\}) lists "(?P<listed>.+?)"'))
def a_control_call(world: World, arguments: str, listed: str) -> None:
    """Then a control call with {"path": "."} lists "a, f": the same candidate succeeds where it should.

    Evidence: always
    """
    _control(world, arguments, listed, None)


@then(
    sentence(
        r'a control call with (?P<arguments>\{.*\}) on the tree "(?P<notation>.+?)" lists "(?P<listed>.+?)"'
    )
)
def a_control_call_elsewhere(world: World, arguments: str, notation: str, listed: str) -> None:
    """Then a control call with {} on the tree "a" lists "a": a tree of its own, for scenarios with an empty one.

    Evidence: always
    """
    _control(world, arguments, listed, notation)


def _control(world: World, arguments: str, listed: str, notation: str | None) -> None:
    tool = world.session.pack.tool(world.calls[-1].tool if world.calls else "").name
    answer = world.control(tool, arguments, notation)
    try:
        paths = read(answer).paths
    except Mismatch as why:
        raise Mismatch(f"the control call: {why.message}", expected=why.expected, got=why.got) from why
    # Which paths are there is the question, not how often: that is the business of other sentences.
    equal_lists("the control call's entries", sorted(set(names(listed))), sorted(set(paths)))
    world.positive = True


@then("all answers are the same bytes")
def all_answers_are_the_same(world: World) -> None:
    """Then all answers are the same bytes: every call of this scenario gave the same output."""
    texts = [read(answer).raw for answer in world.answers]
    if len(texts) < 2:
        raise Mismatch("only one call was made before this sentence")
    if document(world).entries:
        world.positive = True
    for number, text in enumerate(texts[1:], start=2):
        if text != texts[0]:
            raise Mismatch(
                f"call {number} answered otherwise than the first",
                expected=texts[0],
                got=text,
                diff=difference(texts[0], text),
            )
