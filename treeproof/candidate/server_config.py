"""What a server grants its calls: a root and a TOML file become the context that every call gets.

No server and no candidate here. Every mistake is a UsageError that names the file and the key.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate.messages import Json
from treeproof.candidate.schema import check_of
from treeproof.candidate.untrusted import shown
from treeproof.errors import UsageError, toml_of

# Table -> key -> what it says. ``[tools.NAME]`` is the tool's own and is handed to it as it stands.
TABLES: Mapping[str, Mapping[str, str]] = {
    "tools": {},
    "budgets": {
        "max_output_bytes": "bytes that one answer may have; default 102400",
        "available_capacity_bytes": "bytes that the caller has room for; default 65536",
    },
    "policy": {
        "enabled": "whether tools run at all; default true",
        "mode": "auto, prompt or deny; default auto",
        "allowlist": "names of tools that run without a question, whatever the mode",
        "denylist": "names of tools that never run",
        "prompt_side_effects": "whether mode prompt asks before a side effect; default true",
        "approval": "what is answered when a tool asks: approve or deny; default deny",
    },
    "sandbox": {
        "allow_absolute": "whether absolute paths below the root are taken; default false",
        "denied_patterns": "patterns of paths that are refused",
        "include_default_denies": "whether the usual secrets are refused, too; default true",
    },
}
# What stands directly in a call's context; the other keys of ``[policy]`` stand in its ``policy``.
_AT_THE_TOP = frozenset((*TABLES["budgets"], *TABLES["sandbox"], "approval"))


def context(root: Path, file: Path | None, tools: Iterable[str]) -> dict[str, Json]:
    """The context of every call: paths below ``root``, and what the TOML ``file`` says. Raises UsageError.

    ``tools`` are the names that ``[tools.…]`` may have.
    """
    if not root.is_dir():
        raise UsageError(f"--root {shown(str(root))}: no such directory; name one that is there")
    place = str(root.resolve())
    made: dict[str, Any] = {"roots": [place], "working_dir": place}
    if file is None:
        return made
    tables = _tables(file)
    _refuse_unknown(file, tables, set(tools))
    made["config"] = {"tools": tables.pop("tools", {})}
    policy: dict[str, Any] = {}
    for table in tables.values():
        for key, value in table.items():
            (made if key in _AT_THE_TOP else policy)[key] = value
    if policy:
        made["policy"] = policy
    _check(file, made)
    return made


def _tables(file: Path) -> dict[str, Any]:
    tables = toml_of(file)
    for name, table in tables.items():
        if name not in TABLES:
            raise UsageError(f"{file}: unknown table or key '{shown(name)}'{_near(name, TABLES)}")
        if not isinstance(table, dict):
            raise UsageError(f"{file}: {name} must be a table: write [{name}]")
    return tables


def _refuse_unknown(file: Path, tables: Mapping[str, Mapping[str, Any]], tools: Iterable[str]) -> None:
    for name, table in tables.items():
        known = TABLES[name] or dict.fromkeys(sorted(tools), "")
        for key in table:
            if key not in known:
                raise UsageError(f"{file}: [{name}] has an unknown key '{shown(key)}'{_near(key, known)}")


def _near(word: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(word, list(known), 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"


def _check(file: Path, made: Mapping[str, Json]) -> None:
    """What a call's context may hold is the protocol's to say."""
    problem = check_of("call.params")({"tool": "", "arguments": {}, "context": dict(made)})
    if problem is None:
        return
    key = problem[0].removeprefix(".context.").removeprefix("policy.")
    table = next((name for name, keys in TABLES.items() if key.split("[")[0] in keys), "policy")
    raise UsageError(f"{file}: [{table}] {key} {problem[1]}")
