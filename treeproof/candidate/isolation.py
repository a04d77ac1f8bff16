"""Confines the processes of a candidate with bubblewrap: ``treeproof run --isolate``. Linux only.

Contains the command line, the limits and the check of the host. The candidate sees the system, its own folder and its
program, all read-only. It can write to the trees of the run and to private directories for temporary files. It has no
network and sees no other process. What other users may not read in /etc is hidden, because a candidate of root is root.
"""

import functools
import os
import pwd
import resource
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import treeproof
from treeproof.candidate.privileges import make_preexec_fn
from treeproof.systems import is_linux

MAX_TASKS = 500
"""Processes and threads of one process of a candidate, together with those that it has started."""
MAX_MEMORY_BYTES = 4 << 30
"""Memory of all these processes together."""
_MAX_DATA_BYTES = 2 << 30  # of each process
_MAX_FILE_BYTES = 256 << 20
_MAX_PRIVATE_BYTES = 512 << 20  # of each private directory

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store")
_KERNEL_SETTINGS = tuple(f"/proc/{name}" for name in ("acpi", "bus", "fs", "irq", "mtrr", "pressure", "sys"))
_KERNEL_SECRETS = tuple(f"/proc/{name}" for name in ("kcore", "keys", "kmsg", "sysrq-trigger", "timer_list"))
_PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")
_EXISTING = (*_PRIVATE, "/", "/proc", "/dev")
_TOO_BROAD = (
    "/",
    "/dev",
    "/dev/shm",
    "/etc",
    "/home",
    "/mnt",
    "/proc",
    "/run",
    "/srv",
    "/sys",
    "/tmp",
    "/var",
    "/var/tmp",
)
_PROGRAM_FOLDERS = ("bin", "shims")  # beside them is what their programs need
_SEARCH_PATHS = ("PYTHONPATH", "NODE_PATH", "CLASSPATH", "JAVA_HOME", "GOROOT", "RUBYLIB", "GEM_PATH", "PERL5LIB")
_VARIABLES = (*_SEARCH_PATHS, "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "VIRTUAL_ENV")
_PROBE_SECONDS = 20.0
_UNSHARE = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try")
_MAX_LINKS = 40


@dataclass(frozen=True)
class Isolation:
    """The places in which an isolated candidate may write: the workspaces of the run."""

    writable: tuple[Path, ...] = ()

    def command(
        self, argv: Sequence[str], folder: str, cwd: str, *, folders: Iterable[Path], env: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Return the command line of bubblewrap, without that of the candidate, ``argv``, which starts in ``cwd``.

        Readable are ``folders``, the program and the files that ``argv`` names from ``folder``. Raises RuntimeError
        where `isolation_problem` finds one.
        """
        base = _find_base_command()
        if isinstance(base, str):
            raise RuntimeError(base)
        words = [*base]
        for place in _readable_places(argv, folder, folders, env):
            if not _is_below(place, map(str, self.writable)):
                words += ["--ro-bind", place, place]
        for workspace in self.writable:
            words += ["--bind", str(workspace), str(workspace)]
        for directory in (cwd, env.get("HOME", "")):  # it exists, and is empty unless it is readable
            if os.path.isdir(directory) and directory not in _EXISTING and not _is_below(directory, _SYSTEM):
                words += ["--dir", directory]
        return (*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", cwd, "--")


def isolated_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that an isolated candidate inherits: no secret of the user is among them."""
    kept = {name: value for name, value in environment.items() if name in _VARIABLES or name.startswith("LC_")}
    return kept | {"TMPDIR": "/tmp"}


def limit_resources() -> None:
    """Limit memory and file size of this process and of those that it starts; called between fork and exec."""
    for limit, wanted in (
        (resource.RLIMIT_DATA, _MAX_DATA_BYTES),
        (resource.RLIMIT_FSIZE, _MAX_FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(limit)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(limit, (value, value))


def isolation_problem() -> str | None:
    """Return why candidates cannot be isolated on this host, None if they can."""
    base = _find_base_command()
    return base if isinstance(base, str) else None


@functools.cache
def _find_base_command() -> tuple[str, ...] | str:
    """Return the part of the command line that is equal for all candidates, or why there is none."""
    program = shutil.which("bwrap")
    if not is_linux():
        return "bubblewrap is a program for Linux"
    if program is None:
        return "bubblewrap (bwrap) is not installed"
    # A user namespace takes all rights over the host, also from root; without one, only root can use the others.
    problem = ""
    for namespaces in (("--unshare-user", "--disable-userns", *_UNSHARE), ("--unshare-user", *_UNSHARE), _UNSHARE):
        command = (program, *namespaces, *_base_options(program))
        refusal = _try_command((*command, "--remount-ro", "/dev", "--remount-ro", "/", "--", "true"))
        if refusal is None:
            return command
        problem = problem or refusal
    return problem


def _base_options(program: str) -> Iterator[str]:
    sized = b"--size" in subprocess.run([program, "--help"], capture_output=True, check=False).stdout
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
    for place in _SYSTEM:
        if os.path.islink(place):
            yield from ("--symlink", os.readlink(place), place)
        elif os.path.isdir(place):
            yield from ("--ro-bind", place, place)
    for path, is_directory in _private_entries("/etc") if os.geteuid() == 0 else ():
        yield from ("--tmpfs", path, "--remount-ro", path) if is_directory else ("--ro-bind", os.devnull, path)
    yield from ("--proc", "/proc", "--dev", "/dev")
    for path in filter(os.path.exists, _KERNEL_SETTINGS):  # root may write some of them without any capability
        yield from ("--ro-bind", path, path)
    for path in filter(os.path.exists, _KERNEL_SECRETS):
        yield from ("--ro-bind", os.devnull, path)
    for place in _PRIVATE:
        yield from (("--size", str(_MAX_PRIVATE_BYTES)) if sized else ())
        yield from ("--tmpfs", place)


def _private_entries(directory: str) -> Iterator[tuple[str, bool]]:
    """Yield the files and directories below a directory that other users may not read, and whether each is one."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode) and mode & 0o005 == 0o005:
            yield from _private_entries(entry.path)
        elif stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not mode & 0o004):
            yield entry.path, stat.S_ISDIR(mode)


def _try_command(command: Sequence[str]) -> str | None:
    """Run a command as a candidate is run; return the problem, None if it has succeeded."""
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
            preexec_fn=make_preexec_fn(),
            cwd="/",
        )
    except (OSError, subprocess.SubprocessError) as refusal:
        return f"bubblewrap cannot be started: {refusal}"
    if ended.returncode == 0:
        return None
    lines = ended.stderr.decode("utf-8", "replace").strip().split("\n")
    return f"bubblewrap cannot isolate a process here: {lines[-1][:200] or f'exit code {ended.returncode}'}"


# ---- readable places ------------------------------------------------------------------------------------------------


def _readable_places(
    argv: Sequence[str], folder: str, folders: Iterable[Path], env: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the directories and files that a candidate needs: its folders, its program, this interpreter."""
    found = [str(place) for place in (*folders, *_own_places())]
    found += [place for name in _SEARCH_PATHS for place in env.get(name, "").split(os.pathsep)]
    found += _program_places(argv[0], folder, env)
    found += [path for word in argv[1:] if os.path.exists(path := os.path.join(folder, word))]
    existing = (os.path.normpath(place) for place in found if place.startswith("/") and os.path.exists(place))
    places: list[str] = []
    for place in sorted({place for place in existing if not _is_too_broad(place)}):
        if not _is_below(place, (*places, *_SYSTEM)):
            places.append(place)
    return tuple(places)


def _own_places() -> Iterator[Path]:
    """Yield the interpreter and the package of treeproof, which serves Python candidates."""
    yield from map(Path, (sys.prefix, sys.base_prefix, *treeproof.__path__))


def _program_places(program: str, cwd: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield the installation of a program, and those of the programs to which its links lead."""
    path = os.path.join(cwd, program) if "/" in program else shutil.which(program, path=env.get("PATH"))
    for _ in range(_MAX_LINKS):
        if path is None:
            return
        folder = os.path.dirname(path)
        prefix = os.path.dirname(folder) if os.path.basename(folder) in _PROGRAM_FOLDERS else folder
        for place in (prefix, os.path.realpath(prefix)):
            yield path if _is_too_broad(place) else place
        path = os.path.join(folder, os.readlink(path)) if os.path.islink(path) else None


def _is_too_broad(place: str) -> bool:
    """Return whether a directory holds more than one candidate: the home of the user, or a part of the system."""
    if not os.path.isdir(place):
        return False
    real = os.path.realpath(place)
    homes = map(os.path.realpath, (os.path.expanduser("~"), pwd.getpwuid(os.getuid()).pw_dir))
    return place in _TOO_BROAD or real in _TOO_BROAD or any(_is_below(home, (real,)) for home in homes)


def _is_below(path: str, directories: Iterable[str]) -> bool:
    return any(path == directory or path.startswith(directory.rstrip("/") + "/") for directory in directories)


# ---- processes ------------------------------------------------------------------------------------------------------


def count_tasks(pids: Iterable[int]) -> tuple[int, int]:
    """Return the number of tasks (processes and threads) and the memory in bytes of processes, as far as they run."""
    tasks = memory = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
            tasks += int(fields[17])
            memory += int(fields[21]) * resource.getpagesize()
        except (OSError, IndexError, ValueError):  # it has ended
            continue
    return tasks, memory
