"""Writes the files of a new candidate for a language, an adapter kind and a pack."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from treeproof.candidate.manifest import SCHEMA
from treeproof.errors import UsageError
from treeproof.scaffold.file_plan import Plan
from treeproof.spec import Pack
from treeproof.spec.packs import is_bundled

ADAPTERS = ("stdio", "command", "python")
WORKFLOW = ".github/workflows/treeproof.yml"
MANIFEST = "treeproof.toml"
SCHEMA_FILE = "treeproof-toml.schema.json"
"""The schema of the manifest, with which editors complete keys and check them."""


@dataclass(frozen=True)
class Language:
    """The files and commands of candidates in one language.

    ``comment`` begins a line of a comment. ``setup_action`` is for the CI workflow. ``note`` explains the command in
    the manifest. ``bodies`` is the language whose tool bodies are valid in this one too.
    """

    source_file: str
    command: tuple[str, ...]
    setup_action: tuple[str, ...] = ()
    build_command: str | None = None
    extra_files: tuple[str, ...] = ()
    comment: str = "//"
    note: str = ""
    bodies: str | None = None


LANGUAGES: Mapping[str, Language] = {
    "python": Language("candidate.py", ("python3", "candidate.py"), comment="#"),
    "node": Language("candidate.mjs", ("node", "candidate.mjs"), ("actions/setup-node@v4", "node-version: 20")),
    "typescript": Language(
        "candidate.mts",
        ("node", "candidate.mts"),
        ("actions/setup-node@v4", "node-version: 22"),
        note="Node runs TypeScript from version 22.18 on; 22.6 and newer need the option --experimental-strip-types.",
        bodies="node",
    ),
    "go": Language(
        "main.go",
        ("./candidate",),
        ("actions/setup-go@v5", "go-version: stable"),
        "go build -o candidate .",
        ("go.mod",),
    ),
    "java": Language(
        "Candidate.java",
        ("env", "LC_ALL=C.UTF-8", "java", "-XX:TieredStopAtLevel=1", "-cp", "{folder}", "Candidate"),
        ("actions/setup-java@v4", 'distribution: temurin, java-version: "17"'),
        "javac Candidate.java",
        note="The JVM decodes file names by the locale, which some scenarios change.",
    ),
    "rust": Language(
        "src/main.rs",
        ("./target/release/candidate",),
        (),
        "cargo build --release",
        ("Cargo.toml", "src/json.rs"),
    ),
    "ruby": Language("candidate.rb", ("ruby", "candidate.rb"), comment="#"),
    "generic": Language("candidate.sh", ("sh", "candidate.sh"), comment="#"),
}


def new_candidate(pack: Pack, language: str, adapter: str, folder: Path) -> Plan:
    """Write the files of a new candidate for ``pack`` into ``folder``, which is created if necessary.

    Raises UsageError for an unknown language, an adapter that the language does not support and existing files, before
    anything is written, and for a folder that is not writable.
    """
    if language not in LANGUAGES:
        raise UsageError(
            f"--language {language}: there is no glue code in it; known: {', '.join(LANGUAGES)}; write --language "
            "generic for a skeleton that contains the protocol in its comments, for every language"
        )
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
        "tool_pairs": ", ".join(json.dumps(word) for tool in tools for word in (tool, claim)),
        "tool_texts": ", ".join(f"({json.dumps(tool)}, text({json.dumps(claim)}))" for tool in tools),
        "name": _candidate_name(folder),
        "calls": _calls_comment(pack, settings.comment),
        "capabilities": _capabilities_comment(pack),
        "body": _tool_body(pack, language).rstrip("\n"),
        "adapter": adapter,
        "connection": 'factory = "./candidate.py:Candidate"'
        if adapter == "python"
        else "".join([f"# {settings.note}\n" if settings.note else "", f"command = {json.dumps(settings.command)}"]),
        "setup": _workflow_steps(settings),
        "specs": "" if is_bundled(pack.folder) else f"\nspecs = [{json.dumps(_spec_of_manifest(pack, folder))}]",
    }
    glue = f"{language}-object" if adapter == "python" else language
    templates = {
        settings.source_file: glue,
        MANIFEST: "manifest",
        WORKFLOW: "workflow",
        **{file: Path(file).name for file in settings.extra_files},
    }
    files = {place: _load_template(name).substitute(values) for place, name in templates.items()}
    files[SCHEMA_FILE] = SCHEMA.text
    quoted = shlex.quote(str(folder))
    build = settings.build_command
    build_commands = () if build is None else (build if quoted == "." else f"(cd {quoted} && {build})",)
    return Plan(folder, files, (*build_commands, f"treeproof run {quoted}"))


def _spec_of_manifest(pack: Pack, folder: Path) -> str:
    """Return the folder and version of a specification for a manifest in ``folder``."""
    relative = os.path.relpath(pack.folder, folder.resolve())
    return f"{relative if os.sep in relative or relative in ('.', '..') else f'./{relative}'}@{pack.version}"


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


def _calls_comment(pack: Pack, prefix: str) -> str:
    """Return what calls of the pack contain, as lines of a comment: the pack's text, or the names of its tools."""
    own = pack.folder / "starters" / "calls.txt"
    text = (
        own.read_text("utf-8")
        if own.is_file()
        else f"The tools are {', '.join(tool.name for tool in pack.tools)}. The specification defines their arguments."
    )
    return "\n".join(f"{prefix} {line}".rstrip() for line in text.splitlines())


def _capabilities_comment(pack: Pack) -> str:
    """Return the capabilities that scenarios of the pack need, for the line that declares them."""
    names = list(dict.fromkeys(capability for tool in pack.tools for capability in tool.capabilities))
    return f"declare what you apply: {', '.join(names)}" if names else f"{pack.name} needs none"


def _tool_body(pack: Pack, language: str) -> str:
    """Return the first lines of the tool: those of the pack, or lines that report an error."""
    language = LANGUAGES[language].bodies or language
    own = pack.folder / "starters" / f"{language}.template"
    return own.read_text("utf-8") if own.is_file() else _load_template(f"{language}-body").template


def _load_template(name: str) -> Template:
    file = resources.files("treeproof.scaffold").joinpath("templates", f"{name}.template")
    return Template(file.read_text("utf-8"))
