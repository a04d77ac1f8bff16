"""A candidate of the file operations that was written from the specification alone, with other readings, conforms."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack

PACK = load_pack(find_pack("file_operations"))
MOVER = Path(__file__).parent / "gallery" / "mover.mjs"
NOT_OFFERED = {"FR-FOPS-LS-01", "T-FOPS-LS-01"}
"""It has no tool that lists."""

OTHERWISE = {
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
A_THIRD_WAY = {
    **OTHERWISE,
    "01": "default",
    "04": "link",
    "05": "error",
    "06": "refuse",
    "08": "error",
    "29": "strip",
    "09": "policy",
    "22": "kept",
}


@pytest.mark.parametrize("readings", [OTHERWISE, A_THIRD_WAY], ids=["otherwise", "a third way"])
def test_it_conforms_by_other_readings(readings: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("node") is None:
        pytest.skip("not verified: a candidate of other readings conforms; needs the program node")
    monkeypatch.setenv("READINGS", json.dumps(readings))
    asked = tuple(one.id for one in PACK.requirements if one.id not in NOT_OFFERED)
    done = run(Options(target=f"stdio:node {MOVER}", specs=(PACK.name,), select=asked, examples=12)).document["specs"][
        0
    ]
    assert [one["id"] for one in done["requirements"] if one["verdict"] == "FAIL"] == []
    seen = {one["id"]: one["observed"] for one in done["interpretations"]}
    due = {f"AMB-FO-{number}": [label] for number, label in readings.items()}
    unseen = {id for id in due if not seen[id]}
    assert {id: seen[id] for id in due if id not in unseen} == {id: due[id] for id in due if id not in unseen}
    assert unseen <= {"AMB-FO-01"}  # "both" has each of its outcomes in common with another reading
