"""The keys of spec.toml for authors: from the rules that check them, on a terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.markdown_text import code_span
from treeproof.spec.pack_keys import TABLES, TableKeys
from treeproof.spec.toml_table import KeySpec, ValueKind

_KINDS: dict[ValueKind, str] = {
    "text": "text",
    "texts": "list of texts",
    "flag": "true or false",
    "table": "table",
    "tables": "tables",
}


def print_keys(writer: ConsoleWriter) -> None:
    """Print each table with its keys, one per line."""
    for table in TABLES:
        writer.heading(table.heading)
        writer.paragraph(writer.text(table.meaning, "dim"), indent=2)
        wide = max(map(len, table.keys))
        for name, key in table.keys.items():
            writer.paragraph(
                writer.text(f"{name:<{wide}}  ", "bold"),
                f"{key.meaning} ",
                writer.text(f"({_value(key)}{', needed' if key.required else ''})", "dim"),
                indent=2,
                hang=wide + 2,
            )
            if key.example:
                writer.line(" " * (wide + 4), writer.text(key.example, "cyan"))


def key_reference() -> str:
    """Return the page of all keys in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The keys of spec.toml"
    yield ""
    yield "The rules that check a `spec.toml` also write this page; `treeproof list keys` prints it on a terminal."
    yield "[Adding a specification](adding-a-specification.md) explains how a catalogue is written."
    for table in TABLES:
        yield from ("", f"## {code_span(table.heading)}", "", f"{table.meaning[0].upper()}{table.meaning[1:]}.", "")
        yield "| key | value | meaning |"
        yield "|---|---|---|"
        for name, key in table.keys.items():
            value = _value(key).replace("|", "\\|")
            yield f"| `{name}` | {value}{', needed' if key.required else ''} | {key.meaning} |"
        yield from ("", "```toml", table.heading, *_examples(table), "```")


def _examples(table: TableKeys) -> Iterator[str]:
    yield from (f"{name} = {key.example}" for name, key in table.keys.items() if key.example)


def _value(key: KeySpec) -> str:
    if key.choices and key.kind == "texts":
        return f"list of {', '.join(f'`{choice}`' for choice in key.choices)}"
    if key.choices:
        return ", ".join(f"`{choice}`" for choice in key.choices)
    return _KINDS[key.kind]
