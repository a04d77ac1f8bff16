"""Writes the files of a new pack, which passes the lint and runs at once."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template

from treeproof.errors import UsageError
from treeproof.scaffold.file_plan import Plan
from treeproof.spec import bundled_packs
from treeproof.spec.locks import LOCK_FILE, format_lock, lock_sentence
from treeproof.spec.pack_file import SCHEMA, SCHEMA_FILE
from treeproof.spec.source_document import split_sentences

SOURCE_FILE = "specification.md"

FILES: Mapping[str, str] = {
    "spec.toml": "catalogue",
    SOURCE_FILE: "source",
    "first.feature": "feature",
    "${name}_steps.py": "steps",
    "${name}_reference.py": "reference",
    "${name}_mutants.py": "mutants",
    "README.md": "note",
}
"""The path of each file in the new folder, and its template ``pack-*``."""

FILES_WITH_ORACLE: Mapping[str, str] = {
    "spec.toml": "catalogue",
    SOURCE_FILE: "source",
    "arguments.schema.json": "arguments",
    "output.schema.json": "output",
    "first.feature": "feature",
    "laws.feature": "laws",
    "${name}_document.py": "document",
    "${name}_steps.py": "steps",
    "${name}_properties.py": "properties",
    "${name}_oracle.py": "oracle",
    "${name}_reference.py": "reference",
    "${name}_mutants.py": "mutants",
    "${name}_variants.py": "variants",
    "README.md": "note",
}
"""The same for a pack with an oracle, and its template ``oracle-*``."""

_SENTENCES = {"pack": ("out", "err"), "oracle": ("out", "path", "nam", "err")}
"""Names of the sentences of each source document, in their order."""


def new_spec(name: str, folder: Path, *, with_oracle: bool = False) -> Plan:
    """Write the files of a new pack ``name`` into ``folder``, which is created if necessary.

    ``with_oracle``: also a model, properties, schemas and a variant, for a tool that returns JSON.

    Raises UsageError for an invalid name, the name of a bundled pack and existing files, before anything is written,
    and for a folder that is not writable.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(
            f'"{name}" is no name of a specification; write lower-case letters, digits and _ such as my_tool'
        )
    if name in {one.name for one in bundled_packs()}:
        raise UsageError(f'"{name}" is the name of a bundled specification; choose another name')
    prefix = re.sub("[^a-z]", "", name).upper()  # ids of interpretations have letters there
    values = {"name": name, "prefix": prefix, "source": SOURCE_FILE}
    kind = "oracle" if with_oracle else "pack"
    source = _render_template(f"{kind}-source", values)
    values["sha256"] = hashlib.sha256(source.encode()).hexdigest()
    sentences = list(split_sentences(source))
    for part, sentence in zip(_SENTENCES[kind], sentences, strict=True):
        values[f"sentence_{part}"] = sentence.hash
    paths = FILES_WITH_ORACLE if with_oracle else FILES
    files = {
        Template(path).substitute(values): _render_template(f"{kind}-{template}", values)
        for path, template in paths.items()
    }
    files[SCHEMA_FILE] = SCHEMA.text  # with it editors complete and check the keys of spec.toml
    files[LOCK_FILE] = format_lock(SOURCE_FILE, map(lock_sentence, sentences))
    quoted = shlex.quote(str(folder) if folder.is_absolute() or folder.parts[:1] == ("..",) else f"./{folder}")
    commands = ["lint {}", "run reference --spec {}", "adequacy --spec {}"]
    if with_oracle:
        commands.append("search reference --spec {} --seconds 10")
    plan = Plan(folder, files, tuple(f"treeproof {command.format(quoted)}" for command in commands))
    if plan.existing:
        raise UsageError(f"{folder / plan.existing[0]}: the file exists; name another folder, or remove the file")
    plan.write()
    return plan


def _render_template(template: str, values: Mapping[str, str]) -> str:
    file = resources.files("treeproof.scaffold") / "templates" / f"{template}.template"
    return Template(file.read_text("utf-8")).substitute(values)
