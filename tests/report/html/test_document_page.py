"""The page of a document: the state of each sentence, no text as markup, readable without a script."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.report.html.browser_page import BrowserPage
from treeproof.api import UNFINISHED
from treeproof.cli import main
from treeproof.report.document_page import count_states, document_as_html, make_outline, percent
from treeproof.report.traceability_output import no_mutants
from treeproof.spec import load_pack
from treeproof.spec.document_confirmation import confirm
from treeproof.spec.document_trace import find_drift
from treeproof.spec.locks import LOCK_FILE
from treeproof.spec.source_document import normalise, split_sentences
from treeproof.spec.traceability import build_traceability_index

DOCUMENT = """# Pets

Pets are animals.

## 1. Rules

- The tool must feed **cats**.
- It should feed dogs.
- It must be kind.
- It must feed fish.

## 2. More

- Birds eat `corn`.
- Mice eat cheese.
- Ants walk.
"""
MUST = 'level = "MUST"'
RULES = (
    ("The tool must feed cats.", MUST),
    ("It should feed dogs.", 'level = "SHOULD"'),
    ("It must be kind.", 'excluded = "no call shows it"\nlevel = "MUST"'),
    ("It must feed fish.", MUST),
    ("Birds eat corn.", MUST),
    ("Mice eat cheese.", MUST),
)
HOSTILE = "It must </script><script>window.hit = 1</script><img src=x onerror=window.hit=2> \x1b \u202eevil {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack beside its document, which is confirmed."""
    folder = tmp_path_factory.mktemp("packs") / "pets"
    folder.mkdir()
    hashes = {normalise(one.text): one.hash for one in split_sentences(DOCUMENT)}
    catalogue = (
        '[spec]\nname = "pets"\nversion = "1.0"\ntitle = "Pets"\nsource = "pets.md"\n'
        f'sha256 = "{64 * "0"}"\nprefix = "PT"\nsteps = []\n\n[[tool]]\nname = "pets"\ncapabilities = []\n'
    )
    feature = "@pets\nFeature: pets\n"
    for number, (text, more) in enumerate(RULES, 1):
        catalogue += f'\n[[requirement]]\nid = "PT-A-0{number}"\nsection = "Rules"\ntext = "Rule {number}."\n'
        catalogue += f'sentences = ["{hashes[text]}"]\n{more}\n'
        if "must be" not in text:
            given = UNFINISHED if "fish" in text else 'the tree "a"'
            feature += f"  @PT-A-0{number}\n  Rule: {number}\n    @PT-A-0{number}-01\n    Scenario: one\n"
            feature += f"      Given {given}\n"
            feature += "      When pets is called with {}\n      Then it is fed\n"
    (folder / "spec.toml").write_text(catalogue, "utf-8")
    (folder / "pets.feature").write_text(feature, "utf-8")
    (folder / "pets.md").write_text(DOCUMENT, "utf-8")
    (folder / LOCK_FILE).write_text(confirm(load_pack(folder), folder / "pets.md", ()).lock, "utf-8")
    return folder


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """The document with other words, a sentence that is gone, one that has moved, and a hostile new one."""
    document = tmp_path / "pets.md"
    text = DOCUMENT.replace("`corn`", "apples").replace("- Mice eat cheese.\n", "").replace("- Ants walk.\n", "")
    document.write_text(
        text.replace("- It should", f"- {HOSTILE}\n- It should") + "\n## 3. Ants\n\nAnts walk.\n", "utf-8"
    )
    return document


def states(folder: Path, document: Path) -> dict[str, tuple[str, str]]:
    """Return the state and the remarks of each sentence by its first words."""
    pack = load_pack(folder)
    root = make_outline(find_drift(pack, document), build_traceability_index(pack))
    return {" ".join(one.text.split()[:3]): (one.state, "; ".join(one.remarks)) for one in root.all}


def page(folder: Path, document: Path) -> bytes:
    return document_as_html(load_pack(folder), document, no_mutants, {})


def test_the_states_of_a_confirmed_document(folder: Path) -> None:
    assert states(folder, folder / "pets.md") == {
        "Pets are animals.": ("nothing", ""),
        "The tool must": ("verified", ""),
        "It should feed": ("warned", "SHOULD, so a tool may do otherwise"),
        "It must be": ("excluded", "no call shows it"),
        "It must feed": ("uncovered", "PT-A-04 has no scenario"),
        "Birds eat `corn`.": ("verified", ""),
        "Mice eat cheese.": ("verified", ""),
        "Ants walk.": ("nothing", ""),
    }


def test_the_states_of_a_changed_document(folder: Path, changed: Path) -> None:
    found = states(folder, changed)
    assert found["Birds eat apples."] == ("changed", "other words; PT-A-05: Rule 5.")
    assert found[""] == ("changed", "gone; it was below “2. More”; PT-A-06: Rule 6.")
    assert found["Ants walk."] == ("changed", "moved, from below “2. More”")
    assert found["It must </script><script>window.hit"] == ("uncovered", "new; no requirement names it")
    assert found["The tool must"] == ("verified", "")


def test_sections_are_counted_and_their_sentences_lead_to_the_requirements(folder: Path) -> None:
    pack = load_pack(folder)
    root = make_outline(find_drift(pack, folder / "pets.md"), build_traceability_index(pack))
    assert [(section.title, percent(count_states(ones))) for section, ones in root.rows()] == [
        ("Pets", None),
        ("1. Rules", 25),
        ("2. More", 100),
    ]
    text = page(folder, folder / "pets.md").decode()
    links, anchors = re.findall(r'href="#([^"]+)"', text), re.findall(r' id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors)) and set(links) <= set(anchors)
    assert {f"PT-A-0{number}" for number in range(1, 7)} | {one.anchor for one in root.all if one.ids} <= set(links)


def test_without_a_lock_nothing_is_changed(folder: Path, tmp_path: Path) -> None:
    for name in ("spec.toml", "pets.feature", "pets.md"):
        (tmp_path / name).write_text((folder / name).read_text("utf-8"), "utf-8")
    assert states(tmp_path, tmp_path / "pets.md") == states(folder, folder / "pets.md")
    assert "No sentence is confirmed yet" in page(tmp_path, tmp_path / "pets.md").decode()


def test_no_text_becomes_markup(folder: Path, changed: Path) -> None:
    text = page(folder, changed).decode()
    assert text.count("<script>") == text.count("</script>") == 1
    assert "<img" not in text and "\x1b" not in text and "\u202e" not in text
    assert "{{ 7 * 7 }}" in text and "feed <strong>cats</strong>." in text


def test_the_command(folder: Path, capfdbinary: Any) -> None:
    document = folder / "pets.md"
    assert main(["trace", "--spec", str(folder), "--document", str(document), "--format", "html"]) == 0
    assert capfdbinary.readouterr().out == page(folder, document)
    assert main(["trace", "--spec", str(folder), "--format", "html"]) == 2
    assert b"write --document FILE too" in capfdbinary.readouterr().err


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_in_a_browser(
    browser: Any, write_page: Callable[[bytes], str], folder: Path, changed: Path, scheme: str
) -> None:
    address = write_page(page(folder, changed))
    one = BrowserPage(browser, address, ".sentence", size=(360, 700), bypass_csp=True, color_scheme=scheme)
    assert one.page.is_visible("text=Birds eat apples.") and not one.page.is_visible("text=PT-A-05-01")
    one.page.locator("#_filter").get_by_label("not covered").check()
    assert len(one.visible_ids()) == 2 and one.page.inner_text("#_result") == "2 of 9 sentences"
    one.page.click("#_clear")
    one.page.click(".sentence a[href='#PT-A-05']")
    one.wait_until_focused("PT-A-05")
    one.page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
    assert one.page.evaluate("[document.documentElement.scrollWidth, window.hit]") == [360, None]
    assert (one.console_messages, one.external_requests()) == ([], [])
    if "AXE_PATH" in os.environ:
        one.page.add_script_tag(path=os.environ["AXE_PATH"])
        found = one.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []
    one.close()


def test_without_a_script_links_open_their_sections(
    browser: Any, write_page: Callable[[bytes], str], folder: Path, changed: Path
) -> None:
    one = BrowserPage(browser, write_page(page(folder, changed)), size=(1400, 900), runs_scripts=False)
    assert not one.page.is_visible("#_filter")
    one.page.click(".sentence a[href='#PT-A-05']")
    assert one.page.is_visible("text=Rule 5.") and one.page.is_visible("[id='PT-A-05']")
    one.close()
