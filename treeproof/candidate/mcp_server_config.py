"""What a server grants its calls: a root and a TOML file become the context that every call gets.

No server and no candidate here. Every mistake is a UsageError that names the file and the key.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate.messages import Json
from treeproof.candidate.schema import validator_for
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError, load_toml

# Table -> key -> what it says. ``[tools.NAME]`` is the tool's own and is handed to it as it stands.
CONFIG_TABLES: Mapping[str, Mapping[str, str]] = {
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
_TOP_LEVEL_KEYS = frozenset((*CONFIG_TABLES["budgets"], *CONFIG_TABLES["sandbox"], "approval"))


def build_context(root: Path, file: Path | None, tools: Iterable[str]) -> dict[str, Json]:
    """The context of every call: paths below ``root``, and what the TOML ``file`` says. Raises UsageError.

    ``tools`` are the names that ``[tools.…]`` may have.
    """
    if not root.is_dir():
        raise UsageError(f"--root {format_untrusted(str(root))}: no such directory; name one that is there")
    place = str(root.resolve())
    made: dict[str, Any] = {"roots": [place], "working_dir": place}
    if file is None:
        return made
    tables = _load_tables(file)
    _check_keys(file, tables, set(tools))
    made["config"] = {"tools": tables.pop("tools", {})}
    policy: dict[str, Any] = {}
    for table in tables.values():
        for key, value in table.items():
            (made if key in _TOP_LEVEL_KEYS else policy)[key] = value
    if policy:
        made["policy"] = policy
    _validate_context(file, made)
    return made


def _load_tables(file: Path) -> dict[str, Any]:
    tables = load_toml(file)
    for name, table in tables.items():
        if name not in CONFIG_TABLES:
            raise UsageError(
                f"{file}: unknown table or key '{format_untrusted(name)}'{_suggestion(name, CONFIG_TABLES)}"
            )
        if not isinstance(table, dict):
            raise UsageError(f"{file}: {name} must be a table: write [{name}]")
    return tables


def _check_keys(file: Path, tables: Mapping[str, Mapping[str, Any]], tools: Iterable[str]) -> None:
    for name, table in tables.items():
        known = CONFIG_TABLES[name] or dict.fromkeys(sorted(tools), "")
        for key in table:
            if key not in known:
                raise UsageError(
                    f"{file}: [{name}] has an unknown key '{format_untrusted(key)}'{_suggestion(key, known)}"
                )


def _suggestion(word: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(word, list(known), 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"


def _validate_context(file: Path, context: Mapping[str, Json]) -> None:
    """What a call's context may hold is the protocol's to say."""
    problem = validator_for("call.params")({"tool": "", "arguments": {}, "context": dict(context)})
    if problem is None:
        return
    key = problem[0].removeprefix(".context.").removeprefix("policy.")
    table = next((name for name, keys in CONFIG_TABLES.items() if key.split("[")[0] in keys), "policy")
    raise UsageError(f"{file}: [{table}] {key} {problem[1]}")
