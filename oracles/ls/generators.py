"""What to draw cases from: trees, and calls that stand on the boundaries of the rules of LS.

Names are told apart by more than their case, and are UTF-8 on one line: about others there are scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeproof.api import (
    REMOVE_MEMBER,
    Case,
    CaseFamily,
    CaseUpdate,
    Kind,
    Stage,
    TextPieces,
    TreeShape,
    parse_tree,
)

from .expected import ExpectedFailure, ExpectedListing

_MIXED = (b"a", b"B", b".c", b"D1", b"d2", b"build", b"e.txt", b"F", b"10", b"9", b".git")
_DOTTED = (b".a", b"a", b".b", b"..c", b"b.", b"a.b", b".git", b"x")
_IGNORED = (b"build", b"a", b"dist", b"target", b"node_modules", b"builds", b"my-dist", b".venv", b"venv")
_GLOBBED = (b"a", b"ab", b"b", b"a.b", b"ba", b"aab", b"c", b"cab", b"x.a")
NAME_GROUPS = (_MIXED, _DOTTED, _IGNORED, _GLOBBED, _MIXED)
LINK_TARGETS = (b"a", b".", b"..", b"gone", b"../outside", b"$ROOT/a", b"build", b"../outside/f", b"$ROOT")
OUTSIDE = "outside/{secret, sub/{deep}, f}, root2/{x}"
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
PATH_PATTERN_PIECES = ("*", "a", "b", "/", "in/", "**/", "?", "[/a]", "*/", "ab")
GLOB_TREE = parse_tree("in/{a, ab, b, c/{a}, a.b, a+b, build/}, a, ab/{b}, b, c.a, .ab, a+b, 'a]'")

PATH_PIECES = (
    *(
        "a",
        "/",
        "a/",
        "./",
        "b",
        "..",
        "../",
        "back",
        "up",
        "/.",
        "out",
        "f",
        "gone",
        "a/b",
        "$ROOT/",
        "$ROOT",
    ),
    *(
        "root/",
        "root",
        "//",
        ".",
        "loop",
        "down",
        "outside",
        "far",
        "root2",
        "$OUTSIDE/",
        "c",
        "/..",
        "B",
        "..c",
    ),
)
LINK_TREE = parse_tree(
    "a/{b/{x, y/}, up->.., far->../../outside, down->b, f}, b/{z, .h}, back->a/b, up->.., out->../outside, f, "
    "loop->loop, gone->nowhere, deep->a/far, ..c/{z}"
)

SMALL_TREE = parse_tree("d1/{x}, d2/, a.txt, b.log, c.txt, l->d1, .h, build/")
NON_INTEGERS: tuple[Any, ...] = (None, "1", [], {}, True, 1.5, "")
INVALID_VALUES: dict[str, tuple[Any, ...]] = {
    "path": (None, 5, ["."], {}, True, "", 0.5),
    "offset": (-1, *NON_INTEGERS, -(2**70), 2.0),
    "limit": (0, -1, 201, 2**70, *NON_INTEGERS, 2.0),
    "include_hidden": (None, 0, 1, "true", "", [], {}),
    "ignore": ("*", "", {}, 0, False, [1], ["a", None], [[]], True, {"0": "a"}),
}
VALID_VALUES: dict[str, tuple[Any, ...]] = {
    "path": (".", "d1", "./d1/", "missing", "a.txt", ".."),
    "offset": (0, 1, 3, 5, 6, 2**70),
    "limit": (1, 2, 5, 6, 200),
    "include_hidden": (True, False),
    "ignore": (None, [], ["*.txt"], ["**/d1", "*.log"], ["d?"]),
}


def families(capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
    """All families of cases that a candidate of these capabilities can be asked."""
    every = (
        CaseFamily("trees", TREES, (_path, _working_dir, _hidden, _ignore, _offset, _limit), outside=OUTSIDE),
        CaseFamily(
            "patterns",
            GLOB_TREE,
            (_pattern_directory, _hidden, _first_pattern, _second_pattern),
            outside=OUTSIDE,
        ),
        CaseFamily("paths", LINK_TREE, (_start_directory, _path_spelling, _absolute), outside=OUTSIDE),
        CaseFamily(
            "closed",
            RESTRICTED_TREES,
            (_path, _hidden),
            outside=OUTSIDE,
            needs=frozenset({"modes"}),
            relative_size=0.6,
        ),
        CaseFamily(
            "arguments",
            SMALL_TREE,
            (_non_object_arguments, *map(_sometimes_given, INVALID_VALUES), _unknown),
            outside=OUTSIDE,
        ),
    )
    return tuple(family for family in every if family.needs <= capabilities)


def _one_of(place: str, *values: Any) -> Stage:
    """One of these values at a place; ABSENT leaves it out."""
    updates: list[CaseUpdate] = [{place: value} for value in values]
    return lambda case: updates if isinstance(case.arguments, dict) else [{}]


def _directories(case: Case) -> list[str]:
    found = [path.decode() for path, node in case.tree.walk() if node.kind is Kind.DIR]
    return [path for path in found if "'" not in path][:6]


def _path(case: Case) -> Sequence[CaseUpdate]:
    """The root, mostly; else a directory, spelled in this way or that, or a link, or what is none."""
    found: list[CaseUpdate] = [{"arguments.path": REMOVE_MEMBER}, {}, {}, {}]
    for path in _directories(case):
        found += [{"arguments.path": path}, {"arguments.path": path}, {"arguments.path": f"./{path}/"}]
    found += [
        {"arguments.path": node.name.decode()}
        for node in case.tree.entries
        if node.kind in (Kind.SYMLINK, Kind.FILE)
    ][:2]
    inside = {b".", b"$ROOT", *(node.name for node in case.tree.entries if node.kind is Kind.DIR)}
    ways_in = [node for node in case.tree.entries if node.kind is Kind.SYMLINK and node.target in inside][:2]
    found += [{"arguments.path": node.name.decode()} for node in ways_in for _ in range(2)]
    return found


def _working_dir(case: Case) -> Sequence[CaseUpdate]:
    """The root, mostly; else a directory below, from which the path leads back up."""
    found: list[CaseUpdate] = [{}] * 6
    for path in _directories(case)[:2]:
        climb = "/".join([".."] * (path.count("/") + 1))
        asked = case.arguments.get("path", ".")
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": f"{climb}/{asked}"})
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": REMOVE_MEMBER})
    return found


_hidden = _one_of("arguments.include_hidden", REMOVE_MEMBER, REMOVE_MEMBER, True, False)
_ignore = _one_of(
    "arguments.ignore",
    *[REMOVE_MEMBER] * 5,
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


def _count(case: Case) -> int:
    """About how many entries there are."""
    return len(case.tree.entries)


def _offset(case: Case) -> Sequence[CaseUpdate]:
    count = _count(case)
    return [
        {},
        {},
        {},
        {},
        *({"arguments.offset": at} for at in sorted({0, 1, count // 2, count, count + 1})),
    ]


def _limit(case: Case) -> Sequence[CaseUpdate]:
    count = _count(case)
    near = sorted({limit for limit in (1, 2, count - 1, count, count + 1, 200) if limit > 0})
    return [{}, {}, {}, *({"arguments.limit": limit} for limit in near)]


_pattern_directory = _one_of("arguments.path", "in", "in", ".", "ab")


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


def _path_spelling(case: Case) -> TextPieces:
    return TextPieces("arguments.path", PATH_PIECES, 3)


def _absolute(case: Case) -> Sequence[CaseUpdate]:
    path = case.arguments["path"]
    return [{"context.allow_absolute": True} if path.startswith(("/", "$")) else {}]


def _non_object_arguments(case: Case) -> Sequence[CaseUpdate]:
    return [*[{"arguments": {}}] * 30, {"arguments": []}, {"arguments": "."}, {"arguments": 3}]


def _sometimes_given(name: str) -> Stage:
    """Nothing, mostly; now and then a value that is right, and rarely one that is wrong."""
    wrong, right = INVALID_VALUES[name], VALID_VALUES[name]
    rounds = max(1, len(wrong) // len(right))
    return _one_of(f"arguments.{name}", *[REMOVE_MEMBER] * (4 * len(wrong)), *right * (2 * rounds), *wrong)


_unknown = _one_of("arguments.Limit", *[REMOVE_MEMBER] * 20, 1)

ALL_CASE_LABELS = (
    *("listings", "errors", "hidden", "ignored names", "patterns", "pages", "links", "links out"),
    *("below the root", "working directory", "through links", "wrong arguments", "outside", "closed"),
)


def case_labels(case: Case, due: ExpectedListing | ExpectedFailure) -> frozenset[str]:
    """The words for what is interesting in a case."""
    if isinstance(due, ExpectedFailure):
        found = {
            "errors": True,
            "wrong arguments": due.requirement.startswith("LS-ARG"),
            "outside": due.requirement.startswith("LS-SEC"),
            "closed": due.requirement == "LS-ERR-04",
        }
    else:
        reasons = set(due.excluded.values())
        found = {
            "listings": True,
            "hidden": "LS-FILT-01" in reasons,
            "ignored names": "LS-FILT-02" in reasons,
            "patterns": bool(due.request.patterns),
            "pages": due.request.offset > 0 or due.has_next_page,
            "links": any(item.type == "link" for item in due.entries),
            "links out": any(item.leads_outside for item in due.entries),
            "below the root": due.resolved_paths[0] != ".",
            "through links": due.through_link,
        }
    found["working directory"] = "working_dir" in case.context
    return frozenset(word for word, there in found.items() if there)
