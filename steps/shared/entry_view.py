"""The entries of a call result, in a form that the steps of all specifications share. Contains no steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self

from treeproof.api import (
    MISSING_ENTRIES,
    Call,
    CallResult,
    CaseRun,
    CaseUpdate,
    Fault,
    Mismatch,
    World,
    full_module_name,
)

from .errors import describe_error
from .values import assert_same_names, format_names, parse_json

Entry = dict[str, Any]

OTHER_KEYS = "paths have another form"
"""The kind of a difference: the entries are there, but their keys differ in the same way."""


class EntryView(ABC):
    """A parsed answer with entries. Each specification derives a class, which one of its step modules lists.

    Steps name an entry by its key, for example its path.
    """

    key_column: ClassVar[str] = "path"
    """The column of a table that contains the key of an entry."""

    numbers_by_value: ClassVar[bool] = False
    """Whether 9.0 is the number 9 in the members of an entry."""

    @classmethod
    @abstractmethod
    def parse(cls, answer: CallResult, call: Call) -> Self:
        """Parse the answer to ``call``. Raises Mismatch if the call failed or its output has another form."""

    @property
    @abstractmethod
    def entries(self) -> Sequence[Entry]:
        """The entries in output order. Raises Mismatch if they have another form."""

    def key(self, entry: Entry) -> str:
        """Return the key of an entry."""
        return str(entry.get("path"))

    def label(self, entry: Entry) -> str:
        """Return the quoted key of an entry, for messages."""
        return format_names([self.key(entry)])

    @property
    def keys(self) -> list[str]:
        """The keys of the entries in output order."""
        return [self.key(entry) for entry in self.entries]

    def entries_at(self, key: str) -> list[Entry]:
        """Return the entries with this key. Raises Mismatch if there is none."""
        found = [entry for entry in self.entries if self.key(entry) == key]
        if not found:
            shown = format_names([key])
            is_other = self.has_other_form([key])
            raise Mismatch(
                f"there is no entry {shown}",
                got=format_names(self.keys),
                kind=OTHER_KEYS if is_other else MISSING_ENTRIES,
            )
        return found

    def member_kind(self, entry: Entry, key: str) -> str:
        """Return the kind of a difference in a member that the entry has."""
        return f"another {key}"

    def missing_member_kind(self, key: str) -> str:
        """Return the kind of a difference in a member that the entry lacks."""
        return f"no {key}"

    def has_other_form(self, missing: Sequence[str]) -> bool:
        """Return whether missing keys are there in another form, which another rule owns: the entries were found."""
        return False

    def surplus_kind(self, expected: Sequence[str]) -> str | None:
        """Return what the entries beside the expected keys are, if the tree shows it; None if a key is missing."""
        return None

    def refine(self, why: Mismatch, expected: Sequence[str]) -> None:
        """Make the kind of a difference from the expected keys more exact; other forms are a matter of the output."""
        if self.has_other_form(expected):
            why.kind = OTHER_KEYS
        elif (kind := self.surplus_kind(expected)) is not None:
            why.kind = kind

    @staticmethod
    def parse_cell(cell: str, placeholders: Mapping[str, str]) -> Any:
        """Return the value of a member from the text of a table cell."""
        return parse_json(cell, placeholders)

    def assert_lists(self, expected: Sequence[str]) -> None:
        """Raise Mismatch unless a control call lists these keys, however often.

        Keys of another form are a matter of the output.
        """
        try:
            assert_same_names("the control call's entries", sorted(set(expected)), sorted(set(self.keys)))
        except Mismatch as why:
            self.refine(why, expected)
            raise

    @classmethod
    def describe_refusal(cls, answer: CallResult) -> str:
        """Return a clause with the candidate's own error; "" if the answer shows none."""
        return describe_error(answer)

    @classmethod
    def last(cls, world: World, *, nonempty: bool = False) -> Self:
        """Return the entries of the last answer; ``nonempty`` requires one. Raises Mismatch."""
        found = cls.parse(world.answer, world.log.calls[-1])
        if nonempty and not found.entries:
            raise Mismatch("there is no entry", kind=MISSING_ENTRIES)
        return found

    @classmethod
    def of_case(cls, case_run: CaseRun, update: CaseUpdate | None = None) -> Self | None:
        """Return the entries of the answer to a random case; None if it has none that can be parsed."""
        case = case_run.case.with_update(update) if update else case_run.case
        return cls.parse_or_none(case_run.call_candidate(update), case_run.build_call(case))

    @classmethod
    def parse_or_none(cls, answer: CallResult, call: Call) -> Self | None:
        """Return the parsed answer; None if the call failed or its output has another form."""
        try:
            found = cls.parse(answer, call)
            _ = found.keys
        except Mismatch:
            return None
        return found


def entry_view(world: World | CaseRun) -> type[EntryView]:
    """Return the view of the pack of a scenario or of a random case. Raises Fault if the pack has none."""
    from .declared_view import declared_view  # it derives from EntryView

    pack = world.session.pack
    return _find_view(pack.steps, pack.folder) if pack.view is None else declared_view(pack.view)


@lru_cache
def _find_view(step_modules: tuple[str, ...], folder: Path) -> type[EntryView]:
    for name in step_modules:
        view = getattr(import_module(full_module_name(name, folder)), "ENTRY_VIEW", None)
        if view is not None:
            return view  # type: ignore[no-any-return]
    raise Fault("specification", "nothing describes how to read entries; write [view] into spec.toml")


def last_entries(world: World, *, nonempty: bool = False) -> EntryView:
    """Return the entries of the last answer; ``nonempty`` requires one. Raises Mismatch."""
    return entry_view(world).last(world, nonempty=nonempty)
