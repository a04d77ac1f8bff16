"""Mutants: errors in names, paths and depths, and in the conversion of undecodable names."""

import os
import re
import unicodedata
from collections.abc import Callable
from html import escape

from treeproof.rows.list_directory.listing import Item
from treeproof.rows.list_directory.row import Change

from ..shared.mutant import Mutant
from .implied import LENGTH
from .rows import row

DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
LOSSY = (
    "NFR-LD-REL-02 EF-01 FR-LD-LST-05 FR-LD-LST-06a FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-02 FR-LD-OUT-02a "
    "FR-LD-OUT-02b FR-LD-OUT-06 T-LD-09"
)
"""The converted text is shown, sorted and measured, and decides whether an entry is hidden."""


def decoding(text: Callable[[bytes], str], written: Callable[[str], str] = str) -> Change:
    """Return the change to another conversion of names, and of the document's text."""
    path: Callable[[Item], str] = lambda item: "/".join(map(text, item.raw_parts))  # noqa: E731
    return {
        "drop": lambda item: text(item.raw_name).startswith(".") and not item.sent.effective("include_hidden"),
        "walk": lambda item: list(zip(map(text, item.raw_parts), item.raw_parts, strict=True)),
        "name": lambda item: text(item.raw_name),
        "path": path,
        "hidden": lambda item: text(item.raw_name).startswith("."),
        "order": path,
        "text": written,
    }


def renaming(change: Callable[[str], str]) -> Change:
    """Return the change of names, also in paths."""
    return {"name": lambda item: change(item.name), "path": lambda item: "/".join(map(change, item.parts))}


def percent_encoded(name: bytes) -> str:
    text = name.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda found: f"%{os.fsencode(found[0])[0]:02X}", text)


def utf8_or_latin1(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")


def with_escaped_surrogates(text: str) -> str:
    return re.sub("[\udc80-\udcff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def is_decodable(name: bytes) -> bool:
    return utf8_or_latin1(name).encode() == name


def is_below_undecodable(item: Item) -> bool:
    return not all(map(is_decodable, item.raw_parts[:-1]))


def below_the_request(item: Item) -> str:
    request = item.sent.path
    return item.path if request == "." or item.depth == 1 else request.rstrip("/") + "/" + item.path


def depth_of_the_request(item: Item) -> int:
    return len([part for part in item.sent.path.split("/") if part not in ("", ".")])


def cut_bytes(text: str, size: int) -> str:
    return text.encode()[:size].decode("utf-8", "ignore")


def cut_name(item: Item) -> str:
    return cut_bytes(item.name, 255)


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-017", "Entries with equal converted paths are merged.", LOSSY)(
        found=lambda items, sent: list({item.path: item for item in items}.values())
    ),
    row("MUT-019", "A name that is not UTF-8 fails the call.", LOSSY, "FR-LD-OUT-02 DOC-01 DOC-06")(
        fails=lambda item: not is_decodable(item.raw)
    ),
    row("MUT-020", "A question mark replaces undecodable bytes.", LOSSY)(
        **decoding(lambda name: name.decode("utf-8", "replace").replace("\ufffd", "?"))
    ),
    row("MUT-022", "A directory is opened by its converted name.", LOSSY, "FR-LD-LST-08")(
        drop=is_below_undecodable, on=lambda item: item.is_entered and not is_decodable(item.raw), each=Item.unread
    ),
    row(
        *("MUT-023", "Names are normalised to NFC."),
        "EF-01 FR-LD-LST-02 NFR-LD-REL-02 FR-LD-LST-05 FR-LD-OUT-01 FR-LD-OUT-02a EF-02",
    )(**decoding(lambda name: unicodedata.normalize("NFC", name.decode("utf-8", "replace")))),
    row(
        *("MUT-025", "The path of an entry below the first level begins with the requested directory.", "EF-02"),
        *(LENGTH, "EF-03 FR-LD-DEF-03 FR-LD-LST-02 FR-LD-VAL-03 FR-LD-VAL-10 NFR-LD-PORT-01"),
    )(path=below_the_request),
    row("MUT-026", "A path with an asterisk begins with './'.", "EF-02 FR-LD-LST-02", LENGTH)(
        on=lambda item: "*" in item.path, path=lambda item: f"./{item.path}"
    ),
    row(
        *("MUT-028", "A backslash in a name becomes a slash in the path."),
        "EF-02 FR-LD-LST-02 EF-03 FR-LD-OUT-02a NFR-LD-PORT-01",
    )(path=lambda item: item.path.replace("\\", "/")),
    row("MUT-029", "Depths start at 0.", "EF-03 DOC-01 FR-LD-OUT-02a T-LD-01 FR-LD-LST-02 FR-LD-LST-08")(
        depth=lambda item: item.depth - 1
    ),
    row("MUT-384", "Undecodable bytes are omitted.", LOSSY)(**decoding(lambda name: name.decode("utf-8", "ignore"))),
    row("MUT-385", "Names that are not UTF-8 are decoded as Latin-1.", LOSSY)(**decoding(utf8_or_latin1)),
    row("MUT-386", "Undecodable bytes become escapes with a backslash.", LOSSY)(
        **decoding(lambda name: name.decode("utf-8", "backslashreplace"))
    ),
    row("MUT-387", "Undecodable bytes are percent-encoded.", LOSSY)(**decoding(percent_encoded)),
    row("MUT-388", "Undecodable bytes become escaped lone surrogates.", LOSSY, "DOC-01")(
        **decoding(os.fsdecode, with_escaped_surrogates)
    ),
    row("MUT-389", "Entries with names that are not UTF-8 are omitted.", LOSSY)(
        drop=lambda item: not is_decodable(item.raw)
    ),
    row("MUT-390", "Metadata are read by the converted name.", LOSSY)(
        drop=is_below_undecodable,
        on=lambda item: not is_decodable(item.raw),
        each=lambda item: item.failed("metadata_unavailable", "metadata is not available"),
    ),
    row("MUT-391", "A byte order mark at the start of a name is omitted.", "EF-01 EF-02 NFR-LD-REL-02 FR-LD-OUT-02a")(
        **renaming(lambda name: name.removeprefix("\ufeff"))
    ),
    row("MUT-392", "The name is the whole path.", "EF-01", LENGTH, "NFR-LD-PORT-01 NFR-LD-REL-02 FR-LD-LST-08")(
        name=lambda item: item.path
    ),
    row(
        *("MUT-394", "Blanks around a name are omitted."),
        "EF-01 FR-LD-LST-02 EF-02 FR-LD-LST-03 FR-LD-LST-06a FR-LD-OUT-01 FR-LD-VAL-01",
    )(**renaming(lambda name: name.strip(" "))),
    row(
        *("MUT-398", "The components of a path with a backslash are joined by backslashes.", "NFR-LD-PORT-01 EF-02"),
        *(LENGTH, "EF-03"),
    )(on=lambda item: "\\" in item.path, path=lambda item: item.path.replace("/", "\\")),
    row("MUT-400", "Depths are relative to the working directory.", "EF-03")(
        depth=lambda item: item.depth + depth_of_the_request(item)
    ),
    row("MUT-401", "Every backslash in a path adds a level.", "EF-03 EF-02 NFR-LD-PORT-01 FR-LD-OUT-02a")(
        depth=lambda item: item.depth + item.path.count("\\")
    ),
    row(
        *("MUT-402", "Control characters in names are omitted."),
        "NFR-LD-SEC-02 EF-01 EF-02 FR-LD-OUT-02a FR-LD-LST-06a FR-LD-OUT-01 FR-LD-OUT-06 NFR-LD-REL-02",
    )(**renaming(lambda name: "".join(c for c in name if unicodedata.category(c) != "Cc"))),
    row("MUT-803", "Characters that change the writing direction are missing in names.", "EF-01")(
        name=lambda item: DIRECTIONS.sub("", item.name)
    ),
    row("MUT-1016", "The overlong form of NUL is decoded as NUL.", LOSSY)(
        **decoding(lambda name: name.replace(b"\xc0\x80", b"\0").decode("utf-8", "replace"))
    ),
    row("MUT-1017", "A name is only what follows its last backslash.", "EF-01")(
        name=lambda item: item.name.rpartition("\\")[2]
    ),
    row("MUT-1018", "In names, but not in paths, the characters of markup are written as entities.", "EF-01")(
        name=lambda item: escape(item.name, quote=False)
    ),
    row("MUT-1019", "The depth counts the components of the requested path, too.", "EF-03")(
        depth=lambda item: item.depth + (item.sent.path != "." and item.sent.path.count("/") + 1)
    ),
    # The text of a name may have three times as many bytes.
    row("MUT-783", "Paths are truncated to 255 bytes.", "EF-02 NFR-LD-REL-02")(
        path=lambda item: cut_bytes(item.path, 255)
    ),
    row("MUT-784", "Paths are truncated to 4095 bytes.", "EF-02")(path=lambda item: cut_bytes(item.path, 4095)),
    row("MUT-785", "Names are truncated to 255 bytes of their text.", "NFR-LD-REL-02")(
        name=cut_name, path=lambda item: item.path.removesuffix(item.name) + cut_name(item)
    ),
    row("MUT-1008", "A line break at the end of a name is lost, but not that of its path.", "EF-01")(
        name=lambda item: item.name.removesuffix("\n")
    ),
)
