"""The positive evidence of a run: calls whose answers have to show names that no candidate can guess.

A requirement that forbids or omits something holds for a candidate that does nothing. So it passes only in a run in
which the candidate has listed a directory of random names, at the beginning and at the end of each session. Whether
that answer is right in everything else is judged elsewhere.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping

from treeproof.candidate import Call, CandidateFault
from treeproof.run.placeholders import expand
from treeproof.run.session import Session
from treeproof.spec.catalogue import Tool
from treeproof.tree import CannotBuild, Kind, Node, Tree, WorkspaceLost, build_tree
from treeproof.verdict import NotVerified

DIRECTORY = "$DIRECTORY"
"""Stands in the arguments of such a call for the name of the directory."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class PositiveEvidence:
    """The calls for positive evidence of one session. They count for no scenario."""

    def __init__(self, session: Session) -> None:
        pack = session.pack
        self._session = session
        self._tools = [tool for tool in pack.tools if tool.evidence is not None and pack.judged == "whole"]
        self._problems: dict[str, str] = {}
        self._has_begun = False

    @classmethod
    def for_session(cls, session: Session) -> PositiveEvidence:
        """Return the evidence of a session, always the same object."""
        return session.shared(cls)

    def begin(self) -> None:
        """Make the calls once, before the first scenario."""
        if not self._has_begun:
            self._has_begun = True
            self._look()

    def finish(self) -> Mapping[str, str]:
        """Make the calls again, and return for each tool "", or why a call of it has not shown its directory."""
        if self._has_begun:
            self._look()
        return dict(self._problems)

    def _look(self) -> None:
        for tool in self._tools:
            if tool.optional and tool.name not in self._session.candidate.initialize_result.tools:
                continue
            problem = self._problem_of(tool)
            self._problems[tool.name] = self._problems.get(tool.name) or problem

    def _problem_of(self, tool: Tool) -> str:
        """Return why a call does not show a directory; "" if it does."""
        directory, file, folder, below = ("".join(secrets.choice(_LETTERS) for _ in range(12)) for _ in range(4))
        inner = (Node(file.encode(), Kind.FILE, 1), _directory(folder, Node(below.encode(), Kind.FILE)))
        workspace = self._session.workspace
        try:
            root = workspace.create_fixture("positive evidence")
            build_tree(Tree((_directory(directory, *inner),)), root)
        except (CannotBuild, WorkspaceLost) as error:
            return f"no tree could be built to show content: {error}"
        try:
            path = os.fsdecode(root)
            given = expand(dict(tool.evidence or {}), {DIRECTORY: directory, "$ROOT": path})
            context = {**self._session.pack.context, "roots": [path], "working_dir": path}
            self._session.candidate.circuit_breaker.subject = None
            answer = self._session.call(Call(tool.name, {**tool.default_arguments, **given}, context))
        except (CandidateFault, NotVerified) as error:
            return f"{tool.name} has shown no content in this run: {error}"
        finally:
            workspace.remove_fixture(root)
        if answer.status == "ok" and any(name in (answer.content or "") for name in (file, folder, below)):
            return ""
        got = "it names none of them" if answer.status == "ok" else f"it fails with {answer.error_kind}"
        return f"{tool.name} has shown no content in this run: for a directory with entries {got}"


def _directory(name: str, *entries: Node) -> Node:
    return Node(name.encode(), Kind.DIR, children=entries)
