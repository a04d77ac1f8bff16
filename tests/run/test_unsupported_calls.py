"""Calls that a candidate cannot get: its glue says so, or it declares no capability for several roots."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.run.runner import Options, run

from .conftest import CANDIDATE

FEATURE = """
    Feature: one
      @EC-R-1
      Rule: one
        @EC-SAY-01
        Scenario: plain
          Given the tree "a"
          When say is called with {"text": "a"}
          Then it says "a"
          And the tree is unchanged
      @EC-R-2
      Rule: two
        @EC-SAY-02
        Scenario: other
          Given the tree "a"
          When say is called with {"text": "never"}
          Then it says "never"
          And the tree is unchanged
"""
FEATURE = FEATURE.replace("    Feature: one", "    @echoes\n    Feature: one")


def refusing(result: str) -> str:
    """Return a candidate that answers the text ``never`` with ``result``."""
    answer = f'        if arguments["text"] == "never":\n            return {result}\n        return {{"status": "ok"'
    return CANDIDATE.replace('        return {"status": "ok"', answer)


def test_a_call_that_the_glue_cannot_make_is_not_verified(run_feature: Callable[..., dict[str, Any]]) -> None:
    candidate = refusing('{"status": "unsupported", "reason": "one root\\x1b[31m only"}')
    (spec,) = run_feature(FEATURE, candidate=candidate)["specs"]
    assert [one["outcome"] for one in spec["scenarios"]] == ["passed", "not-verified"]
    assert "the glue cannot make this call: one root" in str(spec["scenarios"][1])
    assert "\x1b" not in json.dumps(spec, ensure_ascii=False)
    assert [one["verdict"] for one in spec["requirements"]] == ["PASS", "NOT VERIFIED"]


@pytest.mark.parametrize("result", ['{"status": "unsupported"}', '{"status": "unsupported", "reason": ""}'])
def test_a_refusal_without_a_reason_is_a_fault(run_feature: Callable[..., dict[str, Any]], result: str) -> None:
    (spec,) = run_feature(FEATURE, candidate=refusing(result))["specs"]
    assert [one["outcome"] for one in spec["scenarios"]] == ["passed", "fault"]
    assert "reason" in str(spec["scenarios"][1])


def test_a_call_with_an_optional_argument_that_the_glue_cannot_make_costs_nothing_else(tmp_path: Path) -> None:
    """Random cases without it still verify their properties; with the required arguments alone, nothing is excused."""
    (tmp_path / "glue.py").write_text(
        "from treeproof.reference_impl.ls import candidate as reference\n"
        "class Glue:\n"
        "    def __init__(self, refused='ignore'):\n"
        "        self.inner, self.refused = reference.candidate(), refused\n"
        "    def call(self, params):\n"
        "        arguments = params['arguments']\n"
        "        if isinstance(arguments, dict) and self.refused in arguments:\n"
        "            return {'status': 'unsupported', 'reason': 'no such option'}\n"
        "        return self.inner.call(params)\n"
        "    def __getattr__(self, name):\n"
        "        return getattr(self.inner, name)\n"
        "def path():\n"
        "    return Glue('path')\n",
        "utf-8",
    )

    def outcomes(attribute: str) -> dict[str, set[str]]:
        target = f"python:{tmp_path / 'glue.py'}:{attribute}"
        document = run(Options(target, specs=("ls",), select=("LS-DEF-04", "LS-ARG-01"), jobs=1)).document
        found: dict[str, set[str]] = {}
        for one in document.to_json()["specs"][0]["scenarios"]:
            found.setdefault("random cases" if "-P-" in one["id"] else "scenarios", set()).add(one["outcome"])
        return found

    optional, required = outcomes("Glue"), outcomes("path")
    assert optional == dict.fromkeys(("random cases", "scenarios"), {"passed", "not-applicable"})
    assert "not-verified" in required["scenarios"]
    assert required["random cases"] == {"not-verified"}


def test_without_the_capability_calls_with_several_roots_are_not_made(tmp_path: Path) -> None:
    (tmp_path / "one_root.py").write_text(
        "from treeproof.reference_impl.list_directory import candidate as reference\n"
        "def candidate():\n"
        "    made = reference.candidate()\n"
        '    made._capabilities = tuple(name for name in made._capabilities if name != "roots")\n'
        "    return made\n",
        "utf-8",
    )
    target = f"python:{tmp_path / 'one_root.py'}:candidate"
    document = run(Options(target, specs=("list_directory",), select=("LD-VAL-07-24", "LD-VAL-07-27"), jobs=1)).document
    found = {one["id"]: one for one in document.to_json()["specs"][0]["scenarios"]}
    assert found["LD-VAL-07-27"]["outcome"] == "passed"
    assert found["LD-VAL-07-24"]["outcome"] == "not-applicable"
    assert "the capability 'roots'" in str(found["LD-VAL-07-24"])
