"""Given and When: what goes wrong while a call is at work: other file systems, refusals, full disks, death, others."""

from __future__ import annotations

import contextlib
import os
import threading
import time

from pytest_bdd import given, when

from treeproof.api import (
    CONTENT_CALLS,
    RENAME_OR_LINK_CALLS,
    UNLINK_CALLS,
    CannotBuild,
    NotVerified,
    ProcessOptions,
    World,
    build_tree,
    delay_args,
    failure_args,
    parse_tree,
)

from ..shared.values import parse_name_list, step_pattern

RENAME_DELAY_MICROSECONDS = 500_000


@given(step_pattern(r'at \$FAR, on another file system, the tree "(?P<notation>.*)"'))
def a_second_root(world: World, notation: str) -> None:
    """Given at $FAR, on another file system, the tree "b": a second sandbox root; stands before the tree."""
    world.fixture.build(parse_tree(notation), world.fixture.sandboxes.make_second_root())
    world.call_builder.context["roots"] = ["$ROOT", "$FAR"]


def _encode_names(world: World, listed: str) -> list[bytes]:
    return [os.fsencode(name) for name in parse_name_list(listed)]


@given(step_pattern(r'renaming "(?P<name>.+)" fails with (?P<error>E[A-Z]+)'))
def renaming_fails(world: World, name: str, error: str) -> None:
    """Given renaming "a" fails with EXDEV: giving it another name, in whatever way.

    Needs: strace
    """
    world.faults.strace_args = (
        *world.faults.strace_args,
        *failure_args(RENAME_OR_LINK_CALLS, f"error={error}", _encode_names(world, name), world.fixture.root),
    )
    world.faults.is_required = True


@given(step_pattern(r'deleting "(?P<name>.+)" fails with (?P<error>E[A-Z]+)'))
def deleting_fails(world: World, name: str, error: str) -> None:
    """Given deleting "a" fails with EIO: taking this name away.

    Needs: strace
    """
    world.faults.strace_args = (
        *world.faults.strace_args,
        *failure_args(UNLINK_CALLS, f"error={error}", _encode_names(world, name), world.fixture.root),
    )
    world.faults.is_required = True


@given(step_pattern(r'reading "(?P<name>.+)" fails half way with (?P<error>E[A-Z]+)'))
def reading_fails(world: World, name: str, error: str) -> None:
    """Given reading "a" fails half way with EIO: the first piece comes, the next one does not.

    Needs: strace
    """
    words = failure_args(
        CONTENT_CALLS, f"error={error}", _encode_names(world, name), world.fixture.root, after=1
    )
    world.faults.strace_args = (*world.faults.strace_args, *words)
    world.faults.is_required = True


@given(step_pattern(r"no file grows beyond (?P<kib>\d+) KiB"))
def bounded_files(world: World, kib: str) -> None:
    """Given no file grows beyond 64 KiB: a quota on the candidate's process; writing more fails with EFBIG."""
    script = 'trap "" XFSZ; ulimit -f "$1" || exit 1; shift; exec "$@"'
    world.use_process(ProcessOptions(command_prefix=("sh", "-c", script, "sh", str(2 * int(kib)))))


@given(step_pattern(r'"(?P<name>.+)" is a file system of (?P<kib>\d+) KiB with the tree "(?P<notation>.*)"'))
def small_file_system(world: World, name: str, kib: str, notation: str) -> None:
    """Given "far" is a file system of 64 KiB with the tree "b": mounted for the candidate's process alone.

    Needs: namespaces
    """
    why = world.session.host.unsupported_reason("namespaces")
    if why is not None:
        raise NotVerified(f"needs namespaces: {why}")
    place = os.path.join(world.fixture.root, _encode_names(world, name)[0])
    script = 'mount -t tmpfs -o "size=$1k,mode=755" tmpfs "$2" && shift 2 && exec "$@"'
    world.use_process(
        ProcessOptions(command_prefix=("unshare", "-rm", "sh", "-c", script, "sh", kib, os.fsdecode(place)))
    )
    process = world.own_process()
    if process is None or process.pid is None:
        raise NotVerified("nothing of the candidate lives between two messages that could keep a mount")
    # What is mounted there is seen from nowhere else.
    world.effects.mount_namespace_root = b"/proc/%d/root" % process.pid
    try:
        build_tree(parse_tree(notation), world.effects.mount_namespace_root + place)
    except CannotBuild as refusal:
        raise NotVerified(f"this machine cannot make the tree: {refusal}") from refusal


@when(
    step_pattern(
        r'(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\}) and killed half way through reading "(?P<name>.+)"'
    )
)
def killed(world: World, tool: str, arguments: str, name: str) -> None:
    """When move is called with {"source": "a"} and killed half way through reading "a": there is no answer.

    Role: call
    Needs: strace
    """
    words = failure_args(
        CONTENT_CALLS, "signal=SIGKILL", _encode_names(world, name), world.fixture.root, after=1
    )
    world.send_and_kill(world.call_builder.build(tool, arguments), words)


@given(
    step_pattern(
        r'somebody makes "(?P<name>.+)" with the content "(?P<content>.*)" while "(?P<source>.+)" is renamed'
    )
)
def appears(world: World, name: str, content: str, source: str) -> None:
    """Given somebody makes "b" with the content "N" while "a" is renamed: after every look that was taken at it.

    Needs: strace
    """
    path = os.path.join(world.fixture.root, _encode_names(world, name)[0])

    def make() -> None:
        with open(path, "x", encoding="utf-8") as file:
            file.write(content)

    _run_during_rename(world, source, make)


@given(step_pattern(r'"(?P<name>.+)" becomes a link to "(?P<target>.+)" while "(?P<source>.+)" is renamed'))
def becomes_a_link(world: World, name: str, target: str, source: str) -> None:
    """Given "d" becomes a link to "../o" while "a" is renamed: after every look that was taken at it.

    Needs: strace
    """
    path = os.path.join(world.fixture.root, _encode_names(world, name)[0])
    aside = os.path.join(world.fixture.add_root("swapped"), b"aside")

    def swap() -> None:
        os.rename(path, aside)
        os.symlink(os.fsencode(target), path)

    _run_during_rename(world, source, swap)


def _run_during_rename(world: World, source: str, act: object) -> None:
    (name,) = _encode_names(world, source)
    world.faults.strace_args = (
        *world.faults.strace_args,
        *delay_args(name, world.fixture.root, RENAME_DELAY_MICROSECONDS, RENAME_OR_LINK_CALLS),
    )
    world.faults.is_required = True

    def later() -> None:
        # The looks come at once, the renaming waits: half-way something else happens.
        time.sleep(RENAME_DELAY_MICROSECONDS / 2_000_000)
        with contextlib.suppress(
            OSError
        ):  # a candidate that renames nothing has answered, and the tree is gone
            assert callable(act)
            act()

    world.faults.on_strace_attached = threading.Thread(target=later, daemon=True).start
