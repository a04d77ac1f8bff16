"""The model of LocalFiles against outcomes worked out by hand and call results with one error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.oracles.local_files.globs import matches_glob
from treeproof.oracles.local_files.model import model
from treeproof.tree import parse_tree

TIME = 1700000000000
ROOT = "/dev/shm/somewhere/1/root"


def listing(tree: str, path: str = "$ROOT") -> Case:
    return Case("listDirectory", parse_tree(tree), {"path": path})


def search(tree: str, glob: str, recursive: bool = True) -> Case:
    return Case("findFiles", parse_tree(tree), {"path": "$ROOT", "recursive": recursive, "glob": glob})


def ok(value: Any) -> CallResult:
    return CallResult("ok", json.dumps(value), None, None, None, None, None, b"")


def entry(kind: str, path: str, size: int = 0, **members: Any) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {
        **{"@type": f"{kind}Entry", "name": name, "path": f"{ROOT}/{path}", "size": size},
        **{"lastModified": TIME, **members},
    }


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (listing("a/{b}, f, .h"), "a, f, .h"),
        (listing("a/{b}, f", "$ROOT/a"), "b"),
        (listing("a/"), "a"),
        (listing("a/", "$ROOT/a"), "[]"),
        (listing("f", "$ROOT/f"), "an error"),
        (listing("f", "$ROOT/nope"), "an error"),
        (listing("d/%0000", "$ROOT/d"), "an error"),
        (listing("d/%0444{x}", "$ROOT/d"), "an error"),
        (listing("d/%0444", "$ROOT/d"), "[]"),
        (listing("d/%0600{e/}", "$ROOT/d/e"), "an error"),
        (listing("l->gone", "$ROOT/l"), "an error"),
        (search("A.java, s/{B.java, x/{C.java}}", "**/*.java"), "s/B.java, s/x/C.java"),
        (search("A.java, s/{B.java}", "**/*.java", False), "[]"),
        (search("s/{B.java, d.java/, l.java->B.java}", "**/*.java"), "s/B.java"),
        (search("s/{B.java}, A.java", "s/*.java"), "[]"),
        (search("s/{B.java}, l->s", "**/*.java"), "s/B.java"),
        (search("a, b", "c"), "[]"),
        (search("a/{x}, c/%0000{x}", "**/x"), "a/x"),
        (listing("l->d, d/{x}", "$ROOT/l"), "x"),
        (listing("l->m, m->d, d/{e/{x}}", "$ROOT/l/e"), "x"),
        (listing("d/{x}", "$ROOT/./d/../d//"), "x"),
        (listing("l->l", "$ROOT/l"), "an error"),
        (listing("d/{x}", "$ROOT/D"), "an error"),
        (Case("listDirectory", parse_tree("1/{x}"), {"path": 1}), "an error"),
        (Case("findFiles", parse_tree("a"), {"path": "$ROOT", "recursive": True, "glob": None}), "an error"),
        (search("a", "[a"), "an error"),
        (search("a", "**/{a"), "an error"),
        (search("s/{a, b, c, d}", "**/{a,b,c}"), "s/a, s/b, s/c"),
    ],
)
def test_the_model_returns_the_expected_outcome(case: Case, expected: str) -> None:
    assert model.expected(case) == expected


@pytest.mark.parametrize("case", [listing("l->../d, d/{x}", "$ROOT/l"), listing("d/", "/dev")])
def test_an_unsupported_case_is_not_modelled(case: Case) -> None:
    with pytest.raises(Unmodelled):
        model.expected(case)


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [
        ("**/*.java", "A.java", True),
        ("**/*.java", "a/b/C.java", True),
        ("**/*.java", "a/b", False),
        ("*.java", "a/b.java", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("{a,b}.{c,d}", "b.c", True),
        ("{a,b{c,d}}", "bd", True),
        ("[!a-c]x", "dx", True),
        ("[!a-c]x", "bx", False),
        ("a?", "a", False),
        ("a*b*c", "aXbYc", True),
    ],
)
def test_a_glob_matches_whole_paths(glob: str, path: str, is_match: bool) -> None:
    assert matches_glob(glob, path) is is_match


TREE = "d/{x}, f=3, l->f"
CORRECT = [entry("Directory", "d", 60), entry("File", "f", 3), entry("SymbolicLink", "l", 1, target="f")]


def violated(value: Any, case: Case | None = None) -> set[str]:
    findings = model.judge(Exchange(case or listing(TREE), ok(value)), {}).findings
    return {finding.requirement for finding in findings}


def correct_list_with(at: int, **members: Any) -> list[dict[str, Any]]:
    return [{**one, **members} if number == at else one for number, one in enumerate(CORRECT)]


def test_the_correct_list_has_no_finding() -> None:
    assert violated(CORRECT) == set()


@pytest.mark.parametrize(
    ("value", "requirement"),
    [
        ({}, "LF-MODEL-01"),
        (["d", "f", "l"], "LF-MODEL-01"),
        (CORRECT[1:], "LF-LIST-01"),
        ([*CORRECT, CORRECT[0]], "LF-LIST-01"),
        (CORRECT[::-1], "LF-SORT-01"),
        (correct_list_with(1, **{"@type": "File"}), "LF-TYPE-01"),
        (correct_list_with(2, **{"@type": "FileEntry"}), "LF-TYPE-02"),
        (correct_list_with(1, target=None), "LF-MODEL-02"),
        (correct_list_with(1, name="F"), "LF-FIELD-01"),
        (correct_list_with(1, path="f"), "LF-FIELD-02"),
        (correct_list_with(1, path="/elsewhere/root/f"), "LF-FIELD-02"),
        (correct_list_with(1, size="3"), "LF-FIELD-03"),
        (correct_list_with(0, size=-1), "LF-FIELD-03"),
        (correct_list_with(2, size=3), "LF-LINK-02"),
        (correct_list_with(1, lastModified=1700000000), "LF-FIELD-04"),
        (correct_list_with(2, lastModified=0), "LF-LINK-03"),
        (correct_list_with(2, target=f"{ROOT}/d"), "LF-LINK-01"),
    ],
)
def test_one_error_violates_one_requirement(value: Any, requirement: str) -> None:
    assert violated(value) == {requirement}


@pytest.mark.parametrize(
    ("value", "case", "requirement"),
    [
        ([], listing("f", "$ROOT/nope"), "LF-ERR-01"),
        ([entry("File", "f", 0)], listing("f, .h"), "LF-LIST-02"),
        ([entry("File", "p")], listing("p:fifo"), "LF-TYPE-03"),
        ([], listing(r"'\xff'"), "LF-LIST-01"),
        ([entry("File", "a/x.c"), entry("File", "y.d")], search("a/{x.c}, y.d", "**/*.c"), "LF-FIND-02"),
        ([entry("File", "y.c")], search("a/{x.c}, y.c", "**/*.c"), "LF-FIND-01"),
        (
            [entry("File", "a/b/x.c"), entry("File", "y.c")],
            search("a/{b/{x.c}}, y.c", "**/*.c", False),
            "LF-FIND-04",
        ),
        (["a/x.c"], search("a/{x.c}", "**/*.c"), "LF-FIND-03"),
    ],
)
def test_a_missing_or_additional_entry_violates_one_requirement(value: Any, case: Case, requirement: str) -> None:
    assert violated(value, case) == {requirement}


def test_an_accepted_reading_permits_another_order() -> None:
    descending = [entry("File", "b"), entry("Directory", "a")]
    case = listing("a/, b")
    assert model.judge(Exchange(case, ok(descending)), {}).findings
    assert not model.judge(Exchange(case, ok(descending)), {"AMB-LF-01": frozenset({"kind", "descending"})}).findings


@pytest.mark.parametrize("order", [["a", "B", "c"], ["c", "B", "a"], ["B", "c", "a"]])
def test_within_a_kind_any_order_is_accepted(order: list[str]) -> None:
    assert not violated([file(name) for name in order], listing("a, B, c"))


@pytest.mark.parametrize(
    ("order", "is_correct"),
    [
        (["b", "D/", "a"], False),
        (["\U0001f600", "\uff5e", "D/", "C"], True),
        (["\uff5e", "\U0001f600", "D/", "C"], True),
        (["D/", "c", "B"], True),
        (["B", "D/", "c"], False),
        (["D/", "B", "c"], True),
        (["b", "D/", "\ufffd"], True),
    ],
)
def test_descending_names_compare_in_several_ways(order: list[str], is_correct: bool) -> None:
    value = [entry("Directory", name[:-1]) if name.endswith("/") else file(name) for name in order]
    tree = ", ".join(f"'{name.rstrip('/')}'{'/' if name.endswith('/') else ''}" for name in order)
    tree = tree.replace("\ufffd", "\\xff")
    accepted = {"AMB-LF-01": frozenset({"kind", "descending"})}
    found = model.judge(Exchange(listing(tree), ok(value)), accepted).findings
    assert [one.requirement for one in found] == ([] if is_correct else ["LF-SORT-01"])


@pytest.mark.parametrize("target", ["../x/f", "../x/./f", f"{ROOT}/../x/f", "/dev/shm/somewhere/1/x/f"])
def test_a_target_has_several_spellings(target: str) -> None:
    value = [entry("SymbolicLink", "l", 8, target=target)]
    assert not violated(value, listing("l->../x/./f")) - {"LF-LINK-02"}


@pytest.mark.parametrize("found", ["y.c", "a/l.c", "a/d.c"])
def test_what_dialects_disagree_about_may_be_found(found: str) -> None:
    kind = {"y.c": "File", "a/l.c": "SymbolicLink", "a/d.c": "Directory"}[found]
    members = {"target": "x"} if kind == "SymbolicLink" else {}
    case = search("a/{x.c, l.c->x, d.c/}, y.c", "**/*.c")
    value = [entry("File", "a/x.c"), entry(kind, found, int(bool(members)), **members)]
    assert violated(value[:1], case) == set()
    assert violated(value, case) == set()


def test_a_search_of_no_directory_may_find_nothing() -> None:
    case = Case("findFiles", parse_tree("f"), {"path": "$ROOT/f", "recursive": True, "glob": "**/*"})
    assert violated([], case) == set()
    assert violated([file("f")], case) == {"LF-ERR-01"}


def test_links_and_other_entries_may_have_further_members() -> None:
    assert violated(correct_list_with(2, mode=1)) == set()
    assert violated(correct_list_with(1, mode=1)) == {"LF-MODEL-02"}


def test_the_message_describes_the_accepted_orders() -> None:
    accepted = {"AMB-LF-01": frozenset({"kind", "descending"})}
    (found,) = model.judge(
        Exchange(listing("a, b/, c"), ok([*map(file, "ac"), entry("Directory", "b")])), accepted
    ).findings
    assert "by descending name" in found.message
    assert (found.expected, found.got) == ("b, a, c", "a, c, b")


def file(name: str) -> dict[str, Any]:
    return entry("File", name)


def test_an_entry_below_a_link_may_be_found() -> None:
    found = [entry("File", "A"), entry("SymbolicLink", "up", 2, target=".."), entry("File", "up/root/A")]
    assert violated(found, search("A, up->..", "**/*")) == set()


def test_a_link_with_an_invalid_time_violates_a_must() -> None:
    assert violated(correct_list_with(2, lastModified="0")) == {"LF-FIELD-04"}


def test_a_case_is_written_as_steps() -> None:
    assert model.scenario_steps(listing("a/{b}", "$ROOT/nope"), "")[1:] == (
        'When listDirectory is called with {"path": "$ROOT/nope"}',
        "Then the call fails with any error",
        'And a control call with {"path": "$ROOT"} on the tree "a/{b}, c" lists "a, c"',
        "And the tree is unchanged",
    )


@pytest.mark.parametrize(
    ("changes", "requirement", "stage", "kind"),
    [
        ({"size": 2}, "LF-FIELD-03", "members", "another size"),
        ({"size": ...}, "LF-MODEL-02", "output", "no size"),
        ({"owner": "x"}, "LF-MODEL-02", "members", "an entry has further members"),
        ({"@type": ...}, "LF-TYPE-01", "output", "no @type"),
        ({"@type": "file"}, "LF-TYPE-01", "output", "another @type"),
        ({"@type": "OtherEntry"}, "LF-TYPE-01", "members", "another @type"),
        ({"path": "f"}, "LF-FIELD-02", "output", "another path"),
        ({"name": "g"}, "LF-FIELD-01", "members", "another name"),
    ],
)
def test_a_difference_has_the_stage_and_the_kind_that_scenarios_give_it(
    changes: dict[str, Any], requirement: str, stage: str, kind: str
) -> None:
    wrong = {key: value for key, value in {**entry("File", "f", 1), **changes}.items() if value is not ...}
    found = model.judge(Exchange(listing("f=1"), ok([wrong])), {}).findings[0]
    assert (found.requirement, found.stage, found.kind) == (requirement, stage, kind)


def test_a_failed_call_has_the_kind_of_its_error() -> None:
    failed = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")
    found = model.judge(Exchange(listing("f=1"), failed), {}).findings[0]
    assert (found.stage, found.kind) == ("call", "the call failed with ExecutionFailed")


@pytest.mark.parametrize(
    ("found", "is_accepted"),
    [(["s/a", "s/b"], True), (["s/{a,b}"], True), (["s/a"], False), (["s/a", "s/{a,b}"], False)],
)
def test_braces_are_alternatives_or_plain(found: list[str], is_accepted: bool) -> None:
    asked = search("s/{a, b, '{a,b}'}", "**/{a,b}")
    answer = ok([entry("File", path) for path in found])
    assert (not model.judge(Exchange(asked, answer), {}).findings) is is_accepted


@pytest.mark.parametrize("directory", ["l", "d", "d/../l"])
def test_a_directory_behind_a_link_has_its_own_path_or_that_of_the_link(directory: str) -> None:
    asked = listing("l->d, d/{x=3}", "$ROOT/l")
    assert not model.judge(Exchange(asked, ok([entry("File", f"{directory}/x", 3)])), {}).findings
    assert model.judge(Exchange(asked, ok([entry("File", f"{directory}/x", 4)])), {}).findings


def test_each_name_of_a_file_has_its_metadata() -> None:
    asked = listing("a=7, b=>a")
    assert not model.judge(Exchange(asked, ok([entry("File", "a", 7), entry("File", "b", 7)])), {}).findings
    assert model.judge(Exchange(asked, ok([entry("File", "a", 7), entry("File", "b", 3)])), {}).findings
