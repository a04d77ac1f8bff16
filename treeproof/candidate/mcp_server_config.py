"""Builds the context of a server's calls from a root and a TOML file. Contains no server and no candidate.

Every error is a UsageError that names the file and the key.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate.messages import Json
from treeproof.candidate.schema import validator_for
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError, load_toml, suggest_name

# Table -> key -> description. ``[tools.NAME]`` is passed to the tool unchanged.
CONFIG_TABLES: Mapping[str, Mapping[str, str]] = {
    "tools": {},
    "budgets": {
        "max_output_bytes": "size limit of an answer in bytes; default 102400",
        "available_capacity_bytes": "remaining capacity of the caller in bytes; default 65536",
    },
    "policy": {
        "enabled": "whether tools run at all; default true",
        "mode": "auto, prompt or deny; default auto",
        "allowlist": "names of tools that run without approval in every mode",
        "denylist": "names of tools that never run",
        "prompt_side_effects": "whether side effects need approval in mode prompt; default true",
        "approval": "result of every request for approval: approve or deny; default deny",
    },
    "sandbox": {
        "allow_absolute": "whether absolute paths below the root are permitted; default false",
        "denied_patterns": "patterns of paths that are refused",
        "include_default_denies": "whether the default patterns for secrets are refused, too; default true",
    },
}
# Keys at the top level of a call's context; the other keys of ``[policy]`` are members of its ``policy``.
_TOP_LEVEL_KEYS = frozenset((*CONFIG_TABLES["budgets"], *CONFIG_TABLES["sandbox"], "approval"))


def build_context(root: Path, file: Path | None, tools: Iterable[str]) -> dict[str, Json]:
    """Return the context of every call: ``root`` and the values of the TOML ``file``. Raises UsageError.

    ``tools`` are the permitted names in ``[tools.NAME]``.
    """
    if not root.is_dir():
        raise UsageError(f"--root {format_untrusted(str(root))}: no such directory; name an existing directory")
    path = str(root.resolve())
    context: dict[str, Any] = {"roots": [path], "working_dir": path}
    if file is None:
        return context
    tables = _load_tables(file)
    _check_keys(file, tables, set(tools))
    context["config"] = {"tools": tables.pop("tools", {})}
    policy: dict[str, Any] = {}
    for table in tables.values():
        for key, value in table.items():
            (context if key in _TOP_LEVEL_KEYS else policy)[key] = value
    if policy:
        context["policy"] = policy
    _validate_context(file, context)
    return context


def _load_tables(file: Path) -> dict[str, Any]:
    tables = load_toml(file)
    for name, table in tables.items():
        if name not in CONFIG_TABLES:
            raise UsageError(
                f"{file}: unknown table or key '{format_untrusted(name)}'; {suggest_name(name, CONFIG_TABLES)}"
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
                    f"{file}: [{name}] has an unknown key '{format_untrusted(key)}'; {suggest_name(key, known)}"
                )


def _validate_context(file: Path, context: Mapping[str, Json]) -> None:
    """Raise UsageError if the context violates the protocol's schema of ``call``."""
    problem = validator_for("call.params")({"tool": "", "arguments": {}, "context": dict(context)})
    if problem is None:
        return
    key = problem[0].removeprefix(".context.").removeprefix("policy.")
    table = next((name for name, keys in CONFIG_TABLES.items() if key.split("[")[0] in keys), "policy")
    raise UsageError(f"{file}: [{table}] {key} {problem[1]}")
