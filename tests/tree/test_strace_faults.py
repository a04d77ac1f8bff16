"""A fault of a tree affects only its entry, and the trace shows that it occurred."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treeproof.tree import (
    RENAME_OR_LINK_CALLS,
    CannotBuild,
    Workspace,
    build_tree,
    delay_args,
    failure_args,
    fault_args,
    met_path_only_open,
    parse_tree,
    probe_host,
)

Traced = Callable[..., tuple[str, list[str]]]


@pytest.fixture
def traced(root: bytes, tmp_path: Path) -> Traced:
    """Return a function that builds a tree and runs Python code there under the tree's faults.

    It returns the printed text and the trace of the calls that failed.
    """
    with Workspace.create() as workspace:
        reason = probe_host(os.fsencode(workspace.path)).unsupported_reason("strace")
    if reason is not None:
        pytest.skip(f"not verified: faults of a tree; needs strace: {reason}")

    def execute(notation: str, code: str, args: tuple[bytes, ...] | None = None) -> tuple[str, list[str]]:
        tree = parse_tree(notation)
        build_tree(tree, root)
        log = tmp_path / "log"
        strace = [shutil.which("strace") or "", "-f", "-o", str(log)]
        fault_options = fault_args(tree, root) if args is None else args
        program = ["-c", f"import os\nroot = {os.fsdecode(root)!r}\n{code}"]
        done = subprocess.run(
            [
                *map(os.fsencode, strace),
                *fault_options,
                sys.executable.encode(),
                b"-I",
                b"-S",
                *map(str.encode, program),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        injected_lines = [line for line in log.read_text().splitlines() if line.endswith(("(INJECTED)", "(DELAYED)"))]
        return done.stdout.strip(), injected_lines

    return execute


STAT_FUNCTIONS = {
    "by absolute path": "look = lambda n: os.lstat(f'{root}/{n}')",
    "relative to a descriptor": "top = os.open(root, os.O_RDONLY)\nlook = lambda n: os.lstat(n, dir_fd=top)",
    "in the working directory": "os.chdir(root)\nlook = lambda n: os.lstat(n)",
    "following links": "look = lambda n: os.stat(f'{root}/{n}')",
    "below a descriptor's link": (
        "top = os.open(root, os.O_RDONLY); look = lambda n: os.lstat(f'/proc/self/fd/{top}/{n}')"
    ),
    "by fstat": "look = lambda n: os.fstat(os.open(f'{root}/{n}', os.O_RDONLY))",
}
REPORT_SCRIPT = """
def read(name):
    try:
        look(name)
        return "good"
    except OSError as error:
        return error.strerror
print(read("near"), read("victim"), read("far"), sep=", ")
"""


@pytest.mark.parametrize("form", STAT_FUNCTIONS)
def test_every_stat_call_fails_for_the_entry_only(traced: Traced, form: str) -> None:
    printed, injected_lines = traced("near, victim!L, far", STAT_FUNCTIONS[form] + REPORT_SCRIPT)
    assert printed == "good, Permission denied, good"
    assert len(injected_lines) >= 1
    assert all("victim" in line for line in injected_lines)


def test_the_tree_notation_determines_the_error(traced: Traced) -> None:
    printed, _ = traced("near, victim!L=EIO, far", STAT_FUNCTIONS["by absolute path"] + REPORT_SCRIPT)
    assert printed == "good, Input/output error, good"


LIST_SCRIPT = """
def read(name):
    try:
        return " ".join(sorted(os.listdir(name and f"{root}/{name}" or root)))
    except OSError as error:
        return error.strerror
print(read(""), read("victim"), read("other"), sep=", ")
"""


def test_lstat_of_an_unreadable_directory_succeeds(traced: Traced) -> None:
    printed, injected_lines = traced(
        "other/{x}, victim/!R{y}", LIST_SCRIPT + "print(os.lstat(f'{root}/victim').st_nlink > 0)"
    )
    assert printed == "other victim, Permission denied, x\nTrue"
    assert injected_lines


def test_reading_can_fail_after_the_first_names(traced: Traced) -> None:
    code = """
seen = []
try:
    with os.scandir(f"{root}/victim") as entries:
        for entry in entries:
            seen.append(entry.name)
except OSError as error:
    print(len(seen) > 0, error.strerror)
"""
    printed, injected_lines = traced("victim/!R2=EIO{y, z}", code)
    assert printed == "True Input/output error"
    assert ["getdents" in line for line in injected_lines] == [True]


def test_a_directory_can_be_opened_when_only_reading_it_fails(traced: Traced, root: bytes) -> None:
    code = "os.open(f'{root}/victim', os.O_PATH)\n" + LIST_SCRIPT
    notation = "other/{x}, victim/!R=ENOENT{y}"
    args = fault_args(parse_tree(notation), root, spares_opens=True)
    printed, injected_lines = traced(notation, code, args)
    assert printed == "other victim, Stale file handle, x"
    assert not met_path_only_open(parse_tree(notation), injected_lines)


def test_a_fault_that_meets_an_open_with_o_path_is_recognised(traced: Traced) -> None:
    code = """
try:
    os.open(f"{root}/victim", os.O_PATH)
except OSError as error:
    print(error.strerror)
"""
    printed, injected_lines = traced("victim/!R=EIO{y}", code)
    assert printed == "Input/output error"
    assert met_path_only_open(parse_tree("victim/!R=EIO{y}"), injected_lines)
    assert not met_path_only_open(parse_tree("victim!L"), injected_lines)


def test_several_entries_can_have_the_same_fault(traced: Traced) -> None:
    printed, _ = traced("near!L, victim!L, far", STAT_FUNCTIONS["by absolute path"] + REPORT_SCRIPT)
    assert printed == "Permission denied, Permission denied, good"


def test_a_fault_that_does_not_occur_is_not_in_the_trace(traced: Traced) -> None:
    printed, injected_lines = traced("near, victim!L, far", "print(sorted(os.listdir(root)))")
    assert printed == "['far', 'near', 'victim']"
    assert injected_lines == []


def test_an_open_can_be_delayed(traced: Traced, root: bytes) -> None:
    code = """
import time
os.listdir(f"{root}/quick")
began = time.monotonic()
os.listdir(f"{root}/slow")
print(time.monotonic() - began >= 0.2)
"""
    printed, injected_lines = traced("quick/, slow/", code, delay_args(b"slow", root, 200_000))
    assert printed == "True"
    assert injected_lines and all(line.endswith("(DELAYED)") for line in injected_lines)
    assert all("slow" in line for line in injected_lines)


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("a!L, d/!R", "faults of one operation with one error only"),
        ("a!L=EIO, b!L=ENOENT", "faults of one operation with one error only"),
        ("a!L, b!L=EIO", "faults of one operation with one error only"),
        ("victim!L, d/{victim}", "victim: another entry has the same name"),
        (r"'\xff'!L, d/{'\xff'}", r"\xff: another entry has the same name"),
    ],
)
def test_faults_that_would_affect_other_entries_are_refused(notation: str, message: str) -> None:
    with pytest.raises(CannotBuild) as caught:
        fault_args(parse_tree(notation), b"/place/root")
    assert message in str(caught.value)


def test_the_default_error_and_the_same_explicit_error_can_be_combined() -> None:
    assert fault_args(parse_tree("a!L, b!L=EACCES"), b"/r")


def test_a_tree_without_faults_has_no_arguments() -> None:
    with pytest.raises(CannotBuild):
        fault_args(parse_tree("a"), b"/r")


def test_filters_contain_the_path_and_its_last_name() -> None:
    args = fault_args(parse_tree("d/{e/{victim!L}}"), b"/place/root")
    assert args[:6] == (b"-P", b"/place/root/d/e/victim", b"-P", b"victim", b"-P", b"/proc/self/fd/3/victim")
    first, traced, second, injected = args[-4:]
    assert (first, second) == (b"-e", b"-e") and traced.startswith(b"trace=?lstat,")
    assert injected.startswith(b"inject=?lstat,") and injected.endswith(b":error=EACCES")


def test_a_directorys_metadata_can_fail_without_its_opening() -> None:
    assert b"open" not in fault_args(parse_tree("victim/!L{x}"), b"/r")[-3]
    assert b"openat" in fault_args(parse_tree("victim!L"), b"/r")[-3]


RENAME_PATHS = {
    "by absolute path": "name = lambda n: f'{root}/{n}'",
    "in the working directory": "os.chdir(root)\nname = lambda n: n",
    "below a descriptor's link": "top = os.open(root, os.O_RDONLY)\nname = lambda n: f'/proc/self/fd/{top}/{n}'",
}
RENAME_SCRIPT = """
def renamed(old):
    try:
        return os.rename(name(old), name("new")) or "done"
    except OSError as error:
        return error.strerror
print(renamed("victim"), renamed("other"), sep=", ")
"""


@pytest.mark.parametrize("form", RENAME_PATHS)
def test_a_rename_fails_for_every_form_of_the_path(traced: Traced, root: bytes, form: str) -> None:
    args = failure_args(RENAME_OR_LINK_CALLS, "error=EXDEV", [b"victim"], root)
    printed, injected_lines = traced("victim, other", RENAME_PATHS[form] + RENAME_SCRIPT, args)
    assert printed == "Invalid cross-device link, done"
    assert len(injected_lines) == 1
