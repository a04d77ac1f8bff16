"""The verbs about counterexamples: search, replay."""

from __future__ import annotations

import argparse

from treeproof.cli.output import ignore_broken_pipe
from treeproof.errors import UsageError, check_readable

MAX_COUNTEREXAMPLE_BYTES = 64 << 20


def search(args: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import console, search, setup
    from treeproof.verdict import Profile

    if len(args.spec) > 1:
        raise UsageError(
            f"--spec {args.spec[1]}: a search looks at one specification; leave all but one --spec out, "
            "and search once more for the next"
        )
    with Interrupts(process_exits_afterwards=True) as stop:
        profile = Profile(args.profile)
        with (
            setup.open_search(args.target, args.spec, profile, args.seed, stop) as samples,
            setup.reference_search(samples, args.target) as referee,
            console.SearchProgress() as progress,
        ):
            found = search.Search(samples, referee, args.target, args.seconds, progress)
            found.run()
        saved = (
            [counterexample_file.write(Path(args.save)) for counterexample_file in found.counterexamples]
            if args.save
            else []
        )
        with ignore_broken_pipe():
            console.print_search(found, saved)
    return found.exit_code


def replay(args: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import console, counterexample_file, replay
    from treeproof.verdict import Profile

    check_readable(Path(args.bundle), MAX_COUNTEREXAMPLE_BYTES, "a file that search --save wrote")
    kept = counterexample_file.read_counterexample(Path(args.bundle))
    profile = Profile(args.profile) if args.profile else None
    with Interrupts(process_exits_afterwards=True) as stop:
        again = replay.replay(kept, args.target, profile, stop, file=Path(args.bundle))
        with ignore_broken_pipe():
            console.print_replay(again)
    return again.exit_code
