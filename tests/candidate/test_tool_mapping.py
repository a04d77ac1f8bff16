"""The mapping of tools in a manifest: places, constants, outputs and conversions. It adds nothing that a tool omits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Target, UnsupportedByAdapter, UsageError
from treeproof.candidate.adapter import LacksArgument
from treeproof.candidate.tool_mapping import (
    MemberMapping,
    OutputMapping,
    ToolConfig,
    convert,
    map_arguments,
    map_output,
    remote_name,
    tool_of,
)

CONTEXT = {"working_dir": "/root", "roots": ["/root"]}
BASE = '[candidate]\nadapter = "stdio"\ncommand = ["sh"]\n'


def parse(tmp_path: Path, text: str) -> dict[str, ToolConfig]:
    (tmp_path / "treeproof.toml").write_text(BASE + text, "utf-8")
    return dict(Target.parse(str(tmp_path / "treeproof.toml")).tools)


FULL = """
[tools.move]
spec = "file_operations@1.1"
name = "Move"
aliases = { mv = "mv_file" }
arguments = { source = "params.from", destination = "params.to" }
constants = { "params.force" = false, quiet = true }
drop = ["overwrite"]
absolute = ["source"]
"""


def test_arguments_get_their_places_and_constants_are_added(tmp_path: Path) -> None:
    tools = parse(tmp_path, FULL)
    sent = map_arguments(tools["move"], {"source": " a ", "destination": "b", "more": 1}, CONTEXT)
    assert sent == {"params": {"force": False, "from": "/root/ a ", "to": "b"}, "quiet": True, "more": 1}
    assert map_arguments(tools["move"], {"quiet": False}, CONTEXT) == {"params": {"force": False}, "quiet": False}
    assert [remote_name(tools, name) for name in ("move", "mv", "rename")] == ["Move", "mv_file", "rename"]
    assert tool_of(tools, "mv") is tools["move"]
    assert tool_of(tools, "rename") is None


@pytest.mark.parametrize(("path", "sent"), [(" a ", "/root/ a "), (" ", "/root/ "), ("", ""), ("a/ b", "/root/a/ b")])
def test_an_absolute_path_keeps_every_character(tmp_path: Path, path: str, sent: str) -> None:
    tools = parse(tmp_path, FULL)
    assert map_arguments(tools["move"], {"source": path}, CONTEXT)["params"]["from"] == sent


@pytest.mark.parametrize("value", [None, 5, "", ["a"]])
def test_what_is_no_path_is_sent_as_it_is(tmp_path: Path, value: Any) -> None:
    tools = parse(tmp_path, FULL)
    assert map_arguments(tools["move"], {"source": value}, CONTEXT)["params"]["from"] == value


def test_two_arguments_with_one_place_are_not_sent(tmp_path: Path) -> None:
    tools = parse(tmp_path, FULL)
    for arguments in ({"params": 1}, {"params": 1, "source": "a"}):
        with pytest.raises(LacksArgument, match="the tool has one argument 'params.f.*' for two of the call"):
            map_arguments(tools["move"], arguments, CONTEXT)


def test_a_call_with_an_argument_that_the_tool_lacks_is_not_made(tmp_path: Path) -> None:
    tool = parse(tmp_path, FULL)["move"]
    params = {"$ref": "#/$defs/Params"}
    schema = {"properties": {"params": params, "quiet": {}}, "$defs": {"Params": {"properties": {"from": {}}}}}
    assert map_arguments(tool, {"source": "a"}, CONTEXT, schema)["params"]["from"] == "/root/a"
    for name in ("overwrite", "destination", "recursive"):
        with pytest.raises(LacksArgument, match=f"the tool has no argument '{name}'"):
            map_arguments(tool, {name: True}, CONTEXT, schema)
    others: tuple[dict[str, Any], ...] = ({}, {"properties": {}}, {"anyOf": [{"properties": {"a": {}}}]})
    for without in others:
        assert map_arguments(tool, {"recursive": True}, CONTEXT, without)["recursive"] is True


VALUES = """
[tools.list_directory]
spec = "list_directory@1.1"
arguments.recursive = { to = "depth", values = { false = 1 } }
arguments.max_depth = "depth"
arguments.kind = { to = "kind", values = { file = "F" } }
constants.depth = 9
rooted = ["path"]
"""


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ({}, {"depth": 9}),
        ({"recursive": False}, {"depth": 1}),
        ({"recursive": True}, {"depth": 9}),
        ({"recursive": True, "max_depth": 3}, {"depth": 3}),
        ({"recursive": "false"}, {"depth": "false"}),
        ({"recursive": None, "kind": "file"}, {"depth": None, "kind": "F"}),
        ({"path": "."}, {"path": "/", "depth": 9}),
        ({"path": "/root"}, {"path": "/", "depth": 9}),
        ({"path": " d/../e "}, {"path": "/ d/../e ", "depth": 9}),
        ({"path": ""}, {"path": "", "depth": 9}),
    ],
)
def test_values_of_arguments_and_paths_from_a_virtual_root(
    tmp_path: Path, arguments: dict[str, Any], sent: dict[str, Any]
) -> None:
    assert map_arguments(parse(tmp_path, VALUES)["list_directory"], arguments, CONTEXT) == sent


@pytest.mark.parametrize("arguments", [{"path": "/etc"}, {"recursive": False, "max_depth": 3}])
def test_what_the_tool_cannot_be_given_is_not_sent(tmp_path: Path, arguments: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedByAdapter):
        map_arguments(parse(tmp_path, VALUES)["list_directory"], arguments, CONTEXT)


LISTING = """
[tools.list_directory]
spec = "list_directory@1.1"
[tools.list_directory.output]
place = "entries"
entries = "result.files"
members.name = "name"
members.path = { from = "path", convert = "absolute_to_relative" }
members.size_bytes = "stat.size"
members.modified_epoch_ms = { from = "mtime", convert = "seconds_to_milliseconds" }
members.type = { from = "kind", values = { d = "directory", "-" = "file" } }
document.path = "base"
document.truncated = "more"
"""


def output_of(tmp_path: Path, text: str) -> OutputMapping:
    (tool,) = parse(tmp_path, text).values()
    assert tool.output is not None
    return tool.output


def test_members_are_moved_and_converted_and_missing_ones_stay_missing(tmp_path: Path) -> None:
    given = {
        "base": ".",
        "result": {
            "files": [
                {"name": "a", "path": "/r/d/a", "stat": {"size": 5}, "mtime": 1700000000.123, "kind": "-"},
                {"name": "l", "path": "/elsewhere", "stat": 7, "mtime": "late", "kind": "l"},
                "not an object",
            ]
        },
    }
    mapped = map_output(output_of(tmp_path, LISTING), json.dumps(given), "/r")
    assert json.loads(mapped.content or "") == {
        "path": ".",
        "entries": [
            {"name": "a", "path": "d/a", "size_bytes": 5, "modified_epoch_ms": 1700000000123, "type": "file"},
            {"name": "l", "path": "/elsewhere", "modified_epoch_ms": "late", "type": "l"},
            "not an object",
        ],
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("no files", "the output is not JSON"),
        ("[" * 100_000, "the output is not JSON"),
        ("{}", "the output has no list result.files"),
        ('{"result": {"files": {}}}', "the output has no list result.files"),
    ],
)
def test_an_output_of_another_form_has_no_document(tmp_path: Path, content: str, problem: str) -> None:
    assert map_output(output_of(tmp_path, LISTING), content, "/r").problem == problem


LINES = """
[tools.list_directory]
spec = "list_directory@1.1"
[tools.list_directory.output]
place = "."
line = '\\[(?P<type>DIR|FILE)\\] (?P<name>.*?)(?: \\((?P<size>[0-9]+)\\))?'
ignore = '^total '
members.name = "name"
members.type = { from = "type", values = { DIR = "directory" } }
members.size = { from = "size", convert = "integer" }
"""


def test_each_line_of_a_text_is_an_entry(tmp_path: Path) -> None:
    mapped = map_output(output_of(tmp_path, LINES), "total 2\n[DIR] d\n[FILE] f x (7)\n", "/r")
    assert json.loads(mapped.content or "") == [
        {"name": "d", "type": "directory"},
        {"name": "f x", "type": "FILE", "size": 7},
    ]


TEXTS = """
[tools.list_directory]
spec = "list_directory@1.1"
[tools.list_directory.output]
place = "entries"
entries = "items"
line = '(?:\\[(?P<type>DIR)\\] )?(?P<name>.*)'
ignore = '^total '
members.name = "name"
members.type = "type"
document.path = "at"
"""


def test_each_text_of_a_list_is_an_entry(tmp_path: Path) -> None:
    output = output_of(tmp_path, TEXTS)
    mapped = map_output(output, json.dumps({"items": ["total 2", "[DIR] d", "f\nx", ""], "at": "."}), "/r")
    entries = [{"name": "d", "type": "DIR"}, {"name": "f\nx"}, {"name": ""}]
    assert json.loads(mapped.content or "") == {"path": ".", "entries": entries}
    assert map_output(output, '{"items": [5]}', "/r").problem == "entry 1 is no text: 5"


def test_values_replace_what_is_no_text_too(tmp_path: Path) -> None:
    values = '{ true = "directory", "1" = "file", null = "other" }'
    text = LISTING.replace('{ d = "directory", "-" = "file" }', values)
    given = {"result": {"files": [{"kind": kind} for kind in (True, "true", 1, None, False, [1])]}}
    mapped = map_output(output_of(tmp_path, text), json.dumps(given), "/r")
    types = [entry["type"] for entry in json.loads(mapped.content or "")["entries"]]
    assert types == ["directory", "directory", "file", "other", False, [1]]


@pytest.mark.parametrize(("zone", "expected"), [("UTC", 1704164645), ("Asia/Kathmandu", 1704143945)])
def test_a_time_without_a_zone_has_that_of_the_manifest(tmp_path: Path, zone: str, expected: int) -> None:
    member = f'members.modified = {{ from = "mtime", convert = "iso_to_seconds", zone = "{zone}" }}'
    text = f'{TOOL}[tools.LS.output]\nplace = "."\n{member}\n'
    given = [{"mtime": "2024-01-02T03:04:05"}, {"mtime": "2024-01-02T03:04:05Z"}]
    mapped = map_output(output_of(tmp_path, text), json.dumps(given), "/r")
    assert json.loads(mapped.content or "") == [{"modified": expected}, {"modified": 1704164645}]


def test_a_line_that_does_not_match_is_not_lost(tmp_path: Path) -> None:
    mapped = map_output(output_of(tmp_path, LINES), "[DIR] d\nrm: error\n", "/r")
    assert (mapped.content, mapped.problem) == (None, "line 2 does not match `line`: rm: error")


def test_without_members_the_groups_are_the_members() -> None:
    mapping = OutputMapping((), {"name": MemberMapping(("name",))}, entries=None, line=re.compile("(?P<name>.+)"))
    assert map_output(mapping, "a\nb", "/r").content == '[{"name":"a"},{"name":"b"}]'
    assert map_output(mapping, "", "/r").content == "[]"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("integer", "007", 7),
        ("integer", "-1", -1),
        ("integer", "1e3", "1e3"),
        ("integer", 5, 5),
        ("seconds_to_milliseconds", 1.001, 1001),
        ("seconds_to_milliseconds", -0.0005, -1),
        ("seconds_to_milliseconds", 2**70, 2**70 * 1000),
        ("seconds_to_milliseconds", True, True),
        ("seconds_to_milliseconds", "5", "5"),
        ("milliseconds_to_seconds", 1999, 1),
        ("milliseconds_to_seconds", -1, -1),
        ("iso_to_seconds", "2024-01-02T03:04:05Z", 1704164645),
        ("iso_to_milliseconds", "2024-01-02T05:04:05.678901+02:00", 1704164645678),
        ("iso_to_milliseconds", "1969-12-31T23:59:59.999Z", -1),
        ("iso_to_milliseconds", "2024-01-02T03:04:05", "2024-01-02T03:04:05"),
        ("iso_to_milliseconds", "yesterday", "yesterday"),
        ("absolute_to_relative", "/r", "."),
        ("absolute_to_relative", "/r2/a", "/r2/a"),
        ("relative_to_absolute", "a/b", "/r/a/b"),
        ("relative_to_absolute", "/r/a", "/r/a"),
        ("relative_to_absolute", None, None),
        ("rooted_to_relative", "/", "."),
        ("rooted_to_relative", "/a/b", "a/b"),
        ("rooted_to_absolute", "/", "/r"),
        ("rooted_to_absolute", "/a/b", "/r/a/b"),
        ("rooted_to_absolute", "a", "a"),
        (None, 5, 5),
    ],
)
def test_conversions(name: str | None, value: Any, expected: Any) -> None:
    got = convert(name, value, "/r")
    assert (got, type(got)) == (expected, type(expected))


TOOL = '[tools.LS]\nspec = "ls@2.0.0"\n'
OUTPUT = f"{TOOL}[tools.LS.output]\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{TOOL}argument = {{}}", r'\[tools.LS\]: the key "argument" is unknown; write "arguments"'),
        (
            f'{TOOL}arguments = {{ path = "a..b" }}',
            r'arguments\]: the key "path" holds "a..b"; write a place: names',
        ),
        (
            f'{TOOL}arguments = {{ a = "x", b = "x" }}',
            r'arguments.b and arguments.a have one place, "x"; write',
        ),
        (f'{TOOL}error = "("', r"the key \"error\" holds '\(', which is no regular expression"),
        (
            f'{OUTPUT}place = "."\nmembers.a = {{ from = "a", zone = "Atlantis" }}',
            r'members.a\]: the key "zone" holds "Atlantis", which is no time zone; write one such as "UTC"',
        ),
        (f'{TOOL}arguments = {{ a = "x" }}\ndrop = ["a"]', r'drop and arguments both contain "a"; remove one'),
        (f"{TOOL}constants = 5", r'the key "constants" holds 5; write a table'),
        (f"{TOOL}output = 5", r'the key "output" holds 5; write a table below the heading \[tools.LS.output\]'),
        (f"{OUTPUT}", r'\[tools.LS.output\]: the key "place" is missing; write a place'),
        (f'{OUTPUT}place = "."', r'the key "members" is missing; write a table'),
        (f'{OUTPUT}place = "."\nlines = "x"', r'the key "lines" is unknown; write "line"'),
        (f'{OUTPUT}place = "."\nline = "x"', r"the pattern has no named group; write the members of an entry"),
        (f'{OUTPUT}place = "."\nline = "("', r"the key \"line\" holds '\(', which is no regular expression"),
        (f'{OUTPUT}place = "."\nignore = "x"\nmembers.a = "a"', r'the key "ignore" needs line: only lines'),
        (
            f'{OUTPUT}place = "."\nline = "(?P<n>.)"\ndocument.b = "b"',
            r'the key "document" does not go with line alone',
        ),
        (
            f'{OUTPUT}place = "."\nline = "(?P<name>.)"\nmembers.a = "nam"',
            r'the key "line" has no group "nam"; write "name"',
        ),
        (f'{OUTPUT}place = "."\nmembers.a = "a"\ndocument.b = "b"', r"the document is the list; remove it"),
        (
            f'{OUTPUT}place = "."\nmembers.a = 5',
            r'output.members\]: the key "a" holds 5; write a place, or a table',
        ),
        (
            f'{OUTPUT}place = "."\nmembers.a = {{ convert = "integer" }}',
            r'members.a\]: the key "from" is missing; write',
        ),
        (
            f'{OUTPUT}place = "."\nmembers.a = {{ from = "a", convert = "iso_to_milisecond" }}',
            r'the key "convert" holds "iso_to_milisecond"; write "iso_to_milliseconds"',
        ),
    ],
)
def test_a_wrong_mapping_is_refused_with_a_remedy(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem) as caught:
        parse(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "treeproof.toml"))
