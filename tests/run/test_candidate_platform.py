"""A manifest with a platform: what is refused, which names and paths Windows has, and how paths are mapped."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.candidate import Call, CallResult, Json, Target
from treeproof.candidate.drives import Drives
from treeproof.candidate.wine import WinePrefix, examined
from treeproof.errors import UsageError
from treeproof.run.candidate_platform import CandidatePlatform, has_absolute_paths, path_arguments
from treeproof.run.plan import platform_name
from treeproof.run.targets import isolated
from treeproof.spec import bundled_packs, load_pack
from treeproof.tree import Workspace, build_tree, parse_tree
from treeproof.tree.windows import name_problem, path_units, twin
from treeproof.verdict import NotApplicable

PACKS = {folder.name: load_pack(folder) for folder in bundled_packs()}
WINDOWS = 'platform = "windows"\nlauncher = ["./wine64"]\n'


def manifest(folder: Path, text: str = WINDOWS, adapter: str = "stdio", rest: str = 'command = ["tool.exe"]') -> Path:
    file = folder / "treeproof.toml"
    file.write_text(f'[candidate]\nadapter = "{adapter}"\n{rest}\n{text}')
    return file


def program(file: Path, script: str) -> Path:
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def wine(folder: Path, version: str = "wine-8.0 (Debian)", *, with_server: bool = True) -> Path:
    if with_server:
        program(folder / "wineserver", f'echo "$1 $WINEPREFIX" >> {folder}/asked')
    return program(folder / "wine64", f"echo '{version}'")


def problem_of(folder: Path, **given: str) -> str:
    with pytest.raises(UsageError) as caught:
        examined(Target.parse(str(manifest(folder, **given))))
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- manifests ---


def test_a_launcher_begins_the_command_line_and_its_version_is_shown(tmp_path: Path) -> None:
    wine(tmp_path)
    target = examined(Target.parse(str(manifest(tmp_path))))
    assert target.argv == ("./wine64", "tool.exe")
    assert (target.platform, target.platform_label) == ("windows", "Windows (Wine 8.0)")
    assert target.wine_server == str(tmp_path / "wineserver")
    assert platform_name(target) == "Windows"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": 'platform = "amiga"\nlauncher = ["wine64"]'}, "windows"),
        ({"text": 'platform = "windows"'}, '"launcher" is missing'),
        ({"text": 'launcher = ["wine64"]'}, '"platform" is missing'),
        ({"adapter": "python", "rest": 'factory = "a:b"'}, "remove it"),
        ({"adapter": "mcp"}, "remove it"),
        ({"adapter": "mcp+http", "rest": 'url = "http://127.0.0.1:1/"'}, "remove it"),
        ({"rest": 'command = ["tool.exe", "{root}"]'}, "context.roots"),
        ({}, "there is no program './wine64'"),
    ],
)
def test_a_manifest_that_fits_no_platform_gets_one_line(tmp_path: Path, given: dict[str, str], said: str) -> None:
    assert said in problem_of(tmp_path, **given)


def test_a_launcher_that_is_not_wine_gets_one_line(tmp_path: Path) -> None:
    wine(tmp_path, "hello")
    assert "does not print the version of Wine but 'hello'" in problem_of(tmp_path)


def test_a_server_that_is_no_program_gets_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    wine(tmp_path, with_server=False)
    (tmp_path / "wineserver").mkdir()
    assert "Wine needs its program wineserver" in problem_of(tmp_path)


def test_wine_is_not_isolated(tmp_path: Path) -> None:
    wine(tmp_path)
    with pytest.raises(UsageError, match="--isolate: Wine cannot be confined"):
        isolated(Target.parse(str(manifest(tmp_path))))


def test_the_server_is_ended_and_its_socket_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wine(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (folder := tmp_path / "prefix").mkdir()
    prefix = WinePrefix(examined(Target.parse(str(manifest(tmp_path)))), folder, tmp_path)
    status = folder.stat()
    socket = tmp_path / "wine-Ab12Cd" / f"server-{status.st_dev:x}-{status.st_ino:x}"
    socket.mkdir(parents=True)
    (socket / "lock").touch()
    (folder / "wineserver").write_text("wine-Ab12Cd")
    prefix.close()
    assert (tmp_path / "asked").read_text() == f"-k {folder}\n-w {folder}\n"
    assert not socket.parent.exists()
    prefix.close()


def test_a_prefix_names_only_its_own_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wine(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (folder := tmp_path / "prefix").mkdir()
    prefix = WinePrefix(examined(Target.parse(str(manifest(tmp_path)))), folder, tmp_path)
    status = folder.stat()
    (other := tmp_path / "other" / f"server-{status.st_dev:x}-{status.st_ino:x}").mkdir(parents=True)
    (other / "lock").touch()
    (folder / "wineserver").write_text("../other")  # the candidate can write there
    prefix.close()
    assert (other / "lock").exists()


# --- names ---


@pytest.mark.parametrize(
    "name", ["a", "a b", ".a", "a.b", "é文", "\U0001f600", "console", "COM", "nul1", "[x]", "~", "a'"]
)
def test_windows_has_a_name(name: str) -> None:
    assert name_problem(name) is None
    assert name_problem(name.encode()) is None


@pytest.mark.parametrize(
    "name",
    [
        *(f"a{character}" for character in '<>:"|?*\\\x01\n'),
        *("a.", "a ", "...", "con", "NUL.txt", "Com1", "lpt9.a.b", "CONIN$", "conout$.x", "AUX .c", b"x\xff", "\ud800"),
    ],
)
def test_windows_has_no_such_name(name: str | bytes) -> None:
    assert name_problem(name) is not None


def test_paths_are_measured_in_units_of_utf_16() -> None:
    assert path_units("é\U0001f600") == 3


def test_a_twin_differs_in_case_only() -> None:
    assert twin("Src", ["Src", "src", "x"]) == "src"
    assert twin("Src", ["Src", "sr"]) is None


# --- paths ---


@pytest.fixture
def drives(tmp_path: Path) -> Drives:
    return Drives(tmp_path, "/shm/work")


def test_roots_are_sent_as_windows_spells_them_and_arguments_keep_every_character(drives: Drives) -> None:
    context: dict[str, Json] = {
        "roots": ["/shm/work/7/root"],
        "working_dir": "/shm/work/7/root/d",
        "denied_patterns": ["*.pem"],
    }
    sent = drives.map_call(Call("ls", {"path": "/shm/work/7//root/./", "n": 1}, context, '{"path":"/shm/work/7"}'))
    assert sent.context["roots"] == [r"W:\7\root"]
    assert sent.context["working_dir"] == r"W:\7\root\d"
    assert sent.arguments == {"path": "W:/7//root/./", "n": 1}
    assert sent.arguments_text == '{"path":"W:/7"}'
    assert drives.native("/usr/x") == r"Z:\usr\x"
    assert drives.native("/shm/work") == "W:\\"
    assert drives.native("/shm/worker") == r"Z:\shm\worker"


def answer(content: str | None, message: str | None = None) -> CallResult:
    return CallResult("ok", content, None, message, None, None, None, b"")


def test_paths_of_answers_come_back_only_with_slashes(drives: Drives) -> None:
    assert drives.map_answer(answer('{"path":"W:/7/root"}')).content == '{"path":"/shm/work/7/root"}'
    wrong = drives.map_answer(answer(r'{"path":"W:\\7\\root"}'))
    assert wrong.content == r'{"path":"W:\\7\\root"}'
    mapped = drives.map_answer(answer("W:\\7\\root\\f\n" + r'{"path":"W:\\7\\root"}'), is_native=True)
    assert mapped.content == '/shm/work/7/root/f\n{"path":"/shm/work/7/root"}'
    said = drives.map_answer(answer(None, r"not found: 'W:\\7\\root\\x', W:\7\y"))
    assert said.error_message == "not found: '/shm/work/7/root/x', /shm/work/7/y"


def test_a_tool_with_absolute_paths_may_answer_with_backslashes(drives: Drives) -> None:
    text = r'[{"path":"W:\\7\\d\\f","name":"a\"b"},{"path":"W:/7/d\\g"},{"path":"\\7\\d"},{"path":"V:\\7"}]'
    expected = (
        r'[{"path":"/shm/work/7/d/f","name":"a\"b"},{"path":"/shm/work/7/d/g"},{"path":"\\7\\d"},{"path":"V:\\7"}]'
    )
    assert drives.from_native_json(text) == expected


def test_a_pack_says_which_arguments_are_paths_and_whether_they_are_absolute() -> None:
    assert path_arguments(PACKS["file_operations"], "move_path") == {"source", "destination"}
    assert path_arguments(PACKS["local_files"], "findFiles") == {"path"}
    assert [name for name, pack in PACKS.items() if has_absolute_paths(pack)] == ["local_files"]


# --- scenarios ---


class Windows:
    """The platform of a candidate, and a sandbox root."""

    def __init__(self, folder: Path, workspace: Workspace) -> None:
        wine(folder)
        target = examined(Target.parse(str(manifest(folder))))
        self.platform = CandidatePlatform(target, workspace)
        self.root = workspace.create_sandbox("test")

    def call(self, tree: str, arguments: Json = None, roots: Sequence[str] = ()) -> None:
        build_tree(parse_tree(tree), self.root)
        context: dict[str, Json] = {
            "roots": list(roots) or [os.fsdecode(self.root)],
            "working_dir": os.fsdecode(self.root),
        }
        call = Call("list_directory", {"path": "."} if arguments is None else arguments, context)
        self.platform.require_call(call, PACKS["list_directory"])


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[Windows]:
    with Workspace.create() as workspace:
        yield Windows(tmp_path, workspace)


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ("'a:b'", "no name has"),
        ("d/{'x.'}", "ends with a dot"),
        ("nul.txt", "of a device"),
        (r"'x\xff'", "not Unicode"),
        ("a, A", "one name"),
        ("l->a, a", "symbolic link"),
        ("p:fifo", "special file"),
        ("d/%0111", "keeps its owner out"),
        ("f@9300000000000", "64 bits of nanoseconds"),
        (f"{'d' * 200}/{{{'e' * 200}}}", "longer path"),
    ],
)
def test_a_tree_that_windows_cannot_have_does_not_apply(windows: Windows, tree: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        windows.call(tree)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"path": r"a\b"}, "a backslash in path"),
        ({"path": "a:b"}, "no name has"),
        ({"path": "a "}, "ends with a dot or a blank"),
        ({"path": "D"}, "in another case"),
        ({"path": "f/x"}, "below a file"),
        ({"path": "x/" * 130}, "longer than those of Windows"),
    ],
)
def test_an_argument_with_another_meaning_on_windows_does_not_apply(
    windows: Windows, arguments: Json, reason: str
) -> None:
    with pytest.raises(NotApplicable, match=reason):
        windows.call("d/{x}, f", arguments)


def test_what_both_systems_have_applies(windows: Windows) -> None:
    windows.call("d/{x, '.y'@1000}, f=3", {"path": "d/../d/./missing", "pattern": "*?"})


def test_a_root_that_is_on_no_drive_does_not_apply(windows: Windows) -> None:
    for root, reason in (("/", "on no drive"), ("/dev", "on no drive"), ("//srv/share", "on a share")):
        with pytest.raises(NotApplicable, match=reason):
            windows.call("", roots=[root])


def test_the_arguments_of_a_rule_of_windows_mean_what_they_mean_there(windows: Windows) -> None:
    windows.platform.is_own_rule = True
    windows.call("d/{x}", {"path": "D\\"})


def test_a_drive_of_a_scenario_leads_to_its_root_until_its_end(windows: Windows) -> None:
    call = Call("list_directory", {}, {"roots": ["X:/"]})
    assert windows.platform.open_roots(call, windows.root)
    links = [Path(path) for path in windows.platform._roots]
    assert [os.readlink(link) for link in links] == [os.fsdecode(windows.root)]
    windows.platform.close_roots()
    assert not any(stat.S_ISLNK(os.lstat(link).st_mode) for link in links if os.path.lexists(link))
    assert not windows.platform.open_roots(replace(call, context={"roots": ["C:/"]}), windows.root)
