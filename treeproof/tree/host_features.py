"""Probes of the host: its features, and the causes of missing ones.

A probe tries a feature once, in a new directory below the workspace, and returns the cause if it is missing.
`@needs:NAME` in a feature file names one of PROBES.
"""

from __future__ import annotations

import ctypes
import os
import platform
import select
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from treeproof.errors import UsageError
from treeproof.systems import is_linux
from treeproof.tree.builder import CannotBuild, build_tree
from treeproof.tree.deep_walk import OPEN_DIRECTORY_FLAGS, remove_directory
from treeproof.tree.folding_mount import FoldingMount, folds_case
from treeproof.tree.inotify import InotifyWatch
from treeproof.tree.notation import parse_tree
from treeproof.tree.workspace import find_disk_base, is_in_memory

_LARGE_COPY_BYTES = 6 << 30
_TIMEOUT_SECONDS = 60  # for what never ends: a host that is only busy has its features
_PR_SET_PTRACER = 0x59616D61

Probe = Callable[[bytes], str | None]
"""Takes an empty directory; returns the cause if the host lacks a feature, else None."""


@dataclass(frozen=True)
class Host:
    """The host and the file system of a directory. Each probe runs at the first request, and only once."""

    base: bytes
    system: str
    is_root: bool
    _reasons: dict[str, str | None] = field(default_factory=dict, compare=False, repr=False)
    as_candidate: Callable[[], AbstractContextManager[object]] = field(default=nullcontext, compare=False, repr=False)
    """Takes from this thread the rights of root that candidates do not have."""

    def supports(self, name: str) -> bool:
        """Return whether the host has the feature. Raises KeyError for a name that is not in PROBES."""
        return self.unsupported_reason(name) is None

    def unsupported_reason(self, name: str) -> str | None:
        """Return the cause if the host lacks the feature, in one line; None if it has it.

        Raises KeyError like `supports`.
        """
        probe, _ = PROBES[name]
        if name not in self._reasons:
            context = self.as_candidate() if probe is _probe_modes else nullcontext()
            with context:
                self._reasons[name] = self._run_probe(probe)
        return self._reasons[name]

    def to_json(self) -> dict[str, str | bool | None | dict[str, str]]:
        """Return all features: true, false, or null for a costly probe that has not run; and the causes."""
        features = {
            name: self.supports(name) if cheap or name in self._reasons else None for name, (_, cheap) in PROBES.items()
        }
        # In a fixed order, independent of the order of requests.
        causes = {name: cause for name in PROBES if (cause := self._reasons.get(name)) is not None}
        return {"system": self.system, "root": self.is_root, **features, "causes": causes}

    def _run_probe(self, probe: Probe) -> str | None:
        try:
            directory = os.fsencode(tempfile.mkdtemp(prefix="probe-", dir=os.fsdecode(self.base)))
        except OSError as refusal:
            return f"nothing can be tried in {os.fsdecode(self.base)}: {refusal.strerror}"
        base = os.open(self.base, OPEN_DIRECTORY_FLAGS)
        try:
            return probe(directory)
        except (OSError, CannotBuild, subprocess.SubprocessError) as refusal:
            return " ".join(str(refusal).split())
        finally:
            remove_directory(base, os.path.basename(directory))
            os.close(base)


def probe_host(base: bytes, as_candidate: Callable[[], AbstractContextManager[object]] = nullcontext) -> Host:
    """Return the host, probed in the existing directory `base`, in which every tree will be built.

    `as_candidate` takes from this thread the rights of root that candidates do not have.
    """
    return Host(base, platform.system() or sys.platform, os.geteuid() == 0, as_candidate=as_candidate)


def _probe_build(notation: str) -> Probe:
    def probe(directory: bytes) -> str | None:
        build_tree(parse_tree(notation), directory)
        return None

    return probe


def _probe_names(directory: bytes) -> str | None:
    _probe_build(r"'x\xff'")(directory)
    kept = os.listdir(directory)
    return None if kept == [b"x\xff"] else f"the name x\\xff is kept as {kept}"


def _probe_case(directory: bytes) -> str | None:
    try:
        return _probe_build("A, a")(directory)
    except CannotBuild:
        return "names that differ only in case are the same here"


def _probe_normal_forms(directory: bytes) -> str | None:
    try:
        return _probe_build("'\\u00e9', 'e\\u0301'")(directory)
    except CannotBuild:
        return "names that differ only in Unicode normalisation are the same here"


def _probe_folding(directory: bytes) -> str | None:
    if not folds_case(directory):
        FoldingMount(Path(os.fsdecode(directory))).close()
    return None


def _probe_strace(directory: bytes) -> str | None:
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    # Attached to a running process, as to candidates: this is permitted less often than starting one.
    inject = ["-e", "trace=chdir", "-e", "inject=chdir:error=EIO"]
    script = ["sh", "-c", "read go; cd / && exit 3; exit 4"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(script, stdin=subprocess.PIPE, stderr=quiet, preexec_fn=_allow_tracing())
    command = [strace, "-f", "-o", os.devnull, *inject, "-p", str(process.pid)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as tracer, process:
        try:
            message = _first_line(tracer.stderr)
            process.communicate(b"\n", _TIMEOUT_SECONDS)
            if process.returncode == 4:
                return None
        finally:
            process.kill()
            tracer.kill()
    return f"strace cannot make a call fail here: {message or 'the call went through'}"


def _first_line(stream: IO[bytes] | None) -> str:
    assert stream is not None
    ready, _, _ = select.select([stream], [], [], _TIMEOUT_SECONDS)
    if not ready:
        raise subprocess.TimeoutExpired("strace", _TIMEOUT_SECONDS)
    return stream.readline().decode("utf-8", "replace").strip()[:200]


def _allow_tracing() -> Callable[[], object]:
    """Return a function that permits tracing by other processes than the parent (Yama); call it after the fork."""
    library = ctypes.CDLL(None)
    args = (_PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
    return lambda: library.prctl(*args) if hasattr(library, "prctl") else None


def _probe_namespaces(directory: bytes) -> str | None:
    unshare = shutil.which("unshare")
    if unshare is None:
        return "unshare is not installed"
    ended = subprocess.run(
        # Some containers permit the namespaces but no mounts in them.
        [unshare, "-rmn", "mount", "-t", "tmpfs", "tmpfs", os.fsdecode(directory)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )
    return None if ended.returncode == 0 else ended.stderr.decode("utf-8", "replace").strip()[:200]


def _probe_inotify(directory: bytes) -> str | None:
    build_tree(parse_tree("d/"), directory)
    with InotifyWatch(directory) as watch:
        watch.arm()
        os.listdir(directory + b"/d")
        return None if watch.stop_and_read() == {b"d"} else "inotify does not report here that a directory was opened"


def _probe_memory(directory: bytes) -> str | None:
    in_memory = is_in_memory(Path(os.fsdecode(directory)))
    return None if in_memory else "the workspace is not on a file system in memory"


def _probe_disk(directory: bytes) -> str | None:
    return None if find_disk_base() is not None else "no writable directory is on a disk"


def _probe_disk_space(directory: bytes) -> str | None:
    base = find_disk_base()
    free = 0 if base is None else os.statvfs(base).f_bavail * os.statvfs(base).f_frsize
    return None if free >= _LARGE_COPY_BYTES else f"the disk has {free >> 20} MiB left"


def _probe_modes(directory: bytes) -> str | None:
    if os.geteuid() == 0 and not is_linux():
        return "root ignores permissions here and cannot give that up; run as another user"
    _probe_build("f%0000=1, d/%0000{x=1}")(directory)
    for name in (b"f", b"d/x"):
        try:
            os.close(os.open(os.path.join(directory, name), os.O_RDONLY))
        except PermissionError:
            continue
        return f"permissions have no effect here: {name.decode()} can be read although no mode permits it"
    return None


def _probe_devpts(directory: bytes) -> str | None:
    try:
        mounted = os.stat("/dev/pts").st_dev != os.stat("/dev").st_dev
        terminal = stat.S_ISCHR(os.lstat("/dev/pts/ptmx").st_mode)
    except OSError as refusal:
        return f"{refusal.filename}: {refusal.strerror}"
    return None if mounted and terminal else "/dev/pts is not a mount with a ptmx in it"


PROBES: dict[str, tuple[Probe, bool]] = {
    "non_utf8_names": (_probe_names, True),
    "case_sensitive": (_probe_case, True),
    "normal_forms": (_probe_normal_forms, True),
    "folding": (_probe_folding, False),
    "symlinks": (_probe_build("l->gone"), True),
    "special_files": (_probe_build("p:fifo, s:sock"), True),
    "mknod": (_probe_build("c:chr, b:blk"), True),
    "huge_files": (_probe_build(f"f={2**63 - 1}"), True),
    "wide_mtimes": (_probe_build(f"a@{2**62}000, b@-{2**62}000"), True),
    "shm": (_probe_memory, True),
    "disk": (_probe_disk, True),
    "disk_space": (_probe_disk_space, True),
    "drop_caps": (_probe_modes, True),
    "devpts": (_probe_devpts, True),
    "inotify": (_probe_inotify, True),
    "strace": (_probe_strace, False),
    "namespaces": (_probe_namespaces, False),
}
"""Features: the probe, and whether it is cheap (well below a millisecond) or starts a process."""


_NEEDED, _USUAL = 256, 1024


def raise_open_file_limit() -> None:
    """Raise this process's limit of open files to the usual one, as far as the system permits.

    Raises UsageError if it stays below what a run needs.
    """
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_low = soft != resource.RLIM_INFINITY and soft < _USUAL
    if not is_low:
        return
    limit = _USUAL if hard == resource.RLIM_INFINITY else min(hard, _USUAL)
    if limit < _NEEDED:
        raise UsageError(
            f"the limit of open files is {limit}, and a run needs {_NEEDED}; raise it with 'ulimit -n {_USUAL}'"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
