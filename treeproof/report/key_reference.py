"""The keys of spec.toml for authors: from the schema that checks them, on a terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import toml_value
from treeproof.files.toml_lines import Place
from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.markdown_text import code_span
from treeproof.spec.pack_file import SCHEMA


@dataclass(frozen=True)
class TableKeys:
    """A table with a heading: what it is, and the schemas of its keys."""

    heading: str
    meaning: str
    keys: Mapping[str, Mapping[str, Any]]
    needed: tuple[str, ...]

    def examples(self) -> list[str]:
        """Return a line of TOML for each key."""
        return [f"{name} = {toml_value(key['examples'][0])}" for name, key in self.keys.items() if "examples" in key]


def tables_of(schema: JsonSchema, place: Place = ()) -> Iterator[TableKeys]:
    """Yield the tables of a file in the order of its schema; a table in a list of tables comes after that list."""
    for name in schema.at(place)["properties"]:
        inner = schema.at((*place, name))
        is_list = inner.get("type") == "array"
        below: Place = (*place, name, 0) if is_list else (*place, name)
        table = schema.at(below)
        if "properties" in table and (is_list or not place):
            heading = ".".join(part for part in below if isinstance(part, str))
            keys = {key: schema.at((*below, key)) for key in table["properties"]}
            shown = f"[[{heading}]]" if is_list else f"[{heading}]"
            yield TableKeys(shown, inner["description"], keys, tuple(table.get("required", ())))
            yield from tables_of(schema, below)


def print_keys(writer: ConsoleWriter) -> None:
    """Print each table with its keys, one per line."""
    for table in tables_of(SCHEMA):
        writer.heading(table.heading)
        writer.paragraph(writer.text(table.meaning, "dim"), indent=2)
        wide = max(map(len, table.keys))
        for name, key in table.keys.items():
            writer.paragraph(
                writer.text(f"{name:<{wide}}  ", "bold"),
                f"{key['description']} ",
                writer.text(f"({_value(key)}{', needed' if name in table.needed else ''})", "dim"),
                indent=2,
                hang=wide + 2,
            )
            for example in key.get("examples", ()):
                writer.line(" " * (wide + 4), writer.text(toml_value(example), "cyan"))


def key_reference() -> str:
    """Return the page of all keys in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The keys of spec.toml"
    yield ""
    yield "The schema that checks a `spec.toml` also writes this page; `treeproof list keys` prints it on a terminal."
    yield "The [tutorial](tutorial.md) writes a catalogue; [more about packs](adding-a-specification.md) has defaults."
    for table in tables_of(SCHEMA):
        yield from ("", f"## {code_span(table.heading)}", "", f"{table.meaning[0].upper()}{table.meaning[1:]}.", "")
        yield "| key | value | meaning |"
        yield "|---|---|---|"
        for name, key in table.keys.items():
            value = _value(key).replace("|", "\\|")
            yield f"| `{name}` | {value}{', needed' if name in table.needed else ''} | {key['description']} |"
        yield from ("", "```toml", table.heading, *table.examples(), "```")


def _value(key: Mapping[str, Any]) -> str:
    items = key.get("items", {})
    choices = ", ".join(f"`{choice}`" for choice in key.get("enum") or items.get("enum") or ())
    if choices:
        return choices if "enum" in key else f"list of {choices}"
    if key["type"] == "array":
        return "tables" if items.get("type") == "object" else "list of texts"
    default = f", default {toml_value(key['default'])}" if "default" in key else ""
    return {"boolean": "true or false", "object": "table"}.get(key["type"], "text") + default
