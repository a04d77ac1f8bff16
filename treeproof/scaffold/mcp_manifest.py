"""Writes the manifest of an MCP server from its tools and their answers. Starts nothing: see `server_survey`.

The tools that may fit a specification are data of its pack, ``starters/mcp.toml``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.candidate.tool_mapping import ArgumentMapping, ToolConfig
from treeproof.candidate.tool_mapping import Path as ToolPlace
from treeproof.scaffold.answer_form import AnswerForm
from treeproof.spec import Pack

_MAX_TEXT, _MIN_PIECE, _GOOD_PIECE = 100, 4, 20
_MAX_DEPTH = 3
PATH_FORMS = ("relative", "absolute", "rooted")
"""The forms of a path that a tool may take, in the order in which they are tried."""


@dataclass(frozen=True)
class Starter:
    """A tool of a specification, and by what a tool of a server is recognised that may fit it."""

    tool: str
    spec: str
    evidence: Mapping[str, Any]
    changes_tree: bool
    names: re.Pattern[str]
    arguments: Mapping[str, str]
    place: str = ""
    members: Mapping[str, Sequence[str]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)


def starters_of(packs: Sequence[Pack]) -> Iterator[Starter]:
    """Yield the tools of the packs that `treeproof init` looks for."""
    for pack in packs:
        file = pack.folder / "starters" / "mcp.toml"
        for name, table in tomllib.loads(file.read_text("utf-8")).items() if file.is_file() else ():
            tool = pack.tool(name)
            yield Starter(
                name,
                f"{pack.name}@{pack.version}",
                tool.evidence or {},
                tool.has_side_effects,
                re.compile(table["names"]),
                table["arguments"],
                table.get("place", ""),
                table.get("members", {}),
                table.get("types", {}),
            )


@dataclass(frozen=True)
class LikelyTool:
    """A tool of a server that may fit a specification.

    ``others`` are its arguments that the specification does not have, ``lacking`` those without which it cannot be
    called.
    """

    starter: Starter
    name: str
    arguments: Mapping[str, ToolPlace]
    others: tuple[str, ...]
    lacking: tuple[str, ...]

    def config(self, form: str) -> ToolConfig:
        """Return the mapping of the tool, with paths in one of the forms."""
        paths = tuple(self.starter.evidence)
        return ToolConfig(
            self.starter.spec,
            self.name,
            {name: ArgumentMapping(place) for name, place in self.arguments.items()},
            absolute_path_arguments=paths if form == "absolute" else (),
            rooted_path_arguments=paths if form == "rooted" else (),
        )


def likely_tools(starter: Starter, tools: Sequence[Mapping[str, Any]]) -> list[LikelyTool]:
    """Return the tools of a server that may fit, those that can be called first, then by the length of their names."""
    found = [_likely_tool(starter, tool) for tool in tools if starter.names.search(_normal(str(tool["name"])))]
    return sorted(found, key=lambda one: (bool(one.lacking), len(one.name)))


def _likely_tool(starter: Starter, tool: Mapping[str, Any]) -> LikelyTool:
    schema = tool.get("inputSchema") or {}
    places = dict(_places(schema, schema))
    arguments: dict[str, ToolPlace] = {}
    for name, pattern in starter.arguments.items():
        free = [place for place in places if place not in arguments.values()]
        same = next((place for place in free if _normal(place[-1]) == name), None)
        near = next((place for place in free if re.search(pattern, _normal(place[-1]))), None)
        if (place := same or near) is not None:
            arguments[name] = place
    needed = [place for place, is_required in places.items() if is_required and place not in arguments.values()]
    missing = [name for name in starter.evidence if name not in arguments]
    others = tuple(".".join(place) for place in places if place not in arguments.values())
    return LikelyTool(starter, str(tool["name"]), arguments, others, (*map(".".join, needed), *missing))


def _places(
    schema: Any, root: Any, place: ToolPlace = (), is_required: bool = True
) -> Iterator[tuple[ToolPlace, bool]]:
    """Yield the places of a tool's arguments, those in objects too, and whether each is required."""
    if not isinstance(schema, dict) or len(place) > _MAX_DEPTH:
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        schema = (root.get("$defs") or {}).get(reference.removeprefix("#/$defs/"), {})
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        for name, inner in properties.items():
            yield from _places(inner, root, (*place, name), is_required and name in (schema.get("required") or ()))
    elif place:
        yield place, is_required


def _normal(name: str) -> str:
    """Return a name in small letters, with ``_`` between its words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-. ]", "_", name).lower()


# ---- the manifest ------------------------------------------------------------------------------------------------


@dataclass
class Finding:
    """What the calls of a likely tool have shown: the form of its paths and of its answer, and a comment."""

    tool: LikelyTool
    form: str = ""
    answer: AnswerForm | None = None
    error: str = ""
    comment: str = ""


def render_manifest(
    name: str, command: Sequence[str], findings: Sequence[Finding], kinds: Mapping[str, str], comments: Sequence[str]
) -> str:
    """Return the text of the manifest. ``kinds`` are patterns of errors, ``comments`` what could not be found out."""
    has_root = any("{root}" in word for word in command)
    lines = [
        "#:schema treeproof-toml.schema.json",
        "# Written by `treeproof init`; check it with `treeproof doctor`. The keys: docs/manifest.md",
        "[candidate]",
        f"name = {_json(name)}",
        "# The server claims no specification: it is judged by what every file tool owes its user (docs/behaviour.md).",
        'profile = "behaviour"',
        'adapter = "mcp"',
        f"command = {_json(list(command))}",
    ]
    if has_root and any(one.form == "absolute" for one in findings):
        lines.append('# start = "once" needs one server for the run, but leaves what leaves its root not verified.')
    for finding in findings:
        lines += ["", *_tool_lines(finding)]
    if kinds:
        lines += ["", "# The first pattern that is found in an error determines its kind.", "[error_kinds]"]
        lines += [f"{_pattern(pattern)} = {_json(kind)}" for pattern, kind in kinds.items()]
    lines += ["", *(f"# {_comment(text)}" for text in comments)] if comments else []
    return "\n".join([*lines, ""])


def _tool_lines(finding: Finding) -> Iterator[str]:
    tool = finding.tool
    prefix = "" if finding.form else "# "
    if finding.comment:
        yield f"# {_comment(finding.comment)}"
    yield f"{prefix}[tools.{tool.starter.tool}]"
    yield f"{prefix}spec = {_json(tool.starter.spec)}"
    if tool.name != tool.starter.tool:
        yield f"{prefix}name = {_json(tool.name)}"
    places = {name: ".".join(place) for name, place in tool.arguments.items() if place != (name,)}
    if places:
        yield f"{prefix}arguments = {{ {', '.join(f'{key} = {_json(place)}' for key, place in places.items())} }}"
    if finding.form in ("absolute", "rooted"):
        yield f"{finding.form} = {_json([*tool.starter.evidence])}"
    if finding.error:
        yield f"error = {_pattern(finding.error)}"
    if finding.answer is not None:
        missing = [name for name, roles in tool.starter.members.items() if not {*roles} & finding.answer.parts.keys()]
        if missing:
            others = f"; perhaps with other arguments, in constants: {', '.join(tool.others)}" if tool.others else ""
            text = f"Not in the answer: {', '.join(missing)}{others}"
            yield f"# {_comment(text)}"
        yield f"[tools.{tool.starter.tool}.output]"
        yield f"place = {_json(tool.starter.place)}"
        yield from finding.answer.as_toml(tool.starter.members, tool.starter.types)


def error_patterns(errors: Sequence[tuple[str, str]], without: Sequence[str]) -> dict[str, str]:
    """Return patterns for the kinds of errors, each with a text: what no text of another kind has.

    ``without`` are texts of these calls alone, such as their paths.
    """
    found: dict[str, str] = {}
    for kind, text in errors:
        others = [other for other_kind, other in errors if other_kind != kind]
        if re.search(r"\bE[A-Z]{3,}: ", text) and not any(re.search("E[A-Z]+: ", other) for other in others):
            found.setdefault("E[A-Z]+: ", kind)
            continue
        parts = re.split("|".join([*map(re.escape, without), r"['\"/\[\]{}():\n]"]), text)
        pieces = [part.strip(" ,;.-")[:_MAX_TEXT] for part in parts]
        alone = [piece for piece in pieces if len(piece) >= _MIN_PIECE and not any(piece in other for other in others)]
        if alone:
            best = next((piece for piece in alone if len(piece) >= _GOOD_PIECE), max(alone, key=len))
            pattern = re.sub("[0-9]+", "[0-9]+", re.escape(best))
            found.setdefault(pattern.replace("\\ ", " ").replace("\\-", "-"), kind)
    return found


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pattern(pattern: str) -> str:
    return f"'{pattern}'" if "\\" in pattern and "'" not in pattern else _json(pattern)


def _comment(text: str) -> str:
    """Return a text of a server as one line without control characters."""
    return "".join(sign if sign.isprintable() else " " for sign in text)[: _MAX_TEXT * 3]
