"""Wrong in the document: its members, what stands around it, and how JSON is spelt."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...context import CallContext
from ...list_directory import ListDirectory, ListingPlan
from ...listing.document import Document, Reason, Value
from ...listing.entries import Entry
from ...paths import Flavour
from ..mutant import Mutant
from .implied import EMPTY, FLAG, LENGTH
from .made import wrong


def writing(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


def rewriting(change: Callable[[str], str]) -> ListDirectory:
    """Writes another text for the finished document. Sizes are those of the right one."""

    class Rewriting(Document):
        def text(self) -> str:
            return change(super().text())

    return writing(Rewriting)


def remaking(change: Callable[[dict[str, Any]], Any]) -> ListDirectory:
    """Makes another value of the finished document and writes that."""
    return rewriting(
        lambda text: json.dumps(change(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
    )


def quoting(quoted: Callable[[str], str]) -> ListDirectory:
    """Spells strings in another way, made from the right one. Sizes are those of this way."""

    class Quoting(Document):
        def quoted(self, text: str) -> str:
            return quoted(super().quoted(text))

    return writing(Quoting)


def membering(members: Callable[[dict[str, Value]], dict[str, Value]]) -> ListDirectory:
    """Gives entries other members."""

    class Membering(Document):
        def members(self, entry: Entry) -> dict[str, Value]:
            return members(super().members(entry))

    return writing(Membering)


def framing(frame: Callable[[int, str], str]) -> ListDirectory:
    """Writes another tail behind the entries, made from their number and the right one."""

    class Framing(Document):
        def frame(self, count: int, reason: Reason | None) -> tuple[str, str]:
            head, tail = super().frame(count, reason)
            return head, frame(count, tail)

    return writing(Framing)


def first(names: tuple[str, ...], members: dict[str, Any]) -> dict[str, Any]:
    return {name: members[name] for name in names} | members


class EchoesTheConfigured(ListDirectory):
    """Shows the configured limit for the one in force."""

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
        limit = self.settings(context.config).max_entries

        class Echoing(Document):
            def frame(self, count: int, reason: Reason | None) -> tuple[str, str]:
                self.max_entries = limit
                return super().frame(count, reason)

        return replace(super().plan(arguments, context, flavour), tool=ListDirectory(document=Echoing))


def ascii_only(quoted: str) -> str:
    return json.dumps(json.loads(quoted))


def escaping(*characters: str) -> ListDirectory:
    def escaped(quoted: str) -> str:
        for character in characters:
            quoted = quoted.replace(character, f"\\u{ord(character):04x}")
        return quoted

    return quoting(escaped)


def escapes(change: Callable[[str], str]) -> Callable[[str], str]:
    """Spells the escapes of control characters in another way, and leaves those of backslash and quotation mark."""
    return lambda quoted: re.sub(
        r"\\(?:[btnfr]|u[0-9a-f]{4}|.)", lambda found: changed(found[0], change), quoted
    )


def changed(escape: str, change: Callable[[str], str]) -> str:
    return escape if escape in ('\\"', "\\\\") else change(json.loads(f'"{escape}"'))


def with_members(**more: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda members: members | more


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-089",
        "Members are in alphabetical order.",
        "FR-LD-OUT-02a",
        "DOC-01",
        "DOC-03",
        *LENGTH,
        tool=rewriting(
            lambda text: json.dumps(
                json.loads(text), ensure_ascii=False, separators=(",", ":"), sort_keys=True
            )
        ),
    ),
    wrong(
        "MUT-091",
        "A newline follows the document.",
        "DOC-01",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-03",
        *LENGTH,
        "FR-LD-OUT-04",
        tool=rewriting(lambda text: text + "\n"),
    ),
    wrong(
        "MUT-092",
        "Members without a value are left out.",
        "DOC-03",
        "FR-LD-OUT-02a",
        "EF-05",
        "EF-08",
        "EF-09",
        *LENGTH,
        "EF-06",
        "NFR-LD-REL-02",
        tool=membering(lambda members: {name: value for name, value in members.items() if value is not None}),
    ),
    wrong(
        "MUT-094",
        "Slashes are escaped.",
        "FR-LD-OUT-02a",
        *LENGTH,
        tool=quoting(lambda quoted: quoted.replace("/", "\\/")),
        reading="AMB-LD-15 any_valid",
    ),
    wrong(
        "MUT-095",
        "Characters that mean something in HTML are escaped.",
        "FR-LD-OUT-02a",
        tool=escaping("<", ">", "&", "\u2028", "\u2029"),
        reading="AMB-LD-15 any_valid",
    ),
    wrong(
        "MUT-601",
        "Everything but ASCII is escaped.",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-06",
        *LENGTH,
        tool=quoting(ascii_only),
        reading="AMB-LD-15 any_valid",
    ),
    wrong(
        "MUT-602",
        "Escapes are in upper-case hex.",
        "FR-LD-OUT-02a",
        tool=quoting(
            lambda quoted: re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), quoted)
        ),
        reading="AMB-LD-15 any_valid",
    ),
    wrong(
        "MUT-603",
        "The short escapes of JSON are not used for control characters.",
        "FR-LD-OUT-02a",
        *LENGTH,
        tool=quoting(escapes(lambda character: f"\\u{ord(character):04x}")),
        reading="AMB-LD-15 any_valid",
    ),
    wrong(
        "MUT-604", "DEL is escaped.", "FR-LD-OUT-02a", tool=escaping("\x7f"), reading="AMB-LD-15 any_valid"
    ),
    wrong(
        "MUT-605",
        "Control characters stand for themselves.",
        "NFR-LD-SEC-02",
        "FR-LD-OUT-02a",
        "NFR-LD-REL-01",
        "EF-01",
        "EF-02",
        *LENGTH,
        "FR-LD-LST-06a",
        "FR-LD-OUT-01",
        "FR-LD-VAL-10",
        tool=quoting(escapes(str)),
    ),
    wrong(
        "MUT-606",
        "Blanks stand behind colons and commas.",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-03",
        "FR-LD-OUT-06",
        "FR-LD-OUT-07",
        *LENGTH,
        tool=rewriting(lambda text: json.dumps(json.loads(text), ensure_ascii=False)),
    ),
    wrong(
        "MUT-607",
        "The document is indented.",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-03",
        "FR-LD-OUT-06",
        "FR-LD-OUT-07",
        *LENGTH,
        tool=rewriting(lambda text: json.dumps(json.loads(text), ensure_ascii=False, indent=2)),
    ),
    wrong(
        "MUT-608",
        "The path of an entry comes before its name.",
        "FR-LD-OUT-02a",
        "DOC-03",
        *LENGTH,
        tool=membering(lambda members: first(("path", "name"), members)),
    ),
    wrong(
        "MUT-609",
        "returned comes before entries.",
        "FR-LD-OUT-02a",
        "DOC-01",
        *LENGTH,
        tool=remaking(lambda members: first(("path", "returned"), members)),
    ),
    wrong(
        "MUT-611",
        "A byte order mark precedes a document without entries.",
        "DOC-01",
        "FR-LD-OUT-03",
        *LENGTH,
        *EMPTY,
        tool=rewriting(lambda text: "\ufeff" + text if '"entries":[]' in text else text),
    ),
    wrong(
        "MUT-612",
        "The document has a member that tells the version of the format.",
        "DOC-01",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-03",
        *LENGTH,
        tool=remaking(with_members(version=1)),
    ),
    wrong(
        "MUT-613",
        "The document has no truncated_reason where it is not truncated.",
        "DOC-01",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-02b",
        *LENGTH,
        "DOC-07",
        "NFR-LD-REL-01",
        tool=rewriting(lambda text: text.replace(',"truncated_reason":null', "")),
    ),
    wrong(
        "MUT-616",
        "Entries have a member for their permissions.",
        "DOC-03",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-03",
        *LENGTH,
        tool=membering(with_members(mode=None)),
    ),
    wrong(
        "MUT-617",
        "Entries have error fields only where there is an error.",
        "DOC-03",
        "FR-LD-OUT-02a",
        "EF-08",
        "EF-09",
        *LENGTH,
        "NFR-LD-REL-02",
        tool=membering(
            lambda members: {n: v for n, v in members.items() if v is not None or not n.startswith("error")}
        ),
    ),
    wrong(
        "MUT-619",
        "A listing without entries has null for them.",
        "DOC-03",
        "FR-LD-OUT-02b",
        *LENGTH,
        *EMPTY,
        tool=remaking(lambda members: members | {"entries": members["entries"] or None}),
    ),
    wrong(
        "MUT-621",
        "returned is text.",
        "DOC-04",
        "FR-LD-OUT-02b",
        *LENGTH,
        "T-LD-05",
        tool=framing(lambda count, tail: tail.replace(f'"returned":{count},', f'"returned":"{count}",')),
    ),
    wrong(
        "MUT-622",
        "returned counts files only.",
        "DOC-04",
        "FR-LD-OUT-02b",
        *LENGTH,
        "T-LD-05",
        tool=remaking(lambda m: m | {"returned": sum(e["type"] == "file" for e in m["entries"])}),
    ),
    wrong(
        "MUT-623",
        "max_entries is the number of entries that are listed.",
        "DOC-05",
        *LENGTH,
        "CFG-LD-01",
        "CFG-LD-05",
        "FR-LD-VAL-04",
        "SCH-LD",
        tool=remaking(lambda members: members | {"max_entries": members["returned"]}),
    ),
    wrong(
        "MUT-624",
        "truncated is 0 or 1.",
        "DOC-06",
        "FR-LD-OUT-02b",
        *LENGTH,
        *FLAG,
        "FR-LD-LST-02",
        tool=remaking(lambda members: members | {"truncated": int(members["truncated"])}),
    ),
    wrong(
        "MUT-625",
        "truncated is never true.",
        "DOC-06",
        "FR-LD-OUT-02b",
        "FR-LD-LST-07",
        "FR-LD-OUT-05",
        "FR-LD-OUT-07",
        *LENGTH,
        *FLAG,
        tool=remaking(lambda members: members | {"truncated": False}),
    ),
    wrong(
        "MUT-626",
        "truncated_reason is an empty text where nothing was cut.",
        "DOC-07",
        "FR-LD-OUT-02b",
        *LENGTH,
        *FLAG,
        "FR-LD-LST-02",
        tool=rewriting(lambda text: text.replace('"truncated_reason":null', '"truncated_reason":""')),
    ),
    wrong(
        "MUT-627",
        "truncated_reason is in other words.",
        "DOC-07",
        "FR-LD-LST-07",
        "FR-LD-OUT-05",
        "FR-LD-OUT-07",
        "FR-LD-OUT-02b",
        *LENGTH,
        *FLAG,
        tool=remaking(
            lambda members: (
                members
                | {
                    "truncated_reason": members["truncated_reason"]
                    and f"{members['truncated_reason']} reached"
                }
            )
        ),
    ),
    wrong(
        "MUT-628",
        "truncated_reason is `none` where nothing was cut.",
        "DOC-07",
        "FR-LD-OUT-02b",
        *LENGTH,
        *FLAG,
        "FR-LD-LST-02",
        tool=rewriting(lambda text: text.replace('"truncated_reason":null', '"truncated_reason":"none"')),
    ),
    wrong(
        "MUT-629",
        "The reason is max_entries for every listing of max_entries entries, cut or not.",
        "FR-LD-OUT-02b",
        "DOC-07",
        "FR-LD-LST-06",
        "FR-LD-LST-07",
        "FR-LD-OUT-03",
        tool=remaking(
            lambda m: (
                m
                | {
                    "truncated_reason": "max_entries"
                    if m["returned"] == m["max_entries"]
                    else m["truncated_reason"]
                }
            )
        ),
    ),
    wrong(
        "MUT-630",
        "Depths are written with a fraction.",
        "EF-03",
        "FR-LD-OUT-02a",
        "FR-LD-OUT-03",
        *LENGTH,
        "T-LD-01",
        "FR-LD-LST-02",
        "FR-LD-LST-08",
        tool=rewriting(lambda text: re.sub(r'"depth":(\d+)', r'"depth":\1.0', text)),
    ),
    wrong(
        "MUT-070",
        "max_entries is the configured limit, whatever was asked for.",
        "DOC-05",
        *LENGTH,
        "FR-LD-VAL-04",
        "T-LD-05",
        "FR-LD-VAL-06a",
        "SCH-LD",
        tool=EchoesTheConfigured(),
    ),
)
