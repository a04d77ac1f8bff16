"""Then: the lines of an envelope's text. Empty lines at its end are never compared (AMB-LS-03)."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import format_json
from .view import parse_answer

LINE_NAMES = ("first", "second", "third", "fourth")
"""The names of the lines before the entries, for kinds of differences, from which numbers are removed."""


@then(
    r'line (?P<number>\d+) of the text is "(?P<text>.*)"',
    example="line 1 of the text is \"Listed 2 entries in '.'\"",
)
def the_line_is(world: World, number: str, text: str) -> None:
    """Compare one line exactly; lines are counted from 1. Lines after the last one are empty."""
    assert_line(world, int(number), text)


def line_kind(number: int) -> str:
    """Return the kind of a difference in the line with this number, counted from 1."""
    return f"another {LINE_NAMES[number - 1]} line" if number <= len(LINE_NAMES) else "another line"


def assert_line(world: World, number: int, text: str) -> None:
    """Raise Mismatch unless the text of the last envelope has this line with this number, counted from 1."""
    lines = listing_lines(world)
    got = lines[number - 1] if number <= len(lines) else ""
    if got != text:
        raise Mismatch(
            f"line {number} of the text differs",
            expected=text,
            got=got,
            kind=line_kind(number),
        )


def listing_lines(world: World) -> list[str]:
    """Return the lines of the text of the last answer. Raises Mismatch for an answer that is no listing."""
    found = parse_answer(world.answer)
    found.assert_not_refused()
    return found.text_lines


@then(r'the text has the line "(?P<text>.+)"', example='the text has the line "src/"')
def the_text_has_the_line(world: World, text: str) -> None:
    """Require the line at any position."""
    lines = listing_lines(world)
    if text not in lines:
        what = f"the text has no line {format_json(text)}"
        kind = "another line of an entry"
        raise Mismatch(what, got="\n".join(lines)[:2000], kind=kind)


@then(
    r'the lines of the entries end in "(?P<listed>.+)"', example='the lines of the entries end in "src/, l@, README.md"'
)
def the_lines_end_in(world: World, listed: str) -> None:
    """Require for each name a line that ends in it and in its sign; what stands before the name is not compared."""
    lines = listing_lines(world)
    for ending in listed.split(", "):
        if not any(line.endswith(ending) for line in lines):
            what, kind = f"no line ends in {format_json(ending)}", "another ending of a line"
            raise Mismatch(what, got="\n".join(lines)[:2000], kind=kind)


@then("the text ends with")
def the_text_ends_with(world: World, docstring: str) -> None:
    """Compare the last lines with the text block, including empty ones."""
    assert_last_lines(world, docstring.split("\n"))


def assert_last_lines(world: World, expected: list[str]) -> None:
    """Raise Mismatch unless the text of the last envelope ends with these lines."""
    got = listing_lines(world)[-len(expected) :]
    if got != expected:
        texts = "\n".join(expected), "\n".join(got)[:2000]
        kind = "another line of an entry"
        raise Mismatch("the text ends differently", expected=texts[0], got=texts[1], kind=kind)
