"""The commands for counterexamples: search, replay."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from treeproof.cli.output import ignore_broken_pipe
from treeproof.errors import UsageError, check_readable

if TYPE_CHECKING:
    from pathlib import Path

    from treeproof.search.counterexample_file import SavedCounterexample

MAX_COUNTEREXAMPLE_BYTES = 64 << 20


def select_pack(saved: SavedCounterexample, spec: str | None, file: Path) -> SavedCounterexample:
    """Return a counterexample of the specification ``spec``, by default the bundled one of its name.

    Raises UsageError if the file is one of another specification, or names one that is not bundled.
    """
    from dataclasses import replace

    from treeproof.spec import bundled_packs, open_pack

    if spec is None:
        if saved.spec not in {folder.name for folder in bundled_packs()}:
            raise UsageError(f"{file}: the specification {saved.spec} is not bundled; write --spec FOLDER")
        spec = saved.spec
    pack = open_pack(spec)
    if pack.name != saved.spec:
        raise UsageError(f"--spec {spec}: {file} is a counterexample of {saved.spec}, not of {pack.name}")
    if saved.version in pack.versions and saved.version != pack.version:
        if "@" in spec and spec.endswith(f"@{pack.version}"):
            own = f"{spec.removesuffix(f'@{pack.version}')}@{saved.version}"
            raise UsageError(f"--spec {spec}: {file} is of version {saved.version}; write --spec {own}")
        spec = f"{spec}@{saved.version}"
    return replace(saved, spec=spec)


def search(args: argparse.Namespace) -> int:
    """Search for counterexamples.

    Compare the candidate with the model on random cases, and minimise each difference. Exit 1 if there is a
    counterexample.
    """
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import search, search_output, search_spaces
    from treeproof.verdict import Profile

    if len(args.spec) > 1:
        raise UsageError(f"--spec {args.spec[1]}: a search needs exactly one specification; run one search for each")
    with Interrupts(process_exits_afterwards=True) as stop:
        profile = Profile(args.profile)
        with (
            search_spaces.open_search(args.target, args.spec, profile, args.seed, stop) as samples,
            search_spaces.reference_search(samples, args.target) as reference,
            search_output.SearchProgress() as progress,
        ):
            found = search.Search(samples, reference, args.target, args.seconds, progress)
            found.run()
        saved = (
            [counterexample_file.write(Path(args.save)) for counterexample_file in found.counterexamples]
            if args.save
            else []
        )
        with ignore_broken_pipe():
            search_output.print_search(found, saved)
    return found.exit_code


def replay(args: argparse.Namespace) -> int:
    """Re-run a saved counterexample.

    Exit 1 if the candidate still fails. The file may come from someone else, so only the reference is run without
    TARGET: no command of the file is run unseen.
    """
    import shlex
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.run.targets import REFERENCE
    from treeproof.search import counterexample_file, search_output
    from treeproof.search import search as searches
    from treeproof.verdict import Profile

    file = Path(args.counterexample)
    check_readable(file, MAX_COUNTEREXAMPLE_BYTES, "a file that search --save wrote")
    saved = select_pack(counterexample_file.read_counterexample(file), args.spec, file)
    target = args.target or saved.target
    own_spec = f" --spec {shlex.quote(args.spec)}" if args.spec else ""
    if args.target is None and target != REFERENCE:
        raise UsageError(
            f"{file}: it was found with another candidate than the reference, which is not run unseen; "
            f"to run it, write: treeproof replay {shlex.quote(str(file))} {shlex.quote(target)}{own_spec}"
        )
    profile = Profile(args.profile) if args.profile else None
    with Interrupts(process_exits_afterwards=True) as stop:
        result = searches.replay(saved, target, profile, stop, file=file)
        with ignore_broken_pipe():
            search_output.print_replay(result)
    return result.exit_code
