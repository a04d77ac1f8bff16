"""The page of a run, read without a browser: what stands in it, and that nothing of a candidate is markup."""

from __future__ import annotations

import base64
import copy
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.report import visible
from treeproof.report.catalogue_context import CatalogueContext
from treeproof.report.html import dump
from treeproof.spec import bundled_packs, load_pack

Json = dict[str, Any]
SPEC = next(load_pack(folder) for folder in bundled_packs() if folder.name == "list_directory")


class Elements(HTMLParser):
    """Every element with its attributes, the text of the page, and the text of style and script."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.raw: dict[str, str] = {}
        self._inside = ""
        self.feed(page.decode("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag if tag in ("style", "script") else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.raw[self._inside] = data
        else:
            self.text += data

    def elements_with_tag(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def test_the_word_and_its_reason_come_first(mixed: Json) -> None:
    text = Elements(dump(mixed)).text
    assert text.index("non-conformant") < text.index(mixed["reason"]) < text.index("Failures")


@pytest.mark.parametrize("member", ["text", "id", "section"])
def test_every_requirement_is_told(mixed: Json, member: str) -> None:
    text = Elements(dump(mixed)).text
    assert [r["id"] for r in mixed["specs"][0]["requirements"] if r[member] not in text] == []


def test_every_id_is_an_anchor_once(mixed: Json) -> None:
    mixed["specs"].append({**copy.deepcopy(mixed["specs"][0]), "name": "another"})
    ids = [attributes["id"] for _, attributes in Elements(dump(mixed)).found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for spec in mixed["specs"]:
        assert {one["id"] for group in ("requirements", "scenarios") for one in spec[group]} <= set(ids)


def test_every_link_inside_the_page_leads_somewhere(mixed: Json) -> None:
    mixed["specs"][0].update(version=SPEC.version, sha256=SPEC.sha256)
    mixed["specs"][0]["requirements"][0]["cause"] = "AMB-LD-01 was seen, AMB-LD-03 was not"
    page = Elements(dump(mixed, [CatalogueContext(SPEC)]))
    ids = {attributes["id"] for _, attributes in page.found if "id" in attributes}
    links = [str(a["href"]) for a in page.elements_with_tag("a")]
    assert links
    assert [link for link in links if not link.startswith("#") or link[1:] not in ids] == []


def test_what_could_not_be_verified_says_how_to_make_it_so(mixed: Json) -> None:
    text = Elements(dump(mixed)).text
    assert text.index("does not declare the capability config") < text.index("Remedy: implement this part")


def test_a_failure_is_told_with_tree_call_difference_and_command(mixed: Json) -> None:
    mixed["command"] = ["stdio:node 'a b.mjs'", "--profile", "strict"]
    page = dump(mixed).decode()
    start = page.index('id="LD-LST-05-01"')
    told = page[start : page.index("</details>", page.index("Call result", start))]
    assert re.search(r"├─ </span><code>a/</code>.*└─ </span><span class=\"unseen\">a/</span><code>b</code>", told, re.S)
    assert "<strong>list_directory</strong> {&#34;recursive&#34;: true" in told
    assert "<pre>a, a<del>/</del>b</pre>" in told and "<pre>a, a<ins>-</ins>b</pre>" in told
    assert "First difference at byte 4: expected 0x2f (/) of 6 bytes, got 0x2d (-) of 6 bytes." in told
    assert "treeproof run &#39;stdio:node &#39;&#34;&#39;&#34;&#39;a b.mjs" in told
    assert "--profile strict --select LD-LST-05-01</code>" in told


def test_a_member_that_nobody_knows_is_shown_with_its_name(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"].update(last_words="farewell", numbers={"seen": [1, 2]})
    text = Elements(dump(mixed)).text
    assert re.search(r"Last words\s*farewell", text)
    assert re.search(r'Numbers\s*\{\s*"seen": \[\s*1,\s*2\s*\]\s*\}', text)


def test_trees_before_and_after_stand_beside_the_expected_one(mixed: Json) -> None:
    evidence = mixed["specs"][0]["scenarios"][1]["evidence"]
    evidence.update(before="a, d/{x}", after="a, d/{y}", expected="a, d/{x, z}")
    page = dump(mixed).decode()
    told = page[page.index('id="LD-LST-05-02"') : page.index('id="LD-LST-05-03"')]
    captions = [found for found in re.findall(r"<figcaption>(.*?)</figcaption>", told) if found != "Re-run"]
    assert captions == ["Before", "Expected after", "After"]
    assert re.findall(r"<del><code>(.*?)</code>", told) == ["x", "z"]
    assert re.findall(r"<ins><code>(.*?)</code>", told) == ["y"]


def test_each_line_of_a_difference_stands_on_its_own(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"]["diff"] = "+ root/a: new\n- root/b: gone\n  and so on"
    lines = "<pre><ins>+ root/a: new</ins>\n<del>- root/b: gone</del>\n  and so on\n</pre>"
    assert lines in dump(mixed).decode()


def test_what_stood_before_a_call_that_is_judged_by_its_effects_is_told_once(mixed: Json) -> None:
    evidence = mixed["specs"][0]["scenarios"][1]["evidence"]
    evidence.update(tree="a", outside="b", before="root/{a}, b", after="root/{a}, b", expected="root/, b")
    page = dump(mixed).decode()
    told = page[page.index('id="LD-LST-05-02"') : page.index('id="LD-LST-05-03"')]
    assert "Before" in told and "The tree" not in told and "Beside the sandbox root" not in told


def test_the_catalogue_explains_where_it_fits_and_lacks_where_it_does_not(mixed: Json) -> None:
    class Wrong:
        id = "MUT-7"
        summary = "Sorts by `size`."

    background = CatalogueContext(SPEC, lambda requirement: [Wrong()] if requirement == "FR-LD-LST-05" else [])
    question = SPEC.interpretation("AMB-LD-01").question
    strange = Elements(dump(mixed, [background])).text
    mixed["specs"][0].update(version=SPEC.version, sha256=SPEC.sha256)
    known = Elements(dump(mixed, [background])).text
    told = question.replace("`", "")
    assert (told in strange, "Sorts by size." in strange) == (False, False)
    assert (told in known, "Sorts by size." in known, known.count("MUT-7")) == (True, True, 1)


@pytest.mark.parametrize("verdict", ["conformant", "partial", "non-conformant", "usage", "incomplete", "fault"])
def test_each_word_has_its_page(run: Any, verdict: str) -> None:
    exits = {"conformant": 0, "partial": 0, "non-conformant": 1, "usage": 2, "incomplete": 3, "fault": 4}
    empty = run([], [], verdict=verdict, exit=exits[verdict], claim=verdict != "partial", specs=[])
    assert f"<span>{verdict}</span>" in dump(empty).decode()


def test_requirements_that_share_a_verdict_do_not_repeat_its_scenarios(
    run: Any, requirement: Any, scenario: Any
) -> None:
    shared = {"scenarios": ["S-01"], "verdict": "FAIL"}
    page = dump(run([requirement("A-1", **shared), requirement("B-1", **shared)], [scenario("S-01", "A-1", "failed")]))
    assert page.count(b'id="S-01"') == 1
    assert re.search(r"Shares the verdict of A-1: 1 scenario\.", Elements(page).text)


def test_nothing_hostile_is_markup_and_nothing_acts(hostile: Json) -> None:
    data = dump(hostile)
    page = Elements(data)
    assert len(page.elements_with_tag("script")) == len(page.elements_with_tag("style")) == 1
    assert page.elements_with_tag("img") == []
    names = {name for _, attributes in page.found for name in attributes}
    assert [name for name in names if name.startswith("on")] == []
    assert [a["href"] for a in page.elements_with_tag("a") if not str(a["href"]).startswith("#")] == []
    text = data.decode("utf-8")
    assert visible(text, lines=True) == text
    assert "{{ 7 * 7 }}" in page.text
    assert "\\x1b[31mred" in page.text and "\\u202egpj" in page.text and "\\udcff\\ud800" in page.text


def test_the_policy_allows_its_own_style_and_script_and_nothing_else(hostile: Json) -> None:
    page = Elements(dump(hostile))
    (policy,) = [str(meta["content"]) for meta in page.elements_with_tag("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy and "http" not in policy
    for name, text in page.raw.items():
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert not any("style" in attributes for _, attributes in page.found)


def test_a_page_is_a_function_of_the_document(mixed: Json) -> None:
    before = copy.deepcopy(mixed)
    assert dump(mixed) == dump(copy.deepcopy(mixed))
    assert mixed == before


def test_the_command_line_hands_the_catalogue_to_the_page(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert main(["run", "reference", "--select", "LD-LST-05-01", "--report", f"html={file}"]) == 0
    text = Elements(file.read_bytes()).text
    assert "Mutants" in text
    assert "treeproof run reference" in text
    assert "partial" in text and "not a conformance claim" in text
