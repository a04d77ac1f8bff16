"""The reader of TOML files: the line, the table, the key, the problem and the fix of each error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import FileError, UsageError
from treeproof.files import parse_cache
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile, load_toml, toml_value
from treeproof.files.toml_lines import Place, TomlLines

SCHEMA = JsonSchema(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["tool"],
        "properties": {
            "tool": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "name": {"$ref": "#/$defs/word", "examples": ["ant"]},
                    "words": {"type": "array", "items": {"$ref": "#/$defs/word"}, "uniqueItems": True},
                    "count": {"type": "integer", "minimum": 1, "maximum": 9},
                },
            },
            "item": {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {"id": True}}},
        },
        "$defs": {"word": {"type": "string", "pattern": "^[a-z]+$", "errorMessage": "small letters"}},
    }
)


def errors(folder: Path, text: str) -> list[str]:
    file = folder / "some.toml"
    file.write_bytes(text.encode())
    return [str(one).removeprefix(f"{file}:") for one in TomlFile(file, SCHEMA).errors()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", '1: the file: the key "tool" is missing; write a table below the heading [tool]'),
        ("[tol]", '1: the file: the key "tol" is unknown; write "tool"'),
        ("name = 1\n[tool]", '1: the file: the key "name" is unknown; it belongs in [tool]'),
        ('[tool]\nname = "A"', '2: [tool]: the key "name" holds "A"; write small letters, such as name = "ant"'),
        (
            '[tool]\nname = """a\n"""',
            '2: [tool]: the key "name" holds "a\\n"; write small letters, such as name = "ant"',
        ),
        (
            '[tool]\nname = " "',
            '2: [tool]: the key "name" holds an empty text; write small letters, such as name = "ant"',
        ),
        ('[tool]\nwords = [\n"a", 1]', '2: [tool]: the key "words" holds ["a", 1]; write small letters'),
        ('[tool]\nwords = ["a", "B"]', '2: [tool]: the key "words" holds "B"; write small letters'),
        ('[tool]\nwords = ["a", "a"]', '2: [tool]: the key "words" contains "a" twice; write it once'),
        ("[tool]\ncount = true", '2: [tool]: the key "count" holds true; write a whole number from 1 to 9'),
        ('tool.name = "a"\n[[item]]\nid = 1\n[[item]]', '4: [[item]] number 2: the key "id" is missing; write a text'),
        (
            "tool = {}\nitem = [1]",
            '2: the file: the key "item" holds [1]; write a list of tables, one [[item]] heading each',
        ),
    ],
)
def test_an_error_has_its_line_its_key_and_what_to_write(tmp_path: Path, text: str, message: str) -> None:
    assert errors(tmp_path, text) == [message]


def test_an_unknown_key_is_why_another_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text("zzz = 1")
    with pytest.raises(FileError, match=r'some.toml:1: .*"zzz" is unknown; write one of: tool, item \(and 1 more\)'):
        TomlFile(file, SCHEMA).check()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = 1\nb = \xff", ":2: byte 10 is not UTF-8; save the file as UTF-8"),
        (b"a = 1\n[b", ":2: not TOML: Expected ']' at the end of a table declaration; correct it, or name a TOML file"),
        (b"a = 1\nb = [-inf]", ":2: -inf is no number that a file can hold; write another one"),
        (b"\xef\xbb\xbf", ": begins with a byte order mark; save the file as UTF-8 without one"),
        (b"#" * (5 << 20), ": longer than 4 MiB; name a TOML file"),
    ],
)
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "some.toml"
    file.write_bytes(content)
    with pytest.raises(UsageError) as refusal:
        load_toml(file)
    assert str(refusal.value).startswith(f"{file}{message}")


def test_valid_tables_are_kept_for_the_same_text_and_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, checks = tmp_path / "some.toml", list[Any]()
    monkeypatch.setattr("sys.dont_write_bytecode", False)

    def find_errors(schema: JsonSchema, value: Any) -> list[Any]:
        checks.append(value)
        return []

    monkeypatch.setattr(JsonSchema, "errors", find_errors)
    for text, schema, count in (
        ("[tool]", SCHEMA, 1),
        ("[tool]", SCHEMA, 1),
        ("[tool]\ncount = 1", SCHEMA, 2),
        ("[tool]\ncount = 1", JsonSchema({}), 3),
    ):
        file.write_text(text)
        assert TomlFile(file, schema, is_cached=True).errors() == []
        assert len(checks) == count
    assert parse_cache.load(file, b"", ()) is None


TEXT = """top = 1
[a]
b = 1
text = '''
x = 1
'''
[[a.list]]
c.d = 1
[[a.list]]
"quoted key" = 1
[a.list.inner]
e = { f = 1 }
[x.y]
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("top",), 1),
        (("a", "b"), 3),
        (("a", "x"), 2),
        (("a", "list"), 7),
        (("a", "list", 0, "c", "d"), 8),
        (("a", "list", 1), 9),
        (("a", "list", 1, "quoted key"), 10),
        (("a", "list", 1, "inner", "e", "f"), 12),
        (("x",), 13),
        (("none", 7), 1),
    ],
)
def test_the_line_of_a_place(place: Place, line: int) -> None:
    assert TomlLines(TEXT).line_of(*place) == line


def test_values_are_written_as_toml() -> None:
    assert toml_value({"a": [True, "x"], "b": 1}) == '{a = [true, "x"], b = 1}'
