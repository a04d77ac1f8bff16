"""The features of a pack in one version of its specification: without what holds only in other versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treeproof.spec.catalogue import Pack
from treeproof.spec.contract import feature_under_contract, under_contract
from treeproof.spec.gherkin import FeatureText, RuleText, ScenarioCase, parse_feature
from treeproof.spec.pack_file import load_pack
from treeproof.spec.pack_versions import tag_spans
from treeproof.spec.packs import bundled_packs


def features_of(pack: Pack) -> Iterator[FeatureText]:
    """Yield the features of a pack in its version, in the order of their paths. Raises FileError."""
    if pack.is_contract and not pack.steps:  # the contract itself
        for folder in bundled_packs():
            yield from features_of(under_contract(load_pack(folder)))
    for file in pack.feature_files():
        feature = feature_in_version(parse_feature(file), pack)
        if feature is not None and pack.is_contract:
            feature = feature_under_contract(feature)
        if feature is not None:
            yield feature


def scenarios_of(pack: Pack) -> list[ScenarioCase]:
    """Return the scenarios of a pack in its version, in the order of files and lines. Raises FileError."""
    return [case for feature in features_of(pack) for case in feature.scenarios]


def feature_in_version(feature: FeatureText, pack: Pack) -> FeatureText | None:
    """Return a feature in the version of the pack; None if nothing of it holds there.

    A scenario holds where its tags, those around it and its requirement hold. `also` loses the
    requirements of other versions.
    """
    if len(pack.versions) < 2:
        return feature

    def holds(tags: tuple[str, ...]) -> bool:
        return all(span.contains(pack.version, pack.versions) for span in tag_spans(tags))

    def is_of_version(rule: RuleText | None) -> bool:
        return rule is None or (holds(rule.tags) and rule.requirement not in pack.ids_of_other_versions)

    found = (
        replace(one, examples=tuple(table for table in one.examples if holds(table.tags)))
        for one in feature.templates
        if holds(one.tags) and is_of_version(one.rule)
    )
    outlines = {one.line for one in feature.templates if one.examples}
    templates = tuple(one for one in found if one.examples or one.line not in outlines)
    if not holds(feature.tags) or (feature.templates and not templates):
        return None
    scenarios = tuple(
        replace(case, also=tuple(id for id in case.also if id not in pack.ids_of_other_versions))
        for case in feature.scenarios
        if holds(case.tags) and case.requirement not in pack.ids_of_other_versions
    )
    emptied = {one.rule for one in feature.templates} - {one.rule for one in templates}
    rules = tuple(rule for rule in feature.rules if rule not in emptied)
    return replace(feature, rules=rules, templates=templates, scenarios=scenarios)


def ids_of_all_versions(pack: Pack) -> set[str]:
    """Return the ids of the requirements and scenarios of all versions. Raises FileError."""
    scenarios = {case.id for file in pack.feature_files() for case in parse_feature(file).scenarios}
    return scenarios | {one.id for one in pack.requirements} | pack.ids_of_other_versions
