"""The features of a pack in one version of its specification: without what holds only in other versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treeproof.spec.catalogue import Pack
from treeproof.spec.gherkin import ExamplesText, FeatureText, ScenarioCase, ScenarioText, parse_feature
from treeproof.spec.pack_versions import tag_spans


def features_of(pack: Pack) -> Iterator[FeatureText]:
    """Yield the features of a pack in its version, in the order of their paths. Raises FileError."""
    for file in pack.feature_files():
        feature = feature_in_version(parse_feature(file), pack)
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
    if not _holds(feature.tags, pack):
        return None
    templates = tuple(one for one in (_template(one, pack) for one in feature.templates) if one is not None)
    scenarios = tuple(
        replace(case, also=tuple(id for id in case.also if id not in pack.ids_of_other_versions))
        for case in feature.scenarios
        if _holds(case.tags, pack) and case.requirement not in pack.ids_of_other_versions
    )
    had_scenarios = {template.rule.line for template in feature.templates if template.rule is not None}
    have_scenarios = {template.rule.line for template in templates if template.rule is not None}
    rules = tuple(rule for rule in feature.rules if rule.line in have_scenarios or rule.line not in had_scenarios)
    if feature.templates and not templates:
        return None
    return replace(feature, rules=rules, templates=templates, scenarios=scenarios)


def ids_of_all_versions(pack: Pack) -> set[str]:
    """Return the ids of the requirements and scenarios of all versions. Raises FileError."""
    scenarios = {case.id for file in pack.feature_files() for case in parse_feature(file).scenarios}
    return scenarios | {one.id for one in pack.requirements} | pack.ids_of_other_versions


def _holds(tags: tuple[str, ...], pack: Pack) -> bool:
    return all(span.contains(pack.version, pack.versions) for span in tag_spans(tags))


def _template(template: ScenarioText, pack: Pack) -> ScenarioText | None:
    rule = template.rule
    if rule is not None and (not _holds(rule.tags, pack) or rule.requirement in pack.ids_of_other_versions):
        return None
    examples = tuple(table for table in template.examples if _table_holds(table, pack))
    if not _holds(template.tags, pack) or (template.examples and not examples):
        return None
    return replace(template, examples=examples)


def _table_holds(table: ExamplesText, pack: Pack) -> bool:
    return _holds(table.tags, pack)
