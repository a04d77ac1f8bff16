"""The keys of the tables of a spec.toml, and the rule for the value of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from treeproof.spec.catalogue import Basis, ComparedStage, Harm, Level, Treatment, VerificationMethod
from treeproof.spec.source_document import HASH_LENGTH
from treeproof.spec.toml_table import KeySpec

_ID_PATTERN = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
_ID = KeySpec(pattern=_ID_PATTERN, pattern_hint="capitals, digits and hyphens such as FR-LD-LST-05")
_ID_LIST = KeySpec("texts", required=False)
ENTRY_POINT = KeySpec(
    required=False,
    pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
    pattern_hint="an entry point such as package.module:attribute",
)
_OPTIONAL = KeySpec(required=False)

FILE_KEYS: Mapping[str, KeySpec] = {
    "spec": KeySpec("table"),
    "tool": KeySpec("tables"),
    "requirement": KeySpec("tables"),
    "interpretation": KeySpec("tables", required=False),
    "retired": KeySpec("tables", required=False),
}
SPEC_KEYS: Mapping[str, KeySpec] = {
    "name": KeySpec(
        pattern=re.compile(r"[a-z][a-z0-9_]*"),
        pattern_hint="lower-case letters, digits and _ such as my_tool",
    ),
    "version": KeySpec(pattern=re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]*"), pattern_hint='a version such as "1.1"'),
    "title": KeySpec(),
    "source": KeySpec(),
    "sha256": KeySpec(
        pattern=re.compile(r"[0-9a-f]{64}"),
        pattern_hint="64 lower-case hexadecimal digits (sha256sum SOURCE)",
    ),
    "prefix": KeySpec(pattern=re.compile(r"[A-Z][A-Z0-9]*"), pattern_hint="capitals such as LD, without a hyphen"),
    "steps": KeySpec(
        "texts",
        pattern=re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"),
        pattern_hint="modules such as treeproof.steps.shared.trees",
    ),
    "reference": ENTRY_POINT,
    "oracle": ENTRY_POINT,
    "state_machine": ENTRY_POINT,
    "mutants": ENTRY_POINT,
    "variants": ENTRY_POINT,
    "simulated": KeySpec("table", required=False),
    "context": KeySpec("table", required=False),
    "volatile_members": KeySpec("texts", required=False),
    "determinism": KeySpec(required=False, pattern=_ID_PATTERN, pattern_hint="the id of a requirement"),
    "schemas": KeySpec("table", required=False),
    "error_kinds": KeySpec(
        "texts",
        required=False,
        pattern=re.compile(r"[A-Z]\w*"),
        pattern_hint="words with a capital letter such as NotFound",
    ),
}
TOOL_KEYS: Mapping[str, KeySpec] = {
    "name": KeySpec(),
    "capabilities": KeySpec("texts"),
    "default_arguments": KeySpec("table", required=False),
    "config_table": _OPTIONAL,
    "has_side_effects": KeySpec("flag", required=False),
    "optional": KeySpec("flag", required=False),
}
REQUIREMENT_KEYS: Mapping[str, KeySpec] = {
    "id": _ID,
    "level": KeySpec(choices=get_args(Level)),
    "section": KeySpec(),
    "text": KeySpec(),
    "basis": KeySpec(choices=get_args(Basis)),
    "sentences": KeySpec(
        "texts",
        required=False,
        pattern=re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}"),
        pattern_hint=f"{HASH_LENGTH} lower-case hexadecimal digits (treeproof list sentences --document FILE)",
    ),
    "reason": _OPTIONAL,
    "capability": _OPTIONAL,
    "owns": KeySpec("texts", required=False),
    "compares": KeySpec(required=False, choices=get_args(ComparedStage)),
    "harm": KeySpec(required=False, choices=get_args(Harm)),
    "verified_by": KeySpec("texts", required=False, choices=get_args(VerificationMethod)),
    "restates": _OPTIONAL,
    "condition": _OPTIONAL,
    "excluded": _OPTIONAL,
}
INTERPRETATION_KEYS: Mapping[str, KeySpec] = {
    "id": _ID,
    "question": KeySpec(),
    "treatment": KeySpec(choices=get_args(Treatment)),
    "recommended": _OPTIONAL,
    "why": KeySpec(),
    "affects": _ID_LIST,
    "invariant": _OPTIONAL,
    "reading": KeySpec("tables", required=False),
}
READING_KEYS: Mapping[str, KeySpec] = {
    "label": KeySpec(
        pattern=re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*"),
        pattern_hint="one word such as exceeded, or a letter",
    ),
    "text": KeySpec(),
    "implies": _OPTIONAL,
    "accepted": KeySpec("flag", required=False),
}
RETIRED_KEYS: Mapping[str, KeySpec] = {"id": _ID, "reason": KeySpec()}
