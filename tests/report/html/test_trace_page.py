"""The traceability page: the complete catalogue, no text as markup, and filters and links in Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.report.html.browser_page import BrowserPage
from treeproof.cli import main
from treeproof.report.html.trace_page import dump
from treeproof.spec import Pack, find_pack, load_pack
from treeproof.spec.mutants import mutants_violating
from treeproof.spec.traceability import build_traceability_index

WritePage = Callable[[bytes], str]

HOSTILE = "</script><script>window.hit = 1</script><img src=x onerror=window.hit=2> \x1b[31m \u202eevil {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def packs() -> list[Pack]:
    return [load_pack(find_pack(name)) for name in ("fs_walkdir", "local_files")]


@pytest.fixture(scope="module")
def page(packs: list[Pack]) -> bytes:
    return dump(packs, mutants_violating)


def test_every_requirement_and_scenario_is_an_anchor_once(packs: list[Pack], page: bytes) -> None:
    text = page.decode()
    anchors = re.findall(r' id="([^"_][^"]*)"', text)
    expected = [one.id for pack in packs for one in pack.requirements]
    expected += [case.id for pack in packs for case in build_traceability_index(pack).scenarios]
    assert sorted(anchors) == sorted(expected)
    for pack in packs:
        assert pack.source in text
        assert all(section in text for section in {one.section for one in pack.requirements})


def test_the_trace_command_writes_the_page(packs: list[Pack], page: bytes, capfdbinary: Any) -> None:
    assert main(["trace", "--format", "html", "--spec", "fs_walkdir", "--spec", "local_files"]) == 0
    assert capfdbinary.readouterr().out == page


def test_a_requirement_without_scenarios_shows_its_cause(packs: list[Pack]) -> None:
    pack = packs[0]
    first, second, third = pack.requirements[:3]
    other = {
        first.id: replace(first, id="WD-NEW-01"),
        second.id: replace(second, id="WD-NEW-02", excluded="cannot be seen"),
        third.id: replace(third, id="WD-NEW-03", restates=pack.requirements[4].id, condition="Windows"),
    }
    changed = replace(pack, requirements=tuple(other.get(one.id, one) for one in pack.requirements))
    text = " ".join(re.sub(r"<[^>]+>", " ", dump([changed], lambda *_: ()).decode()).split())
    assert "WD-NEW-01 MUST " in text and "no scenario verifies it yet" in text
    assert "excluded: cannot be seen" in text
    assert f"applies on Windows only restates {pack.requirements[4].id} and shares its verdict" in text


@dataclass(frozen=True)
class HostileMutant:
    id: str = f"M-{HOSTILE}"
    summary: str = HOSTILE


def hostile_page(pack: Pack) -> bytes:
    requirements = [replace(one, text=HOSTILE, section=HOSTILE) for one in pack.requirements]
    questions = [replace(one, question=HOSTILE) for one in pack.interpretations]
    changed = replace(
        pack,
        requirements=tuple(requirements),
        interpretations=tuple(questions),
        title=HOSTILE,
        source=HOSTILE,
        version=HOSTILE,
    )
    return dump([changed], lambda *_: [HostileMutant()])


def test_no_text_becomes_markup(packs: list[Pack]) -> None:
    text = hostile_page(packs[0]).decode()
    assert text.count("<script>") == text.count("</script>") == 1
    assert "<img" not in text and "\x1b" not in text and "\u202e" not in text
    assert "{{ 7 * 7 }}" in text


# ---- in a browser -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opened(browser: Any, write_page: WritePage, page: bytes) -> Iterator[BrowserPage]:
    one = BrowserPage(browser, write_page(page), "tr.requirement")
    yield one
    one.close()


def test_text_filters_requirements_and_their_scenarios(opened: BrowserPage, packs: list[Pack]) -> None:
    opened.navigate("")
    case = build_traceability_index(packs[0]).scenarios[3]
    opened.page.fill("#_text", case.id)
    assert opened.visible_ids() == [case.requirement]
    assert opened.visible_ids(f"tr[id='{case.requirement}'] .checks li") == [case.id]
    assert opened.page.is_visible(f"li[id='{case.id}']")
    assert opened.page.evaluate("location.hash") == f"#text={case.id}"
    opened.page.fill("#_text", "qwertyuiop")
    assert opened.visible_ids() == [] and opened.page.is_visible("#_none")
    opened.page.get_by_role("button", name="Show all").click()
    assert len(opened.visible_ids()) == sum(len(pack.requirements) for pack in packs)


def test_an_address_is_a_filter_or_an_id(opened: BrowserPage, packs: list[Pack]) -> None:
    should = [one.id for one in packs[1].requirements if one.level == "SHOULD"]
    opened.navigate("#level=SHOULD&spec=local_files")
    assert sorted(opened.visible_ids()) == sorted(should)
    expected = {
        case.requirement
        for pack in packs
        for case in build_traceability_index(pack).scenarios
        if "law" in str(case.file)
    }
    opened.navigate("#only=law")
    assert set(opened.visible_ids()) >= expected
    case = build_traceability_index(packs[1]).scenarios[-1]
    opened.navigate(f"#{case.id}")
    opened.wait_until_focused(case.id)
    assert opened.page.is_visible(f"li[id='{case.id}'].found")
    for nothing in ("#%E0%A4%A", "#only=zzz&level=", "#_list"):
        opened.follow(nothing)
        assert len(opened.visible_ids()) == sum(len(pack.requirements) for pack in packs)
    assert opened.console_messages == []


def test_a_link_keeps_the_filter_and_back_restores_it(opened: BrowserPage, packs: list[Pack]) -> None:
    opened.navigate("#level=SHOULD&spec=local_files")
    should = opened.visible_ids()
    opened.page.click(f"tr[id='{should[0]}'] th a.id")
    assert opened.location_hash() == f"#level=SHOULD&spec=local_files&at={should[0]}"
    opened.page.go_back()
    assert (opened.location_hash(), opened.visible_ids()) == ("#level=SHOULD&spec=local_files", should)
    opened.navigate(f"#level=SHOULD&at={should[-1]}")
    opened.wait_until_focused(should[-1])
    assert should[0] in opened.visible_ids()


def test_the_page_fits_a_small_screen_in_both_schemes_and_makes_no_requests(
    browser: Any, write_page: WritePage, page: bytes
) -> None:
    one = BrowserPage(browser, write_page(page), size=(360, 700))
    for scheme in ("light", "dark"):
        one.page.emulate_media(color_scheme=scheme)
        one.page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
        assert one.page.evaluate("document.documentElement.scrollWidth") == 360
    assert (one.console_messages, one.external_requests()) == ([], [])
    one.close()


def test_hostile_texts_run_no_script(browser: Any, write_page: WritePage, packs: list[Pack]) -> None:
    one = BrowserPage(browser, write_page(hostile_page(packs[0])))
    one.page.fill("#_text", "evil")
    assert one.page.evaluate("window.hit === undefined")
    assert one.console_messages == []
    one.close()
