"""Parses TARGET (``reference``, a manifest, ``kind:target``) into a frozen ``Target``.

Starts and imports nothing. Every error is a UsageError that names the file and the key. ``_SCHEMA`` below lists the
keys of a manifest; an unknown key is refused with the closest known one.
"""

import os
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from treeproof.candidate.adapter import Limits
from treeproof.candidate.isolation import Isolation
from treeproof.candidate.manifest_table import TableReader
from treeproof.candidate.manifest_tools import parse_error_kinds, parse_tool, unknown_error_kind
from treeproof.candidate.messages import CAPABILITIES, ERROR_KINDS, InitializeResult
from treeproof.candidate.tool_mapping import ToolConfig
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import (
    UsageError,
    check_readable,
    closest_match,
    load_toml,
    suggest_name,
)

if TYPE_CHECKING:
    from treeproof.candidate.planted_adapter import PlantedEntry

MANIFEST_NAME = "treeproof.toml"

_CREATE_HINT = "name one that has, or begin with: treeproof new candidate"

_MAX_SECONDS = 1_000_000  # system timers and polls are limited to some weeks
_MAX_ANSWER_BYTES = 2**40
_MAX_MANIFEST_BYTES = 4 << 20
_MAX_JOBS = 64

# Stand for the sandbox root of a call, and for all of them, in the command line, cwd or env of a candidate.
ROOT_PLACEHOLDER, ROOTS_PLACEHOLDER = "{root}", "{roots}"

# Kind -> the manifest key that locates the candidate; in TARGET its value follows ``kind:``.
ADAPTER_KINDS: Mapping[str, Literal["factory", "command", "url"]] = {
    "python": "factory",
    "stdio": "command",
    "command": "command",
    "mcp": "command",
    "mcp+http": "url",
}
_EXAMPLES = {"factory": "pkg.mod:attribute", "command": "node server.mjs", "url": "//127.0.0.1:8080/mcp"}

_ENTRY_POINT = re.compile(r"[^:]+:[A-Za-z_][\w.]*(\[.+\])?")


@dataclass(frozen=True)
class Target:
    """A candidate and the way to reach it. Relative paths start from ``folder`` (the manifest's own folder).

    Exactly one of ``factory`` (kind python), ``argv`` and ``url`` is set. None or empty means: as the candidate
    declares. ``tools`` and ``capabilities`` replace the declaration in ``initialize``, ``interpretations`` must
    agree with it. ``start``: one server process for the run or one for each fixture (kind mcp); None: the
    adapter decides. ``isolation`` confines the candidate's processes. ``start_directory`` is the directory in which
    processes start, None: ``working_directory``; the words of the command line are resolved in the latter.
    ``own_error_kinds`` are those of the specifications of the run, in addition to the protocol's. ``jobs`` is the
    largest number of parallel jobs of a run. ``mutant`` is planted into the candidate. ``is_own``: a specification
    names it (its reference, a mutant, a variant), and it runs in treeproof's own process.
    """

    text: str
    kind: str
    folder: Path
    factory: str | None = None
    argv: tuple[str, ...] = ()
    url: str | None = None
    manifest: Path | None = None
    name: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    limits: Limits = field(default_factory=Limits)
    specs: tuple[str, ...] = ()
    tools: Mapping[str, ToolConfig] = field(default_factory=dict)
    capabilities: frozenset[str] | None = None
    interpretations: Mapping[str, str] = field(default_factory=dict)
    error_kinds: tuple[tuple[re.Pattern[str], str], ...] = ()
    start: Literal["once", "fixture"] | None = None
    isolation: Isolation | None = None
    allow_changes_in_cwd: bool = False
    start_directory: Path | None = None
    own_error_kinds: tuple[str, ...] = ()
    jobs: int | None = None
    planted: "PlantedEntry | None" = None
    is_own: bool = False

    @property
    def display_name(self) -> str:
        """Name to show before ``initialize``; for a folder, also for ``.``, the name of the folder."""
        is_folder = self.manifest is not None and Path(self.text).name != self.manifest.name
        return self.name or (self.folder.name if is_folder else "") or self.text

    @property
    def working_directory(self) -> Path:
        """Directory in which the candidate runs, unless a scenario sets another."""
        return self.cwd or self.folder

    @classmethod
    def parse(cls, text: str, *, reference: str | None = None, folder: Path | None = None) -> "Target":
        """Return the target of TARGET; relative paths start from ``folder`` (default: the working directory).

        ``reference`` is the entry point of the target ``reference``. Raises UsageError.
        """
        if not text.strip():
            raise UsageError(f"TARGET is empty; write reference, a path to {MANIFEST_NAME}, or kind:target")
        folder = Path.cwd() if folder is None else folder
        if text == "reference":
            if reference is None:
                raise UsageError("TARGET reference: the specification names no reference implementation")
            return cls.for_entry_point(text, reference, folder)
        kind, colon, rest = text.partition(":")
        if colon and kind in ADAPTER_KINDS:
            return _with_connection(cls(text=text, kind=kind, folder=folder), rest, f"TARGET {format_untrusted(text)}")
        path = folder / text
        if path.is_dir():
            path = path / MANIFEST_NAME
            if not path.exists():
                raise UsageError(f"TARGET {format_untrusted(text)}: the folder has no {MANIFEST_NAME}; {_CREATE_HINT}")
        if path.exists():
            return _parse_manifest(text, path)
        raise UsageError(_unknown_target_message(text, kind if colon else None))

    @classmethod
    def for_entry_point(cls, text: str, entry_point: str, folder: Path | None = None) -> "Target":
        """Return the Python candidate that a pack names: its reference implementation, or a mutant.

        ``folder`` (default: the working directory) is on its import path. Raises UsageError.
        """
        target = cls(text=text, kind="python", folder=folder or Path.cwd(), is_own=True)
        return _with_connection(target, entry_point, f"{text} {format_untrusted(entry_point)}")

    def apply_manifest(self, initialize_result: InitializeResult) -> InitializeResult:
        """Return the candidate's InitializeResult with the manifest's values. Raises UsageError if the two disagree."""
        for key, reading in self.interpretations.items():
            declared = initialize_result.interpretations.get(key, reading)
            if declared != reading:
                raise UsageError(
                    f"{self.manifest}: [interpretations] {key} = {reading!r}, but the candidate's initialize "
                    f"declares '{format_untrusted(declared, 80)}'; make them agree or remove one"
                )
        return replace(
            initialize_result,
            name=self.name or initialize_result.name,
            tools={name: tool.claimed_spec for name, tool in self.tools.items()} or initialize_result.tools,
            capabilities=self._capabilities(initialize_result),
            interpretations={**initialize_result.interpretations, **self.interpretations},
        )

    def with_exact_paths(self, names: Collection[str]) -> "Target":
        """Return the target of a run in which blanks belong to the paths of the tools ``names``."""
        tools = {name: replace(tool, has_exact_paths=name in names) for name, tool in self.tools.items()}
        return replace(self, tools=tools)

    def with_own_error_kinds(self, kinds: Sequence[str]) -> "Target":
        """Return the target of a run whose specifications add kinds of errors.

        Raises UsageError if the manifest maps an error to a kind that none of them has.
        """
        for pattern, kind in self.error_kinds:
            if kind not in (*ERROR_KINDS, *kinds):
                raise UsageError(unknown_error_kind(self.manifest, pattern.pattern, kind, kinds))
        return replace(self, own_error_kinds=tuple(dict.fromkeys(kinds)))

    def _capabilities(self, initialize_result: InitializeResult) -> frozenset[str]:
        declared = initialize_result.capabilities if self.capabilities is None else self.capabilities
        gets_roots = any(ROOTS_PLACEHOLDER in word for word in (*self.argv, *self.env.values()))
        return declared | {"roots"} if gets_roots else declared


def _unknown_target_message(text: str, kind: str | None) -> str:
    known = ", ".join(f"{name}:…" for name in ADAPTER_KINDS)
    near = closest_match(kind or text, [*ADAPTER_KINDS, "reference", "mutant"])
    hint = f"; did you mean {near}?" if near else ""
    problem = f"unknown adapter kind '{format_untrusted(kind)}'" if kind else "no such manifest or folder"
    forms = f"reference, a path to {MANIFEST_NAME}, mutant:ID, or one of {known}"
    return f"TARGET {format_untrusted(text)}: {problem}{hint} ({forms})"


def _not_a_manifest_message(text: str) -> str:
    kinds = ", ".join(f"{name}:{format_untrusted(text)}" for name, key in ADAPTER_KINDS.items() if key == "command")
    return (
        f"TARGET {format_untrusted(text)}: not a manifest, because it is not TOML; "
        f"name a program with its kind, as in {kinds}"
    )


def _with_connection(target: Target, address: str, where: str) -> Target:
    """Return the target with its factory, command line or URL parsed from ``address``."""
    key = ADAPTER_KINDS[target.kind]
    if not address.strip():
        raise UsageError(f"{where}: nothing follows {target.kind}:; write {target.kind}:{_EXAMPLES[key]}")
    if key == "factory":
        if not _ENTRY_POINT.fullmatch(address):
            raise UsageError(f"{where}: {format_untrusted(address)} is not module:attribute or ./file.py:attribute")
        return replace(target, factory=address)
    if key == "url":
        # ``mcp+http://host/path`` is written as one address; a manifest may spell it http://… .
        return replace(target, url=f"http:{address}" if address.startswith("//") else address)
    try:
        return replace(target, argv=tuple(shlex.split(address)))
    except ValueError as problem:
        raise UsageError(f"{where}: the command line cannot be split into words: {problem}") from None


# --- manifest ---


def _parse_manifest(text: str, path: Path) -> Target:
    program = "" if path.suffix == ".toml" else f", or a program with its kind, as in stdio:{format_untrusted(text)}"
    check_readable(path, _MAX_MANIFEST_BYTES, f"a {MANIFEST_NAME}{program}")
    try:
        tables = load_toml(path)
    except UsageError as problem:
        if path.suffix == ".toml" or isinstance(problem.__cause__, OSError):
            raise
        raise UsageError(_not_a_manifest_message(text)) from None
    for table, value in tables.items():
        _check_key(path, "", table, _SCHEMA)
        if not isinstance(value, dict):
            raise UsageError(f"{path}: {table} must be a table: write [{table}]")
        for key in value:
            if keys := _SCHEMA[table]:
                _check_key(path, table, key, keys)
    reader = TableReader(path, tables.get("candidate", {}))
    folder = path.parent.resolve()
    target = _parse_connection(reader, Target(text=text, kind=_parse_kind(reader), folder=folder, manifest=path))
    limits = Limits()
    specs = tuple(_parse_spec(folder, text) for text in reader.get_string_list("specs") or ())
    return replace(
        target,
        name=reader.get_string("name"),
        env={key: value.replace("{folder}", str(folder)) for key, value in reader.get_string_table("env").items()},
        cwd=_parse_cwd(reader, target),
        allow_changes_in_cwd=reader.get_flag("allow_changes_in_cwd"),
        limits=replace(
            limits,
            call_seconds=reader.get_positive_number("call_timeout", limits.call_seconds, _MAX_SECONDS),
            start_seconds=reader.get_positive_number("start_timeout", limits.start_seconds, _MAX_SECONDS),
            answer_bytes=int(reader.get_positive_number("max_answer_bytes", limits.answer_bytes, _MAX_ANSWER_BYTES)),
        ),
        specs=specs,
        start=reader.get_choice("start", ("once", "fixture")),
        jobs=reader.get_count("jobs", _MAX_JOBS),
        capabilities=_parse_capabilities(path, reader.get_string_list("capabilities")),
        tools={name: parse_tool(path, name, value) for name, value in tables.get("tools", {}).items()},
        interpretations=TableReader(path, tables, "").get_string_table("interpretations"),
        error_kinds=parse_error_kinds(
            path,
            TableReader(path, tables, "").get_string_table("error_kinds"),
            may_be_own=any(os.sep in spec for spec in specs),
        ),
    )


def _check_key(path: Path, table: str, key: str, keys: Mapping[str, Any]) -> None:
    if key in keys:
        return
    problem = f"[{table}] has an unknown key" if table else "unknown table or key"
    other_tables = [name for name, inner in _SCHEMA.items() if key in inner and name != table]
    hint = f"it belongs in [{other_tables[0]}]" if other_tables else suggest_name(key, keys)
    raise UsageError(f"{path}: {problem} '{format_untrusted(key)}'; {hint}")


def _parse_kind(reader: TableReader) -> str:
    kind = reader.get_string("adapter")
    if kind is None:
        raise UsageError(f"{reader.path}: [candidate] lacks the key 'adapter'; write one of {', '.join(ADAPTER_KINDS)}")
    if kind not in ADAPTER_KINDS:
        raise UsageError(
            f"{reader.path}: [candidate] adapter = '{format_untrusted(kind)}' is not an adapter kind; "
            f"{suggest_name(kind, ADAPTER_KINDS)}"
        )
    return kind


def _parse_spec(folder: Path, text: str) -> str:
    """Return a specification of a manifest: a name, or a folder, which starts from that of the manifest."""
    name, at, version = text.partition("@")
    if name in (".", ".."):
        return f"{(folder / name).resolve()}{at}{version}"
    return str((folder / text).resolve()) if os.sep in text else text


def _parse_capabilities(path: Path, names: Sequence[str] | None) -> frozenset[str] | None:
    if names is None:
        return None
    for name in names:
        if name not in CAPABILITIES:
            known = ", ".join(sorted(CAPABILITIES))
            raise UsageError(
                f"{path}: capabilities: there is no capability {format_untrusted(name)!r}; write some of {known}"
            )
    return frozenset(names)


def _parse_connection(reader: TableReader, target: Target) -> Target:
    """Return the target with the key (command, factory or url) that its kind needs; the other two are refused."""
    wanted = ADAPTER_KINDS[target.kind]
    for key in ("factory", "command", "url"):
        if key in reader.table and key != wanted:
            raise UsageError(
                f"{reader.path}: [candidate] {key} cannot be used with adapter = {target.kind!r}; write {wanted}"
            )
    for key in ("env", "cwd") if wanted == "url" else ():
        if key in reader.table:
            raise UsageError(
                f"{reader.path}: [candidate] {key} cannot be used with adapter = {target.kind!r}: treeproof does not "
                f"start that server; remove {key}"
            )
    where = f"{reader.path}: [candidate] {wanted}"
    value = reader.table.get(wanted)
    if value is None:
        example = '["node", "server.mjs"]' if wanted == "command" else f'"{_EXAMPLES[wanted]}"'
        raise UsageError(f"{reader.path}: [candidate] lacks the key '{wanted}' (write {wanted} = {example})")
    if wanted == "command" and isinstance(value, list):
        argv = reader.get_string_list(wanted) or []
        if not argv or not argv[0]:
            raise UsageError(f"{where} is empty; write the program and its arguments")
        target = replace(target, argv=tuple(argv))
    else:
        target = _with_connection(target, reader.get_string(wanted) or "", where)
    return replace(target, argv=tuple(word.replace("{folder}", str(target.folder)) for word in target.argv))


def _parse_cwd(reader: TableReader, target: Target) -> Path | None:
    cwd = reader.get_string("cwd")
    if cwd is None:
        return None
    if ROOT_PLACEHOLDER in cwd:  # known when a call is made
        return Path(cwd)
    directory = target.folder / cwd.replace("{folder}", str(target.folder))
    if not directory.is_dir():
        raise UsageError(f"{reader.path}: [candidate] cwd: {format_untrusted(str(directory))} is not a directory")
    return directory.resolve()


# Table -> its keys and their descriptions. A table without keys here has keys chosen by the user.
_SCHEMA: Mapping[str, Mapping[str, str]] = {
    "candidate": {
        "name": "name in reports; default: the name from initialize",
        "adapter": "python, stdio, command, mcp, mcp+http",
        "command": "program and arguments; {folder} is the manifest's folder",
        "factory": "module:attribute or ./file.py:attribute",
        "url": "address of an MCP server",
        "cwd": "working directory; default: the manifest's folder",
        "allow_changes_in_cwd": "true: cwd may be used although the tools move, overwrite and delete files",
        "env": "environment variables to add or change",
        "call_timeout": "time limit of a call in seconds; default 10",
        "start_timeout": "time limit of initialize in seconds; default 20",
        "max_answer_bytes": "size limit of an answer; default 64 MiB",
        "specs": "specifications to verify: name, name@version, or a folder that starts from the manifest's; default: "
        "all that its tools claim",
        "capabilities": "replaces the capabilities from initialize",
        "start": "once or fixture (a new process for each, {root} in command): kind mcp",
        "jobs": "largest number of parallel jobs of a run; default 2; 1 if two processes disturb each other",
    },
    "tools": {},
    "interpretations": {},
    "error_kinds": {},
}
