"""Mutants: errors in the value and the record of a call that gives no list."""

import os
from collections.abc import Callable
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.fs_walkdir.row import ERRORS, empty, failed, is_clean, items_of, logged, path_of, start_of, unlogged
from treeproof.rows.shared.row import Sent, with_value

from ..shared.mutant import Mutant
from .rows import row

VALUES = (
    "WD-ERR-01 WD-ERR-02 WD-ERR-04 WD-ERR-05 WD-ERR-06 WD-LOG-01 WD-ARG-01 WD-ARG-02 WD-ARG-03 WD-ARG-04 "
    "WD-SEC-01 WD-SEC-02 WD-SEC-04 WD-LAST-01"
)
NO_DIRECTORY = "WD-ERR-05 WD-ERR-01 WD-LOG-01 WD-LAST-01"
FILE = {"name": "f", "path": "f", "isDir": False, "size": 1, "modTime": "2023-11-14T22:13:20Z"}
RECORD = "WD-LOG-01"


def giving(value: Any) -> Callable[[CallResult], CallResult]:
    """Return the change that gives a value, and leaves the record as it is."""
    return lambda answer: with_value(answer, value)


def fails_at_bytes(sent: Sent) -> CallResult:
    """Return a failure if a name of the list has bytes that are no text."""
    answer = sent.answer()
    items = items_of(sent, answer, start_of(sent))
    return failed(answer) if any(item.name != item.place.name and "\ufffd" in item.name for item in items) else answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-WD-197", "An error of the walk gives a map with the key error.", "WD-ERR-01 WD-ERR-06 WD-LOG-01")(
        on="walk", nil=giving({"error": "the walk ended"})
    ),
    row("MUT-WD-307", "An error of the walk gives the empty list.", "WD-ERR-06 WD-LOG-01")(on="walk", nil=empty),
    row("MUT-WD-198", "An absolute path gives the empty list.", "WD-ERR-02 WD-SEC-01")(
        where=lambda sent: path_of(sent).startswith("/"), nil=empty
    ),
    row("MUT-WD-100", "An error returns the empty list.", VALUES)(on=ERRORS, nil=giving([])),
    row("MUT-WD-101", "An error fails the call and is not logged.", "WD-LOG-01 WD-ERR-03 WD-WALK-01")(
        on=ERRORS, nil=failed
    ),
    row("MUT-WD-102", "An error returns its text.", VALUES)(on=ERRORS, nil=giving("error: no list")),
    row("MUT-WD-103", "An error returns a map.", VALUES)(on=ERRORS, nil=giving({"error": "no list"})),
    row("MUT-WD-104", "A missing start returns the empty list.", "WD-ERR-03 WD-ERR-01 WD-LOG-02 WD-LAST-01 WD-ERR-04")(
        on="missing", nil=empty
    ),
    row("MUT-WD-309", "A sandbox that is not there is empty.", "WD-ERR-03 WD-SEC-01")(
        where=lambda sent: not os.path.isdir(sent.root), nil=empty
    ),
    row("MUT-WD-231", "A missing start with a slash behind it is an empty directory.", "WD-ERR-03")(
        on="missing", where=lambda sent: path_of(sent).endswith("/"), nil=empty
    ),
    row("MUT-WD-095", "A missing start fails the call.", "WD-ERR-01 WD-ERR-03 WD-LAST-01")(on="missing", nil=failed),
    row("MUT-WD-096", "A start without metadata fails the call.", "WD-ERR-04 WD-ERR-01")(
        on="denied unreachable", nil=failed
    ),
    row("MUT-WD-178", "A start that cannot be looked at gives the empty list.", "WD-ERR-04")(
        on="denied unreachable", nil=empty
    ),
    row("MUT-WD-119", "A file as start is its own only element.", NO_DIRECTORY)(on="file", nil=giving([FILE])),
    row("MUT-WD-120", "A file as start is an empty directory.", NO_DIRECTORY)(on="file", nil=empty),
    row("MUT-WD-225", "A file without content is an empty directory.", "WD-ERR-05")(
        on="file", where=lambda sent: os.path.isfile(start_of(sent)) and not os.path.getsize(start_of(sent)), nil=empty
    ),
    row("MUT-WD-289", "A name that is not UTF-8 fails the call.", "WD-ERR-01 WD-ENT-01")(answer=fails_at_bytes),
    row("MUT-WD-105", "A missing start is logged as an error.", "WD-LOG-02")(
        on="missing", nil=lambda answer: logged(answer, "there is no such directory")
    ),
    row("MUT-WD-107", "Nothing is ever logged.", RECORD)(nil=unlogged),
    row("MUT-WD-109", "Errors are logged without a text.", RECORD)(on=ERRORS, nil=lambda answer: logged(answer, " ")),
    row("MUT-WD-110", "Refused permissions are not logged.", RECORD)(
        nil=lambda answer: unlogged(answer) if "denied" in str(answer.log) else answer
    ),
    row("MUT-WD-111", "Only errors of the walk itself are logged.", RECORD)(
        on=ERRORS.replace("walk", ""), nil=unlogged
    ),
    row("MUT-WD-267", "Arguments that are wrong are not logged.", RECORD)(on="arguments", nil=unlogged),
    row("MUT-WD-093", "A path outside is not logged, like a missing one.", RECORD)(on="out", nil=unlogged),
    row("MUT-WD-144", "A path outside through a link is not logged.", RECORD)(on="out", where=is_clean, nil=unlogged),
)
