"""The families of random cases: names, trees and calls at the boundaries of this tool's rules.

Times are whole milliseconds in the range on which all readings agree; no path matches a denied pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import (
    REMOVE_MEMBER,
    Case,
    CaseFamily,
    CaseUpdate,
    Kind,
    Node,
    Stage,
    Tree,
    TreeShape,
    Unmodelled,
    parse_tree,
)

from ..shared.generators import (
    ENTRY_MAKERS,
    LINKED,
    UNCHANGED,
    EntryMaker,
    after_other_calls,
    one_of,
    path_of,
    top_directories,
    trees_of_pairs,
    ways_to,
)
from ..shared.reading_choices import ReadingChoices
from .arguments import BUILT_IN_DEFAULTS, INCLUDE_FLAGS, ExpectedFailure
from .document import CUT_BY_SIZE, document_size
from .expected import RECOMMENDED_READINGS, ExpectedListing, ExpectedOutcome, expected_outcome
from .lossy_names import is_utf8
from .path_resolution import listable, searchable
from .path_text import normalise_path
from .rare_families import rare_families

AMPLE_BUDGET = 1_000_000

_PLAIN = (b"a", b"b", b"c", b"d")
_PREFIXES = (b"a", b"a-", b"a", b"a.", b"a!", b"a0", b"ab", b"a b")
_ORDER = (b"a", b"B", b"A", b"b", b"_", b"10", b"9", b"~", b"-", b" ")
_DOTTED = (
    *(b"a", b".a", b".b", b"..a", b"...", b". ", b"a..", b"b.", b"a.b", ".\u00e9".encode()),
    "\uff0ea".encode(),
)
_AWKWARD = (b"a", b'"', b"a\\b", b"a\nb", b"\x01", b"\x7f", b"\x1b[m", b"<&>", b"\\", "\u2028".encode(), b"z")
_WORDS = tuple(map(str.encode, ("\u00e9", "e\u0301", "\uff21", "\ue000", "\U0001f600", "\ufffd", "\u65e5\u672c", "f")))
_NON_UTF8 = (
    *(b"a", b"\xff", b"\xfe", b"\x80", b"a\xff", b"a\xfe", b"\xe2\x82", b"\xff\xfe", b"\x80\x80"),
    *(b".\xff", b"\xe2\x82a", b"\xed\xa0\x80", b"\xf0\x9f\x98"),
)
NAME_GROUPS = (_PREFIXES, _NON_UTF8, _PREFIXES, _DOTTED, _WORDS + _NON_UTF8[:4], _AWKWARD, _ORDER)
LINK_TARGETS = (b"a", b".", b"..", b"a/b", b"/etc", b"gone", b"../root2")
KINDS = (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO, Kind.SOCKET)
TREES = TreeShape(
    NAME_GROUPS, KINDS, LINK_TARGETS, sizes=(0, 1, 12, 4097), mtimes_ms=(0, 1, 1234567890123), max_entries=14
)
RESTRICTED_TREES = TreeShape(
    (_PLAIN, _PREFIXES, _NON_UTF8[:6] + _DOTTED[:4]),
    KINDS[:3],
    LINK_TARGETS,
    directory_modes=(None, 0o444, None, 0o111, None, 0),
    max_entries=12,
)

PATH_PIECES = (
    *("a", "/", ".", "b", "./", "//", "..", " ", "\t", "a.", ".a", "...", "A", "C:", "\u00e9", "e\u0301"),
    *("\\", '"', "\n", "\x01", "\v", "\x85", "\u3000", "\ufeff", "\x1f", "\u200b", "\U0001f600", "~", "*"),
    "%2e%2e",
)
LINK_TREE = parse_tree(
    "a/{b/{x}, up->.., far->../.., down->b, y}, b/{z}, out->../root2, deep->../root2/d, up->.., etc->/etc, "
    "back->a/b, loop->loop, 'a b'/{w}, ..c/{v}, f, gone->nowhere"
)
OUTSIDE = "secret, root2/{secret, d/{secret}}"
ESCAPE_PATH_PIECES = (
    *("a", "/", "a/", "./", "back", "a/down", "b", "a/b", "//", "..c", "a b", ".", " ", "/.", "a/up/"),
    *("/down", "..", "up", "out", "a/far", "deep", "etc", "loop", "gone", "f", "../", "/..", "\\", "root2"),
    "secret",
)
SETTINGS_TREE = parse_tree("d/{x, e/{y, g/{z, h/{w, k/{v}}}}}, f, l->f, p:fifo, .h, .c/{z}, m")
SMALL_TREE = parse_tree("a/{b}, f, l->f, .h, p:fifo")

_PAIR_NAMES = (
    *(b"plain", b".hidden", b" a  b ", b"a\nb", b"a\\b", b"plain-", b"$a%20"),
    *(b"build", b"..c", b"it's", b"Capital", b"capital", b"a.log", b"-r"),
    *(b"[a]*", b"n" * 220, b"a\tb", "\u6587\u4ef6".encode(), b'"', b"10", b"bad\xff"),
    *(b"e\xcc\x81", b"\xc3\xa9", b"\x7f", b"\xf0\x9f\x98\x80", b"CON", b"~"),
)
"""Names of each class that a program may treat in its own way; some resemble another one."""
_TIMES_NS = (None, 0, -1_500_000_000, 1_234_567_890_123_000_000, 4_102_444_800_000_000_000, 1_000_000_000_999_500_000)


def _with_times(tree: Tree, start: int) -> Tree:
    """Return the tree with times of each class, in turn."""
    number = start

    def changed(node: Node) -> Node:
        nonlocal number
        number += 1
        time = _TIMES_NS[number * 5 % len(_TIMES_NS)] if node.hardlink is None else None
        return replace(node, mtime_ns=time, children=tuple(map(changed, node.children)))

    return Tree((*tree.entries[: len(LINKED.entries)], *map(changed, tree.entries[len(LINKED.entries) :])))


_CLOSED_MAKERS: tuple[EntryMaker, ...] = (
    lambda name, up: Node(name, Kind.DIR, mode=0),
    lambda name, up: Node(name, Kind.DIR, mode=0o444, children=(Node(b"x", Kind.FILE),)),
    lambda name, up: Node(name, Kind.DIR, mode=0o111),
    lambda name, up: Node(name, Kind.FILE, mode=0),
)
_LINK_TO_PAIRS = Node(b"lt", Kind.SYMLINK, target=b"t")
_NAMED_TREES = trees_of_pairs(_PAIR_NAMES, ENTRY_MAKERS, b"t", levels=3)
PAIR_TREES = tuple(
    Tree((_LINK_TO_PAIRS, *tree.entries))
    for tree in (_with_times(tree, number) for number, tree in enumerate(_NAMED_TREES))
)
CLOSED_TREES = tuple(
    Tree((_LINK_TO_PAIRS, *tree.entries)) for tree in trees_of_pairs(_PAIR_NAMES, _CLOSED_MAKERS, b"t", levels=3)
)
WAYS_TREE = Tree((*LINKED.entries, *parse_tree("here->., t/{x}, e/, out->../outside, two->l").entries))
_WAYS = ways_to(("t", "e", "f", "p", "gone", "loop", "f/x"))
_OUTSIDE_OF_WAYS = "outside/{f}, root2/{x}, linked->root"

WRONG_FLAGS: tuple[Any, ...] = (None, 0, 1, "true", "", [], {})
WRONG_NUMBERS = (0, -1, 1.5, -0.0, "2", True, False, None, [1], 2**31, 2**32 + 1, 2**63, 2**64 + 1, 10**30)
WRONG_PATHS: tuple[Any, ...] = (None, 1, ["."], {}, True, "", " ", "\t\n", "\f")
NON_OBJECTS: tuple[Any, ...] = ([], ".", None, 1, True, ["."], "")


def families(capabilities: frozenset[str]) -> Iterator[CaseFamily]:
    """Yield all families, with stages for these capabilities."""
    config: tuple[Stage, ...] = (_config,) if "config" in capabilities else ()
    config_of_pairs: tuple[Stage, ...] = (_pair_config,) if "config" in capabilities else ()
    budget: tuple[Stage, ...] = (_budgets,) if "budget" in capabilities else ()
    filters = (_depth, *_INCLUDE_STAGES, _keep_one_kind, _limit)
    modes, has_config = frozenset({"modes"}), frozenset({"config"})
    dot = {"path": "."}
    yield CaseFamily("trees", TREES, (*config, _path, _recursive, *filters, *budget), arguments=dot)
    yield CaseFamily("faults", RESTRICTED_TREES, (_path, _mostly_recursive, *filters), needs=modes, arguments=dot)
    yield CaseFamily(
        "paths",
        None,
        (path_of(PATH_PIECES, 7), _tree_for_path),
        arguments=dot,
    )
    yield CaseFamily(
        "escapes",
        LINK_TREE,
        (path_of(ESCAPE_PATH_PIECES, 3),),
        outside=OUTSIDE,
        arguments=dot,
    )
    yield CaseFamily("arguments", SMALL_TREE, (_non_object_arguments, *_ARGUMENT_STAGES), arguments=dot)
    yield CaseFamily("settings", SETTINGS_TREE, (*_CONFIG_STAGES, *_OVERRIDE_STAGES), needs=has_config, arguments=dot)
    shown = (_pair_includes, _pair_hidden, _pair_limit, *config_of_pairs, *budget, _pair_earlier)
    yield CaseFamily(
        "pairs",
        None,
        (_pair_tree, _pair_path(capabilities), _recursive, _depth, *shown),
        outside=_OUTSIDE_OF_WAYS,
        arguments=dot,
        relative_size=1.2,
    )
    closed = (_closed_tree, _pair_path(capabilities), _recursive, _depth, *shown)
    yield CaseFamily(
        "closed pairs", None, closed, outside=_OUTSIDE_OF_WAYS, needs=modes, arguments=dot, relative_size=0.4
    )
    yield CaseFamily(
        "ways",
        WAYS_TREE,
        (_way, _any_root, *map(_one_argument, _WRONG_VALUES), _pair_earlier),
        outside=_OUTSIDE_OF_WAYS,
        needs=frozenset({"roots", "working_dir", "allow_absolute"}),
        arguments=dot,
        relative_size=1.2,
    )
    yield from rare_families(capabilities, _budgets, _keep_one_kind)


def _boundary_values(name: str, *small: int) -> Stage:
    """Return a stage that usually adds nothing, else a small number, the effective limit or the next number."""

    def stage(case: Case) -> Sequence[CaseUpdate]:
        limit = (case.config or {}).get(name, BUILT_IN_DEFAULTS[name])
        if name == "max_depth" and not case.arguments.get("recursive"):
            return [{}, {}, {}, {f"arguments.{name}": 1}]
        near = {value for value in (*small, limit) if value <= limit}
        return [
            *({} for _ in range(6)),
            *({f"arguments.{name}": value} for value in (*sorted(near), limit + 1)),
        ]

    return stage


def _rarely(field_path: str, valid: tuple[Any, ...], invalid: tuple[Any, ...]) -> Stage:
    """Return a stage that usually adds nothing, else one of the valid values, or rarely an invalid one."""
    return one_of(field_path, *[UNCHANGED] * (10 * len(invalid)), *valid * 4, *invalid)


_recursive = one_of("arguments.recursive", True, UNCHANGED, True, False)
_mostly_recursive = one_of("arguments.recursive", True, True, True, UNCHANGED)
_INCLUDE_STAGES: tuple[Stage, ...] = (
    one_of("arguments.include_hidden", UNCHANGED, True, True, False),
    one_of("arguments.include_files", UNCHANGED, UNCHANGED, UNCHANGED, False),
    one_of("arguments.include_dirs", UNCHANGED, UNCHANGED, UNCHANGED, False, True),
    one_of("arguments.include_symlinks", UNCHANGED, UNCHANGED, UNCHANGED, False),
    one_of("arguments.include_other", UNCHANGED, True, False),
)


def _keep_one_kind(case: Case) -> Sequence[CaseUpdate]:
    off = [case.arguments.get(f"include_{name}") is False for name in ("files", "dirs", "symlinks")]
    return [{"arguments.include_files": True} if all(off) else {}]


def _path(case: Case) -> Sequence[CaseUpdate]:
    """Return the sandbox root, or one of its directories whose name is its own normalised path."""
    names = [name for name in top_directories(case) if name.strip() == name and "\\" not in name]
    normal = [name for name in names if normalise_path(name, ReadingChoices(RECOMMENDED_READINGS)) == name]
    return [{}, {}, *({"arguments.path": name} for name in normal)]


def _depth(case: Case) -> Sequence[CaseUpdate]:
    """Return no depth, the depth 1, or, with recursion, a depth near that of the tree."""
    if not case.arguments.get("recursive"):
        return [{}, {}, {"arguments.max_depth": 1}]
    most = (case.config or {}).get("max_depth", BUILT_IN_DEFAULTS["max_depth"])
    deepest = max((path.count(b"/") + 1 for path, _ in case.tree.walk()), default=1)
    depths = {depth for depth in (1, deepest - 1, deepest, deepest + 1) if 1 <= depth <= most}
    return [{}, *({"arguments.max_depth": depth} for depth in sorted(depths))]


def _config(case: Case) -> Sequence[CaseUpdate]:
    return [
        {},
        {},
        {"config.max_entries": 5},
        {"config.max_depth": 2},
        {"config.include_hidden_default": True},
        {"config.max_entries": 1000, "config.max_depth": 9},
    ]


def _limit(case: Case) -> Sequence[CaseUpdate]:
    """Return no limit, the limit 1, or a limit near the number of qualifying entries."""
    expected = _expected_listing(case)
    if expected is None:
        return [{}]
    count, most = len(expected.qualifying), expected.request.max_entries
    limits = {limit for limit in (count, count - 1, count + 1, 1) if 1 <= limit <= most}
    return [{}, *({"arguments.max_entries": limit} for limit in sorted(limits, reverse=True))]


def _budgets(case: Case) -> Sequence[CaseUpdate]:
    """Return ample budgets, and budgets of the exact size of the document or of a shorter one, or one byte less."""
    expected = _expected_listing(case)
    if expected is None or any(entry.error_codes for entry in expected.entries):
        return [{}]
    sizes = [entry.json_size for entry in expected.entries]
    cut = [
        document_size(expected.path, sizes[:kept], expected.request.max_entries, CUT_BY_SIZE)
        for kept in {0, len(sizes) // 2, len(sizes) - 1}
        if 0 <= kept < len(sizes)
    ]
    edges = [edge - less for edge in (expected.full_size, *cut) for less in (0, 1)]
    pairs = [pair for edge in edges for pair in ((edge, AMPLE_BUDGET), (AMPLE_BUDGET, edge))]
    pairs += [(expected.full_size, expected.full_size - 1), (0, AMPLE_BUDGET), (2**31, 2**62)]
    return [
        *({} for _ in range(len(pairs) // 2)),
        *({"context.max_output_bytes": one, "context.available_capacity_bytes": other} for one, other in pairs),
    ]


def _expected_listing(case: Case) -> ExpectedListing | None:
    try:
        expected = expected_outcome(case, ReadingChoices(RECOMMENDED_READINGS))
    except Unmodelled:
        return None
    return expected if isinstance(expected, ExpectedListing) else None


def _tree_for_path(case: Case) -> Sequence[CaseUpdate]:
    """Return trees in which the path is usually a directory, else a file or missing."""
    text = case.arguments.get("path", ".")
    cleaned = normalise_path(text, ReadingChoices(RECOMMENDED_READINGS)) or "."
    parts = [part.encode("utf-8") for part in cleaned.split("/") if part not in ("", ".")]
    if cleaned.startswith("/") or b".." in parts or any(b"\0" in part for part in parts):
        return [{"tree": parse_tree("a/{b/{x}}, x")}]
    nodes = (Node(b"x", Kind.FILE),)
    for part in reversed(parts):
        nodes = (Node(part, Kind.DIR, children=nodes),)
    updates: list[CaseUpdate] = [{"tree": Tree(nodes)}]
    if parts:
        file = (Node(parts[-1], Kind.FILE),)
        for part in reversed(parts[:-1]):
            file = (Node(part, Kind.DIR, children=file),)
        updates += [updates[0], updates[0], {"tree": Tree(file)}, {"tree": Tree()}]
    return updates


def _non_object_arguments(case: Case) -> Sequence[CaseUpdate]:
    return [*({} for _ in range(60)), *({"arguments": value} for value in NON_OBJECTS)]


_ARGUMENT_STAGES: tuple[Stage, ...] = (
    _rarely("arguments.recursive", (True, False), WRONG_FLAGS),
    _rarely("arguments.max_depth", (1, 1, 2, 4, 5), WRONG_NUMBERS),
    _rarely("arguments.max_entries", (1, 2, 200, 201), WRONG_NUMBERS),
    *(_rarely(f"arguments.include_{name}", (True, False), WRONG_FLAGS) for name in INCLUDE_FLAGS),
    _rarely("arguments.path", ("a", "f", "nope", "../x", "/"), WRONG_PATHS),
)
_CONFIG_STAGES: tuple[Stage, ...] = (
    *(one_of(f"config.include_{name}_default", UNCHANGED, True, False) for name in INCLUDE_FLAGS),
    one_of("config.max_depth", UNCHANGED, UNCHANGED, 1, 2, 5, 6),
    one_of("config.max_entries", UNCHANGED, UNCHANGED, 3, 50, 1000),
)
_OVERRIDE_STAGES: tuple[Stage, ...] = (
    one_of("arguments.recursive", True, UNCHANGED, True),
    *(one_of(f"arguments.include_{name}", UNCHANGED, True, False) for name in INCLUDE_FLAGS),
    _keep_one_kind,
    _boundary_values("max_depth", 1, 2, 3),
    _boundary_values("max_entries", 1, 3),
)


def _pair_tree(case: Case) -> Sequence[CaseUpdate]:
    return [{"tree": tree} for tree in PAIR_TREES]


def _closed_tree(case: Case) -> Sequence[CaseUpdate]:
    return [{"tree": tree} for tree in CLOSED_TREES]


def _pair_path(capabilities: frozenset[str]) -> Stage:
    paths = (".", "./", "t", "./t", "t/", ".//t", "t/t", "t/./t/", "lt", "lt", "lt/t")
    updates: list[CaseUpdate] = [{}, *({"arguments.path": path} for path in paths)]
    if "allow_absolute" in capabilities:
        updates += [{"arguments.path": path, "context.allow_absolute": True} for path in ("$ROOT/t", "$ROOT")]
    if "working_dir" in capabilities:
        updates += [{"context.working_dir": "$ROOT/t"}, {"context.working_dir": "$ROOT/t", "arguments.path": "t"}]
    if capabilities >= {"roots", "working_dir"}:
        linked: CaseUpdate = {"context.roots": ["$OUTSIDE/linked"], "context.working_dir": "$OUTSIDE/linked"}
        several: CaseUpdate = {"context.roots": ["$ROOT", "$OUTSIDE/root2"], "context.working_dir": "$ROOT"}
        nested: CaseUpdate = {"context.roots": ["$ROOT", "$ROOT/d"], "context.working_dir": "$ROOT"}
        whole: CaseUpdate = {"context.roots": ["/"], "context.working_dir": "$ROOT", "arguments.path": "t"}
        updates += [linked, {**linked, "arguments.path": "t"}, several, {**several, "arguments.path": "t"}]
        updates += [nested, {**nested, "arguments.path": "t/t"}, whole]
    return lambda case: updates


def _pair_includes(case: Case) -> Sequence[CaseUpdate]:
    """Return flags of which at most one is false."""
    found: list[CaseUpdate] = [{}, {}, {"arguments.include_other": True}, {"arguments.include_other": True}]
    names = ("files", "dirs", "symlinks")
    for off in names:
        others: CaseUpdate = {f"arguments.include_{one}": True for one in names if one != off}
        found += [{f"arguments.include_{off}": True, "arguments.include_other": True}]
        found += [{**others, f"arguments.include_{off}": False, "arguments.include_other": False}]
    return found


_pair_hidden = one_of("arguments.include_hidden", UNCHANGED, True, True, True, False)
_pair_limit = one_of("arguments.max_entries", *[UNCHANGED] * 4, 1, 9, 200)
_pair_earlier = after_other_calls({}, {"arguments.recursive": True})


def _pair_config(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, {"config.include_hidden_default": True}, {"config.include_hidden_default": False}]


def _way(case: Case) -> Sequence[CaseUpdate]:
    return [*[{"arguments.path": REMOVE_MEMBER}] * 2, *[{"arguments.path": 5}] * 2, *_WAYS]


def _any_root(case: Case) -> Sequence[CaseUpdate]:
    """Return usually the root, else several, a link to it, one that is missing, or that of the whole system."""
    if case.context:
        return [{}]
    several: CaseUpdate = {"context.roots": ["$ROOT", "$OUTSIDE/root2"], "context.working_dir": "$ROOT"}
    nested: CaseUpdate = {"context.roots": ["$ROOT", "$ROOT/d"], "context.working_dir": "$ROOT"}
    whole: CaseUpdate = {"context.roots": ["/"], "context.working_dir": "$ROOT"}
    path = case.arguments.get("path")
    if path in (None, ".", "/") or ".." in str(path).removeprefix("d/../"):
        whole = several  # what two dots mean where nothing is outside is open
    others: list[CaseUpdate] = [
        {"context.roots": [one], "context.working_dir": one} for one in ("$OUTSIDE/linked", "$OUTSIDE/nowhere")
    ]
    return [*[{}] * 4, several, nested, whole, *others]


_WRONG_VALUES: Mapping[str, tuple[Any, ...]] = {
    **dict.fromkeys(("recursive", *(f"include_{one}" for one in INCLUDE_FLAGS)), ("true", 1)),
    "max_depth": (0, "2", 9),
    "max_entries": (0, "1", 201),
}


def _one_argument(name: str) -> Stage:
    """Return a stage that usually adds nothing, else an invalid value."""
    return one_of(f"arguments.{name}", *[UNCHANGED] * (8 * len(_WRONG_VALUES[name])), *_WRONG_VALUES[name])


ALL_CASE_LABELS = (
    *("listings", "refusals", "recursion", "depth limit", "subdirectories", "hidden", "links"),
    *("special files", "lossy names", "collisions", "escapes", "switches", "configuration", "at the limit"),
    *("over the limit", "budget edge", "cut by size", "nothing fits", "unreadable", "no metadata"),
)


def case_labels(case: Case, expected: ExpectedOutcome) -> Mapping[str, bool]:
    """Return for each label whether it applies to a case with this outcome."""
    if isinstance(expected, ExpectedFailure):
        return {"refusals": True, "configuration": bool(case.config)}
    nodes = [node for _, node in case.tree.walk()]
    paths = Counter(entry.path for entry in expected.qualifying)
    request, count = expected.request, len(expected.qualifying)
    edges = (expected.full_size, expected.full_size - 1)
    return {
        "listings": True,
        "recursion": request.recursive,
        "depth limit": any(path.count(b"/") >= request.max_depth for path, _ in case.tree.walk()),
        "subdirectories": not expected.directory.is_sandbox_root,
        "hidden": any(node.name.startswith(b".") for node in nodes),
        "links": any(node.kind is Kind.SYMLINK for node in nodes),
        "special files": any(node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK) for node in nodes),
        "lossy names": any(not is_utf8(node.name) for node in nodes),
        "collisions": any(times > 1 for times in paths.values()),
        "escapes": any(set(node.name) & {*range(0x20), 0x22, 0x5C} for node in nodes),
        "switches": any(request.sources[name] not in ("unsaid", "built-in") for name in INCLUDE_FLAGS),
        "configuration": bool(case.config),
        "at the limit": count == request.max_entries,
        "over the limit": count > request.max_entries,
        "budget edge": expected.budget in edges,
        "cut by size": expected.kept_count is not None and expected.kept_count < len(expected.entries),
        "nothing fits": expected.kept_count is None,
        "unreadable": any(not listable(node) for node in nodes),
        "no metadata": any(not searchable(node) for node in nodes),
    }
