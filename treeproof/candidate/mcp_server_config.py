"""Builds the context of a server's calls from a root and a TOML file. Contains no server and no candidate.

Every error is a UsageError that names the file and the key.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from treeproof.candidate.messages import Json
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError, suggest
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_file import TomlFile

SCHEMA = JsonSchema(Path(__file__).with_name("server-config.schema.json"))


def build_context(root: Path, file: Path | None, tools: Iterable[str]) -> dict[str, Json]:
    """Return the context of every call: ``root`` and the values of the TOML ``file``. Raises UsageError.

    ``tools`` are the permitted names in ``[tools.NAME]``, whose values are passed to the tool unchanged.
    """
    if not root.is_dir():
        raise UsageError(f"--root {format_untrusted(str(root))}: no such directory; name an existing directory")
    path = str(root.resolve())
    context: dict[str, Any] = {"roots": [path], "working_dir": path}
    if file is None:
        return context
    config = TomlFile(file, SCHEMA)
    config.check()
    known = sorted(tools)
    for name in config.tables.get("tools", {}):
        if name not in known:
            raise config.error(("tools", name), f'the key "{name}" is no tool; {suggest(name, known)}')
    policy = dict(config.tables.get("policy", {}))
    context["config"] = {"tools": config.tables.get("tools", {})}
    context |= {**config.tables.get("budgets", {}), **config.tables.get("sandbox", {})}
    if "approval" in policy:
        context["approval"] = policy.pop("approval")
    if policy:
        context["policy"] = policy
    return context
