"""Then: what a listing holds. What the document looks like to the byte is in ``spelling``."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from treeproof.api import Mismatch, World, then

from ..shared.values import (
    assert_same_names,
    first_difference,
    format_json,
    format_names,
    matches,
    parse_json,
    parse_name_list,
)
from .view import Document, JsonObject, parse_answer


def last_listing(world: World) -> Document:
    """Return the document of the last answer; one that lists something is positive evidence."""
    result = parse_answer(world.answer)
    if result.entries:
        world.evidence.is_positive = True
    return result


def assert_entries(world: World, expected: list[str]) -> None:
    """Raise Mismatch unless the last listing holds exactly these paths, each as often, in any order."""
    world.evidence.expected_text = format_names(expected)
    assert_same_names("the entries", expected, last_listing(world).paths)


@then(r'the entries are "(?P<listed>.*)"', example='the entries are "a, a/b"', evidence="listed")
def the_entries_are(world: World, listed: str) -> None:
    """Require exactly these paths, in any order."""
    assert_entries(world, parse_name_list(listed))


@then(
    r'the entries in order are "(?P<listed>.*)"',
    example='the entries in order are "a, a-b, a/b"',
    evidence="listed",
)
def the_entries_in_order_are(world: World, listed: str) -> None:
    """Require exactly these paths in this order."""
    expected, got = parse_name_list(listed), last_listing(world).paths
    world.evidence.expected_text = format_names(expected)
    if got != expected:
        raise Mismatch(
            "the entries or their order differ",
            expected=format_names(expected),
            got=format_names(got),
            diff=first_difference(format_names(expected), format_names(got)),
        )


@then(r'the entries include "(?P<listed>.+)"', example='the entries include "a, b"', evidence="listed")
def the_entries_include(world: World, listed: str) -> None:
    """Require these paths; others are permitted."""
    got = last_listing(world).paths
    missing = [name for name in parse_name_list(listed) if name not in got]
    if missing:
        raise Mismatch(f"missing: {format_names(missing)}", expected=listed, got=format_names(got))


@then(r'no entry is "(?P<listed>.+)"', example='no entry is ".h"')
def no_entry_is(world: World, listed: str) -> None:
    """Require that none of these paths is listed."""
    got = last_listing(world).paths
    wrong = [name for name in parse_name_list(listed) if name in got]
    if wrong:
        raise Mismatch(
            f"listed although they should not be: {format_names(wrong)}",
            expected=f"without {listed}",
            got=format_names(got),
        )


@then(r"the listing has (?P<number>\d+) entries", example="the listing has 11 entries")
def the_listing_has_entries(world: World, number: str) -> None:
    """Count the entries; the counter of the document is not compared."""
    got = last_listing(world).paths
    if len(got) != int(number):
        raise Mismatch(f"the listing has {len(got)} entries", expected=number, got=format_names(got))


def truncation_reason(found: Document) -> str:
    """Return ``no``, or the reason of the truncation; raises Mismatch when flag and reason contradict each other."""
    flag, reason = found.members.get("truncated"), found.members.get("truncated_reason")
    if flag is False and reason is None:
        return "no"
    if flag is True and isinstance(reason, str):
        return reason
    raise Mismatch(
        "truncated and truncated_reason contradict each other",
        expected="false with null, or true with a reason",
        got=f"truncated {format_json(flag)}, truncated_reason {format_json(reason)}",
    )


def assert_truncation(world: World, expected: str) -> None:
    """Raise Mismatch unless the last listing is truncated by ``expected`` (``no``: not at all)."""
    got = truncation_reason(last_listing(world))
    if got != expected:
        raise Mismatch(
            "the truncation differs", expected=_format_truncation(expected), got=_format_truncation(got)
        )


def _format_truncation(reason: str) -> str:
    return "complete" if reason == "no" else f"truncated by {reason}"


@then("the listing is complete")
def the_listing_is_complete(world: World) -> None:
    """Require that truncated is false and the reason null."""
    assert_truncation(world, "no")


@then(r'the listing is truncated by "(?P<reason>\w+)"', example='the listing is truncated by "max_entries"')
def the_listing_is_truncated_by(world: World, reason: str) -> None:
    """Require that truncated is true, with this reason."""
    assert_truncation(world, reason)


@then("counter, flag and reason agree with the entries")
def counter_flag_and_reason_agree(world: World) -> None:
    """Require that returned equals the number of entries and that flag and reason agree."""
    found = last_listing(world)
    assert_members(found.members, {"returned": len(found.entries)}, "the document")
    truncation_reason(found)


@then(r"the document has (?P<members>\{.*\})", example='the document has {"path": "s", "max_entries": 7}')
def the_document_has(world: World, members: str) -> None:
    """Compare members by value and type, integers exactly."""
    assert_members(
        last_listing(world).members, parse_json(members, world.fixture.placeholders), "the document"
    )


def assert_members(got: dict[str, Any], expected: dict[str, Any], what: str) -> None:
    """Raise Mismatch unless every member of ``expected`` is in ``got`` with that value."""
    for key, wanted in expected.items():
        if key not in got:
            raise Mismatch(
                f"{what} has no member {key!r}", expected=format_json({key: wanted}), got=_format_members(got)
            )
        if not matches(wanted, got[key]):
            raise Mismatch(
                f"{what} has another {key!r}",
                expected=format_json({key: wanted}),
                got=_format_members({key: got[key]}),
            )


def _format_members(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False, default=lambda odd: odd.text)[:2000]


def entries_at(found: Document, path: str) -> list[JsonObject]:
    """Return the entries of ``path``; raises Mismatch when there is none."""
    entries = [entry for entry in found.entries if entry.get("path") == path]
    if not entries:
        raise Mismatch(
            f"there is no entry {format_names([path])}",
            expected=format_names([path]),
            got=format_names(found.paths),
        )
    return entries


def assert_entry_members(found: Document, path: str, expected: Any) -> None:
    """Raise Mismatch unless the entries of ``path`` have these members; an array says: exactly these, in order."""
    entries = entries_at(found, path)
    what = f"the entry {format_names([path])}"
    if isinstance(expected, list):
        if len(entries) != len(expected):
            raise Mismatch(
                f"{what} occurs {len(entries)} times", expected=str(len(expected)), got=str(len(entries))
            )
        for entry, members in zip(entries, expected, strict=True):
            assert_members(entry, members, what)
    else:
        for entry in entries:
            assert_members(entry, expected, what)


@then(
    r'the entry "(?P<name>.*?)" has (?P<members>[{\[].*[}\]])',
    example='the entry "a" has {"type": "dir", "size_bytes": null}',
    evidence="name",
)
def the_entry_has(world: World, name: str, members: str) -> None:
    """Compare members; a list as a value permits each of its members."""
    assert_entry_members(
        last_listing(world), parse_name_list(name)[0], parse_json(members, world.fixture.placeholders)
    )


@then(
    r'the entries "(?P<name>.*?)" have (?P<members>\[.*\])',
    example='the entries "\'\\ufffd\'" have [{"size_bytes": 1}, {"size_bytes": 2}]',
    evidence="name",
)
def the_entries_have_in_order(world: World, name: str, members: str) -> None:
    """Compare members of entries with the same name, in output order."""
    assert_entry_members(
        last_listing(world), parse_name_list(name)[0], parse_json(members, world.fixture.placeholders)
    )


@then(r"every entry has (?P<members>\{.*\})", example='every entry has {"depth": 1}', evidence="always")
def every_entry_has(world: World, members: str) -> None:
    """Require at least one entry, and these members in every entry."""
    found = last_listing(world)
    if not found.entries:
        raise Mismatch("there is no entry", expected="at least one entry", got="none")
    for entry in found.entries:
        assert_members(
            entry,
            parse_json(members, world.fixture.placeholders),
            f"the entry {format_json(entry.get('path'))}",
        )


@then("the entries have", evidence="path")
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Compare members, one entry per row: path, then members as JSON. Empty cells assert nothing."""
    found = last_listing(world)
    header = datatable[0]
    for row in datatable[1:]:
        cells = dict(zip(header, row, strict=True))
        members = {
            key: parse_json(cell, world.fixture.placeholders)
            for key, cell in cells.items()
            if key != "path" and cell
        }
        assert_entry_members(found, parse_name_list(cells["path"])[0], members)


@then("name, path and depth of every entry agree")
def name_path_and_depth_agree(world: World) -> None:
    """Require that the name is the last component, the depth counts slashes and each parent is a directory."""
    found = last_listing(world)
    directories = {
        path.decode("utf-8", "replace")
        for path, node in world.fixture.tree.walk()
        if node.kind.value == "dir"
    }
    requested = found.members.get("path")
    above = "" if requested == "." else f"{requested}/"
    for entry in found.entries:
        path, parts = entry.get("path"), str(entry.get("path")).split("/")
        good = entry.get("name") == parts[-1] and entry.get("depth") == len(parts) and all(parts)
        if not good:
            raise Mismatch(
                f"name, path and depth of {format_json(path)} contradict each other",
                got=_format_members(entry),
            )
        parents = {above + "/".join(parts[:n]) for n in range(1, len(parts))}
        if not parents <= directories:
            raise Mismatch(
                f"a parent of {format_json(path)} is no directory of the tree",
                got=format_names(sorted(parents - directories)),
            )


@then("asking again with the document's path gives the same document")
def calling_again_with_the_path(world: World) -> None:
    """Require that a call with the returned path returns the same document."""
    found = last_listing(world)
    call = world.log.calls[-1]
    arguments = (
        {**call.arguments, "path": found.members.get("path")} if isinstance(call.arguments, dict) else {}
    )
    again = parse_answer(
        world.session.call(replace(call, arguments=arguments, arguments_text=None), world.own_process())
    )
    if again.raw != found.raw:
        raise Mismatch(
            "the same listing by the shown path differs",
            expected=found.raw,
            got=again.raw,
            diff=first_difference(found.raw, again.raw),
        )
