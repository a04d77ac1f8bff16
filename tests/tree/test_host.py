"""Probes report the features of the host, and causes for the missing ones."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.tree import (
    PROBES,
    CannotBuild,
    Workspace,
    build_tree,
    find_disk_base,
    parse_tree,
    probe_host,
)
from treeproof.tree import (
    host_features as host,
)
from treeproof.tree.host_features import Host


@pytest.fixture
def probed_host(workspace: Workspace) -> Host:
    return probe_host(os.fsencode(workspace.path), drop_dac_capabilities)


def test_every_feature_is_supported_or_has_a_cause(probed_host: Host) -> None:
    for name in PROBES:
        cause = probed_host.unsupported_reason(name)
        assert probed_host.supports(name) == (cause is None)
        assert cause is None or (cause and "\n" not in cause)


def test_probes_leave_nothing_behind(probed_host: Host, workspace: Workspace) -> None:
    for name in PROBES:
        probed_host.supports(name)
    assert os.listdir(workspace.path) == []


def test_an_unknown_feature_is_an_error(probed_host: Host) -> None:
    with pytest.raises(KeyError):
        probed_host.supports("unknown")


def test_costly_probes_are_null_until_requested(probed_host: Host) -> None:
    report = probed_host.to_json()
    assert report["strace"] is None
    assert report["root"] == (os.geteuid() == 0)
    assert report["non_utf8_names"] is True
    probed_host.supports("strace")
    assert probed_host.to_json()["strace"] is probed_host.supports("strace")


@pytest.mark.parametrize(
    ("name", "tree"),
    [
        ("non_utf8_names", r"'\xff'"),
        ("case_sensitive", "A, a"),
        ("normal_forms", "'\u00e9', 'e\u0301'"),
        ("symlinks", "l->x"),
        ("special_files", "p:fifo, s:sock"),
        ("mknod", "b:blk"),
        ("huge_files", "f=9223372036854775807"),
        ("wide_mtimes", "f@-4611686018427387904000"),
    ],
)
@pytest.mark.parametrize("base_kind", ["memory", "disk"])
def test_a_tree_that_needs_a_feature_is_built_if_the_host_has_it(name: str, tree: str, base_kind: str) -> None:
    base = None if base_kind == "memory" else find_disk_base()
    with Workspace.create(base) as workspace:
        probed_host = probe_host(os.fsencode(workspace.path))
        try:
            build_tree(parse_tree(tree), workspace.create_sandbox())
        except CannotBuild:
            assert probed_host.unsupported_reason(name)
        else:
            assert probed_host.supports(name)


def test_strace_makes_a_call_fail_if_the_probe_succeeds(probed_host: Host) -> None:
    if not probed_host.supports("strace"):
        pytest.skip(f"not verified: strace makes calls fail here; {probed_host.unsupported_reason('strace')}")
    inject = ["-e", "trace=newfstatat,lstat,statx", "-e", "inject=newfstatat,lstat,statx:error=EIO"]
    run = subprocess.run(
        ["strace", "-f", "-o", os.devnull, "-P", "/dev/null", *inject, "ls", "-ld", "/dev/null"],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert b"Input/output error" in run.stderr


def test_a_missing_program_is_a_cause(probed_host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert probed_host.unsupported_reason("strace") == "strace is not installed"
    assert probed_host.unsupported_reason("namespaces") == "unshare is not installed"


@pytest.mark.parametrize("script", ["exit 1", "echo 'strace: ptrace(PTRACE_TRACEME): not permitted' >&2; exit 1"])
def test_a_program_without_effect_is_a_cause(
    script: str, probed_host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("strace", "unshare"):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert (probed_host.unsupported_reason("strace") or "").startswith("strace cannot make a call fail here: ")
    assert not probed_host.supports("namespaces")


def test_namespaces_in_which_nothing_can_be_mounted_are_no_namespaces(
    probed_host: Host, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not probed_host.supports("namespaces"):
        pytest.skip(f"not verified: mounts in a namespace; {probed_host.unsupported_reason('namespaces')}")
    (tmp_path / "mount").write_text("#!/bin/sh\necho 'mount: permission denied' >&2; exit 32\n")
    (tmp_path / "mount").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    host_without_mounts = probe_host(os.fsencode(workspace.path), drop_dac_capabilities)
    assert host_without_mounts.unsupported_reason("namespaces") == "mount: permission denied"


def test_a_program_that_hangs_is_a_cause(probed_host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strace").write_text("#!/bin/sh\nexec sleep 600\n")
    (tmp_path / "strace").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(host, "_TIMEOUT_SECONDS", 0.2)
    assert "timed out" in (probed_host.unsupported_reason("strace") or "")


def test_without_linux_root_cannot_have_an_unreadable_directory(
    probed_host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert probed_host.supports("drop_caps")
    other = probe_host(probed_host.base)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "root ignores permissions" in (other.unsupported_reason("drop_caps") or "")


def test_permissions_that_have_no_effect_are_a_cause(probed_host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system may keep modes and not apply them; so does a root that keeps its rights."""
    real_open = os.open

    def open_all(path: Any, *args: Any, **options: Any) -> int:
        try:
            return real_open(path, *args, **options)
        except PermissionError:
            return real_open(os.devnull, os.O_RDONLY)

    monkeypatch.setattr(os, "open", open_all)
    assert probed_host.unsupported_reason("drop_caps") == (
        "permissions have no effect here: f can be read although no mode permits it"
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="not verified: that root's own rights are a cause; needs root")
def test_rights_of_root_that_cannot_be_taken_are_a_cause(workspace: Workspace) -> None:
    reason = probe_host(os.fsencode(workspace.path)).unsupported_reason("drop_caps")
    assert reason == "permissions have no effect here: f can be read although no mode permits it"


def test_a_missing_base_is_a_cause_and_no_crash(tmp_path: Path) -> None:
    host_of_missing_base = probe_host(os.fsencode(tmp_path / "gone"))
    assert "nothing can be tried" in (host_of_missing_base.unsupported_reason("symlinks") or "")
    assert host_of_missing_base.to_json()["symlinks"] is False
