"""Mutants: errors in the document: members, surroundings, JSON encoding."""

import json
import re
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.list_directory.listing import Item, ListCall, Table, document_of
from treeproof.rows.shared.row import with_value

from ..shared.mutant import Mutant
from .implied import EMPTY, FLAG, LENGTH
from .rows import row


def reason(text: str) -> Any:
    """Return the change of the text of a listing that is complete: another text instead of null."""
    return lambda document: document.replace('"truncated_reason":null', f'"truncated_reason":{text}')


def written(document: str, **how: Any) -> str:
    return json.dumps(json.loads(document), ensure_ascii=False, **how)


def with_plain_controls(document: str) -> str:
    """Return the text with control characters as they are."""
    return re.sub(r"\\(?:[btnfr]|u00[01][0-9a-f]|.)", lambda found: plain(found[0]), document)


def plain(escape: str) -> str:
    return escape if escape in ('\\"', "\\\\") else str(json.loads(f'"{escape}"'))


def first(members: Table, *names: str) -> Table:
    return {name: members[name] for name in names} | members


def with_values(item: Item) -> Table:
    return {name: value for name, value in item.entry.items() if value is not None}


def without_errors(item: Item) -> Table:
    return {n: v for n, v in item.entry.items() if v is not None or not n.startswith("error")}


def count_files(document: Table) -> int:
    return sum(entry["type"] == "file" for entry in document["entries"])


def echoing_the_configured(sent: ListCall) -> CallResult:
    """Show the configured limit instead of the effective one."""
    answer = sent.answer()
    value = document_of(answer)
    limit = sent.configured("max_entries")
    return answer if value is None else with_value(answer, value | {"max_entries": limit})


def small_extension(item: Item) -> str:
    stem, dot, extension = item.name.rpartition(".")
    return stem + dot + extension.lower() if stem and dot else item.name


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-089", "Members are in alphabetical order.", "FR-LD-OUT-02a DOC-01 DOC-03", LENGTH)(
        text=lambda text: written(text, separators=(",", ":"), sort_keys=True)
    ),
    row("MUT-091", "A newline follows the document.", "DOC-01 FR-LD-OUT-02a FR-LD-OUT-03", LENGTH, "FR-LD-OUT-04")(
        text=lambda text: text + "\n"
    ),
    row(
        *("MUT-092", "Members without a value are omitted.", "DOC-03 FR-LD-OUT-02a EF-05 EF-08 EF-09", LENGTH),
        "EF-06 NFR-LD-REL-02",
    )(each=with_values),
    row(
        *("MUT-605", "Control characters are not escaped.", "NFR-LD-SEC-02 FR-LD-OUT-02a NFR-LD-REL-01 EF-01 EF-02"),
        *(LENGTH, "FR-LD-LST-06a FR-LD-OUT-01 FR-LD-VAL-10"),
    )(text=with_plain_controls),
    row(
        *("MUT-606", "Colons and commas are followed by blanks."),
        *("FR-LD-OUT-02a FR-LD-OUT-03 FR-LD-OUT-06 FR-LD-OUT-07", LENGTH),
    )(text=written),
    row("MUT-607", "The document is indented.", "FR-LD-OUT-02a FR-LD-OUT-03 FR-LD-OUT-06 FR-LD-OUT-07", LENGTH)(
        text=lambda text: written(text, indent=2)
    ),
    row("MUT-608", "The path of an entry comes before its name.", "FR-LD-OUT-02a DOC-03", LENGTH)(
        each=lambda item: first(item.entry, "path", "name")
    ),
    row("MUT-609", "returned comes before entries.", "FR-LD-OUT-02a DOC-01", LENGTH)(
        value=lambda document: first(document, "path", "returned")
    ),
    row("MUT-611", "A byte order mark precedes a document without entries.", "DOC-01 FR-LD-OUT-03", LENGTH, EMPTY)(
        text=lambda text: "\ufeff" + text if '"entries":[]' in text else text
    ),
    row(
        *("MUT-612", "The document has a member with the version of the format.", "DOC-01 FR-LD-OUT-02a FR-LD-OUT-03"),
        LENGTH,
    )(value=lambda document: document | {"version": 1}),
    row(
        *("MUT-613", "Without truncation, truncated_reason is missing.", "DOC-01 FR-LD-OUT-02a FR-LD-OUT-02b", LENGTH),
        "DOC-07 NFR-LD-REL-01",
    )(text=lambda text: text.replace(',"truncated_reason":null', "")),
    row("MUT-616", "Entries have a member for their permissions.", "DOC-03 FR-LD-OUT-02a FR-LD-OUT-03", LENGTH)(
        each=lambda item: item.entry | {"mode": None}
    ),
    row(
        *("MUT-617", "Entries without an error have no error fields.", "DOC-03 FR-LD-OUT-02a EF-08 EF-09", LENGTH),
        "NFR-LD-REL-02",
    )(each=without_errors),
    row("MUT-619", "An empty listing has null as entries.", "DOC-03 FR-LD-OUT-02b", LENGTH, EMPTY)(
        value=lambda document: document | {"entries": document["entries"] or None}
    ),
    row("MUT-621", "returned is text.", "DOC-04 FR-LD-OUT-02b", LENGTH, "T-LD-05")(
        value=lambda document: document | {"returned": str(document["returned"])}
    ),
    row("MUT-622", "returned counts files only.", "DOC-04 FR-LD-OUT-02b", LENGTH, "T-LD-05")(
        value=lambda document: document | {"returned": count_files(document)}
    ),
    row(
        *("MUT-623", "max_entries is the number of entries that are listed.", "DOC-05", LENGTH),
        "CFG-LD-01 CFG-LD-05 FR-LD-VAL-04 SCH-LD",
    )(value=lambda document: document | {"max_entries": document["returned"]}),
    row("MUT-624", "truncated is 0 or 1.", "DOC-06 FR-LD-OUT-02b", LENGTH, FLAG, "FR-LD-LST-02")(
        value=lambda document: document | {"truncated": int(document["truncated"])}
    ),
    row(
        *("MUT-625", "truncated is never true.", "DOC-06 FR-LD-OUT-02b FR-LD-LST-07 FR-LD-OUT-05 FR-LD-OUT-07", LENGTH),
        FLAG,
    )(value=lambda document: document | {"truncated": False}),
    row(
        *("MUT-626", "Without truncation, truncated_reason is an empty text.", "DOC-07 FR-LD-OUT-02b", LENGTH, FLAG),
        "FR-LD-LST-02",
    )(text=reason('""')),
    row(
        *("MUT-627", "truncated_reason has other values."),
        *("DOC-07 FR-LD-LST-07 FR-LD-OUT-05 FR-LD-OUT-07 FR-LD-OUT-02b", LENGTH, FLAG),
    )(text=lambda text: re.sub(r'"truncated_reason":"(\w+)"}$', r'"truncated_reason":"\1 reached"}', text)),
    row(
        *("MUT-628", "Without truncation, truncated_reason is `none`.", "DOC-07 FR-LD-OUT-02b", LENGTH, FLAG),
        "FR-LD-LST-02",
    )(text=reason('"none"')),
    row(
        *("MUT-629", "The reason is max_entries for every listing of max_entries entries."),
        "FR-LD-OUT-02b DOC-07 FR-LD-LST-06 FR-LD-LST-07 FR-LD-OUT-03",
    )(value=lambda m: m | {"truncated_reason": "max_entries"} if m["returned"] == m["max_entries"] else m),
    row(
        *("MUT-630", "Depths have a fraction.", "EF-03 FR-LD-OUT-02a FR-LD-OUT-03", LENGTH),
        "T-LD-01 FR-LD-LST-02 FR-LD-LST-08",
    )(text=lambda text: re.sub(r'"depth":(\d+)', r'"depth":\1.0', text)),
    row(
        *("MUT-070", "max_entries is always the configured limit.", "DOC-05", LENGTH),
        "FR-LD-VAL-04 T-LD-05 FR-LD-VAL-06a SCH-LD",
    )(answer=echoing_the_configured),
    row("MUT-970", "The number of entries is stored in 8 bits.", "DOC-04 FR-LD-LST-07 FR-LD-OUT-02b")(
        value=lambda document: document | {"returned": document["returned"] & 0xFF}
    ),
    row("MUT-971", "A limit above the built-in one is shown as that.", "DOC-05 FR-LD-VAL-06a FR-LD-VAL-04")(
        value=lambda document: document | {"max_entries": min(document["max_entries"], 200)}
    ),
    row("MUT-972", "The extension of a name is in lower case.", "EF-01")(name=small_extension),
    row(
        *("MUT-973", "Blanks at the end of a directory's name are lost on the way of a path."),
        "EF-02 FR-LD-LST-02 FR-LD-OUT-01",
    )(path=lambda item: re.sub(" +/", "/", item.path)),
)
