"""The matrix page in Chromium: sorting, folding, filters, links, attacks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.report.html.browser_page import BrowserPage
from treeproof.report.html.matrix_page import dump
from treeproof.report.matrix import build_matrix
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
WritePage = Callable[[bytes], str]

VERDICTS = {
    "alpha": "PASS FAIL PASS FAIL PASS NOT_APPLICABLE",
    "beta": "PASS PASS PASS PASS NOT_VERIFIED NOT_APPLICABLE",
    "gamma": "PASS PASS PASS FAIL PASS NOT_APPLICABLE",
}


@pytest.fixture(scope="module")
def runs() -> list[Json]:
    """Return runs of three candidates for one specification, and an earlier run of the first candidate."""
    return [
        *(make_run(name, verdicts.split(), "2001-01-02T00:00:00Z") for name, verdicts in VERDICTS.items()),
        make_run("alpha", ["PASS"] * 6, "2001-01-01T00:00:00Z"),
    ]


def make_run(name: str, verdicts: list[str], started: str) -> Json:
    requirements: list[Json] = [
        {
            "id": f"A-{number}",
            "level": "SHOULD" if number == 5 else "MUST",
            "section": "3.1 first" if number < 4 else "3.2 second",
            "text": f"the text of A-{number}",
            "verdict": verdict.replace("_", " "),
            "scenarios": [],
            "cause": None if verdict in ("PASS", "FAIL") else f"why {verdict}",
            "known": False,
        }
        for number, verdict in enumerate(verdicts, 1)
    ]
    failed = [
        {
            "id": f"S-{requirement['id']}",
            "requirement": requirement["id"],
            "outcome": "failed",
            "title": "a title",
            "file": "",
            "line": 0,
            "also": [],
            "readings": {},
            "warnings": [],
            "seconds": 0.0,
            "advisory": False,
            "evidence": {"message": f"{name} broke it"},
        }
        for requirement in requirements
        if requirement["verdict"] == "FAIL"
    ]
    spec: Json = {"name": "spec", "version": "1.0", "title": "", "sha256": "", "interpretations": []}
    spec |= {"requirements": requirements, "scenarios": failed}
    candidate = {"name": name, "version": "1", "language": "go", "adapter": "stdio", "capabilities": []}
    return {
        "candidate": candidate,
        "verdict": "non-conformant",
        "reason": f"{len(failed)} do not hold",
        "claim": True,
        "started": started,
        "profile": "default",
        "selection": None,
        "exit": 1,
        "machine": {"system": "Linux", "root": False},
        "seed": 0,
        "seconds": 1.0,
        "interrupted": False,
        "warnings": [],
        "treeproof": "0.1.0",
        "specs": [spec],
    }


@pytest.fixture(scope="module")
def opened(browser: Any, write_page: WritePage, runs: list[Json]) -> Iterator[BrowserPage]:
    page = BrowserPage(
        browser, write_page(dump(build_matrix(list(map(RunDocument.from_json, runs))))), "tr.requirement"
    )
    yield page
    page.close()


def test_the_page_makes_no_requests_and_logs_no_messages(opened: BrowserPage) -> None:
    opened.follow("#")
    assert opened.visible_ids() == ["A-1", "A-2", "A-3", "A-4", "A-5", "A-6"]
    opened.page.locator("button.more").first.click()
    assert (opened.console_messages, opened.external_requests()) == ([], [])


def test_a_column_sorts_sections_and_rows_and_back(opened: BrowserPage) -> None:
    opened.follow("#")
    alpha = opened.page.locator("th", has_text="alpha").locator("button.sort")
    head = opened.page.locator("table.matrix th", has_text="alpha")
    alpha.click()
    assert opened.visible_ids() == ["A-2", "A-1", "A-3", "A-4", "A-5", "A-6"]
    assert head.get_attribute("aria-sort") == "ascending" and opened.location_hash() == "#sort=0"
    alpha.click()
    assert opened.visible_ids() == ["A-6", "A-5", "A-4", "A-1", "A-3", "A-2"]
    assert head.get_attribute("aria-sort") == "descending" and opened.location_hash() == "#sort=0-"
    alpha.click()
    assert opened.visible_ids() == [f"A-{n}" for n in range(1, 7)] and opened.location_hash() == ""


def test_sections_fold_and_unfold_by_keyboard(opened: BrowserPage) -> None:
    opened.follow("#")
    first = opened.page.locator("button.toggle").first
    first.focus()
    opened.page.keyboard.press("Enter")
    assert opened.visible_ids() == ["A-4", "A-5", "A-6"] and first.get_attribute("aria-expanded") == "false"
    assert opened.location_hash() == "#folded=0.0"
    opened.page.click("#_fold")
    assert opened.visible_ids() == [] and opened.location_hash() == "#folded=all"
    opened.page.click("#_fold")
    assert len(opened.visible_ids()) == 6


@pytest.mark.parametrize(
    ("click", "ids", "address"),
    [
        ("input[value=differs]", ["A-2", "A-4", "A-5"], "#only=differs"),
        ("input[value=changed]", ["A-2", "A-4", "A-6"], "#only=changed"),
        ("input[value='NOT VERIFIED']", ["A-5"], "#verdict=NOT+VERIFIED"),
        ("input[value=SHOULD]", ["A-5"], "#level=SHOULD"),
    ],
)
def test_a_filter_selects_rows_and_is_kept_in_the_address(
    opened: BrowserPage, click: str, ids: list[str], address: str
) -> None:
    opened.follow("#")
    opened.page.check(click)
    assert (opened.visible_ids(), opened.location_hash()) == (ids, address)
    opened.navigate(address)
    assert opened.visible_ids() == ids
    assert opened.page.text_content("#_result") == f"{len(ids)} of 6 requirements"
    opened.page.click("#_clear")
    assert len(opened.visible_ids()) == 6


def test_a_count_of_differences_links_to_the_rows(opened: BrowserPage) -> None:
    opened.follow("#")
    counts = opened.page.locator("table.pairs tbody td").all_text_contents()
    assert counts == ["–", "3", "1", "3", "–", "2", "1", "2", "–"]
    opened.page.locator("table.pairs tbody a").nth(1).click()
    assert opened.visible_ids() == ["A-2"] and opened.location_hash() == "#pair=0-2"


def test_the_slash_key_focuses_the_search_field(opened: BrowserPage) -> None:
    opened.follow("#")
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("why not_verified")
    assert (opened.focused_id(), opened.visible_ids()) == ("_text", ["A-5"])
    opened.page.keyboard.press("Escape")
    assert (len(opened.visible_ids()), opened.location_hash()) == (6, "")


def test_a_search_finds_causes_and_reports_when_nothing_matches(opened: BrowserPage) -> None:
    opened.follow("#")
    opened.page.fill("#_text", "why not_verified")
    assert opened.visible_ids() == ["A-5"]
    opened.page.fill("#_text", "delta broke")
    assert opened.visible_ids() == [] and opened.page.is_visible("#_none")


def test_a_deep_link_opens_the_requirement_whatever_is_folded_or_filtered(opened: BrowserPage) -> None:
    opened.navigate("#folded=all&only=changed&sort=1&at=A-2")
    detail = opened.page.locator("#A-2 + tr.detail")
    assert detail.is_visible() and "alpha broke it" in (detail.text_content() or "")
    assert "(was PASS)" in (detail.text_content() or "")
    assert opened.page.evaluate("document.activeElement.textContent") == "A-2"
    opened.navigate("#A-5")
    assert opened.page.is_visible("#A-5 + tr.detail")
    opened.wait_until_focused("A-5")
    opened.navigate("#%E0%A4%A&sort=99&pair=7-8&verdict=nothing")  # an invalid address
    assert (opened.console_messages, opened.external_requests()) == ([], [])


def test_without_javascript_all_content_is_visible(browser: Any, opened: BrowserPage) -> None:
    plain = BrowserPage(browser, opened.address, runs_scripts=False)
    page = plain.page
    assert page.locator("tr.requirement").count() == 6 and page.is_visible("#A-2 + tr.detail")
    assert not page.is_visible("#_filter") and "A-2" in page.inner_text("#A-2")
    plain.close()


def test_a_small_screen_does_not_scroll_and_print_shows_the_table(browser: Any, opened: BrowserPage) -> None:
    small = BrowserPage(browser, opened.address, size=(360, 700))
    assert small.page.evaluate("document.documentElement.scrollWidth") == 360
    small.page.emulate_media(media="print")
    assert not small.page.is_visible("#_filter") and not small.page.is_visible("#A-1 + tr.detail")
    assert small.page.is_visible("#A-1")
    small.close()


@pytest.fixture(scope="module")
def wide(browser: Any, write_page: WritePage) -> Iterator[BrowserPage]:
    """Yield the page of 200 candidates, each with five failures and long messages."""
    verdicts = [["PASS" if at == number % 6 else "FAIL" for at in range(6)] for number in range(200)]
    runs = [make_run(f"candidate {number}", one, "2001-01-01T00:00:00Z") for number, one in enumerate(verdicts)]
    for number, run in enumerate(runs):
        for one in run["specs"][0]["scenarios"]:
            one["evidence"]["message"] += f" {'somehow ' * 40}{number}at{one['id']}end"
    page = dump(build_matrix(list(map(RunDocument.from_json, runs))))
    assert len(page) < 450_000
    shown = BrowserPage(browser, write_page(page), "tr.requirement")
    yield shown
    shown.close()


def test_many_candidates_have_compressed_details_that_open_and_are_searched(wide: BrowserPage) -> None:
    wide.follow("#")
    assert wide.page.locator("table.pairs").count() == 0 and wide.page.locator("#A-1 td").count() == 200
    detail = wide.page.locator("#A-6 + tr.detail")
    assert not (detail.text_content() or "").strip() and wide.page.locator("template.chunk").count() > 0
    wide.page.locator("#A-6 button.more").click()
    detail.get_by_text("199atS-A-6end").wait_for()
    assert "33 candidates" in (detail.text_content() or "")
    wide.page.fill("#_text", "199atS-A-6end")
    wide.page.wait_for_function("document.querySelector('#_result').textContent.startsWith('1 of')")
    assert wide.visible_ids() == ["A-6"]
    assert (wide.console_messages, wide.external_requests()) == ([], [])


def test_two_of_many_candidates_are_chosen_and_kept_in_the_address(wide: BrowserPage) -> None:
    wide.follow("#")
    wide.page.select_option("#_one", "1")
    assert len(wide.visible_ids()) == 6
    wide.page.select_option("#_other", "198")
    assert (wide.visible_ids(), wide.location_hash()) == (["A-1", "A-2"], "#one=1&other=198")
    wide.navigate("#one=3&other=9")
    assert wide.visible_ids() == []


def test_only_the_candidates_with_a_run_are_columns(runs: list[Json]) -> None:
    other = copy.deepcopy(runs[0])
    other["candidate"]["name"] = "delta"
    other["specs"][0]["name"] = "another"
    page = dump(build_matrix(map(RunDocument.from_json, [*runs, other]))).decode()
    heads = [table.split("</thead>")[0].count('<th scope="col" aria-sort') for table in page.split('class="matrix')[1:]]
    assert heads == [1, 3]


def test_an_injected_script_does_not_run(browser: Any, write_page: WritePage, runs: list[Json]) -> None:
    text = (
        '</script><script>window.hit=1</script><img src=x onerror=window.hit=2>" onfocus=window.hit=3'
        " {{7*7}}\u202e\ud800"
    )
    hostile_runs = copy.deepcopy(runs)
    for number, run in enumerate(hostile_runs):
        run["candidate"] |= {**dict.fromkeys(("version", "language", "adapter"), text), "name": f"{number % 2}{text}"}
        run["reason"] = text
        spec = run["specs"][0]
        spec["name"] = spec["version"] = text
        for requirement in spec["requirements"]:
            requirement.update(section=text, text=text, cause=text)
        for scenario in spec["scenarios"]:
            scenario.update(title=text, evidence={"message": text})
    page = BrowserPage(browser, write_page(dump(build_matrix(list(map(RunDocument.from_json, hostile_runs))))))
    page.page.locator("button.more").first.click()
    assert page.page.evaluate("window.hit") is None and (page.console_messages, page.external_requests()) == ([], [])
    seen = page.page.inner_text("body")
    assert "<script>window.hit=1</script>" in seen and "{{7*7}}\\u{202e}\\ud800" in seen
    page.close()
