"""Workspaces are private; they are removed at the end of the run, or by a later run."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.tree import (
    Workspace,
    WorkspaceLost,
    build_tree,
    default_base,
    find_disk_base,
    parse_tree,
    remove_stale_workspaces,
)
from treeproof.tree.workspace import file_system_type, is_in_memory

ROOT = Path(__file__).parents[2]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path))


def test_a_workspace_is_private_and_removed_by_its_context(base: Path) -> None:
    with Workspace.create(base) as workspace:
        assert workspace.path.parent == base
        assert workspace.path.stat().st_mode & 0o7777 == 0o700
        build_tree(parse_tree("a/%0000{b}, l->/etc"), workspace.create_sandbox("one"))
    assert list(base.iterdir()) == []
    assert workspace.leftovers == []


def test_each_fixture_is_an_empty_root_in_a_new_parent_directory(base: Path) -> None:
    with Workspace.create(base) as workspace:
        first, second = workspace.create_sandbox("one"), workspace.create_sandbox("two")
        assert os.path.basename(first) == b"root"
        assert os.path.dirname(first) != os.path.dirname(second)
        assert os.listdir(os.path.dirname(first)) == [b"root"]
        assert os.listdir(first) == []
        assert os.path.realpath(first) == first


def test_only_a_fixture_and_its_parent_are_removed(base: Path) -> None:
    with Workspace.create(base) as workspace:
        first, second = workspace.create_sandbox("one"), workspace.create_sandbox("two")
        build_tree(parse_tree("a/%0000{b}"), first)
        build_tree(parse_tree("root2/{secret}"), os.path.dirname(first))
        assert workspace.remove_sandbox(first) == []
        assert not os.path.lexists(os.path.dirname(first))
        assert os.path.isdir(second)
        assert workspace.remove_sandbox(first) == []


def test_two_workspaces_are_separate(base: Path) -> None:
    with Workspace.create(base) as first, Workspace.create(base) as second:
        assert first.path != second.path
        assert first.create_sandbox() != second.create_sandbox()
        first.remove()
        assert second.path.is_dir()
        os.mkdir(second.create_sandbox() + b"/d")


def test_a_replaced_workspace_is_kept_and_reported(base: Path) -> None:
    with Workspace.create(base) as workspace:
        root = workspace.create_sandbox("mine")
        os.rename(workspace.path, base / "elsewhere")
        os.mkdir(base / "precious")
        (base / "precious" / "file").touch()
        os.rename(base / "precious", workspace.path)
        assert workspace.remove_sandbox(root) == []
    (problem,) = workspace.leftovers
    assert "no longer the directory that was made" in problem
    assert (workspace.path / "file").exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("rm -rf $0", "it removed or renamed the workspace"),
        ("mv $0 $0-moved", "it removed or renamed the workspace"),
        ("mv $0 $0-moved; mkdir -m 700 $0", "it replaced the workspace"),
        ("mv $0 $0-moved; ln -s $0-moved $0", "it replaced the workspace"),
        ("chmod 0 $0", "it changed the permissions of the workspace"),
    ],
)
def test_a_workspace_that_is_not_in_its_place_holds_no_more_fixtures(change: str, problem: str, base: Path) -> None:
    with Workspace.create(base) as workspace:
        workspace.create_sandbox()
        workspace.check_in_place()
        subprocess.run(["sh", "-c", change, workspace.path], check=True)
        with pytest.raises(WorkspaceLost, match=problem):
            workspace.create_sandbox()
    assert [path.name for path in base.iterdir() if path.name.endswith("-moved")] == []


def test_a_workspace_that_was_moved_to_another_directory_is_removed(base: Path) -> None:
    with Workspace.create(base) as workspace:
        (base / "other").mkdir()
        os.rename(workspace.path, base / "other" / "moved")
    assert list((base / "other").iterdir()) == []


def test_a_fixture_that_was_replaced_is_noticed(base: Path) -> None:
    with Workspace.create(base) as workspace:
        root = workspace.create_sandbox()
        workspace.check_in_place(root)
        os.rename(os.path.dirname(root), os.path.dirname(root) + b"-moved")
        os.makedirs(root)
        with pytest.raises(WorkspaceLost, match="it removed or replaced a directory"):
            workspace.check_in_place(root)
        workspace.check_in_place()


def test_names_of_fixtures_are_random_and_have_one_length(base: Path) -> None:
    with Workspace.create(base) as workspace:
        names = [os.path.basename(os.path.dirname(workspace.create_sandbox())) for _ in range(50)]
        assert {len(name) for name in names} == {16}
        assert names != sorted(names)
        assert len(set(names)) == 50


def test_texts_are_freed_of_the_paths_of_a_run(base: Path) -> None:
    with Workspace.create(base) as workspace:
        root = os.fsdecode(workspace.create_sandbox())
        text = f"in {workspace.path}: {root}/a, {os.path.dirname(root)}-moved"
        assert workspace.without_paths(text) == "in $WORKSPACE: $WORKSPACE/root/a, $WORKSPACE-moved"


def test_leftovers_of_a_fixture_name_its_label(base: Path) -> None:
    with Workspace.create(base) as workspace:
        root = workspace.create_sandbox("LD-LST-05-01")
        parent = os.path.dirname(root)
        os.rename(parent, parent + b"-moved")
        os.symlink("/etc", parent)
        (problem,) = workspace.remove_sandbox(root)
        assert problem.startswith("LD-LST-05-01: ")
        assert Path("/etc").is_dir()


def test_a_forked_child_removes_nothing(base: Path) -> None:
    with Workspace.create(base) as workspace:
        child = os.fork()
        if child == 0:
            workspace.remove()
            os._exit(0)
        os.waitpid(child, 0)
        assert workspace.path.is_dir()


DYING_RUN = """
import os, sys
from pathlib import Path
from treeproof.tree import Workspace, build_tree, parse_tree
workspace = Workspace.create(Path(sys.argv[1]))
build_tree(parse_tree("a/%0000{b}, l->/etc"), workspace.create_sandbox())
print(workspace.path, flush=True)
sys.stdin.read()
os._exit(0)
"""


def start_other_run(base: Path) -> "tuple[subprocess.Popen[str], Path]":
    process = subprocess.Popen(
        [sys.executable, "-c", DYING_RUN, str(base)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_only_workspaces_of_dead_runs_are_removed(base: Path) -> None:
    dead, dead_path = start_other_run(base)
    living, living_path = start_other_run(base)
    dead.send_signal(signal.SIGKILL)
    dead.communicate()
    assert dead_path.is_dir()
    with Workspace.create(base) as workspace:
        assert sorted(base.iterdir()) == sorted([living_path, workspace.path])
    living.communicate()
    assert remove_stale_workspaces(base) == []
    assert list(base.iterdir()) == []


def test_a_workspace_of_a_run_that_was_killed_at_once_is_removed(base: Path) -> None:
    """It is unlocked until its process has the lock, and nothing else marks it."""
    (base / "treeproof-0123456789ab").mkdir(mode=0o700)
    (base / "treeproof-0123456789ac").mkdir(mode=0)  # closed by a candidate
    assert remove_stale_workspaces(base) == []
    assert list(base.iterdir()) == []


def test_another_run_may_remove_a_workspace_before_it_is_locked(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, made = os.mkdir, list[str]()

    def make_and_lose(name: str, *args: Any, **options: Any) -> None:
        make(name, *args, **options)
        made.append(name)
        if len(made) == 1:
            remove_stale_workspaces(base)

    monkeypatch.setattr(os, "mkdir", make_and_lose)
    with Workspace.create(base) as workspace:
        assert made[1:] == [workspace.path.name]
        assert remove_stale_workspaces(base) == []
        assert workspace.path.is_dir()


@pytest.mark.parametrize("kind", ["link", "open to others", "a file", "other name"])
def test_directories_that_are_no_stale_workspace_are_kept(kind: str, base: Path) -> None:
    directory = base / ("treeproof-other" if kind == "other name" else "treeproof-0123456789ab")
    match kind:
        case "link":
            (base / "target").mkdir(mode=0o700)
            directory.symlink_to("target")
        case "a file":
            directory.touch(mode=0o700)
        case _:
            directory.mkdir(mode=0o755 if kind == "open to others" else 0o700)
    before = sorted(base.rglob("*"))
    assert remove_stale_workspaces(base) == []
    assert sorted(base.rglob("*")) == before


def test_a_base_that_cannot_be_written_is_refused_in_one_line(base: Path) -> None:
    with pytest.raises(UsageError, match="missing: no workspace can be made here .*TREEPROOF_WORKSPACE") as refusal:
        Workspace.create(base / "missing")
    assert "\n" not in str(refusal.value)


def test_the_environment_chooses_the_base(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREEPROOF_WORKSPACE", str(base))
    assert default_base() == base
    with Workspace.create() as workspace:
        assert workspace.path.parent == base
    monkeypatch.setenv("TREEPROOF_WORKSPACE", str(base / "missing"))
    with pytest.raises(UsageError, match="not a directory; name one that exists"):
        default_base()


def test_the_path_of_a_workspace_contains_no_link(base: Path) -> None:
    (base / "real").mkdir()
    (base / "link").symlink_to("real")
    with Workspace.create(base / "link") as workspace:
        assert workspace.path.parent == base / "real"


def test_the_default_base_is_shared_memory_if_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TREEPROOF_WORKSPACE", raising=False)
    assert default_base() in (Path("/dev/shm"), Path(tempfile.gettempdir()))


def test_the_disk_is_not_in_memory() -> None:
    base = find_disk_base()
    if base is None:
        pytest.skip("not verified: the disk base is not in memory; needs a writable /var/tmp that is no tmpfs")
    assert file_system_type(base) not in (None, "tmpfs")
    assert not is_in_memory(base)


def test_each_path_has_the_file_system_that_it_is_mounted_from() -> None:
    for path, kind in [("/proc", "proc"), ("/sys", "sysfs"), ("/dev/shm", "tmpfs")]:
        if os.path.ismount(path):
            assert file_system_type(Path(path)) == kind


def test_the_file_system_of_a_missing_path_is_unknown(base: Path) -> None:
    assert file_system_type(base / "missing") is None
