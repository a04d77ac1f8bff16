"""TARGET: from what a user writes (``reference``, a manifest, ``kind:target``) to a frozen ``Target``.

Nothing is started or imported here. Every mistake is a UsageError that names the file and the key. The keys
of a manifest are the table ``_SCHEMA`` below; a key that is not there is refused, with the nearest that is.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from treeproof.candidate.contract import Limits
from treeproof.candidate.messages import CAPABILITIES, ERROR_KINDS, Hello
from treeproof.candidate.untrusted import shown
from treeproof.errors import UsageError, refuse_unfit, toml_of, written

MANIFEST_NAME = "treeproof.toml"

_TO_BEGIN = "name one that has, or begin with: treeproof new candidate"

_MOST_SECONDS = 1_000_000  # timers and polls of the system take no more than some weeks
_MOST_ANSWER = 2**40
_MOST_BYTES = 4 << 20

# In the command line, cwd or env of a server: the root of the fixture that it is started for.
ROOT = "{root}"

# What follows ``kind:`` and must stand in a manifest: a factory, a command line, or the address of a server.
KINDS: Mapping[str, Literal["factory", "command", "url"]] = {
    "python": "factory",
    "stdio": "command",
    "command": "command",
    "mcp": "command",
    "mcp+http": "url",
}
_EXAMPLES = {"factory": "pkg.mod:attribute", "command": "node server.mjs", "url": "//127.0.0.1:8080/mcp"}

_CLAIM = re.compile(r"[^@\s]+@[^@\s]+")
_FACTORY = re.compile(r"(?P<module>[^:]+):(?P<attribute>[A-Za-z_][\w.]*)")


@dataclass(frozen=True)
class OfferedTool:
    """What a manifest says of one tool.

    ``claims`` is its specification, ``name@version``. The rest is for servers that were not made for the suite:
    ``remote`` is the name the candidate knows it by, ``arguments`` maps argument names of the specification to the
    candidate's, ``absolute`` are the arguments that hold a path and are sent as an absolute one.
    """

    claims: str
    remote: str | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    absolute: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """Who is asked, and how it is reached. ``folder`` is what relative paths start from (the manifest's own
    folder).

    Exactly one of ``factory`` (kind python), ``argv`` and ``url`` is set. None or empty means: what the
    candidate itself says. ``tools`` and ``capabilities`` replace what ``initialize`` declares,
    ``interpretations`` must agree with it. ``start`` says whether a server lives for the run or is started
    for every fixture (kind mcp); None leaves it to the adapter.
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
    tools: Mapping[str, OfferedTool] = field(default_factory=dict)
    capabilities: frozenset[str] | None = None
    interpretations: Mapping[str, str] = field(default_factory=dict)
    error_kinds: tuple[tuple[re.Pattern[str], str], ...] = ()
    start: Literal["once", "fixture"] | None = None

    @property
    def called(self) -> str:
        """Its name for who has not heard its own yet: a folder's is its name, also that of ``.``."""
        is_folder = self.manifest is not None and Path(self.text).name != self.manifest.name
        return self.name or (self.folder.name if is_folder else "") or self.text

    @property
    def working_directory(self) -> Path:
        """Where the candidate runs unless a scenario says otherwise."""
        return self.cwd or self.folder

    @classmethod
    def parse(cls, text: str, *, reference: str | None = None, folder: Path | None = None) -> "Target":
        """The target that TARGET means; ``folder`` (default: the working directory) is where relative paths
        start.

        ``reference`` is the entry point that the word ``reference`` stands for. Raises UsageError.
        """
        if not text.strip():
            raise UsageError(f"TARGET is empty; write reference, a path to {MANIFEST_NAME}, or kind:target")
        folder = Path.cwd() if folder is None else folder
        if text == "reference":
            if reference is None:
                raise UsageError("TARGET reference: the specification names no reference implementation")
            return cls.for_reference(reference, folder)
        kind, colon, rest = text.partition(":")
        if colon and kind in KINDS:
            return _with_reach(cls(text=text, kind=kind, folder=folder), rest, f"TARGET {shown(text)}")
        path = folder / text
        if path.is_dir():
            path = path / MANIFEST_NAME
            if not path.exists():
                raise UsageError(f"TARGET {shown(text)}: the folder has no {MANIFEST_NAME}; {_TO_BEGIN}")
        if path.exists():
            return _from_manifest(text, path)
        raise UsageError(_no_such_target(text, kind if colon else None))

    @classmethod
    def for_reference(cls, entry: str, folder: Path | None = None) -> "Target":
        """The reference implementation at the entry point ``module:attribute``, looked for in ``folder`` (default: the
        working directory) as well.

        Raises UsageError.
        """
        target = cls(text="reference", kind="python", folder=folder or Path.cwd())
        return _with_reach(target, entry, f"reference {shown(entry)}")

    def agreed(self, hello: Hello) -> Hello:
        """The candidate's Hello under what the manifest says. Raises UsageError where the two disagree."""
        for key, reading in self.interpretations.items():
            theirs = hello.interpretations.get(key, reading)
            if theirs != reading:
                raise UsageError(
                    f"{self.manifest}: [interpretations] {key} = {reading!r}, but the candidate's initialize "
                    f"declares '{shown(theirs, 80)}': make them agree or remove one"
                )
        return replace(
            hello,
            name=self.name or hello.name,
            tools={name: tool.claims for name, tool in self.tools.items()} or hello.tools,
            capabilities=hello.capabilities if self.capabilities is None else self.capabilities,
            interpretations={**hello.interpretations, **self.interpretations},
        )


def _no_such_target(text: str, kind: str | None) -> str:
    known = ", ".join(f"{name}:…" for name in KINDS)
    near = _nearest(kind or text, [*KINDS, "reference"])
    hint = f"; did you mean {near}?" if near else ""
    wrong = f"unknown adapter kind '{shown(kind)}'" if kind else "no such manifest or folder"
    return f"TARGET {shown(text)}: {wrong}{hint} (reference, a path to {MANIFEST_NAME}, or one of {known})"


def _no_manifest(text: str) -> str:
    kinds = ", ".join(f"{name}:{shown(text)}" for name, key in KINDS.items() if key == "command")
    return (
        f"TARGET {shown(text)}: no manifest, it is not TOML; a program is named with its kind, as in {kinds}"
    )


def _with_reach(target: Target, rest: str, where: str) -> Target:
    """The target with its factory, command line or address set from one text."""
    wanted = KINDS[target.kind]
    if not rest.strip():
        raise UsageError(f"{where}: nothing after {target.kind}: (write {target.kind}:{_EXAMPLES[wanted]})")
    if wanted == "factory":
        if not _FACTORY.fullmatch(rest):
            raise UsageError(f"{where}: {shown(rest)} is not module:attribute or ./file.py:attribute")
        return replace(target, factory=rest)
    if wanted == "url":
        # ``mcp+http://host/path`` is written as one address; a manifest may spell it http://… .
        return replace(target, url=f"http:{rest}" if rest.startswith("//") else rest)
    try:
        words = tuple(shlex.split(rest))
    except ValueError as problem:
        raise UsageError(f"{where}: the command line cannot be split into words: {problem}") from None
    return replace(target, argv=words)


# --- the manifest ---


def _from_manifest(text: str, path: Path) -> Target:
    program = "" if path.suffix == ".toml" else f", or a program with its kind, as in stdio:{shown(text)}"
    refuse_unfit(path, _MOST_BYTES, f"a {MANIFEST_NAME}{program}")
    try:
        tables = toml_of(path)
    except UsageError as problem:
        if path.suffix == ".toml" or isinstance(problem.__cause__, OSError):
            raise
        raise UsageError(_no_manifest(text)) from None
    for table, value in tables.items():
        _known(path, "", table, _SCHEMA)
        if not isinstance(value, dict):
            raise UsageError(f"{path}: {table} must be a table: write [{table}]")
        for key in value:
            if keys := _SCHEMA[table]:
                _known(path, table, key, keys)
    reader = _Reader(path, tables.get("candidate", {}))
    folder = path.parent.resolve()
    target = _reach(reader, Target(text=text, kind=_kind(reader), folder=folder, manifest=path))
    limits = Limits()
    return replace(
        target,
        name=reader.text("name"),
        env={key: value.replace("{folder}", str(folder)) for key, value in reader.texts("env").items()},
        cwd=_cwd(reader, target),
        limits=replace(
            limits,
            call_seconds=reader.positive("call_timeout", limits.call_seconds, _MOST_SECONDS),
            start_seconds=reader.positive("start_timeout", limits.start_seconds, _MOST_SECONDS),
            answer_bytes=int(reader.positive("max_answer_bytes", limits.answer_bytes, _MOST_ANSWER)),
        ),
        specs=tuple(reader.words("specs") or ()),
        start=reader.choice("start", ("once", "fixture")),
        capabilities=_capabilities(path, reader.words("capabilities")),
        tools={name: _offered(path, name, value) for name, value in tables.get("tools", {}).items()},
        interpretations=_Reader(path, tables, "").texts("interpretations"),
        error_kinds=_error_kinds(path, _Reader(path, tables, "").texts("error_kinds")),
    )


def _known(path: Path, table: str, key: str, keys: Mapping[str, Any]) -> None:
    if key in keys:
        return
    what = f"[{table}] has an unknown key" if table else "unknown table or key"
    near = _nearest(key, keys)
    elsewhere = [name for name, inner in _SCHEMA.items() if key in inner and name != table]
    if elsewhere:
        hint = f"it belongs into [{elsewhere[0]}]"
    elif near:
        hint = f"did you mean {near!r}?"
    else:
        hint = f"known: {', '.join(keys)}"
    raise UsageError(f"{path}: {what} '{shown(key)}'; {hint}")


def _nearest(word: str, known: Iterable[str]) -> str | None:
    import difflib  # rarely needed, and every fresh Python candidate would pay for it

    return next(iter(difflib.get_close_matches(word, list(known), 1, 0.5)), None)


def _kind(reader: "_Reader") -> str:
    kind = reader.text("adapter")
    if kind is None:
        raise UsageError(f"{reader.path}: [candidate] lacks the key 'adapter': one of {', '.join(KINDS)}")
    if kind not in KINDS:
        near = _nearest(kind, KINDS)
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(KINDS)}"
        raise UsageError(f"{reader.path}: [candidate] adapter = '{shown(kind)}' is no adapter kind; {hint}")
    return kind


def _capabilities(path: Path, words: Sequence[str] | None) -> frozenset[str] | None:
    if words is None:
        return None
    for word in words:
        if word not in CAPABILITIES:
            known = ", ".join(sorted(CAPABILITIES))
            raise UsageError(
                f"{path}: capabilities: there is no capability {shown(word)!r}; write some of {known}"
            )
    return frozenset(words)


def _reach(reader: "_Reader", target: Target) -> Target:
    """The one of command, factory and url that the kind needs; the other two are refused."""
    wanted = KINDS[target.kind]
    for key in ("factory", "command", "url"):
        if key in reader.table and key != wanted:
            raise UsageError(
                f"{reader.path}: [candidate] {key} does not go with adapter = {target.kind!r}: write {wanted}"
            )
    for key in ("env", "cwd") if wanted != "command" else ():
        if key in reader.table:
            raise UsageError(
                f"{reader.path}: [candidate] {key} needs a process of the candidate's own: use adapter = "
                '"stdio" (a factory: command = ["python", "-m", "treeproof.candidate.host", "stdio", "…"])'
            )
    where = f"{reader.path}: [candidate] {wanted}"
    value = reader.table.get(wanted)
    if value is None:
        example = '["node", "server.mjs"]' if wanted == "command" else f'"{_EXAMPLES[wanted]}"'
        raise UsageError(f"{reader.path}: [candidate] lacks the key '{wanted}' (write {wanted} = {example})")
    if wanted == "command" and isinstance(value, list):
        words = reader.words(wanted) or []
        if not words or not words[0]:
            raise UsageError(f"{where} is empty: write the program and its arguments")
        target = replace(target, argv=tuple(words))
    else:
        target = _with_reach(target, reader.text(wanted) or "", where)
    return replace(target, argv=tuple(word.replace("{folder}", str(target.folder)) for word in target.argv))


def _cwd(reader: "_Reader", target: Target) -> Path | None:
    cwd = reader.text("cwd")
    if cwd is None:
        return None
    if ROOT in cwd and target.kind == "mcp":  # known when a server is started
        return Path(cwd)
    directory = target.folder / cwd.replace("{folder}", str(target.folder))
    if not directory.is_dir():
        raise UsageError(f"{reader.path}: [candidate] cwd: {shown(str(directory))} is no directory")
    return directory.resolve()


def _offered(path: Path, name: str, value: Any) -> OfferedTool:
    where = f"tools.{name}" if isinstance(value, dict) else "tools"
    reader = _Reader(path, value if isinstance(value, dict) else {name: value}, where)
    for key in reader.table if isinstance(value, dict) else ():
        if key not in _TOOL_KEYS:
            near = _nearest(key, _TOOL_KEYS)
            hint = f"did you mean {near!r}?" if near else f"known: {', '.join(_TOOL_KEYS)}"
            raise UsageError(f"{path}: [{where}] has an unknown key '{shown(key)}'; {hint}")
    claims = reader.text("spec" if isinstance(value, dict) else name)
    if claims is None or not _CLAIM.fullmatch(claims):
        raise UsageError(
            f"{path}: [tools] {name}: '{shown(str(claims))}' is not the specification it claims, name@version"
        )
    if not isinstance(value, dict):
        return OfferedTool(claims)
    return OfferedTool(
        claims, reader.text("name"), reader.texts("arguments"), tuple(reader.words("absolute") or ())
    )


def _error_kinds(path: Path, table: Mapping[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    pairs = []
    for pattern, kind in table.items():
        if kind not in ERROR_KINDS:
            raise UsageError(
                f"{path}: [error_kinds] '{shown(pattern)}': no error kind '{shown(kind)}'; "
                f"known: {', '.join(ERROR_KINDS)}"
            )
        try:
            pairs.append((re.compile(pattern), kind))
        except re.error as problem:
            raise UsageError(f"{path}: [error_kinds] '{shown(pattern)}' is no pattern: {problem}") from None
    return tuple(pairs)


class _Reader:
    """Reads typed keys of one table; each complaint names the file and the key."""

    def __init__(self, path: Path, table: Mapping[str, Any], name: str = "candidate") -> None:
        self.path = path
        self.table = table
        self.name = name

    def text(self, key: str) -> str | None:
        found: str | None = self._read(key, lambda v: isinstance(v, str) and v != "", "a text", None)
        return found

    def words(self, key: str) -> list[str] | None:
        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(word, str) for word in value)

        found: list[str] | None = self._read(key, fits, 'a list of texts, ["…", "…"]', None)
        return found

    def texts(self, key: str) -> dict[str, str]:
        def fits(value: Any) -> bool:
            return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())

        found: dict[str, str] = self._read(key, fits, "a table of texts", {})
        return found

    def positive(self, key: str, default: float, most: int) -> float:
        def fits(value: Any) -> bool:
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= most

        return float(self._read(key, fits, f"a number above 0, at most {most}", default))

    def choice(self, key: str, words: tuple[Any, ...]) -> Any:
        return self._read(key, lambda v: v in words, f"one of {', '.join(words)}", None)

    def _read(self, key: str, fits: Callable[[Any], bool], wanted: str, default: Any) -> Any:
        if key not in self.table:
            return default
        if not fits(self.table[key]):
            where = f"[{self.name}] {key}" if self.name else f"[{key}]"
            raise UsageError(f"{self.path}: {where} = {shown(written(self.table[key]), 80)} must be {wanted}")
        return self.table[key]


# Table -> its keys. An empty table of keys means that the user's own names stand there.
_SCHEMA: Mapping[str, Mapping[str, str]] = {
    "candidate": {
        "name": "how reports call it; default: what initialize says",
        "adapter": "python, stdio, command, mcp, mcp+http",
        "command": "the program and its arguments; {folder} is the manifest's folder",
        "factory": "module:attribute or ./file.py:attribute",
        "url": "the address of an MCP server",
        "cwd": "where it runs; default: the manifest's folder",
        "env": "variables laid over the environment",
        "call_timeout": "seconds an answer may take; default 10",
        "start_timeout": "seconds until initialize is answered; default 20",
        "max_answer_bytes": "length an answer may have; default 64 MiB",
        "specs": "specifications to ask for, name or name@version; default: all that its tools claim",
        "capabilities": "replaces what initialize declares",
        "start": "once or fixture (started anew for each, {root} in command): kind mcp",
    },
    "tools": {},
    "interpretations": {},
    "error_kinds": {},
}
_TOOL_KEYS = ("spec", "name", "arguments", "absolute")
