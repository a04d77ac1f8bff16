"""Markdown, read by a parser: texts of candidates are words or code, never markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from treeproof.report import markdown
from treeproof.report.markdown_text import code_span, fenced_block, prose

Json = dict[str, Any]

OUR_TAGS = {"<details>", "<summary>", "</summary>", "<code>", "</code>", "</details>"}
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
    found = [t.content for t in tokens if t.type == "html_block" and set(re.findall(r"<[^>]*>", t.content)) - OUR_TAGS]
    for token in inline(tokens):
        if token.type == "text":
            found += CONVERTED.findall(token.content)
        elif token.type not in ("code_inline", "softbreak", "strong_open", "strong_close", "em_open", "em_close"):
            found.append(f"{token.type}: {token.content}")
    return found


def dump_text(run: Json) -> str:
    return markdown.dump(run).decode("utf-8")


def test_the_conclusion_comes_first_and_the_reason_second(mixed: Json) -> None:
    first, _, second = dump_text(mixed).split("\n")[:3]
    assert first == "## ❌ treeproof: non-conformant"
    assert second == "2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05"


def test_the_parts_of_the_report_have_a_fixed_order(mixed: Json) -> None:
    text = dump_text(mixed)
    parts = ["acme-tools", "3.2 Validation", "Causes", "Failed requirements", "Not verified", "Observed readings"]
    parts.append("Warnings")
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_sections_are_a_table(mixed: Json) -> None:
    text = dump_text(mixed)
    assert (
        "| section | pass | fail | not verified | not applicable | excluded |\n|---|---:|---:|---:|---:|---:|" in text
    )
    assert "| 3.4 Traversal semantics |  | 1 | 4 | 1 | 1 |" in text
    assert "| **all** | **1** | **2** | **4** | **1** | **1** |" in text


def test_a_failure_shows_its_evidence_and_rerun_command(mixed: Json) -> None:
    mixed["command"] = ["./my tool.toml", "--profile", "strict"]
    text = dump_text(mixed)
    for line in [
        "### Causes: 4 (2 requirements, 3 failed scenarios, 1 scenario without a verdict)",
        "#### 3: wrong answer, `FR-LD-LST-05` MUST, stated, 3.4 Traversal semantics",
        "Message: the entries differ from the expected ones",
        "Requirement: depth-first pre-order, siblings by ascending lossy name",
        "<details><summary>Scenario <code>LD-LST-05-01</code></summary>",
        "- tree: `a/{b}, a-b`",
        '- call: `list_directory {"recursive": true, "max_entries": 2, "path": "."}`',
        "- expected: `a, a/b`",
        "- got: `a, a-b`",
        "```diff",
        "- a/b",
        "treeproof run './my tool.toml' --profile strict --select LD-LST-05-01",
        "- 1 more scenario of this requirement: LD-LST-05-03",
        "- `FR-LD-LST-05` MUST, 3.4 Traversal semantics, causes 2, 3",
    ]:
        assert line in text.split("\n"), line


def test_the_trees_before_and_after_a_call_are_shown(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"] |= {"before": "a/{b, c}", "after": "a"}
    assert "- before: `a/{b, c}`\n" in dump_text(mixed) and "- after: `a`\n" in dump_text(mixed)


def test_causes_have_the_order_of_the_terminal_and_those_with_harm_are_not_folded(
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
        "### Causes: 2 (2 requirements, 12 failed scenarios)",
        "#### 1: data lost or leaked, `FR-L` MUST, stated, 3.4 Traversal semantics",
        "Message (3 scenarios): f0 is lost",
        "Scenario `L-0`: the title of L-0",
        "Scenario `L-1`: the title of L-1",
        "Message: f1 is lost",
        "Scenario `L-2`: the title of L-2",
        "#### 2: wrong answer, `FR-W` MUST, stated, 3.4 Traversal semantics",
        "<details><summary>Scenario <code>W-0</code></summary>",
        "- 8 more scenarios of this requirement: W-1, W-2, W-3, W-4, W-5, W-6, W-7, W-8",
        "- blocks 1 scenario of 1 requirement: FR-B",
        "### Beyond the document: warnings on 1 requirement",
        "#### 3: beyond the document, `FR-A` MUST, stated, 3.4 Traversal semantics",
        "### Failed requirements: 2",
        "- `FR-W` MUST, 3.4 Traversal semantics, cause 2",
        "- blocked by FR-W (cause 2): FR-B",
        "  - Remedy: correct the requirement that blocks it, then run again",
    ]
    assert text.count("<details>") == 2
    places = [text.index(f"\n{part}") for part in parts]
    assert places == sorted(places)


def test_other_causes_do_not_displace_those_with_harm(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    text = "x\n" * 600
    lost = [scenario(f"L-{i}", "FR-L", "failed", message=f"f{i} is lost", harm="data", tree=text) for i in range(120)]
    wrong = [scenario(f"W-{i}", "FR-W", "failed", message=f"{chr(0x4E00 + i)}", tree="日" * 5000) for i in range(200)]
    data = markdown.dump(run([requirement("FR-W", "FAIL"), requirement("FR-L", "FAIL")], [*wrong, *lost])).decode()
    assert data.count("\nScenario `") == 100 and "- 20 more scenarios of this requirement: L-100, " in data
    assert data.index("#### 1: data lost or leaked") < data.index("#### 2: wrong answer")
    assert "omitted here" not in data[: data.index("#### 2")] and len(data.encode()) < 1_000_000


def test_unverified_requirements_are_shown_with_their_remedy(mixed: Json) -> None:
    text = dump_text(mixed)
    assert "- no scenario verifies it yet: FR-LD-LST-08, FR-LD-LST-09\n  - Remedy: none on your side" in text
    assert "- `AMB-LD-02`: `a`, `b` **inconsistent**\n- `AMB-LD-01`: `exceeded`" in text


def test_a_run_without_failures_is_short(run: Callable[..., Json], requirement: Callable[..., Json]) -> None:
    text = dump_text(run([requirement("FR-A")], []))
    assert text.startswith("## ✅ treeproof: conformant\n")
    assert "Causes" not in text and "Failed" not in text and len(text) < 400


def test_a_huge_report_stays_below_a_mebibyte_and_names_its_omissions(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    ids = [f"FR-{i}" for i in range(700)]
    huge = run(
        [requirement(id, "FAIL", section=f"{id} ü" * 90, text="é" * 2000) for id in ids]
        + [requirement(f"N-{id}", "NOT VERIFIED", cause=f"{id}: " + "日" * 900) for id in ids],
        [
            scenario(f"S-{id}", id, "failed", tree="x\n" * 2000, got="日" * 9000, message=f"{chr(0x4E00 + i)}")
            for i, id in enumerate(ids)
        ],
        verdict="non-conformant",
        warnings=[f"{id} {'w' * 2000}" for id in ids],
    )
    data = markdown.dump(huge)
    assert 500_000 < len(data) < 1_000_000
    assert "Not verified: 700 requirements" in data.decode() and "### Failed requirements: 700" in data.decode()
    assert data.decode().count("omitted here; the JSON report is complete") >= 2
    assert parse_markdown(data.decode())[0].tag == "h2"


MARKUP_TEXTS = st.text(st.sampled_from("`|\\*_~<>[]()!&;:#@/$^-+=.'\"1a \n{}xwB"), max_size=40)


@settings(max_examples=120)
@given(MARKUP_TEXTS)
def test_no_text_is_ever_markup(text: str) -> None:
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
