"""The positive evidence of a run: calls that have to show names and contents that no candidate can guess.

A requirement that forbids or omits something holds for a candidate that does nothing. So it passes only in a run in
which the candidate has listed a directory of random names, or has given a file of random content a random name, at the
beginning and at the end of each session. Whether the call is right in everything else is judged elsewhere.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from treeproof.candidate import Call, CallResult, CandidateFault
from treeproof.run.call_builder import expand
from treeproof.run.session import Session
from treeproof.spec.catalogue import Tool
from treeproof.tree import CannotBuild, Kind, Node, Tree, WorkspaceLost, build_tree, by_path, read_tree
from treeproof.verdict import NotApplicable, NotVerified

DIRECTORY, FILE, NEW = "$DIRECTORY", "$FILE", "$NEW"
"""Stand in the arguments of such a call for the directory, for a file in it, and for a path there that is free."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class _Names:
    """The random names of one call; `below` is in `folder`, and all but `new` are in `directory`."""

    directory: str
    file: str
    folder: str
    below: str
    content: str
    new: str

    @classmethod
    def draw(cls) -> _Names:
        return cls(*("".join(secrets.choice(_LETTERS) for _ in range(12)) for _ in range(6)))

    @property
    def tree(self) -> Tree:
        content = self.content.encode()
        file = Node(self.file.encode(), Kind.FILE, len(content), content=content)
        folder = _directory(self.folder, Node(self.below.encode(), Kind.FILE))
        return Tree((_directory(self.directory, file, folder),))

    @property
    def placeholders(self) -> dict[str, str]:
        paths = {FILE: f"{self.directory}/{self.file}", NEW: f"{self.directory}/{self.new}"}
        return {DIRECTORY: self.directory, **paths}


class PositiveEvidence:
    """The calls for positive evidence of one session. They count for no scenario."""

    def __init__(self, session: Session) -> None:
        pack = session.pack
        self._session = session
        self._tools = [tool for tool in pack.tools if tool.evidence is not None]
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

    def shows_content(self, tool: str) -> bool:
        """Make a plain call of a tool, and return whether it shows content."""
        found = next((one for one in self._tools if one.name == tool), None)
        return found is not None and not self._problem_of(found)

    def _look(self) -> None:
        offered = self._session.candidate.initialize_result.tools
        # The scenarios of a tool that is not offered are NOT VERIFIED anyway; without any tool, nothing is shown.
        tools = [tool for tool in self._tools if tool.name in offered] or [
            one for one in self._tools if not one.optional
        ]
        for tool in tools:
            problem = self._problem_of(tool)
            self._problems[tool.name] = self._problems.get(tool.name) or problem

    def _problem_of(self, tool: Tool) -> str:
        """Return why a call does not show content; "" if it does."""
        names = _Names.draw()
        workspace = self._session.workspace
        try:
            root = workspace.create_sandbox("positive evidence")
            build_tree(names.tree, root)
        except (CannotBuild, WorkspaceLost) as error:
            return f"no tree could be built to show content: {error}"
        try:
            path = os.fsdecode(root)
            given = expand(dict(tool.evidence or {}), {**names.placeholders, "$ROOT": path})
            context = {**self._session.pack.context, "roots": [path], "working_dir": path}
            self._session.candidate.circuit_breaker.subject = None
            answer = self._session.call(Call(tool.name, {**tool.default_arguments, **given}, context))
            seen = _shown_by_tree(root, names) if tool.has_side_effects else _shown_by_answer(answer, names)
        except (CandidateFault, NotVerified, NotApplicable) as error:
            return f"{tool.name} has shown no content in this run: {error}"
        finally:
            workspace.remove_sandbox(root)
        if answer.status == "ok" and seen:
            return ""
        missing = "the new name has not its content" if tool.has_side_effects else "it names none of them"
        given_tree = "a file" if tool.has_side_effects else "a directory with entries"
        got = missing if answer.status == "ok" else f"it fails with {answer.error_kind}"
        return f"{tool.name} has shown no content in this run: for {given_tree} {got}"


def _shown_by_answer(answer: CallResult, names: _Names) -> bool:
    shown = answer.content or ""
    return names.content in shown or any(name in shown for name in (names.file, names.folder, names.below))


def _shown_by_tree(root: bytes, names: _Names) -> bool:
    """Return whether the content of the file has the new name."""
    node = by_path(read_tree(root)).get(names.placeholders[NEW].encode())
    return node is not None and node.content == names.content.encode()


def _directory(name: str, *entries: Node) -> Node:
    return Node(name.encode(), Kind.DIR, children=entries)
