"""Turns a counterexample into a scenario with a new id, below the Rule of its requirement.

Only the text of a feature file changes. The old text is restored if the new one does not pass the lint.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.run.clean_packs import lint_pack, require_clean
from treeproof.search.counterexample_file import SavedCounterexample
from treeproof.spec import FeatureText, Pack, ScenarioCase, open_pack, parse_feature
from treeproof.spec.pack_versions import SINCE, UNTIL
from treeproof.spec.version_features import feature_in_version

_FIRST_NEW_NUMBER = 101
"""The first number for scenarios without a number of the specification."""

_NUMBERED = re.compile(r"(?P<stem>.+)-(?P<number>\d+)")
_MAX_TITLE_LENGTH = 90


def promote(counterexample: SavedCounterexample, into: Path | None) -> tuple[Path, str]:
    """Add the scenario to a feature file, by default to the one that verifies the requirement.

    Return the file and the new id. Raises UsageError.
    """
    if not counterexample.scenario:
        raise UsageError("the counterexample has no steps of a scenario, so it cannot be promoted")
    pack = open_pack(counterexample.spec)
    require_clean([pack])  # else its errors could be those of the new scenario
    whole = [parse_feature(file) for file in pack.feature_files()]
    features = [feature for feature in whole if feature_in_version(feature, pack) is not None]
    # The id must be new in every version of the specification.
    cases = [case for feature in whole for case in feature.scenarios]
    id = _new_id(pack, cases, counterexample.requirement)
    feature = _choose_feature(features, into, counterexample.requirement, stem=id.rpartition("-")[0])
    title = _make_title(counterexample.message, {case.template_title for case in feature.scenarios}, id)
    steps = [
        f"      {line}"
        for line in _without_background(counterexample.scenario.split("\n"), feature, counterexample.requirement)
    ]
    spans = ""
    if len(pack.versions) > 1:  # whether it holds in other versions is not known, and these can be frozen
        spans = f" @{SINCE}:{pack.version}" + ("" if pack.is_newest else f" @{UNTIL}:{pack.version}")
    added = ["", f"    @{id}{spans}", f"    Scenario: {title}", *steps]
    old = feature.file.read_text("utf-8")
    if "\n".join(steps) in old:
        raise UsageError(f"{feature.file}: a scenario has the steps of this counterexample already; leave it as it is")
    lines = old.rstrip("\n").split("\n")
    end = _end_of_rule(feature, lines, counterexample.requirement)
    feature.file.write_text("\n".join([*lines[:end], *added, *lines[end:]]) + "\n", "utf-8")
    try:
        errors = [finding for finding in lint_pack(pack) if finding.is_error and finding.file == feature.file]
    except BaseException:  # the file is restored, also after an interrupt
        feature.file.write_text(old, "utf-8")
        raise
    if errors:
        feature.file.write_text(old, "utf-8")
        raise UsageError(f"the scenario does not pass the lint, and was removed again: {errors[0]}")
    return feature.file, id


def _new_id(pack: Pack, cases: list[ScenarioCase], requirement: str) -> str:
    stems: Counter[str] = Counter()
    numbers: dict[str, int] = {}
    used = [(case.id, case.requirement) for case in cases] + [(retired.id, "") for retired in pack.retired]
    for id, verified in used:
        match = _NUMBERED.fullmatch(id)
        if match is not None:
            stems[match["stem"]] += verified == requirement
            numbers[match["stem"]] = max(numbers.get(match["stem"], 0), int(match["number"]))
    usual, count = max(stems.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    name = requirement.replace("FR-", "", 1).replace(f"{pack.prefix}-", "", 1)
    stem = usual if count else f"{pack.prefix}-{name}"
    return f"{stem}-{max(numbers.get(stem, 0) + 1, _FIRST_NEW_NUMBER)}"


def _choose_feature(features: list[FeatureText], into: Path | None, requirement: str, stem: str) -> FeatureText:
    matching = [feature for feature in features if any(rule.requirement == requirement for rule in feature.rules)]
    if into is not None:
        chosen = next((feature for feature in matching if feature.file.resolve() == into.resolve()), None)
        if chosen is None:
            files = " or ".join(feature.file.name for feature in matching)
            instead = f"name {files}" if files else "no file of the pack has: write one"
            raise UsageError(f"{into}: is no feature of the pack with a Rule of {requirement}; {instead}")
        return chosen
    if not matching:
        raise UsageError(f"no feature of the pack has a Rule of {requirement}; write one, and name it with --into")

    def closeness(feature: FeatureText) -> tuple[int, int]:
        """Return the numbers of scenarios of the requirement with a call, and of those with such an id."""
        own = [case for case in feature.scenarios if case.requirement == requirement]
        calls = [case for case in own if any(step.keyword_type == "when" for step in case.steps)]
        return len(calls), sum(case.id.startswith(f"{stem}-") for case in calls)

    return max(matching, key=closeness)


def _without_background(lines: list[str], feature: FeatureText, requirement: str) -> list[str]:
    """Return the steps of a scenario without those in the Background of its Rule."""
    templates = [t for t in feature.templates if t.rule and t.rule.requirement == requirement]
    background = {step.text for t in templates[:1] for step in t.steps[: t.background_steps]}
    own = [line for line in lines if line.partition(" ")[2] not in background]
    if own and own[0].startswith("And "):
        own[0] = f"Given {own[0].removeprefix('And ')}"
    return own


def _make_title(message: str, taken: set[str], id: str) -> str:
    text = " ".join(re.sub(r"[<>\x00-\x1f\x7f]", " ", message).split())
    title = f"found by search: {text}"[:_MAX_TITLE_LENGTH].rstrip()
    return title if title not in taken else f"{title} ({id})"


def _end_of_rule(feature: FeatureText, lines: list[str], requirement: str) -> int:
    """Return the line at which the requirement's Rule ends, without trailing blank lines, tags and comments."""
    starts = sorted(rule.line for rule in feature.rules)
    rule = next(rule for rule in feature.rules if rule.requirement == requirement)
    following = next((line for line in starts if line > rule.line), len(lines) + 1)
    end = following - 1
    while end and (not lines[end - 1].strip() or lines[end - 1].strip().startswith(("@", "#"))):
        end -= 1
    return end
