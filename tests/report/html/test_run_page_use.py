"""How a reader works with the page of a run in Chromium: lists, keys, theme, copying, compressed evidence, size."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.report.html.browser_page import BrowserPage
from treeproof.report.html import page_parts
from treeproof.report.html.run_page import dump
from treeproof.spec import bundled_packs, load_pack
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
Make = Callable[..., Json]
WritePage = Callable[[bytes], str]

LISTED = "[...document.querySelectorAll('.listed summary .id')].map(one => one.textContent)"


@pytest.fixture(scope="module")
def shared(browser: Any, write_page: WritePage, base: Json) -> Iterator[BrowserPage]:
    run = json.loads(json.dumps(base))
    next(one for one in run["specs"][0]["scenarios"] if one["id"] == "LD-LST-05-02")["basis"] = "prudent"
    page = write_page(dump(RunDocument.from_json(run)))
    opened = BrowserPage(browser, page, "details.requirement")
    yield opened
    opened.close()


@pytest.fixture
def opened(shared: BrowserPage) -> BrowserPage:
    shared.navigate("")
    return shared


def copied(opened: BrowserPage, name: str) -> str:
    opened.page.evaluate("navigator.clipboard.writeText('')")
    opened.page.get_by_role("button", name=name, exact=True).first.click()
    opened.wait_until("navigator.clipboard.readText()")
    return str(opened.page.evaluate("navigator.clipboard.readText()"))


# ---- the list of scenarios ----------------------------------------------------------------------------------------


def test_an_address_opens_the_page_at_the_list_of_scenarios(shared: BrowserPage) -> None:
    shared.navigate("#list=scenarios&verdict=FAIL&sort=id")
    shared.wait_until(f"({LISTED}).length === 3")
    assert shared.page.evaluate(LISTED) == ["LD-LST-05-01", "LD-LST-05-02", "LD-LST-05-03"]
    shared.wait_until("document.activeElement.id === '_list'")
    box = shared.page.locator("#_filter").bounding_box()
    assert box is not None and 0 <= box["y"] < 400
    assert shared.page.inner_text("#_result").startswith("3 of ")
    assert shared.visible_ids() == []


FILTERS = {
    "verdict=FAULT": ["LD-LST-06-01"],
    "text=survivors": ["LD-LST-05-01"],
    "text=max_entries": ["LD-LST-05-01"],
    "reading=AMB-LD-01:exceeded": ["LD-VAL-01-01"],
    "basis=prudent": ["LD-LST-05-02"],
    "cause=1&basis=stated": ["LD-LST-06-01"],
    "level=MAY&verdict=PASS,FAIL": [],
}


def test_scenarios_are_filtered(opened: BrowserPage) -> None:
    for place, ids in FILTERS.items():
        opened.follow(f"#list=scenarios&{place}")
        opened.wait_until(f"JSON.stringify({LISTED}) === '{json.dumps(ids, separators=(',', ':'))}'")


def test_scenarios_are_sorted_by_outcome_duration_and_cause(browser: Any, write_page: WritePage, base: Json) -> None:
    run = json.loads(json.dumps(base))
    scenarios = run["specs"][0]["scenarios"]
    for number, one in enumerate(scenarios):
        one["seconds"] = number / 10
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(run))))
    orders = {}
    for order in ("", "duration", "cause", "id"):
        opened.follow(f"#list=scenarios&sort={order}")
        opened.wait_until(f"({LISTED}).length === {len(scenarios)}")
        orders[order] = opened.page.evaluate(LISTED)
    outcome = {one["id"]: one["outcome"] for one in scenarios}
    assert [outcome[id] for id in orders[""]][:5] == ["failed", "failed", "failed", "fault", "not-verified"]
    assert orders["duration"] == [one["id"] for one in reversed(scenarios)]
    assert orders["id"] == sorted(outcome)
    texts = opened.page.evaluate("[...document.querySelectorAll('.listed .tally')].map(one => one.textContent)")
    assert len(texts) == len(scenarios) and all(text.endswith(" ms") for text in texts)
    opened.follow("#list=scenarios&sort=cause")
    opened.wait_until(f"({LISTED}).length === {len(scenarios)}")
    texts = opened.page.evaluate("[...document.querySelectorAll('.listed .tally')].map(one => one.textContent)")
    numbers = [int(found[1]) if (found := re.search(r"cause (\d+)", text)) else 99 for text in texts]
    assert numbers == sorted(numbers) and numbers[0] == 1
    opened.close()


def test_a_scenario_of_the_list_opens_with_its_evidence(shared: BrowserPage) -> None:
    shared.navigate("#list=scenarios&text=survivors")
    shared.wait_until(f"({LISTED}).length === 1")
    shared.page.click(".listed summary")
    shared.page.locator(".listed ins").first.wait_for()
    assert shared.page.locator(".listed ins").all_text_contents() == ["-"]
    assert shared.page.locator(".listed .line").nth(1).inner_text() == "the entries differ from the expected ones"
    assert "list_directory {" in shared.page.locator(".listed summary code").inner_text()


def test_a_long_list_is_shown_in_pieces(
    browser: Any, write_page: WritePage, run: Make, requirement: Make, scenario: Make
) -> None:
    ids = [f"S-{number:03}" for number in range(230)]
    document = run([requirement("R-1", scenarios=ids)], [scenario(id, "R-1") for id in ids])
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(document))))
    opened.navigate("#list=scenarios")
    opened.wait_until(f"({LISTED}).length === 100")
    opened.page.get_by_role("button", name="Show 100 more of 130").click()
    assert opened.page.evaluate("document.activeElement.querySelector('.id').textContent") == "S-100"
    opened.page.get_by_role("button", name="Show 30 more of 30").click()
    assert opened.page.evaluate(LISTED) == ids
    opened.close()


# ---- keys ---------------------------------------------------------------------------------------------------------


def test_escape_clears_the_filter_and_the_address(shared: BrowserPage) -> None:
    shared.navigate("#verdict=FAIL&text=order&at=LD-LST-05-03")
    shared.page.keyboard.press("Escape")
    assert len(shared.visible_ids()) == 9 and shared.page.input_value("#_text") == ""
    assert shared.page.evaluate("location.href").endswith(".html")
    assert shared.page.locator(".found").count() == 0


def test_a_question_mark_opens_the_list_of_keys_and_escape_only_closes_it(shared: BrowserPage) -> None:
    shared.navigate("#verdict=FAIL")
    shared.page.keyboard.press("?")
    dialog = shared.page.get_by_role("dialog", name="Keys")
    assert dialog.is_visible() and "next and previous" in dialog.inner_text()
    shared.page.keyboard.press("j")
    shared.page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert shared.location_hash() == "#verdict=FAIL"
    shared.page.get_by_role("button", name="Keys").click()
    assert dialog.is_visible()
    dialog.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()


def test_keys_move_from_cause_to_cause_and_on_to_the_requirements(opened: BrowserPage) -> None:
    opened.page.keyboard.press("j")
    first = opened.focused_id()
    assert first == "cause-1"
    opened.page.keyboard.press("j")
    assert opened.focused_id() == "cause-2"
    opened.page.keyboard.press("k")
    assert opened.focused_id() == first
    opened.page.focus("#FR-LD-VAL-01 > summary")
    opened.page.keyboard.press("j")
    assert opened.focused_id() == "FR-LD-VAL-02"
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("jk?")
    assert opened.page.input_value("#_text") == "jk?"


def test_the_skip_link_lands_in_the_content_and_leaves_the_address(shared: BrowserPage) -> None:
    shared.navigate("#verdict=FAIL")
    shared.page.evaluate("scrollTo(0, 0)")
    shared.page.focus("a.skip")
    shared.page.keyboard.press("Enter")
    assert shared.page.evaluate("document.activeElement.id") == "_main"
    assert abs(shared.page.evaluate("document.getElementById('_main').getBoundingClientRect().top")) < 120
    assert shared.location_hash() == "#verdict=FAIL"
    shared.page.keyboard.press("Tab")
    assert shared.page.evaluate("document.getElementById('_main').contains(document.activeElement)")


# ---- theme --------------------------------------------------------------------------------------------------------

GROUND = "getComputedStyle(document.documentElement).backgroundColor"


def test_a_theme_is_chosen_and_remembered(browser: Any, shared: BrowserPage) -> None:
    opened = BrowserPage(browser, shared.address, color_scheme="light")
    light = opened.page.evaluate(GROUND)
    opened.page.select_option("#_theme", "dark")
    dark = opened.page.evaluate(GROUND)
    assert dark != light
    opened.navigate("")
    assert (opened.page.evaluate(GROUND), opened.page.input_value("#_theme")) == (dark, "dark")
    opened.page.emulate_media(color_scheme="dark")
    opened.page.select_option("#_theme", "light")
    assert opened.page.evaluate(GROUND) == light
    opened.page.select_option("#_theme", "system")
    assert opened.page.evaluate(GROUND) == dark
    opened.page.emulate_media(media="print")
    assert opened.page.evaluate(GROUND) == "rgb(255, 255, 255)"
    assert opened.console_messages == []
    opened.close()


def test_without_a_storage_a_theme_can_still_be_chosen(browser: Any, shared: BrowserPage) -> None:
    opened = BrowserPage(browser, shared.address)
    opened.page.emulate_media(color_scheme="light")
    opened.page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('none'); }})")
    opened.navigate("")
    light = opened.page.evaluate(GROUND)
    opened.page.select_option("#_theme", "dark")
    assert opened.page.evaluate(GROUND) != light
    assert opened.console_messages == []
    opened.close()


# ---- copying ------------------------------------------------------------------------------------------------------


def test_call_request_answer_and_scenario_are_copied(opened: BrowserPage) -> None:
    opened.follow("#LD-LST-05-01")
    arguments = '{"recursive": true, "max_entries": 2, "path": "."}'
    assert copied(opened, "Copy call of LD-LST-05-01") == f"list_directory {arguments}"
    request = copied(opened, "Copy request of LD-LST-05-01")
    assert json.loads(request) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "call",
        "params": {
            "tool": "list_directory",
            "arguments": json.loads(arguments),
            "context": {"roots": ["$ROOT"], "working_dir": "$ROOT", "max_output_bytes": 543},
        },
    }
    assert copied(opened, "Copy call result of LD-LST-05-01") == '{"entries":[]}'
    assert copied(opened, "Copy scenario of LD-LST-05-01").split("\n") == [
        "Scenario: pre-order decides survivors, path order decides output",
        '  Given the tree "a/{b}, a-b"',
        '  Then the entries are "a, a/b"',
    ]
    assert copied(opened, "Copy the command for this run") == "treeproof run 'stdio:node '\"'\"'server.mjs'\"'\"''"


def test_the_line_that_pins_an_observed_choice_is_copied(browser: Any, write_page: WritePage, base: Json) -> None:
    pack = next(load_pack(folder) for folder in bundled_packs() if folder.name == "list_directory")
    choice = pack.interpretation("AMB-LD-01")
    run = json.loads(json.dumps(base))
    (spec,) = run["specs"]
    spec.update(version=pack.version, sha256=pack.sha256)
    label = choice.readings[1].label
    observed = {"observed": [label], "consistent": True, "scenarios": {label: ["LD-LST-05-01"]}}
    spec["interpretations"] = [{"id": choice.id, "treatment": choice.treatment, **observed}]
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(run), [pack])))
    assert copied(opened, f"Copy line of {choice.id} {label} for the list of readings") == f'{choice.id} = "{label}"'
    opened.close()


# ---- many failures ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many_page() -> bytes:
    from tests.report.conftest import make_requirement, make_run, make_scenario
    from tests.report.html.test_page_parts import listing, make_failures

    return dump(RunDocument.from_json(make_failures(make_run, make_requirement, make_scenario, text=listing)))


@pytest.fixture(scope="module")
def many(browser: Any, write_page: WritePage, many_page: bytes) -> Iterator[BrowserPage]:
    opened = BrowserPage(browser, write_page(many_page), "details.requirement")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def packed(browser: Any, write_page: WritePage) -> Iterator[BrowserPage]:
    """Yield a page with some evidence in the page and most of it compressed, as in a page with many failures."""
    from tests.report.conftest import make_requirement, make_run, make_scenario
    from tests.report.html.test_page_parts import listing, make_failures

    run = make_failures(make_run, make_requirement, make_scenario, text=listing, size=24)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_parts, "MAX_INLINE", 20_000)
        opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(run))), "details.requirement")
    yield opened
    opened.close()


PACKED = "details.scenario[data-chunk]"


@pytest.mark.slow
def test_a_page_with_1500_failures_has_at_most_two_megabytes_and_all_evidence(many_page: bytes) -> None:
    assert len(many_page) <= 2_000_000
    assert b"of the evidence would make this page too large" not in many_page
    assert b'<div class="scenario left-out' not in many_page


def test_compressed_evidence_opens_as_if_it_were_in_the_page(packed: BrowserPage) -> None:
    packed.navigate("")
    id = packed.page.locator(PACKED).first.get_attribute("id")
    assert packed.page.locator(f"[id='{id}'] .evidence").count() == 0
    packed.navigate(f"#{id}")
    packed.page.locator(f"[id='{id}'] .evidence").wait_for()
    shown = packed.page.locator(f"[id='{id}']")
    assert shown.locator("ins").count() > 0 and shown.locator("ol.tree li").count() == 6
    assert f"--select {id}" in shown.locator(".command").inner_text()
    assert packed.external_requests() == [] and packed.console_messages == []


def test_a_search_finds_a_text_of_compressed_evidence(packed: BrowserPage) -> None:
    packed.navigate("#list=scenarios&text=n2310+wxyz")
    packed.wait_until("document.getElementById('_result').textContent.startsWith('0 of')")
    packed.follow("#list=scenarios&text=%22n2310%22")
    packed.wait_until(f"({LISTED}).length > 0")
    assert set(packed.page.evaluate(LISTED)) <= {f"XX-SECT-23-{position:02}" for position in range(18)}


def test_hostile_evidence_is_text_when_it_opens(
    browser: Any, write_page: WritePage, hostile: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_parts, "MAX_INLINE", 0)
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(hostile))))
    assert opened.page.locator(f"{PACKED} .evidence").count() == 0
    opened.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    opened.page.locator(f"{PACKED} .evidence").first.wait_for()
    opened.page.mouse.move(300, 300)
    assert opened.page.evaluate("[window.hit, document.scripts.length, document.images.length]") == [None, 1, 0]
    assert "<img src=x onerror=window.hit=3>" in opened.page.locator(f"{PACKED} .evidence").first.inner_text()
    attributes = "[...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames())"
    assert [name for name in opened.page.evaluate(attributes) if name.startswith("on")] == []
    assert (opened.console_messages, opened.external_requests()) == ([], [])
    opened.close()


def test_without_a_script_the_page_says_where_the_compressed_evidence_is(browser: Any, packed: BrowserPage) -> None:
    opened = BrowserPage(browser, packed.address, runs_scripts=False)
    assert "treeproof explain ID --report RUN.json" in opened.page.inner_text(".packed-note")
    assert opened.page.locator(".cause .evidence").first.is_visible()
    opened.close()
    assert not packed.page.locator(".without-script").is_visible()


def test_a_run_with_1500_failures_is_printed_on_at_most_25_sheets(many: BrowserPage) -> None:
    many.navigate("")
    pages = len(re.findall(rb"/Type\s*/Page[^s]", many.page.pdf(format="A4")))
    assert 2 <= pages <= 25
