"""Parses TARGET (``reference``, a manifest, ``kind:target``) into a frozen ``Target``.

Starts and imports nothing. Every error is a UsageError that names the file and the key. ``treeproof-toml.schema.json``
is the format of a manifest.
"""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from treeproof.candidate.adapter import Limits
from treeproof.candidate.isolation import Isolation
from treeproof.candidate.manifest_tools import compile_pattern, parse_error_kinds, parse_tool, unknown_error_kind
from treeproof.candidate.messages import ERROR_KINDS, InitializeResult
from treeproof.candidate.tool_mapping import ToolConfig
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import FileError, UsageError, closest_match
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile

if TYPE_CHECKING:
    from treeproof.candidate.drives import Drives
    from treeproof.candidate.planted_adapter import PlantedEntry

MANIFEST_NAME = "treeproof.toml"

_CREATE_HINT = "name one that has, or begin with: treeproof new candidate"

SCHEMA = JsonSchema(Path(__file__).with_name("treeproof-toml.schema.json"))

# Stand for the sandbox root of a call, and for all of them, in the command line, cwd or env of a candidate.
ROOT_PLACEHOLDER, ROOTS_PLACEHOLDER = "{root}", "{roots}"

# Kind -> the manifest key that locates the candidate; in TARGET its value follows ``kind:``.
ADAPTER_KINDS: Mapping[str, Literal["factory", "command", "url", "image"]] = {
    "python": "factory",
    "stdio": "command",
    "container": "image",
    "command": "command",
    "mcp": "command",
    "mcp+http": "url",
}
_EXAMPLES = {
    "factory": "pkg.mod:attribute",
    "command": "node server.mjs",
    "url": "//127.0.0.1:8080/mcp",
    "image": "IMAGE",
}

_ENTRY_POINT = re.compile(r"[^:]+:[A-Za-z_][\w.]*(\[.+\])?")


@dataclass(frozen=True)
class Target:
    """A candidate and the way to reach it. Relative paths start from ``folder`` (the manifest's own folder).

    Exactly one of ``factory`` (kind python), ``image``, ``argv`` and ``url`` is set, or ``image`` and ``argv``.
    None or empty means: as the candidate declares. ``tools`` and ``capabilities`` replace the declaration in
    ``initialize``, ``interpretations`` must agree with it. ``env`` are variables of every process, ``usual_env``
    those that a scenario can replace. ``start``: one server process for the run or one for each fixture (kind mcp);
    None: the adapter decides. ``isolation`` confines the candidate's processes. ``start_directory`` is the
    directory in which processes start, None: ``working_directory``; the words of the command line are resolved in
    the latter. ``own_error_kinds`` are those of the specifications of the run, in addition to the protocol's.
    ``jobs`` is the largest number of parallel jobs of a run. ``mutant`` is planted into the candidate. ``is_own``:
    a specification names it (its reference, a mutant, a variant), and it runs in treeproof's own process. Lines of
    stdout that ``ignored_output`` matches are left out. ``is_unclaimed``: its tools are looked at, and none has to
    claim a specification. ``function_tools`` are those that a bare function offers. ``image`` is that of a
    container, ``argv`` then what follows its entry point, and ``workspaces`` are the directories that it sees
    beside that of ``initialize``. ``platform`` is that of its programs if it is not this one: ``launcher`` is then
    the beginning of ``argv``, ``platform_label`` its name with the version, ``wine_server`` the program of its
    server, and ``drives`` its paths.
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
    usual_env: Mapping[str, str] = field(default_factory=dict)
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
    profile: str | None = None
    documents: Mapping[str, Path] = field(default_factory=dict)
    ignored_output: re.Pattern[str] | None = None
    is_unclaimed: bool = False
    planted: "PlantedEntry | None" = None
    is_own: bool = False
    function_tools: Mapping[str, str] = field(default_factory=dict)
    platform: str | None = None
    launcher: tuple[str, ...] = ()
    platform_label: str | None = None
    wine_server: str = ""
    drives: "Drives | None" = None
    image: str | None = None
    workspaces: tuple[Path, ...] = ()

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
    def parse(cls, text: str, *, folder: Path | None = None) -> "Target":
        """Return the target of TARGET; relative paths start from ``folder`` (default: the working directory).

        Raises UsageError.
        """
        if not text.strip():
            raise UsageError(f"TARGET is empty; write reference, a path to {MANIFEST_NAME}, or kind:target")
        folder = Path.cwd() if folder is None else folder
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

    def kind_of_error(self, text: str) -> str | None:
        """Return the kind of the first pattern of the manifest that matches the text of an error, None without one."""
        return next((kind for pattern, kind in self.error_kinds if pattern.search(text)), None)

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
    words = _split_words(address, where)
    return replace(target, image=words[0], argv=words[1:]) if key == "image" else replace(target, argv=words)


def _split_words(text: str, where: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as problem:
        raise UsageError(f"{where}: the command line cannot be split into words: {problem}") from None


# --- manifest ---


def _parse_manifest(text: str, path: Path) -> Target:
    program = "" if path.suffix == ".toml" else f", or a program with its kind, as in stdio:{format_untrusted(text)}"
    try:
        file = TomlFile(path, SCHEMA, f"a {MANIFEST_NAME}{program}")
    except FileError as problem:
        if path.suffix == ".toml":
            raise
        raise UsageError(_not_a_manifest_message(text)) from problem
    file.check()
    values, folder = file.tables["candidate"], path.parent.resolve()
    target = _parse_connection(file, Target(text=text, kind=values["adapter"], folder=folder, manifest=path))
    limits = Limits()
    specs = tuple(_parse_spec(folder, text) for text in values.get("specs", ()))
    names, ignored = values.get("capabilities"), values.get("ignore_output")
    ignored_at = ("candidate", "ignore_output")
    return replace(
        target,
        name=values.get("name"),
        env={key: value.replace("{folder}", str(folder)) for key, value in values.get("env", {}).items()},
        cwd=_parse_cwd(file, target),
        allow_changes_in_cwd=values.get("allow_changes_in_cwd", False),
        limits=replace(
            limits,
            call_seconds=float(values.get("call_timeout", limits.call_seconds)),
            start_seconds=float(values.get("start_timeout", limits.start_seconds)),
            answer_bytes=int(values.get("max_answer_bytes", limits.answer_bytes)),
        ),
        specs=specs,
        start=values.get("start"),
        profile=values.get("profile"),
        **_parse_platform(file, target),
        documents={name: folder / one for name, one in file.tables.get("documents", {}).items()},
        jobs=None if "jobs" not in values else int(values["jobs"]),
        capabilities=None if names is None else frozenset(names),
        tools={name: parse_tool(file, name, value) for name, value in file.tables.get("tools", {}).items()},
        interpretations=file.tables.get("interpretations", {}),
        ignored_output=ignored and compile_pattern(file, ignored_at, 'the key "ignore_output" holds', ignored),
        error_kinds=parse_error_kinds(file, may_be_own=any(os.sep in spec for spec in specs)),
    )


def _parse_platform(file: TomlFile, target: Target) -> dict[str, Any]:
    """Return the platform of a manifest, and the command line that begins with its launcher."""
    values = file.tables["candidate"]
    if "platform" not in values:
        return {}
    words = (*target.argv, *values.get("env", {}).values(), values.get("cwd", ""))
    if any(place in word for word in words for place in (ROOT_PLACEHOLDER, ROOTS_PLACEHOLDER)):
        message = 'the key "platform" does not go with {root} or {roots}; let the glue read context.roots'
        raise file.error(("candidate", "platform"), message)
    launcher = tuple(values["launcher"])
    if any(str(target.folder) in word and not word.startswith("/") for word in target.argv):
        message = 'with "platform", {folder} begins a word of the command line; write it there, or a relative path'
        raise file.error(("candidate", "command"), message)
    return {"platform": values["platform"], "launcher": launcher, "argv": (*launcher, *target.argv)}


def _parse_spec(folder: Path, text: str) -> str:
    """Return a specification of a manifest: a name, or a folder, which starts from that of the manifest."""
    name, at, version = text.partition("@")
    if name in (".", ".."):
        return f"{(folder / name).resolve()}{at}{version}"
    return str((folder / text).resolve()) if os.sep in text else text


def _parse_connection(file: TomlFile, target: Target) -> Target:
    """Return the target with the key (command, factory or url) that its kind needs."""
    key = ADAPTER_KINDS[target.kind]
    value = file.tables["candidate"][key]
    if key == "image":
        words = file.tables["candidate"].get("command", ())
        if isinstance(words, str):
            words = _split_words(words, str(file.error(("candidate", "command"), 'the key "command"')))
        target = replace(target, image=value, argv=tuple(words))
    elif isinstance(value, str):
        target = _with_connection(target, value, str(file.error(("candidate", key), f'the key "{key}"')))
    elif not value[0]:
        raise file.error(("candidate", key), f'the key "{key}" begins with an empty text; write the program')
    else:
        target = replace(target, argv=tuple(value))
    return replace(target, argv=tuple(word.replace("{folder}", str(target.folder)) for word in target.argv))


def _parse_cwd(file: TomlFile, target: Target) -> Path | None:
    cwd: str | None = file.tables["candidate"].get("cwd")
    if cwd is None:
        return None
    if ROOT_PLACEHOLDER in cwd:  # known when a call is made
        return Path(cwd)
    directory = target.folder / cwd.replace("{folder}", str(target.folder))
    if not os.path.isdir(directory):  # also for a name that is too long
        message = f'the key "cwd" names {directory}, which is no directory; write one that exists'
        raise file.error(("candidate", "cwd"), message)
    return directory.resolve()
