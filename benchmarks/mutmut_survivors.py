"""A second opinion on the suite: which of mutmut's changes of the reference does no scenario notice?

    python benchmarks/mutmut_survivors.py [WHAT …] [--spec SPEC …] [--sample N] [--seed N] [--log FILE]

WHAT is a module or package of `reference_impl` (`listing`, `moving.transfer`) or one change by the name that is printed
(`paths.x_lossy__mutmut_3`); without any it is everything. The changes are made, and chosen among by MUTANT_UNDER_TEST,
by mutmut, which is no dependency and has to be installed by hand. What no scenario notices is printed, with figures by
module. Changed functions may remove what they should not: run it where nothing can be lost.
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
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
COPIED_FOLDERS = ("treeproof", "features", "steps", "fixtures", "adapters", "reference_impl", "oracles")
MUTMUT_REQUIREMENT = "mutmut==3.8.1"
PACKAGE = "treeproof.reference_impl."

# What an error says is free in its words, so lines that raise one with a text are left alone.
MUTMUT_CONFIG = r"""
[mutmut]
source_paths = reference_impl
do_not_mutate_patterns = ^\s*raise .*"
"""

# Stands at the top of the changed package, so that processes that a scenario starts note what they reach as well.
RECORD_HITS = """
import os
if os.environ.get("MUTANT_UNDER_TEST") == "stats":
    import mutmut.mutation.trampoline as _trampoline
    _hits = open(os.environ["SECOND_OPINION_HITS"], "a", buffering=1)
    _trampoline.record_trampoline_hit = lambda name, caller=None: _hits.write(name + chr(10))
"""


@dataclass(frozen=True)
class MutmutChange:
    """One of mutmut's changes: its module, its name, the name of its function, the lines that differ."""

    module: str
    name: str
    function: str
    lines: str


def prepare_copy(folder: Path, wanted: Sequence[str], sample: int | None, seed: int) -> list[MutmutChange]:
    """Copy the content of the checkout to ``folder`` with the changes in it; return those that are asked for.

    Raises LookupError, with its name, for what is no module, package or change.
    """
    for name in COPIED_FOLDERS:
        shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "setup.cfg").write_text(MUTMUT_CONFIG)
    os.chdir(folder)  # where mutmut looks for its settings
    make: Callable[[str, str], Any] = importlib.import_module(
        "mutmut.mutation.file_mutation"
    ).mutate_file_contents
    reference = folder / "reference_impl"
    changes: list[MutmutChange] = []
    lacking = dict.fromkeys(wanted)
    for file in sorted(reference.rglob("*.py")):
        module = ".".join(file.relative_to(reference).with_suffix("").parts)
        if module.startswith("mutants.") or not any(_overlap(want, module) for want in wanted or [module]):
            continue
        made = make(str(file), file.read_text())
        file.write_text(made.code)
        found = [change for change in _read_changes(module, made) if _is_wanted(change, wanted)]
        for want in [want for want in lacking if any(_is_wanted(change, [want]) for change in found)]:
            del lacking[want]
        drawn = random.Random(f"{seed} {module}")
        changes += drawn.sample(found, sample) if sample is not None and sample < len(found) else found
    if lacking:
        raise LookupError(next(iter(lacking)))
    with (reference / "__init__.py").open("a") as face:
        face.write(RECORD_HITS)
    return changes


def _overlap(want: str, module: str) -> bool:
    """Whether one of two dotted names is the other one or lies in it."""
    return f"{want}.".startswith(f"{module}.") or f"{module}.".startswith(f"{want}.")


def _is_wanted(change: MutmutChange, wanted: Sequence[str]) -> bool:
    names = (f"{change.name}.", f"{change.function}.")
    return not wanted or any(name.startswith(f"{want}.") for want in wanted for name in names)


def _read_changes(module: str, made: Any) -> Iterator[MutmutChange]:
    lines = made.code.splitlines()
    for name in made.mutant_names:
        function = name.rpartition("__mutmut_")[0]
        spans = [(of, made.line_span_by_function_name[of]) for of in (f"{function}__mutmut_orig", name)]
        before, after = (
            [line.strip().replace(of, "") for line in lines[span.start - 1 : span.end]] for of, span in spans
        )
        while before and after and before[0] == after[0]:
            del before[0], after[0]
        while before and after and before[-1] == after[-1]:
            del before[-1], after[-1]
        said = f"{' '.join(before)}  ->  {' '.join(after)}"
        yield MutmutChange(module, f"{module}.{name}", f"{module}.{function}", said)


def judge_changes(
    folder: Path, changes: Sequence[MutmutChange], specs: Sequence[str], dearest: float
) -> Iterator[tuple[MutmutChange, str]]:
    """Each change with what notices it, empty where nothing does. Raises CalledProcessError."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "SECOND_OPINION_HITS": str(folder / "hits")}
    command = [
        sys.executable,
        str(CHECKOUT / "benchmarks" / "mutmut_judge.py"),
        PACKAGE,
        str(dearest),
        *specs,
    ]
    asked = "".join(json.dumps(asdict(change)) + "\n" for change in changes)
    (folder / "asked").write_text(asked)
    with (
        (folder / "asked").open() as questions,
        subprocess.Popen(
            command, stdin=questions, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment
        ) as judge,
    ):
        assert judge.stdout is not None
        for change, line in zip(changes, judge.stdout, strict=False):
            yield change, line.strip()
    if judge.returncode:
        raise subprocess.CalledProcessError(judge.returncode, command)


def main() -> int:
    """Print what no scenario notices and figures by module; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "wanted", nargs="*", metavar="WHAT", help="a module, a package, or the name of a change"
    )
    parser.add_argument(
        "--spec", action="append", default=[], help="only the scenarios of this specification"
    )
    parser.add_argument("--sample", type=int, help="at most so many changes of each module")
    parser.add_argument("--seed", type=int, default=0, help="which ones these are (default: %(default)s)")
    parser.add_argument("--dearest", type=float, default=60.0, help="no scenario of more processor seconds")
    parser.add_argument("--log", type=Path, help="a file to which each verdict is added as it comes")
    options = parser.parse_args()
    if importlib.util.find_spec("mutmut") is None:
        print(
            f"second_opinion: mutmut is not installed: .venv/bin/python -m pip install {MUTMUT_REQUIREMENT}",
            file=sys.stderr,
        )
        return 2
    log = (options.log or Path(os.devnull)).resolve()
    figures: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory(prefix="second-opinion-") as place, log.open("a") as written:
        folder = Path(place)
        try:
            changes = prepare_copy(folder, options.wanted, options.sample, options.seed)
            for change, noticed in judge_changes(folder, changes, options.spec, options.dearest):
                figures.setdefault(change.module, [0, 0])[bool(noticed)] += 1
                print(change.name, noticed or "survives", change.lines, sep="\t", file=written, flush=True)
                if not noticed:
                    print(f"{change.name}\n    {change.lines}", flush=True)
        except LookupError as unknown:
            print(
                f"second_opinion: {unknown.args[0]}: reference_impl has no such module or package that could be "
                "changed, and no change of this name",
                file=sys.stderr,
            )
            return 2
        except subprocess.CalledProcessError as ended:  # it has said why
            return ended.returncode
        finally:
            os.chdir(CHECKOUT)
    print(f"{'module':24} {'changes':>8} {'noticed':>8} {'survive':>8}")
    for module, (survive, noticed_ones) in figures.items():
        print(f"{module:24} {survive + noticed_ones:8} {noticed_ones:8} {survive:8}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
