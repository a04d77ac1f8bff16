"""The causes on the page of a run: their order, what they show whole, and their links. Parsed without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from treeproof.report.digest import split_causes
from treeproof.report.html.run_page import dump
from treeproof.report.signs import SEVERITIES
from treeproof.spec import bundled_packs, load_pack
from treeproof.verdict.causes import Severity
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
Make = Callable[..., Json]


def card_html(page: str, number: int) -> str:
    """Return the card of a cause."""
    start = page.rindex("<", 0, page.index(f'id="cause-{number}"'))
    tag = page[start + 1 : page.index(" ", start)]
    return re.split(rf"</{tag}>\n</li>", page[start:])[0]


def text_of(html: str) -> str:
    """Return the text of a part of the page, with single blanks."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@pytest.fixture
def severe(run: Make, requirement: Make, scenario: Make) -> Json:
    """Return a run with one cause of each severity, and a blocked scenario."""
    failed = [
        scenario("S-ADV-1", "R-ADV", "failed", message="advice"),
        scenario("S-FORM-1", "R-FORM", "failed", message="wrong order"),
        scenario("S-FORM-2", "R-FORM", "failed", message="another time"),
        scenario("S-ANS-1", "R-ANS", "failed", message="the call failed with E: no", tree="a"),
        scenario("S-ANS-2", "R-ANS", "failed", message="the call failed with E: no", tree="a, b, c"),
        scenario("S-ANS-3", "R-ANS", "failed", message="the call failed with E: no", tree="a, b, c, d"),
        scenario("S-BEY-1", "R-BEY", "failed", message="beyond", basis="prudent"),
        scenario("S-CRASH-1", "R-CRASH", "fault", cause="it ended", code="candidate_fault", stderr="panic", tree="p"),
        scenario("S-ESC-1", "R-ESC", "failed", message="reached", harm="escape", tree="e"),
        scenario("S-ESC-2", "R-ESC", "failed", message="reached", harm="escape", tree="e, f, g"),
        scenario("S-DATA-1", "R-DATA", "failed", message="lost", harm="data"),
        scenario(
            "S-BLK-1", "R-BLK", "not-verified",
            cause="blocked by R-ANS", code="blocked", blocked_by="R-ANS", message="the call failed with E: no",
            call={"tool": "t", "arguments": "{}"},
        ),
    ]  # fmt: skip
    for one in failed:
        if basis := one["evidence"].pop("basis", None):
            one.update(basis=basis, advisory=True)
    blocked = {"cause": "blocked by R-ANS", "code": "blocked", "blocked_by": "R-ANS"}
    return run(
        [
            requirement("R-ADV", "FAIL", level="SHOULD", scenarios=["S-ADV-1"]),
            requirement("R-FORM", "FAIL", scenarios=["S-FORM-1", "S-FORM-2"]),
            requirement("R-ANS", "FAIL", scenarios=["S-ANS-1", "S-ANS-2", "S-ANS-3"]),
            requirement("R-ANS-AGAIN", "FAIL", scenarios=["S-ANS-1", "S-ANS-2", "S-ANS-3"], restates="R-ANS"),
            requirement("R-BEY", "PASS", scenarios=["S-BEY-1"]),
            requirement("R-CRASH", "NOT VERIFIED", scenarios=["S-CRASH-1"], cause="it ended", code="candidate_fault"),
            requirement("R-ESC", "FAIL", scenarios=["S-ESC-1", "S-ESC-2"]),
            requirement("R-DATA", "FAIL", scenarios=["S-DATA-1"], known=True),
            requirement("R-BLK", "NOT VERIFIED", scenarios=["S-BLK-1"], **blocked),
        ],
        failed,
        verdict="non-conformant",
        exit=1,
    )


def test_map_and_causes_follow_the_head_in_the_common_order(severe: Json) -> None:
    page = dump(RunDocument.from_json(severe)).decode()
    headings = re.findall(r"<h2[^>]*>([^<]*?)(?: <|</h2>)", page[page.index("<main") :])
    assert headings[0] == "list_directory 1.1: all 9 requirements"
    assert headings[1:3] == ["Causes", "Warnings, which decide nothing"]
    assert headings[3:5] == ["Requirements that do not hold", "Not verified"]
    every = [*split_causes(RunDocument.from_json(severe))[0], *split_causes(RunDocument.from_json(severe))[1]]
    assert re.findall(r'<span class="severity \w+">([^<]*)</span>', page) == [cause.label for cause in every]
    assert re.findall(r'id="(cause-\d+)"', page) == [f"cause-{cause.number}" for cause in every]
    assert text_of(page).count("7 scenarios and 1 scenario without a verdict because of a fault.") == 1


def test_a_failure_that_decides_nothing_has_no_red_sign(severe: Json) -> None:
    page = dump(RunDocument.from_json(severe)).decode()
    bar = page[page.index('<svg class="bar"') : page.index("</svg>")]
    assert 'aria-label="Requirements: 4 fail, 1 known, 1 warning, 2 not verified, 1 pass"' in bar
    assert 'data-verdict="WARNING"' in page and '<a class="tile advice" href="#R-ADV"' in page


def test_a_cause_shows_its_smallest_case_whole_and_links_the_others(severe: Json) -> None:
    number = next(cause.number for cause in RunDocument.from_json(severe).causes if cause.requirement.id == "R-ANS")
    html = card_html(dump(RunDocument.from_json(severe)).decode(), number)
    assert re.findall(r'<article class="scenario printed" id="([^"]*)"', html) == ["S-ANS-1"]
    assert text_of(html).startswith(f"✗ Cause {number} wrong answer R-ANS , 3 scenarios, blocks 1 scenario")
    assert "--select S-ANS-1</code>" in html and 'class="copy needs-script"' in html
    others, blocked = re.findall(r'<dl class="links">(.*?)</dl>', html, re.S)
    assert re.findall(r'href="#([^"]*)"', others) == ["R-ANS", "S-ANS-2", "S-ANS-3"]
    assert re.findall(r'href="#([^"]*)"', blocked) == ["R-BLK", "S-BLK-1"]
    assert "Scenarios that R-ANS blocks 1" in text_of(html)


def test_a_fault_is_a_cause_with_tree_stderr_and_command(severe: Json) -> None:
    number = next(cause.number for cause in RunDocument.from_json(severe).causes if cause.is_fault)
    html = card_html(dump(RunDocument.from_json(severe)).decode(), number)
    assert "crash or hang" in html and "<code>p</code>" in html and "<pre>panic</pre>" in html
    assert "--select S-CRASH-1</code>" in html


def test_evidence_is_on_the_page_once(severe: Json) -> None:
    page = dump(RunDocument.from_json(severe)).decode()
    ids = [one["id"] for one in severe["specs"][0]["scenarios"]]
    assert [id for id in ids if len(re.findall(f"--select {id}</code>", page)) != 1] == []
    assert [id for id in ids if len(re.findall(f' id="{id}"', page)) != 1] == []
    card = page[page.index('id="R-ANS"') : page.index('id="R-ANS-AGAIN"')]
    assert '<a class="id" href="#S-ANS-1">' in card and 'data-scenario="S-ANS-1"' in card
    assert '<details class="scenario printed" id="S-ANS-2">' in card


def test_a_requirement_shows_the_numbers_of_its_causes(severe: Json) -> None:
    page = dump(RunDocument.from_json(severe)).decode()
    numbers = [
        cause.number
        for cause in RunDocument.from_json(severe).causes
        if "R-FORM" in {one.id for one in cause.requirements}
    ]
    assert len(numbers) == 2
    card = page[page.index('id="R-FORM"') : page.index('id="R-ANS"')]
    links = ", ".join(f'<a href="#cause-{n}">{"cause " if n == numbers[0] else ""}{n}</a>' for n in numbers)
    assert f"Belongs to {links}." in card
    assert f"· cause {numbers[0]}, {numbers[1]}" in text_of(card)
    failed = page[page.index('id="_failures"') : page.index('id="_gaps1"')]
    assert links in failed


def test_a_requirement_that_restates_another_shows_the_causes_of_that_one(severe: Json) -> None:
    number = next(cause.number for cause in RunDocument.from_json(severe).causes if cause.requirement.id == "R-ANS")
    page = dump(RunDocument.from_json(severe)).decode()
    failed = page[page.index('id="_failures"') : page.index('id="_gaps1"')]
    assert f'as <a href="#R-ANS">R-ANS</a>, <a href="#cause-{number}">cause {number}</a>' in failed


def test_a_known_failure_is_marked(severe: Json) -> None:
    run = RunDocument.from_json(severe)
    known = next(cause.number for cause in run.causes if cause.known)
    assert known > next(cause.number for cause in run.causes if not cause.known)
    page = dump(run).decode()
    assert "known failure" in card_html(page, known)
    assert 'href="#R-DATA"' not in page[page.index('id="_failures"') : page.index('id="_gaps1"')]


def test_a_blocked_requirement_links_what_blocks_it_and_its_cause(severe: Json) -> None:
    number = next(cause.number for cause in RunDocument.from_json(severe).causes if cause.requirement.id == "R-ANS")
    page = dump(RunDocument.from_json(severe)).decode()
    linked = f'locked by <a href="#R-ANS">R-ANS</a> (<a href="#cause-{number}">cause {number}</a>)'
    assert page.count(linked) == 3  # the list of what is not verified, the requirement, the scenario
    scenario = page[page.index('<details class="scenario printed" id="S-BLK-1">') :]
    assert "the call failed with E: no" in scenario[: scenario.index("</details>")]


def test_a_cause_without_a_failed_scenario_shows_its_message_with_links(mixed: Json) -> None:
    number = next(cause.number for cause in RunDocument.from_json(mixed).causes if cause.smallest is None)
    html = card_html(dump(RunDocument.from_json(mixed)).decode(), number)
    assert "inconsistent readings of" in html and '<a href="#LD-VAL-02-01">LD-VAL-02-01</a>' in html
    assert '<article class="scenario"' not in html


def test_the_first_cause_is_open_and_those_after_the_third_are_folded(
    run: Make, requirement: Make, scenario: Make
) -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    ids = [f"S-{word}" for word in words]
    scenarios = [scenario(f"S-{word}", "R-1", "failed", message=word) for word in words]
    page = dump(RunDocument.from_json(run([requirement("R-1", "FAIL", scenarios=ids)], scenarios))).decode()
    cards = re.findall(r'<details class="cause [^>]*>', page)
    assert [card.endswith(" open>") for card in cards] == [True] + [False] * 11
    head, folded = page.split("<summary>9 more causes</summary>")
    assert head.count('<details class="cause ') == 3 and folded.count('<details class="cause ') == 9


def test_many_links_are_folded(run: Make, requirement: Make, scenario: Make) -> None:
    ids = [f"S-{number}" for number in range(60)]
    scenarios = [scenario(id, "R-1", "failed", message="m") for id in ids]
    html = card_html(
        dump(RunDocument.from_json(run([requirement("R-1", "FAIL", scenarios=ids)], scenarios))).decode(), 1
    )
    assert re.search(r'<details class="aside"><summary>Other scenarios of this cause <span class="count">59<', html)


def test_a_long_message_is_cut_in_the_head_and_whole_below(mixed: Json) -> None:
    message = "long " * 400 + "end"
    mixed["specs"][0]["scenarios"][0]["evidence"]["message"] = message
    number = next(cause.number for cause in RunDocument.from_json(mixed).causes if cause.message == message)
    html = card_html(dump(RunDocument.from_json(mixed)).decode(), number)
    assert "more characters)" in html and html.count(message) == 1


def test_an_id_that_looks_like_a_cause_keeps_its_anchor(run: Make, requirement: Make, scenario: Make) -> None:
    document = run(
        [requirement("cause-1", "FAIL", scenarios=["S-1"])], [scenario("S-1", "cause-1", "failed", message="m")]
    )
    page = dump(RunDocument.from_json(document)).decode()
    assert re.search(r'<details class="requirement [^>]*id="cause-1"', page)
    assert re.search(r'<details class="cause [^>]*id="cause-1\.2"', page)
    assert 'href="#cause-1.2">cause 1<' in page


def test_several_specifications_are_named(mixed: Json) -> None:
    mixed["specs"].append({**mixed["specs"][0], "name": "another"})
    page = dump(RunDocument.from_json(mixed)).decode()
    causes = RunDocument.from_json(mixed).causes
    for cause in causes:
        assert f'<span class="level">{cause.spec.name}</span>' in card_html(page, cause.number)
    assert {cause.spec.name for cause in causes} == {"list_directory", "another"}
    assert 'href="#FR-LD-LST-05.2"' in page


def test_race_table_docstring_error_and_readings_are_shown(mixed: Json) -> None:
    pack = next(load_pack(folder) for folder in bundled_packs() if folder.name == "list_directory")
    reading = pack.interpretation("AMB-LD-01").readings[0]
    failed = mixed["specs"][0]["scenarios"][0]
    failed["readings"] = {"AMB-LD-01": reading.label}
    failed["evidence"].update(
        race="a link was replaced in 40 rounds",
        table=[["name", "Size"], ["<b>É", "S"]],
        docstring="Lines\nof <text>",
        outcome={"status": "error", "kind": "PolicyDenied", "message": "<i>No S"},
    )
    mixed["specs"][0].update(version=pack.version, sha256=pack.sha256)
    page = dump(RunDocument.from_json(mixed), [pack]).decode()
    number = next(
        cause.number
        for cause in RunDocument.from_json(mixed).causes
        if cause.smallest and cause.smallest.id == failed["id"]
    )
    html = card_html(page, number)
    assert '<strong>Race:</strong> <span class="untrusted">a link was replaced in 40 rounds</span>' in html
    assert '<th scope="col"><code>Size</code></th>' in html and "<td><code>&lt;b&gt;É</code></td>" in html
    assert "<pre>Lines\nof &lt;text&gt;</pre>" in html
    assert "<strong>PolicyDenied</strong>: &lt;i&gt;No S</pre>" in html
    assert text_of(reading.text.replace("`", "")) in text_of(html).replace(" ,", ",")


def test_each_severity_has_a_sign_with_a_word() -> None:
    assert list(SEVERITIES) == list(Severity)
    assert len({sign.label for sign in SEVERITIES.values()}) == len(SEVERITIES)
    marks = {(sign.mark, sign.style) for sign in SEVERITIES.values()}
    assert len({mark for mark, _ in marks}) == len({style for _, style in marks}) == len(marks)
