"""The model of findFiles: which entries a glob may find, and by which readings."""

from __future__ import annotations

import pytest

from tests.oracles.local_files.calls import ANY, ROOT, entry, file, ok, search, violated
from treeproof.candidate import CallResult
from treeproof.model.case import Exchange
from treeproof.oracles.local_files.globs import Dialect, matches_glob
from treeproof.oracles.local_files.model import model


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
    assert matches_glob(glob, tuple((name, False) for name in path.split("/"))) is is_match


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [
        ("src/*.java", "src/x/C.java", True),
        ("a?c", "a/c", True),
        ("a[!x]c", "a/c", False),
        ("src/**/A", "src/A", True),
        ("src/*.java", "x/src/C.java", False),
    ],
)
def test_a_star_may_stand_for_a_slash(glob: str, path: str, is_match: bool) -> None:
    levels = tuple((name, False) for name in path.split("/"))
    assert matches_glob(glob, levels, Dialect(crosses_slashes=True)) is is_match


@pytest.mark.parametrize(("glob", "is_right"), [("**/a*b", True), ("**/{a*,b}b", True), ("**/a/*b", False)])
def test_a_star_may_begin_above_the_search_root_where_no_name_is_written_out(glob: str, is_right: bool) -> None:
    """The names above are random: one of them may begin with an a."""
    readings = {"AMB-LF-37": frozenset({"absolute"}), "AMB-LF-50": frozenset({"yes"})}
    found = model.judge(Exchange(search("w/{b}", glob), ok([entry("File", "w/b", 0)])), {**ANY, **readings})
    assert (not found.findings) is is_right


@pytest.mark.parametrize(
    ("tree", "path", "glob", "is_right"),
    [
        ("x/{b}", "$ROOT/x", "**/x/*", True),
        ("x/{b}", "$ROOT/x", "**/y/*", False),
        ("x/{b}, y->x", "$ROOT/y", "**/x/*", True),
    ],
)
def test_a_whole_path_holds_the_names_above_the_search_root(tree: str, path: str, glob: str, is_right: bool) -> None:
    found = Exchange(search(tree, glob, path=path), ok([entry("File", path.removeprefix("$ROOT/") + "/b", 0)]))
    assert (not model.judge(found, {**ANY, "AMB-LF-37": frozenset({"absolute"})}).findings) is is_right


@pytest.mark.parametrize(
    ("found", "readings"),
    [
        (["a/x.c", "a/l.c", "a/d.c", "y.c"], {}),
        (["a/x.c", "a/l.c", "a/d.c"], {"AMB-LF-38": "one_at_least"}),
        (["a/x.c", "a/d.c", "y.c"], {"AMB-LF-41": "left_out"}),
        (["a/x.c", "a/l.c", "y.c"], {"AMB-LF-11": "files"}),
        (["a/x.c", "y.c"], {"AMB-LF-11": "files", "AMB-LF-41": "left_out"}),
    ],
)
def test_what_is_found_shows_the_readings_that_explain_it(found: list[str], readings: dict[str, str]) -> None:
    case, members = search("a/{x.c, l.c->x.c, d.c/}, y.c", "**/*.c"), {"target": "x.c"}
    kinds = {"a/l.c": "SymbolicLink", "a/d.c": "Directory"}
    value = [
        entry(kinds.get(one, "File"), one, 3 * (one == "a/l.c"), **(members if one == "a/l.c" else {})) for one in found
    ]
    judged = model.judge(Exchange(case, ok(value)), ANY)
    assert not judged.findings
    assert readings.items() <= judged.observed_readings.items()


def test_the_document_does_not_say_that_stars_stand_for_line_breaks() -> None:
    case = search("w/{B.c}, 'd\\ne'/{A.c}", "**/*.c")
    (found,) = model.judge(Exchange(case, ok([entry("File", "w/B.c")])), ANY).findings
    assert (found.requirement, found.basis) == ("LF-FIND-02", "prudent")


def test_what_no_reading_explains_is_wrong() -> None:
    case = search("a/{x.c, z.c}, y.c, w.c", "**/*.c")
    assert violated([entry("File", one) for one in ("a/x.c", "a/z.c", "y.c")], case) == {"LF-FIND-02"}
    assert violated([entry("File", one) for one in ("a/x.c", "y.c", "w.c")], case) == {"LF-FIND-02"}


@pytest.mark.parametrize(
    ("glob", "names", "is_accepted"),
    [
        ("**/[ab]1", ["a1", "b1"], True),
        ("**/[ab]1", [], True),
        ("**/[ab]1", ["a1"], False),
        ("**/[!a]1", ["b1", "^1"], True),
        ("**/[!a]1", ["a1"], True),
        ("**/[!a]1", ["b1"], False),
        ("**/[^a]1", ["a1", "^1"], True),
        ("**/[^a]1", ["b1", "^1"], True),
        ("**/A*", ["A.c"], True),
        ("**/A*", ["A.c", "a1"], True),
        ("**/A*", ["a1"], False),
    ],
)
def test_sets_and_case_are_open(glob: str, names: list[str], is_accepted: bool) -> None:
    case = search("w/{a1, b1, '^1', A.c}", glob)
    assert violated([entry("File", f"w/{name}") for name in names], case) == (set() if is_accepted else {"LF-FIND-02"})


def test_a_search_may_find_its_own_directory() -> None:
    case, root = search("a", "**/*"), {**entry("Directory", "", 60), "name": "root", "path": ROOT}
    assert violated([root, file("a")], case) == set()
    assert violated([root, root, file("a")], case) == {"LF-FIND-02"}
    assert violated([root, file("a")], search("a", "**/a")) == {"LF-FIND-02"}


def test_an_entry_below_a_link_may_be_found() -> None:
    found = [entry("File", "A"), entry("SymbolicLink", "up", 2, target=".."), entry("File", "up/root/A")]
    assert violated(found, search("A, up->..", "**/*")) == set()


def test_members_of_a_search_are_those_of_a_list() -> None:
    case = search("a/{f=3}", "**/*")
    value = [entry("Directory", "a"), entry("File", "a/f", 4)]
    (found,) = model.judge(Exchange(case, ok(value)), ANY).findings
    assert (found.requirement, found.other_requirements) == ("LF-FIND-03", ("LF-FIELD-03",))


@pytest.mark.parametrize(
    ("found", "is_accepted"),
    [
        (["s/x", "l/x"], True),
        (["s/x"], True),
        (["l/x"], True),
        ([], False),
        (["s/x", "l/y"], False),
    ],
)
def test_a_search_may_go_through_links_and_loses_nothing(found: list[str], is_accepted: bool) -> None:
    value = [entry("File", one) for one in found]
    assert (violated(value, search("s/{x, y}, l->s", "**/x")) == set()) is is_accepted


def test_links_in_a_circle_are_walked_once() -> None:
    value = [entry("File", "b/C.c")]
    assert violated(value, search("a/{t->../b}, b/{u->../a, C.c}", "**/*.c")) == set()


@pytest.mark.parametrize(
    ("tree", "recursive", "is_accepted"),
    [
        ("a/{t->../b}, b/{u->../a, C.c}", True, True),
        ("b/{u->.., C.c}", True, True),
        ("b/{u->.., C.c}", False, False),
        ("a/{t->../b}, b/{C.c}", True, False),
        ("a/{t->t}, b/{C.c}", True, False),
    ],
)
def test_a_search_that_enters_links_may_fail_at_a_circle(tree: str, recursive: bool, is_accepted: bool) -> None:
    case, entered = search(tree, "**/*.c", recursive=recursive), {"AMB-LF-34": frozenset({"entered"})}
    answer = CallResult("error", None, "ExecutionFailed", "a circle", None, None, None, b"")
    judged = model.judge(Exchange(case, answer), {**ANY, **entered})
    assert (not judged.findings) is is_accepted
    assert model.judge(Exchange(case, answer), {**ANY, "AMB-LF-34": frozenset({"passed_by"})}).findings


@pytest.mark.parametrize(
    ("found", "is_accepted"),
    [(["s/abc", "s/a?c"], True), (["s/a?c"], True), (["s/abc"], False), ([], False)],
)
def test_a_question_mark_is_one_character_or_plain(found: list[str], is_accepted: bool) -> None:
    case = search("s/{abc, 'a?c', ac}", "**/a?c")
    assert (violated([entry("File", path) for path in found], case) == set()) is is_accepted


@pytest.mark.parametrize(
    ("found", "is_accepted"),
    [(["s/a", "s/b"], True), (["s/{a,b}"], True), (["s/a"], False), (["s/a", "s/{a,b}"], False)],
)
def test_braces_are_alternatives_or_plain(found: list[str], is_accepted: bool) -> None:
    asked = search("s/{a, b, '{a,b}'}", "**/{a,b}")
    answer = ok([entry("File", path) for path in found])
    assert (not model.judge(Exchange(asked, answer), ANY).findings) is is_accepted
