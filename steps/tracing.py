"""Given and Then: what only a trace of the candidate's system calls shows. Linux with strace; else not verified."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time

from pytest_bdd import given, then

from treeproof.candidate import Launch
from treeproof.run.world import World
from treeproof.tree import delay
from treeproof.verdict import Mismatch, NotVerified

from .words import names, sentence

FAMILIES = b"trace=%file,%desc,%network"
CHANGES = [
    "chmod",
    "chown",
    "creat",
    "fallocate",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "fchown",
    "fchownat",
    "fremovexattr",
    "fsetxattr",
    "ftruncate",
    "futimesat",
    "lchown",
    "link",
    "linkat",
    "lremovexattr",
    "lsetxattr",
    "mkdir",
    "mkdirat",
    "mknod",
    "mknodat",
    "removexattr",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "setxattr",
    "symlink",
    "symlinkat",
    "truncate",
    "unlink",
    "unlinkat",
    "utime",
    "utimensat",
    "utimes",
]
WRITING = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b")
CALL = re.compile(r"^\d+ +(?:<\.\.\. )?(?P<name>\w+)")
OPENERS = ("open", "openat", "openat2", "creat")
TALK = ("read", "write", "readv", "writev", "sendto", "sendmsg", "recvfrom", "recvmsg")
"""How the question itself comes in and the answer goes out: what is named there is no access."""
SWAP_MICROSECONDS = 500_000


@given("system calls are traced")
def traced(world: World) -> None:
    """Given system calls are traced: those of the following calls, in a process of the candidate.

    Needs: strace
    """
    world.strace = (b"-e", FAMILIES)


def lines(world: World, tree_root: bool = True) -> list[tuple[str, str]]:
    """Return name and text of every traced call; raises NotVerified when the trace does not even show the root."""
    if tree_root and not any(world.names["$ROOT"] in line for line in world.trace):
        raise NotVerified("the trace does not show that the candidate touched the sandbox root")
    found = ((CALL.match(line), line) for line in world.trace)
    return [(match["name"], line) for match, line in found if match]


@then("no system call changed the file system")
def nothing_changed(world: World) -> None:
    """Then no system call changed the file system: none that writes, below the folder that holds the sandbox root."""
    place = world.names["$OUTSIDE"]
    wrong = [
        line
        for name, line in lines(world)
        if place in line and (name in CHANGES or (name in OPENERS and WRITING.search(line)))
    ]
    if wrong:
        raise Mismatch(
            "a system call changes the file system", expected="no such call", got="\n".join(wrong[:5])
        )


@then(sentence(r'no system call named "(?P<text>.+)"'))
def none_named(world: World, text: str) -> None:
    """Then no system call named "secret": the text occurs in no argument of a call."""
    wrong = [line for name, line in lines(world) if text in line and name not in TALK]
    if wrong:
        raise Mismatch(f"a system call names {text}", expected="no such call", got="\n".join(wrong[:5]))


@then(sentence(r'no system call opened "(?P<text>.+)"'))
def none_opened(world: World, text: str) -> None:
    """Then no system call opened "precious": nothing whose name holds this text was opened."""
    wrong = [line for name, line in lines(world) if name in OPENERS and text in line and "O_PATH" not in line]
    if wrong:
        raise Mismatch(f"{text} was opened", expected="no such call", got="\n".join(wrong[:5]))


@then("no system call opened a network socket")
def no_network(world: World) -> None:
    """Then no system call opened a network socket: none of the Internet's address families."""
    wrong = [
        line for name, line in lines(world) if name in ("socket", "connect", "sendto") and "AF_INET" in line
    ]
    if wrong:
        raise Mismatch("a system call uses the network", expected="no such call", got="\n".join(wrong[:5]))


@given("the candidate's process has no network")
def without_network(world: World) -> None:
    """Given the candidate's process has no network: a fresh process in a network namespace of its own.

    Needs: namespaces
    """
    why = world.session.machine.why_not("namespaces")
    if why is not None:
        raise NotVerified(f"needs namespaces: {why}")
    world.relaunch(Launch(prefix=("unshare", "-rn", "--")))


@given(sentence(r'"(?P<name>.+)" becomes a link to "(?P<target>.+)" while it is being opened'))
def swapped(world: World, name: str, target: str) -> None:
    """Given "d" becomes a link to "../root2" while it is being opened: between a look at it and its opening.

    Needs: strace
    """
    victim = os.path.join(world.root, os.fsencode(names(name)[0]))
    aside = os.path.join(world.another("swapped"), b"aside")
    world.strace = delay(os.fsencode(names(name)[0]), world.root, SWAP_MICROSECONDS)

    def swap() -> None:
        # The look comes at once, the opening waits: half-way the directory goes and the link comes.
        time.sleep(SWAP_MICROSECONDS / 2_000_000)
        # A candidate that opens nothing has answered by then, and the tree is gone.
        with contextlib.suppress(FileNotFoundError):
            os.rename(victim, aside)
            os.symlink(os.fsencode(target), victim)

    world.once_attached = threading.Thread(target=swap, daemon=True).start


@then(sentence(r'"(?P<name>.+)" has become a link'))
def has_become_a_link(world: World, name: str) -> None:
    """Then "d" has become a link: the harness itself changed the tree while the opening waited.

    Role: state
    """
    if not os.path.islink(os.path.join(world.root, os.fsencode(names(name)[0]))) or not world.injected:
        raise NotVerified("the directory was not opened while it was being replaced")


@given(sentence(r'"(?P<source>.+)" is bind-mounted on "(?P<target>.+)" for the candidate\'s process'))
def bind_mounted(world: World, source: str, target: str) -> None:
    """Given "." is bind-mounted on "m" for the candidate's process: in a mount namespace of its own."""
    why = world.session.machine.why_not("namespaces")
    if why is not None:
        raise NotVerified(f"needs namespaces: {why}")
    places = [os.path.normpath(os.path.join(world.root, os.fsencode(names(n)[0]))) for n in (source, target)]
    script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    world.relaunch(Launch(prefix=("unshare", "-rm", "sh", "-c", script, "sh", *map(os.fsdecode, places))))
