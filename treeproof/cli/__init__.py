"""The command line: what a user writes (``parser.py``) and what is done then, a family of verbs a file, each verb a few
lines over the rooms. Nothing is imported before a verb needs it: ``treeproof --help`` must come at once.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence

from treeproof.cli.output import (
    BAD_PATH_ERRNOS,
    NO_SPACE_ERRNOS,
    discard_stdout,
    open_closed_streams,
    print_error,
    report_no_space,
)
from treeproof.cli.parser import build_parser
from treeproof.errors import UsageError

_ISOLATED_COMMANDS = ("search", "replay", "doctor")
"""The verbs that ask a candidate in Python in their own process. `run` asks it from a process beside it."""


def command() -> int:
    """The installed command: `main`, from outside of the process in which a candidate in Python is asked."""
    if sys.argv[1:2] and sys.argv[1] in _ISOLATED_COMMANDS and hasattr(os, "fork"):
        from treeproof.cli.isolated_process import run_isolated

        open_closed_streams()
        return run_isolated(main)
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit code. Never raises: what a user got wrong is one line on stderr and 2."""
    open_closed_streams()
    try:
        words = build_parser().parse_args(arguments)
    except SystemExit as done:  # argparse has printed its line
        return int(done.code or 0)
    where = _environment_problem(words)
    if where is not None:
        print_error(where)
        return 2
    verb: Callable[[argparse.Namespace], int] = words.verb
    gc.set_threshold(100_000, 20, 20)  # a verb makes many small values that live to its end
    code = int(getattr(words, "unread", 0))  # whose reader goes away before it judged has not found all well
    try:
        code = verb(words)
        sys.stdout.flush()  # what cannot be written shows here, not when the interpreter ends
        return code
    except UsageError as error:
        print_error(str(error))
        return 2
    except BrokenPipeError:
        discard_stdout()
        return code
    except KeyboardInterrupt:
        print_error("interrupted")
        return 4
    except SystemExit as end:  # somebody's own code: its code is no verdict
        print_error(
            f"something ended the process with {end.code!r} before there was a verdict; please report it"
        )
        return 4
    except Exception as mistake:
        if isinstance(mistake, FileNotFoundError) and _cwd_is_removed():
            print_error(CWD_REMOVED)
            return 2
        if isinstance(mistake, OSError) and mistake.errno in NO_SPACE_ERRNOS:
            return report_no_space(mistake)
        if isinstance(mistake, OSError) and mistake.errno in BAD_PATH_ERRNOS and mistake.filename:
            print_error(f"{mistake.filename}: {mistake.strerror}; name another path")
            return 2
        # Python's own exit code 1 would say that the candidate is wrong.
        sys.excepthook(type(mistake), mistake, mistake.__traceback__)
        print_error("this is a mistake in treeproof, and no verdict; please report it")
        return 4


CWD_REMOVED = "the working directory has been removed; go to one that is there"


def _environment_problem(args: argparse.Namespace) -> str | None:
    """What of the process's own environment keeps a verb from its work, in a line that says what to write instead."""
    encoding = sys.getfilesystemencoding()
    if encoding != "utf-8" and not getattr(args, "anywhere", False):
        return (
            f"names of files would be read as {encoding}, and the suite's are UTF-8; set LC_ALL=C.UTF-8, or leave "
            "PYTHONUTF8=0 out"
        )
    return CWD_REMOVED if getattr(args, "here", False) and _cwd_is_removed() else None


def _cwd_is_removed() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - nothing more to import
    except FileNotFoundError:
        return True
    return False
