"""Turns the specification `read_text` 1.1 into one of two versions, as an author does."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from treeproof.spec import load_pack
from treeproof.spec.frozen_versions import frozen_text
from treeproof.spec.locks import FROZEN_FILE

READ_TEXT = Path(__file__).with_name("read_text")

CANDIDATE_1_2 = '''"""The reference implementation of read_text 1.2."""

from typing import Any

from read_text_reference import Candidate as Older
from read_text_reference import error


class Candidate(Older):
    """Returns the last lines, and refuses an empty path."""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        answer = super().initialize(params)
        answer["candidate"]["version"] = "1.2"
        return {**answer, "tools": {"read_text": "read_text@1.2"}}

    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        arguments = params["arguments"]
        if not arguments["path"]:
            return error("BadArgs", "path is empty")
        answer = super().call({**params, "arguments": {"path": arguments["path"]}})
        if answer["status"] == "ok" and "max_lines" in arguments:
            answer["content"] = "\\\\n".join(answer["content"].split("\\\\n")[-arguments["max_lines"] :])
        return answer
'''.replace("\\\\n", "\\n")

MUTANTS_1_2 = '''"""Mutants of read_text 1.2."""

from typing import Any

from read_text_candidate_1_2 import Candidate
from read_text_mutants import Mutant


class FirstLines(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        return super(Candidate, self).call(params)


class UpperCase(Candidate):
    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        result = super().call(params)
        return {**result, "content": result["content"].upper()} if result["status"] == "ok" else result


mutants = {
    mutant.id: mutant
    for mutant in (
        Mutant("MUT-RT2-11", "The first lines are returned.", ("RT2-OUT-02", "RT2-ERR-03"), FirstLines),
        Mutant("MUT-RT2-12", "Letters are capitals.", ("RT2-OUT-01", "RT2-OUT-02"), UpperCase),
    )
}
inseparable = {"RT2-ERR-01": "It is an example.", "RT2-ERR-03": "It is an example."}
'''

FEATURE_1_2 = """@read_text @since:1.2
Feature: What version 1.2 adds

  @RT2-OUT-02
  Rule: the last max_lines lines are returned

    @RT2-OUT-02-02
    Scenario: the last line
      Given the tree "a="one\\ntwo\\nthree""
      When read_text is called with {"path": "a", "max_lines": 1}
      Then the content is "three"

  @RT2-ERR-03
  Rule: an empty path is BadArgs

    @RT2-ERR-03-01
    Scenario: an empty path
      Given the tree "a="one""
      When read_text is called with {"path": ""}
      Then the call fails with BadArgs
      And a control call with {"path": "a"} gives "one"
"""


def write_two_versions(folder: Path) -> Path:
    """Write the specification with the versions 1.1 and 1.2 into a new folder, and return the folder."""
    shutil.copytree(READ_TEXT, folder)
    edit(folder / "read_text_model.py", '"RT2-ERR-02"', '"RT2-ERR-02", "RT2-ERR-03"')
    (folder / "read_text_candidate_1_2.py").write_text(CANDIDATE_1_2, "utf-8")
    (folder / "read_text_mutants_1_2.py").write_text(MUTANTS_1_2, "utf-8")
    (folder / "added.feature").write_text(FEATURE_1_2, "utf-8")
    feature = folder / "text.feature"
    text = feature.read_text("utf-8")
    feature.write_text(text.replace("    Scenario Outline:", "    @until:1.1\n    Scenario Outline:"), "utf-8")
    (folder / "specification.md").rename(folder / "specification-1.1.md")
    old = (folder / "specification-1.1.md").read_text("utf-8")
    new = old.replace(
        "With `max_lines` it MUST return at most that number of lines.",
        "With `max_lines` it MUST return the last lines, at most that number.",
    ).replace("A directory MUST be the error NotAFile.", "An empty path MUST be the error BadArgs.")
    (folder / "specification.md").write_text(new, "utf-8")
    catalogue = folder / "spec.toml"
    text = catalogue.read_text("utf-8")
    digests = [hashlib.sha256(one.encode()).hexdigest() for one in (old, new)]
    text = text.replace('version = "1.1"', 'version = "1.2"').replace(digests[0], digests[1])
    text = text.replace("read_text_reference:Candidate", "read_text_candidate_1_2:Candidate")
    text = text.replace("read_text_mutants:mutants", "read_text_mutants_1_2:mutants")
    text = text.replace('variants = "read_text_variants:variants"\n', "")
    text = text.replace(
        "[[tool]]",
        f"""[[version]]
version = "1.1"
source = "specification-1.1.md"
sha256 = "{digests[0]}"
reference = "read_text_reference:Candidate"
mutants = "read_text_mutants:mutants"
variants = "read_text_variants:variants"

[[tool]]""",
    )
    for id in ("RT2-OUT-02", "RT2-ERR-02"):
        text = text.replace(f'[[requirement]]\nid = "{id}"', f'[[requirement]]\nid = "{id}"\nuntil = "1.1"')
    text += """
[[requirement]]
id = "RT2-OUT-02"
since = "1.2"
level = "MUST"
section = "1 Output"
text = "At most max_lines lines are returned, the last ones."
basis = "stated"
sentences = ["61158357d21e"]
verified_by = ["scenario"]

[[requirement]]
id = "RT2-ERR-03"
since = "1.2"
level = "MUST"
section = "2 Errors"
text = "An empty path is BadArgs."
basis = "stated"
sentences = ["811a5bed0f0e"]
verified_by = ["scenario"]
"""
    catalogue.write_text(text, "utf-8")
    return folder


def freeze(folder: Path, version: str) -> None:
    (folder / FROZEN_FILE).write_text(frozen_text(load_pack(folder, version)), "utf-8")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
