"""`--report FORMAT=FILE`: an unusable file is refused before the run; a report is written completely or not at all."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.report.document import dump
from treeproof.report.formats.registry import FORMATS, parse_requests, write_reports, writes_to_stdout
from treeproof.report.output_file import OutputFile
from treeproof.verdict.run_document import RunDocument

from .conftest import iter_dumps

Json = dict[str, Any]


def error_of_requests(arguments: list[str]) -> str:
    with pytest.raises(UsageError) as refused:
        parse_requests(arguments)
    text = str(refused.value)
    assert "\n" not in text
    return text


def test_every_requested_report_is_written(mixed: Json, tmp_path: Path) -> None:
    names = [name for name, _ in iter_dumps()]
    arguments = [f"{name.partition('.')[0]}={tmp_path / name}" for name in names]
    write_reports(RunDocument.from_json(mixed), parse_requests(arguments))
    assert json.loads((tmp_path / "json").read_bytes()) == RunDocument.from_json(mixed).to_json()
    assert (tmp_path / "junit").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "badge.svg").read_bytes().startswith(b"<svg")
    assert sorted(os.listdir(tmp_path)) == sorted(names)


def test_an_unknown_format_names_the_known_ones(tmp_path: Path) -> None:
    assert f"unknown format 'pdf'; formats are {', '.join(FORMATS)}" in error_of_requests([f"pdf={tmp_path}/x"])


@pytest.mark.parametrize(("guess", "meant"), [("markdwn", "markdown"), ("XML", "junit")])
def test_a_guessed_format_names_the_one_that_is_meant(tmp_path: Path, guess: str, meant: str) -> None:
    text = error_of_requests([f"{guess}={tmp_path}/x"])
    assert f"unknown format '{guess}' (did you mean {meant}?); formats are" in text


def test_md_is_a_name_of_markdown(tmp_path: Path) -> None:
    (request,) = parse_requests([f"md={tmp_path}/x.md"])
    assert request.format == "markdown"


def test_the_help_of_run_names_every_format() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "treeproof", "run", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert f"FORMAT: {', '.join(FORMATS)};" in " ".join(help_text.split())


def test_the_suffix_of_the_file_selects_the_kind_of_badge(tmp_path: Path) -> None:
    assert "write badge=FILE.json or badge=FILE.svg" in error_of_requests([f"badge={tmp_path}/badge.png"])
    json_badge, picture = parse_requests([f"badge={tmp_path}/b.json", f"badge={tmp_path}/b.svg"])
    assert json_badge.dump is not picture.dump


def test_standard_output_takes_one_report(mixed: Json, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert "same file" in error_of_requests(["json=-", "junit=-"])
    requests = parse_requests(["json=-"])
    assert writes_to_stdout(requests) and not writes_to_stdout(parse_requests(["json=/dev/null"]))
    write_reports(RunDocument.from_json(mixed), requests)
    assert capfdbinary.readouterr().out == dump(RunDocument.from_json(mixed))


def test_a_missing_file_name_is_refused() -> None:
    assert "write json=FILE" in error_of_requests(["json"])
    assert "write json=FILE" in error_of_requests(["json="])


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "is a folder" in error_of_requests([f"json={tmp_path}"])


def test_a_file_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    assert "does not exist; create it first" in error_of_requests([f"json={tmp_path}/none/run.json"])


def test_a_file_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "run.json" in error_of_requests([f"json={tmp_path}/file/run.json"])


def test_two_reports_into_one_file_are_refused(tmp_path: Path) -> None:
    assert "same file" in error_of_requests([f"json={tmp_path}/x", f"junit={tmp_path}/../{tmp_path.name}/x"])


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    assert "\x1b" not in error_of_requests([f"json={tmp_path}/\x1b[31m/x"])
    assert "\x00" not in error_of_requests([f"json={tmp_path}/\x00"])


def test_a_file_that_cannot_be_created_is_refused() -> None:
    assert "cannot be written" in error_of_requests(["json=/proc/run.json"])


def test_the_check_leaves_no_file(tmp_path: Path) -> None:
    OutputFile(tmp_path / "run.json")
    assert os.listdir(tmp_path) == []


def test_the_check_keeps_the_old_report(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"old")
    OutputFile(file)
    assert file.read_bytes() == b"old"


def test_a_report_is_replaced_in_one_step(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"old")
    with file.open("rb") as reader:
        OutputFile(file).write(b"new")
        assert reader.read() == b"old"
    assert file.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["run.json"]


def test_a_report_is_created_with_the_users_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        OutputFile(tmp_path / "run.json").write(b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "run.json").stat().st_mode) == 0o640


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    OutputFile(tmp_path / "link").write(b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"x"


def test_a_device_is_written_into_and_never_replaced() -> None:
    before = os.stat("/dev/null").st_ino
    OutputFile(Path("/dev/null"))
    OutputFile(Path("/dev/null")).write(b"x")
    assert os.stat("/dev/null").st_ino == before


def test_a_loop_of_links_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert "cannot be written" in error_of_requests([f"json={tmp_path}/a"])


def test_a_full_disk_keeps_the_old_report() -> None:
    with pytest.raises(UsageError, match="No space left"):
        OutputFile(Path("/dev/full")).write(b"x" * 10_000)


def test_a_write_that_fails_leaves_the_old_report_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"old")

    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("treeproof.report.output_file.os.fsync", refuse)
    with pytest.raises(UsageError, match="No space left"):
        OutputFile(file).write(b"new")
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["run.json"]


def swap_for_fifo(file: Path) -> None:
    file.unlink(missing_ok=True)
    os.mkfifo(file)


def swap_for_link(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.symlink_to("/dev/null")


def swap_for_link_to_file(file: Path) -> None:
    file.unlink(missing_ok=True)
    (file.parent / "victim").write_bytes(b"victim")
    file.symlink_to("victim")


@pytest.mark.parametrize("swap", [swap_for_fifo, swap_for_link, swap_for_link_to_file])
@pytest.mark.parametrize("old", [b"old", None])
def test_what_is_put_in_place_of_a_report_is_replaced(
    tmp_path: Path, swap: Callable[[Path], None], old: bytes | None
) -> None:
    file = tmp_path / "run.json"
    if old is not None:
        file.write_bytes(old)
    output = OutputFile(file)
    swap(file)
    output.write(b"new")
    assert not file.is_symlink()
    assert file.read_bytes() == b"new"
    victim = tmp_path / "victim"
    assert not victim.exists() or victim.read_bytes() == b"victim"


def test_a_report_in_a_folder_that_is_replaced_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    output = OutputFile(folder / "run.json")
    folder.rename(tmp_path / "moved")
    folder.mkdir()
    with pytest.raises(UsageError, match="was replaced during the run"):
        output.write(b"new")
    assert os.listdir(folder) == []


def test_a_report_whose_place_becomes_a_folder_is_an_error(tmp_path: Path) -> None:
    output = OutputFile(tmp_path / "run.json")
    (tmp_path / "run.json").mkdir()
    with pytest.raises(UsageError, match=r"run\.json: cannot be written"):
        output.write(b"new")
    assert os.listdir(tmp_path) == ["run.json"]


def test_a_device_that_is_replaced_is_not_written_into(tmp_path: Path) -> None:
    stream = tmp_path / "stream"
    os.mkfifo(stream)
    output = OutputFile(stream)
    os.mkfifo(tmp_path / "other")  # while the first one exists, so that it cannot get its inode
    (tmp_path / "other").rename(stream)
    with pytest.raises(UsageError, match="was replaced during the run"):
        output.write(b"new")


def test_the_other_reports_are_written_if_one_cannot_be(tmp_path: Path, mixed: Json) -> None:
    requests = parse_requests([f"json={tmp_path}/run.json", f"junit={tmp_path}/run.xml"])
    (tmp_path / "run.json").mkdir()
    with pytest.raises(UsageError, match=r"run\.json"):
        write_reports(RunDocument.from_json(mixed), requests)
    assert (tmp_path / "run.xml").is_file()


def test_a_name_as_long_as_the_file_system_allows_works(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 255)
    data = b"x"
    OutputFile(file)
    OutputFile(file).write(data)
    assert file.read_bytes() == data


def test_every_format_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    assert [name for name in FORMATS if f"| `{name}` |" not in page] == []
