"""OpenMetrics, read by a parser of its grammar: families in one piece, escaped labels, each sample once, the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from treeproof.report.formats import openmetrics

Json = dict[str, Any]
Sample = tuple[str, frozenset[tuple[str, str]]]

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
ESCAPED = r'(?:[^"\\\n]|\\["\\n])*'
METADATA = re.compile(rf"# (TYPE|UNIT|HELP) ({NAME}) ({ESCAPED})")
SAMPLE = re.compile(rf'({NAME})\{{((?:[a-zA-Z_][a-zA-Z0-9_]*="{ESCAPED}"(?:,(?!\}})|(?=\}})))*)\}} (-?[0-9.e+-]+)')
LABEL = re.compile(rf'([a-zA-Z_][a-zA-Z0-9_]*)="({ESCAPED})"')
SUFFIXES = {"info": "_info", "gauge": "", "stateset": ""}


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)


def parse_metrics(run: Json) -> dict[Sample, float]:
    """Return the samples by name and labels; check each rule of the text format that this format can break."""
    text = openmetrics.dump(run).decode("utf-8")
    assert text.endswith("\n# EOF\n") and text.count("\n# EOF\n") == 1
    samples: dict[Sample, float] = {}
    families: dict[str, dict[str, str]] = {}
    current = ""
    for line in text.removesuffix("# EOF\n").removesuffix("\n").split("\n"):
        if described := METADATA.fullmatch(line):
            kind, current, value = described.groups()
            family = families.setdefault(current, {})
            assert kind not in family and "sampled" not in family, line
            assert (kind == "TYPE") == (not family), line  # TYPE is first
            family[kind] = value
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample, line
        name, labels, value = sample.groups()
        pairs = [(label, unescape(content)) for label, content in LABEL.findall(labels)]
        assert len({label for label, _ in pairs}) == len(pairs), line
        assert name == current + SUFFIXES[families[current]["TYPE"]], line
        assert families[current]["TYPE"] != "stateset" or (current in dict(pairs) and value in "01"), line
        assert current.endswith(f"_{families[current].get('UNIT', '')}".rstrip("_")), line
        families[current]["sampled"] = "yes"
        assert (name, frozenset(pairs)) not in samples, line
        samples[name, frozenset(pairs)] = float(value)
    assert all(family.keys() >= {"TYPE", "HELP", "sampled"} for family in families.values())
    return samples


def find(samples: dict[Sample, float], name: str, **labels: str) -> list[float]:
    return [
        value for (found, pairs), value in samples.items() if found == name and labels.items() <= dict(pairs).items()
    ]


def test_the_numbers_are_those_of_the_run(mixed: Json) -> None:
    samples = parse_metrics(mixed)
    assert find(samples, "treeproof_run_info", candidate="acme-tools", version="3.1.0", profile="default") == [1]
    assert find(samples, "treeproof_conclusion", treeproof_conclusion="non-conformant") == [1]
    assert sum(find(samples, "treeproof_conclusion")) == 1
    assert find(samples, "treeproof_exit_code") == [1] and find(samples, "treeproof_claim") == [1]
    verdicts = {"pass": 1, "fail": 2, "not verified": 4, "not applicable": 1, "excluded": 1}
    for verdict, count in verdicts.items():
        assert find(samples, "treeproof_requirements", verdict=verdict, specification="list_directory") == [count]
    outcomes = {"passed": 2, "failed": 3, "fault": 1, "not verified": 1, "not applicable": 1}
    for outcome, count in outcomes.items():
        assert find(samples, "treeproof_scenarios", outcome=outcome, specification_version="1.1") == [count]
    assert find(samples, "treeproof_causes", severity="crash") == [1]
    assert find(samples, "treeproof_causes", severity="answer") == [3]
    assert find(samples, "treeproof_run_duration_seconds") == [2.44]
    assert find(samples, "treeproof_run_started_timestamp_seconds") == [981_173_106]


def test_every_sample_names_the_candidate(mixed: Json) -> None:
    assert all(("candidate", "acme-tools") in pairs for _, pairs in parse_metrics(mixed))


def test_texts_of_a_candidate_cannot_add_a_sample(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    hostile = 'a\\"b\\\\"} 7\n# EOF\ntreeproof_exit_code{candidate="x"} 0\r\x1b[2J\ud800' + "z" * 999
    document = run([requirement("FR-A", "FAIL")], [scenario("A-1", "FR-A", "failed", message=hostile)])
    document["candidate"] |= {"name": hostile, "version": hostile}
    document["specs"][0] |= {"name": hostile, "version": hostile}
    document["specs"].append(document["specs"][0])  # equal labels are one sample
    samples = parse_metrics(document)
    assert len(find(samples, "treeproof_exit_code")) == 1
    (info,) = [dict(pairs) for name, pairs in samples if name == "treeproof_run_info"]
    assert info["candidate"].startswith('a\\"b\\\\"} 7\\n# EOF\\ntreeproof') and len(info["candidate"]) < 240
    assert find(samples, "treeproof_scenarios", outcome="failed") == [2]
