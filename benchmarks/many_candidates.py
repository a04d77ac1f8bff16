"""Run many candidates in the way of docs/scaling.md, and print what the machine did.

    python benchmarks/many_candidates.py FOLDER [--candidates N] [--seconds N]

FOLDER receives one folder per candidate with its manifest and its report. The candidates are the examples and mutants
of benchmarks/foreign_mutants, the same number of each specification; what is not built is left out. A candidate that
has a report does not run again, so that pieces of some `--seconds` do the work. When all have a report, they
are merged.

`busy` is the processor time of all runs and candidates by the time of all cores. `of what was free` leaves out the
time in which other programs of the machine had a core.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES: Mapping[str, Sequence[str]] = {
    "list_directory": ("go", "node"),
    "file_operations": ("rust-file-operations",),
    "fs_walkdir": ("go-walkdir",),
    "local_files": ("java-local-files",),
    "ls": ("python-ls",),
}
SWITCH_VARIABLE = "TREEPROOF_BUG"
TREEPROOF = [sys.executable, "-m", "treeproof"]
ONE_RUN = f"""[ "$(date +%s)" -lt "$END" ] || exit 0
[ -s "$1.json" ] || {{ {shlex.join(TREEPROOF)} run "$1" --jobs 1 --report json="$1.json" >"$1.log" 2>&1
  echo $? >"$1.exit"; }}
"""
MARKS = {"0": "right", "1": "failed", "3": "incomplete"}


@dataclass(frozen=True)
class Candidate:
    """A candidate and what its manifest contains."""

    name: str
    spec: str
    command: Sequence[str]
    switch: str

    def manifest(self) -> str:
        """Return the text of its manifest."""
        lines = ["[candidate]", f"name = {json.dumps(self.name)}", 'adapter = "stdio"']
        lines += [f"command = {json.dumps(self.command)}", f"specs = [{json.dumps(self.spec)}]"]
        return "\n".join([*lines, *([f'env = {{ {SWITCH_VARIABLE} = "{self.switch}" }}'] * bool(self.switch)), ""])


@dataclass(frozen=True)
class Piece:
    """What the machine did while some candidates ran, in seconds."""

    wall: float
    own: float
    idle: float
    cores: int
    runs: int


def command_of(file: Path) -> list[str] | None:
    """Return the command of a manifest or a list of mutants with absolute paths; None if its program is missing."""
    data = tomllib.loads(file.read_text("utf-8"))
    command = data.get("command") or data["candidate"]["command"]
    folder = file.parent
    parts = [part.replace("{folder}", str(folder)) for part in command]
    parts = [str(folder / part) if part.startswith("./") or (folder / part).is_file() else part for part in parts]
    has_classes = all(Path(part).is_dir() for part in parts if part.endswith("/classes"))
    return parts if which(parts[0]) and has_classes else None


def iter_candidates(spec: str, number: int) -> Iterator[Candidate]:
    """Yield the examples of a specification and evenly chosen mutants, ``number`` candidates in all."""
    left = number
    for name in EXAMPLES[spec]:
        command = command_of(ROOT / "examples" / name / "treeproof.toml")
        if command is not None:
            left -= 1
            yield Candidate(name, spec, command, "")
    files = sorted((ROOT / "benchmarks" / "foreign_mutants" / spec).glob("*/mutants.toml"))
    built = [(file, command) for file in files if (command := command_of(file)) is not None]
    for position, (file, command) in enumerate(built):
        mutants = tomllib.loads(file.read_text("utf-8"))["mutant"]
        share = left // (len(built) - position)
        left -= share
        for place in range(share):
            mutant = mutants[place * len(mutants) // share]
            yield Candidate(mutant["id"], spec, command, mutant["switch"])


def idle_seconds() -> float:
    """Return the time that all cores of the machine have been idle so far."""
    numbers = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return (int(numbers[4]) + int(numbers[5])) / os.sysconf("SC_CLK_TCK")


def run_candidates(manifests: Sequence[Path], script: Path, cores: int, seconds: float) -> Piece:
    """Run the candidates without a report, one on each core, until all have one or the time is over."""
    waiting = [path for path in manifests if not Path(f"{path}.json").exists()]
    environment = os.environ | {"END": str(int(time.time() + seconds))}
    before, idle, started = resource.getrusage(resource.RUSAGE_CHILDREN), idle_seconds(), time.monotonic()
    subprocess.run(
        ["xargs", "-P", str(cores), "-I", "{}", "sh", str(script), "{}"],
        input="\n".join(map(str, waiting)).encode(),
        env=environment,
        check=True,
    )
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    done = sum(Path(f"{path}.json").exists() for path in waiting)
    return Piece(wall, own, idle_seconds() - idle, cores, done)


def print_pieces(pieces: Sequence[Piece]) -> None:
    """Print the sums of all pieces."""
    wall, own, idle, runs = (sum(getattr(one, name) for one in pieces) for name in ("wall", "own", "idle", "runs"))
    available = sum(one.wall * one.cores for one in pieces)
    print(f"{runs} runs in {wall:.0f} s on {pieces[0].cores} cores: {own:.0f} s of processor time")
    print(f"{own / runs:.1f} s for each; busy {own / available:.0%}, of what was free {own / (own + idle):.0%}")


def merge(folder: Path, reports: Sequence[Path]) -> None:
    """Merge the reports as JSON, Markdown and HTML, and print the time and the sizes."""
    outputs = {name: folder / f"matrix.{name}" for name in ("html", "json", "md")}
    arguments = [word for name, path in outputs.items() for word in ("--report", f"{name}={path}")]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with (folder / "matrix.txt").open("wb") as text:
        subprocess.run([*TREEPROOF, "merge", *map(str, reports), *arguments], stdout=text, check=True)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = sum(path.stat().st_size for path in reports)
    sizes = {name: path.stat().st_size for name, path in outputs.items()} | {
        "terminal": (folder / "matrix.txt").stat().st_size
    }
    print(f"merged {len(reports)} reports of {size / 1e6:.1f} MB in {wall:.1f} s, {own:.1f} s of processor time")
    print(f"matrix: {', '.join(f'{name} {size / 1e6:.2f} MB' for name, size in sizes.items())}")


def main() -> int:
    """Run a piece of the work, and merge if all of it is done."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--candidates", metavar="N", type=int, default=200, help="[%(default)s]")
    parser.add_argument("--seconds", metavar="N", type=float, default=1e9, help="start no run later [no limit]")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    number = options.candidates // len(EXAMPLES)
    lists = [list(iter_candidates(spec, number)) for spec in EXAMPLES]
    # In turns, so that each piece of the work has candidates of each specification.
    candidates = [one for several in zip(*lists, strict=True) for one in several]
    manifests = []
    for candidate in candidates:
        path = options.folder / candidate.name / "treeproof.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(candidate.manifest(), "utf-8")
        manifests.append(path)
    script, log = options.folder / "one.sh", options.folder / "pieces.jsonl"
    script.write_text(ONE_RUN)
    piece = run_candidates(manifests, script, cores, options.seconds)
    if piece.runs:
        with log.open("a") as file:
            file.write(json.dumps(asdict(piece)) + "\n")
    pieces = [Piece(**json.loads(line)) for line in log.read_text().splitlines()] if log.exists() else []
    if pieces:
        print_pieces(pieces)
    reports = [Path(f"{path}.json") for path in manifests]
    missing = [path for path in reports if not path.exists()]
    if missing:
        print(f"{len(missing)} candidates have no report yet; run this again")
        return 0
    codes = [str(json.loads(path.read_bytes())["exit"]) for path in reports]
    print(", ".join(f"{codes.count(code)} {MARKS.get(code, f'exit {code}')}" for code in sorted(set(codes))))
    merge(options.folder, reports)
    return 0


if __name__ == "__main__":
    sys.exit(main())
