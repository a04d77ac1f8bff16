"""`treeproof doctor`: missing facilities of the host and their consequences, and checks of an adapter."""

from __future__ import annotations

import functools
import io
import json
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from treeproof import cli
from treeproof.candidate import Limits
from treeproof.candidate import manifest as manifest_reader
from treeproof.errors import UsageError
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.doctor_output import FACILITIES, print_checks, print_host_report
from treeproof.run import process_checks
from treeproof.run.doctor import check_adapter, inspect_host, needs_of_tree
from treeproof.tree import PROBES, parse_tree
from treeproof.verdict.checks import CheckResult, HostFacility, HostReport
from treeproof.verdict.outcome import FACILITY_REMEDIES

SAMPLE_CANDIDATES = Path(__file__).parents[1] / "candidate" / "sample_candidates"
MISBEHAVING = f"{sys.executable} {SAMPLE_CANDIDATES / 'misbehaving.py'}"

# A small candidate; tests replace parts of it.
CANDIDATE = """
import json, os, sys, time
def write(data):
    sys.stdout.write(data); sys.stdout.flush()
def answer(request, result):
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\\n")
def initialize(request):
    answer(request, {"protocol": 1, "candidate": {"name": "small", "version": "1", "language": "python"},
                     "tools": {"list_directory": "list_directory@1.1"}, "capabilities": []})
def describe(request):
    answer(request, {"name": request["params"]["tool"], "description": "d", "input_schema": {}})
def call(request):
    root = request["params"]["context"]["roots"][0]
    path = request["params"]["arguments"].get("path", ".")
    names = [os.fsencode(name).decode("utf-8", "replace") for name in os.listdir(os.path.join(root, path))]
    answer(request, {"status": "ok", "content": json.dumps({"entries": names})})
def shutdown(request):
    answer(request, None)
    sys.exit(0)
CHANGES
for line in sys.stdin:
    request = json.loads(line)
    globals()[request["method"]](request)
"""

RunChecks = Callable[..., dict[str, CheckResult]]


@pytest.fixture
def run_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunChecks]:
    """Return a function that writes a changed candidate and returns the worst check result for each name."""
    (tmp_path / "workspaces").mkdir()
    monkeypatch.setenv("TREEPROOF_WORKSPACE", str(tmp_path / "workspaces"))
    monkeypatch.setattr(manifest_reader, "Limits", functools.partial(Limits, close_seconds=60))

    def execute(changes: str = "", manifest: str = "", mode: str = "stdio") -> dict[str, CheckResult]:
        script = tmp_path / "small.py"
        script.write_text(CANDIDATE.replace("CHANGES", textwrap.dedent(changes)))
        command = json.dumps([sys.executable, "-I", "-S", str(script)])
        header = f'[candidate]\nadapter = "{mode}"\ncommand = {command}\nstart_timeout = 60\n'
        if "call_timeout" not in manifest:
            header += "call_timeout = 60\n"
        (tmp_path / "treeproof.toml").write_text(header + textwrap.dedent(manifest))
        found: dict[str, CheckResult] = {}
        worst = ["skipped", "ok", "warning", "error"]
        for check in check_adapter(str(tmp_path)):
            before = found.get(check.name, check)
            found[check.name] = max(before, check, key=lambda one: worst.index(one.status))
        return found

    yield execute
    assert list((tmp_path / "workspaces").iterdir()) == []


def test_a_correct_adapter_passes_every_check(run_checks: RunChecks) -> None:
    found = run_checks()
    assert {check.status for check in found.values()} == {"ok"}, found
    assert {"handshake", "tools", "names", "stdout", "stderr", "time", "second process"} <= set(found)
    assert found["capabilities"].detail == "declared: none"
    assert "need what is not declared: the capabilities budget (" in found["scenarios of list_directory"].detail
    assert "no answer within" in found["time-out"].detail
    assert "killed by SIGKILL" in found["crash"].detail
    assert found["left behind"].detail == "no process"


ERROR_CASES = {
    "handshake": ("def initialize(request): answer(request, {'protocol': 1})", "lacks the member"),
    "tools": (
        """
        def initialize(request):
            answer(request, {"protocol": 1, "candidate": {"name": "s", "version": "", "language": ""},
                             "tools": {"list_files": "list_directory@1.1"}, "capabilities": []})
        """,
        "list_files claims list_directory@1.1, which has no such tool",
    ),
    "describe": ("def describe(request): write('Describing …\\n'); sys.exit(1)", "its answer is not JSON"),
    "describe list_directory": ("def describe(request): answer(request, {'name': 'ls'})", "has the name ls"),
    "call": ("def call(request): raise ValueError('no')", "ended with exit code 1"),
    "shutdown": ("def shutdown(request): answer(request, None); sys.exit(3)", "it ended with exit code 3"),
    "second process": ("initialize_ = initialize\nif os.getcwd() == '/': sys.exit('no config.json')", "no config"),
    "crash": (
        """
        listing = call
        count = os.path.join(os.path.dirname(sys.argv[0]), "starts")
        with open(count, "a") as file: file.write("x")
        if os.path.getsize(count) > 3: sys.exit("only one process may run")
        """,
        "restarted after SIGKILL: exit:",
    ),
    "left behind": (
        """
        listing = call
        def call(request):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    for descriptor in (0, 1, 2): os.close(descriptor)
                    time.sleep(600)
                os._exit(0)
            listing(request)
        """,
        "still running after the end",
    ),
}


def test_late_output_on_stdout_is_reported(run_checks: RunChecks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_checks, "_LATE_OUTPUT_SECONDS", 5.0)
    check = run_checks("""
        listing, calls = call, []
        def call(request):
            listing(request)
            calls.append(request)
            if len(calls) == 3:  # the last call before the check of late output
                import threading
                threading.Timer(0.1, write, ["Done.\\n"]).start()
        """)["stdout"]
    assert check.status == "error"
    assert "wrote to stdout before a request: 'Done." in check.detail
    assert check.remedy


@pytest.mark.parametrize("name", ERROR_CASES)
def test_an_error_of_an_adapter_is_reported_with_a_remedy(run_checks: RunChecks, name: str) -> None:
    changes, detail = ERROR_CASES[name]
    check = run_checks(changes)[name]
    assert check.status == "error"
    assert detail in check.detail
    assert check.remedy


WARNING_CASES = {
    "members of initialize": (
        """
        def initialize(request):
            answer(request, {"protocol": 1, "candidate": {"name": "s", "version": "", "language": ""},
                             "tools": {"list_directory": "list_directory@1.1"}, "capabilities": [], "extra": 1})
        """,
        "extra",
    ),
    "stderr": ("sys.stderr.write('line of a log\\n' * 20_000)", "more than treeproof keeps"),
    "call list_directory": (
        """
        def call(request):
            answer(request, {"status": "error", "error": {"kind": "SandboxViolation", "message": "\\x1b[31mno"}})
        """,
        "returns SandboxViolation: \\x1b[31mno",
    ),
    "tools": (
        """
        def initialize(request):
            answer(request, {"protocol": 1, "candidate": {"name": "s", "version": "", "language": ""},
                             "tools": {"list_directory": "list_directory@9"}, "capabilities": []})
        """,
        "list_directory@1.1 is used",
    ),
}


@pytest.mark.parametrize("name", WARNING_CASES)
def test_an_oddity_of_an_adapter_is_a_warning(run_checks: RunChecks, name: str) -> None:
    changes, detail = WARNING_CASES[name]
    found = run_checks(changes)
    assert (found[name].status, detail in found[name].detail) == ("warning", True), found[name]
    assert "error" not in {check.status for check in found.values()}


def test_relative_paths_and_a_tool_without_a_plain_call_are_no_warnings(run_checks: RunChecks) -> None:
    found = run_checks(
        """
        def initialize(request):
            answer(request, {"protocol": 1, "candidate": {"name": "s", "version": "", "language": ""},
                             "tools": {"NeuroScript": "fs_walkdir@0.1", "LS": "ls@2.0.0"}, "capabilities": []})
        def call(request):
            if request["params"]["tool"] == "NeuroScript":
                return answer(request, {"status": "error", "error": {"kind": "BadArgs", "message": "no script"}})
            path = request["params"]["arguments"].get("path", ".")
            root = request["params"]["context"]["roots"][0]
            names = [os.fsencode(name).decode("utf-8", "replace") for name in os.listdir(os.path.join(root, path))]
            paths = [os.path.normpath(os.path.join(path, name)) for name in names]
            answer(request, {"status": "ok", "content": json.dumps({"paths": paths, "text": "\\n".join(paths)})})
        """
    )
    assert {check.status for check in found.values()} == {"ok"}, found
    assert found["call NeuroScript"].detail.endswith("without arguments it returns BadArgs")
    assert found["capabilities"].detail == "declared: none"  # these tools need none


def test_a_path_that_does_not_reach_the_tool_is_a_warning(run_checks: RunChecks) -> None:
    check = run_checks(
        """
        listing = call
        def call(request):
            request["params"]["arguments"]["path"] = "."
            listing(request)
        """
    )["names"]
    assert (check.status, check.detail) == (
        "warning",
        "an unusual path goes in, but no text in the content names 'inside'",
    )
    assert check.remedy == "check that the content is the tool's JSON and that the glue does not change texts"


def test_a_hanging_candidate_is_reported_with_its_time_limit(run_checks: RunChecks) -> None:
    start = time.monotonic()
    check = run_checks("def call(request): time.sleep(600)", "call_timeout = 5")["call"]
    assert check.status == "error"
    assert "no answer within 5 s" in check.detail
    assert "call_timeout" in check.remedy
    assert time.monotonic() - start < 300


def test_one_process_per_message_is_no_error(tmp_path: Path) -> None:
    found = {check.name: check for check in check_adapter(f"command:{MISBEHAVING} once")}
    assert {check.status for check in found.values()} <= {"ok", "warning", "skipped"}
    assert found["time-out"].status == found["shutdown"].status == "skipped"


def test_the_reference_passes_every_check() -> None:
    assert {check.status for check in check_adapter("reference")} == {"ok"}


def test_a_declared_reading_that_does_not_exist_is_an_error(run_checks: RunChecks) -> None:
    check = run_checks("", '[interpretations]\n"AMB-LD-01" = "sometimes"\n')["interpretations"]
    assert check.status == "error"
    assert "exceeded, reached" in check.remedy


MAPPED = """
[tools.list_directory]
spec = "list_directory@1.1"
name = "Browse"
arguments = { path = "where" }
constants = { deep = false }
error = "^Error: "
[error_kinds]
"^Error: " = "ExecutionFailed"
[tools.list_directory.output]
place = "entries"
entries = "found"
members.name = "n"
"""
MAPPED_TOOL = """
def initialize(request):
    answer(request, {"protocol": 1, "candidate": {"name": "s", "version": "", "language": ""},
                     "tools": {"Browse": "unknown@1"}, "capabilities": []})
def call(request):
    path = os.path.join(request["params"]["context"]["roots"][0], request["params"]["arguments"]["where"])
    if not os.path.exists(path):
        return answer(request, {"status": "ok", "content": "Error: no " + request["params"]["arguments"]["where"]})
    names = [os.fsencode(name).decode("utf-8", "replace") for name in os.listdir(path)]
    answer(request, {"status": "ok", "content": json.dumps({"found": [{"n": name} for name in sorted(names)]})})
"""


def test_a_mapped_tool_has_its_own_name_and_a_worked_example(run_checks: RunChecks) -> None:
    found = run_checks(MAPPED_TOOL, MAPPED)
    assert {check.status for check in found.values()} == {"ok"}, found
    assert found["describe list_directory"].detail == (
        "answered with its own name Browse, as the manifest maps it; the requirement about the name will FAIL: "
        "FR-LD-DEF-01"
    )
    lines = found["call list_directory"].lines
    assert lines[0] == 'tree: d/{f="x", s/{y}}'
    assert lines[1:3] == ('call: list_directory {"path": "d"}', 'sent: Browse {"where": "d", "deep": false}')
    assert lines[3] == 'output: {"found": [{"n": "f"}, {"n": "s"}]}'
    assert lines[4] == 'document: {"entries":[{"name":"f"},{"name":"s"}]}'


def test_a_mapping_is_compared_with_the_tool(run_checks: RunChecks) -> None:
    schema = """
        def describe(request):
            properties = {"where": {}, "deep": {}, "max_entries": {}}
            answer(request, {"name": "Browse", "description": "d", "input_schema": {"properties": properties}})
    """
    found = run_checks(MAPPED_TOOL + textwrap.dedent(schema), MAPPED)
    assert "; the arguments recursive (" in found["scenarios of list_directory"].detail
    assert found["arguments of list_directory"].detail == "it answers with max_entries"
    assert found["error of list_directory"].detail == "what does not exist gives ExecutionFailed: Error: no missing"
    wrong = run_checks(MAPPED_TOOL + textwrap.dedent(schema), MAPPED.replace("{ deep", "{ depth"))
    check = wrong["arguments of list_directory"]
    assert (check.detail, check.remedy) == ("the mapping sends 'depth', which the tool does not take", 'write "deep"')


@pytest.mark.parametrize(
    ("line", "status", "detail"),
    [
        ('error = "^Error: "', "error", "what does not exist gives a success: Error: no missing"),
        ('"^Error: " = "ExecutionFailed"', "warning", "no pattern gives a kind to: Error: no missing"),
    ],
)
def test_an_error_that_the_mapping_does_not_know_is_reported(
    run_checks: RunChecks, line: str, status: str, detail: str
) -> None:
    check = run_checks(MAPPED_TOOL, MAPPED.replace(line, ""))["error of list_directory"]
    assert (check.status, check.detail) == (status, detail)


def test_lines_that_are_no_messages_are_reported_or_left_out(run_checks: RunChecks) -> None:
    banner = "write('Server ready\\n')\nlisted = call\ndef call(request): write('a log\\n'); listed(request)"
    check = run_checks(banner)["handshake"]
    assert check.status == "error" and "Server ready" in check.detail and "ignore_output" in check.remedy
    found = run_checks(banner, 'ignore_output = "^Server ready|^a log$"\n')
    assert {check.status for check in found.values()} == {"ok"}, found


def test_a_shell_without_exec_is_reported(tmp_path: Path) -> None:
    for command, status in (("cat | {}", "warning"), ("exec {}", "ok")):
        script = tmp_path / "start.sh"
        script.write_text(f"#!/bin/sh\n{command.format(f'{MISBEHAVING}')}\n")
        script.chmod(0o755)
        found = {check.name: check for check in check_adapter(f"stdio:{script}")}
        assert ("process" in found) == (status == "warning"), found


def test_a_mapping_that_does_not_fit_the_output_is_an_error(run_checks: RunChecks) -> None:
    found = run_checks(MAPPED_TOOL, MAPPED.replace('entries = "found"', 'entries = "files"'))
    check = found["mapping of list_directory"]
    assert (check.status, check.detail) == ("error", "the output has no list files")
    assert check.remedy.startswith("correct the mapping")
    lines = MAPPED.replace('entries = "found"\nmembers.name = "n"', "line = '(?P<type>DIR|FILE) (?P<name>.*)'")
    check = run_checks(MAPPED_TOOL, lines)["mapping of list_directory"]
    assert check.detail == ('line 1 does not match `line`: {"found": [{"n": "f"}, {"n": "s"}]}')


@pytest.mark.parametrize("target", ["stdio:/nowhere/at/all", "python:os", "nonsense:x", "no_such_folder"])
def test_an_invalid_target_is_a_usage_error(target: str) -> None:
    with pytest.raises(UsageError):
        list(check_adapter(target))


# ---- the host -------------------------------------------------------------------------------------------------------


def test_every_facility_has_a_description_and_a_remedy() -> None:
    assert set(FACILITIES) == set(FACILITY_REMEDIES) == set(PROBES) | {"isolation"}


def test_the_report_lists_the_requirements_that_need_each_facility() -> None:
    report = inspect_host()
    needed = {facility.name: facility.requirements for facility in report.facilities}
    assert set(needed) == set(PROBES) | {"isolation"}
    assert "FR-LD-LST-04" in needed["strace"]
    assert needed["inotify"] and needed["non_utf8_names"] and needed["drop_caps"]
    assert report.requirement_count > 80


def test_without_strace_the_doctor_reports_it_and_exits_with_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("COLUMNS", "400")
    assert cli.main(["doctor"]) == 3
    output = capsys.readouterr().out
    assert "tracing of system calls and injection of failures: strace is not installed" in output
    assert "install strace and allow ptrace" in output
    assert "FR-LD-LST-04" in output
    assert output.splitlines()[-1].startswith("incomplete: ")


def printed_report(report: HostReport) -> tuple[int, str]:
    stream = io.StringIO()
    code = print_host_report(report, ConsoleWriter(console_for(stream, {"COLUMNS": "200"})))
    return code, stream.getvalue()


def test_a_missing_facility_that_no_requirement_needs_is_no_error() -> None:
    unused = HostFacility("mknod", "mknod is refused", ())
    code, output = printed_report(HostReport("Linux", False, "/tmp", (unused,), 90))
    assert code == 0
    assert "no requirement depends on it" in output
    assert output.splitlines()[-1] == "complete: this host can verify all 90 requirements with scenarios"


def test_a_requirement_that_lacks_two_facilities_counts_once() -> None:
    missing = (HostFacility("strace", "no", ("R-1", "R-2")), HostFacility("inotify", "no", ("R-2",)))
    code, output = printed_report(HostReport("Linux", False, "/tmp", missing, 9))
    assert code == 3
    assert "2 of 9 requirements cannot be verified on this host" in output


def test_checks_are_one_line_each_and_determine_the_exit_code() -> None:
    stream = io.StringIO()
    page = ConsoleWriter(console_for(stream, {"COLUMNS": "200"}))
    checks = [
        CheckResult("a", "ok", "fine"),
        CheckResult("b", "warning", "odd \x1b[31m"),
        CheckResult("c", "error", "bad", "write d"),
    ]
    assert print_checks(checks, page) == 4
    assert "\x1b" not in stream.getvalue()
    assert "c: bad — write d" in stream.getvalue()
    assert print_checks(checks[:2], page) == 0


@pytest.mark.parametrize(
    ("notation", "needs"),
    [
        ("a, d/{b=12@5}", set()),
        ("a!L", {"strace"}),
        ("d/!R{x}", {"strace"}),
        (r"'\xff'", {"non_utf8_names"}),
        ("l->a", {"symlinks"}),
        ("p:fifo, d/{s:sock}", {"special_files"}),
        ("c:chr", {"mknod"}),
        ("f=9223372036854775807", {"huge_files"}),
        ("f@-4611686018427387904000", {"wide_mtimes"}),
        ("d/%0444{x}", {"drop_caps"}),
        ("f%0444", set()),
        ("d/{A, a}", {"case_sensitive"}),
        ("d/{'\u00e9', 'e\u0301'}", {"normal_forms"}),
    ],
)
def test_the_facilities_that_a_tree_needs_follow_from_its_notation(notation: str, needs: set[str]) -> None:
    assert set(needs_of_tree(parse_tree(notation))) == needs


if os.uname().sysname != "Linux":
    pytest.skip("not verified: the doctor and its cleanup; needs Linux and its /proc", allow_module_level=True)
