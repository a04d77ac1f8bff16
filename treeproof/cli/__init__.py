"""The command line: what a user writes (``parser.py``) and what is done then, a family of verbs a file, each verb a few
lines over the rooms. Nothing is imported before a verb needs it: ``treeproof --help`` must come at once.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence

from treeproof.cli.output import FULL, UNREACHABLE, complain, full, open_what_is_closed, read_by_nobody
from treeproof.cli.parser import command_line
from treeproof.errors import UsageError

_WATCHED = ("search", "replay", "doctor")
"""The verbs that ask a candidate in Python in their own process. `run` asks it from a process beside it."""


def command() -> int:
    """The installed command: `main`, from outside of the process in which a candidate in Python is asked."""
    if sys.argv[1:2] and sys.argv[1] in _WATCHED and hasattr(os, "fork"):
        from treeproof.cli.watched import watched

        open_what_is_closed()
        return watched(main)
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit code. Never raises: what a user got wrong is one line on stderr and 2."""
    open_what_is_closed()
    try:
        words = command_line().parse_args(arguments)
    except SystemExit as done:  # argparse has printed its line
        return int(done.code or 0)
    where = _unfit_place(words)
    if where is not None:
        complain(where)
        return 2
    verb: Callable[[argparse.Namespace], int] = words.verb
    gc.set_threshold(100_000, 20, 20)  # a verb makes many small values that live to its end
    code = int(getattr(words, "unread", 0))  # whose reader goes away before it judged has not found all well
    try:
        code = verb(words)
        sys.stdout.flush()  # what cannot be written shows here, not when the interpreter ends
        return code
    except UsageError as error:
        complain(str(error))
        return 2
    except BrokenPipeError:
        read_by_nobody()
        return code
    except KeyboardInterrupt:
        complain("interrupted")
        return 4
    except SystemExit as end:  # somebody's own code: its code is no verdict
        complain(
            f"something ended the process with {end.code!r} before there was a verdict; please report it"
        )
        return 4
    except Exception as mistake:
        if isinstance(mistake, FileNotFoundError) and _is_removed():
            complain(REMOVED)
            return 2
        if isinstance(mistake, OSError) and mistake.errno in FULL:
            return full(mistake)
        if isinstance(mistake, OSError) and mistake.errno in UNREACHABLE and mistake.filename:
            complain(f"{mistake.filename}: {mistake.strerror}; name another path")
            return 2
        # Python's own exit code 1 would say that the candidate is wrong.
        sys.excepthook(type(mistake), mistake, mistake.__traceback__)
        complain("this is a mistake in treeproof, and no verdict; please report it")
        return 4


REMOVED = "the working directory has been removed; go to one that is there"


def _unfit_place(words: argparse.Namespace) -> str | None:
    """What of the process's own environment keeps a verb from its work, in a line that says what to write instead."""
    encoding = sys.getfilesystemencoding()
    if encoding != "utf-8" and not getattr(words, "anywhere", False):
        return (
            f"names of files would be read as {encoding}, and the suite's are UTF-8; set LC_ALL=C.UTF-8, or leave "
            "PYTHONUTF8=0 out"
        )
    return REMOVED if getattr(words, "here", False) and _is_removed() else None


def _is_removed() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - nothing more to import
    except FileNotFoundError:
        return True
    return False
