"""The families of random cases: trees, and calls at the boundaries of this tool's rules.

Names are UTF-8 without line breaks, and no two differ only in case; scenarios cover other names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import (
    REMOVE_MEMBER,
    Case,
    CaseFamily,
    CaseUpdate,
    Kind,
    Node,
    Stage,
    TextPieces,
    Tree,
    TreeShape,
    parse_tree,
)

from ..shared.generators import (
    ENTRY_MAKERS,
    LINKED,
    UNCHANGED,
    after_other_calls,
    one_of,
    path_of,
    trees_of_pairs,
    ways_to,
)
from .outcomes import ExpectedFailure, ExpectedOutcome
from .rare_families import OUTSIDE, rare_families

_MIXED = (b"a", b"B", b".c", b"D1", b"d2", b"build", b"etxt", b"F", b"10", b"9", b".git")
_DOTTED = (b".a", b"a", b".b", b"..c", b"b.", b"a.b", b".git", b"x")
_IGNORED = (b"build", b"a", b"dist", b"target", b"node_modules", b"builds", b"my-dist", b".venv", b"venv")
_GLOBBED = (b"a", b"ab", b"b", b"a.b", b"ba", b"aab", b"c", b"cab", b"x.a")
NAME_GROUPS = (_MIXED, _DOTTED, _IGNORED, _GLOBBED, _MIXED)
LINK_TARGETS = (b"a", b".", b"..", b"gone", b"../outside", b"$ROOT/a", b"build", b"../outside/f", b"$ROOT")
TREES = TreeShape(
    NAME_GROUPS,
    (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FILE, Kind.SYMLINK, Kind.FIFO),
    LINK_TARGETS,
    sizes=(0, 12),
    max_entries=14,
)
RESTRICTED_TREES = TreeShape(
    (_MIXED, _GLOBBED),
    (Kind.FILE, Kind.DIR, Kind.SYMLINK),
    LINK_TARGETS,
    directory_modes=(None, 0, None, 0o111),
)

PATTERN_PIECES = ("*", "a", "b", "?", "[ab]", "[!a]", "*b", ".", "c", "x", "+", "[]]")
PATH_PATTERN_PIECES = ("*", "a", "b", "/", "in/", "**/", "?", "*/", "ab")
GLOB_TREE = parse_tree("in/{a, ab, b, c/{a}, a.b, a+b, build/}, a, ab/{b}, b, c.a, .ab, a+b, 'a]'")

PATH_PIECES = (
    *("a", "/", "a/", "./", "b", "..", "../", "back", "up", "/.", "out", "f", "gone", "a/b", "$ROOT/"),
    *("$ROOT", "root/", "root", "//", ".", "loop", "down", "outside", "far", "root2", "$OUTSIDE/", "c"),
    *("/..", "B", "..c"),
)
LINK_TREE = parse_tree(
    "a/{b/{x, y/}, up->.., far->../../outside, down->b, f}, b/{z, .h}, back->a/b, up->.., out->../outside, f, "
    "loop->loop, gone->nowhere, deep->a/far, ..c/{z}"
)

SMALL_TREE = parse_tree("d1/{x}, d2/, a.txt, b.log, c.txt, l->build, .h, build/, .e/{.i, j}")
NON_INTEGERS: tuple[Any, ...] = (None, "1", [], {}, True, 1.5, "")
INVALID_VALUES: dict[str, tuple[Any, ...]] = {
    "path": (None, 5, ["."], {}, True, "", 0.5),
    "offset": (-1, *NON_INTEGERS, -(2**70), 2.0),
    "limit": (0, -1, 201, 2**70, *NON_INTEGERS, 2.0),
    "include_hidden": (None, 0, 1, "true", "", [], {}),
    "ignore": ("*", "", {}, 0, False, [1], ["a", None], [[]], True, {"0": "a"}),
}
VALID_VALUES: dict[str, tuple[Any, ...]] = {
    "path": (".", "d1", "./d1/", "missing", "a.txt", "..", ".e"),
    "offset": (0, 1, 3, 5, 6, 2**62),
    "limit": (1, 2, 5, 6, 200),
    "include_hidden": (True, False),
    "ignore": (None, [], ["*.txt"], ["**/d1", "*.log"], ["d?"]),
}


_PAIR_NAMES = (
    *(b"plain", b".hidden", b" a  b ", b"a\nb", b"a\\b", b"plainer", b"$a%20"),
    *(b"build", b"builds", b"it's", b"Capital", b"capital", b"a.log", b"-r"),
    *(b"[a]*", b"n" * 220, b"a\tb", "\u6587\u4ef6".encode(), b".git", b"10", b"bad\xff"),
)
"""Names of each class that a program may treat in its own way; some resemble another one."""
PAIR_TREES = trees_of_pairs(_PAIR_NAMES, (*ENTRY_MAKERS, lambda name, up: Node(name, Kind.DIR, mode=0)), b"t")


WAYS_TREE = Tree((*LINKED.entries, *parse_tree("here->., t/{x}, e/, out->../outside, two->l").entries))
_WAYS = ways_to(("t", "e", "f", "p", "gone", "loop", "f/x"))


def families(capabilities: frozenset[str]) -> Iterator[CaseFamily]:
    """Yield all families."""
    paging = (_path, _working_dir, _hidden, _ignore, _offset, _limit)
    patterns = (_pattern_directory, _hidden, _first_pattern, _second_pattern)
    arguments = (_non_object_arguments, *map(_sometimes_given, INVALID_VALUES), _unknown, _started, _earlier)
    pairs = (_pair_tree, _pair_path, _hidden, _pair_ignore, _pair_offset, _pair_limit, _earlier)
    ways = (_way, _any_root, *map(_one_argument, INVALID_VALUES), _earlier)
    modes = frozenset({"modes"})
    yield CaseFamily("trees", TREES, paging, OUTSIDE)
    yield CaseFamily("patterns", GLOB_TREE, patterns, OUTSIDE)
    yield CaseFamily("paths", LINK_TREE, (_start_directory, path_of(PATH_PIECES, 3), _absolute, _earlier), OUTSIDE)
    yield CaseFamily(
        "closed", RESTRICTED_TREES, (_path, _working_dir, _hidden, _earlier), OUTSIDE, modes, relative_size=0.6
    )
    yield CaseFamily("arguments", SMALL_TREE, arguments, OUTSIDE)
    yield CaseFamily("pairs", None, pairs, OUTSIDE, relative_size=2.2)
    yield CaseFamily("ways", WAYS_TREE, ways, OUTSIDE, relative_size=0.4)
    yield from rare_families()


def _directories(case: Case) -> list[str]:
    found = [path.decode() for path, node in case.tree.walk() if node.kind is Kind.DIR]
    return [path for path in found if "'" not in path][:6]


def _path(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the root, else a directory in one of its forms, a link or a file."""
    found: list[CaseUpdate] = [{"arguments.path": REMOVE_MEMBER}, {}, {}, {}]
    for path in _directories(case):
        found += [{"arguments.path": path}, {"arguments.path": path}, {"arguments.path": f"./{path}/"}]
        found += [{"arguments.path": f"$ROOT/{path}", "context.allow_absolute": True}]
    found += [
        {"arguments.path": node.name.decode()} for node in case.tree.entries if node.kind in (Kind.SYMLINK, Kind.FILE)
    ][:2]
    inside = {b".", b"$ROOT", *(node.name for node in case.tree.entries if node.kind is Kind.DIR)}
    links_inside = [node for node in case.tree.entries if node.kind is Kind.SYMLINK and node.target in inside][:2]
    found += [{"arguments.path": node.name.decode()} for node in links_inside for _ in range(2)]
    return found


def _working_dir(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the root, else a directory from which the path leads back to the root."""
    found: list[CaseUpdate] = [{}] * 6
    path_from_root = case.arguments.get("path", ".")
    if path_from_root.startswith("$"):
        return found
    for path in _directories(case)[:2]:
        climb = "/".join([".."] * (path.count("/") + 1))
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": climb})
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": f"{climb}/{path_from_root}"})
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": REMOVE_MEMBER})
    return found


def _pair_path(case: Case) -> Sequence[CaseUpdate]:
    below: CaseUpdate = {"context.working_dir": "$ROOT/t"}
    absolute: CaseUpdate = {"arguments.path": "$ROOT/t", "context.allow_absolute": True}
    whole: CaseUpdate = {**absolute, "context.roots": ["/"]}
    linked: CaseUpdate = {"context.roots": ["$OUTSIDE/linked"], "context.working_dir": "$OUTSIDE/linked"}
    climbing: list[CaseUpdate] = [{**below, "arguments.path": path} for path in ("..", "..", "../d/..", ".", "")]
    deep: CaseUpdate = {"context.working_dir": "$ROOT/d/deep", "arguments.path": "../.."}
    paths = ("", "", ".", "t", "./t", "t/", "d//../t", "d/../t", "l/..", "l/../t", "./")
    return [absolute, whole, linked, deep, deep, below, *climbing, *({"arguments.path": path} for path in paths)]


def _pair_ignore(case: Case) -> Sequence[CaseUpdate]:
    """Return patterns; none for a name that is not UTF-8, of which the document leaves open how it meets one."""
    patterns = (["plain"], ["*b*"], ["[!a-m]*", "????"], ["t/p*"], ["**/build"])
    without: list[CaseUpdate] = [{}, {"arguments.ignore": None}, {"arguments.ignore": None}, {"arguments.ignore": []}]
    if any(b"\xff" in node.name for node in case.tree.entries):
        return without
    return [*without, *({"arguments.ignore": one} for one in patterns)]


_pair_offset = one_of("arguments.offset", UNCHANGED, UNCHANGED, UNCHANGED, 0, 2, 1000)
_pair_limit = one_of("arguments.limit", UNCHANGED, UNCHANGED, UNCHANGED, 1, 5, 200)


_started = one_of("context.working_dir", *[UNCHANGED] * 4, "$ROOT/d1")


def _earlier(case: Case) -> Sequence[CaseUpdate]:
    same, *others = after_other_calls({})(case)[1:]
    return [*[{}] * 4, *[same] * 4, *others]


def _pair_tree(case: Case) -> Sequence[CaseUpdate]:
    rare = [
        tree for tree in PAIR_TREES if any(set(node.name) & {0xFF, 0x0A} or node.mode == 0 for _, node in tree.walk())
    ]
    return [{"tree": tree} for tree in (*PAIR_TREES, *rare)]


def _way(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {"arguments.path": 5}, *_WAYS]


def _any_root(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the root, else a link to it, or one that is missing; for absolute paths that of the system."""
    path = case.arguments.get("path")
    if isinstance(path, str) and path.startswith("$"):
        return [{}, {"context.roots": ["/"]}]
    if case.context:
        return [{}]
    linked, missing = "$OUTSIDE/linked", "$OUTSIDE/nowhere"
    others: list[CaseUpdate] = [{"context.roots": [one], "context.working_dir": one} for one in (linked, missing)]
    return [*[{}] * 3, *others]


_hidden = one_of("arguments.include_hidden", UNCHANGED, UNCHANGED, True, False)
_ignore = one_of(
    "arguments.ignore",
    *[UNCHANGED] * 5,
    ["a"],
    ["*"],
    ["[aB]*", "x"],
    ["build", "*.txt"],
    ["**/a", "**/d*"],
    [".*"],
    ["*b"],
    None,
    [],
)


def _offset(case: Case) -> Sequence[CaseUpdate]:
    count = len(case.tree.entries)
    return [
        {},
        {},
        {},
        {},
        *({"arguments.offset": at} for at in sorted({0, 1, count // 2, count, count + 1})),
    ]


def _limit(case: Case) -> Sequence[CaseUpdate]:
    count = len(case.tree.entries)
    near = sorted({limit for limit in (1, 2, count - 1, count, count + 1, 200) if limit > 0})
    return [{}, {}, {}, *({"arguments.limit": limit} for limit in near)]


_pattern_directory = one_of("arguments.path", "in", "in", ".", "ab")


def _first_pattern(case: Case) -> TextPieces:
    inside = case.arguments.get("path") == "in"
    return TextPieces(
        "arguments.ignore", PATH_PATTERN_PIECES if inside else PATTERN_PIECES + PATH_PATTERN_PIECES[:3], 4
    )


def _second_pattern(case: Case) -> Sequence[CaseUpdate]:
    first = case.arguments["ignore"]
    return [{"arguments.ignore": [first]}, {"arguments.ignore": [first]}, {"arguments.ignore": [first, "c*"]}]


def _start_directory(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {}, {"context.working_dir": "$ROOT/a"}, {"context.working_dir": "$ROOT/a/b"}]


def _absolute(case: Case) -> Sequence[CaseUpdate]:
    path = case.arguments["path"]
    return [{"context.allow_absolute": True} if path.startswith(("/", "$")) else {}]


def _non_object_arguments(case: Case) -> Sequence[CaseUpdate]:
    return [*[{"arguments": {}}] * 30, {"arguments": []}, {"arguments": "."}, {"arguments": 3}]


def _sometimes_given(name: str) -> Stage:
    """Return a stage that usually adds nothing, else a valid value, or rarely an invalid one."""
    invalid, valid = INVALID_VALUES[name], VALID_VALUES[name]
    repeats = 2 * max(1, len(invalid) // len(valid))
    return one_of(f"arguments.{name}", *[UNCHANGED] * (4 * len(invalid)), *valid * repeats, *invalid)


def _one_argument(name: str) -> Stage:
    """Return a stage that usually adds nothing, else an invalid value, if nothing else is wrong."""
    invalid = INVALID_VALUES[name] if name != "path" else ()
    return one_of(f"arguments.{name}", *[UNCHANGED] * (9 * len(invalid) + 1), *invalid)


_unknown = one_of("arguments.Limit", *[UNCHANGED] * 20, 1)

ALL_CASE_LABELS = (
    *("listings", "errors", "hidden", "ignored names", "patterns", "pages", "links", "links out"),
    *("below the root", "working directory", "through links", "wrong arguments", "outside", "closed"),
)


def case_labels(case: Case, expected: ExpectedOutcome) -> Mapping[str, bool]:
    """Return for each label whether it applies to a case with this outcome."""
    has_working_dir = "working_dir" in case.context
    if isinstance(expected, ExpectedFailure):
        return {
            "working directory": has_working_dir,
            "errors": True,
            "wrong arguments": expected.requirement.startswith("LS-ARG"),
            "outside": expected.requirement.startswith("LS-SEC"),
            "closed": expected.requirement == "LS-ERR-04",
        }
    reasons = {one.requirement for one in expected.excluded.values()}
    return {
        "working directory": has_working_dir,
        "listings": True,
        "hidden": "LS-FILT-01" in reasons,
        "ignored names": "LS-FILT-02" in reasons,
        "patterns": bool(expected.request.patterns),
        "pages": expected.request.offset > 0 or expected.has_next_page,
        "links": any(entry.type == "link" for entry in expected.entries),
        "links out": any(entry.leads_outside for entry in expected.entries),
        "below the root": expected.resolved_paths[0] != ".",
        "through links": expected.through_link,
    }
