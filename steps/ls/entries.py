"""Then: what a listing holds, on one page and on all of them."""

from __future__ import annotations

import re
from dataclasses import replace

from treeproof.api import Mismatch, World, then, when

from ..shared.values import (
    assert_same_names,
    format_json,
    format_names,
    matches,
    parse_json,
    parse_name_list,
)
from .view import Envelope, last_component, parse_answer

MAX_PAGES = 60
"""A candidate that announces one page after the other is stopped here."""

NEXT_PAGE_HINT = re.compile(r"Use offset=(\d+) to view next page\.")


def last_listing(world: World) -> Envelope:
    """Return the last answer, a listing; one that lists something is positive evidence."""
    found = parse_answer(world.answer)
    if found.entries:
        world.evidence.is_positive = True
    return found


@then(r'the entries are "(?P<listed>.*)"', example='the entries are "docs, README.md"', evidence="listed")
def the_entries_are(world: World, listed: str) -> None:
    """Require exactly these names; order, types and paths are not compared."""
    world.evidence.expected_text = listed
    assert_same_names("the entries", parse_name_list(listed), last_listing(world).names)


@then(
    r'the entries in order are "(?P<listed>.*)"',
    example='the entries in order are "docs, README.md"',
    evidence="listed",
)
def the_entries_in_order_are(world: World, listed: str) -> None:
    """Require exactly these names in this order."""
    world.evidence.expected_text = listed
    assert_order(parse_name_list(listed), last_listing(world).names)


def assert_order(expected: list[str], got: list[str]) -> None:
    """Raise Mismatch unless both are the same names in the same order."""
    if got != expected:
        raise Mismatch(
            "the entries or their order differ", expected=format_names(expected), got=format_names(got)
        )


@then("the entries have", evidence="name")
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Compare members, one entry per row: name, then its path and its type. Empty cells assert nothing."""
    found = last_listing(world)
    for row in datatable[1:]:
        cells = dict(zip(datatable[0], row, strict=True))
        (name,) = parse_name_list(cells.pop("name"))
        entries = [entry for entry in found.entries if last_component(str(entry["path"])) == name]
        if len(entries) != 1:
            times = f"{format_names([name])} is listed {len(entries)} times"
            raise Mismatch(times, expected="once", got=format_names(found.names))
        expected = {key: parse_name_list(cell)[0] for key, cell in cells.items() if cell}
        got = {key: entries[0].get(key) for key in expected}
        if got != expected:
            raise Mismatch(
                f"the entry {format_names([name])} is another",
                expected=format_json(expected),
                got=format_json(entries[0]),
            )


@when(
    r"(?P<tool>[\w.]+) is called page by page with (?P<arguments>\{.*\})",
    example='LS is called page by page with {"limit": 2}',
    role="call",
)
def page_by_page(world: World, tool: str, arguments: str) -> None:
    """Call repeatedly with the offset that the text announces, up to the last page.

    It ends at a page whose text announces no offset, and at an empty page.
    """
    answer = world.call(tool, arguments)
    for _ in range(MAX_PAGES):
        page = parse_answer(answer)
        hints = [hint for line in page.text_lines if (hint := NEXT_PAGE_HINT.fullmatch(line))]
        if not hints or not page.names:
            return
        call = world.log.calls[-1]
        sent = call.arguments if isinstance(call.arguments, dict) else {}
        answer = world.send(replace(call, arguments={**sent, "offset": int(hints[0][1])}))
    raise Mismatch(f"after {MAX_PAGES} pages another one is announced", expected="an end")


@then(
    r'the pages together list "(?P<listed>.+)"',
    example='the pages together list "a, b, c"',
    evidence="listed",
)
def the_pages_together_list(world: World, listed: str) -> None:
    """Compare the names on all pages, one page after the other."""
    assert_order(
        parse_name_list(listed), [name for answer in world.log.answers for name in parse_answer(answer).names]
    )
    world.evidence.is_positive = True


@then("all answers list the same entries")
def all_answers_list_the_same(world: World) -> None:
    """Require that all calls of the scenario returned the same names in the same order."""
    first, *others = [parse_answer(answer).names for answer in world.log.answers]
    if not others:
        raise Mismatch("only one call was made before this sentence")
    for other in others:
        assert_order(first, other)


@then(
    r'a control call with (?P<arguments>\{.*\})(?: on the tree "(?P<notation>.+?)")? lists "(?P<listed>.+?)"',
    example='a control call with {"path": "."} lists "a, f"',
    role="control",
    tree="notation",
    evidence="always",
)
def a_control_call(world: World, arguments: str, listed: str, notation: str | None) -> None:
    """Require that the same candidate lists these entries in another call.

    With `on the tree "a"` after the arguments, the call has its own tree.
    """
    answer = world.control_call(world.session.pack.tools[0].name, arguments, notation)
    try:
        got = parse_answer(answer).names
    except Mismatch as why:
        raise why.within("the control call: ") from why
    assert_same_names("the control call's entries", sorted(set(parse_name_list(listed))), sorted(set(got)))
    world.evidence.is_positive = True


@then(
    r"the parameters are (?P<types>\{.*\}), none of them required",
    example='the parameters are {"path": "string"}, none of them required',
)
def the_parameters_are(world: World, types: str) -> None:
    """Compare names and types of the parameters in the tool's definition."""
    if world.log.definition is None:
        raise Mismatch("no definition was asked for before this sentence")
    schema = dict(world.log.definition.input_schema or {})
    found = schema.get("properties")
    properties = found if isinstance(found, dict) else {}
    got = {name: _parameter_type(one) for name, one in properties.items()}
    expected = parse_json(types)
    if schema.get("type") != "object" or not matches(expected, got) or got.keys() != expected.keys():
        raise Mismatch("the parameters differ", expected=format_json(expected), got=format_json(got))
    if schema.get("required", []) != []:
        raise Mismatch("a parameter is required", expected="[]", got=format_json(schema["required"]))


def _parameter_type(schema: object) -> object:
    """The type of a parameter. One whose default is null may name null beside it."""
    if not isinstance(schema, dict):
        return None
    named = schema.get("type")
    if isinstance(named, list) and schema.get("default", 0) is None:
        rest = [one for one in named if one != "null"]
        return rest[0] if len(rest) == 1 else named
    return named
