"""Correct listings by the reference, except for one kind of input at which the candidate hangs or crashes.

As a program, with the name of a factory as its argument, it serves that factory over stdio. An exception then ends the
process, as in most programs.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import stat
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any


class PartialCandidate:
    """Delegates to the reference; before each call a function receives the root and the number of calls so far."""

    def __init__(self, misbehave: Callable[[bytes, int], None]) -> None:
        self.reference = importlib.import_module("treeproof.reference_impl.list_directory.candidate").candidate()
        self.misbehave = misbehave
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def call(self, request: Any) -> Any:
        self.calls += 1
        try:
            self.misbehave(os.fsencode(request["context"]["roots"][0]), self.calls)
        except (ValueError, KeyError):
            if not EXITS_AFTER_EXCEPTIONS:
                raise
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        return self.reference.call(request)


EXITS_AFTER_EXCEPTIONS = False


def _walk(root: bytes) -> list[Path]:
    return [Path(os.fsdecode(parent), os.fsdecode(name)) for parent, _, files in os.walk(root) for name in files]


def find_pipes(root: bytes) -> list[Path]:
    """Return the named pipes below ``root``."""
    found = []
    for path in _walk(root) if root != b"/dev" else ():  # the pipes of the system differ
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(path.lstat().st_mode):
                found.append(path)
    return found


def _open_pipes(root: bytes, calls: int) -> None:
    for path in find_pipes(root):
        print("opening a pipe", file=sys.stderr, flush=True)
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_RDONLY))


def _require_utf8(root: bytes, calls: int) -> None:
    for path in _walk(root):
        if "\udcff" in os.fspath(path):
            raise KeyError("latin")
        os.fsencode(path).decode()


def _fail_every_third(root: bytes, calls: int) -> None:
    if calls == 3:  # a new process counts again
        raise ValueError("the third call")


def _hang(root: bytes, calls: int) -> None:
    time.sleep(600)


def hang_on_pipes() -> PartialCandidate:
    return PartialCandidate(_open_pipes)


def crash_on_names() -> PartialCandidate:
    return PartialCandidate(_require_utf8)


def crash_every_third_call() -> PartialCandidate:
    return PartialCandidate(_fail_every_third)


def always_hang() -> PartialCandidate:
    return PartialCandidate(_hang)


if __name__ == "__main__":
    EXITS_AFTER_EXCEPTIONS = True
    from treeproof.candidate.host import serve

    sys.modules["partial_candidate"] = sys.modules["__main__"]
    serve("stdio", f"partial_candidate:{sys.argv[1]}", folder=str(Path(__file__).parent), tools={})
