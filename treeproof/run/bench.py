"""A candidate under examination: how it is reached, and a plain call of each of its tools. Nothing is judged here."""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from treeproof.candidate import (
    Adapter,
    Answer,
    Call,
    Hello,
    Launch,
    Target,
    connect,
)
from treeproof.candidate.orphans import Orphans
from treeproof.run.linting import notation_of
from treeproof.run.placeholders import expand_text
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioRow, parse
from treeproof.tree import Machine, Workspace, build
from treeproof.tree import parse as tree_of

State = Literal["ok", "wrong", "note", "not checked"]

MARK = "TREEPROOF_DOCTOR"
"""A variable of the environment by which processes of the candidate are known, however far they have run."""

_CALLED = re.compile(r"(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\})")
_PLAIN_TREE = "a, d/{b}"


@dataclass(frozen=True)
class Check:
    """One line of the doctor: what was looked at, how it is, and what to write instead where it is wrong."""

    name: str
    state: State
    said: str
    instead: str = ""


@dataclass
class Bench:
    """A candidate under examination, and what the checks have learnt of it so far."""

    target: Target
    packs: Sequence[Pack]
    workspace: Workspace
    machine: Machine
    orphans: Orphans
    adapter: Adapter | None = None
    second: Adapter | None = None
    hello: Hello | None = None
    slowest: float = 0.0
    mark: str = field(default_factory=lambda: secrets.token_hex(8))

    def fresh(self, launch: Launch, target: Target | None = None) -> Adapter:
        """Return a process of the candidate that bears the mark; not yet started."""
        environment = {**launch.env, MARK: self.mark}
        return connect(target or self.target).fresh(replace(launch, env=environment))

    def ask(self, call: Call, adapter: Adapter | None = None) -> Answer:
        """Make a call and keep how long it took. Raises CandidateFault."""
        subject = adapter or self.adapter
        assert subject is not None
        began = time.monotonic()
        answer = subject.call(call)
        self.slowest = max(self.slowest, time.monotonic() - began)
        return answer

    def sample(self, tool: str, claim: str) -> tuple[str, str] | None:
        """Return the tree and the arguments of a plain scenario of the specification that calls ``tool``, if any."""
        name = claim.partition("@")[0]
        for pack in self.packs:
            if pack.name == name:
                rows = (row for file in pack.features() for row in parse(file).scenarios)
                found = next((sample for row in rows if (sample := _plain(row, tool))), None)
                if found is not None:
                    return found
        return None

    def place(self, notation: str) -> str:
        """Build a tree and return its absolute path. Raises CannotBuild."""
        root = self.workspace.fixture("doctor")
        names = {b"$ROOT": root, b"$OUTSIDE": os.path.dirname(root)}
        build(tree_of(notation), root, substitutions=names)
        return os.fsdecode(root)

    def call_of(self, tool: str, claim: str) -> Call:
        """Return a plain call of ``tool`` on a small tree. Raises CannotBuild."""
        notation, text = self.sample(tool, claim) or (_PLAIN_TREE, "{}")
        root = self.place(notation)
        arguments = json.loads(expand_text(text, {"$ROOT": root, "$OUTSIDE": os.path.dirname(root)}))
        name = claim.partition("@")[0]
        assumed = next((pack.tool(tool).assumed for pack in self.packs if pack.name == name), {})
        return Call(tool, {**assumed, **arguments}, {"roots": [root], "working_dir": root})

    def close(self) -> None:
        """End whatever still runs."""
        for adapter in (self.adapter, self.second):
            if adapter is not None:
                adapter.close()


def _plain(row: ScenarioRow, tool: str) -> tuple[str, str] | None:
    """The tree and the arguments of a scenario that needs nothing else and is answered with ok."""
    trees, calls = [], []
    for step in row.steps:
        called = _CALLED.fullmatch(step.text)
        notation = notation_of(step) if step.keyword_type == "given" else None
        if step.text.startswith("beside the sandbox"):
            continue  # what lies there plays no part in a call that is answered with ok
        if notation:
            trees.append(notation)
        elif called and called["tool"] == tool:
            calls.append(called["arguments"])
        elif step.keyword_type != "then" or re.search(
            r"\b(?:fails|refused|nil)\b|not list|error|one of", step.text
        ):
            return None
    plain = len(trees) == len(calls) == 1 and not tree_of(trees[0]).faults() and not row.needs
    return (trees[0], calls[0]) if plain else None
