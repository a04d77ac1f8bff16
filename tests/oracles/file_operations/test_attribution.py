"""The requirement, the stage and the kind that the model of the file operations names for a wrong result."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.model.case import Case, Exchange
from treeproof.oracles.file_operations.model import model
from treeproof.tree import Tree, normalise, parse_tree
from treeproof.verdict.finding import Finding

OVERWRITING = {"config": {"tools": {"fileops": {"allow_overwrite": True}}}}
ANY = {"AMB-FO-01": frozenset({"gate", "default"})}


def tree(root: str, outside: str = "away/") -> Tree:
    return normalise(parse_tree(f"{outside}, root/{{{root}}}"))


def finding(
    tool: str,
    before: str,
    after: str,
    *,
    error: str = "",
    context: Any = None,
    outside: str = "away/",
    **arguments: Any,
) -> Finding:
    """Return the finding of a call from `a` to `b`, unless ``arguments`` say otherwise."""
    arguments = {"source": "a", "destination": "b", **arguments}
    answer = (
        CallResult("error", None, error, "no", None, None, None, b"")
        if error
        else CallResult("ok", "done", None, None, None, None, None, b"")
    )
    case = Case(tool, parse_tree(before), arguments, context or {})
    exchange = Exchange(case, answer, tree(before), tree(after, outside), Call(tool, arguments, {}))
    (found,) = model.judge(exchange, ANY).findings
    return found


@pytest.mark.parametrize(
    ("found", "requirement", "kind"),
    [
        (finding("move", 'a="A"', 'a="A"', error="BadArgs"), "FR-FOPS-MV-01", "move failed with BadArgs"),
        (finding("move", 'a="A"', 'a="A"', error="BadArgs", destination="-b"), "DFO-01", "move failed with BadArgs"),
        (
            finding("move", 'a="A", b/', 'a="A", b/', error="ExecutionFailed"),
            "FR-FOPS-MV-02",
            "move into a directory failed with ExecutionFailed",
        ),
        (finding("copy", 'a="A"', 'a="A"'), "DFO-02", "copy: another effect"),
        (finding("move", 'a="A", b="B"', 'b="A"'), "FR-FOPS-MV-03", "contents are lost"),
        (finding("copy", 'a="A", b', 'a="A", b="A"'), "FR-FOPS-CP-03", "the call succeeded; it should fail"),
        (
            finding("move", 'a="A", b/', 'b/{b="A"}'),
            "FR-FOPS-MV-02",
            "move into a directory: another name than the source's own",
        ),
        (finding("copy", 'a="A", b/', 'a="A", b/{a="X"}'), "DFO-02", "copy: another effect"),
        (finding("move", 'a="A", b/', 'b/{a="A"}, a="A"'), "DFO-01", "move: another effect"),
        (
            finding("move", 'a="A"', "", error="ExecutionFailed", destination="x/b"),
            "DFO-04",
            "contents are lost",
        ),
        (
            finding("copy", 'b="B"', "", error="ExecutionFailed", overwrite=True, context=OVERWRITING),
            "DFO-05",
            "contents are lost",
        ),
        (
            finding("move", 'a="A"', "", error="ExecutionFailed", destination="a", overwrite=True, context=OVERWRITING),
            "DFO-06",
            "contents are lost",
        ),
    ],
)
def test_the_requirement_that_the_author_of_the_document_would_name(
    found: Finding, requirement: str, kind: str
) -> None:
    assert (found.requirement, found.kind) == (requirement, kind)


def test_a_change_beside_the_sandbox_is_a_matter_of_the_sandbox() -> None:
    found = finding("copy", 'a="A"', 'a="A"', error="ExecutionFailed", outside='away/{x="A"}')
    assert found.requirement == "NFR-FOPS-SEC-01"


def test_a_call_by_an_alias_can_reach_the_wrong_tool() -> None:
    found = finding("mv", 'a="A"', 'a="A", b="A"')
    assert (found.requirement, found.other_requirements) == ("DFO-01", ("FR-FOPS-01",))


def test_a_reading_of_the_configuration_is_no_matter_of_overwriting() -> None:
    found = finding("move", 'a="A", b="B"', 'a="A", b="X"', context=OVERWRITING)
    assert found.requirement in ("CFG-FOPS-01", "DFO-01")
