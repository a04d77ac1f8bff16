"""Mutants: errors in the document: members, surroundings, JSON encoding."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.list_directory.document import Document, JsonValue, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import EMPTY, FLAG, LENGTH


def with_document(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


def with_text_changed(change: Callable[[str], str]) -> ListDirectory:
    """Return the tool with the text of the document changed; sizes are those of the correct text."""

    class Rewriting(Document):
        def render(self) -> str:
            return change(super().render())

    return with_document(Rewriting)


def with_value_changed(change: Callable[[dict[str, Any]], Any]) -> ListDirectory:
    """Return the tool with the value of the document changed."""
    return with_text_changed(
        lambda text: json.dumps(change(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
    )


def with_strings_encoded(quoted: Callable[[str], str]) -> ListDirectory:
    """Return the tool with other encodings of strings; sizes are those of this encoding."""

    class Quoting(Document):
        def encode_string(self, text: str) -> str:
            return quoted(super().encode_string(text))

    return with_document(Quoting)


def with_members_changed(members: Callable[[dict[str, JsonValue]], dict[str, JsonValue]]) -> ListDirectory:
    """Return the tool with the members of entries changed."""

    class Membering(Document):
        def members(self, entry: Entry) -> dict[str, JsonValue]:
            return members(super().members(entry))

    return with_document(Membering)


def with_tail_changed(frame: Callable[[int, str], str]) -> ListDirectory:
    """Return the tool with the members after the entries changed."""

    class Framing(Document):
        def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
            head, tail = super().head_and_tail(count, reason)
            return head, frame(count, tail)

    return with_document(Framing)


def moved_to_front(names: tuple[str, ...], members: dict[str, Any]) -> dict[str, Any]:
    return {name: members[name] for name in names} | members


class EchoesTheConfigured(ListDirectory):
    """Shows the configured limit instead of the effective one."""

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
        limit = self.settings(context.config).max_entries

        class Echoing(Document):
            def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
                self.max_entries = limit
                return super().head_and_tail(count, reason)

        return replace(super().plan(arguments, context, flavour), tool=ListDirectory(document=Echoing))


def with_escapes_changed(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return the tool with other escapes of control characters."""
    return lambda quoted: re.sub(r"\\(?:[btnfr]|u[0-9a-f]{4}|.)", lambda found: changed(found[0], change), quoted)


def changed(escape: str, change: Callable[[str], str]) -> str:
    return escape if escape in ('\\"', "\\\\") else change(json.loads(f'"{escape}"'))


def with_members(**more: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda members: members | more


def with_small_capitals(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with extensions of names in lower case."""
    for entry in document["entries"]:
        stem, dot, extension = entry["name"].rpartition(".")
        entry["name"] = stem + dot + extension.lower() if stem and dot else entry["name"]
    return document


def without_blanks_on_the_way(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without blanks before the separators of paths."""
    for entry in document["entries"]:
        entry["path"] = re.sub(" +/", "/", entry["path"])
    return document


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-089",
        "Members are in alphabetical order.",
        "FR-LD-OUT-02a DOC-01 DOC-03",
        LENGTH,
        tool=with_text_changed(
            lambda text: json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        ),
    ),
    build_mutant(
        "MUT-091",
        "A newline follows the document.",
        "DOC-01 FR-LD-OUT-02a FR-LD-OUT-03",
        LENGTH,
        "FR-LD-OUT-04",
        tool=with_text_changed(lambda text: text + "\n"),
    ),
    build_mutant(
        "MUT-092",
        "Members without a value are omitted.",
        "DOC-03 FR-LD-OUT-02a EF-05 EF-08 EF-09",
        LENGTH,
        "EF-06 NFR-LD-REL-02",
        tool=with_members_changed(
            lambda members: {name: value for name, value in members.items() if value is not None}
        ),
    ),
    build_mutant(
        "MUT-605",
        "Control characters are not escaped.",
        "NFR-LD-SEC-02 FR-LD-OUT-02a NFR-LD-REL-01 EF-01 EF-02",
        LENGTH,
        "FR-LD-LST-06a FR-LD-OUT-01 FR-LD-VAL-10",
        tool=with_strings_encoded(with_escapes_changed(str)),
    ),
    build_mutant(
        "MUT-606",
        "Colons and commas are followed by blanks.",
        "FR-LD-OUT-02a FR-LD-OUT-03 FR-LD-OUT-06 FR-LD-OUT-07",
        LENGTH,
        tool=with_text_changed(lambda text: json.dumps(json.loads(text), ensure_ascii=False)),
    ),
    build_mutant(
        "MUT-607",
        "The document is indented.",
        "FR-LD-OUT-02a FR-LD-OUT-03 FR-LD-OUT-06 FR-LD-OUT-07",
        LENGTH,
        tool=with_text_changed(lambda text: json.dumps(json.loads(text), ensure_ascii=False, indent=2)),
    ),
    build_mutant(
        "MUT-608",
        "The path of an entry comes before its name.",
        "FR-LD-OUT-02a DOC-03",
        LENGTH,
        tool=with_members_changed(lambda members: moved_to_front(("path", "name"), members)),
    ),
    build_mutant(
        "MUT-609",
        "returned comes before entries.",
        "FR-LD-OUT-02a DOC-01",
        LENGTH,
        tool=with_value_changed(lambda members: moved_to_front(("path", "returned"), members)),
    ),
    build_mutant(
        "MUT-611",
        "A byte order mark precedes a document without entries.",
        "DOC-01 FR-LD-OUT-03",
        LENGTH,
        EMPTY,
        tool=with_text_changed(lambda text: "\ufeff" + text if '"entries":[]' in text else text),
    ),
    build_mutant(
        "MUT-612",
        "The document has a member with the version of the format.",
        "DOC-01 FR-LD-OUT-02a FR-LD-OUT-03",
        LENGTH,
        tool=with_value_changed(with_members(version=1)),
    ),
    build_mutant(
        "MUT-613",
        "Without truncation, truncated_reason is missing.",
        "DOC-01 FR-LD-OUT-02a FR-LD-OUT-02b",
        LENGTH,
        "DOC-07 NFR-LD-REL-01",
        tool=with_text_changed(lambda text: text.replace(',"truncated_reason":null', "")),
    ),
    build_mutant(
        "MUT-616",
        "Entries have a member for their permissions.",
        "DOC-03 FR-LD-OUT-02a FR-LD-OUT-03",
        LENGTH,
        tool=with_members_changed(with_members(mode=None)),
    ),
    build_mutant(
        "MUT-617",
        "Entries without an error have no error fields.",
        "DOC-03 FR-LD-OUT-02a EF-08 EF-09",
        LENGTH,
        "NFR-LD-REL-02",
        tool=with_members_changed(
            lambda members: {n: v for n, v in members.items() if v is not None or not n.startswith("error")}
        ),
    ),
    build_mutant(
        "MUT-619",
        "An empty listing has null as entries.",
        "DOC-03 FR-LD-OUT-02b",
        LENGTH,
        EMPTY,
        tool=with_value_changed(lambda members: members | {"entries": members["entries"] or None}),
    ),
    build_mutant(
        "MUT-621",
        "returned is text.",
        "DOC-04 FR-LD-OUT-02b",
        LENGTH,
        "T-LD-05",
        tool=with_tail_changed(lambda count, tail: tail.replace(f'"returned":{count},', f'"returned":"{count}",')),
    ),
    build_mutant(
        "MUT-622",
        "returned counts files only.",
        "DOC-04 FR-LD-OUT-02b",
        LENGTH,
        "T-LD-05",
        tool=with_value_changed(lambda m: m | {"returned": sum(e["type"] == "file" for e in m["entries"])}),
    ),
    build_mutant(
        "MUT-623",
        "max_entries is the number of entries that are listed.",
        "DOC-05",
        LENGTH,
        "CFG-LD-01 CFG-LD-05 FR-LD-VAL-04 SCH-LD",
        tool=with_value_changed(lambda members: members | {"max_entries": members["returned"]}),
    ),
    build_mutant(
        "MUT-624",
        "truncated is 0 or 1.",
        "DOC-06 FR-LD-OUT-02b",
        LENGTH,
        FLAG,
        "FR-LD-LST-02",
        tool=with_value_changed(lambda members: members | {"truncated": int(members["truncated"])}),
    ),
    build_mutant(
        "MUT-625",
        "truncated is never true.",
        "DOC-06 FR-LD-OUT-02b FR-LD-LST-07 FR-LD-OUT-05 FR-LD-OUT-07",
        LENGTH,
        FLAG,
        tool=with_value_changed(lambda members: members | {"truncated": False}),
    ),
    build_mutant(
        "MUT-626",
        "Without truncation, truncated_reason is an empty text.",
        "DOC-07 FR-LD-OUT-02b",
        LENGTH,
        FLAG,
        "FR-LD-LST-02",
        tool=with_text_changed(lambda text: text.replace('"truncated_reason":null', '"truncated_reason":""')),
    ),
    build_mutant(
        "MUT-627",
        "truncated_reason has other values.",
        "DOC-07 FR-LD-LST-07 FR-LD-OUT-05 FR-LD-OUT-07 FR-LD-OUT-02b",
        LENGTH,
        FLAG,
        tool=with_value_changed(
            lambda members: (
                members | {"truncated_reason": members["truncated_reason"] and f"{members['truncated_reason']} reached"}
            )
        ),
    ),
    build_mutant(
        "MUT-628",
        "Without truncation, truncated_reason is `none`.",
        "DOC-07 FR-LD-OUT-02b",
        LENGTH,
        FLAG,
        "FR-LD-LST-02",
        tool=with_text_changed(lambda text: text.replace('"truncated_reason":null', '"truncated_reason":"none"')),
    ),
    build_mutant(
        "MUT-629",
        "The reason is max_entries for every listing of max_entries entries.",
        "FR-LD-OUT-02b DOC-07 FR-LD-LST-06 FR-LD-LST-07 FR-LD-OUT-03",
        tool=with_value_changed(
            lambda m: (
                m | {"truncated_reason": "max_entries" if m["returned"] == m["max_entries"] else m["truncated_reason"]}
            )
        ),
    ),
    build_mutant(
        "MUT-630",
        "Depths have a fraction.",
        "EF-03 FR-LD-OUT-02a FR-LD-OUT-03",
        LENGTH,
        "T-LD-01 FR-LD-LST-02 FR-LD-LST-08",
        tool=with_text_changed(lambda text: re.sub(r'"depth":(\d+)', r'"depth":\1.0', text)),
    ),
    build_mutant(
        "MUT-070",
        "max_entries is always the configured limit.",
        "DOC-05",
        LENGTH,
        "FR-LD-VAL-04 T-LD-05 FR-LD-VAL-06a SCH-LD",
        tool=EchoesTheConfigured(),
    ),
    build_mutant(
        "MUT-970",
        "The number of entries is stored in 8 bits.",
        "DOC-04 FR-LD-LST-07 FR-LD-OUT-02b",
        tool=with_value_changed(lambda document: {**document, "returned": document["returned"] & 0xFF}),
    ),
    build_mutant(
        "MUT-971",
        "A limit above the built-in one is shown as that.",
        "DOC-05 FR-LD-VAL-06a FR-LD-VAL-04",
        tool=with_value_changed(lambda document: {**document, "max_entries": min(document["max_entries"], 200)}),
    ),
    build_mutant(
        "MUT-972",
        "The extension of a name is in lower case.",
        "EF-01",
        tool=with_value_changed(with_small_capitals),
    ),
    build_mutant(
        "MUT-973",
        "Blanks at the end of a directory's name are lost on the way of a path.",
        "EF-02 FR-LD-LST-02 FR-LD-OUT-01",
        tool=with_value_changed(without_blanks_on_the_way),
    ),
)
