"""A link in place of a root, or of a directory above it, is never followed by the suite: its target stays as it was."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from treeproof.api import World
from treeproof.candidate import CandidateFault
from treeproof.run.candidate_folders import StartDirectory, require_own_places
from treeproof.run.sandbox import Sandbox, SandboxRoots
from treeproof.steps.file_operations import outcomes
from treeproof.steps.shared import trees
from treeproof.steps.shared.values import replace_by_link
from treeproof.tree import (
    CannotBuild,
    InotifyWatch,
    Workspace,
    WorkspaceLost,
    build_tree,
    parse_tree,
    remove_entries,
    take_snapshot,
)
from treeproof.verdict import Mismatch

SECRET = b"secret of the user"
PLACES = ("the root", "the directory of the root", "the workspace")


@dataclass
class Scene:
    """A scenario's trees after a candidate has put a link to the folder of a user in place of one of them."""

    workspace: Workspace
    sandbox: Sandbox
    start: StartDirectory
    victim: Path

    @property
    def root(self) -> bytes:
        return self.sandbox.root

    @property
    def world(self) -> World:
        effects = SimpleNamespace(reset_baseline=lambda: None)
        return cast(
            World,
            SimpleNamespace(
                sandbox=self.sandbox,
                effects=effects,
                suite_has_changed=lambda *paths: self.sandbox.note_changes(paths),
            ),
        )


def state(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Return everything about a folder that an operation could change."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else None
        facts = (status.st_mode, status.st_uid, status.st_gid, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        found[str(path.relative_to(folder))] = (*facts, status.st_nlink, content)
    return found


def link_in_place(place: bytes, victim: Path, below: bytes) -> None:
    """Move a directory away and put a link to the victim in its place; `below` in it has files of the user."""
    folder = os.path.join(os.fsencode(victim), below)
    os.makedirs(folder)
    for name in (b"a", b"b", b"secret"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(SECRET)
    os.makedirs(os.path.join(folder, b"d", b"e"))
    os.chmod(folder, 0o711)
    os.rename(place, place + b"-moved")
    os.symlink(victim, place)


@pytest.fixture(params=PLACES)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    base = tmp_path / "base"
    base.mkdir()
    with Workspace.create(base) as workspace:
        sandbox = Sandbox(SandboxRoots(workspace, "X-01"), respects_file_modes=True)
        sandbox.build_tree("a=1, b=>a, d/{e/, f}")
        start = StartDirectory(workspace)
        lost = os.fsencode(start.path)
        scene = Scene(workspace, sandbox, start, tmp_path / "victim")
        depth = PLACES.index(request.param)
        for number, root in enumerate((sandbox.root, lost)):
            if depth == 2 and number:
                victim_root = scene.victim / os.fsdecode(os.path.relpath(lost, os.fsencode(workspace.path)))
                (victim_root / "d").mkdir(parents=True)
                continue
            parts = root.split(b"/")
            place = b"/".join(parts[: len(parts) - depth])
            victim = scene.victim if not number else tmp_path / "victim" / "start"
            link_in_place(place, victim, b"/".join(parts[len(parts) - depth :]))
        yield scene


def refuses(*errors: type[BaseException]) -> contextlib.AbstractContextManager[Any]:
    return pytest.raises((CannotBuild, CandidateFault, *errors))


def build(scene: Scene) -> None:
    with refuses():
        scene.sandbox.build_tree("a=3, d/%0700{e/%0750{x}}")


def add(scene: Scene) -> None:
    with refuses():
        trees.the_tree_gets(scene.world, "d/{e/%0700{x}}, new")


def build_without_a_sandbox(scene: Scene) -> None:
    with refuses():
        build_tree(parse_tree("d/{x}"), scene.root, add_to_existing=True)


def look(scene: Scene) -> None:
    for folder in (scene.root, scene.sandbox.outside):
        assert SECRET not in repr(take_snapshot(folder)).encode()
        assert not any(path.endswith(b"secret") for path in take_snapshot(folder).entries)
    assert all(node.content != SECRET for _, node in scene.sandbox.read_tree().walk())
    scene.sandbox.note_changes([b"a"])
    assert scene.sandbox.tree.find(b"secret") is None


def watch(scene: Scene) -> None:
    with pytest.raises(CannotBuild), InotifyWatch(scene.root, [scene.root]):
        pass


def change_entries(scene: Scene) -> None:
    for change in ("added", "removed", "renamed", "extended"):
        with refuses(OSError):
            trees.file_has_been(scene.world, "c" if change == "added" else "a", change)
    with refuses(OSError):
        trees.has_got_the_time(scene.world, "a", "1000")


def swap_a_directory(scene: Scene) -> None:
    with refuses(OSError):
        replace_by_link(scene.root + b"/d", "../root2", scene.root + b"/aside")


def compare_files(scene: Scene) -> None:
    with refuses(OSError):
        outcomes.independent(scene.world, "a", "b")


def send(scene: Scene) -> None:
    with refuses():
        require_own_places(scene.root)


def empty(scene: Scene) -> None:
    with refuses(OSError):
        remove_entries(scene.root)


def remove(scene: Scene) -> None:
    scene.workspace.remove_sandbox(scene.root)


def close(scene: Scene) -> None:
    scene.sandbox.close()
    scene.workspace.remove()


def restore_the_start_directory(scene: Scene) -> None:
    if os.path.islink(scene.workspace.path):
        with refuses():
            scene.start.restore()
    else:
        assert scene.start.restore()
        require_own_places(os.fsencode(scene.start.path))


def make_another_root(scene: Scene) -> None:
    if os.path.islink(scene.workspace.path):
        with refuses():
            scene.sandbox.add_root("next")
    else:
        require_own_places(scene.sandbox.add_root("next"))


OPERATIONS: tuple[Callable[[Scene], None], ...] = (
    build,
    add,
    build_without_a_sandbox,
    look,
    watch,
    change_entries,
    swap_a_directory,
    compare_files,
    send,
    empty,
    remove,
    close,
    restore_the_start_directory,
    make_another_root,
)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_the_target_of_a_link_stays_as_it_was(scene: Scene, operation: Callable[[Scene], None]) -> None:
    before = state(scene.victim)
    operation(scene)
    assert state(scene.victim) == before


def test_a_link_below_a_root_leads_no_step_out_of_it(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "f").write_bytes(SECRET)
    before = state(victim)
    with Workspace.create(tmp_path) as workspace:
        sandbox = Sandbox(SandboxRoots(workspace, "X-01"), respects_file_modes=True)
        sandbox.build_tree("a, x/")
        for name in ("d", "o"):
            os.symlink(victim, os.path.join(sandbox.root, name.encode()))
        os.link(victim / "f", os.path.join(sandbox.root, b"h"))
        before = state(victim)  # the candidate has given the file another name
        world = cast(World, SimpleNamespace(sandbox=sandbox, suite_has_changed=lambda *paths: None))
        for change in ("added", "removed", "renamed", "extended"):
            with pytest.raises(OSError):
                trees.file_has_been(world, "d/new" if change == "added" else "d/f", change)
        with pytest.raises(OSError):
            trees.has_got_the_time(world, "d/f", "1000")
        with pytest.raises(OSError):
            trees.file_has_been(world, "o", "extended")
        with pytest.raises(CannotBuild):
            build_tree(parse_tree("d/{n}"), sandbox.root, add_to_existing=True)
        outcomes.independent(world, "h", "a")
        with pytest.raises(Mismatch):
            outcomes.independent(world, "o", "a")
        sandbox.close()
    after = {name: facts for name, facts in state(victim).items() if name != "f"}
    assert after == {name: facts for name, facts in before.items() if name != "f"}
    assert (victim / "f").read_bytes() == SECRET


def test_a_lost_workspace_is_named(tmp_path: Path) -> None:
    with Workspace.create(tmp_path) as workspace:
        root = workspace.create_sandbox("X-01")
        os.rename(workspace.path, f"{workspace.path}-moved")
        os.symlink("nowhere", workspace.path)
        with pytest.raises(WorkspaceLost, match="replaced the workspace of the run"):
            workspace.check_in_place(root)
        with pytest.raises(CandidateFault, match="removed or replaced a directory"):
            require_own_places(root)
        os.unlink(workspace.path)
