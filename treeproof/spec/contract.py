"""The behaviour contract: what every file tool owes its user, whatever document it claims.

Its rules are requirements of a pack without features of its own. Its scenarios are those of the bundled packs with a
tag `@behaviour:ID`; each verifies the rule of its tag, on the same tree and with the same call.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.gherkin import BASIS_TAGS, FRAMEWORK_PREFIX, INTERPRETATION_PREFIX, FeatureText, ScenarioCase
from treeproof.spec.pack_file import load_pack
from treeproof.spec.packs import bundled_packs, default_specs, features_folder, open_pack

CONTRACT = "behaviour"
"""The name of the contract, and the first part of the tags of its scenarios."""
CONTRACT_PREFIX = f"{CONTRACT}:"
CONTRACT_FILE = "contract.toml"
CONTRACT_IDS = "BEH-"
"""The beginning of the ids of its rules."""

_OF_A_DOCUMENT = (*BASIS_TAGS, FRAMEWORK_PREFIX, INTERPRETATION_PREFIX)
"""The beginnings of tags that concern only the document of a pack."""


@lru_cache(maxsize=1)
def load_contract() -> Pack:
    """Return the contract as a pack: its rules are the requirements."""
    folder = features_folder() / CONTRACT
    text = (folder / CONTRACT_FILE).read_text("utf-8")
    given: dict[str, Any] = tomllib.loads(text)
    rules = tuple(Requirement(**rule) for rule in given.pop("rule"))
    return Pack(
        **given,
        folder=folder,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        prefix=CONTRACT_IDS.rstrip("-"),
        steps=(),
        reference=None,
        mutants=None,
        schemas=MappingProxyType({}),
        tools=(),
        requirements=rules,
        interpretations=(),
        retired=(),
        versions=(given["version"],),
        is_contract=True,
    )


def under_contract(pack: Pack) -> Pack:
    """Return a pack whose scenarios and calls are judged by the contract alone."""
    contract = load_contract()
    return replace(
        pack,
        oracle=contract.oracle,
        state_machine=None,
        requirements=contract.requirements,
        interpretations=(),
        unchanged=contract.unchanged,
        returns=contract.returns,
        later=contract.later,
        determinism=None,
        naming=None,
        output_form=None,
        by_lines=(),
        is_contract=True,
    )


def find_installed(name: str) -> Pack | None:
    """Return the bundled pack of this name, the contract, or the pack of the working directory; None without any.

    ``name`` comes from a report, so it is not used as a path.
    """
    if name == CONTRACT:
        return load_contract()
    bundled = next((load_pack(folder) for folder in bundled_packs() if folder.name == name), None)
    return bundled or next((pack for pack in map(open_pack, default_specs()) if pack.name == name), None)


def feature_under_contract(feature: FeatureText) -> FeatureText | None:
    """Return a feature with the scenarios of the contract; None if it has none."""
    scenarios = tuple(replace(case, requirement=rule, also=(), tags=_kept(case)) for case, rule in _tagged(feature))
    return replace(feature, scenarios=scenarios) if scenarios else None


def _tagged(feature: FeatureText) -> list[tuple[ScenarioCase, str]]:
    """Return each scenario with a tag of the contract, and the rule of the innermost one."""
    rules = ((case, [tag for tag in case.tags if tag.startswith(CONTRACT_PREFIX)]) for case in feature.scenarios)
    return [(case, tags[-1].removeprefix(CONTRACT_PREFIX)) for case, tags in rules if tags]


def _kept(case: ScenarioCase) -> tuple[str, ...]:
    return tuple(tag for tag in case.tags if not tag.startswith(_OF_A_DOCUMENT))
