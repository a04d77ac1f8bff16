"""The container engine: podman or docker. Its commands are short, bounded in time, and no candidate's output."""

import functools
import os
import re
import resource
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from treeproof.candidate import CandidateFault, UsageError, format_untrusted

from .guard import Guard

_SECONDS = 60.0
"""How long a command of the engine may take."""
_NAME_BYTES = 8
_PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")
_PRIVATE_BYTES = 512 << 20  # of each
_NO_PROGRAM = re.compile(r"executable file .*not found|no such file or directory|not a directory|is a directory", re.I)
_REFUSED_LIMIT = re.compile(r"rlimit|ulimit", re.I)


class EngineRefusal(Exception):
    """A command of the engine has failed; the message is the last line of its stderr, bounded and escaped."""


class Engine:
    """An engine on this machine. ``runtime`` is the OCI runtime of podman, "" for its default."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.name = os.path.basename(program)
        self.is_podman = self.name == "podman"
        self.runtime = ""
        self._guard = Guard()

    @property
    def command(self) -> tuple[str, ...]:
        """The start of each command line."""
        return (self.program, *(("--runtime", self.runtime) if self.runtime else ()))

    @functools.cached_property
    def user(self) -> str:
        """The user of a container to whom the trees belong, as ``uid:gid``."""
        # Without root, podman and a rootless docker give the user's own id to the root of a container.
        if self.is_podman or "rootless" in self.run("info", "--format", "{{.SecurityOptions}}"):
            return "0:0"
        return f"{os.getuid()}:{os.getgid()}"

    def run(self, *arguments: str, text: str = "") -> str:
        """Return the stdout of a command that gets ``text`` on stdin. Raises EngineRefusal."""
        try:
            ended = subprocess.run(
                [*self.command, *arguments],
                input=os.fsencode(text),
                capture_output=True,
                timeout=_SECONDS,
                check=False,
                process_group=0,  # Ctrl-C on a terminal must not end it half way
            )
        except subprocess.TimeoutExpired:
            raise EngineRefusal(f"{self.name} {arguments[0]} did not end within {_SECONDS:g} s") from None
        except OSError as problem:
            raise EngineRefusal(f"{self.program} cannot be run: {problem.strerror}") from None
        if ended.returncode != 0:
            lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
            words = [line for line in lines if line.strip() and not line.startswith(("time=", "See '"))]
            raise EngineRefusal(
                format_untrusted(words[-1].removeprefix("Error: ") if words else f"exit code {ended.returncode}", 400)
            )
        return ended.stdout.decode("utf-8", "replace")

    def create(self, name: str, options: Sequence[str], variables: str, start: Sequence[str], shown: str) -> int | None:
        """Make the container ``name``, and return the id of its waiting process; None if only a start makes one.

        ``shown`` names the image in messages. Raises CandidateFault ``start``. The usual runtime of podman may be
        refused by the host; then runc is tried.
        """
        self._guard.add(self.command, name)
        try:
            return self._create(name, options, variables, start)
        except EngineRefusal as refusal:
            if self.runtime or not self.is_podman or _NO_PROGRAM.search(str(refusal)) or not shutil.which("runc"):
                raise self._fault(refusal, start[1], shown) from None
        self.remove(name)
        self.runtime = "runc"
        self._guard.add(self.command, name)
        try:
            return self._create(name, options, variables, start)
        except EngineRefusal as refusal:
            raise self._fault(refusal, start[1], shown) from None

    def _create(self, name: str, options: Sequence[str], variables: str, start: Sequence[str]) -> int | None:
        self.run("create", "--name", name, *self._base_options(), *options, *start, text=variables)
        if not self.is_podman:
            return None
        self.run("init", name)
        return self.process_of(name)

    def process_of(self, name: str) -> int | None:
        """Return the id of the first process of a container; None if none runs. Raises EngineRefusal."""
        text = self.run("inspect", "--format", "{{.State.Pid}}", name).strip()
        return int(text) if text.isdigit() and text != "0" else None

    def remove(self, name: str) -> None:
        """End and remove a container, within a bounded time; what is left then is for the guard."""
        try:
            self.run("rm", "--force", "--volumes", *(("--time", "0", "--ignore") if self.is_podman else ()), name)
        except EngineRefusal:
            return
        self._guard.discard(name)

    def _base_options(self) -> tuple[str, ...]:
        options = ["--pull", "never", "--interactive", "--network", "none", "--log-driver", "none", "--no-healthcheck"]
        options += ["--cap-drop", "all", "--security-opt", "no-new-privileges", "--security-opt", "label=disable"]
        options += ["--user", self.user, "--env-file", "/dev/stdin"]
        # Mounted in the container alone: a mount ends when somebody removes its directory where the host shows it.
        for place in _PRIVATE:
            options += ["--tmpfs", f"{place}:rw,exec,mode=1777,size={_PRIVATE_BYTES}"]
        if self.is_podman:
            options.append("--http-proxy=false")
        # The engine's defaults can be above what it may set itself; podman limits its own processes to the greatest id.
        greatest = [_greatest_process_id()] if self.is_podman else []
        processes = [*resource.getrlimit(resource.RLIMIT_NPROC), *greatest]
        for name, limits in (("nofile", [*resource.getrlimit(resource.RLIMIT_NOFILE)]), ("nproc", processes)):
            if finite := [limit for limit in limits if limit != resource.RLIM_INFINITY]:
                options += ["--ulimit", f"{name}={min(finite)}:{min(finite)}"]
        return tuple(options)

    def _fault(self, refusal: EngineRefusal, program: str, image: str) -> CandidateFault:
        program, image = format_untrusted(program, 100), format_untrusted(image, 100)
        if _NO_PROGRAM.search(str(refusal)):
            detail = f"the image {image} has no program '{program}' (or no interpreter of it)"
            return CandidateFault("start", f"{detail}; name one that it contains: {refusal}")
        remedy = f"; lower the limits of the shell (ulimit -n, ulimit -u), or let {self.name} raise them"
        if not _REFUSED_LIMIT.search(str(refusal)):
            remedy = f"; try {self.name} run {image}"
        return CandidateFault("start", f"{self.name} cannot start the image {image}: {refusal}{remedy}")


def _greatest_process_id() -> int:
    try:
        return int(Path("/proc/sys/kernel/pid_max").read_text("ascii"))
    except (OSError, ValueError):
        return resource.RLIM_INFINITY


def new_name() -> str:
    """Return a name for a container, which nobody can guess."""
    return f"treeproof-{secrets.token_hex(_NAME_BYTES)}"


def find_engine(where: str) -> Engine:
    """Return podman or docker, whichever is installed, podman first. Raises UsageError, which begins with ``where``."""
    program = shutil.which("podman") or shutil.which("docker")
    if program is None:
        raise UsageError(f"{where}: there is no container engine on the PATH; install podman or docker")
    return _engine(program)


@functools.cache
def _engine(program: str) -> Engine:
    return Engine(program)
