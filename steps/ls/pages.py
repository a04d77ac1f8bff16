"""When and Then: entries on several pages."""

from __future__ import annotations

import re
from dataclasses import replace

from treeproof.api import Mismatch, World, then, when

from ..shared.values import format_names, parse_name_list
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
    raise Mismatch(f"after {MAX_PAGES} pages another one is announced")


def find_hints(page: Envelope) -> list[int]:
    """Return the offsets that the text of a page announces."""
    return [int(hint[1]) for line in page.text_lines if (hint := NEXT_PAGE_HINT.fullmatch(line))]


@then(
    r'the pages together list(?P<in_any_order>, in any order,)? "(?P<listed>.+)"',
    example='the pages together list "a, b, c"',
)
def the_pages_together_list(world: World, in_any_order: str | None, listed: str) -> None:
    """Compare the names on all pages, each as often as it is there, in page order or in any order."""
    expected = parse_name_list(listed)
    names = [name for answer in world.log.answers for name in parse_answer(answer).keys]
    same = sorted(names) == sorted(expected) if in_any_order else names == expected
    if not same:
        what = "the pages together are not the whole list"
        raise Mismatch(what, expected=listed, got=format_names(names), compares_answers=True)
