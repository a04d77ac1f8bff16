"""Then: the members of the document and of its entries, and documents that must be equal."""

from __future__ import annotations

from dataclasses import replace

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Kind, Mismatch, World, then

from ..shared.entries import assert_members
from ..shared.values import first_difference, format_json, format_names, parse_json, parse_name_list
from .view import Document, parse_answer


@then(r"the document has (?P<members>\{.*\})", example='the document has {"path": "s", "max_entries": 7}')
def the_document_has(world: World, members: str) -> None:
    """Compare members by value and type, integers exactly."""
    expected = parse_json(members, world.sandbox.placeholders)
    assert_members(Document.last(world).members, expected, "the document")


@then(
    r'the names of the entries are "(?P<listed>.+)"',
    example='the names of the entries are "a, b, b"',
)
def the_names_are(world: World, listed: str) -> None:
    """Require these names, each as often, whatever the paths are."""
    found, due = Document.last(world), sorted(parse_name_list(listed))
    got = sorted(str(entry.get("name")) for entry in found.entries)
    if len(got) != len(due):
        kind = MISSING_ENTRIES if len(got) < len(due) else UNEXPECTED_ENTRIES
        what = f"there are {len(got)} entries; there should be {len(due)}"
        raise Mismatch(what, got=format_names(got), kind=kind)
    if got != due:
        texts = format_names(due), format_names(got)
        raise Mismatch("the names differ", expected=texts[0], got=texts[1], kind="another name")


@then("name, path and depth of every entry agree")
def name_path_and_depth_agree(world: World) -> None:
    """Require that the name is the last component, the depth counts slashes and each parent is a directory."""
    found = Document.last(world)
    nodes = world.sandbox.tree.walk()
    directories = {path.decode("utf-8", "replace") for path, node in nodes if node.kind is Kind.DIR}
    requested = found.members.get("path")
    prefix = "" if requested == "." else f"{requested}/"
    for entry in found.entries:
        path, parts = entry.get("path"), str(entry.get("path")).split("/")
        is_path = isinstance(path, str) and all(parts)
        others = [name for name, due in (("name", parts[-1]), ("depth", len(parts))) if entry.get(name) != due]
        if others or not is_path:
            what = f"name, path and depth of {format_json(path)} contradict each other"
            kind = f"another {others[0]}" if is_path else "name, path and depth contradict each other"
            raise Mismatch(what, got=format_json(entry)[:2000], kind=kind)
        parents = {prefix + "/".join(parts[:n]) for n in range(1, len(parts))}
        if not parents <= directories:
            what = f"a parent of {format_json(path)} is no directory of the tree"
            kind = "a parent is no directory of the tree"
            raise Mismatch(what, got=format_names(sorted(parents - directories)), kind=kind)


@then("asking again with the document's path gives the same document")
def calling_again_with_the_path(world: World) -> None:
    """Require that a call with the returned path returns the same document."""
    found = Document.last(world)
    call, path = world.log.calls[-1], found.members.get("path")
    arguments = {**call.arguments, "path": path} if isinstance(call.arguments, dict) else {}
    call = replace(call, arguments=arguments, arguments_text=None)
    answer = world.session.call(call, world.own_process())
    try:
        _assert_same_text("a call with the returned path has another result", found.raw, parse_answer(answer).raw)
    except Mismatch:
        world.log.show_further(call, answer)
        raise


def _assert_same_text(what: str, expected: str, got: str) -> None:
    if expected != got:
        diff = first_difference(expected, got)
        kind = "two answers differ"
        raise Mismatch(what, expected=expected, got=got, diff=diff, compares_answers=True, kind=kind)


@then(r'the call does not list "(?P<listed>.*)"', example='the call does not list "secret"')
def the_call_does_not_list(world: World, listed: str) -> None:
    """Require an error, or a listing without these paths."""
    if world.answer.status == "ok":
        leaked = format_names([name for name in parse_name_list(listed) if name in parse_answer(world.answer).keys])
        if leaked:
            raise Mismatch(
                f"the listing contains {leaked}",
                got=leaked,
                kind=UNEXPECTED_ENTRIES,
            )


@then("all answers are the same bytes")
def all_answers_are_the_same(world: World) -> None:
    """Require that all calls of the scenario returned the same output."""
    answers = world.log.answers
    if len(answers) < 2:
        raise Mismatch("only one call was made before this step", compares_answers=True)
    first = parse_answer(answers[0]).raw
    for index, answer in enumerate(answers):
        try:
            text = parse_answer(answer).raw
            _assert_same_text(f"call {index + 1} has another answer than the first", first, text)
        except Mismatch as why:
            raise why.at_answer(index) from why
    _ = Document.last(world)


@then("all calls succeed, or all fail")
def all_calls_are_alike(world: World) -> None:
    """Require that no call fails where another one of the scenario succeeds."""
    statuses = [answer.status for answer in world.log.answers]
    if len(set(statuses)) > 1:
        at = next(index for index, status in enumerate(statuses) if status != statuses[0])
        what, kind = f"call {at + 1} ends otherwise than the first", "one call fails and another one succeeds"
        difference = Mismatch(what, expected=statuses[0], got=statuses[at], compares_answers=True, kind=kind)
        raise difference.at_answer(at)


@then("all unknown entries have the same error_code")
def same_error_code(world: World) -> None:
    """Require one error_code for all unknown entries of the listing; a failed call has none."""
    if world.answer.status == "ok":
        unknown = [entry for entry in Document.last(world).entries if entry.get("type") == "unknown"]
        codes = {str(entry.get("error_code")) for entry in unknown}
        if len(codes) > 1:
            what, got = "the same cause has several codes", ", ".join(sorted(codes))
            raise Mismatch(what, got=got, kind="another error_code")
