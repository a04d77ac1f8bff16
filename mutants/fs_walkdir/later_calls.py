"""Mutants: errors by what came before, and effects of a call that later ones see. Each start forgets everything."""

import contextlib
import os
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.fs_walkdir.row import (
    ERRORS,
    Item,
    Key,
    failed,
    failure,
    items_of,
    logged,
    missing,
    real,
    refused,
    start_of,
    unlogged,
    value_of,
)
from treeproof.rows.shared.row import Sent, with_value

from ..shared.mutant import Mutant
from .implied import EVERYTHING
from .rows import row

EFFECTS = "WD-SEC-04 WD-WALK-01 WD-WALK-03 WD-ENT-01 WD-ENT-02 WD-SEC-03 WD-RET-01"
Memory = dict[Any, Any]
Keeping = Callable[[Sent, Memory], CallResult]


def place_of(sent: Sent) -> tuple[str, str]:
    """Return the sandbox and the arguments, by which one start differs from another."""
    return str(sent.root), str(sent.arguments)


def first(key: Key, of: Callable[[Item], Hashable]) -> Keeping:
    """Return the change by which a value stays the first one of its entry or path."""

    def answer(sent: Sent, kept: Memory) -> CallResult:
        received = sent.answer()
        items = items_of(sent, received, start_of(sent))
        elements = [{**item.element, key: kept.setdefault(of(item), item.element[key])} for item in items]
        return with_value(received, elements) if items else received

    return answer


def path_at(item: Item) -> Hashable:
    return *place_of(item.sent), item.path


def inode(item: Item) -> Hashable:
    return (item.stat.st_dev, item.stat.st_ino) if item.own is not None else path_at(item)


def last_list(kind: str) -> Keeping:
    """Return the change by which a start that fails by now gives its last list."""

    def answer(sent: Sent, lists: Memory) -> CallResult:
        received, start = sent.answer(), place_of(sent)
        if isinstance(value_of(received), list):
            lists[start] = received
        return lists.get(start, received) if failure(sent) == kind else received

    return answer


def for_good(kind: str, instead: Callable[[Sent], CallResult]) -> Keeping:
    """Return the change by which a start that failed once is answered like that again."""

    def answer(sent: Sent, met: Memory) -> CallResult:
        if place_of(sent) in met:
            return instead(sent)
        if failure(sent) == kind:
            met[place_of(sent)] = True
        return sent.answer()

    return answer


def logged_once(sent: Sent, met: Memory) -> CallResult:
    answer = sent.answer()
    return unlogged(answer) if met.setdefault((sent.root, str(answer.log)), sent) is not sent else answer


def every_sandbox(sent: Sent, sandboxes: Memory) -> CallResult:
    """Permit a neighbour that was the sandbox of an earlier call."""
    sandboxes[sent.root] = True
    start = start_of(sent)
    return sent.answer_at(start, {"path": "."}) if start in sandboxes and start != sent.root else sent.answer()


def approved_for_good(sent: Sent, approved: Memory) -> CallResult:
    target = real(start_of(sent))
    if place_of(sent) in approved and os.path.isdir(target):
        return sent.answer_at(target, {"path": "."})
    answer = sent.answer()
    if value_of(answer):
        approved[place_of(sent)] = True
    return answer


def logs_a_repetition(sent: Sent, met: Memory) -> CallResult:
    is_first = met.setdefault(sent.root, sent) is sent
    return sent.answer() if is_first else logged(sent.answer(), "there is no such directory")


def fails_the_second_time(sent: Sent, errors: Memory) -> CallResult:
    answer = sent.answer()
    if value_of(answer) is not None:
        errors.clear()
    elif failure(sent) in ERRORS.split():
        return failed(answer) if errors.setdefault("first", sent) is not sent else answer
    return answer


def logs_again(sent: Sent, records: Memory) -> CallResult:
    answer, kept = sent.answer(), records.setdefault(sent.root, [])
    if failure(sent) == "missing":
        return replace(answer, log=tuple(kept))
    kept += answer.log or ()
    return answer


def remembered(of: Callable[[Sent], Hashable]) -> Keeping:
    """Return the change by which the first list of a call is given again."""

    def answer(sent: Sent, lists: Memory) -> CallResult:
        received = sent.answer()
        return lists.setdefault(of(sent), received) if isinstance(value_of(received), list) else received

    return answer


def directories(sent: Sent) -> Iterator[Path]:
    """Yield the directories that a walk reads, each before the ones in it are looked up."""
    start = start_of(sent)
    if failure(sent) == "walk" and not os.path.islink(start):
        yield start
        for folder, names, _ in os.walk(start):
            yield from (Path(folder, name) for name in names if not os.path.islink(os.path.join(folder, name)))


def touching(sent: Sent) -> CallResult:
    answer = sent.answer()
    with contextlib.suppress(OSError):
        for directory in directories(sent):
            os.utime(directory)
    return answer


def leaving_an_index(sent: Sent) -> CallResult:
    answer = sent.answer()
    with contextlib.suppress(OSError):
        for directory in [*directories(sent)][:1]:
            (directory / ".index").write_text(str(len(answer.content or "")))
    return answer


def opening_to_all(sent: Sent) -> CallResult:
    with contextlib.suppress(OSError):
        for directory in directories(sent):
            os.chmod(directory, 0o755)
    return sent.answer()


def removing_dangling_links(sent: Sent) -> CallResult:
    answer = sent.answer()
    with contextlib.suppress(OSError):
        for item in items_of(sent, answer, start_of(sent)):
            if item.is_dangling:
                item.place.unlink()
    return answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-WD-132", "Directories get a new time.", EFFECTS, EVERYTHING)(answer=touching),
    row("MUT-WD-133", "An index file is left behind.", EFFECTS, EVERYTHING)(answer=leaving_an_index),
    row("MUT-WD-134", "Directories get all permissions before they are read.", EFFECTS, "WD-ERR-06", EVERYTHING)(
        answer=opening_to_all
    ),
    row(
        "MUT-WD-285",
        "Links that lead nowhere are removed once they are listed.",
        "WD-SEC-04 WD-SEC-03 WD-ENT-03 WD-ENT-04 WD-RET-01",
    )(answer=removing_dangling_links),
    row("MUT-WD-135", "A repeated path returns the earlier result.", "WD-WALK-01", EFFECTS, EVERYTHING)(
        keeps=remembered(lambda sent: str(sent.arguments))
    ),
    row("MUT-WD-146", "A repeated path in the same sandbox returns the earlier result.", "WD-WALK-01")(
        keeps=remembered(place_of)
    ),
    row("MUT-WD-242", "isDir of a path is its first one.", "WD-ENT-03")(keeps=first("isDir", path_at)),
    row("MUT-WD-256", "size of a file is its first one.", "WD-ENT-04")(keeps=first("size", inode)),
    row("MUT-WD-257", "modTime of a path is its first one.", "WD-ENT-05")(keeps=first("modTime", path_at)),
    row("MUT-WD-961", "modTime of an entry is its first one.", "WD-ENT-05")(keeps=first("modTime", inode)),
    row("MUT-WD-262", "A start that was missing stays missing.", "WD-WALK-01")(keeps=for_good("missing", missing)),
    row("MUT-WD-263", "A start that was no directory stays none.", "WD-WALK-01")(keeps=for_good("file", refused)),
    row("MUT-WD-277", "A start that is gone gives its last list.", "WD-ERR-03")(keeps=last_list("missing")),
    row("MUT-WD-278", "A start that is a file by now gives its last list.", "WD-ERR-05")(keeps=last_list("file")),
    row("MUT-WD-217", "What was the sandbox of an earlier call stays permitted.", "WD-SEC-01")(keeps=every_sandbox),
    row("MUT-WD-185", "A path that was inside once is not checked again.", "WD-SEC-02")(keeps=approved_for_good),
    row("MUT-WD-230", "The second error in a row makes the call fail.", "WD-ERR-01")(keeps=fails_the_second_time),
    row("MUT-WD-218", "A second missing start is logged as an error.", "WD-LOG-02")(
        on="missing", keeps=logs_a_repetition
    ),
    row("MUT-WD-266", "A missing start brings back the records of errors.", "WD-LOG-02")(keeps=logs_again),
    row("MUT-WD-279", "An error is logged once.", "WD-LOG-01")(keeps=logged_once),
    row("MUT-WD-280", "An error in mid-walk is logged once.", "WD-LOG-01")(on="walk", keeps=logged_once),
)
