"""Given and Then: the candidate's system calls. Needs strace on Linux."""

from __future__ import annotations

import contextlib
import os
import re

from treeproof.api import (
    Mismatch,
    NotVerified,
    PrivateMount,
    ProcessOptions,
    Tree,
    World,
    by_path,
    count_network_attempts,
    delay_args,
    from_paths,
    given,
    parse_tree,
    subtree,
    then,
)

from .values import parse_name_list, replace_by_link

STRACE_FILTER = b"trace=%file,%desc,%network"
MUTATING_CALLS = [
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
WRITE_FLAGS = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b")
CALL_LINE = re.compile(r"^\d+ +(?:<\.\.\. )?(?P<name>\w+)")
OPEN_CALLS = ("open", "openat", "openat2", "creat")
READ_CALLS = ("read", "pread64", "readv", "preadv", "preadv2")
MESSAGE_CALLS = ("read", "write", "readv", "writev", "sendto", "sendmsg", "recvfrom", "recvmsg")
"""The calls that transfer the messages of the protocol: a path in a message is no access."""
SWAP_DELAY_MICROSECONDS = 500_000


@given("system calls are traced", needs="strace")
def traced(world: World) -> None:
    """Trace the system calls of the candidate's process during the following calls."""
    world.faults.strace_args = (b"-e", STRACE_FILTER)


def traced_calls(world: World, require_root: bool = True) -> list[tuple[str, str]]:
    """Return name and text of every traced call; raises NotVerified if the trace does not show the root."""
    if require_root and not any(world.sandbox.placeholders["$ROOT"] in line for line in world.faults.trace_lines):
        raise NotVerified("not_observed", "the trace does not show that the candidate touched the sandbox root")
    found = ((CALL_LINE.match(line), line) for line in world.faults.trace_lines)
    return [(match["name"], line) for match, line in found if match]


@then("no system call changed the file system")
def nothing_changed(world: World) -> None:
    """Require that no system call wrote below the folder that contains the sandbox root."""
    place = world.sandbox.placeholders["$OUTSIDE"]
    wrong = [
        line
        for name, line in traced_calls(world)
        if place in line and (name in MUTATING_CALLS or (name in OPEN_CALLS and WRITE_FLAGS.search(line)))
    ]
    if wrong:
        raise Mismatch("a system call changes the file system", got="\n".join(wrong[:5]))


@then(r'no system call named "(?P<text>.+)"', example='no system call named "secret"')
def none_named(world: World, text: str) -> None:
    """Require that no argument of a system call contains the text."""
    wrong = [line for name, line in traced_calls(world) if text in line and name not in MESSAGE_CALLS]
    if wrong:
        raise Mismatch(f"a system call names {text}", got="\n".join(wrong[:5]))


@then(r'no system call opened "(?P<text>.+)"', example='no system call opened "precious"')
def none_opened(world: World, text: str) -> None:
    """Require that nothing was opened whose path contains the text."""
    wrong = [line for name, line in traced_calls(world) if name in OPEN_CALLS and text in line and "O_PATH" not in line]
    if wrong:
        raise Mismatch(f"a system call opened {text}", got="\n".join(wrong[:5]))


@then(r'no system call read "(?P<text>.+)"', example='no system call read "Kept"')
def none_read(world: World, text: str) -> None:
    """Require that nothing that was read contains the text; it begins within the 32 bytes that a trace shows."""
    wrong = [line for name, line in traced_calls(world) if name in READ_CALLS and text in line]
    if wrong:
        raise Mismatch(f"a system call reads {text}", got="\n".join(wrong[:5]))


@then("no system call opened a network socket")
def no_network(world: World) -> None:
    """Require that no system call used an Internet address family."""
    wrong = [
        line for name, line in traced_calls(world) if name in ("socket", "connect", "sendto") and "AF_INET" in line
    ]
    if wrong:
        raise Mismatch("a system call uses the network", got="\n".join(wrong[:5]))


@given("the candidate's process has no network", needs="namespaces")
def without_network(world: World) -> None:
    """Use a new process of the candidate in its own network namespace."""
    world.session.require_facility("namespaces")
    world.use_process(ProcessOptions(has_own_network=True))


@then("the same call again sends nothing that the kernel counts", needs="namespaces")
def sends_nothing(world: World) -> None:
    """Repeat the call, untraced, and require that its process has sent nothing in its network.

    The kernel does not show the network of a candidate with one process per message; then nothing is required.
    """
    process = world.own_process()
    if process is None or process.pid is None:
        return
    before = count_network_attempts(process.pid)
    world.session.call(world.log.calls[-1], process)
    after = count_network_attempts(process.pid) if process.pid is not None else None
    if before is not None and after is not None and after > before:
        raise Mismatch("a call uses the network", got=f"packets: {after - before}")


@given(
    r'"(?P<name>.+)" becomes a link to "(?P<target>.+)" while it is being opened',
    example='"d" becomes a link to "../root2" while it is being opened',
    needs="strace",
)
def swapped(world: World, name: str, target: str) -> None:
    """Replace a directory by a link after the candidate examines it and before it opens it."""
    world.require_own_root()
    directory = os.path.join(world.sandbox.root, os.fsencode(parse_name_list(name)[0]))
    moved_away = os.path.join(world.sandbox.add_root("swapped"), b"aside")
    world.faults.strace_args = delay_args(
        os.fsencode(parse_name_list(name)[0]), world.sandbox.root, SWAP_DELAY_MICROSECONDS
    )

    def swap() -> None:
        # Only the opening is delayed, not the check before it.
        with contextlib.suppress(OSError):  # the candidate may have removed it
            replace_by_link(directory, target, moved_away)

    world.faults.race = f'"{name}" becomes a link to "{target}"'
    world.faults.on_delay = swap


@then(r'"(?P<name>.+)" has become a link', example='"d" has become a link')
def has_become_a_link(world: World, name: str) -> None:
    """Without a verdict if the candidate opened the directory before the replacement, or did not open it at all."""
    path = os.path.join(world.sandbox.root, os.fsencode(parse_name_list(name)[0]))
    if not (os.path.islink(path) and world.faults.injected_count) or _was_opened(world, path):
        raise NotVerified("race_not_met", "the directory was not replaced while the candidate was opening it")


def _was_opened(world: World, directory: bytes) -> bool:
    """Return whether a call opened the directory itself; strace shows the path of each new descriptor."""
    result = f"<{os.fsdecode(directory)}>"
    return any(
        "open" in line and result in line.rpartition(" = ")[2] and "O_PATH" not in line
        for line in world.faults.trace_lines
    )


@given(
    r'"(?P<source>.+)" is bind-mounted on "(?P<target>.+)" for the candidate\'s process',
    example='"a" is bind-mounted on "a/b" for the candidate\'s process',
)
def bind_mounted(world: World, source: str, target: str) -> None:
    """Use a new process of the candidate in its own mount namespace."""
    [name], root = parse_name_list(source), world.sandbox.root
    _mount(world, os.path.join(root, os.fsencode(name)), target, subtree(world.sandbox.tree, os.fsencode(name)))


@given(
    r'"(?P<target>.+)" is for the candidate\'s process another file system with the tree "(?P<notation>.*)"',
    example='"m" is for the candidate\'s process another file system with the tree "a, d/{x}"',
)
def other_file_system_mounted(world: World, target: str, notation: str) -> None:
    """Build the tree on another file system, and use a new process of the candidate that sees it in the directory."""
    tree, source = parse_tree(notation), world.sandbox.add_root("mounted")
    world.sandbox.build(tree, source)
    _mount(world, source, target, tree, is_copy=True)


def _mount(world: World, source: bytes, target: str, mounted: Tree, *, is_copy: bool = False) -> None:
    world.session.require_facility("namespaces")
    place = os.fsencode(parse_name_list(target)[0])
    mount = PrivateMount(source, os.path.join(world.sandbox.root, place), is_copy)
    world.use_process(ProcessOptions(mount=mount))
    below = {place + b"/" + path: node for path, node in by_path(mounted).items()}
    world.sandbox.tree = from_paths({**by_path(world.sandbox.tree), **below})
