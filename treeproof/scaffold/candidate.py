"""Writes the files of a new candidate for a language, an adapter kind and a pack."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from treeproof.errors import UsageError
from treeproof.scaffold.plan import Plan
from treeproof.spec import Pack

ADAPTERS = ("stdio", "command", "python")
WORKFLOW = ".github/workflows/treeproof.yml"
MANIFEST = "treeproof.toml"


@dataclass(frozen=True)
class Language:
    """The files and commands of candidates in one language; ``setup_action`` is for the CI workflow."""

    source_file: str
    command: tuple[str, ...]
    setup_action: tuple[str, ...] = ()
    build_command: str | None = None
    extra_files: tuple[str, ...] = ()


LANGUAGES: Mapping[str, Language] = {
    "python": Language("candidate.py", ("python3", "candidate.py")),
    "node": Language("candidate.mjs", ("node", "candidate.mjs"), ("actions/setup-node@v4", "node-version: 20")),
    "go": Language(
        "main.go",
        ("./candidate",),
        ("actions/setup-go@v5", "go-version: stable"),
        "go build -o candidate .",
        ("go.mod",),
    ),
}


def new_candidate(pack: Pack, language: str, adapter: str, folder: Path) -> Plan:
    """Write the files of a new candidate for ``pack`` into ``folder``, which is created if necessary.

    Raises UsageError for an adapter that the language does not support and for existing files, before anything is
    written, and for a folder that is not writable.
    """
    if adapter == "python" and language != "python":
        raise UsageError(
            f"--adapter python: a candidate in {language} is no Python object; write --adapter stdio or command"
        )
    plan = _plan(pack, language, adapter, folder)
    if plan.existing:
        verb = "exists" if len(plan.existing) == 1 else "exist"
        raise UsageError(
            f"{folder}: {', '.join(plan.existing)} already {verb} and would be overwritten; name another folder"
        )
    plan.write()
    return plan


def _plan(pack: Pack, language: str, adapter: str, folder: Path) -> Plan:
    settings = LANGUAGES[language]
    tools = [tool.name for tool in pack.tools if not tool.optional] or [pack.tools[0].name]
    claim = f"{pack.name}@{pack.version}"
    values = {
        "tool": " and ".join(filter(None, [", ".join(tools[:-1]), tools[-1]])),
        "tools": ", ".join(f"{json.dumps(tool)}: {json.dumps(claim)}" for tool in tools),
        "name": _candidate_name(folder),
        "body": _tool_body(pack, language).rstrip("\n"),
        "adapter": adapter,
        "connection": 'factory = "./candidate.py:Candidate"'
        if adapter == "python"
        else f"command = {json.dumps(settings.command)}",
        "setup": _workflow_steps(settings),
    }
    glue = f"{language}-object" if adapter == "python" else language
    templates = {
        settings.source_file: glue,
        MANIFEST: "manifest",
        WORKFLOW: "workflow",
        **{file: file for file in settings.extra_files},
    }
    files = {place: _load_template(name).substitute(values) for place, name in templates.items()}
    quoted = shlex.quote(str(folder))
    build = settings.build_command
    build_commands = () if build is None else (build if quoted == "." else f"(cd {quoted} && {build})",)
    return Plan(folder, files, (*build_commands, f"treeproof run {quoted}"))


def _candidate_name(folder: Path) -> str:
    """Return the folder's name if source code and module names can contain it."""
    name = folder.resolve().name
    return name if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name) else "my-candidate"


def _workflow_steps(language: Language) -> str:
    lines = []
    if language.setup_action:
        action, version = language.setup_action
        lines += [f"      - uses: {action}", f"        with: {{ {version} }}"]
    if language.build_command:
        lines += [f"      - run: {language.build_command}"]
    return "".join(f"{line}\n" for line in lines)


def _tool_body(pack: Pack, language: str) -> str:
    """Return the first lines of the tool: those of the pack, or lines that report an error."""
    own = pack.folder / "starters" / f"{language}.template"
    return own.read_text("utf-8") if own.is_file() else _load_template(f"{language}-body").template


def _load_template(name: str) -> Template:
    file = resources.files("treeproof.scaffold").joinpath("templates", f"{name}.template")
    return Template(file.read_text("utf-8"))
