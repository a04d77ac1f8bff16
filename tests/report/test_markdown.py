"""Markdown, read by a parser: texts of candidates are words or code, never markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from treeproof.report import markdown
from treeproof.report.markdown_text import code_span, fenced_block, prose
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]

# Texts that GitHub and GitLab convert beyond Markdown: mentions, issues, commits, addresses, emoji, mathematics.
CONVERTED = re.compile(r"@\w|#\d|\bgh-\d|://|www\.|:\w+:|\$|\b(?=\w*\d)[0-9a-f]{7,}\b", re.IGNORECASE)


def parse_markdown(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)


def inline(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from token.children or ()


def find_markup(text: str) -> list[str]:
    """Return the parts of a Markdown text that are neither words nor code nor allowed markup."""
    tokens = parse_markdown(text)
    found = [token.content for token in tokens if token.type == "html_block"]
    for token in inline(tokens):
        if token.type == "text":
            found += CONVERTED.findall(token.content)
        elif token.type not in ("code_inline", "softbreak", "strong_open", "strong_close", "em_open", "em_close"):
            found.append(f"{token.type}: {token.content}")
    return found


def dump_text(run: Json) -> str:
    return markdown.dump(RunDocument.from_json(run)).decode("utf-8")


def test_the_conclusion_comes_first_and_the_reason_second(mixed: Json) -> None:
    first, _, second = dump_text(mixed).split("\n")[:3]
    assert first == "## ❌ treeproof: non-conformant"
    assert second == "2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05"


def test_the_parts_of_the_report_have_a_fixed_order(mixed: Json) -> None:
    text = dump_text(mixed)
    parts = [
        "acme-tools",
        "| requirements |",
        "### Causes",
        "**Failed",
        "**Not verified",
        "**Inconsistent",
        "**Warnings",
    ]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_each_specification_is_a_line_of_a_table(mixed: Json) -> None:
    head = "| requirements | pass | fail | not verified | not applicable | excluded |\n|---|---:|---:|---:|---:|---:|\n"
    assert f"{head}| `list_directory` 1.1 | 1 | 2 | 4 | 1 | 1 |\n\n" in dump_text(mixed)
    mixed["specs"].append({**mixed["specs"][0], "name": "ls"})
    text = dump_text(mixed)
    assert f"{head}| `list_directory` 1.1 | 1 | 2 | 4 | 1 | 1 |\n| ls 1.1 | 1 | 2 | 4 | 1 | 1 |\n" in text
    assert "| **all** | **2** | **4** | **8** | **2** | **2** |\n\n" in text


def test_a_narrowed_run_counts_what_it_asked(mixed: Json) -> None:
    mixed |= {"selection": ["LD-VAL-01-01"], "claim": False}
    mixed["specs"][0]["requirements"] = [
        one if one["verdict"] == "PASS" else {**one, "verdict": "NOT VERIFIED", "cause": "not selected", "code": code}
        for one, code in zip(mixed["specs"][0]["requirements"], ["not_selected"] * 9, strict=True)
    ]
    mixed["specs"][0]["scenarios"] = [one for one in mixed["specs"][0]["scenarios"] if one["outcome"] == "passed"][:1]
    text = dump_text(mixed)
    assert "| `list_directory` 1.1, 1 of 9 requirements | 1 |" in text
    assert "Not verified" not in text


def test_a_cause_shows_its_smallest_case_and_rerun_command(mixed: Json) -> None:
    mixed["command"] = ["./my tool.toml", "--profile", "strict"]
    text = dump_text(mixed)
    for line in [
        "### Causes: 4 (2 requirements, met in 3 scenarios, 1 requirement and 1 scenario without a verdict)",
        "- 3: **wrong answer**, `FR-LD-LST-05` MUST, stated, 3.4 Traversal semantics: the entries differ from the "
        "expected ones",
        "  - scenario `LD-LST-05-01`: pre-order decides survivors, path order decides output",
        "  - tree: `a/{b}, a-b`",
        '  - call: `list_directory {"recursive": true, "max_entries": 2, "path": "."}`',
        "  - expected: `a, a/b`",
        "  - got: `a, a-b`",
        "  - re-run: `treeproof run './my tool.toml' --profile strict --select LD-LST-05-01`",
        "  - 1 more scenario: LD-LST-05-03",
        "**Failed requirements: 2**: FR-LD-VAL-02 (cause 4), FR-LD-LST-05 (causes 2, 3)",
    ]:
        assert line in text.split("\n"), line


def test_the_trees_before_and_after_a_call_are_shown(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"] |= {"before": "a/{b, c}", "after": "a"}
    assert "  - before: `a/{b, c}`\n" in dump_text(mixed) and "  - after: `a`\n" in dump_text(mixed)


def test_causes_have_the_order_of_the_terminal(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    blocked = {"cause": "blocked by FR-W", "code": "blocked", "blocked_by": "FR-W"}
    wrong = [scenario(f"W-{i}", "FR-W", "failed", message="differs") for i in range(9)]
    lost = [scenario(f"L-{i}", "FR-L", "failed", message=f"f{i} is lost", harm="data") for i in range(3)]
    advice = scenario("A-1", "FR-A", "failed", message="the times differ") | {"advisory": True}
    kept = scenario("B-1", "FR-B", "not-verified", message="differs", **blocked)
    requirements = [
        requirement("FR-W", "FAIL"),
        requirement("FR-L", "FAIL"),
        requirement("FR-A"),
        requirement("FR-B", "NOT VERIFIED", **blocked),
    ]
    text = dump_text(run(requirements, [*wrong, *lost, advice, kept]))
    parts = [
        "### Causes: 2 (2 requirements, met in 12 scenarios)",
        "- 1: **data lost**, `FR-L` MUST, stated, 3.4 Traversal semantics (3 scenarios): f0 is lost",
        "  - scenario `L-0`: the title of L-0",
        "  - 2 more scenarios: L-1, L-2",
        "- 2: **wrong answer**, `FR-W` MUST, stated, 3.4 Traversal semantics (9 scenarios): differs",
        "  - 8 more scenarios: W-1, W-2, W-3, W-4, W-5, W-6, W-7, W-8",
        "  - blocks 1 scenario of 1 requirement: FR-B",
        "### Warnings of 1 cause: 1 beyond the document",
        "- 3: **beyond the document**, `FR-A` 3.4 Traversal semantics: the times differ",
        "**Failed requirements: 2**: FR-W (cause 2), FR-L (cause 1)",
        "- blocked by FR-W (cause 2): FR-B. Remedy: correct the requirement that blocks it, then run again",
    ]
    places = [text.index(f"\n{part}") for part in parts]
    assert places == sorted(places)


def test_unverified_requirements_are_shown_with_their_remedy(mixed: Json) -> None:
    text = dump_text(mixed)
    assert "- no scenario verifies it yet: FR-LD-LST-08, FR-LD-LST-09. Remedy: none on your side" in text
    assert "**Inconsistent readings**\n- `AMB-LD-02`: `a`, `b`\n\n" in text


def test_a_run_without_failures_is_short(run: Callable[..., Json], requirement: Callable[..., Json]) -> None:
    text = dump_text(run([requirement("FR-A")], []))
    assert text.startswith("## ✅ treeproof: conformant\n")
    assert "Causes" not in text and "Failed" not in text and len(text) < 400


@pytest.fixture
def huge(run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]) -> Json:
    """Return a run of five specifications with 1,500 failures in as many causes, and the longest texts."""
    specs = []
    for name in ("list_directory", "file_operations", "fs_walkdir", "local_files", "ls"):
        ids = [f"FR-{name}-{i}" for i in range(300)]
        failed = [
            scenario(f"S-{id}", id, "failed", tree="x\n" * 2000, got="日" * 9000, message=f"{name} {chr(0x4E00 + i)}")
            for i, id in enumerate(ids)
        ]
        beyond = scenario(f"B-{name}", ids[0], "failed", message="beyond") | {"advisory": True}
        fault = scenario(f"F-{name}", ids[1], "fault", cause=f"exit {name}", stderr="e\n" * 500)
        requirements = [requirement(id, "FAIL", section=f"{id} ü" * 90, text="é" * 2000) for id in ids]
        requirements += [requirement(f"N-{id}", "NOT VERIFIED", cause=f"{id}: " + "日" * 900) for id in ids]
        readings = [
            {"id": f"AMB-{i}", "observed": ["a", "b"], "treatment": "any", "consistent": False} for i in range(9)
        ]
        document = run(requirements, [*failed, beyond, fault], interpretations=readings)
        specs.append({**document["specs"][0], "name": name})
    return {
        **document,
        "verdict": "non-conformant",
        "warnings": [f"{i} {'w' * 2000}" for i in range(90)],
        "specs": specs,
    }


@pytest.mark.parametrize("spec_count", [1, 5, 40])
def test_a_report_has_at_most_60_lines_and_counts_what_it_leaves_out(huge: Json, spec_count: int) -> None:
    huge["specs"] = [{**huge["specs"][i % 5], "name": f"spec_{i}"} for i in range(spec_count)]
    text = dump_text(huge)
    assert text.endswith("exit 0.\n")
    lines = text.split("\n")[:-1]
    assert len(lines) <= 60 and len(text.encode()) < 40_000
    assert f"### Causes: {spec_count * 301} (" in text
    shown = sum(line.startswith("- ") and ": **wrong answer**" in line for line in lines)
    crashes = sum(": **crash or hang**" in line for line in lines)
    (more,) = re.findall(r"^- and (\d+) more causes: see", text, re.MULTILINE)
    assert shown + crashes + int(more) == spec_count * 302 and shown + crashes >= 3
    assert "**Not verified: " in text and " more reasons: see" in text and " more warnings: see" in text
    assert parse_markdown(text)[0].tag == "h2"


def test_1500_failures_of_one_cause_and_few_of_many_fit(huge: Json) -> None:
    for number, failed in enumerate(one for spec in huge["specs"] for one in spec["scenarios"]):
        failed["evidence"]["message"] = f"kind {chr(0x4E00 + number % 7)}"
    text = dump_text(huge)
    assert text.count("\n") <= 60 and text.count("  - scenario `") >= 3


MARKUP_TEXTS = st.text(st.sampled_from("`|\\*_~<>[]()!&;:#@/$^-+=.'\"1a \n{}xwB"), max_size=40)


@settings(max_examples=120)
@given(MARKUP_TEXTS)
def test_no_text_is_ever_markup(text: str) -> None:
    assume("::" not in text and "##" not in text)  # commands of CI systems are written in another way
    shown = [prose(text), code_span(text), f"{prose(text)} {code_span(text)}", f"- {code_span(text)}: {prose(text)}"]
    assert [find_markup(f"x {each} y") + find_markup(each) for each in shown] == [[]] * 4
    table = parse_markdown(f"| a | b |\n|---|---|\n| {prose(text)} | {code_span(text)} |\n")
    assert [token.type for token in table].count("td_open") == 2
    (fence, after) = (
        parse_markdown(f"{fenced_block(text)}\n\nafter")[0],
        parse_markdown(f"{fenced_block(text)}\n\nafter")[-2],
    )
    assert fence.type == "fence" and after.content == "after"
    assert fence.content == f"{text}\n"


@settings(max_examples=80)
@given(MARKUP_TEXTS)
def test_a_code_span_shows_the_text_itself(text: str) -> None:
    spans = [token.content for token in inline(parse_markdown(f"x {code_span(text)} y")) if token.type == "code_inline"]
    shown = text.replace("\n", "\\n").replace("|", "\\x7c")
    assert [span.strip('" ') for span in spans] == ([shown.strip('" ')] if text else [])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, and more (of them).", "plain words, and more (of them)."),
        ("the tool `list_directory`: reads", "the tool `list_directory`: reads"),
        ("max_entries, or a/b", "`max_entries`, or a/b"),
        ("ask @octocat about #12", "ask `@octocat` about `#12`"),
        ("see https://example.invalid/x.", "see `https://example.invalid/x`."),
        ("1. not a list", "`1.` not a list"),
        ("- nor this", "– nor this"),
        ("`a``b`", "`a` `b`"),
        ("", "(empty)"),
    ],
)
def test_words_are_unchanged_and_special_texts_become_code(text: str, shown: str) -> None:
    assert prose(text) == shown
