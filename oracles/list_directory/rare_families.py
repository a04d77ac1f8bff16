"""The families of rare cases: unusual names and paths, long lists, earlier calls. A run has only the last of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from treeproof.api import Case, CaseFamily, CaseUpdate, Kind, Node, Stage, Tree, TreeShape, parse_tree

from ..shared.generators import UNCHANGED, after_other_calls, one_of
from ..shared.rare_names import as_bytes
from .arguments import INCLUDE_FLAGS

_LINES = as_bytes("a\n", "a", "a\n.b", "\r\n.c", "x\ny", "\n", "\r", ".a", "\n.a")
_BLANKS = as_bytes("a b", "a  b", "a", " a", "a ", "d ", "d", "d.", " ", " .x", "\u00a0", "\u3000a")
_SIGNS = as_bytes(
    *("$(b)", "d&e", "<h>", '"q"', "it`s", "$HOME", "`id`", "k;l", "a|b", "*", "?", "[a-z]", "%s", "&amp;", "a\\b"),
    *("x\\y\\z", "a+b", "~e", "#j", "!a", "'b'"),
)
_SYSTEMS = as_bytes(
    *("c:", "a:b", ":d", "con", "nul.txt", "lost+found", "Thumbs.db", "desktop.ini", "$RECYCLE.BIN", "NTUSER.DAT"),
    *("aquota.user", "F.TXT", "B.Tar.GZ", "x.JPG", "a~", "#b#", "core", "CVS", "__pycache__"),
)
_MARKS = as_bytes("\u200ba", "a", "b\u00ad", "b", "\u202ec", "\ufeffd", "d", "\u00e9", "e\u0301", "\u212b", "\uff21")
_LONG = as_bytes("n" * 255, "m" * 254, "k" * 200, "\u6587" * 85, "x", "j" * 129)
_OVERLONG = (
    b"\xc0\x80",
    b"a\xc0\x80b",
    b"\xe0\x80\x80",
    b"\xc0\xaf",
    b"a",
    b"\xf0\x80\x80\xaf",
    b"\xf5a",
    b"\xed\xbf\xbf",
)
NAMES = TreeShape(
    (_LINES, _BLANKS, _SIGNS, _SYSTEMS, _MARKS, _LONG, _OVERLONG),
    (Kind.FILE, Kind.DIR, Kind.SYMLINK, Kind.FIFO),
    (b"a", b".", b"d", b"gone"),
    sizes=(0, 4097, 2**31 + 1),
    contents=("\u00e9".encode(), b"a\r\nb", "\u6587\u4ef6".encode(), b"\xff\xfe"),
    mtimes_ms=(1, 1234567890123),
    max_entries=16,
    hard_links=True,
)
LINED_COMPONENTS = (
    *("a\n", "\na", "a\n.", "a\n..", "\n..", "a\n\nb", "a \n b", "a\n.b", "..\n", ".\n", "a \n\tb", "a", "b\n/c", "\n"),
    "a\n.\nb",
)
COMPONENTS = (
    *("con", "nul", "d:12", "[a]", "{b,c}", "d?", "**", "~root", "~", "`a`", "$(b)", "${c}", "d&e", "f|g", "#h", "i;j"),
    *(
        "100%",
        "%s",
        "%2f",
        "%2e%2e",
        "a  b",
        "x\u00a0y",
        "a\u200b",
        "\u202eb",
        "d\u00ade",
        "e\u0301",
        "\u00e9",
        "\u212b",
    ),
    *(
        "'q'",
        '"q"',
        "\u6587",
        "a\tb",
        "a\x01",
        "n" * 255,
        "m" * 120,
        "{p}",
        "$&",
        "a\\b",
        "h.",
        ".h",
        "..c",
        "a..b",
        "A",
    ),
    *("c:", "a:b", "-", "--", "*", "a/b/c/d/e/f/g/h/i/j", "F.TXT"),
)
PLACES_TREE = parse_tree(
    "in/{.c/{d}, .h, a/{.x, y, b/{c/{d/{e}}}}, f, l->f, p:fifo}, w/{in/{.c/{d}, .h, a/{.x, y}, f, l->f, p:fifo}, "
    "only/{q}}, z, private/{sub/{x}, t}, other/{x, .y}"
)
SPECIAL_TREE = parse_tree(
    "p:fifo, s:sock, lp->p, ls->s, ln->/dev/null, f, lf->f, ld->d, d/{m->../p, n->../s, o->../f, q:fifo, r->gone}, h=>f"
)
DEEP_TREE = parse_tree(
    "a/{b/{c/{d/{e/{f/{g}}, h/{i}}, j/{k/{l}, m}}, n/{o/{p/{q}}, r/{s}}}, t/{u/{v, w/{x}}, y/{z, aa/{bb}}}}, "
    "k1/{k2/{k3/{k4/{k5}, k6/{k7}}, k8/{k9}}, l2/{l3/{l4/{l5}}}}, empty/, f"
)
ESCAPED_TREE = parse_tree(
    "'q\"q'/{a, b, c/{d, e}, f}, '\u00e9\u6587'/{a, b, c/{d, e}, f}, '<&>'/{a, b, c}, '\\x01x'/{a, b, c, d}, "
    "plain/{a, b, c}, 'a\\\\b'/{a, b, c, d}, '\U0001f600'/{a, b, c}"
)
REPEATED = TreeShape(
    (as_bytes("a", "b", "c", "d"),),
    (Kind.FILE, Kind.DIR, Kind.SYMLINK),
    (b"a", b"b", b"../root2", b"d"),
    sizes=(0, 12),
    mtimes_ms=(1234567890123,),
    max_entries=10,
)
OUTSIDE = "secret, root2/{secret, d/{secret}}"


def _numbered(name: str, count: int, prefix: str = "f") -> Node:
    files = tuple(Node(f"{prefix}{number:04}".encode(), Kind.FILE) for number in range(count))
    return Node(name.encode(), Kind.DIR, children=files)


LONG_LISTS: tuple[CaseUpdate, ...] = tuple(
    {"arguments.path": f"d{count}", "tree": Tree((_numbered(f"d{count}", count),))}
    for count in (64, 100, 128, 192, 200, 201, 256, 300, 512)
)
"""Listings of one long directory each; every case has its own, so that a counterexample has no others."""

LONG_NAMES: CaseUpdate = {"arguments.path": "long", "tree": Tree((_numbered("long", 160, "n" * 180),))}
NESTED: CaseUpdate = {
    "arguments.recursive": True,
    "tree": Tree((_numbered("x", 130), Node(b"x!", Kind.FILE), _numbered("y", 64))),
}

_switches = tuple(one_of(f"arguments.include_{name}", *[UNCHANGED] * 4, True, False) for name in INCLUDE_FLAGS)
_recursive = one_of("arguments.recursive", UNCHANGED, True, True)


def rare_families(capabilities: frozenset[str], budgets: Stage, keep_one_kind: Stage) -> Iterator[CaseFamily]:
    """Yield the families for these capabilities; `budgets` and `keep_one_kind` are stages of the other families."""
    dot = {"path": "."}

    def family(
        name: str, tree: TreeShape | Tree | None, *stages: Stage, needs: str = "", relative_size: float = 0
    ) -> CaseFamily:
        required = frozenset({needs} if needs else ())
        return CaseFamily(name, tree, stages, OUTSIDE, required, relative_size, arguments=dot)

    filters = (_recursive, *_switches, keep_one_kind)
    absolute: tuple[Stage, ...] = (_absolute_place,) if "allow_absolute" in capabilities else ()
    configured: tuple[Stage, ...] = (_long_config,) if "config" in capabilities else ()
    yield family("unusual names", NAMES, _listed_directory, *filters)
    yield family("lines in paths", None, _lined_path, _tree_for_path)
    yield family("unusual paths", None, _unusual_path, _tree_for_path)
    yield family("working directories", PLACES_TREE, _place_in_working_dir, *filters, needs="working_dir")
    for stage in absolute:
        yield family("absolute paths", PLACES_TREE, stage, *filters, _small_limits)
    yield family("special files", SPECIAL_TREE, _listed_directory, *filters)
    yield family("deep trees", DEEP_TREE, _listed_directory, _recursive, *_switches, keep_one_kind, _depths)
    yield family("long lists", None, *configured, _long_list, _long_limits)
    if "budget" in capabilities:
        huge = one_of("context.available_capacity_bytes", 2**31, 2**62, 2**63, 2**64 + 5)
        yield family("budgets of long lists", None, *configured, _long_names, huge, _same_budget)
        yield family("budgets and escapes", ESCAPED_TREE, _listed_directory, _recursive, budgets)
    yield family("tables", SPECIAL_TREE, _tables, _recursive, needs="config")
    yield family("switches and tables", PLACES_TREE, _own_table, *filters, needs="config")
    yield family("denied patterns", PLACES_TREE, _denied_path, _patterns, needs="denied_patterns")
    yield family("policies", PLACES_TREE, *filters, _policies, needs="policy")
    changes: list[CaseUpdate] = [{}, {"arguments.recursive": True, "arguments.include_hidden": True}]
    yield family("earlier calls", REPEATED, _entry_or_root, _recursive, after_other_calls(*changes), relative_size=0.6)


def _is_listable_text(text: str) -> bool:
    return text == text.strip() and "\\" not in text


def _directories(case: Case) -> list[str]:
    paths = [path for path, node in case.tree.walk() if node.kind is Kind.DIR]
    texts = [(path, path.decode("utf-8", "replace")) for path in paths]
    return [text for path, text in texts if text.encode() == path and _is_listable_text(text)][:12]


def _listed_directory(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {}, *({"arguments.path": text} for text in _directories(case))]


def _lined_path(case: Case) -> Sequence[CaseUpdate]:
    paths = [*LINED_COMPONENTS, *(f"{one}/{other}" for one in LINED_COMPONENTS for other in LINED_COMPONENTS)]
    return [{"arguments.path": f"{path}{end}"} for path in paths for end in ("", "/")]


def _unusual_path(case: Case) -> Sequence[CaseUpdate]:
    paths = [*COMPONENTS, *(f"a/{one}" for one in COMPONENTS), *(f"{one}/a" for one in COMPONENTS)]
    return [{"arguments.path": f"{path}{end}"} for path in paths for end in ("", "/")]


def _tree_for_path(case: Case) -> Sequence[CaseUpdate]:
    """Return trees in which the path is usually a directory as it is written, else a file or missing."""
    parts = [part.encode() for part in case.arguments["path"].strip(" \t\n\r\f").split("/") if part not in ("", ".")]
    beside = parse_tree("a/{b/{x}, decoy}, b/{decoy}, c/, q/, x, y/").entries
    if not parts or b".." in parts:
        return [{"tree": Tree(beside)}]
    found: list[CaseUpdate] = []
    for last in (Node(parts[-1], Kind.DIR, children=(Node(b"x", Kind.FILE),)), Node(parts[-1], Kind.FILE)):
        node = last
        for part in reversed(parts[:-1]):
            node = Node(part, Kind.DIR, children=(node, Node(b"beside", Kind.FILE)))
        found.append({"tree": Tree((node, *(one for one in beside if one.name != node.name)))})
    return [found[0], found[0], found[0], found[1], {"tree": Tree(beside)}]


def _place_in_working_dir(case: Case) -> Sequence[CaseUpdate]:
    places = {"w": (".", "in", "in/a", "only", "other", "z", "missing", "./in/"), "in": (".", "a", ".c", "w", "other")}
    return [
        {"context.working_dir": f"$ROOT/{start}", "arguments.path": path}
        for start, paths in places.items()
        for path in paths
    ]


def _absolute_place(case: Case) -> Sequence[CaseUpdate]:
    paths = [
        "$ROOT",
        *(f"$ROOT/{path}" for path in _directories(case)),
        "$ROOT/in/",
        "$ROOT/./in",
        "$ROOT/z",
        "$ROOT/no",
    ]
    allowed: list[CaseUpdate] = [{"arguments.path": path, "context.allow_absolute": True} for path in paths]
    spellings = ("$ROOT/in", " $ROOT/in", "\n$ROOT/in", "\t$ROOT", "$ROOT/in ")
    return [*allowed, *({"arguments.path": path} for path in spellings)]


_small_limits = one_of("arguments.max_entries", *[UNCHANGED] * 4, 1, 2, 3)
_depths = one_of("arguments.max_depth", UNCHANGED, UNCHANGED, 1)


def _long_config(case: Case) -> Sequence[CaseUpdate]:
    return [{}, {"config.max_entries": 1000}, {"config.max_entries": 300}, {"config.max_entries": 100000}]


def _long_list(case: Case) -> Sequence[CaseUpdate]:
    return [*LONG_LISTS, NESTED, LONG_NAMES]


def _long_names(case: Case) -> Sequence[CaseUpdate]:
    return [LONG_NAMES, LONG_NAMES, LONG_LISTS[-2]]


def _same_budget(case: Case) -> Sequence[CaseUpdate]:
    return [{"context.max_output_bytes": case.context["available_capacity_bytes"]}, {"context.max_output_bytes": 2**64}]


def _long_limits(case: Case) -> Sequence[CaseUpdate]:
    most = (case.config or {}).get("max_entries", 200)
    limits = {limit for limit in (64, 127, 128, 200, 255, 256, 257, 300) if limit <= most}
    return [{}, {}, {}, *({"arguments.max_entries": limit} for limit in sorted(limits))]


def _tables(case: Case) -> Sequence[CaseUpdate]:
    keys: dict[str, Any] = {"max_entries": 1, "include_files_default": False}
    tables: list[dict[str, Any]] = [
        {"tools": keys},
        {"list_directory": keys},
        {"tools": {"read_file": keys}},
        {"tool": {"list_directory": keys}},
        {"tools": {"list_directory_v2": keys}},
        {"other": {"tools": {"list_directory": keys}}},
    ]
    return [{"context.config": table} for table in tables]


def _own_table(case: Case) -> Sequence[CaseUpdate]:
    return [
        {"config.max_entries": 2},
        {"config.max_depth": 1},
        {"config.include_hidden_default": True},
        {"config.include_files_default": False},
        {"config.include_other_default": True, "config.max_entries": 300},
    ]


def _denied_path(case: Case) -> Sequence[CaseUpdate]:
    return [
        {"arguments.path": path} for path in ("private/sub", "other", "in", "private/sub/", "private/t", "private/no")
    ]


def _patterns(case: Case) -> Sequence[CaseUpdate]:
    patterns = {"context.denied_patterns": ["private/**"]}
    return [patterns, {**patterns, "context.include_default_denies": False}]


def _policies(case: Case) -> Sequence[CaseUpdate]:
    lists = (["list_directory"], ["read_file", "list_directory"], ["list_directory", "read_file"])
    named: list[CaseUpdate] = [{"context.policy": {"mode": "deny", "allowlist": one}} for one in lists]
    return [*named, {"context.approval": "deny"}, {"context.approval": "deny"}]


def _entry_or_root(case: Case) -> Sequence[CaseUpdate]:
    names = [node.name.decode() for node in case.tree.entries]
    return [{}, {}, *({"arguments.path": name} for name in (*names, "a", "b"))]
