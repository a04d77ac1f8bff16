"""When and Then: entries on several pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import CONTROL_CALL, Mismatch, World, then, when

from ..shared.entries import assert_order
from ..shared.values import entries_kind, format_names, parse_name_list
from .members import other_requirement
from .text_lines import line_kind
from .view import Envelope, parse_answer

MAX_PAGES = 60
"""The number of pages after which a candidate that announces yet another page fails."""

NEXT_PAGE_HINT = re.compile(r"Use offset=(\d+) to view next page\.")


@when(
    r"(?P<tool>[\w.]+) is called page by page with (?P<arguments>\{.*\})",
    example='LS is called page by page with {"limit": 2}',
    role="call",
)
def page_by_page(world: World, tool: str, arguments: str) -> None:
    """Repeat the call with the offset that its text announces, until no offset is announced or a page is empty.

    Some readings permit any announcement on an empty page.
    """
    answer = world.call(tool, arguments)
    for _ in range(MAX_PAGES):
        page = parse_answer(answer)
        hints = find_hints(page)
        if not hints or not page.keys:
            return
        call = world.log.calls[-1]
        sent = call.arguments if isinstance(call.arguments, dict) else {}
        answer = world.send(replace(call, arguments={**sent, "offset": hints[0]}))
    raise Mismatch(f"after {MAX_PAGES} pages another one is announced", stage="text")


@then(
    r'a control call on the tree "(?P<notation>.+?)" lists in order "(?P<listed>.+?)"',
    example='a control call on the tree "b/, a" lists in order "b, a"',
    role="control",
    evidence="listed",
    tree="notation",
)
def a_control_call_lists_in_order(world: World, notation: str, listed: str) -> None:
    """Require that a plain call lists these entries in this order: the order of links and pages follows from it."""
    call, answer = world.control_call(world.session.pack.tools[0].name, "{}", notation)
    try:
        assert_order(parse_name_list(listed), parse_answer(answer).keys)
    except Mismatch as why:
        world.show_control_call(call, answer, notation)
        raise why.within(CONTROL_CALL) from why
    world.evidence.is_positive = True


def _assert_announced(world: World, pages: Sequence[Envelope]) -> None:
    """Raise Mismatch for a truncated page that does not announce the offset of the next entry."""
    for number, (page, call) in enumerate(zip(pages, world.log.calls, strict=True)):
        sent = call.arguments if isinstance(call.arguments, dict) else {}
        due, hints = next_offset(page, sent), find_hints(page)
        if page.object_member("data").get("truncated") is True and hints != [due]:
            got = ", ".join(map(str, hints))
            what = f"the offset {got} is announced" if hints else "no offset is announced"
            line = f"Use offset={due} to view next page."
            raise Mismatch(what, expected=line, got=got, stage="text", kind=line_kind(4), answer_index=number)


def next_offset(page: Envelope, arguments: Mapping[str, Any]) -> int:
    """Return the index of the entry behind the page of a call with these arguments."""
    return int(arguments.get("offset") or 0) + len(page.keys)


def find_hints(page: Envelope) -> list[int]:
    """Return the offsets that the text of a page announces."""
    return [int(hint[1]) for line in page.text_lines if (hint := NEXT_PAGE_HINT.fullmatch(line))]


@then(
    r'the pages together list "(?P<listed>.+)"',
    example='the pages together list "a, b, c"',
    evidence="listed",
)
def the_pages_together_list(world: World, listed: str) -> None:
    """Compare the names on all pages, in page order.

    Without a verdict if a page reports that it is not truncated although entries are left. If pages differ because a
    line announces another offset than that of the next entry, or because there is no such line, the line is wrong.
    """
    pages = [parse_answer(answer) for answer in world.log.answers]
    names = [name for page in pages for name in page.keys]
    expected = parse_name_list(listed)
    if (
        names != expected
        and names == expected[: len(names)]
        and pages[-1].object_member("data").get("truncated") is False
    ):
        raise other_requirement("data.truncated is false although entries are left")
    if names != expected:
        _assert_announced(world, pages)
        for number, page in enumerate(pages):
            if (kind := page.surplus_kind([name for name in page.keys if name in expected])) is not None:
                got = format_names(page.keys)
                raise Mismatch(kind, expected=listed, got=got, stage="entries", kind=kind, answer_index=number)
    assert_order(expected, names)
    world.evidence.is_positive = True


@then(
    r'the pages together list, in any order, "(?P<listed>.+)"',
    example='the pages together list, in any order, "Ab, aB"',
    evidence="listed",
)
def the_pages_together_list_in_any_order(world: World, listed: str) -> None:
    """Compare the names on all pages, each as often as it is there.

    Without a verdict if a page reports that it is not truncated although entries are left. A line that announces
    another offset than that of the next entry is wrong.
    """
    pages = [parse_answer(answer) for answer in world.log.answers]
    names = [name for page in pages for name in page.keys]
    expected = parse_name_list(listed)
    kind = entries_kind(expected, names)
    if kind:
        if not Counter(names) - Counter(expected) and pages[-1].object_member("data").get("truncated") is False:
            raise other_requirement("data.truncated is false although entries are left")
        _assert_announced(world, pages)
        what, got = "the pages together have other entries", format_names(names)
        raise Mismatch(what, expected=listed, got=got, stage="entries", kind=kind)
    world.evidence.is_positive = True
