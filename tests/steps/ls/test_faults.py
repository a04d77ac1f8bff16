"""An injected fault that the listing does not show gives no verdict, and one by which names are lost fails."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.run.runner import Options, run


def scenario(target: str, id: str) -> dict[str, Any]:
    document = run(Options(target=target, specs=("ls",), select=(id,))).document
    return next(one for one in document.to_json()["specs"][0]["scenarios"] if one["id"] == id)


def test_a_complete_listing_in_spite_of_a_fault_is_not_verified() -> None:
    found = scenario("variant:VAR-LS-11", "LS-ERR-06-101")
    assert found["outcome"] == "not-verified"
    assert found["evidence"]["code"] == "fault_without_effect"


@pytest.mark.parametrize("target", ["variant:VAR-LS-11", "reference"])
def test_a_failure_that_loses_names_is_an_error(target: str) -> None:
    assert scenario(target, "LS-ERR-06-103")["outcome"] == "passed"


def test_a_partial_listing_is_no_complete_one() -> None:
    assert scenario("mutant:MUT-LS-267", "LS-ERR-06-103")["outcome"] == "failed"
