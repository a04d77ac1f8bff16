"""The capabilities that ignore file modes are dropped for candidates and restored for treeproof."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from treeproof.candidate import drop_dac_capabilities, make_preexec_fn

DAC = 0b110
REMOVED = DAC | 1 << 5 | 1 << 19  # and CAP_KILL, CAP_SYS_PTRACE
ROOT = Path(__file__).parents[2]


def effective() -> int:
    status = Path("/proc/thread-self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff")), 16)


def test_the_capabilities_are_dropped_and_restored() -> None:
    before = effective()
    with drop_dac_capabilities():
        assert effective() == before & ~DAC
        with drop_dac_capabilities():
            assert effective() == before & ~DAC
        assert effective() == before & ~DAC
    assert effective() == before


def test_the_capabilities_are_restored_after_an_exception() -> None:
    before = effective()
    try:
        with drop_dac_capabilities():
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert effective() == before


def test_file_modes_apply_inside_the_block(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    with drop_dac_capabilities():
        try:
            os.listdir(locked)
            refused = False
        except PermissionError:
            refused = True
    assert refused


def test_file_modes_apply_to_a_program_run_inside_the_block(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    with drop_dac_capabilities():
        inside = subprocess.run(["ls", locked], capture_output=True, check=False)
    assert inside.returncode != 0
    afterwards = subprocess.run(["ls", locked], capture_output=True, check=False)
    assert (afterwards.returncode == 0) == bool(effective() & DAC)


STATUS = ["grep", "-E", "^(CapEff|CapBnd|CapPrm)", "/proc/self/status"]


def test_a_child_cannot_regain_the_capabilities() -> None:
    run = subprocess.run(STATUS, capture_output=True, text=True, preexec_fn=make_preexec_fn(), check=True)
    assert run.stdout.count("Cap") == 3
    # An ordinary user cannot change the bounding set, and gains nothing from it under no_new_privs.
    lines = [line for line in run.stdout.splitlines() if os.geteuid() == 0 or not line.startswith("CapBnd")]
    assert all(int(line.split()[1], 16) & REMOVED == 0 for line in lines), run.stdout


def test_a_child_loses_the_capabilities_even_if_the_bounding_set_is_fixed() -> None:
    """Run as root without CAP_SETPCAP, as in some containers."""
    script = f"""
        import ctypes, subprocess
        from treeproof.candidate import privileges
        header, sets = privileges._CapabilityHeader(privileges._VERSION_3, 0), (privileges._CapabilitySets * 2)()
        privileges._get_own_capabilities(header, sets)
        for part in ("effective", "permitted"):
            setattr(sets[0], part, getattr(sets[0], part) & ~(1 << 8))  # CAP_SETPCAP
        privileges._set_own_capabilities(header, sets)
        subprocess.run({STATUS!r}, preexec_fn=privileges.make_preexec_fn(), check=True)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    found = {line.split(":")[0]: int(line.split()[1], 16) for line in run.stdout.splitlines()}
    assert found["CapEff"] & REMOVED == 0
    assert found["CapPrm"] & REMOVED == 0


def test_a_child_dies_with_its_parent() -> None:
    script = """
        import os, signal, subprocess
        from treeproof.candidate import make_preexec_fn
        child = subprocess.Popen(["sleep", "600"], preexec_fn=make_preexec_fn())
        print(child.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.returncode == -signal.SIGKILL
    status = Path(f"/proc/{run.stdout.strip()}/status")
    for _ in range(3000):
        if not status.exists() or "State:\tZ" in status.read_text():
            return
        signal.sigtimedwait([], 0.02)
    raise AssertionError("it is still running")
