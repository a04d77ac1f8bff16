"""The verbs about counterexamples: search, replay."""

from __future__ import annotations

import argparse

from treeproof.cli.output import whoever_reads
from treeproof.errors import UsageError, refuse_unfit

MOST_OF_BUNDLE = 64 << 20


def search(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import hunt, opening, telling
    from treeproof.verdict import Profile

    if len(words.spec) > 1:
        raise UsageError(
            f"--spec {words.spec[1]}: a search looks at one specification; leave all but one --spec out, "
            "and search once more for the next"
        )
    with Interrupts(last=True) as stop:
        profile = Profile(words.profile)
        with (
            opening.opened(words.target, words.spec, profile, words.seed, stop) as samples,
            opening.referee(samples, words.target) as referee,
            telling.Progress() as progress,
        ):
            found = hunt.Hunt(samples, referee, words.target, words.seconds, progress)
            found.run()
        saved = [bundle.write(Path(words.save)) for bundle in found.bundles] if words.save else []
        with whoever_reads():
            telling.print_hunt(found, saved)
    return found.exit


def replay(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import bundle, replay, telling
    from treeproof.verdict import Profile

    refuse_unfit(Path(words.bundle), MOST_OF_BUNDLE, "a file that search --save wrote")
    kept = bundle.read(Path(words.bundle))
    profile = Profile(words.profile) if words.profile else None
    with Interrupts(last=True) as stop:
        again = replay.replay(kept, words.target, profile, stop, file=Path(words.bundle))
        with whoever_reads():
            telling.print_replay(again)
    return again.exit
