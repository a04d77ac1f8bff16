"""Given and When: faults during a call: other file systems, errors, full disks, a killed process, other writers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace

from treeproof.api import (
    CONTENT_CALLS,
    RENAME_OR_LINK_CALLS,
    UNLINK_CALLS,
    NotApplicable,
    NotVerified,
    PrivateMount,
    ProcessOptions,
    World,
    delay_args,
    failure_args,
    given,
    parent_without_links,
    parse_tree,
    when,
)

from ..shared.values import parse_name_list, replace_by_link

RENAME_DELAY_MICROSECONDS = 500_000

FLUSH_CALLS = ("fsync", "fdatasync", "syncfs", "sync_file_range")
"""System calls that write what is in memory to the disk, and report an error of the disk."""

FALLBACK_ERRORS = {"copy_file_range": "EXDEV", "sendfile": "EINVAL", "splice": "EINVAL"}
"""System calls that transfer a file without reading it, and the errors after which programs read it instead."""


class LinksOnTheWay:
    """Whether a candidate takes paths that lead from a root into another by a link. Two calls show it for a run."""

    def __init__(self, _session: object) -> None:
        self._refused: bool | None = None

    def are_refused(self, world: World) -> bool:
        """Return whether a move into a directory succeeds, and one into another root, by a link to it, does not."""
        if self._refused is None:
            self._refused = self._moves(world, "d/b") and not self._moves(world, "far/b")
        return self._refused

    def _moves(self, world: World, destination: str) -> bool:
        arguments = f'{{"source": "a", "destination": "{destination}"}}'
        root, other = (world.sandbox.add_root(label) for label in ("control", "control of a second root"))
        world.sandbox.build(parse_tree('a="A", d/'), root)
        os.symlink(other, os.path.join(root, b"far"))
        call = world.call_builder.build_default("move", arguments, root)
        roots = [os.fsdecode(path) for path in (root, other)]
        return world.session.call(replace(call, context={**call.context, "roots": roots})).status == "ok"


@given(
    r'at \$FAR, on another file system, the tree "(?P<notation>.*)"',
    example='at $FAR, on another file system, the tree "b"',
    tree="notation",
    capabilities="roots",
)
def a_second_root(world: World, notation: str) -> None:
    """Build a second sandbox root on another file system; this step must precede the tree.

    Does not apply to a candidate that takes no path by a link into another root: a link leads to the second one.
    """
    world.session.require_tool("move")
    if world.session.shared(LinksOnTheWay).are_refused(world):
        raise NotApplicable("a link leads to the second root, and the candidate takes no such path (AMB-FO-48)")
    world.sandbox.build(parse_tree(notation), world.sandbox.roots.make_second_root())
    world.call_builder.context["roots"] = ["$ROOT", "$FAR"]


@given(
    r"flushing to the disk fails with (?P<error>E[A-Z]+)",
    example="flushing to the disk fails with EIO",
    needs="strace",
)
def flushing_fails(world: World, error: str) -> None:
    """Let every system call fail that flushes a file to the disk."""
    names = ",".join(f"?{call}" for call in FLUSH_CALLS)
    injection = failure_args(FLUSH_CALLS, f"error={error}", (), world.sandbox.root)
    world.faults.strace_args = (*world.faults.strace_args, b"-e", f"trace={names}".encode(), *injection)


def _encode_names(world: World, listed: str) -> list[bytes]:
    return [os.fsencode(name) for name in parse_name_list(listed)]


@given(
    r'renaming "(?P<name>.+)" fails with (?P<error>E[A-Z]+)',
    example='renaming "a" fails with EXDEV',
    needs="strace",
)
def renaming_fails(world: World, name: str, error: str) -> None:
    """Let every system call fail that renames this item."""
    world.faults.strace_args = (
        *world.faults.strace_args,
        *failure_args(RENAME_OR_LINK_CALLS, f"error={error}", _encode_names(world, name), world.sandbox.root),
    )
    world.faults.is_required = world.faults.may_be_without_effect = True


@given(
    r'deleting "(?P<name>.+)" fails with (?P<error>E[A-Z]+)',
    example='deleting "a" fails with EIO',
    needs="strace",
)
def deleting_fails(world: World, name: str, error: str) -> None:
    """Let every system call fail that deletes this name."""
    world.faults.strace_args = (
        *world.faults.strace_args,
        *failure_args(UNLINK_CALLS, f"error={error}", _encode_names(world, name), world.sandbox.root),
    )
    world.faults.is_required = world.faults.may_be_without_effect = True


@given(
    r'reading "(?P<name>.+)" fails half way with (?P<error>E[A-Z]+)',
    example='reading "a" fails half way with EIO',
    needs="strace",
)
def reading_fails(world: World, name: str, error: str) -> None:
    """Let reading fail after the first part of the content."""
    world.faults.strace_args = (*world.faults.strace_args, *_half_way_args(world, name, f"error={error}"))
    world.faults.uncounted_errors = tuple(set(FALLBACK_ERRORS.values()))
    world.faults.is_required = world.faults.may_be_without_effect = True


def _half_way_args(world: World, name: str, injection: str) -> tuple[bytes, ...]:
    """Return strace's arguments that inject ``injection`` when a file is read for the second time.

    Calls that transfer a whole file at once fail with the errors after which programs read it instead.
    """
    names, root = _encode_names(world, name), world.sandbox.root
    read_calls = tuple(call for call in CONTENT_CALLS if call not in FALLBACK_ERRORS)
    args = [*failure_args(read_calls, injection, names, root, after=1)]
    for call, error in FALLBACK_ERRORS.items():
        args += failure_args((call,), f"error={error}", names, root)
    return tuple(args)


@given(r"no file grows beyond (?P<kib>\d+) KiB", example="no file grows beyond 64 KiB")
def bounded_files(world: World, kib: str) -> None:
    """Limit the file size of the candidate's process; writing more fails with EFBIG."""
    script = 'trap "" XFSZ; ulimit -f "$1" || exit 1; shift; exec "$@"'
    # CPython replaces a cached module by what it could write of it: the next process that imports it would break.
    env = {"PYTHONDONTWRITEBYTECODE": "1"}
    world.use_process(ProcessOptions(env=env, command_prefix=("sh", "-c", script, "sh", str(2 * int(kib)))))
    world.faults.may_be_without_effect = True


@given(
    r'"(?P<name>.+)" is a file system of (?P<kib>\d+) KiB with the tree "(?P<notation>.*)"',
    example='"far" is a file system of 64 KiB with the tree "b"',
    tree="notation",
    needs="namespaces",
)
def small_file_system(world: World, name: str, kib: str, notation: str) -> None:
    """Mount a small file system for the candidate's process only."""
    world.session.require_facility("namespaces")
    mount_point = os.path.join(world.sandbox.root, _encode_names(world, name)[0])
    # Filled before the process starts: what a running candidate could replace by a link is no place to write to.
    source = world.sandbox.add_root("mounted")
    world.sandbox.build(parse_tree(notation), source)
    world.use_process(ProcessOptions(mount=PrivateMount(source, mount_point, is_copy=True, kib=int(kib))))
    process = world.own_process()
    if process is None or process.pid is None:
        raise NotVerified(
            "no_persistent_process",
            "the candidate has no process between two messages that could keep a mount",
        )
    # Only this process sees the mounted file system.
    world.effects.mount_namespace_root = b"/proc/%d/root" % process.pid


@when(
    r'(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\}) and killed half way through reading "(?P<name>.+)"',
    example='move is called with {"source": "a"} and killed half way through reading "a"',
    role="call",
    needs="strace",
)
def killed(world: World, tool: str, arguments: str, name: str) -> None:
    """Kill the candidate's process during the call; there is no call result."""
    world.faults.may_be_without_effect = True
    world.send_and_kill(world.call_builder.build(tool, arguments), _half_way_args(world, name, "signal=SIGKILL"))


@given(
    r'somebody makes "(?P<name>.+)" with the content "(?P<content>.*)" while "(?P<source>.+)" is renamed',
    example='somebody makes "b" with the content "N" while "a" is renamed',
    needs="strace",
)
def appears(world: World, name: str, content: str, source: str) -> None:
    """Create a file between the candidate's last check and the rename."""
    path = os.path.join(world.sandbox.root, _encode_names(world, name)[0])

    def make() -> None:
        with parent_without_links(path) as (directory, entry):
            file = os.open(entry, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=directory)
            os.write(file, content.encode())
            os.close(file)

    world.faults.race = f'somebody makes "{name}"'
    _run_during_rename(world, source, make)


@given(
    r'"(?P<name>.+)" becomes a link to "(?P<target>.+)" while "(?P<source>.+)" is renamed',
    example='"d" becomes a link to "../o" while "a" is renamed',
    needs="strace",
)
def becomes_a_link(world: World, name: str, target: str, source: str) -> None:
    """Replace a directory by a link between the candidate's last check and the rename."""
    world.require_own_root()
    path = os.path.join(world.sandbox.root, _encode_names(world, name)[0])
    moved_away = os.path.join(world.sandbox.add_root("swapped"), b"aside")

    world.faults.race = f'"{name}" becomes a link to "{target}"'
    _run_during_rename(world, source, lambda: replace_by_link(path, target, moved_away))


def _run_during_rename(world: World, source: str, change: Callable[[], object]) -> None:
    (name,) = _encode_names(world, source)
    world.faults.strace_args = (
        *world.faults.strace_args,
        *delay_args(name, world.sandbox.root, RENAME_DELAY_MICROSECONDS, RENAME_OR_LINK_CALLS),
    )
    world.faults.is_required = True

    def change_tree() -> None:
        # Only the renaming is delayed, not the checks before it.
        with contextlib.suppress(OSError):  # the candidate may have changed what the change is about
            change()

    world.faults.on_delay = change_tree
