"""A candidate that was written from the specification alone and follows other readings conforms."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.selections import first_scenarios, scenarios_of_each_step, scenarios_with_interpretations
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack

PACK = load_pack(find_pack("file_operations"))
MOVER = Path(__file__).parent / "sample_candidates" / "mover.mjs"
WITH_INTERPRETATIONS = scenarios_with_interpretations(PACK.name)
REPRESENTATIVE = (*WITH_INTERPRETATIONS, *first_scenarios(PACK.name), *scenarios_of_each_step(PACK.name))
"""Everything runs against the example in Rust, which was written from the specification alone, too."""
NOT_OFFERED = ("FO-LS-", "FO-T-LS-")
"""Scenarios of list_directory, which the candidate does not offer."""

SECOND_READINGS = {
    "01": "both",
    "03": "ignore",
    "31": "refuse",
    "04": "target",
    "05": "replace",
    "06": "through",
    "07": "complete",
    "08": "make",
    "29": "make",
    "30": "strip",
    "09": "always",
    "22": "error",
}
THIRD_READINGS = {
    **SECOND_READINGS,
    "01": "default",
    "04": "link",
    "05": "error",
    "06": "refuse",
    "08": "error",
    "29": "strip",
    "09": "policy",
    "22": "kept",
}

# The candidate has one switch for several entries.
ENTRIES = {"06": ("39", "40"), "07": ("33", "34"), "08": ("08", "47"), "29": ("29", "46")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("readings", "selection"),
    [(SECOND_READINGS, REPRESENTATIVE), (THIRD_READINGS, WITH_INTERPRETATIONS)],
    ids=["second readings", "third readings, where the readings differ"],
)
def test_a_candidate_with_other_readings_conforms(
    readings: Mapping[str, str], selection: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("node") is None:
        pytest.skip("not verified: a candidate with other readings conforms; needs the program node")
    monkeypatch.setenv("READINGS", json.dumps(readings))
    selected = tuple(id for id in selection if not id.startswith(NOT_OFFERED))
    options = Options(target=f"stdio:node {MOVER}", specs=(PACK.name,), select=selected, examples=6)
    done = run(options).document.to_json()["specs"][0]
    failed = [one["id"] for one in done["requirements"] if one["verdict"] == "FAIL" and one["basis"] != "prudent"]
    assert failed == []
    observed = {one["id"]: one["observed"] for one in done["interpretations"]}
    expected = {f"AMB-FO-{id}": [label] for number, label in readings.items() for id in ENTRIES.get(number, (number,))}
    unobserved = {id for id in expected if not observed[id]}
    assert {id: observed[id] for id in expected if id not in unobserved} == {
        id: expected[id] for id in expected if id not in unobserved
    }
    hidden = {
        "AMB-FO-22": readings["04"] == "target",  # it moves no link as a link
        "AMB-FO-05": readings["05"] == "error",  # a tool that moves no directory has the same error
    }
    assert unobserved <= {id for id, is_hidden in hidden.items() if is_hidden}
