"""The keys of the tables of a spec.toml: the rule for the value of each, its meaning and an example.

`treeproof list keys` prints them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import get_args

from treeproof.spec.catalogue import TOPICS, Basis, Harm, Level, Treatment, VerificationMethod
from treeproof.spec.source_document import HASH_LENGTH
from treeproof.spec.toml_table import KeySpec
from treeproof.spec.version_span import SINCE, UNTIL

_ID = KeySpec(
    pattern=re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+"),
    pattern_hint="capitals, digits and hyphens such as FR-LD-LST-05",
)
ENTRY_POINT = KeySpec(
    required=False,
    pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
    pattern_hint="an entry point such as package.module:attribute",
)
_TEXT = KeySpec()
_OPTIONAL = KeySpec(required=False)
_TEXTS = KeySpec("texts", required=False)
_FLAG = KeySpec("flag", required=False)
_TABLE = KeySpec("table", required=False)
_SENTENCES = replace(
    _TEXTS,
    pattern=re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}"),
    pattern_hint=f"{HASH_LENGTH} lower-case hexadecimal digits (treeproof list sentences --document FILE)",
)
_VERSION = KeySpec(pattern=re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]*"), pattern_hint='a version such as "1.1"')
_SHA256 = KeySpec(
    pattern=re.compile(r"[0-9a-f]{64}"),
    pattern_hint="64 lower-case hexadecimal digits (sha256sum SOURCE)",
)
_EXAMPLE_DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def _key(rule: KeySpec, meaning: str, example: str) -> KeySpec:
    return replace(rule, meaning=meaning, example=example)


_SPAN: Mapping[str, KeySpec] = {
    SINCE: _key(_OPTIONAL, "the first version in which it holds", '"1.1"'),
    UNTIL: _key(_OPTIONAL, "the last version in which it holds", '"1.2"'),
}
_ENTRY_POINTS: Mapping[str, KeySpec] = {
    "reference": _key(ENTRY_POINT, "the reference implementation, a candidate", '"my_reference:Candidate"'),
    "oracle": _key(ENTRY_POINT, "the model of calls, for properties and `search`", '"my_oracle:model"'),
    "state_machine": _key(ENTRY_POINT, "the model of a tool that changes the tree", '"my_machine:model"'),
    "mutants": _key(ENTRY_POINT, "the mutants of the reference implementation, by id", '"my_mutants:mutants"'),
    "variants": _key(ENTRY_POINT, "other right implementations, by id", '"my_variants:variants"'),
    "operators": _key(ENTRY_POINT, "the changes of answers that the model must find", '"my_operators:operators"'),
}
_SCHEMAS = _key(_TABLE, "JSON Schemas by name; `arguments` is that of the arguments", '{arguments = "args.json"}')

FILE_KEYS: Mapping[str, KeySpec] = {
    "spec": KeySpec("table"),
    "version": KeySpec("tables", required=False),
    "tool": KeySpec("tables"),
    "requirement": KeySpec("tables"),
    "interpretation": KeySpec("tables", required=False),
    "settled": KeySpec("tables", required=False),
    "retired": KeySpec("tables", required=False),
}
SPEC_KEYS: Mapping[str, KeySpec] = {
    "name": _key(
        KeySpec(
            pattern=re.compile(r"[a-z][a-z0-9_]*"),
            pattern_hint="lower-case letters, digits and _ such as my_tool",
        ),
        "the name of the specification, and the tag of its features",
        '"my_tool"',
    ),
    "version": _key(_VERSION, "the version of the document; of several in this file, the newest", '"1.2"'),
    "requires": _key(_OPTIONAL, "the versions of treeproof that can read this file", '"treeproof>=0.1"'),
    "title": _key(_TEXT, "the heading in reports", '"The tool my_tool"'),
    "source": _key(_TEXT, "the name of the document; a file of this name beside spec.toml is compared", '"my_tool.md"'),
    "sha256": _key(_SHA256, "the hash of the document; `confirm` writes it", f'"{_EXAMPLE_DIGEST}"'),
    "prefix": _key(
        KeySpec(pattern=re.compile(r"[A-Z][A-Z0-9]*"), pattern_hint="capitals such as LD, without a hyphen"),
        "the beginning of the ids of scenarios",
        '"MT"',
    ),
    "steps": _key(
        KeySpec(
            "texts",
            pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
            pattern_hint="modules such as treeproof.steps.shared.trees",
        ),
        "the modules with step definitions",
        '["treeproof.steps.shared.trees", "my_steps"]',
    ),
    **_ENTRY_POINTS,
    "simulated": _key(
        _TABLE,
        "reference implementations for simulated platforms: `windows`, `macos`",
        '{windows = "my_reference:on_windows"}',
    ),
    "context": _key(_TABLE, "members of each call's context that need not be written", '{approval = "approve"}'),
    "volatile_members": _key(_TEXTS, "members of results that differ in every run", '["time_ms"]'),
    "determinism": _key(
        replace(_ID, required=False, pattern_hint="the id of a requirement"),
        "the requirement that calls for the same result every time",
        '"FR-MT-OUT-01"',
    ),
    "schemas": _SCHEMAS,
    "unchanged": _key(
        replace(_ID, required=False, pattern_hint="the id of a requirement"),
        "the requirement that a call of a tool without side effects violates if it changes the tree",
        '"MT-SEC-01"',
    ),
    "naming": _key(
        replace(_ID, required=False, pattern_hint="the id of a requirement"),
        "the requirement that a candidate violates if it offers a tool under another name",
        '"MT-DEF-02"',
    ),
    "output_form": _key(
        replace(_ID, required=False, pattern_hint="the id of a requirement"),
        "without a model: the requirement that an answer violates if it does not fit the schema `output`",
        '"MT-OUT-01"',
    ),
    "by_lines": _key(
        _TEXTS, "the MUST requirements that the model cannot name; lines alone judge them", '["MT-DEF-01"]'
    ),
    "error_kinds": _key(
        KeySpec(
            "texts",
            required=False,
            pattern=re.compile(r"[A-Z]\w*"),
            pattern_hint="words with a capital letter such as NotFound",
        ),
        "kinds of errors in addition to those of the protocol",
        '["NotFound"]',
    ),
}
VERSION_KEYS: Mapping[str, KeySpec] = {
    "version": _key(_VERSION, "the earlier version", '"1.1"'),
    "source": _key(_TEXT, "the name of its document", '"my_tool-1.1.md"'),
    "sha256": _key(_SHA256, "the hash of its document", f'"{_EXAMPLE_DIGEST}"'),
    **_ENTRY_POINTS,
    "schemas": _SCHEMAS,
}
TOOL_KEYS: Mapping[str, KeySpec] = {
    "name": _key(_TEXT, "the name of the tool in the document", '"my_tool"'),
    "capabilities": _key(
        KeySpec("texts"), "the capabilities that scenarios may need from a candidate", '["config", "budget"]'
    ),
    "default_arguments": _key(_TABLE, "arguments that scenarios need not write", '{path = "."}'),
    "config_table": _key(_OPTIONAL, "its table below `[tools]` of a configuration; without it, its name", '"my_tool"'),
    "has_side_effects": _key(_FLAG, "calls change the tree, which is then compared before and after", "true"),
    "evidence": _key(
        _TABLE,
        "arguments of a call that lists `$DIRECTORY`, reads `$FILE` or gives it the path `$NEW`: positive evidence",
        '{path = "$DIRECTORY"}',
    ),
    "optional": _key(_FLAG, "a candidate may omit the tool; its requirements are then not applicable", "true"),
    **_SPAN,
}
REQUIREMENT_KEYS: Mapping[str, KeySpec] = {
    "id": _key(_ID, "the id, that of the document if it has ids", '"FR-MT-OUT-02"'),
    "level": _key(KeySpec(choices=get_args(Level)), "the level of the document; MUST decides the exit code", '"MUST"'),
    "section": _key(_TEXT, "the place in the document", '"3.2 Output"'),
    "text": _key(_TEXT, "the rule in your own words", '"Entries are sorted by name."'),
    "basis": _key(KeySpec(choices=get_args(Basis)), "what the rule rests on", '"stated"'),
    "sentences": _key(
        _SENTENCES,
        "the hashes of the document's sentences; needed if the basis is `stated`",
        '["9f8c579bc076"]',
    ),
    "reason": _key(_OPTIONAL, "why the basis is `implied` or `prudent`", '"no other order is useful"'),
    "capability": _key(_OPTIONAL, "the capability of candidates to which a `framework` rule applies", '"config"'),
    "harm": _key(replace(_OPTIONAL, choices=get_args(Harm)), "the harm of a violation", '"escape"'),
    "verified_by": _key(
        replace(_TEXTS, choices=get_args(VerificationMethod)), "how it is verified", '["scenario", "property"]'
    ),
    "restates": _key(_OPTIONAL, "the requirement with the same demand, whose verdict it shares", '"FR-MT-OUT-01"'),
    "condition": _key(_OPTIONAL, "when the rule applies, if no candidate here can meet it", '"on Windows"'),
    "excluded": _key(_OPTIONAL, "why nothing outside of the candidate can show it", '"it names a class"'),
    **_SPAN,
}
INTERPRETATION_KEYS: Mapping[str, KeySpec] = {
    "id": _key(_ID, "the id of the open passage", '"AMB-MT-01"'),
    "question": _key(_TEXT, "what the document leaves open", '"Are hidden files listed?"'),
    "treatment": _key(KeySpec(choices=get_args(Treatment)), "how the readings are judged", '"any"'),
    "recommended": _key(_OPTIONAL, "the label of the recommended reading; only `editorial` has none", '"listed"'),
    "why": _key(_TEXT, "why this reading is recommended", '"Section 2 lists all entries."'),
    "affects": _key(_TEXTS, "the requirements that depend on it", '["FR-MT-OUT-01"]'),
    "topic": _key(
        replace(_OPTIONAL, choices=TOPICS),
        "the question that several specifications leave open; each has an entry for it, or settles it",
        '"link at the end"',
    ),
    "sentences": _key(
        _SENTENCES,
        "the sentences that reject the other readings of a topic, needed if it is `strict`",
        '["9f8c579bc076"]',
    ),
    "invariant": _key(_OPTIONAL, "what holds under every reading", '"A listed file exists."'),
    "reading": _key(KeySpec("tables", required=False), "the readings, each an [[interpretation.reading]]", ""),
    **_SPAN,
}
READING_KEYS: Mapping[str, KeySpec] = {
    "label": _key(
        KeySpec(
            pattern=re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*"),
            pattern_hint="one word such as exceeded, or a letter",
        ),
        "the label that tables and manifests name",
        '"listed"',
    ),
    "text": _key(_TEXT, "the reading", '"They are listed."'),
    "implies": _key(_OPTIONAL, "what follows from it elsewhere", '"They count for the limit."'),
    "accepted": _key(_FLAG, "false: a candidate with this reading fails", "true"),
    **_SPAN,
}
SETTLED_KEYS: Mapping[str, KeySpec] = {
    "topic": _key(KeySpec(choices=TOPICS), "a question that other specifications leave open", '"dots"'),
    "reason": _key(
        _TEXT, "what the document says about it, or why no call of its tools meets it", '"2.1 refuses `..`"'
    ),
    "sentences": _key(_SENTENCES, "the hashes of the sentences that say it", '["9f8c579bc076"]'),
}
RETIRED_KEYS: Mapping[str, KeySpec] = {
    "id": _key(_ID, "an id that is never used again", '"MT-OUT-01-09"'),
    "reason": _key(_TEXT, "why it is retired", '"it checked two things"'),
}


@dataclass(frozen=True)
class TableKeys:
    """The keys of the tables with a heading, and what one of these tables is."""

    heading: str
    meaning: str
    keys: Mapping[str, KeySpec]


TABLES: tuple[TableKeys, ...] = (
    TableKeys("[spec]", "the specification, in its newest version", SPEC_KEYS),
    TableKeys(
        "[[version]]", "an earlier version, the oldest first; what it does not name is that of the newest", VERSION_KEYS
    ),
    TableKeys("[[tool]]", "a tool of the document", TOOL_KEYS),
    TableKeys("[[requirement]]", "a rule of the document", REQUIREMENT_KEYS),
    TableKeys("[[interpretation]]", "a passage with several readings", INTERPRETATION_KEYS),
    TableKeys("[[interpretation.reading]]", "a reading of the interpretation above it", READING_KEYS),
    TableKeys("[[settled]]", "a question of other specifications that is not open here", SETTLED_KEYS),
    TableKeys("[[retired]]", "an id that must not come back", RETIRED_KEYS),
)
"""All tables of a spec.toml in their usual order."""
