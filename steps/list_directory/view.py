"""The output document of list_directory, parsed from its text: members, spelling and size. Contains no steps.

Parsing is lenient, because a scenario on hidden entries must not fail for a trailing newline. Steps about the spelling
compare the text itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from treeproof.api import Call, CallResult, Mismatch, NotVerified

from ..shared.entry_view import EntryView
from ..shared.errors import content_of
from ..shared.own_text import mapped_output

MEMBERS = ("path", "entries", "returned", "max_entries", "truncated", "truncated_reason")
ENTRY_MEMBERS = (
    "name",
    "path",
    "depth",
    "type",
    "size_bytes",
    "modified_epoch_ms",
    "is_hidden",
    "error_code",
    "error",
)
CUT_BY_SIZE = "max_output_bytes"

OTHER_MEMBERS = "other members"
"""The kind of a document or an entry with a member too many or too few."""


class JsonObject(dict[str, Any]):
    """A JSON object that keeps the order and the repetition of its members."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.member_names = [key for key, _ in pairs]


@dataclass(frozen=True)
class NonCanonicalNumber:
    """A number that is not spelt as a plain integer."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Document(EntryView):
    """A parsed document and the text that it was parsed from. ``is_mapped``: the text is not the tool's own."""

    text: str
    members: JsonObject
    is_mapped: bool = False

    @property
    def raw(self) -> str:
        """The tool's own text. Raises NotVerified if the manifest makes it from the values of the tool."""
        if self.is_mapped:
            raise mapped_output()
        return self.text

    @classmethod
    def parse(cls, answer: CallResult, call: Call | None = None) -> Self:
        """Parse an answer. Raises Mismatch for an error, and for an output that is not one JSON object."""
        raw = content_of(answer)
        try:
            parsed = json.loads(
                raw,
                object_pairs_hook=JsonObject,
                parse_int=_parse_integer,
                parse_float=NonCanonicalNumber,
                parse_constant=_reject_constant,
            )
        except (ValueError, RecursionError) as error:
            what = f"the output is not JSON: {error}"
            raise Mismatch(what, got=raw[:400], kind=_kind_of_error(error, raw)) from error
        if not isinstance(parsed, JsonObject):
            raise Mismatch("the output is not a JSON object", got=raw[:400])
        return cls(raw, parsed, answer.is_mapped)

    @property
    def entries(self) -> list[JsonObject]:
        """The entry objects in output order. Raises Mismatch unless ``entries`` is an array of objects."""
        if "entries" not in self.members:
            raise Mismatch("the document has no member 'entries'", got=self.text[:400])
        entries = self.members["entries"]
        if not isinstance(entries, list) or not all(isinstance(entry, JsonObject) for entry in entries):
            what, kind = "the document has no array 'entries' of objects", "entries is no array of objects"
            raise Mismatch(what, got=self.text[:400], kind=kind)
        return entries

    @property
    def keys(self) -> list[str]:
        """The paths of the entries in output order. Raises Mismatch if one is no text."""
        paths = [entry.get("path") for entry in self.entries]
        if not all(isinstance(path, str) for path in paths):
            raise Mismatch("an entry has no text 'path'", got=self.text[:400])
        return [str(path) for path in paths]

    @property
    def size(self) -> int:
        """Length of the raw text in UTF-8 bytes."""
        return utf8_length(self.raw)

    @cached_property
    def raw_entry_texts(self) -> tuple[str, ...]:
        """The text of every entry object as the candidate spelt it. Raises Mismatch and NotVerified."""
        decoder, count = json.JSONDecoder(), len(self.entries)
        at = self.raw.find("[", self.raw.find('"entries"')) + 1
        if '"entries"' not in self.raw or not at:  # a member's name may be written with escapes
            raise NotVerified("not_observed", "the text of the document does not show where its entries begin")
        texts = []
        for _ in range(count):
            while self.raw[at] in " \t\r\n,":
                at += 1
            _, end = decoder.raw_decode(self.raw, at)
            texts.append(self.raw[at:end])
            at = end
        return tuple(texts)

    @cached_property
    def truncated_sizes(self) -> tuple[int, ...]:
        """The size of the text truncated by size to its first 0, 1, … entries, in UTF-8 bytes."""
        sizes, of_entries = [], 0
        frame = utf8_length(truncated_text(self, 0)) - len("0")
        for kept, text in enumerate(self.raw_entry_texts):
            sizes.append(frame + len(str(kept)) + of_entries + max(0, kept - 1))  # commas stand between entries
            of_entries += utf8_length(text)
        return tuple(sizes)


def utf8_length(text: str) -> int:
    """Return the UTF-8 length of ``text`` in bytes; a lone surrogate has three."""
    return len(text.encode("utf-8", "surrogatepass"))


parse_answer = Document.parse
ENTRY_VIEW = Document


def path_level(entry: dict[str, Any]) -> int:
    """Return the number of components in an entry's path."""
    return str(entry.get("path")).count("/") + 1


def _kind_of_error(error: Exception, raw: str) -> str:
    if "control character" in str(error):
        return "a raw control character"
    text, at = raw.strip(), getattr(error, "pos", 0) - (len(raw) - len(raw.lstrip()))
    is_at_end = at >= len(text) or (at >= len(text) - len("\\u0000") and not text.endswith("}"))
    is_cut = text.startswith("{") and (is_at_end or "Unterminated string" in str(error))
    return "the JSON ends too early" if is_cut else "the output is not JSON"


def _parse_integer(text: str) -> int | NonCanonicalNumber:
    return NonCanonicalNumber(text) if text == "-0" else int(text)


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def canonical_json(document: Document) -> str:
    """Return the canonical text of ``document``: documented member order, no padding, minimal escapes.

    Members that the specification does not name follow the named ones.
    """
    ordered = _ordered(document.members, MEMBERS)
    if isinstance(ordered.get("entries"), list):
        ordered["entries"] = [_ordered(e, ENTRY_MEMBERS) if isinstance(e, dict) else e for e in ordered["entries"]]
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), default=str)


def _ordered(members: dict[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    named = {key: members[key] for key in order if key in members}
    return named | {key: item for key, item in members.items() if key not in named}


def raw_path_text(document: Document) -> str:
    """Return the text of the document's ``path`` as the candidate spelt it."""
    at = document.raw.index(":", document.raw.index('"path"')) + 1
    while document.raw[at] in " \t\r\n":
        at += 1
    _, end = json.JSONDecoder().raw_decode(document.raw, at)
    return document.raw[at:end]


def truncated_text(document: Document, kept: int) -> str:
    """Return the text of ``document`` truncated by size to its first ``kept`` entries, in the candidate's spelling."""
    entries = document.raw_entry_texts[:kept]
    limit = json.dumps(document.members.get("max_entries"), default=str)
    tail = f'"returned":{kept},"max_entries":{limit}'
    cut = f'"truncated":true,"truncated_reason":"{CUT_BY_SIZE}"'
    return f'{{"path":{raw_path_text(document)},"entries":[{",".join(entries)}],{tail},{cut}}}'


def largest_that_fits(full: Document, budget: int) -> str | None:
    """Return the text that FR-LD-OUT-07 requires of ``full`` within ``budget`` bytes; None if no text fits.

    Sizes are those of the candidate's own entry texts, with its error texts and escapes (AMB-LD-64, AMB-LD-15).
    """
    if full.size <= budget:
        return full.raw
    for kept in reversed(range(len(full.truncated_sizes))):
        if full.truncated_sizes[kept] <= budget:
            return truncated_text(full, kept)
    return None
