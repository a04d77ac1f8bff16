"""Writes the files of a new pack, which passes the lint and runs at once."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template

from treeproof.errors import UsageError
from treeproof.files.toml_file import toml_value
from treeproof.scaffold.document_skeleton import draft_rules, feature_text, find_section, requirement_tables
from treeproof.scaffold.file_plan import Plan
from treeproof.spec import bundled_packs
from treeproof.spec.levels import DEMANDS
from treeproof.spec.locks import LOCK_FILE, format_lock, lock_sentence
from treeproof.spec.pack_file import SCHEMA, SCHEMA_FILE
from treeproof.spec.source_document import is_below, read_sentences, split_sentences

SOURCE_FILE = "specification.md"

FILES: Mapping[str, str] = {
    "spec.toml": "catalogue",
    SOURCE_FILE: "source",
    "first.feature": "feature",
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
    values = {"name": name, "prefix": _prefix_of(name), "source": SOURCE_FILE}
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
    files[LOCK_FILE] = format_lock(SOURCE_FILE, map(lock_sentence, sentences))
    commands = ["lint {}", "run reference --spec {}", "adequacy --spec {}"]
    if with_oracle:
        commands.append("search reference --spec {} --seconds 10")
    return _write(folder, files, commands)


def new_spec_of_document(name: str, folder: Path, document: Path, sections: Sequence[str], tool: str) -> Plan:
    """Write a pack whose requirements are the rules of sections of a document (none: of all of it) on ``tool``.

    The document is copied beside the catalogue. Raises UsageError, as `new_spec`, and for a section that the document
    does not have or that has no rules.
    """
    prefix = _prefix_of(name)
    if not re.fullmatch(r"[\w.]+", tool):
        raise UsageError(f'"{tool}" is no name of a tool in steps; write letters, digits, _ and dots')
    sentences = read_sentences(document)
    headings = list(dict.fromkeys(find_section(sentences, section) for section in sections))
    watched = [one for one in sentences if not headings or any(is_below(one.headings, at) for at in headings)]
    drafts = draft_rules(watched, prefix)
    if not drafts:
        raise UsageError(f"{document}: nothing there demands something; name another section or document")
    content = document.read_bytes()
    values = {
        "name": name,
        "tool": tool,
        "prefix": prefix,
        "source": toml_value(document.name),
        "sha256": hashlib.sha256(content).hexdigest(),
        "sections": f"sections = {toml_value(headings)}\n" if headings else "",
    }
    named = {hash for draft in drafts for hash in draft.sentences}
    # An example in code can have such words.
    lock = (lock_sentence(one, is_free=one.hash not in named and bool(DEMANDS.search(one.text))) for one in watched)
    files = {
        "spec.toml": f"{_render_template('document-catalogue', values)}\n{requirement_tables(drafts)}",
        f"{name}.feature": feature_text(name, tool, prefix, drafts),
        LOCK_FILE: format_lock(document.name, lock),
    }
    if document.resolve() != (folder / document.name).resolve():
        files[document.name] = content.decode(errors="surrogateescape")
    return _write(folder, files, ["lint {}", "list keys", "run TARGET --spec {}"])


def _prefix_of(name: str) -> str:
    """Return the beginning of the ids of a pack. Raises UsageError for a name that it must not have."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(
            f'"{name}" is no name of a specification; write lower-case letters, digits and _ such as my_tool'
        )
    if name in {one.name for one in bundled_packs()}:
        raise UsageError(f'"{name}" is the name of a bundled specification; choose another name')
    return re.sub("[^a-z]", "", name).upper()  # ids of interpretations have letters there


def _write(folder: Path, files: Mapping[str, str], commands: Iterable[str]) -> Plan:
    """Write the files, with the schema by which editors complete and check the keys of spec.toml."""
    quoted = shlex.quote(str(folder) if folder.is_absolute() or folder.parts[:1] == ("..",) else f"./{folder}")
    next_commands = tuple(f"treeproof {command.format(quoted)}" for command in commands)
    plan = Plan(folder, {**files, SCHEMA_FILE: SCHEMA.text}, next_commands)
    if plan.existing:
        raise UsageError(f"{folder / plan.existing[0]}: the file exists; name another folder, or remove the file")
    plan.write()
    return plan


def _render_template(template: str, values: Mapping[str, str]) -> str:
    file = resources.files("treeproof.scaffold") / "templates" / f"{template}.template"
    return Template(file.read_text("utf-8")).substitute(values)
