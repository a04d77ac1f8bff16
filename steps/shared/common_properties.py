"""Properties that several specifications have. Contains no steps; no property knows an expected result."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from treeproof.api import (
    ALTERED_PROCESS_OPTIONS,
    REVERSED,
    Call,
    CallResult,
    CannotBuild,
    CaseRun,
    CaseUpdate,
    Kind,
    Mismatch,
    ProcessOptions,
    shuffled,
)

from .properties import PropertyCheck, PropertyFunction
from .trees import change_mismatch
from .values import format_json, format_names

Answer = TypeVar("Answer")

REPLACEMENT_CHARACTER = "\ufffd"


@dataclass(frozen=True)
class AnswerComparison(Generic[Answer]):
    """Properties that compare the results of calls that must be equal.

    `assert_same` raises Mismatch with the given message; `shows_entries` returns whether the result of a case is
    positive evidence. `update` applies to all calls of a case.
    """

    parse: Callable[[CallResult, Call], Answer | None]
    assert_same: Callable[[str, Answer | None, Answer | None], None]
    shows_entries: Callable[[CaseRun], bool]
    update: CaseUpdate = field(default_factory=dict)

    def _call(self, case_run: CaseRun, update: CaseUpdate | None = None) -> Call:
        return case_run.build_call(case_run.case.with_update({**self.update, **(update or {})}))

    def read(self, case_run: CaseRun, update: CaseUpdate | None = None) -> Answer | None:
        """Return the parsed answer to a case."""
        answer = case_run.call_candidate({**self.update, **(update or {})})
        return self.parse(answer, self._call(case_run, update))

    def independent_of_creation_order(self, check: PropertyCheck) -> bool:
        """The order in which the entries of the tree are created does not change the answer."""
        first = self.read(check.case_run)
        for order in (REVERSED, shuffled(check.case_run.session.policy.seed)):
            try:
                with check.case_run.rebuilt(order) as rebuilt:
                    other = self.read(rebuilt)
            except CannotBuild:
                return False
            check.case_run.add_calls_of(rebuilt)
            message = f"the same tree created in another order ({order.kind}) gives another answer"
            self.assert_same(message, first, other)
        return self.shows_entries(check.case_run)

    def independent_of_process(self, check: PropertyCheck) -> bool:
        """A process with another locale, time zone, directory, umask and hash seed gives the same answer."""
        case_run = check.case_run
        first = self.read(case_run)
        answer = case_run.call_candidate(self.update, adapter=check.samples.altered_adapter())
        message = f"another process, with {_format_process_options(ALTERED_PROCESS_OPTIONS)}, gives another answer"
        self.assert_same(message, first, self.parse(answer, self._call(case_run)))
        return self.shows_entries(case_run)

    def independent_of_repetition(self, check: PropertyCheck) -> bool:
        """A second call for an unchanged tree gives the same answer."""
        case_run = check.case_run
        first = self.read(case_run)
        call = self._call(case_run)
        second = self.parse(case_run.call_again(call), call)
        self.assert_same("a second call gives another answer", first, second)
        return self.shows_entries(case_run)

    def independent_of_spelling(self, *spellings: str) -> PropertyFunction:
        """Return the property that every spelling of a path, such as ``./{path}``, gives the same answer."""

        def holds(check: PropertyCheck) -> bool:
            arguments = check.case_run.case.arguments
            path = arguments.get("path", ".") if isinstance(arguments, dict) else None
            if not isinstance(path, str) or not path or (first := self.read(check.case_run)) is None:
                return False
            for spelling in (template.format(path=path) for template in spellings):
                message = f"the path {format_json(spelling)} gives another answer than {format_json(path)}"
                self.assert_same(message, first, self.read(check.case_run, {"arguments.path": spelling}))
            return self.shows_entries(check.case_run)

        return holds


def _format_process_options(options: ProcessOptions) -> str:
    parts = [f"{name}={value}" if value is not None else f"no {name}" for name, value in options.env.items()]
    if options.cwd is not None:
        parts.append(f"working directory {os.fsdecode(options.cwd)}")
    if options.umask is not None:
        parts.append(f"umask {options.umask:03o}")
    return ", ".join(parts)


def read_only(shows_entries: Callable[[CaseRun], bool]) -> PropertyFunction:
    """Return the property that no call changes a name, type, mode, time, link target or content."""

    def holds(check: PropertyCheck) -> bool:
        is_evidence = shows_entries(check.case_run)
        if changes := check.case_run.changes():
            raise change_mismatch(changes)
        return is_evidence

    return holds


def nothing_behind_links(listed_paths: Callable[[CaseRun], Iterable[str]]) -> PropertyFunction:
    """Return the property that no path leads through a link; `listed_paths` are relative to the sandbox root."""

    def holds(check: PropertyCheck) -> bool:
        nodes = check.case_run.case.tree.walk()
        links = {path.decode("utf-8", "replace") for path, node in nodes if node.kind is Kind.SYMLINK}
        links = {link for link in links if REPLACEMENT_CHARACTER not in link}  # another name may have the same text
        paths = list(listed_paths(check.case_run))
        for path in paths:
            parts = path.split("/")
            if any("/".join(parts[:length]) in links for length in range(1, len(parts))):
                shown = format_names([path])
                raise Mismatch(
                    f"the listing contains {shown}, which lies behind a link",
                    got=shown,
                    kind="entries behind a link are listed",
                )
        return bool(paths and links)

    return holds
