"""The option --watch of run: the run again whenever files of the candidate or of the specification change."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from treeproof.cli.output import INTERRUPTED_EXIT_CODE, print_line
from treeproof.errors import UsageError

_POLL_MS = 200
_END_SECONDS = 30.0
_MAX_NAMES = 3
OPTION = "--watch"


def watch(args: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Run ``arguments`` without the option, again after each change, until a signal ends this process.

    Return the exit code of the last complete run. Raises UsageError without the package watchfiles.
    """
    folders = watched_folders(args.target, args.spec)
    command = [sys.executable, "-P", "-m", "treeproof", *(one for one in arguments if one != OPTION)]
    outputs = [text.partition("=")[2] for text in args.report] + [args.write_baseline or ""]
    changes = _changes(folders, {Path(os.path.abspath(name)) for name in outputs if name})
    watched = _Watched(command)
    try:
        for changed in changes:
            watched.advance(changed)
    except KeyboardInterrupt:
        pass
    finally:
        watched.stop()
    return watched.exit_code


def watched_folders(target: str, specs: Sequence[str]) -> list[Path]:
    """Return the folder of a manifest [the working directory], and those of specifications that are not bundled."""
    manifest = Path(target)
    place = (manifest if manifest.is_dir() else manifest.parent) if manifest.exists() else Path.cwd()
    packs = [Path(name) for name in specs if os.sep in name or name in (".", "..")]
    return list(dict.fromkeys(folder.resolve() for folder in (place, *packs) if folder.is_dir()))


def _changes(folders: Sequence[Path], outputs: set[Path]) -> Iterator[set[str]]:
    """Yield the files that have changed, without ``outputs`` and what editors and tools write; often none."""
    try:
        import watchfiles
    except ImportError:
        raise UsageError(
            f"{OPTION} needs the package watchfiles; write: pip install 'treeproof[watch]', or leave {OPTION} out"
        ) from None

    class OwnFilter(watchfiles.DefaultFilter):
        def __call__(self, change: watchfiles.Change, path: str) -> bool:
            # A report is written to another name first.
            is_output = any(Path(path) == one or path.startswith(f"{one.parent}{os.sep}.") for one in outputs)
            return super().__call__(change, path) and not is_output

    yield set()
    for found in watchfiles.watch(
        *folders, watch_filter=OwnFilter(), rust_timeout=_POLL_MS, yield_on_timeout=True, raise_interrupt=True
    ):
        yield {path for _, path in found}


class _Watched:
    """The present run, and the files that changed since it began.

    A file that changes during two runs in a row is one that the candidate writes; it starts no further run.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.exit_code = INTERRUPTED_EXIT_CODE
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._is_first = True
        self._pending: set[str] = set()
        self._changed_during_run: set[str] = set()
        self._ignored: set[str] = set()

    def advance(self, changed: set[str]) -> None:
        """Take note of changes; start a run if one is due."""
        changed = changed - self._ignored
        if self._process is not None:
            if self._process.poll() is None:
                self._pending |= changed
                return
            self._finish(changed)
        else:
            self._pending |= changed
        if self._is_first or self._pending:
            self._start()

    def _finish(self, changed: set[str]) -> None:
        assert self._process is not None
        self.exit_code, self._process = self._process.returncode, None
        during = self._pending | changed
        own = during & self._changed_during_run
        if own:
            self._ignored |= own
            print_line(f"every run changes {_names(own)}, so this starts no further run")
        self._changed_during_run = during
        self._pending = during - own
        if not self._pending:
            print_line("waiting for a change; Ctrl-C ends")

    def _start(self) -> None:
        if not self._is_first:
            print_line(f"runs again: {_names(self._pending)} changed")
        self._is_first, self._pending = False, set()
        sys.stdout.flush()
        self._process = subprocess.Popen(self._command)

    def stop(self) -> None:
        """End a run that has not ended."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _names(paths: set[str]) -> str:
    names = sorted(os.path.relpath(path) for path in paths)
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return ", ".join(names[:_MAX_NAMES]) + more
