"""The command line: its arguments (``parser.py``) and its commands, which contain no logic of their own.

Modules are imported only when a command needs them, so that ``treeproof --help`` starts fast.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from treeproof.cli.output import (
    BAD_PATH_ERRNOS,
    INTERRUPTED_EXIT_CODE,
    NO_SPACE_ERRNOS,
    OPEN_FILES_ERRNOS,
    discard_stdout,
    open_closed_streams,
    print_error,
    report_no_memory,
    report_no_space,
)
from treeproof.cli.parser import parse_args
from treeproof.errors import Fault, UsageError


def command() -> NoReturn:
    """Run the installed command: `main`, and end it in order also at a signal that comes before its own handlers."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        code = main()
    except KeyboardInterrupt:
        print_error("interrupted")
        code = INTERRUPTED_EXIT_CODE
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # `main` has reported what could not be written
            stream.flush()
    os._exit(code)  # otherwise Python frees each object first, which takes as long as many a run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Never raises: a usage error is one line on stderr and exit code 2.

    Properties of a command: ``handler``; ``unread_code``, the exit code if stdout is closed before the verdict;
    ``needs_cwd``; ``any_encoding``, True if it needs no UTF-8.
    """
    open_closed_streams()
    try:
        args = parse_args(arguments)
    except SystemExit as done:  # argparse has printed its line
        return int(done.code or 0)
    problem = _environment_problem(args)
    if problem is not None:
        print_error(problem)
        return 2
    handler: Callable[[argparse.Namespace], int] = args.handler
    gc.set_threshold(100_000, 20, 20)  # a command makes many small objects that live to its end
    code = int(getattr(args, "unread_code", 0))
    try:
        code = handler(args)
        sys.stdout.flush()  # write errors occur here, not when the interpreter ends
        return code
    except UsageError as error:
        print_error(str(error))
        return 2
    except Fault as fault:
        print_error(f"{fault}; there is no verdict")
        return 4
    except BrokenPipeError:
        discard_stdout()
        return code
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED_EXIT_CODE
    except SystemExit as end:  # raised by other code: no verdict
        print_error(f"the process was ended with {end.code!r} before there was a verdict; please report it")
        return 4
    except MemoryError:
        return report_no_memory()
    except Exception as error:
        if isinstance(error, FileNotFoundError) and _cwd_is_removed():
            print_error(CWD_REMOVED)
            return 2
        if isinstance(error, OSError) and error.errno in NO_SPACE_ERRNOS:
            return report_no_space(error)
        if isinstance(error, OSError) and error.errno in OPEN_FILES_ERRNOS:
            print_error("too many open files: there is no verdict; raise the limit with 'ulimit -n 1024'")
            return 4
        if isinstance(error, OSError) and error.errno in BAD_PATH_ERRNOS and error.filename:
            print_error(f"{error.filename}: {error.strerror}; write another path")
            return 2
        # Python's own exit code 1 would mean non-conformant.
        sys.excepthook(type(error), error, error.__traceback__)
        print_error("internal error of treeproof: there is no verdict; please report it")
        return 4


CWD_REMOVED = "the working directory was removed; change to an existing one"


def _environment_problem(args: argparse.Namespace) -> str | None:
    """Return one line about an environment in which the command cannot work, or None."""
    encoding = sys.getfilesystemencoding()
    if encoding != "utf-8" and not getattr(args, "any_encoding", False):
        return f"file names are decoded as {encoding}, not UTF-8; set LC_ALL=C.UTF-8, or unset PYTHONUTF8"
    return CWD_REMOVED if getattr(args, "needs_cwd", False) and _cwd_is_removed() else None


def _cwd_is_removed() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - nothing more to import
    except FileNotFoundError:
        return True
    return False
