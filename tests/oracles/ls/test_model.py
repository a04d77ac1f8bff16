"""The model of LS against outcomes worked out by hand and call results with one error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.oracles.ls import globs
from treeproof.oracles.ls.expected import RECOMMENDED_READINGS
from treeproof.oracles.ls.model import model
from treeproof.oracles.ls.order import can_be_page, inversions
from treeproof.oracles.ls.outcomes import ExpectedEntry
from treeproof.oracles.shared.reading_choices import ReadingChoices
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.tree import parse_tree as tree_of
from treeproof.verdict import Profile, accepted_readings

PACK = load_pack(find_pack("ls"))

ACCEPTED = {
    entry.id: accepted_readings(entry, Profile.DEFAULT, {})
    for entry in PACK.interpretations
    if entry.id in model.interpretations
}
BASE = "agents/, docs/{guide.md}, src/{main.py, util/{x.py}}, README.md, .env, build/{o}, l->src, out->../outside"


def case(tree: str, arguments: Any = None, **context: Any) -> Case:
    return Case("LS", tree_of(tree), {} if arguments is None else arguments, context)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "agents, docs, l, src, out, README.md"),
        ({"include_hidden": True, "limit": 3, "ignore": [".*", "*.md"]}, "agents, build, docs"),
        ({"offset": 4, "ignore": ["*.md"]}, "out"),
        ({"path": "src"}, "src/util, src/main.py"),
        ({"path": "l"}, "src/util, src/main.py"),
        ({"path": "src/../docs/."}, "docs/guide.md"),
        ({"path": "src", "ignore": ["*/main.py"]}, "src/util"),
        ({"ignore": ["**/src", "*.md"]}, "agents, docs, l, out"),
        ({"path": "$ROOT/src/util"}, "src/util/x.py"),
        ({"path": ".."}, "ACCESS_DENIED"),
        ({"path": "out/sub"}, "ACCESS_DENIED"),
        ({"path": "/etc"}, "ACCESS_DENIED"),
        ({"path": "README.md"}, "INVALID_PARAM"),
        ({"path": "README.md/x"}, "NOT_FOUND"),
        ({"path": "gone"}, "NOT_FOUND"),
        ({"limit": 0}, "INVALID_PARAM"),
        ({"limit": True}, "INVALID_PARAM"),
        ({"ignore": "x"}, "INVALID_PARAM"),
        ([], "INVALID_PARAM"),
    ],
)
def test_the_model_returns_the_expected_outcome(arguments: Any, expected: str) -> None:
    assert model.expected(case(BASE, arguments)) == expected


def test_relative_paths_start_at_the_working_directory() -> None:
    assert model.expected(case(BASE, {}, working_dir="$ROOT/src")) == "src/util, src/main.py"
    assert model.expected(case(BASE, {"path": "../docs"}, working_dir="$ROOT/src")) == "docs/guide.md"
    assert model.expected(case(BASE, {"path": "../.."}, working_dir="$ROOT/src")) == "ACCESS_DENIED"


@pytest.mark.parametrize(
    ("page", "offset", "is_right"),
    [
        (["a.b", "ab"], 0, True),
        (["ab", "a.b"], 0, True),
        (["ab", "B"], 1, True),
        (["a.b", "B"], 1, True),
        (["a.b", "B"], 0, False),
        (["a.b", "c"], 0, False),
        (["B", "c"], 1, False),
        (["B", "c"], 2, True),
    ],
)
def test_a_page_is_right_if_some_order_of_the_list_has_it(page: list[str], offset: int, is_right: bool) -> None:
    """A collation may pass over the dot, so either of `a.b` and `ab` comes first."""
    entries = [ExpectedEntry(key, "", "file") for key in ("a.b", "ab", "B", "c")]
    chosen = [next(one for one in entries if one.key == key) for key in page]
    assert not inversions(chosen)
    assert can_be_page(chosen, entries, offset) is is_right


@pytest.mark.parametrize(
    ("tree", "order", "requirements"),
    [
        ("'a b'/, a/", ["a b", "a"], {"LS-SORT-02"}),
        ("'a b'/, a/", ["a", "a b"], set()),
        ("c-d.txt, c.txt", ["c.txt", "c-d.txt"], {"LS-SORT-02"}),
        ("a_c, ad, aB", ["aB", "ad", "a_c"], set()),
        ("Ab, ab, aB", ["ab", "Ab", "aB"], set()),
        ("Ab, ab, aB", ["ab", "Ab"], {"LS-DATA-06"}),
    ],
)
def test_an_order_is_wrong_if_no_collation_has_it(tree: str, order: list[str], requirements: set[str]) -> None:
    kinds = {node.name.decode(): str(node.kind) for node in tree_of(tree).entries}
    listed = [{"path": name, "type": kinds[name]} for name in order]
    dirs = sum(kinds[name] == "dir" for name in order)
    lines = [name + ("/" if kinds[name] == "dir" else "") for name in order]
    total = f"(Total: {len(order)} items - {dirs} dirs, {len(order) - dirs} files, 0 links)"
    envelope = {
        "status": "success",
        "data": {"entries": listed, "truncated": False},
        "text": "\n".join([f"Listed {len(order)} entries in '.'", total, "", *lines]),
        "stats": {"time_ms": 1, "total_entries": len(order), "dirs": dirs, "files": len(order) - dirs, "links": 0}
        | {"returned": len(order)},
        "context": {"cwd": ".", "params_input": {}, "path_resolved": "."},
    }
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    judged = model.judge(Exchange(case(tree, {}), answer), ACCEPTED)
    assert {finding.requirement for finding in judged.findings} == requirements


@pytest.mark.parametrize("path", ["..\\outside", "%2e%2e/outside", " ../outside", "file://$OUTSIDE/outside", "x" * 300])
def test_a_path_that_means_another_one_elsewhere_may_have_any_error(path: str) -> None:
    expected = "NOT_FOUND or ACCESS_DENIED or INVALID_PARAM or INTERNAL_ERROR"
    assert model.expected(case(BASE, {"path": path})) == expected


@pytest.mark.parametrize("path", ["src$ROOT", "$ROOT/out$ROOT", "$OUTSIDE/$ROOT", "/x$ROOT"])
def test_a_placeholder_inside_a_path_is_not_modelled(path: str) -> None:
    with pytest.raises(Unmodelled):
        model.expected(case(BASE, {"path": path}))


@pytest.mark.parametrize(
    ("pattern", "name", "path", "is_match"),
    [
        ("*.log", "a.log", "d/a.log", True),
        ("a*", "b", "a/b", False),
        ("a/*", "b", "a/b", True),
        ("[!a]", "b", "b", True),
        ("[!a]", "a", "a", False),
        ("**/b", "b", "b", True),
        ("**/a/b", "b", "a/b", True),
        ("", "b", "b", False),
        ("[a-c]", "b", "b", True),
        ("[A-C]", "b", "b", False),
        ("[!a-c]", "b", "b", False),
        ("[c-a]", "d", "d", False),
        ("[b-]", "-", "-", True),
        ("[", "[", "[", True),
        ("[", "b", "b", False),
        ("x\\y", "b", "a/b", False),
    ],
)
def test_a_pattern_matches_a_name_or_a_path(pattern: str, name: str, path: str, is_match: bool) -> None:
    entry = globs.PatternTexts(name, path)
    assert globs.matches_glob(pattern, entry, ReadingChoices(RECOMMENDED_READINGS)) is is_match


@pytest.mark.parametrize("pattern", ["\\b", "[ab", "[c-b]", "[+--]", "[^a]"])
def test_patterns_without_a_common_meaning_are_not_modelled(pattern: str) -> None:
    with pytest.raises(Unmodelled):
        globs.matches_glob(pattern, globs.PatternTexts("b", "a/b"), ReadingChoices(RECOMMENDED_READINGS))


@pytest.mark.parametrize(
    ("pattern", "path", "interpretation"), [("a/*c", "a/b/c", "AMB-LS-09"), ("a\\c", "a/c", "AMB-LS-10")]
)
def test_a_reading_decides_where_the_document_is_open(pattern: str, path: str, interpretation: str) -> None:
    found = {
        globs.matches_glob(
            pattern,
            globs.PatternTexts(path.rpartition("/")[2], path),
            ReadingChoices({**RECOMMENDED_READINGS, interpretation: label}),
        )
        for label in ("a", "b")
    }
    assert found == {True, False}


@pytest.mark.parametrize(("pattern", "path"), [("a/**/c", "a/c"), ("**/**/c", "c"), ("**/a/**/c", "b/a/c")])
def test_stars_that_may_stand_for_no_directory_leave_both_results(pattern: str, path: str) -> None:
    readings = ReadingChoices(RECOMMENDED_READINGS)
    assert not globs.matches_glob(pattern, globs.PatternTexts("c", path), readings)
    other = ReadingChoices(RECOMMENDED_READINGS, chosen=readings.alternatives[0])
    assert globs.matches_glob(pattern, globs.PatternTexts("c", path), other)


@pytest.mark.parametrize(("pattern", "name"), [("?", "\u6587"), ("[\u00e9]", "\u00e9"), ("??", "\u00e9")])
def test_a_sign_beyond_ascii_may_count_as_its_bytes(pattern: str, name: str) -> None:
    readings = ReadingChoices(RECOMMENDED_READINGS)
    entry = globs.PatternTexts(name, name)
    found = globs.matches_glob(pattern, entry, readings)
    others = [ReadingChoices(RECOMMENDED_READINGS, chosen=one) for one in readings.alternatives]
    assert {globs.matches_glob(pattern, entry, one) for one in others} == {True, False}
    assert found is (pattern != "??")


def test_signs_that_are_written_out_match_in_every_unit() -> None:
    readings = ReadingChoices(RECOMMENDED_READINGS)
    assert globs.matches_glob("\u6587*", globs.PatternTexts("\u6587\u4ef6", "\u6587\u4ef6"), readings)
    assert not readings.alternatives


def is_right_error(tree: str, arguments: Any, code: str) -> bool:
    """Return whether an error with a code is right, whatever its message."""
    envelope = {
        "status": "error",
        "data": {},
        "text": "no",
        "stats": {"time_ms": 1},
        "context": {"cwd": ".", "params_input": arguments},
        "error": {"code": code, "message": "no"},
    }
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    findings = model.judge(Exchange(case(tree, arguments), answer), ACCEPTED).findings
    return not {one.requirement for one in findings} - {"LS-ERR-02", "LS-ERR-07", "LS-ERR-09"}


@pytest.mark.parametrize(
    ("path", "right"),
    [
        ("d/..", {"ACCESS_DENIED", "INVALID_PARAM", "NOT_FOUND", "INTERNAL_ERROR"}),
        ("l", {"ACCESS_DENIED", "INVALID_PARAM", "NOT_FOUND", "INTERNAL_ERROR"}),
        ("../outside", {"ACCESS_DENIED", "NOT_FOUND"}),
        ("out", {"ACCESS_DENIED", "INVALID_PARAM", "NOT_FOUND", "INTERNAL_ERROR"}),
        ("", {"INVALID_PARAM", "NOT_FOUND"}),
        ("d", set()),
    ],
)
def test_a_path_that_stays_inside_by_its_text_may_be_refused_for_dots_or_links(path: str, right: set[str]) -> None:
    codes = ("ACCESS_DENIED", "INVALID_PARAM", "NOT_FOUND", "INTERNAL_ERROR")
    assert {code for code in codes if is_right_error("d/{x}, l->d, out->..", {"path": path}, code)} == right


def expected_envelope(arguments: Any) -> dict[str, Any]:
    reference = {
        "status": "partial",
        "data": {"entries": [{"path": "d", "type": "dir"}, {"path": "l", "type": "link"}], "truncated": True},
        "text": "Listed 2 entries in '.'\n(Total: 4 items - 1 dirs, 2 files, 1 links)\n"
        "[Truncated: Showing 0-2 of 4. 2 more items available.]\nUse offset=2 to view next page.\n\nd/\nl@",
        "stats": {"time_ms": 1, "total_entries": 4, "dirs": 1, "files": 2, "links": 1, "returned": 2},
        "context": {"cwd": ".", "params_input": arguments, "path_resolved": "."},
    }
    return dict(json.loads(json.dumps(reference)))


def violated(change: Callable[[dict[str, Any]], object]) -> set[str]:
    arguments = {"limit": 2}
    envelope = expected_envelope(arguments)
    change(envelope)
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    judged = model.judge(Exchange(case("d/{x}, l->d, a, b", arguments), answer), ACCEPTED)
    return {finding.requirement for finding in judged.findings}


def entries(envelope: dict[str, Any]) -> list[Any]:
    found: list[Any] = envelope["data"]["entries"]
    return found


@pytest.mark.parametrize(
    ("change", "requirement"),
    [
        (lambda e: None, None),
        (lambda e: e.update(error=None), "LS-ENV-01"),
        (lambda e: e.update(status="ok"), "LS-ENV-02"),
        (lambda e: e.update(status="success"), "LS-PAGE-03"),
        (lambda e: e.update(text=""), "LS-ENV-05"),
        (lambda e: e["stats"].pop("time_ms"), "LS-ENV-06"),
        (lambda e: e["context"].update(cwd="src"), "LS-ENV-07"),
        (lambda e: e["context"].update(params_input={"limit": 2, "path": "."}), "LS-ENV-08"),
        (lambda e: e["context"].pop("path_resolved"), "LS-ENV-12"),
        (lambda e: e["context"].update(path_resolved="src"), "LS-ENV-09"),
        (lambda e: e["data"].update(entries={}), "LS-DATA-01"),
        (lambda e: entries(e)[0].update(name="d"), None),
        (lambda e: entries(e)[0].update(type="directory"), "LS-DATA-02"),
        (lambda e: entries(e)[0].update(path="d/"), "LS-DATA-03"),
        (lambda e: e["data"].pop("truncated"), "LS-DATA-04"),
        (lambda e: entries(e)[1].update(type="dir"), "LS-DATA-05"),
        (lambda e: entries(e).append({"path": "d/x", "type": "file"}), "LS-DATA-06"),
        (lambda e: entries(e).append({"path": "a", "type": "file"}), "LS-PAGE-01"),
        (lambda e: e["data"].update(truncated=False), "LS-PAGE-02"),
        (lambda e: e["stats"].update(total_entries=2), "LS-STAT-01"),
        (lambda e: e["stats"].update(dirs=2), "LS-STAT-02"),
        (lambda e: e["stats"].update(returned=4), "LS-STAT-03"),
        (lambda e: entries(e).reverse(), "LS-SORT-03"),
        (lambda e: e.update(text=e["text"].replace("Listed 2", "Listed 4")), "LS-TEXT-01"),
        (lambda e: e.update(text=e["text"].replace("4 items", "2 items")), "LS-TEXT-02"),
        (lambda e: e.update(text=e["text"].replace("0-2", "1-2")), "LS-TEXT-03"),
        (lambda e: e.update(text=e["text"].replace("offset=2", "offset=3")), "LS-TEXT-04"),
        (lambda e: e.update(text=e["text"].replace("\n\n", "\n")), "LS-TEXT-05"),
        (lambda e: e.update(text=e["text"].replace("l@", "l")), "LS-TEXT-06"),
    ],
)
def test_one_error_violates_one_requirement(
    change: Callable[[dict[str, Any]], object], requirement: str | None
) -> None:
    found = violated(change)
    assert found == ({requirement} if requirement else set()) or (
        requirement in found and found <= {requirement, "LS-PAGE-03"}
    )


def test_a_name_that_is_not_utf8_is_shown_in_any_form_and_once() -> None:
    def found(*names: str) -> set[str]:
        listed = [{"path": name, "type": "file"} for name in names]
        envelope = {
            "status": "success",
            "data": {"entries": listed, "truncated": False},
            "text": "\n".join(["Listed 2 entries in '.'", "(Total: 2 items - 0 dirs, 2 files, 0 links)", "", *names]),
            "stats": {"time_ms": 1, "total_entries": 2, "dirs": 0, "files": 2, "links": 0, "returned": 2},
            "context": {"cwd": ".", "params_input": {}, "path_resolved": "."},
        }
        answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
        judged = model.judge(Exchange(case("'bad\\xff', ok", {}), answer), ACCEPTED)
        return {finding.requirement for finding in judged.findings}

    assert found("bad\ufffd", "ok") == found("bad%FF", "ok") == set()
    assert found("ok", "ok") == {"LS-DATA-06"}


@pytest.mark.parametrize("error", [None, "NOT_FOUND", "INVALID_PARAM"])
def test_a_failure_for_an_offset_behind_the_end_violates_the_rule_of_the_offset(error: str | None) -> None:
    arguments = {"offset": 9}
    envelope = {
        "status": "error",
        "data": {},
        "text": "no",
        "stats": {"time_ms": 1},
        "context": {"cwd": ".", "params_input": arguments},
        "error": {"code": error, "message": "no"},
    }
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    if error is None:
        answer = CallResult("error", None, "InternalError", "TypeError: x", None, None, None, b"")
    judged = model.judge(Exchange(case("a, b", arguments), answer), ACCEPTED)
    assert [finding.requirement for finding in judged.findings] == ["LS-PAGE-05"]


def test_stats_that_count_the_page_violate_no_rule_of_filters() -> None:
    def count_page(envelope: dict[str, Any]) -> None:
        envelope["stats"].update(total_entries=2, dirs=1, files=0, links=1)

    assert violated(count_page) == {"LS-STAT-01"}


@pytest.mark.parametrize(("sent", "shown", "is_right"), [(2**62, 4611686018427388000, True), (2**62, 2**61, False)])
def test_an_echo_may_have_the_digits_of_the_nearest_double(sent: int, shown: int, is_right: bool) -> None:
    envelope = expected_envelope({"limit": 2, "weird": shown})
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    sent_case = case("d/{x}, l->d, a, b", {"limit": 2, "weird": sent})
    found = {finding.requirement for finding in model.judge(Exchange(sent_case, answer), ACCEPTED).findings}
    assert found == (set() if is_right else {"LS-ENV-08"})


@pytest.mark.parametrize(("truncated", "observed"), [(False, {}), (True, {"AMB-LS-02": "b"})])
def test_an_offset_into_an_empty_list_truncates_nothing(truncated: bool, observed: dict[str, str]) -> None:
    arguments = {"offset": 3}
    envelope = {
        "status": "partial" if truncated else "success",
        "data": {"entries": [], "truncated": truncated},
        "text": "Listed 0 entries in '.'\n(Total: 0 items - 0 dirs, 0 files, 0 links)",
        "stats": {"time_ms": 1, "total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0},
        "context": {"cwd": ".", "params_input": arguments, "path_resolved": "."},
    }
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    judged = model.judge(Exchange(case("", arguments), answer), ACCEPTED)
    assert judged.findings == ()
    assert judged.observed_readings == observed


def test_a_listing_instead_of_an_error_violates_the_rule_of_the_error() -> None:
    answer = CallResult("ok", json.dumps(expected_envelope({"limit": True})), None, None, None, None, None, b"")
    judged = model.judge(Exchange(case("d/{x}, l->d, a, b", {"limit": True}), answer), ACCEPTED)
    assert judged.findings[0].requirement == "LS-ARG-06"


@pytest.mark.parametrize(
    ("names", "harm"), [(["d", "l", "a", "b"], None), ([], None), (["secret", "a"], "escape")], ids=str
)
def test_a_listing_of_a_path_outside_is_a_breach_if_it_shows_other_names(names: list[str], harm: str | None) -> None:
    arguments = {"path": "/"}
    envelope = expected_envelope(arguments)
    envelope["data"]["entries"] = [{"path": name, "type": "file"} for name in names]
    answer = CallResult("ok", json.dumps(envelope), None, None, None, None, None, b"")
    judged = model.judge(Exchange(case("d/{x}, l->d, a, b", arguments), answer), ACCEPTED)
    assert [(one.requirement, one.harm) for one in judged.findings] == [("LS-SEC-01", harm)]


def test_the_model_can_blame_every_requirement_with_a_property_that_calls_it() -> None:
    cases = parse_feature(PACK.folder / "laws.feature").scenarios
    found = {case.requirement for case in cases if case.steps[0].text.endswith("the model says of this rule")}
    assert found <= model.requirements
    assert model.requirements <= {requirement.id for requirement in PACK.requirements}


def test_the_recommended_readings_are_those_of_the_catalogue() -> None:
    catalogue = {entry.id: entry.recommended for entry in PACK.interpretations}
    assert {id: catalogue[id] for id in RECOMMENDED_READINGS} == RECOMMENDED_READINGS


def test_paths_from_the_top_of_the_system_lead_over_the_known_folder() -> None:
    assert model.expected(case("src/{x}", {"path": "src"}, roots=["/"], working_dir="$ROOT")) == "OUTSIDE/root/src/x"


def test_without_a_root_any_error_is_right() -> None:
    expected = model.expected(case("src/{x}", {"path": ".."}, roots=["$OUTSIDE/gone"], working_dir="$OUTSIDE/gone"))
    assert expected == "NOT_FOUND or ACCESS_DENIED or INVALID_PARAM or INTERNAL_ERROR"
