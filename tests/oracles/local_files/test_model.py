"""The model of LocalFiles against outcomes worked out by hand and call results with one error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.oracles.local_files.calls import ANY, ROOT, entry, file, listing, ok, search, violated
from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.oracles.local_files.model import model
from treeproof.tree import parse_tree


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
        (search("A.java, s/{B.java, x/{C.java}}", "**/*.java"), "A.java, s/B.java, s/x/C.java"),
        (search("A.java, s/{B.java}", "**/*.java", False), "A.java"),
        (search("s/{B.java, d.java/, l.java->B.java}", "**/*.java"), "s/B.java, s/d.java, s/l.java"),
        (search("s/{B.java}, A.java", "s/*.java"), "s/B.java"),
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


@pytest.mark.parametrize(
    "case",
    [
        listing("l->/etc", "$ROOT/l"),
        listing("d/", "/dev"),
        search("a", "\\a"),
        search("a", "a**"),
        search("a", "/a"),
    ],
)
def test_an_unsupported_case_is_not_modelled(case: Case) -> None:
    with pytest.raises(Unmodelled):
        model.expected(case)


CORRECT = [entry("Directory", "d", 60), entry("File", "f", 3), entry("SymbolicLink", "l", 1, target="f")]


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
        ([CORRECT[1], CORRECT[0], CORRECT[2]], "LF-SORT-01"),
        (correct_list_with(1, **{"@type": "File"}), "LF-TYPE-01"),
        (correct_list_with(1, **{"@type": "OtherEntry"}), "LF-TYPE-02"),
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
        ([], listing(r"'\xff'"), "LF-FIELD-01"),
        ([entry("File", "a/x.c"), entry("File", "y.d")], search("a/{x.c}, y.d", "**/*.c"), "LF-FIND-02"),
        ([], search("a/{x.c}, l->gone", "**/*.c"), "LF-FIND-05"),
        ([entry("File", "y.c")], search("a/{x.c}, y.c", "**/*.c"), "LF-FIND-01"),
        ([entry("File", "a/x.c"), entry("File", "y.c")], search("a/{x.c}, y.c", "*.c", False), "LF-FIND-04"),
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


@pytest.mark.parametrize("target", ["../x/f", "../x/./f", f"{ROOT}/../x/f", "$OUTSIDE/x/f"])
def test_a_target_has_several_spellings(target: str) -> None:
    value = [entry("SymbolicLink", "l", 8, target=target)]
    assert not violated(value, listing("l->../x/./f")) - {"LF-LINK-02"}


@pytest.mark.parametrize(
    ("value", "requirement"),
    [
        ([entry("File", "a"), entry("File", "bad")], "LF-ERR-01"),
        ([entry("File", "a")], "LF-LIST-01"),
        ([entry("File", "a"), {"@type": "FileEntry", "name": "bad", "path": f"{ROOT}/bad"}], "LF-MODEL-02"),
        ([], "LF-LIST-01"),
    ],
)
def test_no_entry_is_lost_or_half_known_whose_metadata_cannot_be_read(value: Any, requirement: str) -> None:
    assert violated(value, listing("a, bad!L=EIO")) == {requirement}


def test_a_member_has_one_value() -> None:
    for again, requirements in (('"g"', {"LF-MODEL-02"}), ('"f"', set())):
        text = json.dumps([entry("File", "f")]).replace('"name"', f'"name": {again}, "name"')
        answer = CallResult("ok", text, None, None, None, None, None, b"")
        found = model.judge(Exchange(listing("f"), answer), ANY).findings
        assert {one.requirement for one in found} == requirements


def test_a_size_beyond_the_digits_of_a_double_may_be_the_nearest_one() -> None:
    case = listing("f=9007199254740993")
    (found,) = model.judge(Exchange(case, ok([entry("File", "f", 9007199254740992)])), ANY).findings
    assert (found.requirement, found.basis) == ("LF-FIELD-03", "prudent")


@pytest.mark.parametrize(
    ("path", "is_refused"), [("$ROOT/l", True), ("$ROOT/l/d", True), ("$ROOT/d/..", True), ("$ROOT/d", False)]
)
def test_links_and_dots_in_a_path_may_be_refused(path: str, is_refused: bool) -> None:
    error = CallResult("error", None, "Other", "no", None, None, None, b"")
    case = listing("d/{d/{x}}, l->d", path)
    assert bool(model.judge(Exchange(case, error), ANY).findings) is not is_refused


def test_links_and_other_entries_may_have_further_members() -> None:
    assert violated(correct_list_with(2, mode=1)) == set()
    assert violated(correct_list_with(1, mode=1)) == {"LF-MODEL-02"}


def test_the_message_describes_the_accepted_orders() -> None:
    accepted = {"AMB-LF-01": frozenset({"kind", "descending"})}
    (found,) = model.judge(
        Exchange(listing("a, b/, c"), ok([*map(file, "ac"), entry("Directory", "b")])), accepted
    ).findings
    assert "by descending name" in found.message
    assert (found.expected, found.got) == (
        "DirectoryEntry, FileEntry, FileEntry",
        "a, c, b (FileEntry, FileEntry, DirectoryEntry)",
    )


def test_a_link_with_an_invalid_time_violates_a_must() -> None:
    assert violated(correct_list_with(2, lastModified="0")) == {"LF-FIELD-04"}


def test_a_case_is_written_as_steps() -> None:
    assert model.scenario_steps(listing("a/{b}", "$ROOT/nope"), "")[1:] == (
        'When listDirectory is called with {"path": "$ROOT/nope"}',
        "Then the call fails with any error",
    )


@pytest.mark.parametrize(
    ("changes", "requirement", "kind"),
    [
        ({"size": 2}, "LF-FIELD-03", "another size"),
        ({"size": ...}, "LF-MODEL-02", "no size"),
        ({"owner": "x"}, "LF-MODEL-02", "an entry has further members"),
        ({"@type": ...}, "LF-TYPE-01", "no @type"),
        ({"@type": "file"}, "LF-TYPE-01", "another word as @type"),
        ({"@type": "OtherEntry"}, "LF-TYPE-02", "another kind"),
        ({"path": "f"}, "LF-FIELD-02", "another path"),
        ({"name": "g"}, "LF-FIELD-01", "another name"),
    ],
)
def test_a_difference_has_its_kind(changes: dict[str, Any], requirement: str, kind: str) -> None:
    wrong = {key: value for key, value in {**entry("File", "f", 1), **changes}.items() if value is not ...}
    found = model.judge(Exchange(listing("f=1"), ok([wrong])), {}).findings[0]
    assert (found.requirement, found.kind) == (requirement, kind)


@pytest.mark.parametrize(
    ("case", "requirement", "others"),
    [
        (listing("f=1"), "LF-LIST-01", ()),
        (listing("f=1, l->l"), "LF-LINK-01", ("LF-LIST-01",)),
        (listing("f=1, p:fifo"), "LF-TYPE-03", ("LF-LIST-01",)),
        (listing("'a b'/{l->l}", "$ROOT/a b"), "LF-LIST-01", ()),
        (search("a", "**/*"), "LF-FIND-01", ()),
        (search("a", "**/[a]"), "LF-FIND-02", ("LF-FIND-01",)),
        (search("a, l->l", "**/*"), "LF-FIND-05", ("LF-FIND-01",)),
    ],
)
def test_a_failed_call_breaks_the_rule_of_what_is_unusual(
    case: Case, requirement: str, others: tuple[str, ...]
) -> None:
    failed = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")
    (found,) = model.judge(Exchange(case, failed), ANY).findings
    assert (found.requirement, found.other_requirements, found.kind) == (requirement, others, "the call fails")


@pytest.mark.parametrize(
    ("path", "is_right"),
    [("/x/root/d/f", True), ("/x/root/d/../d/f", False), ("/y/root/d/f", False), ("/x/root/f", False)],
)
def test_the_paths_of_the_run_are_those_of_the_call(path: str, is_right: bool) -> None:
    answer = ok([{**entry("File", "d/f"), "path": path}])
    exchange = Exchange(listing("d/{f}", "$ROOT/d"), answer, root="/x/root")
    assert (not model.judge(exchange, ANY).findings) is is_right


@pytest.mark.parametrize(
    ("path", "tree", "paths"),
    [
        ("$ROOT/l/..", "in/{deep/{x}, y}, l->in/deep", ["$ROOT/in", "$ROOT/l"]),
        ("$ROOT/l/..", "in/{deep/{x}, y}, l->in/deep", ["$ROOT/in/deep", "$ROOT/in/y"]),
        ("$ROOT/l/..", "in/{deep/{x}, y}, l->in/deep", ["$ROOT/l/../deep", "$ROOT/l/../y"]),
    ],
)
def test_a_step_up_behind_a_link_leads_to_either_place(path: str, tree: str, paths: list[str]) -> None:
    kinds = {"l": "SymbolicLink", "y": "File"}
    value = [
        {**entry(kinds.get(one[-1], "Directory"), one[-1] if one[-1] in "ly" else one.rpartition("/")[2]), "path": one}
        for one in sorted(paths, key=lambda one: one[-1] in "ly")
    ]
    for one in value:
        if one["name"] == "l":
            one |= {"target": "in/deep", "size": 7}
    assert violated(value, listing(tree, path)) == set()


@pytest.mark.parametrize("directory", ["l", "d"])
def test_a_directory_behind_a_link_has_its_own_path_or_that_of_the_link(directory: str) -> None:
    asked = listing("l->d, d/{x=3}", "$ROOT/l")
    assert not model.judge(Exchange(asked, ok([entry("File", f"{directory}/x", 3)])), ANY).findings
    assert model.judge(Exchange(asked, ok([entry("File", f"{directory}/x", 4)])), ANY).findings


def test_each_name_of_a_file_has_its_metadata() -> None:
    asked = listing("a=7, b=>a")
    assert not model.judge(Exchange(asked, ok([entry("File", "a", 7), entry("File", "b", 7)])), {}).findings
    assert model.judge(Exchange(asked, ok([entry("File", "a", 7), entry("File", "b", 3)])), {}).findings
