"""From a name to the files of a new pack: a catalogue, a feature, sentences of its own, a reference, a zoo, a note.

The words of the files are in ``templates/pack-*``. What is written lints and runs as it is; nothing that exists is
overwritten.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template

from treeproof.errors import UsageError
from treeproof.scaffold.plan import Plan
from treeproof.spec import bundled_packs

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
"""Where a file stands in the new folder, and the template of its words."""


def new_spec(name: str, folder: Path) -> Plan:
    """Write the files of a new pack called ``name`` into ``folder``, which is made where it is not there.

    Raises UsageError for a name that no pack can have or that a bundled one has, and for files that exist, before
    anything is written; and for a folder that cannot be written to.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(
            f'"{name}" is no name of a specification; write small letters, digits and _ such as my_tool'
        )
    if name in {one.name for one in bundled_packs()}:
        raise UsageError(f'"{name}" is the name of a bundled specification; take another one')
    prefix = re.sub("[^a-z]", "", name).upper()  # ids of interpretations have letters there
    words = {"name": name, "prefix": prefix, "source": SOURCE_FILE}
    words["sha256"] = hashlib.sha256(_render_template("source", words).encode()).hexdigest()
    files = {
        Template(place).substitute(words): _render_template(template, words)
        for place, template in FILES.items()
    }
    here = shlex.quote(str(folder) if folder.is_absolute() or folder.parts[:1] == ("..",) else f"./{folder}")
    following = ("lint {}", "run reference --spec {}", "adequacy --spec {}")
    plan = Plan(folder, files, tuple(f"treeproof {verb.format(here)}" for verb in following))
    if plan.existing:
        raise UsageError(
            f"{folder / plan.existing[0]} is there already; name another folder, or remove it first"
        )
    plan.write()
    return plan


def _render_template(template: str, words: Mapping[str, str]) -> str:
    file = resources.files("treeproof.scaffold") / "templates" / f"pack-{template}.template"
    return Template(file.read_text("utf-8")).substitute(words)
