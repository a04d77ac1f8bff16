"""Then: what a listing holds. What the document looks like to the byte is in ``spelling``."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..words import difference, equal_lists, matches, names, sentence, show, spell, value
from .documents import Document, Members, read


def document(world: World) -> Document:
    """Return the document of the last answer; one that lists something is positive evidence."""
    result = read(world.answer)
    if result.entries:
        world.positive = True
    return result


def entries_are(world: World, expected: list[str]) -> None:
    """Raise Mismatch unless the last listing holds exactly these paths, each as often, in any order."""
    world.expecting(spell(expected))
    equal_lists("the entries", expected, document(world).paths)


@then(sentence(r'the entries are "(?P<listed>.*)"'))
def the_entries_are(world: World, listed: str) -> None:
    """Then the entries are "a, a/b": exactly these paths; their order is a matter of its own.

    Evidence: listed
    """
    entries_are(world, names(listed))


@then(sentence(r'the entries in order are "(?P<listed>.*)"'))
def the_entries_in_order_are(world: World, listed: str) -> None:
    """Then the entries in order are "a, a-b, a/b": exactly these paths in exactly this order.

    Evidence: listed
    """
    expected, got = names(listed), document(world).paths
    world.expecting(spell(expected))
    if got != expected:
        raise Mismatch(
            "the entries or their order differ",
            expected=spell(expected),
            got=spell(got),
            diff=difference(spell(expected), spell(got)),
        )


@then(sentence(r'the entries include "(?P<listed>.+)"'))
def the_entries_include(world: World, listed: str) -> None:
    """Then the entries include "a, b": these paths and perhaps others.

    Evidence: listed
    """
    got = document(world).paths
    missing = [name for name in names(listed) if name not in got]
    if missing:
        raise Mismatch(f"missing: {spell(missing)}", expected=listed, got=spell(got))


@then(sentence(r'no entry is "(?P<listed>.+)"'))
def no_entry_is(world: World, listed: str) -> None:
    """Then no entry is ".h": none of these paths is listed."""
    got = document(world).paths
    wrong = [name for name in names(listed) if name in got]
    if wrong:
        raise Mismatch(
            f"listed although they should not be: {spell(wrong)}",
            expected=f"without {listed}",
            got=spell(got),
        )


@then(sentence(r"the listing has (?P<number>\d+) entries"))
def the_listing_has_so_many(world: World, number: str) -> None:
    """Then the listing has 11 entries: so many stand in the document, whatever it says of their number."""
    got = document(world).paths
    if len(got) != int(number):
        raise Mismatch(f"the listing has {len(got)} entries", expected=number, got=spell(got))


def truncation(found: Document) -> str:
    """Return ``no``, or the reason of the truncation; raises Mismatch when flag and reason contradict each other."""
    flag, reason = found.members.get("truncated"), found.members.get("truncated_reason")
    if flag is False and reason is None:
        return "no"
    if flag is True and isinstance(reason, str):
        return reason
    raise Mismatch(
        "truncated and truncated_reason contradict each other",
        expected="false with null, or true with a reason",
        got=f"truncated {show(flag)}, truncated_reason {show(reason)}",
    )


def truncated_by(world: World, expected: str) -> None:
    """Raise Mismatch unless the last listing is truncated by ``expected`` (``no``: not at all)."""
    got = truncation(document(world))
    if got != expected:
        raise Mismatch("the truncation differs", expected=_say(expected), got=_say(got))


def _say(reason: str) -> str:
    return "complete" if reason == "no" else f"truncated by {reason}"


@then("the listing is complete")
def the_listing_is_complete(world: World) -> None:
    """Then the listing is complete: truncated is false and the reason null."""
    truncated_by(world, "no")


@then(sentence(r'the listing is truncated by "(?P<reason>\w+)"'))
def the_listing_is_truncated_by(world: World, reason: str) -> None:
    """Then the listing is truncated by "max_entries": truncated is true, with this reason."""
    truncated_by(world, reason)


@then("counter, flag and reason agree with the entries")
def counter_flag_and_reason_agree(world: World) -> None:
    """Then counter, flag and reason agree with the entries: returned counts them, a reason goes with the flag."""
    found = document(world)
    has_members(found.members, {"returned": len(found.entries)}, "the document")
    truncation(found)


@then(sentence(r"the document has (?P<members>\{.*\})"))
def the_document_has(world: World, members: str) -> None:
    """Then the document has {"path": "s", "max_entries": 7}: members by value, integers exact."""
    has_members(document(world).members, value(members, world.names), "the document")


def has_members(got: dict[str, Any], expected: dict[str, Any], what: str) -> None:
    """Raise Mismatch unless every member of ``expected`` is in ``got`` with that value."""
    for key, wanted in expected.items():
        if key not in got:
            raise Mismatch(f"{what} has no member {key!r}", expected=show({key: wanted}), got=_plain(got))
        if not matches(wanted, got[key]):
            raise Mismatch(
                f"{what} has another {key!r}", expected=show({key: wanted}), got=_plain({key: got[key]})
            )


def _plain(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False, default=lambda odd: odd.text)[:2000]


def entries_of(found: Document, path: str) -> list[Members]:
    """Return the entries of ``path``; raises Mismatch when there is none."""
    entries = [entry for entry in found.entries if entry.get("path") == path]
    if not entries:
        raise Mismatch(f"there is no entry {spell([path])}", expected=spell([path]), got=spell(found.paths))
    return entries


def entry_has(found: Document, path: str, expected: Any) -> None:
    """Raise Mismatch unless the entries of ``path`` have these members; an array says: exactly these, in order."""
    entries = entries_of(found, path)
    what = f"the entry {spell([path])}"
    if isinstance(expected, list):
        if len(entries) != len(expected):
            raise Mismatch(
                f"{what} occurs {len(entries)} times", expected=str(len(expected)), got=str(len(entries))
            )
        for entry, members in zip(entries, expected, strict=True):
            has_members(entry, members, what)
    else:
        for entry in entries:
            has_members(entry, expected, what)


@then(sentence(r'the entry "(?P<name>.*?)" has (?P<members>[{\[].*[}\]])'))
def the_entry_has(world: World, name: str, members: str) -> None:
    """Then the entry "a" has {"type": "dir", "size_bytes": null}: a list as a value means one of its members.

    Evidence: name
    """
    entry_has(document(world), names(name)[0], value(members, world.names))


@then(sentence(r'the entries "(?P<name>.*?)" have (?P<members>\[.*\])'))
def the_entries_have_in_order(world: World, name: str, members: str) -> None:
    """Then the entries "'\\ufffd'" have [{"size_bytes": 1}, {"size_bytes": 2}]: colliding names, in output order.

    Evidence: name
    """
    entry_has(document(world), names(name)[0], value(members, world.names))


@then(sentence(r"every entry has (?P<members>\{.*\})"))
def every_entry_has(world: World, members: str) -> None:
    """Then every entry has {"depth": 1}: there is at least one entry, and each has these members.

    Evidence: always
    """
    found = document(world)
    if not found.entries:
        raise Mismatch("there is no entry", expected="at least one entry", got="none")
    for entry in found.entries:
        has_members(entry, value(members, world.names), f"the entry {show(entry.get('path'))}")


@then("the entries have")
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Then the entries have, one row an entry: path, then members as JSON; an empty cell is not asserted.

    Evidence: path
    """
    found = document(world)
    header = datatable[0]
    for row in datatable[1:]:
        cells = dict(zip(header, row, strict=True))
        members = {key: value(cell, world.names) for key, cell in cells.items() if key != "path" and cell}
        entry_has(found, names(cells["path"])[0], members)


@then("name, path and depth of every entry agree")
def name_path_and_depth_agree(world: World) -> None:
    """Then name, path and depth of every entry agree: last component, slashes, and parents that are directories."""
    found = document(world)
    directories = {
        path.decode("utf-8", "replace") for path, node in world.tree.walk() if node.kind.value == "dir"
    }
    requested = found.members.get("path")
    above = "" if requested == "." else f"{requested}/"
    for entry in found.entries:
        path, parts = entry.get("path"), str(entry.get("path")).split("/")
        good = entry.get("name") == parts[-1] and entry.get("depth") == len(parts) and all(parts)
        if not good:
            raise Mismatch(f"name, path and depth of {show(path)} contradict each other", got=_plain(entry))
        parents = {above + "/".join(parts[:n]) for n in range(1, len(parts))}
        if not parents <= directories:
            raise Mismatch(
                f"a parent of {show(path)} is no directory of the tree",
                got=spell(sorted(parents - directories)),
            )


@then("asking again with the document's path gives the same document")
def asking_again(world: World) -> None:
    """Then asking again with the document's path gives the same document: the shown path is a fixed point."""
    found = document(world)
    call = world.calls[-1]
    arguments = (
        {**call.arguments, "path": found.members.get("path")} if isinstance(call.arguments, dict) else {}
    )
    again = read(world.session.call(replace(call, arguments=arguments, arguments_text=None), world.process()))
    if again.raw != found.raw:
        raise Mismatch(
            "the same listing by the shown path differs",
            expected=found.raw,
            got=again.raw,
            diff=difference(found.raw, again.raw),
        )
