"""The notation of trees: each form, round trips, and errors with their position."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeproof.tree import Kind, Node, NotationError, Tree, parse_tree, render_tree


def node(text: str) -> Node:
    (only,) = parse_tree(text).entries
    return only


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", Node(b"x", Kind.FILE)),
        ("x=12", Node(b"x", Kind.FILE, size=12)),
        ("x=0", Node(b"x", Kind.FILE)),
        ("f=9223372036854775807", Node(b"f", Kind.FILE, size=2**63 - 1)),
        ('x="a b\\n\\xff\\""', Node(b"x", Kind.FILE, size=6, content=b'a b\n\xff"')),
        ('x=""', Node(b"x", Kind.FILE, content=b"")),
        ('x="ab"*3"c"', Node(b"x", Kind.FILE, size=7, content=b"abababc")),
        ('x="h""ab"*2"t"*2@5', Node(b"x", Kind.FILE, size=7, content=b"hababtt", mtime_ns=5_000_000)),
        ("d/", Node(b"d", Kind.DIR)),
        ("d/{}", Node(b"d", Kind.DIR)),
        ("d/{x}", Node(b"d", Kind.DIR, children=(Node(b"x", Kind.FILE),))),
        ("'d/'*1'x'", Node(b"d", Kind.DIR, children=(Node(b"x", Kind.FILE),))),
        ("l->t", Node(b"l", Kind.SYMLINK, target=b"t")),
        ("l->/etc", Node(b"l", Kind.SYMLINK, target=b"/etc")),
        ("up->..", Node(b"up", Kind.SYMLINK, target=b"..")),
        ("l->../a=b:c", Node(b"l", Kind.SYMLINK, target=b"../a=b:c")),
        ("l->$ROOT/x", Node(b"l", Kind.SYMLINK, target=b"$ROOT/x")),
        (r"l->a\x01\xff", Node(b"l", Kind.SYMLINK, target=b"a\x01\xff")),
        ("l->'a, b'@5", Node(b"l", Kind.SYMLINK, target=b"a, b", mtime_ns=5_000_000)),
        ("l->'t'*4000", Node(b"l", Kind.SYMLINK, target=b"t" * 4000)),
        ("l->'a->b'", Node(b"l", Kind.SYMLINK, target=b"a->b")),
        ("a-->b", Node(b"a-", Kind.SYMLINK, target=b"b")),
        ("p:fifo", Node(b"p", Kind.FIFO)),
        ("s:sock", Node(b"s", Kind.SOCKET)),
        ("c:chr", Node(b"c", Kind.CHARDEV)),
        ("b:blk", Node(b"b", Kind.BLOCKDEV)),
        ("a:", Node(b"a:", Kind.FILE)),
        ("a:/", Node(b"a:", Kind.DIR)),
        ("x@5", Node(b"x", Kind.FILE, mtime_ns=5_000_000)),
        ("x@-1", Node(b"x", Kind.FILE, mtime_ns=-1_000_000)),
        ("x@-1500000ns", Node(b"x", Kind.FILE, mtime_ns=-1_500_000)),
        ("x@1700000000000999999ns", Node(b"x", Kind.FILE, mtime_ns=1_700_000_000_000_999_999)),
        ("x@4611686018427387904000", Node(b"x", Kind.FILE, mtime_ns=2**62 * 10**9)),
        ("x%0444", Node(b"x", Kind.FILE, mode=0o444)),
        ("x%4755", Node(b"x", Kind.FILE, mode=0o4755)),
        ("x%0", Node(b"x", Kind.FILE, mode=0)),
        ("x!L", Node(b"x", Kind.FILE, faults=frozenset({"lstat"}))),
        ("x!L=EIO", Node(b"x", Kind.FILE, faults=frozenset({"lstat"}), error="EIO")),
        ("d/!R", Node(b"d", Kind.DIR, faults=frozenset({"readdir"}))),
        ("d/!R2=EIO", Node(b"d", Kind.DIR, faults=frozenset({"reread"}), error="EIO")),
        ("d/!L!R", Node(b"d", Kind.DIR, faults=frozenset({"lstat", "readdir"}))),
        (
            "d/@1234567890123!R{x}",
            Node(
                b"d",
                Kind.DIR,
                mtime_ns=1_234_567_890_123_000_000,
                faults=frozenset({"readdir"}),
                children=(Node(b"x", Kind.FILE),),
            ),
        ),
        ("' '/{x}", Node(b" ", Kind.DIR, children=(Node(b"x", Kind.FILE),))),
        (r"'\xff'=2", Node(b"\xff", Kind.FILE, size=2)),
        (r"a'\xff'b", Node(b"a\xffb", Kind.FILE)),
        ("'p'*200/", Node(b"p" * 200, Kind.DIR)),
        (r"'\u65e5'*85", Node("日".encode() * 85, Kind.FILE)),
        ("'f0..f9'", Node(b"f0..f9", Kind.FILE)),
    ],
)
def test_each_form_of_an_item_is_parsed(text: str, expected: Node) -> None:
    assert node(text) == expected
    assert parse_tree(render_tree(Tree((expected,)))) == Tree((expected,))


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_an_empty_text_is_the_empty_tree(text: str) -> None:
    assert parse_tree(text) == Tree(())
    assert render_tree(Tree(())) == ""


@pytest.mark.parametrize(
    "text",
    [
        "a/{b=3}, l->a, .h, p:fifo",
        "a/{b/{c/{d/{e/{f}}}}}",
        "s:sock, c:chr, f",
        "a/{tob->../b}, b/{toa->../a}",
        "..., ..x, '. ', .x",
        "a/{x}, 'a b', 'a!', a#, a+, 'a,', a-, a., a0",
        "_a, a_, A, ~, '{', [, 'a b', ab",
        r"'\xc0\xaf', '\xf4\x90\x80\x80', '\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA'",
        r"'x\ny'/{z}, 'p\\q', p/{q}",
        "d/%0444{x}, e/%0111@-5!R{y%0000}, f=3%0600@7ns",
        'a="hard", b=>a, d/{c=>a}',
        "d/!L!R2=EIO{x!L}",
    ],
)
def test_canonical_notation_round_trips(text: str) -> None:
    assert render_tree(parse_tree(text)) == text


def test_blanks_and_line_breaks_between_items_are_ignored() -> None:
    assert parse_tree("\n  a/{\n    b,\n    c/ {d}\n  } ,\n  e\n") == parse_tree("a/{b, c/{d}}, e")


@pytest.mark.parametrize("text", ["d/{x}@5!R%0500", "d/@5{x}!R%0500", "d@5/%0500!R{x}", "d%0500!R@5/{x}"])
def test_suffixes_may_have_any_order_on_either_side_of_the_braces(text: str) -> None:
    assert render_tree(parse_tree(text)) == "d/%0500@5!R{x}"


def test_a_range_stands_for_its_names_and_its_suffixes_for_each() -> None:
    assert render_tree(parse_tree("f08..f10=3@5, g")) == "f08=3@5, f09=3@5, f10=3@5, g"
    assert render_tree(parse_tree("d0..d1/{x0..x1, l->x0}")) == "d0/{x0, x1, l->x0}, d1/{x0, x1, l->x0}"
    assert len(parse_tree("f000..f200").entries) == 201


REFUSALS: list[tuple[str, int, str]] = [
    ("a b", 3, "write ',' between two items"),
    ("a/b", 3, "write what is in a directory in braces"),
    ("d/{x}{y}", 6, "write ',' between two items"),
    ("a,", 3, "an item is missing"),
    ("a,,b", 3, "a name is missing"),
    ("a/{b", 1, "not closed"),
    ("a/{b, c/{d}", 1, "not closed"),
    ("a}", 2, "closes nothing"),
    ("a/{b,}", 6, "a name is missing"),
    ("d{x}", 2, "write '/' before '{'"),
    ("l->t{x}", 5, "write '/' before '{'"),
    ("a, b/{c, c}", 4, "two siblings are called 'c'"),
    ("a, b/, a", 1, "two siblings are called 'a'"),
    ("p:fifp", 2, "write :fifo, :sock, :chr or :blk"),
    ("p:fifo:sock", 7, "the kind of this item is given twice"),
    ("a//", 3, "the kind of this item is given twice"),
    ("l->a->b", 5, "the kind of this item is given twice"),
    ("a=1=2", 4, "the size of this item is given twice"),
    ("a@1@2", 4, "the mtime_ns of this item is given twice"),
    ("l->", 1, "target is neither empty"),
    ("a=", 2, "write a size"),
    ("a=x", 2, "write a size"),
    ("a=9223372036854775808", 2, "write a size"),
    ('a="x', 3, "not closed"),
    ("a@", 2, "write a time"),
    ("a@x", 2, "write a time"),
    ("a%", 2, "write octal"),
    ("a%8", 2, "write octal"),
    ("a%0888", 2, "write octal"),
    ("a%77777", 1, "between 0000 and 7777"),
    ("l->t%0777", 1, "no mode of its own"),
    ("a!", 2, "write !L"),
    ("a!X", 2, "write !L"),
    ("a!R", 1, "only the reading of a directory"),
    ("a!L=5", 1, "a name from errno.h"),
    ("d/=5", 1, "only a regular file has a size"),
    ("'..'", 1, "cannot have an empty name"),
    (".", 1, "cannot have an empty name"),
    ("''", 3, "a name is missing"),
    (r"'a\x00'", 1, "cannot hold '/' or NUL"),
    ("'a//b'", 1, "cannot have an empty name"),
    ("a=>", 1, "after '=>' write the path"),
    ("a=>b", 1, "after '=>' write the path"),
    ("a=>d, d/", 1, "after '=>' write the path"),
    ("a, b=>a, c=>b", 1, "after '=>' write the path"),
    ("a=>b%0600, b", 1, "shares size, content, mode and time"),
    ("d0000..d9999/{f0000..f9999}", 15, "at most 1000000 entries"),
]


@pytest.mark.parametrize(("text", "column", "message"), REFUSALS)
def test_an_invalid_tree_is_refused_with_its_position(text: str, column: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as refusal:
        parse_tree(text)
    assert (refusal.value.column, "\n" in str(refusal.value)) == (column, False)


def test_a_tree_may_be_deeper_than_pythons_stack() -> None:
    text = "d/{" * 3000 + "x" + "}" * 3000
    assert render_tree(parse_tree(text)) == text


NAMES = st.one_of(
    st.sampled_from([b"a", b"a-", b"a.", b"a0", b".h", "é".encode(), "e\u0301".encode(), b"\xff", b"a:"]),
    st.text(min_size=1, max_size=6).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(min_size=1, max_size=8),
).filter(lambda name: name not in (b".", b"..") and not {0, 47} & set(name))
TIMES = st.one_of(st.none(), st.integers(-(2**62), 2**62), st.integers(-(2**62), 2**62).map(lambda s: s * 10**9))
COMMON: dict[str, Any] = {"name": NAMES, "mtime_ns": TIMES}
FAULTS = st.sampled_from([frozenset[str](), frozenset({"lstat"})])
MODES = st.one_of(st.none(), st.integers(0, 0o7777))
TARGETS = st.binary(min_size=1, max_size=12).filter(lambda target: 0 not in target)


def _with_content(name: bytes, content: bytes) -> Node:
    return Node(name, Kind.FILE, size=len(content), content=content)


LEAVES = st.one_of(
    st.builds(Node, kind=st.just(Kind.FILE), size=st.integers(0, 2**63 - 1), mode=MODES, faults=FAULTS, **COMMON),
    st.builds(_with_content, NAMES, st.binary(max_size=20)),
    st.builds(Node, kind=st.just(Kind.SYMLINK), target=TARGETS, faults=FAULTS, **COMMON),
    st.builds(Node, kind=st.sampled_from([Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV]), mode=MODES, **COMMON),
)


def siblings(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[tuple[Node, ...]]:
    return st.lists(nodes, max_size=5, unique_by=lambda node: node.name).map(tuple)


def directories(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    faults = st.frozensets(st.sampled_from(["lstat", "readdir", "reread"]))
    return st.builds(Node, kind=st.just(Kind.DIR), mode=MODES, faults=faults, children=siblings(nodes), **COMMON)


TREES = siblings(st.recursive(LEAVES, directories, max_leaves=12)).map(Tree)


@settings(max_examples=50)
@given(TREES)
def test_every_rendered_tree_is_parsed_back(tree: Tree) -> None:
    text = render_tree(tree)
    assert parse_tree(text) == tree
    assert text.isprintable()


@settings(max_examples=300)
@given(st.text(alphabet=",{}'\"!@%=:/->* \\xu0LRE1nab.~\n😀\u0301", max_size=30))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        tree = parse_tree(text)
    except NotationError:
        return
    assert parse_tree(render_tree(tree)) == tree


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"ab" * 4000 + b"tail", 'x="ab"*4000"tail"'),
        (b"ab" * 4000 + b"a", 'x="ab"*4000"a"'),
        (b"a" * 65, 'x="a"*65'),
        (b"abc" * 50 + b"x" * 30, 'x="abc"*50"' + "x" * 30 + '"'),
        (b"x" + b"ab" * 100, 'x="x' + "ab" * 100 + '"'),
    ],
)
def test_a_periodic_beginning_of_a_content_is_written_as_a_repetition(content: bytes, text: str) -> None:
    tree = Tree((Node(b"x", Kind.FILE, size=len(content), content=content),))
    assert render_tree(tree) == text
    assert parse_tree(text) == tree


@given(st.binary(min_size=1, max_size=5), st.integers(1, 200), st.binary(max_size=90))
def test_a_content_with_a_tail_is_read_back(piece: bytes, count: int, tail: bytes) -> None:
    content = piece * count + tail
    tree = Tree((Node(b"x", Kind.FILE, size=len(content), content=content),))
    assert parse_tree(render_tree(tree)) == tree


def test_adjacent_parts_share_the_limit_of_a_content() -> None:
    with pytest.raises(NotationError, match="up to 7777216 bytes in all"):
        parse_tree('x="a"*9000000"b"*9000000')
