"""Runs a command on a system that lacks some features: ``python lacking.py FEATURE[,FEATURE…] COMMAND…``.

``macos`` is what Python lacks and has there, ``apfs`` a workspace that folds names, behind a link as `/tmp` is there.

System calls are refused by a seccomp filter, which all descendants inherit; file systems are covered by mounts in a
namespace of the command's own. ``root`` is the feature of being root: without it, the command runs as an ordinary user.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from treeproof.tree import FoldingMount
from treeproof.tree.workspace import WORKSPACE_VARIABLE

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER = 0
"""The offset of the number of the call in struct seccomp_data."""

_CALLS = {
    "x86_64": {
        "inotify": (253, 294),
        "memfd": (319,),
        "namespaces": (272, 308),
        "prctl": (157,),
        "ptrace": (101,),
    },
    "aarch64": {
        "inotify": (26,),
        "memfd": (279,),
        "namespaces": (97, 268),
        "prctl": (167,),
        "ptrace": (117,),
    },
}
_ERRORS = {"inotify": errno.ENOSYS, "memfd": errno.ENOSYS, "prctl": errno.ENOSYS}
MOUNTS = {"proc": "mount -t tmpfs tmpfs /proc", "shm": "mount -t tmpfs -o ro tmpfs /dev/shm"}
PYTHON_FEATURES = {
    "o_path": "del os.O_PATH\n",
    "descriptor_paths": """
def refuse(call):
    def refusing(path, *args, **options):
        name = os.fsencode(path) if isinstance(path, (str, bytes, os.PathLike)) else b""
        if name.startswith((b"/proc/self/fd/", b"/dev/fd/")):
            raise FileNotFoundError(2, "No such file or directory", path)
        return call(path, *args, **options)
    return refusing

for name in ("open", "stat", "lstat", "chmod", "readlink", "listdir", "scandir", "utime", "listxattr", "access"):
    setattr(os, name, refuse(getattr(os, name)))
""",
}
"""What Python code of treeproof and of the reference finds on other systems: no such flag, no such paths."""
MACOS = "strace,ptrace,inotify,prctl,namespaces,memfd,proc,shm,macos,apfs,root"
"""All that a Mac lacks and has."""
FEATURES = ("strace", "ptrace", "inotify", "prctl", "namespaces", "memfd", *PYTHON_FEATURES, *MOUNTS)


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction)))


def machine_is_known() -> bool:
    """Return whether the numbers of the system calls are known for this machine."""
    return sys.platform == "linux" and platform.machine() in _CALLS


def refuse_calls(features: Sequence[str]) -> None:
    """Refuse the system calls of some features to this process and its descendants. Raises OSError."""
    numbers = _CALLS[platform.machine()]
    program = [_Instruction(_LOAD, 0, 0, _NUMBER)]
    for feature in features:
        for number in numbers[feature]:
            refusal = _ERRNO | _ERRORS.get(feature, errno.EPERM)
            program += [_Instruction(_EQUAL, 0, 1, number), _Instruction(_RETURN, 0, 0, refusal)]
    program.append(_Instruction(_RETURN, 0, 0, _ALLOW))
    array = (_Instruction * len(program))(*program)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(_Program(len(program), array)), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the filter was refused")


def _path_without(program: str, folder: str) -> str:
    """Return a PATH with all programs but one."""
    for directory in os.environ["PATH"].split(os.pathsep):
        for entry in Path(directory).iterdir() if os.path.isdir(directory) else ():
            link = Path(folder, entry.name)
            if entry.name != program and not link.is_symlink():
                link.symlink_to(entry)
    return folder


def _folding_workspace(folder: Path, mounts: contextlib.ExitStack) -> str:
    """Mount a file system that folds names, and return a path to it that begins with a link."""
    (place := folder / "private" / "tmp").mkdir(parents=True)
    mounts.enter_context(FoldingMount(place))
    place.chmod(0o1777)
    (folder / "tmp").symlink_to("private/tmp")
    folder_mode = 0o755  # also for an ordinary user
    for each in (folder, folder / "private"):
        each.chmod(folder_mode)
    return str(folder / "tmp")


def main() -> int:
    """Run the command and return its exit code."""
    features, command = sys.argv[1].split(","), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        environment = (
            {**os.environ, "PATH": _path_without("strace", folder)} if "strace" in features else {**os.environ}
        )
        if "macos" in features:
            shutil.copy(Path(__file__).with_name("macos.py"), Path(folder, "sitecustomize.py"))
            environment["PYTHONPATH"] = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        changes = [PYTHON_FEATURES[feature] for feature in features if feature in PYTHON_FEATURES]
        if changes:
            Path(folder, "sitecustomize.py").write_text("\n".join(["import os", *changes]))
            environment["PYTHONPATH"] = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        mounts = [MOUNTS[feature] for feature in features if feature in MOUNTS]
        outer: list[str] = []
        if mounts:
            script = " && ".join([*mounts, 'exec "$@"'])
            outer += ["unshare", "-rm" if os.geteuid() else "-m", "sh", "-c", script, "sh"]
        if "root" in features:
            outer += ["unshare", "-U"]
        calls = [feature for feature in features if feature in _CALLS[platform.machine()]]
        if outer and calls:  # the filter may refuse the namespaces
            outer += [sys.executable, "-I", __file__, ",".join(calls)]
        elif calls:
            refuse_calls(calls)
        with contextlib.ExitStack() as mounts_of_workspace:
            if "apfs" in features:
                environment[WORKSPACE_VARIABLE] = _folding_workspace(Path(folder), mounts_of_workspace)
            return subprocess.run([*outer, *command], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
