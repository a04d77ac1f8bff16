"""The output of the tool list_directory, limited to the needs of this specification. Contains no steps."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Self

from treeproof.api import Call, CallResult, Mismatch

from ..shared.entry_view import Entry, EntryView
from ..shared.errors import content_of


@dataclass(frozen=True)
class Listing(EntryView):
    """The entries of one answer."""

    objects: list[Entry]

    @classmethod
    def parse(cls, answer: CallResult, call: Call) -> Self:
        """Parse an answer. Raises Mismatch for an error, and for an output without an array ``entries`` of objects."""
        text = answer.content or ""
        try:
            found = json.loads(text) if answer.status == "ok" else None
        except (ValueError, RecursionError):
            found = None
        entries = found.get("entries") if isinstance(found, dict) else None
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            content_of(answer)
            what = "the output is no listing: no object with an array 'entries' of objects"
            raise Mismatch(what, got=text[:400], kind="the output is no listing")
        return cls(entries)

    @property
    def entries(self) -> list[Entry]:
        """The entries in output order."""
        return self.objects


ENTRY_VIEW = Listing
