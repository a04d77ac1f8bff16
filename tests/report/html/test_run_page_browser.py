"""The page of a run in Chromium: filters, links, keys, print, small screens, attacks."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.report.html.browser_page import BrowserPage
from treeproof.report.html.run_page import dump
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
WritePage = Callable[[bytes], str]

CARDS = "details.requirement"
# Every visible text with its colour and the nearest background colour.
TEXTS = """() => {
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({visibilityProperty: true})) continue;
    if (element.closest('.unseen, .skip, option, script, style')) continue;
    const grounds = [];
    for (let one = element; one; one = one.parentElement) grounds.push(getComputedStyle(one).backgroundColor);
    const seen = [getComputedStyle(element).color, ...grounds.filter((ground) => !/, 0\\)$/.test(ground))];
    found.set(seen.slice(0, 2).join('|'), [seen[0], seen[1], node.data.trim().slice(0, 40)]);
  }
  return [...found.values()];
}"""


@pytest.fixture(scope="module")
def shared(browser: Any, write_page: WritePage, base: Json) -> Iterator[BrowserPage]:
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(base))), CARDS)
    yield opened
    opened.close()


@pytest.fixture
def opened(shared: BrowserPage) -> BrowserPage:
    shared.navigate("")
    return shared


# ---- filters and links --------------------------------------------------------------------------------------------


def test_a_verdict_filter_updates_the_count_and_the_address(opened: BrowserPage) -> None:
    opened.page.locator("#_filter").get_by_label("fail").check()
    assert opened.visible_ids() == ["FR-LD-VAL-02", "FR-LD-LST-05"]
    assert opened.page.inner_text("#_result") == "2 of 9 requirements"
    opened.wait_until("location.hash === '#verdict=FAIL'")
    opened.wait_until("document.getElementById('_status').textContent === '2 of 9 requirements'")
    opened.page.get_by_role("button", name="Show all").first.click()
    assert len(opened.visible_ids()) == 9


ADDRESSES = {
    "#verdict=FAIL,PASS&level=MUST": ["FR-LD-VAL-01", "FR-LD-VAL-02", "FR-LD-LST-05"],
    "#level=MAY": ["FR-LD-LST-11"],
    "#section=3.2+Validation": ["FR-LD-VAL-01", "FR-LD-VAL-02"],
    "#text=pre-order+survivors": ["FR-LD-LST-05"],
    "#text=index+out+of+range": ["FR-LD-LST-06"],
    "#text=nowhere": [],
}


def test_an_address_selects_a_filter(opened: BrowserPage) -> None:
    for place, shown in ADDRESSES.items():
        opened.follow(place)
        assert (place, opened.visible_ids(), opened.page.is_visible("#_none")) == (place, shown, not shown)
    assert opened.console_messages == []


@pytest.mark.parametrize("place", ["#section=no+such&level=&verdict=%zz", "#%E0%A4%A"])
def test_an_invalid_address_selects_all(shared: BrowserPage, place: str) -> None:
    shared.navigate(place)
    assert len(shared.visible_ids()) == 9
    assert not shared.page.is_visible("#_none")
    assert shared.console_messages == []


def test_an_address_with_an_unknown_verdict_is_a_note_on_the_page(shared: BrowserPage) -> None:
    shared.navigate("#verdict=BROKEN,FAIL")
    assert shared.page.inner_text("#_unknown") == "This page has nothing for verdict=BROKEN."
    assert shared.visible_ids() == ["FR-LD-VAL-02", "FR-LD-LST-05"]
    shared.page.locator("#_filter").get_by_label("pass").check()
    assert not shared.page.is_visible("#_unknown")
    shared.navigate("")
    assert not shared.page.is_visible("#_unknown")


def test_a_search_hides_the_other_scenarios_of_a_requirement(opened: BrowserPage) -> None:
    parts = "#FR-LD-LST-05 :is(.scenario, .rows > li):not([hidden])"
    opened.page.fill("#_text", "LD-LST-05-03")
    assert opened.page.eval_on_selector_all(parts, "all => all.map(one => one.id)") == ["LD-LST-05-03"]
    opened.page.fill("#_text", "")
    assert opened.page.locator(parts).count() == 3


def test_a_search_finds_the_evidence_that_a_cause_shows(opened: BrowserPage) -> None:
    opened.page.fill("#_text", "first difference at")
    assert opened.visible_ids() == []
    opened.page.fill("#_text", "index out of range")
    assert opened.visible_ids() == ["FR-LD-LST-06"]
    rows = opened.page.locator("#FR-LD-LST-06 .rows > li:not([hidden])")
    assert rows.evaluate_all("all => all.map(one => one.dataset.scenario)") == ["LD-LST-06-01"]


@pytest.mark.parametrize("id", ["FR-LD-LST-05", "LD-LST-05-03", "cause-2", "FR-LD-LST-09", "LD-VAL-01-01", "AMB-LD-01"])
def test_a_deep_link_opens_and_focuses_its_element(shared: BrowserPage, id: str) -> None:
    shared.navigate(f"#{id}")
    assert shared.page.locator(f"[id='{id}']").is_visible()
    shared.wait_until_focused(id)
    top = shared.page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", id)
    assert -1 <= top <= 800


def test_a_deep_link_to_the_smallest_case_also_shows_the_message_of_its_cause(shared: BrowserPage) -> None:
    shared.navigate("#LD-LST-05-01")
    shared.wait_until_focused("LD-LST-05-01")
    place = "one => { const box = one.getBoundingClientRect(); return [box.top, box.bottom]; }"
    assert -1 <= shared.page.locator("#LD-LST-05-01").evaluate(place)[0] <= 800
    top, bottom = shared.page.locator(".cause:has(#LD-LST-05-01) > * .message").first.evaluate(place)
    assert 0 <= top < bottom <= 800


def test_a_link_opens_the_closed_card_of_a_cause(opened: BrowserPage) -> None:
    opened.page.eval_on_selector_all("details.cause", "all => all.forEach(one => one.open = false)")
    assert not opened.page.locator("#LD-LST-05-02").is_visible()
    opened.page.click(".failures a[href='#cause-2']")
    assert opened.page.locator("#LD-LST-05-02").is_visible()
    assert opened.focused_id() == "cause-2"


def test_a_deep_link_overrides_a_filter_that_hides_it(shared: BrowserPage) -> None:
    shared.navigate("#verdict=PASS&at=LD-LST-05-03")
    assert shared.page.locator("#LD-LST-05-03 .message").is_visible()
    assert len(shared.visible_ids()) == 9
    shared.wait_until_focused("LD-LST-05-03")


def test_a_link_keeps_the_filter_and_back_restores_it(shared: BrowserPage) -> None:
    shared.navigate("#verdict=FAIL")
    shared.page.eval_on_selector(".causes a[href='#LD-LST-05-03']", "one => one.click()")
    assert shared.location_hash() == "#verdict=FAIL&at=LD-LST-05-03"
    shared.page.go_back()
    assert (shared.location_hash(), shared.visible_ids()) == ("#verdict=FAIL", ["FR-LD-VAL-02", "FR-LD-LST-05"])


def test_back_restores_the_text_typed_before_a_link(opened: BrowserPage) -> None:
    opened.page.evaluate(
        """() => {
          const text = document.getElementById('_text');
          text.value = 'pre-order survivors';
          text.dispatchEvent(new Event('input', {bubbles: true}));
          document.querySelector(".rows a[href='#LD-LST-05-01']").click();
        }"""
    )
    assert opened.location_hash() == "#text=pre-order+survivors&at=LD-LST-05-01"
    opened.page.go_back()
    opened.page.wait_for_timeout(200)
    assert (opened.location_hash(), opened.visible_ids()) == ("#text=pre-order+survivors", ["FR-LD-LST-05"])


def test_a_filter_that_matches_everything_can_be_cleared(shared: BrowserPage) -> None:
    shared.navigate("#verdict=PASS,FAIL,NOT+VERIFIED,NOT+APPLICABLE,EXCLUDED")
    assert len(shared.visible_ids()) == 9 and shared.page.is_visible("#_clear")
    shared.page.click("#_clear")
    assert (shared.location_hash(), shared.focused_id()) == ("", "_text")


def test_a_tile_of_the_map_links_to_its_requirement(opened: BrowserPage) -> None:
    opened.page.get_by_role("link", name="FR-LD-LST-09 NOT VERIFIED").click()
    assert opened.page.locator("#FR-LD-LST-09 .body").is_visible()
    assert opened.focused_id() == "FR-LD-LST-09"


def test_the_command_is_copied_unchanged(opened: BrowserPage) -> None:
    opened.follow("#LD-LST-05-01")
    button = opened.page.get_by_role("button", name="Copy the command for LD-LST-05-01")
    button.click()
    opened.wait_until("document.getElementById('_status').textContent.startsWith('Copied')")
    copied = opened.page.evaluate("navigator.clipboard.readText()")
    assert copied == "treeproof run 'stdio:node '\"'\"'server.mjs'\"'\"'' --select LD-LST-05-01"


# ---- keyboard and accessibility -----------------------------------------------------------------------------------


def test_the_page_can_be_used_with_the_keyboard_only(opened: BrowserPage) -> None:
    keys = opened.page.keyboard
    keys.press("Tab")
    assert opened.page.evaluate("document.activeElement.textContent") == "Skip to the content"
    keys.press("Enter")
    assert opened.page.evaluate("document.activeElement.id") == "_main"
    keys.press("/")
    assert opened.page.evaluate("document.activeElement.id") == "_text"
    keys.type("FR-LD-LST")
    keys.press("Enter")
    assert opened.focused_id() == "FR-LD-LST-05"
    keys.press("j")
    assert opened.focused_id() == "FR-LD-LST-06"
    assert not opened.page.locator("#FR-LD-LST-06 .body").first.is_visible()
    keys.press("Enter")
    assert opened.page.locator("#FR-LD-LST-06 .body").first.is_visible()
    keys.press("k")
    assert opened.focused_id() == "FR-LD-LST-05"
    width = opened.page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(width.removesuffix("px")) >= 2
    keys.press("/")
    keys.press("Escape")
    assert len(opened.visible_ids()) == 9


def test_every_control_has_a_name_and_every_part_a_landmark(opened: BrowserPage) -> None:
    session = opened.context.new_cdp_session(opened.page)
    nodes = [node for node in session.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if "role" in node]
    controls = {"button", "link", "checkbox", "searchbox", "combobox", "DisclosureTriangle", "form", "search"}
    assert [role for role, name in named if role in controls and not name.strip()] == []
    roles = [role for role, _ in named]
    assert {"banner", "main", "contentinfo", "search", "status", "heading"} <= set(roles)
    assert (roles.count("main"), roles.count("banner"), roles.count("contentinfo")) == (1, 1, 1)
    levels = opened.page.eval_on_selector_all("h1, h2, h3, h4", "all => all.map(one => Number(one.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1
    assert [pair for pair in zip(levels, levels[1:], strict=False) if pair[1] > pair[0] + 1] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(opened: BrowserPage, scheme: str) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    opened.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    seen = opened.page.evaluate(TEXTS)
    opened.page.emulate_media(color_scheme="light")
    assert len(seen) > 10
    assert [text for text in seen if contrast(text[0], text[1]) < 4.5] == []


def contrast(one: str, other: str) -> float:
    """Return the contrast of two opaque colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_verdicts_differ_in_more_than_colour(opened: BrowserPage) -> None:
    signs = opened.page.eval_on_selector_all(
        ".sign, .tile", "all => all.map(one => [one.className.split(' ')[1], one.textContent.trim()[0]])"
    )
    glyphs = dict(tuple(sign) for sign in signs)
    assert set(glyphs) >= {"pass", "fail", "open", "none", "out"}
    assert len(set(glyphs.values())) == len(glyphs)


@pytest.mark.skipif(
    "AXE_PATH" not in os.environ, reason="not verified: the axe-core checks of the page; needs AXE_PATH=…/axe.min.js"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_reports_no_violation(browser: Any, shared: BrowserPage, scheme: str) -> None:
    opened = BrowserPage(browser, shared.address, bypass_csp=True, color_scheme=scheme)
    opened.page.add_script_tag(path=os.environ["AXE_PATH"])
    found = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    opened.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []


# ---- print, small screens, no script ------------------------------------------------------------------------------


def test_tree_call_and_difference_are_in_boxes_with_their_own_background(opened: BrowserPage) -> None:
    boxes = opened.page.evaluate(
        """() => [...document.querySelectorAll('figure pre')].map((one) => [
            getComputedStyle(one).paddingLeft !== '0px',
            getComputedStyle(one).backgroundColor !== getComputedStyle(one.closest('.scenario')).backgroundColor
              && !/, 0\\)$/.test(getComputedStyle(one).backgroundColor),
        ])"""
    )
    assert len(boxes) >= 4
    assert all(map(all, boxes))


def test_in_print_every_failure_is_open(opened: BrowserPage) -> None:
    closed = opened.page.locator("#LD-LST-05-03 .message")
    assert not closed.is_visible()
    opened.page.emulate_media(media="print")
    assert closed.bounding_box()["height"] > 0  # by the style alone, without a script
    assert not opened.page.locator("#_filter").is_visible()
    assert not opened.page.locator("#FR-LD-VAL-01 .rows").is_visible()
    opened.page.emulate_media(media="screen")
    assert opened.page.pdf()[:5] == b"%PDF-"
    assert not closed.is_visible()


def test_without_javascript_failures_are_visible_and_controls_hidden(browser: Any, shared: BrowserPage) -> None:
    opened = BrowserPage(browser, shared.address, runs_scripts=False)
    assert opened.page.locator(".cause .message").first.is_visible()
    assert opened.page.locator(".cause[open] .command").is_visible()
    assert not opened.page.locator("#_filter").is_visible()
    assert not opened.page.locator(".copy").first.is_visible()
    opened.close()


def test_a_narrow_screen_needs_no_horizontal_scrolling(browser: Any, write_page: WritePage, hostile: Json) -> None:
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(hostile))), size=(360, 700))
    opened.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 360
    opened.close()


# ---- attacks ------------------------------------------------------------------------------------------------------


def test_hostile_texts_do_not_run_and_load_nothing(browser: Any, write_page: WritePage, hostile: Json) -> None:
    opened = BrowserPage(browser, write_page(dump(RunDocument.from_json(hostile))), CARDS)
    opened.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    opened.page.fill("#_text", "<script>window.hit = 1</script>")
    opened.page.mouse.move(300, 300)
    assert opened.page.evaluate("[window.hit, document.scripts.length, document.images.length]") == [None, 1, 0]
    assert (opened.console_messages, opened.external_requests()) == ([], [])
    assert len(opened.visible_ids()) == len(hostile["specs"][0]["requirements"])
    opened.close()


@pytest.mark.parametrize(
    "injected",
    [
        "<script>window.hit = 1</script>",
        "<img src=x onerror='window.hit = 1'>",
        "<script src='data:text/javascript,window.hit=1'></script>",
        "<iframe srcdoc='<script>parent.hit = 1</script>'></iframe>",
        "<a href='javascript:window.hit=1' id=tempting>x</a>",
        "<base href='http://example.invalid/'><link rel=stylesheet href=x><script src=y></script>",
    ],
)
def test_injected_markup_cannot_run_scripts_or_load_anything(
    shared: BrowserPage, write_page: WritePage, base: Json, injected: str
) -> None:
    page = dump(RunDocument.from_json(base)).replace(b"</h1>", b"</h1>" + injected.encode(), 1)
    shared.requests.clear()
    shared.page.goto(write_page(page))
    if "tempting" in injected:
        shared.page.click("#tempting")
    shared.page.wait_for_timeout(50)
    assert shared.page.evaluate("window.hit") is None
    assert [address for address in shared.requests if address.startswith("http")] == []
    shared.console_messages.clear()  # of what the policy has blocked


# ---- size ---------------------------------------------------------------------------------------------------------

# The time in ms that the page needs for words typed into the search field, including its layout.
TYPED = """words => {
  const field = document.getElementById('_text'), began = performance.now();
  for (const word of words) {
    field.value = word;
    field.dispatchEvent(new Event('input', {bubbles: true}));
    document.body.getBoundingClientRect();
  }
  return performance.now() - began;
}"""


def make_run_of_size(base: Json, requirements: int) -> Json:
    """Return a run with ten scenarios for each of many requirements, a fifth of which fail."""
    run = copy.deepcopy(base)
    (spec,) = run["specs"]
    failed = spec["scenarios"][0]
    passed = next(one for one in spec["scenarios"] if one["outcome"] == "passed")
    requirement = spec["requirements"][0]
    spec["requirements"], spec["scenarios"] = [], []
    for number in range(requirements):
        id, fails = f"R-{number}", number % 5 == 0
        copies = [{**(failed if fails else passed), "id": f"S-{number}-{n}", "requirement": id} for n in range(10)]
        spec["scenarios"] += json.loads(json.dumps(copies))
        verdict = "FAIL" if fails else "PASS"
        ids = [one["id"] for one in copies]
        section = f"{number // 25}. Section"
        spec["requirements"].append({**requirement, "id": id, "verdict": verdict, "scenarios": ids, "section": section})
    return run


def test_the_time_grows_linearly_from_300_to_3000_scenarios(browser: Any, write_page: WritePage, base: Json) -> None:
    loaded, typed = [], []
    for requirements in (30, 300):
        opened = BrowserPage(
            browser, write_page(dump(RunDocument.from_json(make_run_of_size(base, requirements)))), CARDS
        )
        assert len(opened.visible_ids()) == requirements
        loaded.append(opened.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        typed.append(opened.page.evaluate(TYPED, ["S", "S-", "S-7", "S-7-", "S-7-3"] * 2))
        assert opened.visible_ids()[0] == "R-7"
        opened.close()
    # The factor is about ten on an idle host; quadratic growth would be a factor of a hundred.
    assert (loaded[1] < 40 * loaded[0], typed[1] < 40 * typed[0]) == (True, True), (loaded, typed)
