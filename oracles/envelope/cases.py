"""What to draw cases from: trees, and calls that stand on the boundaries of the rules of LS.

Names are told apart by more than their case, and are UTF-8 on one line: about others there are scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeproof.search.model import ABSENT, Case, Family, Shape, Spelling, Stage, Update
from treeproof.tree import Kind, parse

from .outcomes import Error, Listing

_MIXED = (b"a", b"B", b".c", b"D1", b"d2", b"build", b"e.txt", b"F", b"10", b"9", b".git")
_DOTTED = (b".a", b"a", b".b", b"..c", b"b.", b"a.b", b".git", b"x")
_IGNORED = (b"build", b"a", b"dist", b"target", b"node_modules", b"builds", b"my-dist", b".venv", b"venv")
_GLOBBED = (b"a", b"ab", b"b", b"a.b", b"ba", b"aab", b"c", b"cab", b"x.a")
NAMES = (_MIXED, _DOTTED, _IGNORED, _GLOBBED, _MIXED)
TARGETS = (b"a", b".", b"..", b"gone", b"../outside", b"$ROOT/a", b"build", b"../outside/f", b"$ROOT")
BESIDE = "outside/{secret, sub/{deep}, f}, root2/{x}"
TREES = Shape(
    NAMES,
    (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FILE, Kind.SYMLINK, Kind.FIFO),
    TARGETS,
    sizes=(0, 12),
    entries=14,
)
CLOSED = Shape((_MIXED, _GLOBBED), (Kind.FILE, Kind.DIR, Kind.SYMLINK), TARGETS, modes=(None, 0, None, 0o111))

PATTERNS = ("*", "a", "b", "?", "[ab]", "[!a]", "*b", ".", "c", "x", "+", "[]]")
PATHY = ("*", "a", "b", "/", "in/", "**/", "?", "[/a]", "*/", "ab")
GLOBS = parse("in/{a, ab, b, c/{a}, a.b, a+b, build/}, a, ab/{b}, b, c.a, .ab, a+b, 'a]'")

WAYS = (
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
INSIDE_OUT = parse(
    "a/{b/{x, y/}, up->.., far->../../outside, down->b, f}, b/{z, .h}, back->a/b, up->.., out->../outside, f, "
    "loop->loop, gone->nowhere, deep->a/far, ..c/{z}"
)

SMALL = parse("d1/{x}, d2/, a.txt, b.log, c.txt, l->d1, .h, build/")
OFF: tuple[Any, ...] = (None, "1", [], {}, True, 1.5, "")
WRONG: dict[str, tuple[Any, ...]] = {
    "path": (None, 5, ["."], {}, True, "", 0.5),
    "offset": (-1, *OFF, -(2**70), 2.0),
    "limit": (0, -1, 201, 2**70, *OFF, 2.0),
    "include_hidden": (None, 0, 1, "true", "", [], {}),
    "ignore": ("*", "", {}, 0, False, [1], ["a", None], [[]], True, {"0": "a"}),
}
RIGHT: dict[str, tuple[Any, ...]] = {
    "path": (".", "d1", "./d1/", "missing", "a.txt", ".."),
    "offset": (0, 1, 3, 5, 6, 2**70),
    "limit": (1, 2, 5, 6, 200),
    "include_hidden": (True, False),
    "ignore": (None, [], ["*.txt"], ["**/d1", "*.log"], ["d?"]),
}


def families(capabilities: frozenset[str]) -> tuple[Family, ...]:
    """All families of cases that a candidate of these capabilities can be asked."""
    every = (
        Family("trees", TREES, (_path, _working_dir, _hidden, _ignore, _offset, _limit), outside=BESIDE),
        Family("patterns", GLOBS, (_globbed, _hidden, _first_pattern, _second_pattern), outside=BESIDE),
        Family("paths", INSIDE_OUT, (_from, _way, _absolute), outside=BESIDE),
        Family("closed", CLOSED, (_path, _hidden), outside=BESIDE, needs=frozenset({"modes"}), share=0.6),
        Family("arguments", SMALL, (_none, *map(_either, WRONG), _unknown), outside=BESIDE),
    )
    return tuple(family for family in every if family.needs <= capabilities)


def _one_of(place: str, *values: Any) -> Stage:
    """One of these values at a place; ABSENT leaves it out."""
    updates: list[Update] = [{place: value} for value in values]
    return lambda case: updates if isinstance(case.arguments, dict) else [{}]


def _directories(case: Case) -> list[str]:
    found = [path.decode() for path, node in case.tree.walk() if node.kind is Kind.DIR]
    return [path for path in found if "'" not in path][:6]


def _path(case: Case) -> Sequence[Update]:
    """The root, mostly; else a directory, spelled in this way or that, or a link, or what is none."""
    found: list[Update] = [{"arguments.path": ABSENT}, {}, {}, {}]
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


def _working_dir(case: Case) -> Sequence[Update]:
    """The root, mostly; else a directory below, from which the path leads back up."""
    found: list[Update] = [{}] * 6
    for path in _directories(case)[:2]:
        climb = "/".join([".."] * (path.count("/") + 1))
        asked = case.arguments.get("path", ".")
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": f"{climb}/{asked}"})
        found.append({"context.working_dir": f"$ROOT/{path}", "arguments.path": ABSENT})
    return found


_hidden = _one_of("arguments.include_hidden", ABSENT, ABSENT, True, False)
_ignore = _one_of(
    "arguments.ignore",
    *[ABSENT] * 5,
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


def _offset(case: Case) -> Sequence[Update]:
    count = _count(case)
    return [
        {},
        {},
        {},
        {},
        *({"arguments.offset": at} for at in sorted({0, 1, count // 2, count, count + 1})),
    ]


def _limit(case: Case) -> Sequence[Update]:
    count = _count(case)
    near = sorted({limit for limit in (1, 2, count - 1, count, count + 1, 200) if limit > 0})
    return [{}, {}, {}, *({"arguments.limit": limit} for limit in near)]


_globbed = _one_of("arguments.path", "in", "in", ".", "ab")


def _first_pattern(case: Case) -> Spelling:
    inside = case.arguments.get("path") == "in"
    return Spelling("arguments.ignore", PATHY if inside else PATTERNS + PATHY[:3], 4)


def _second_pattern(case: Case) -> Sequence[Update]:
    first = case.arguments["ignore"]
    return [{"arguments.ignore": [first]}, {"arguments.ignore": [first]}, {"arguments.ignore": [first, "c*"]}]


def _from(case: Case) -> Sequence[Update]:
    return [{}, {}, {}, {"context.working_dir": "$ROOT/a"}, {"context.working_dir": "$ROOT/a/b"}]


def _way(case: Case) -> Spelling:
    return Spelling("arguments.path", WAYS, 3)


def _absolute(case: Case) -> Sequence[Update]:
    path = case.arguments["path"]
    return [{"context.allow_absolute": True} if path.startswith(("/", "$")) else {}]


def _none(case: Case) -> Sequence[Update]:
    return [*[{"arguments": {}}] * 30, {"arguments": []}, {"arguments": "."}, {"arguments": 3}]


def _either(name: str) -> Stage:
    """Nothing, mostly; now and then a value that is right, and rarely one that is wrong."""
    wrong, right = WRONG[name], RIGHT[name]
    rounds = max(1, len(wrong) // len(right))
    return _one_of(f"arguments.{name}", *[ABSENT] * (4 * len(wrong)), *right * (2 * rounds), *wrong)


_unknown = _one_of("arguments.Limit", *[ABSENT] * 20, 1)

EVERY_CLASS = (
    *("listings", "errors", "hidden", "ignored names", "patterns", "pages", "links", "links out"),
    *("below the root", "working directory", "through links", "wrong arguments", "outside", "closed"),
)


def classes(case: Case, due: Listing | Error) -> frozenset[str]:
    """The words for what is interesting in a case."""
    if isinstance(due, Error):
        found = {
            "errors": True,
            "wrong arguments": due.requirement.startswith("LS-ARG"),
            "outside": due.requirement.startswith("LS-SEC"),
            "closed": due.requirement == "LS-ERR-04",
        }
    else:
        reasons = set(due.left_out.values())
        found = {
            "listings": True,
            "hidden": "LS-FILT-01" in reasons,
            "ignored names": "LS-FILT-02" in reasons,
            "patterns": bool(due.wish.patterns),
            "pages": due.wish.offset > 0 or due.hint,
            "links": any(item.type == "link" for item in due.items),
            "links out": any(item.is_link_out for item in due.items),
            "below the root": due.resolved[0] != ".",
            "through links": due.by_link,
        }
    found["working directory"] = "working_dir" in case.context
    return frozenset(word for word, there in found.items() if there)
