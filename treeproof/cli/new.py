"""The verb that writes files to begin with: new."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from treeproof.cli.packs import packs_of
from treeproof.cli.searching import MOST_OF_BUNDLE
from treeproof.errors import UsageError, refuse_unfit

if TYPE_CHECKING:
    from treeproof.scaffold.plan import Plan


def candidate(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.scaffold import new_candidate

    packs = packs_of([words.spec] if words.spec else [])
    if not packs:
        raise UsageError("there is no bundled specification; write --spec FOLDER")
    return _written(new_candidate(packs[0], words.language, words.adapter, Path(words.folder)))


def spec(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.scaffold.specification import new_spec

    return _written(new_spec(words.name, Path(words.folder or words.name)))


def scenario(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.search import bundle, promote

    refuse_unfit(Path(words.bundle), MOST_OF_BUNDLE, "a file that search --save wrote")
    into = Path(words.into) if words.into else None
    file, id = promote.promote(bundle.read(Path(words.bundle)), into)
    print(f"{file}: {id}")
    return 0


def _written(plan: Plan) -> int:
    print("\n".join(["written:", *(f"  {plan.folder / place}" for place in plan.files)]))
    print("\n".join(["next:", *(f"  {line}" for line in plan.next)]))
    return 0
