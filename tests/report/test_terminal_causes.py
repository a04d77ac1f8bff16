"""The causes of a run on the terminal: the worst first, each once, with its smallest case whole."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from treeproof.report.console_writer import console_for
from treeproof.report.terminal import render
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
Make = Callable[..., Json]


def render_text(run: Json, columns: int = 100) -> str:
    stream = io.StringIO()
    render(RunDocument.from_json(run), console_for(stream, {"COLUMNS": str(columns)}), verbose=True)
    return stream.getvalue()


def different(number: int) -> str:
    """Return a message of a kind of its own: a letter, because numbers do not make another kind."""
    return f"why {chr(0x4E00 + number)}"


def test_the_heading_counts_requirements_scenarios_and_faults(mixed: Json) -> None:
    lost = "1 requirement and 1 scenario without a verdict\n"
    assert f"Causes · 4 · 2 requirements · met in 3 scenarios · {lost}" in render_text(mixed)
    requirements = mixed["specs"][0]["requirements"]
    requirements[1]["level"] = "SHOULD"
    text = render_text(mixed)
    assert f"Causes · 3 · 1 requirement · met in 3 scenarios · {lost}" in text
    assert "Warnings of 1 cause: 1 SHOULD\n" in text
    assert re.search(r"pass +fail +warning .*\n(.*\n)+✗ +all +1 +1 +1 +4 ", text)
    requirements[2]["known"] = True
    text = render_text(mixed)
    assert "Causes · 1 · 1 requirement and 1 scenario without" in text
    assert "Warnings of 3 causes: 2 known, 1 SHOULD\n" in text
    assert f"Causes · 2 · 1 requirement · {lost}" in render_text({**mixed, "profile": "strict"})


def test_a_cause_names_severity_requirement_message_and_the_smallest_case(mixed: Json) -> None:
    text = render_text(mixed)
    head = (
        "✗ 3  wrong answer · FR-LD-LST-05  MUST · stated · 3.4 Traversal semantics\n"
        "  the entries differ from the expected ones\n"
        "  requirement: depth-first pre-order, siblings by ascending lossy name\n"
        "\n"
        "  LD-LST-05-01  pre-order decides survivors, path order decides output\n"
    )
    assert head in text
    case = text[text.index(head) + len(head) :]
    assert case.index("tree       a/{b}, a-b") < case.index("re-run     treeproof run TARGET --select LD-LST-05-01")
    assert text.count("the entries differ from the expected ones") == 1


def test_a_fault_is_a_cause_with_its_call_its_stderr_and_its_command(mixed: Json) -> None:
    text = render_text(mixed)
    assert text.index("! 1  crash or hang · FR-LD-LST-06") < text.index("✗ 2  wrong answer")
    fault = text[text.index("! 1") : text.index("✗ 2")]
    assert "  candidate fault (exit): it ended with status 139 in the middle of a call\n" in fault
    assert '    call       list_directory {"path": "."}\n' in fault
    assert "    stderr     panic: runtime error: index out of range [3] with length 3\n" in fault
    assert "    re-run     treeproof run TARGET --select LD-LST-06-01\n" in fault


def test_a_cause_without_a_scenario_repeats_its_requirement(mixed: Json) -> None:
    text = render_text(mixed)
    assert "  inconsistent readings of AMB-LD-02: LD-VAL-02-01 saw b, other scenarios saw a\n" in text
    assert "    re-run     treeproof run TARGET --select FR-LD-VAL-02\n" in text


def test_one_cause_of_many_scenarios_is_shown_once(run: Make, requirement: Make, scenario: Make) -> None:
    boom = {"status": "error", "kind": "ExecutionFailed", "message": "boom"}
    message = "the call failed with ExecutionFailed"
    broken = [scenario(f"S-{i}", "FR-A", "failed", tree="a", message=message, outcome=boom) for i in range(30)]
    other = scenario("S-X-1", "FR-X", "failed", tree="a", message="another thing")
    text = render_text(run([requirement(name, "FAIL") for name in ("FR-A", "FR-X")], [*broken, other]))
    assert "Causes · 2 · 2 requirements · met in 31 scenarios\n" in text
    assert f"  {message}  (30 scenarios)\n" in text
    assert text.count("    tree       a") == 2
    assert "    error      ExecutionFailed: boom\n" in text
    assert "  29 more scenarios: S-1, S-2, " in text and "and 17 more\n" in text
    assert text.count("\n") < 60


def harmful_run(run: Make, requirement: Make, scenario: Make, count: int) -> Json:
    wrong = [scenario(f"W-{i}", "FR-W", "failed", tree="w", message="the answer differs") for i in range(90)]
    lost = [
        scenario(f"L-{i:02}", "FR-L", "failed", tree="l", message=f"f{i} is lost", kind="lost", harm="data")
        for i in range(count)
    ]
    return run([requirement("FR-W", "FAIL"), requirement("FR-L", "FAIL")], [*wrong, *lost])


def test_a_cause_with_harm_comes_first_with_one_case(run: Make, requirement: Make, scenario: Make) -> None:
    text = render_text(harmful_run(run, requirement, scenario, 9))
    assert text.index("‼ 1  data lost · FR-L") < text.index("✗ 2  wrong answer · FR-W")
    assert text.count("    tree       l") == text.count("    tree       w") == 1
    assert "  8 more scenarios: L-01, L-02, " in text


def test_every_cause_and_requirement_is_there(run: Make, requirement: Make, scenario: Make) -> None:
    many = run(
        [requirement(f"FR-{i}", "FAIL") for i in range(150)],
        [
            scenario(f"S-{i}-{j}", f"FR-{i}", "failed", tree="a", message=different(i))
            for i in range(150)
            for j in range(4)
        ],
    )
    text = render_text(many)
    assert text.count("    tree       a") == 150
    assert all(f"✗ FR-{i}  MUST · 3.4 Traversal semantics · cause {i + 1}\n" in text for i in range(150))


def test_failures_beyond_the_document_have_their_own_heading(run: Make, requirement: Make, scenario: Make) -> None:
    advice = scenario("A-1", "FR-A", "failed", message="the times differ") | {"advisory": True}
    document = run([requirement("FR-A", scenarios=["A-1"])], [advice])
    text = render_text(document)
    assert "Causes" not in text and "Failed requirements" not in text
    beyond = text[text.index("Warnings of 1 cause: 1 beyond the document") :]
    assert "○ 1  beyond the document · FR-A  3.4 Traversal semantics\n" in beyond
    assert "  the times differ\n" in beyond
    assert "Beyond" not in render_text({**document, "profile": "strict"})


def test_a_failed_should_is_a_warning_unless_the_profile_is_strict(run: Make, requirement: Make) -> None:
    failed = [requirement("FR-LD-NAV-01", "FAIL", level="SHOULD", cause="why")]
    text = render_text(run(failed, []))
    assert "△ 1  recommendation not followed · FR-LD-NAV-01  SHOULD, a warning · " in text
    assert "Failed requirements" not in text
    assert "a warning" not in render_text(run(failed, [], profile="strict"))


def test_failed_requirements_are_listed_in_catalogue_order_with_their_causes(
    run: Make, requirement: Make, scenario: Make
) -> None:
    requirements = [
        requirement("FR-C", "FAIL", restates="FR-A", cause="restates FR-A"),
        requirement("FR-B", "FAIL", known=True),
        requirement("FR-A", "FAIL"),
    ]
    scenarios = [
        scenario("A-1", "FR-A", "failed", message=different(0)),
        scenario("A-2", "FR-A", "failed", message=different(0)),
        scenario("A-3", "FR-A", "failed", message=different(1)),
        scenario("B-1", "FR-B", "failed", message=different(2)),
    ]
    text = render_text(run(requirements, scenarios))
    assert text[text.index("Failed requirements") :].split("\n")[:4] == [
        "Failed requirements · 2",
        "✗ FR-C  MUST · 3.4 Traversal semantics · restates FR-A, causes 1, 2",
        "✗ FR-A  MUST · 3.4 Traversal semantics · causes 1, 2",
        "",
    ]
    assert "✗ 3  wrong answer · FR-B  MUST · stated · 3.4 Traversal semantics · known failure\n" in text


def blocked_run(run: Make, requirement: Make, scenario: Make) -> Json:
    """Return a run in which each scenario has met a finding on FR-A, which blocks two of them."""
    blocked = {"cause": "blocked by FR-A", "code": "blocked", "blocked_by": "FR-A"}

    def met(id: str, owner: str, kind: str, **members: Any) -> Json:
        one = scenario(id, owner, "not-verified" if members else "passed", **members)
        evidence = {"message": kind, "kind": kind}
        return {**one, "findings": [{"requirement": "FR-A", "call": 1, "decides": True, "evidence": evidence}]}

    return run(
        [
            requirement("FR-A", "FAIL"),
            requirement("FR-B", "NOT VERIFIED", **blocked),
            requirement("FR-C", "NOT VERIFIED", **blocked),
        ],
        [
            met("A-1", "FR-D", "no call"),
            met("A-2", "FR-D", "no call"),
            met("A-4", "FR-D", "no call"),
            met("A-3", "FR-D", "no output"),
            met("B-1", "FR-B", "no output", **blocked),
            met("C-1", "FR-C", "no output", **blocked),
        ],
        verdict="non-conformant",
        exit=1,
    )


def test_a_cause_names_what_it_blocks_and_what_is_blocked_names_the_cause(
    run: Make, requirement: Make, scenario: Make
) -> None:
    text = render_text(blocked_run(run, requirement, scenario))
    assert text.count("  blocks ") == 1
    output = text[text.index("✗ 1  wrong answer · FR-A") : text.index("Failed requirements")]
    assert "  no output  (3 scenarios)\n" in output
    assert "  blocks 2 scenarios of 2 requirements: FR-B, FR-C\n" in output
    assert (
        "? blocked by FR-A (cause 1) · 2\n"
        "    FR-B, FR-C\n"
        "    remedy: correct the requirement that blocks it, then run again\n" in text
    )


def test_a_cause_names_its_specification_if_there_are_several(mixed: Json) -> None:
    assert "Traversal semantics · list_directory" not in render_text(mixed)
    mixed["specs"].append({**mixed["specs"][0], "name": "other"})
    text = render_text(mixed)
    heading = "Causes · 8 · 4 requirements · met in 6 scenarios · 2 requirements and 2 scenarios without a verdict\n"
    assert heading in text
    assert "! 2  crash or hang · FR-LD-LST-06  MUST · stated · 3.4 Traversal semantics · other\n" in text
    assert "✗ FR-LD-LST-05  MUST · 3.4 Traversal semantics · other · causes 4, 6\n" in text


@pytest.mark.parametrize("columns", [20, 63, 80])
def test_a_long_message_is_folded_and_cut(mixed: Json, columns: int) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"]["message"] = "word " * 900
    text = render_text(mixed, columns)
    assert "more characters)" in re.sub(r"\s+", " ", text)
    assert re.sub(r"\s+", " ", text).count("word word") < 200
