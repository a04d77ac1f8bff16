"""The book of a specification: the whole content of a pack in both formats, no text as markup, usable in Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.report.html.browser_page import BrowserPage
from treeproof.cli import main
from treeproof.report.book import Book, book_as_markdown, make_book
from treeproof.report.book import book_as_html as dump
from treeproof.spec import Pack, find_pack, load_pack
from treeproof.spec.mutants import load_mutants, mutants_violating, requirements_without_mutant
from treeproof.spec.traceability import build_traceability_index

WritePage = Callable[[bytes], str]

HOSTILE = "</script><script>window.hit = 1</script><img src=x onerror=window.hit=2> \x1b[31m \u202eevil {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(find_pack("fs_walkdir"))


@pytest.fixture(scope="module")
def book(pack: Pack) -> Book:
    return make_book(pack, mutants_violating, requirements_without_mutant(pack))


@pytest.fixture(scope="module")
def page(book: Book) -> bytes:
    return dump(book)


def plain(markup: str) -> str:
    """Return the text of a page on one line."""
    text = re.sub(r"<[^>]+>", " ", re.sub(r"<(style|script)>.*?</\1>", "", markup, flags=re.DOTALL))
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&#34;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return " ".join(text.split())


def test_every_requirement_scenario_and_interpretation_is_an_anchor_once(pack: Pack, page: bytes) -> None:
    anchors = [id for id in re.findall(r' id="([^"_][^"]*)"', page.decode()) if not id.endswith("_")]
    expected = [one.id for one in pack.requirements] + [entry.id for entry in pack.interpretations]
    expected += [case.id for case in build_traceability_index(pack).scenarios]
    assert sorted(anchors) == sorted(expected)


@pytest.mark.parametrize("name", ["fs_walkdir", "local_files"])
def test_both_formats_contain_all_texts(name: str) -> None:
    pack = load_pack(find_pack(name))
    book = make_book(pack, mutants_violating, requirements_without_mutant(pack))
    html = plain(dump(book).decode())
    markdown = " ".join(book_as_markdown(book).replace("`", "").split())
    for text in (html, markdown):
        for mutant in load_mutants(pack).values():
            assert mutant.kind != "wrong" or mutant.id in text, mutant.id
        for case in build_traceability_index(pack).scenarios:
            assert case.template_title.replace("`", "") in text or case.id in text
        for label in {reading.label for entry in pack.interpretations for reading in entry.readings}:
            assert label in text
    for requirement in pack.requirements:
        for part in (requirement.text, requirement.reason, requirement.excluded, requirement.section):
            assert part is None or " ".join(part.replace("`", " ").split()) in html.replace("`", " ") or "`" in part


def test_the_steps_of_a_scenario_are_written_with_their_tables(pack: Pack, page: bytes) -> None:
    text = plain(page.decode())
    case = next(case for case in build_traceability_index(pack).scenarios if not case.from_outline)
    for step in case.steps:
        assert " ".join(f"{step.keyword.strip()} {step.text}".split()) in text


def test_every_wrong_implementation_and_scenario_is_counted(pack: Pack, book: Book) -> None:
    assert book.scenario_count == len(build_traceability_index(pack).scenarios)
    wrong = [one for one in load_mutants(pack).values() if one.kind == "wrong"]
    assert book.mutant_count == len(wrong)


def test_the_command_writes_both_formats(book: Book, page: bytes, capfdbinary: Any) -> None:
    assert main(["book", "--spec", "fs_walkdir"]) == 0
    assert capfdbinary.readouterr().out == page
    assert main(["book", "--spec", "fs_walkdir", "--format", "md"]) == 0
    assert capfdbinary.readouterr().out == book_as_markdown(book).encode()


def test_a_book_is_about_one_specification(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book"]) == 2
    err = capsys.readouterr().err
    assert "book: a book is about one specification; write --spec with one of: list_directory, file_operations" in err


@dataclass(frozen=True)
class HostileMutant:
    id: str = "M-1"
    summary: str = HOSTILE
    violates: tuple[str, ...] = ()
    kind: str = "wrong"


def hostile_page(book: Book) -> bytes:
    chapters = [
        replace(
            chapter,
            title=HOSTILE,
            requirements=tuple(
                replace(
                    one,
                    data=replace(one.data, text=HOSTILE, section=HOSTILE, reason=HOSTILE),
                    scenarios=tuple(replace(scenario, title=HOSTILE, gherkin=HOSTILE) for scenario in one.scenarios),
                    mutants=(HostileMutant(),),
                )
                for one in chapter.requirements
            ),
        )
        for chapter in book.chapters
    ]
    return dump(replace(book, chapters=tuple(chapters), pack=replace(book.pack, title=HOSTILE, source=HOSTILE)))


def test_no_text_becomes_markup(book: Book) -> None:
    text = hostile_page(book).decode()
    assert text.count("<script>") == text.count("</script>") == 1
    assert "<img" not in text and "\x1b" not in text and "\u202e" not in text
    assert "{{ 7 * 7 }}" in text


# ---- in a browser -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opened(browser: Any, write_page: WritePage, page: bytes) -> Iterator[BrowserPage]:
    one = BrowserPage(browser, write_page(page), "article.requirement")
    yield one
    one.close()


def test_a_search_finds_scenarios_and_opens_them(opened: BrowserPage, pack: Pack) -> None:
    opened.navigate("")
    case = build_traceability_index(pack).scenarios[3]
    opened.page.fill("#_text", case.id)
    assert opened.visible_ids() == [case.requirement]
    assert opened.page.is_visible(f"[id='{case.id}']")
    opened.page.fill("#_text", "qwertyuiop")
    assert opened.visible_ids() == [] and opened.page.is_visible("#_none")
    opened.page.click("#_none button")
    assert len(opened.visible_ids()) == len(pack.requirements)


def test_an_address_is_a_filter_or_an_id(opened: BrowserPage, pack: Pack) -> None:
    opened.navigate("#level=SHOULD&basis=stated")
    expected = [one.id for one in pack.requirements if (one.level, one.basis) == ("SHOULD", "stated")]
    assert sorted(opened.visible_ids()) == sorted(expected)
    case = build_traceability_index(pack).scenarios[-1]
    opened.navigate(f"#{case.id}")
    opened.wait_until_focused(case.id)
    entry = pack.interpretations[0]
    opened.navigate(f"#{entry.id}")
    opened.wait_until_focused(entry.id)
    assert opened.console_messages == []


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


def test_hostile_texts_run_no_script(browser: Any, write_page: WritePage, book: Book) -> None:
    one = BrowserPage(browser, write_page(hostile_page(book)))
    one.page.fill("#_text", "evil")
    assert one.page.evaluate("window.hit === undefined")
    assert one.console_messages == []
    one.close()
