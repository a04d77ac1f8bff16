"""The one whole run of the quick tests: the reference conforms to each specification. Properties have few cases."""

from __future__ import annotations

import pytest

from treeproof.report import document
from treeproof.run.runner import Options, run
from treeproof.spec import bundled_packs


@pytest.mark.parametrize("spec", sorted(folder.name for folder in bundled_packs()))
def test_the_reference_conforms(spec: str) -> None:
    done = run(Options("reference", specs=(spec,), examples=5, jobs=1)).document.to_json()
    document.validate(done)
    (found,) = done["specs"]
    assert [one["id"] for one in found["scenarios"] if one["outcome"] in ("failed", "fault")] == []
    assert [one["id"] for one in found["scenarios"] if one.get("findings")] == []
    assert done["verdict"] in ("conformant", "incomplete"), done["reason"]
    unverified = [one for one in found["requirements"] if one["verdict"] == "NOT VERIFIED"]
    assert done["verdict"] == "conformant" or unverified, "incomplete without a cause"
