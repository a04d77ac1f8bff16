"""Print the changes by mutmut to the reference implementation that no scenario detects, and counts per module.

    python benchmarks/mutmut_survivors.py [PART …] [--spec SPEC …] [--sample N] [--seed N] [--log FILE]
    python benchmarks/mutmut_survivors.py [PART …] --pack FOLDER [--sample N] [--seed N] [--log FILE]

PART is a module or package of `reference_impl` (`list_directory`, `file_operations.transfer`) or the printed name of a
change (`shared.paths.x_lossy__mutmut_3`); the default is everything. With `--pack`, it is one of the folder of a
specification, and the default is the module of its reference implementation. mutmut makes the changes and activates
one by MUTANT_UNDER_TEST; it is not a dependency and must be installed separately. A changed function may delete files:
use a disposable machine.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treeproof.spec import Pack

CHECKOUT = Path(__file__).resolve().parent.parent
COPIED_FOLDERS = ("treeproof", "features", "steps", "fixtures", "adapters", "reference_impl", "oracles")
MUTMUT_REQUIREMENT = "mutmut==3.8.1"
PACKAGE = "treeproof.reference_impl."

# The wording of error messages is free, so lines that raise an error with a text stay unchanged.
MUTMUT_CONFIG = r"""
[mutmut]
source_paths = {source}
do_not_mutate_patterns = ^\s*raise .*"
"""

# Appended to the changed package, so that processes started by a scenario also record the functions that they reach.
RECORD_HITS = """
import os
if os.environ.get("MUTANT_UNDER_TEST") == "stats":
    import mutmut.mutation.trampoline as _trampoline
    _hits = open(os.environ["MUTMUT_HITS"], "a", buffering=1)
    _trampoline.record_trampoline_hit = lambda name, caller=None: _hits.write(name + chr(10))
"""


@dataclass(frozen=True)
class MutmutChange:
    """One change: its module, its name, its function and the lines that differ."""

    module: str
    name: str
    function: str
    lines: str


@dataclass(frozen=True)
class ChangedCopy:
    """A copy of sources to change: the folder of the modules, the module that records hits, and the names of both.

    ``package`` is the prefix of the modules' full names; ``specs`` are the specifications whose scenarios judge.
    """

    source: Path
    recorder: Path
    package: str
    specs: Sequence[str]


def copy_checkout(folder: Path, specs: Sequence[str]) -> ChangedCopy:
    """Copy the content of the checkout to ``folder``."""
    for name in COPIED_FOLDERS:
        shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    reference = folder / "reference_impl"
    return ChangedCopy(reference, reference / "__init__.py", PACKAGE, specs)


def copy_pack(folder: Path, pack: Pack) -> ChangedCopy:
    """Copy the folder of a specification below ``folder``. Raises LookupError if it has no reference of its own."""
    from treeproof.pack_modules import full_module_name

    copy = folder / pack.folder.name
    shutil.copytree(pack.folder, copy, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    module = (pack.reference or "").partition(":")[0]
    recorder = copy.joinpath(*module.split(".")).with_suffix(".py")
    if not module or not recorder.is_file():
        raise LookupError(f"reference of {pack.pack_file}")
    package = full_module_name(module, copy).removesuffix(module)
    return ChangedCopy(copy, recorder, package, [str(copy) if pack.is_newest else f"{copy}@{pack.version}"])


def insert_changes(copied: ChangedCopy, wanted: Sequence[str], sample: int | None, seed: int) -> list[MutmutChange]:
    """Insert the changes into a copy and return the selected ones.

    Raises LookupError with the name of an unknown module, package or change.
    """
    reference = copied.source
    folder = reference.parent
    (folder / "setup.cfg").write_text(MUTMUT_CONFIG.format(source=reference.name))
    os.chdir(folder)  # mutmut reads its settings from the working directory
    file_mutation = importlib.import_module("mutmut.mutation.file_mutation")
    mutate: Callable[[str, str], Any] = file_mutation.mutate_file_contents
    changes: list[MutmutChange] = []
    unknown = dict.fromkeys(wanted)
    for file in sorted(reference.rglob("*.py")):
        module = ".".join(file.relative_to(reference).with_suffix("").parts)
        if not any(_overlap(part, module) for part in wanted or [module]):
            continue
        mutated = mutate(str(file), file.read_text())
        file.write_text(mutated.code)
        found = [change for change in _read_changes(module, mutated) if _is_wanted(change, wanted)]
        for part in [part for part in unknown if any(_is_wanted(change, [part]) for change in found)]:
            del unknown[part]
        generator = random.Random(f"{seed} {module}")
        changes += generator.sample(found, sample) if sample is not None and sample < len(found) else found
    if unknown:
        raise LookupError(next(iter(unknown)))
    with copied.recorder.open("a") as recorder:
        recorder.write(RECORD_HITS)
    return changes


def _overlap(part: str, module: str) -> bool:
    """Return whether one of two dotted names equals or contains the other."""
    return f"{part}.".startswith(f"{module}.") or f"{module}.".startswith(f"{part}.")


def _is_wanted(change: MutmutChange, wanted: Sequence[str]) -> bool:
    names = (f"{change.name}.", f"{change.function}.")
    return not wanted or any(name.startswith(f"{part}.") for part in wanted for name in names)


def _read_changes(module: str, mutated: Any) -> Iterator[MutmutChange]:
    lines = mutated.code.splitlines()
    for name in mutated.mutant_names:
        function = name.rpartition("__mutmut_")[0]
        spans = [(of, mutated.line_span_by_function_name[of]) for of in (f"{function}__mutmut_orig", name)]
        before, after = (
            [line.strip().replace(of, "") for line in lines[span.start - 1 : span.end]] for of, span in spans
        )
        while before and after and before[0] == after[0]:
            del before[0], after[0]
        while before and after and before[-1] == after[-1]:
            del before[-1], after[-1]
        difference = f"{' '.join(before)}  ->  {' '.join(after)}"
        yield MutmutChange(module, f"{module}.{name}", f"{module}.{function}", difference)


def judge_changes(
    copied: ChangedCopy, changes: Sequence[MutmutChange], max_seconds: float
) -> Iterator[tuple[MutmutChange, str]]:
    """Yield each change with what detects it, or an empty text. Raises CalledProcessError."""
    folder = copied.source.parent
    environment = {**os.environ, "PYTHONPATH": str(folder), "MUTMUT_HITS": str(folder / "hits")}
    judge_script = CHECKOUT / "benchmarks" / "mutmut_judge.py"
    command = [sys.executable, str(judge_script), copied.package, str(max_seconds), *copied.specs]
    (folder / "changes").write_text("".join(json.dumps(asdict(change)) + "\n" for change in changes))
    with (
        (folder / "changes").open() as lines,
        subprocess.Popen(command, stdin=lines, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment) as judge,
    ):
        assert judge.stdout is not None
        for change, line in zip(changes, judge.stdout, strict=False):
            yield change, line.strip()
    if judge.returncode:
        raise subprocess.CalledProcessError(judge.returncode, command)


def main() -> int:
    """Print the survivors and the counts per module; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wanted", nargs="*", metavar="PART", help="a module, a package or a change [all]")
    parser.add_argument("--spec", action="append", default=[], help="use only this specification's scenarios")
    parser.add_argument("--pack", metavar="FOLDER", help="change the reference of this specification")
    parser.add_argument("--sample", type=int, metavar="N", help="draw at most N changes per module [all]")
    parser.add_argument("--seed", type=int, default=0, help="select the sample [%(default)s]")
    parser.add_argument(
        "--max-seconds",
        type=float,
        default=60.0,
        help="skip slower scenarios, in processor seconds [%(default)s]",
    )
    parser.add_argument("--log", type=Path, help="append each result to this file")
    args = parser.parse_args()
    if importlib.util.find_spec("mutmut") is None:
        print(
            f"mutmut_survivors: mutmut is not installed; .venv/bin/python -m pip install {MUTMUT_REQUIREMENT}",
            file=sys.stderr,
        )
        return 2
    if args.pack and args.spec:
        print("mutmut_survivors: --spec is for the bundled specifications; leave it out with --pack", file=sys.stderr)
        return 2
    from treeproof.errors import UsageError
    from treeproof.spec import open_pack

    try:
        pack = open_pack(args.pack if os.sep in args.pack else f"./{args.pack}") if args.pack else None
    except UsageError as error:
        print(f"mutmut_survivors: --pack {error}", file=sys.stderr)
        return 2
    log = (args.log or Path(os.devnull)).resolve()
    counts: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory(prefix="mutmut-survivors-") as temporary, log.open("a") as log_file:
        folder = Path(temporary)
        try:
            copied = copy_pack(folder, pack) if pack is not None else copy_checkout(folder, args.spec)
            default = [] if pack is None else [(pack.reference or "").partition(":")[0]]
            changes = insert_changes(copied, args.wanted or default, args.sample, args.seed)
            for change, detection in judge_changes(copied, changes, args.max_seconds):
                counts.setdefault(change.module, [0, 0])[bool(detection)] += 1
                print(change.name, detection or "survives", change.lines, sep="\t", file=log_file, flush=True)
                if not detection:
                    print(f"{change.name}\n    {change.lines}", flush=True)
        except LookupError as unknown:
            print(
                f"mutmut_survivors: {unknown.args[0]}: {args.pack or 'reference_impl'} has no such module or package "
                "with changes, and no such change",
                file=sys.stderr,
            )
            return 2
        except subprocess.CalledProcessError as error:  # the judge has printed the reason
            return error.returncode
        finally:
            os.chdir(CHECKOUT)
    print(f"{'module':32} {'changes':>8} {'detected':>8} {'survive':>8}")
    for module, (survive, detected) in counts.items():
        print(f"{module:32} {survive + detected:8} {detected:8} {survive:8}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
