"""Then: the result of a call, answer and tree together."""

from __future__ import annotations

import os
import re
import stat

from treeproof.api import (
    ROOT_NAME,
    UNLINK_CALLS,
    Mismatch,
    NotVerified,
    ProcessOptions,
    Tree,
    World,
    by_path,
    parent_without_links,
    then,
    tree_diff,
)

from ..shared.answers import assert_fails
from ..shared.errors import describe_error
from ..shared.interpretations import INTERPRETATION_IDS, READING_COLUMN, match_outcomes, parse_outcome_table
from ..shared.syscalls import traced_calls
from ..shared.values import parse_name_list, parse_rows, path_in_root
from .differences import LOST_CONTENTS, content_counts, path_in_tree
from .effects import (
    ExpectedEffect,
    assert_effect,
    check_fault_had_effect,
    expected_effect,
    expected_failure,
    expected_loss_free_failure,
    tree_after,
    tree_before,
)
from .faults import FLUSH_CALLS

NOTHING_LOST = "any error, nothing lost"
"""A cell for an error of any kind after which the sandbox has at least what it had."""

ERROR_KINDS_PATTERN = r"any error|\w+(?: or \w+)*"
SECOND_ROOT_PATTERN = r'(?:, and at \$FAR "(?P<far>.*?)")?'


@then(
    rf'the call succeeds and leaves "(?P<tree>.*?)"{SECOND_ROOT_PATTERN}',
    example="the call succeeds and leaves \"b='A'\"",
)
def succeeds(world: World, tree: str, far: str | None = None) -> None:
    """Require success and exactly this tree, and no other change."""
    assert_effect(world, expected_effect(world, tree, far))


@then(
    rf"the call fails with (?P<kinds>{ERROR_KINDS_PATTERN}) and changes nothing",
    example="the call fails with ExecutionFailed and changes nothing",
)
def fails_without_a_trace(world: World, kinds: str) -> None:
    """Require an error of this kind and an unchanged tree."""
    assert_effect(world, expected_failure(world, kinds))


@then(
    rf'the call either leaves "(?P<tree>.*?)"{SECOND_ROOT_PATTERN}, or fails with '
    rf"(?P<kinds>{ERROR_KINDS_PATTERN}) and changes nothing",
    example="the call either leaves \"b='A'\", or fails with any error and changes nothing",
)
def complete_or_unchanged(world: World, tree: str, kinds: str, far: str | None = None) -> None:
    """Require the complete effect, or an error and an unchanged tree."""
    assert_effect(world, expected_effect(world, tree, far), expected_failure(world, kinds))


@then(
    r'the call fails with any error and loses nothing(?:, but for "(?P<name>.+)")?',
    example="the call fails with any error and loses nothing",
)
def fails_without_loss(world: World, name: str | None = None) -> None:
    """Require an error, and that everything there was is still there. Half-made entries are permitted."""
    assert_effect(world, expected_loss_free_failure(world, _paths(name)))


def _paths(name: str | None) -> tuple[bytes, ...]:
    """Return the path of the entry that a step excepts, if it does."""
    return () if name is None else (path_in_tree(os.fsencode(parse_name_list(name)[0])),)


@then(
    rf'the call either leaves "(?P<tree>.*?)"{SECOND_ROOT_PATTERN}, or fails with any error and loses nothing'
    r'(?:, but for "(?P<name>.+)")?',
    example="the call either leaves \"b='A'\", or fails with any error and loses nothing",
)
def complete_or_without_loss(world: World, tree: str, far: str | None = None, name: str | None = None) -> None:
    """Require the complete effect, or an error and that everything there was is still there."""
    assert_effect(world, expected_effect(world, tree, far), expected_loss_free_failure(world, _paths(name)))


@then("the outcome is one of", columns=("fails", "leaves", "at $FAR"))
def one_of_several(world: World, datatable: list[list[str]]) -> None:
    """Compare with the rows, one permitted result each: fails, leaves, and at $FAR; none is preferred.

    An empty `leaves` means no change; an empty `fails` means success.
    """
    assert_effect(world, *(_expected_of_row(world, row) for row in parse_rows(datatable)))


def _expected_of_row(world: World, row: dict[str, str]) -> ExpectedEffect:
    kinds, leaves, far = row.get("fails") or None, row.get("leaves"), row.get("at $FAR")
    if kinds == NOTHING_LOST:
        return expected_loss_free_failure(world)
    if leaves:
        return expected_effect(world, leaves, far, kinds)
    return ExpectedEffect(None, tree_before(world)) if kinds is None else expected_failure(world, kinds)


@then("the call changes nothing, whether it fails or succeeds")
def changes_nothing(world: World) -> None:
    """Require an unchanged tree; success and error are both permitted."""
    assert_effect(world, expected_failure(world, "any error"), ExpectedEffect(None, tree_before(world)))


@then(
    rf'the call fails with (?P<kinds>{ERROR_KINDS_PATTERN}), and leaves "(?P<tree>.*?)"{SECOND_ROOT_PATTERN} '
    "or changes nothing",
    example="the call fails with any error, and leaves \"a='A', b='A'\" or changes nothing",
)
def fails_with_or_without_effect(world: World, kinds: str, tree: str, far: str | None = None) -> None:
    """Require an error, and this tree or an unchanged one."""
    assert_effect(world, expected_failure(world, kinds), expected_effect(world, tree, far, kinds))


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the outcome is one of",
    example="by AMB-FO-01 the outcome is one of",
    columns=(READING_COLUMN, "fails", "leaves", "at $FAR"),
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one result each: reading, then fails, leaves, and at $FAR.

    An empty `leaves` means no change; an empty `fails` means success.
    """
    entries, rows = parse_outcome_table(ids, datatable)

    def check(row: dict[str, str]) -> None:
        assert_effect(world, _expected_of_row(world, row))
        seen.append(world.effects.expected)

    seen: list[Tree | None] = []
    # The row of the same status is the closest one: its difference is the first.
    succeeded = world.answer.status == "ok"
    rows = sorted(rows, key=lambda row: succeeded != (not row.get("fails")))
    match_outcomes(world, entries, rows, check)
    world.effects.expected = seen[0]


@then(
    r'nothing is lost, and "(?P<name>.+)" is not there or whole',
    example='nothing is lost, and "b" is not there or whole',
)
def nothing_is_lost(world: World, name: str) -> None:
    """Require that every content still exists after the process was killed, and nothing half-written has the name."""
    _check_contents_exist(world)
    before = content_counts(tree_before(world))
    node = by_path(tree_after(world)).get(path_in_tree(os.fsencode(parse_name_list(name)[0])))
    if node is not None and node.size and (node.content or b"") not in before:
        raise Mismatch(
            f"{name} has neither its old content nor the new one",
            diff="\n".join(tree_diff(tree_before(world), tree_after(world))),
            kind="a name has neither its old content nor the new one",
            harm="data",
        )


@then("nothing is lost")
def contents_exist(world: World) -> None:
    """Require that every content still exists after the process was killed."""
    _check_contents_exist(world)


def _check_contents_exist(world: World) -> None:
    before, after = content_counts(tree_before(world)), content_counts(tree_after(world))
    lost = before - after
    if lost:
        check_fault_had_effect(world)
        raise Mismatch(
            f"{len(lost)} of the previous contents are lost",
            diff="\n".join(tree_diff(tree_before(world), tree_after(world))),
            kind=LOST_CONTENTS,
            harm="data",
        )


@then("the call fails and loses nothing, if it flushes anything")
def fails_where_it_cannot_flush(world: World) -> None:
    """Require an error, and that nothing is lost, if the injected fault of flushing met a call."""
    if world.answer.status == "ok" and world.faults.injected_count:
        raise Mismatch("the call succeeded, though flushing to the disk failed", kind="a failed flush is ignored")
    if world.answer.status != "ok":
        assert_effect(world, expected_loss_free_failure(world))


@then(
    r'something was flushed to the disk before "(?P<name>.+)" was deleted',
    example='something was flushed to the disk before "a" was deleted',
)
def flushed_first(world: World, name: str) -> None:
    """Require a system call that flushes, before the one that deletes the source, if the trace shows that one."""
    calls = traced_calls(world)
    quoted = re.compile(rf'["/]{re.escape(name)}"')
    deleted = [at for at, (call, line) in enumerate(calls) if call in UNLINK_CALLS and quoted.search(line)]
    if not deleted:
        return
    flushes = (*FLUSH_CALLS, "sync")
    if not any(call in flushes or "SYNC" in line for call, line in calls[: deleted[0]]):
        raise Mismatch(
            "the source was deleted before anything was flushed to the disk",
            kind="the source is deleted before its copy is on the disk",
        )


@then(
    rf'by (?P<ids>{INTERPRETATION_IDS}) the answer and "(?P<name>.+)" are one of',
    example='by AMB-FO-21 the answer and "d/b" are one of',
    columns=(READING_COLUMN, "fails", "holds"),
)
def answer_and_content(world: World, ids: str, name: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one result each: reading, fails, and the content of the file.

    An empty `fails` means success.
    """
    entries, rows = parse_outcome_table(ids, datatable)
    node = by_path(tree_after(world)).get(b"root/" + os.fsencode(parse_name_list(name)[0]))
    holds = (node.content or b"").decode("utf-8", "backslashreplace") if node is not None else "nothing"

    def check(row: dict[str, str]) -> None:
        if row["fails"]:
            assert_fails(world, row["fails"])
        elif world.answer.status != "ok":
            raise Mismatch(
                f"the call should succeed, and {describe_error(world.answer)}",
                got=str(world.answer.error_kind),
                kind=f"the call failed with {world.answer.error_kind}",
            )
        if holds != row["holds"]:
            raise Mismatch(
                f"{name} has another content",
                expected=row["holds"],
                got=holds,
                kind="a file has another content",
            )

    match_outcomes(world, entries, rows, check)


@then(
    r"no path that has come to be has more than (?P<limit>\d+) names",
    example="no path that has come to be has more than 6 names",
)
def does_not_run_away(world: World, limit: str) -> None:
    """Require that what was copied is not copied again, level by level, whether the call fails or succeeds."""
    made = by_path(tree_after(world)).keys() - by_path(tree_before(world)).keys()
    deepest = max(made, key=lambda path: path.count(b"/"), default=b"")
    if deepest.count(b"/") > int(limit):  # the first name is that of the root
        raise Mismatch(
            f"a path of {deepest.count(b'/')} names has come to be",
            kind="what was copied is copied again, level by level",
        )


@then("nothing has come to be beside the sandbox")
def nothing_beside(world: World) -> None:
    """Require that everything outside the sandbox root is unchanged."""
    before = Tree(tuple(node for node in tree_before(world).entries if node.name != ROOT_NAME))
    after = Tree(tuple(node for node in tree_after(world).entries if node.name != ROOT_NAME))
    if differences := tree_diff(before, after):
        raise Mismatch("something outside of the sandbox has changed", diff="\n".join(differences), harm="escape")


@then(r'"(?P<one>.+)" and "(?P<other>.+)" are files of their own', example='"a" and "b" are files of their own')
def independent(world: World, one: str, other: str) -> None:
    """Require that they are two files, so that writing to the first one does not change the second."""
    places = []
    for quoted in (one, other):  # nothing is written: the candidate could have made them names of a file elsewhere
        with parent_without_links(path_in_root(world, quoted)) as (directory, entry):
            found = os.stat(entry, dir_fd=directory, follow_symlinks=False)
            places.append((found.st_dev, found.st_ino, stat.S_IFMT(found.st_mode)))
    if places[0] == places[1] or {kind for *_, kind in places} != {stat.S_IFREG}:
        raise Mismatch(
            f"{other} changes when {one} is written to: they are one file",
            kind="the copy and its source are one file",
        )


@then("a call that fails succeeds in a process in the working directory", role="control")
def succeeds_in_the_working_directory(world: World) -> None:
    """Repeat a call that failed in a new process whose own directory is the working directory.

    Without a verdict if that fails too: then the failure does not show where relative paths start.
    """
    if world.answer.status == "ok":
        return
    call = world.log.calls[-1]
    directory = os.fsencode(str(call.context["working_dir"]))
    world.use_process(ProcessOptions(cwd=directory))
    again = world.session.call(call, world.own_process())
    world.use_process(None)
    if again.status != "ok":
        raise NotVerified("not_observed", "the call fails in any directory, so it does not show where paths start")
