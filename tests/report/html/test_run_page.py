"""The page of a run, parsed without a browser: its content, and that no text of a candidate is markup."""

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
from treeproof.report.escape import visible
from treeproof.report.html.run_page import dump
from treeproof.spec import Pack, bundled_packs, load_pack
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
SPEC = next(load_pack(folder) for folder in bundled_packs() if folder.name == "list_directory")


class Elements(HTMLParser):
    """The elements with their attributes, the text of the page, and the text of style and script."""

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


def scenario_html(page: str, id: str) -> str:
    """Return the part of the page from a scenario with evidence to the next one."""
    start = page.index(f'id="{id}"')
    return page[start : page.find(' class="scenario', start)]


def test_the_conclusion_and_its_reason_come_first(mixed: Json) -> None:
    text = Elements(dump(RunDocument.from_json(mixed))).text
    assert text.index("non-conformant") < text.index(mixed["reason"]) < text.index("Causes")


@pytest.mark.parametrize("member", ["text", "id", "section"])
def test_every_requirement_is_shown(mixed: Json, member: str) -> None:
    text = Elements(dump(RunDocument.from_json(mixed))).text
    assert [r["id"] for r in mixed["specs"][0]["requirements"] if r[member] not in text] == []


def test_every_id_is_an_anchor_once(mixed: Json) -> None:
    mixed["specs"].append({**copy.deepcopy(mixed["specs"][0]), "name": "another"})
    ids = [
        attributes["id"] for _, attributes in Elements(dump(RunDocument.from_json(mixed))).found if "id" in attributes
    ]
    assert len(ids) == len(set(ids))
    for spec in mixed["specs"]:
        assert {one["id"] for group in ("requirements", "scenarios") for one in spec[group]} <= set(ids)


def test_every_link_inside_the_page_has_a_target(mixed: Json) -> None:
    mixed["specs"][0].update(version=SPEC.version, sha256=SPEC.sha256)
    mixed["specs"][0]["requirements"][0]["cause"] = "AMB-LD-01 was seen, AMB-LD-03 was not"
    page = Elements(dump(RunDocument.from_json(mixed), [SPEC]))
    ids = {attributes["id"] for _, attributes in page.found if "id" in attributes}
    links = [str(a["href"]) for a in page.elements_with_tag("a")]
    assert links
    targets = [link for link in links if "=" not in link]  # the others are filters
    assert [link for link in targets if not link.startswith("#") or link[1:] not in ids] == []


def test_an_unverified_requirement_shows_its_remedy(mixed: Json) -> None:
    text = Elements(dump(RunDocument.from_json(mixed))).text
    assert text.index("does not declare the capability config") < text.index("Remedy: implement this part")


def test_a_failure_shows_tree_call_difference_and_command(mixed: Json) -> None:
    mixed["command"] = ["stdio:node 'a b.mjs'", "--profile", "strict"]
    mixed["specs"][0]["scenarios"][0]["evidence"]["outcome"]["content"] = "a, a-b"
    page = dump(RunDocument.from_json(mixed)).decode()
    start = page.index('id="LD-LST-05-01"')
    html = page[start : page.index("</article>", start)]
    assert re.search(r"├─ </span><code>a/</code>.*└─ </span><span class=\"unseen\">a/</span><code>b</code>", html, re.S)
    assert "<strong>list_directory</strong> {&#34;recursive&#34;: true" in html
    assert "<pre>a, a<del>/</del>b</pre>" in html and "<pre>a, a<ins>-</ins>b</pre>" in html
    assert "the whole call result" in html
    assert "First difference at byte 4: expected 0x2f (/) of 6 bytes, got 0x2d (-) of 6 bytes." in html
    assert "treeproof run &#39;stdio:node &#39;&#34;&#39;&#34;&#39;a b.mjs" in html
    assert "--profile strict --select LD-LST-05-01</code>" in html


def test_trees_before_and_after_are_shown_with_the_expected_tree(mixed: Json) -> None:
    evidence = mixed["specs"][0]["scenarios"][1]["evidence"]
    evidence.update(before="a, d/{x}", after="a, d/{y}", expected="a, d/{x, z}")
    page = dump(RunDocument.from_json(mixed)).decode()
    html = scenario_html(page, "LD-LST-05-02")
    captions = [found for found in re.findall(r"<figcaption>(.*?)</figcaption>", html) if found != "Re-run"]
    assert captions == ["Before", "Expected after", "After"]
    assert re.findall(r"<del><code>(.*?)</code>", html) == ["x", "z"]
    assert re.findall(r"<ins><code>(.*?)</code>", html) == ["y"]


def test_each_line_of_a_difference_is_marked_separately(mixed: Json) -> None:
    mixed["specs"][0]["scenarios"][0]["evidence"]["diff"] = "+ root/a: new\n- root/b: gone\n  and so on"
    lines = "<pre><ins>+ root/a: new</ins>\n<del>- root/b: gone</del>\n  and so on\n</pre>"
    assert lines in dump(RunDocument.from_json(mixed)).decode()


def test_the_tree_before_a_call_with_side_effects_is_shown_once(mixed: Json) -> None:
    evidence = mixed["specs"][0]["scenarios"][1]["evidence"]
    evidence.update(tree="a", outside="b", before="root/{a}, b", after="root/{a}, b", expected="root/, b")
    page = dump(RunDocument.from_json(mixed)).decode()
    html = scenario_html(page, "LD-LST-05-02")
    assert "Before" in html and "The tree" not in html and "Beside the sandbox root" not in html


def test_the_document_of_a_specification_and_the_commit_of_the_candidate_are_named(mixed: Json) -> None:
    mixed["specs"][0] |= {"title": "The <title>", "source": "paper_1.md", "sha256": "ab" * 32}
    mixed["candidate"] |= {"commit": "12" * 20}
    page = dump(RunDocument.from_json(mixed)).decode()
    assert 'The &lt;title&gt;</span>, list_directory 1.1, from <span class="untrusted">paper_1.md</span>' in page
    assert f'<code title="{"ab" * 32}">{"ab" * 6}</code>' in page
    assert f'<code title="{"12" * 20}">{"12" * 6}</code>' in page


def test_the_catalogue_is_used_only_for_its_own_version(mixed: Json) -> None:
    class Mutant:
        id = "MUT-7"
        summary = "Sorts by `size`."
        violates = ("FR-LD-LST-05",)
        kind = "wrong"

    def mutants(pack: Pack, requirement: str) -> list[Mutant]:
        return [Mutant()] if requirement == "FR-LD-LST-05" else []

    question = SPEC.interpretation("AMB-LD-01").question
    other = Elements(dump(RunDocument.from_json(mixed), [SPEC], mutants)).text
    mixed["specs"][0].update(version=SPEC.version, sha256=SPEC.sha256)
    same = Elements(dump(RunDocument.from_json(mixed), [SPEC], mutants)).text
    shown_question = question.replace("`", "")
    assert (shown_question in other, "Sorts by size." in other) == (False, False)
    assert (shown_question in same, "Sorts by size." in same, same.count("MUT-7")) == (True, True, 1)


@pytest.mark.parametrize("verdict", ["conformant", "partial", "non-conformant", "usage", "incomplete", "fault"])
def test_each_conclusion_is_shown(run: Any, verdict: str) -> None:
    exits = {"conformant": 0, "partial": 0, "non-conformant": 1, "usage": 2, "incomplete": 3, "fault": 4}
    empty = run([], [], verdict=verdict, exit=exits[verdict], claim=verdict != "partial", specs=[])
    assert f"<span>{verdict}</span>" in dump(RunDocument.from_json(empty)).decode()


def test_requirements_that_share_a_verdict_do_not_repeat_its_scenarios(
    run: Any, requirement: Any, scenario: Any
) -> None:
    shared = {"scenarios": ["S-01"], "verdict": "FAIL"}
    requirements = [requirement(id, **shared) for id in ("A-1", "B-1")]
    page = dump(RunDocument.from_json(run(requirements, [scenario("S-01", "A-1", "failed")])))
    assert page.count(b'id="S-01"') == 1
    assert re.search(r"Shares the verdict of A-1: 1 scenario\.", Elements(page).text)


def test_hostile_texts_become_no_markup_and_no_handlers(hostile: Json) -> None:
    data = dump(RunDocument.from_json(hostile))
    page = Elements(data)
    assert len(page.elements_with_tag("script")) == len(page.elements_with_tag("style")) == 1
    assert page.elements_with_tag("img") == []
    names = {name for _, attributes in page.found for name in attributes}
    assert [name for name in names if name.startswith("on")] == []
    assert [a["href"] for a in page.elements_with_tag("a") if not str(a["href"]).startswith("#")] == []
    text = data.decode("utf-8")
    assert visible(text, lines=True) == text
    assert "{{ 7 * 7 }}" in page.text
    assert "\\x1b[31mred" in page.text and "\\u{202e}gpj" in page.text and "\\udcff\\ud800" in page.text


def test_the_security_policy_allows_only_the_pages_own_style_and_script(hostile: Json) -> None:
    page = Elements(dump(RunDocument.from_json(hostile)))
    (policy,) = [str(meta["content"]) for meta in page.elements_with_tag("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy and "http" not in policy
    for name, text in page.raw.items():
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert not any("style" in attributes for _, attributes in page.found)


def test_equal_documents_give_equal_pages(mixed: Json) -> None:
    before = copy.deepcopy(mixed)
    assert dump(RunDocument.from_json(mixed)) == dump(RunDocument.from_json(copy.deepcopy(mixed)))
    assert mixed == before


def test_the_run_command_adds_the_catalogue_to_the_page(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert main(["run", "reference", "--select", "LD-LST-05-01", "--report", f"html={file}"]) == 0
    text = Elements(file.read_bytes()).text
    assert "Mutants" in text
    assert "treeproof run reference" in text
    assert "partial" in text and "not a conformance claim" in text
