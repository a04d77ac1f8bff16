"""Measure listings of large directories by the reference, beside the programs that people use for them.

    python benchmarks/large_directories.py [--sizes N …] [--deep N] [--rounds N] [--mcp COMMAND] [--records FILE]
        [--write]

Directories of the given sizes are built, in memory where the machine has a file system for that; then a tree of
`--deep` entries. Each subject reads each of them `--rounds` times. The tables have the least processor time of these
rounds, because other work on the machine changes it least. A program is measured with its start; a tool of the
reference or of a server is measured during its call alone. Programs that are not installed are left out, and the text
names them. `--records` keeps the results in a file and adds to those in it, so a long measurement can be done in parts.
`--write` puts the result into README.md beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- large directories: written by `large_directories.py` -->", "<!-- end of large directories -->"

FIND_FORMAT = r"%p %y %s %T@\n"
UNLIMITED = 1 << 30
LARGEST_FOR_SERVERS = 300_000
"""A server that examines all entries at once holds about 6 KB for each."""

FILES_PER_DIRECTORY, DIRECTORIES_PER_DIRECTORY, LEVELS = 25, 4, 8


@dataclass(frozen=True)
class Cost:
    """The processor time in seconds; of a tool, also the peak of memory in MB above the one before its call."""

    seconds: float
    megabytes: float | None = None

    def least(self, other: Cost | None) -> Cost:
        """Return the least of both costs."""
        if other is None:
            return self
        memory = [one.megabytes for one in (self, other) if one.megabytes is not None]
        return Cost(min(self.seconds, other.seconds), min(memory, default=None))


Costs = dict[str, Cost]
"""The least cost of each subject, by its name."""


@dataclass(frozen=True)
class Subject:
    """Something that lists a directory of at most `largest` entries; `measure` does it once."""

    name: str
    measure: Callable[[str], Cost]
    largest: int = UNLIMITED


def build_flat(directory: str, entries: int) -> None:
    """Fill a directory with empty files in an order that is not that of their names; each hundredth is a directory."""
    os.mkdir(directory)
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        for number in range(entries):
            name = f"entry-{number * 7919 % entries:07}.txt"  # 7919 is prime: each name occurs once
            if number % 100 == 99:
                os.mkdir(name, dir_fd=descriptor)
            else:
                os.close(os.open(name, os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    finally:
        os.close(descriptor)


def build_deep(directory: str, entries: int) -> None:
    """Build a tree of `entries` entries, most of them in small directories of the lowest levels."""
    os.mkdir(directory)
    pending, left = [(directory, 1)], entries
    while pending and left:
        parent, level = pending.pop(0)
        for number in range(min(left, FILES_PER_DIRECTORY)):
            os.close(os.open(f"{parent}/file{number:02}.txt", os.O_CREAT | os.O_WRONLY))
            left -= 1
        for number in range(min(left, DIRECTORIES_PER_DIRECTORY if level < LEVELS else 0)):
            os.mkdir(f"{parent}/dir{number}")
            pending.append((f"{parent}/dir{number}", level + 1))
            left -= 1
    if left:
        raise SystemExit(f"--deep: at most {entries - left} entries fit into {LEVELS} levels")


def program(name: str, *command: str) -> Subject:
    """Return a program; its output is discarded."""

    def measure(directory: str) -> Cost:
        words = [word.replace("{}", directory) for word in command]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{name}: exit {process.returncode}")
        return Cost(usage.ru_utime + usage.ru_stime)  # the peak of memory would be that of this process, forked

    return Subject(name, measure)


def reference_tool(specification: str, tool: str, *, is_deep: bool = False) -> Subject:
    """Return a tool of the reference, in a process of its own."""

    def measure(directory: str) -> Cost:
        command = [sys.executable, __file__, "--call", specification, tool, directory, "--deep", str(int(is_deep))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{tool}: {(done.stderr or done.stdout).strip()[-500:]}")
        return Cost(**json.loads(done.stdout))

    return Subject(f"reference: `{tool}`", measure)


def call_reference(specification: str, tool: str, directory: str, is_deep: bool) -> Cost:
    """Call a tool of the reference in this process. Raises SystemExit if the call fails."""
    module = importlib.import_module(f"treeproof.reference_impl.{specification}.candidate")
    root, name = os.path.split(directory)
    arguments_by_tool: dict[str, dict[str, Any]] = {
        "list_directory": {"path": name, "max_entries": UNLIMITED if is_deep else 200},
        "LS": {"path": name, "limit": 200},
        "FS.WalkDir": {"path": name},
        "listDirectory": {"path": directory},
        "findFiles": {"path": directory, "recursive": True, "glob": "**"},
    }
    arguments = arguments_by_tool[tool]
    if tool == "list_directory" and is_deep:
        arguments |= {"recursive": True, "max_depth": LEVELS + 1}
    context = {
        "roots": [root],
        "working_dir": root,
        "max_output_bytes": UNLIMITED,
        "available_capacity_bytes": UNLIMITED,
        "config": {"tools": {"list_directory": {"max_entries": UNLIMITED, "max_depth": LEVELS + 1}}},
    }
    candidate = module.candidate()
    before = resource.getrusage(resource.RUSAGE_SELF)
    result = candidate.call({"tool": tool, "arguments": arguments, "context": context})
    after = resource.getrusage(resource.RUSAGE_SELF)
    if result["status"] != "ok":
        raise SystemExit(f"{tool}: {result['error']['message']}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, (after.ru_maxrss - before.ru_maxrss) / 1024)


class McpServer:
    """A started MCP server with pipes, to which requests are sent one by one."""

    def __init__(self, command: Sequence[str], directory: str) -> None:
        words = [*command, os.path.dirname(directory)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._requests = 0
        client = {"name": "large_directories", "version": "1"}
        self.request("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client})
        self._send({"method": "notifications/initialized"})

    def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the result of a request. Raises SystemExit if the server ends or reports an error."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._requests and "method" not in answer:
                if "result" not in answer or answer["result"].get("isError"):
                    raise SystemExit(f"--mcp: {line.strip()[:500]}")
                return answer["result"]
        raise SystemExit("--mcp: the server has ended")

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def used(self) -> Cost:
        """Return the processor time of the server so far, and the peak of its memory."""
        folder = Path("/proc", str(self._process.pid))
        fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        status = dict(line.split(":", 1) for line in (folder / "status").read_text("utf-8", "replace").splitlines())
        ticks = int(fields[11]) + int(fields[12])
        return Cost(ticks / os.sysconf("SC_CLK_TCK"), int(status["VmHWM"].split()[0]) / 1024)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def mcp_tool(command: Sequence[str], tool: str) -> Subject:
    """Return a tool of an MCP server that is started with a permitted directory as its last argument."""

    def measure(directory: str) -> Cost:
        server = McpServer(command, directory)
        try:
            before = server.used()
            server.request("tools/call", {"name": tool, "arguments": {"path": directory}})
            after = server.used()
        finally:
            server.close()
        memory = (after.megabytes or 0) - (before.megabytes or 0)
        return Cost(after.seconds - before.seconds, memory)

    return Subject(f"MCP server: `{tool}`", measure, LARGEST_FOR_SERVERS)


def subjects(mcp: Sequence[str], *, is_deep: bool) -> tuple[list[Subject], list[str]]:
    """Return the subjects of this machine, and the names of those that are not installed."""
    fd = next((name for name in ("fd", "fdfind") if shutil.which(name)), "fd")
    if is_deep:
        found = [
            program("`find -printf`", "find", "{}", "-printf", FIND_FORMAT),
            program("`ls -lR`", "ls", "-lR", "{}"),
            program("`fd`", fd, "--unrestricted", ".", "{}"),
            program("`tree`", "tree", "-a", "{}"),
            reference_tool("list_directory", "list_directory", is_deep=True),
            reference_tool("fs_walkdir", "FS.WalkDir"),
            reference_tool("local_files", "findFiles"),
        ]
    else:
        found = [
            program("`ls -l`", "ls", "-l", "{}"),
            program("`ls -U`", "ls", "-U", "{}"),
            program("`find -printf`", "find", "{}", "-printf", FIND_FORMAT),
            program("`fd`", fd, "--unrestricted", ".", "{}"),
            program("`tree`", "tree", "-a", "{}"),
            reference_tool("list_directory", "list_directory"),
            reference_tool("ls", "LS"),
            reference_tool("fs_walkdir", "FS.WalkDir"),
            reference_tool("local_files", "listDirectory"),
        ]
        if mcp:
            found += [mcp_tool(mcp, "list_directory"), mcp_tool(mcp, "list_directory_with_sizes")]
    commands = {"`fd`": fd, "`tree`": "tree"}
    absent = [one.name for one in found if one.name in commands and shutil.which(commands[one.name]) is None]
    missing = [*absent, *([] if mcp else ["the official MCP server (no `--mcp`)"])]
    return [one for one in found if one.name not in absent], missing


def measure_all(found: Sequence[Subject], directory: str, entries: int, rounds: int, known: Costs) -> Costs:
    """Return the least cost of each subject, also of the known ones; in each round all of them run in turn."""
    least = dict(known)
    for number in range(rounds):
        for subject in found:
            if entries <= subject.largest:
                least[subject.name] = subject.measure(directory).least(least.get(subject.name))
        print(f"measured: {os.path.basename(directory)}, round {number + 1}", file=sys.stderr)
    return least


def format_curve(costs: Mapping[int, Costs]) -> Iterator[str]:
    """Yield a table of seconds by number of entries, with ratios to the first subject and memory at the largest."""
    sizes = sorted(costs)
    names = list(costs[sizes[0]])
    unit = costs[sizes[-1]][names[0]]
    yield f"| subject | {' | '.join(f'{size:,}' for size in sizes)} | × `ls -l` | MB |"
    yield "|---|" + "---:|" * (len(sizes) + 2)
    for name in names:
        cells = [_format_seconds(costs[size].get(name)) for size in sizes]
        yield f"| {name} | {' | '.join(cells)} | {_format_ratio(costs[sizes[-1]].get(name), unit)} |"


def format_tree(costs: Costs) -> Iterator[str]:
    """Yield a table of seconds for one tree, with ratios to the first subject."""
    unit = next(iter(costs.values()))
    yield "| subject | seconds | × `find -printf` | MB |"
    yield "|---|---:|---:|---:|"
    for name, cost in costs.items():
        yield f"| {name} | {_format_seconds(cost)} | {_format_ratio(cost, unit)} |"


def _format_seconds(cost: Cost | None) -> str:
    return "–" if cost is None else f"{cost.seconds:.3f}"


def _format_ratio(cost: Cost | None, unit: Cost) -> str:
    if cost is None:
        return "– | –"
    memory = "–" if cost.megabytes is None else f"{cost.megabytes:.1f}"
    return f"{cost.seconds / unit.seconds:.2f} | {memory}"


def format_report(curve: Mapping[int, Costs], trees: Mapping[int, Costs], missing: Sequence[str]) -> str:
    """Return the text of the section in README.md."""
    system = platform.uname()
    absent = f"Not measured here: {', '.join(missing)}." if missing else "All subjects were installed."
    lines = [
        f"{os.cpu_count()} cores ({system.machine}), {system.system} {system.release}, Python"
        f" {platform.python_version()}. Least processor time of several rounds, in seconds.",
        absent,
        "",
        "One directory, by number of entries. The ratio and the memory are those at the largest number:",
        "",
        *format_curve(curve),
    ]
    for entries, costs in sorted(trees.items()):
        lines += ["", f"A tree of {entries:,} entries:", "", *format_tree(costs)]
    return "\n".join(lines)


class Records:
    """The results of this and earlier measurements: by number of entries, of directories and of trees."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.kinds: dict[str, dict[int, Costs]] = {"directories": {}, "trees": {}}
        if file is None or not file.exists():
            return
        try:
            for kind, sizes in json.loads(file.read_text("utf-8")).items():
                for size, costs in sizes.items():
                    self.kinds[kind][int(size)] = {name: Cost(*cost) for name, cost in costs.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise SystemExit(f"{file}: not records of this script ({error}); give another file") from error

    def measure(self, kind: str, found: Sequence[Subject], directory: str, entries: int, rounds: int) -> None:
        """Add the costs of the subjects on a directory to the records."""
        known = self.kinds[kind].get(entries, {})
        self.kinds[kind][entries] = measure_all(found, directory, entries, rounds, known)
        if self._file is not None:
            plain = {
                kind: {
                    size: {name: [cost.seconds, cost.megabytes] for name, cost in costs.items()}
                    for size, costs in sizes.items()
                }
                for kind, sizes in self.kinds.items()
            }
            self._file.write_text(json.dumps(plain), "utf-8")


def write_section(text: str) -> None:
    """Put the text between the marks of README.md."""
    page = README.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def _parse_count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text!r}: give a number from 1 to 10000000")
    return int(text)


def main() -> int:
    """Measure and print or write the section; return the exit code."""
    if sys.argv[1:2] == ["--call"]:
        _, _, specification, tool, directory, _, is_deep = sys.argv
        cost = call_reference(specification, tool, directory, is_deep == "1")
        print(json.dumps({"seconds": cost.seconds, "megabytes": cost.megabytes}))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--sizes",
        metavar="N",
        type=_parse_count,
        nargs="*",
        default=[1000, 10_000, 100_000],
        help="entries of the directories [1000 10000 100000]",
    )
    parser.add_argument("--deep", metavar="N", type=_parse_count, help="entries of a tree [none]")
    parser.add_argument("--rounds", metavar="N", type=_parse_count, default=3, help="number of rounds [%(default)s]")
    parser.add_argument(
        "--mcp", metavar="COMMAND", type=shlex.split, default=[], help="the command of an MCP file-system server"
    )
    parser.add_argument("--records", metavar="FILE", type=Path, help="keep the results, and add to those in the file")
    parser.add_argument("--write", action="store_true", help="write the result into README.md")
    args = parser.parse_args()
    records = Records(args.records)
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    flat, missing = subjects(args.mcp, is_deep=False)
    with tempfile.TemporaryDirectory(dir=place) as folder:
        for size in args.sizes:
            directory = f"{folder}/{size}"
            build_flat(directory, size)
            records.measure("directories", flat, directory, size, args.rounds)
            shutil.rmtree(directory)
        if args.deep:
            build_deep(f"{folder}/tree", args.deep)
            deep, _ = subjects(args.mcp, is_deep=True)
            records.measure("trees", deep, f"{folder}/tree", args.deep, args.rounds)
    if not records.kinds["directories"]:
        return 0
    report = format_report(records.kinds["directories"], records.kinds["trees"], missing)
    if args.write:
        write_section(report)
    else:
        print(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
