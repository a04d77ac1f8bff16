"""Trees built on real file systems: complete and exact, or refused."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.descriptors import open_descriptors
from treeproof.tree import (
    DEFAULT_MTIME_NS,
    LISTED,
    REVERSED,
    CannotBuild,
    Kind,
    Node,
    Tree,
    Workspace,
    build_tree,
    default_base,
    find_disk_base,
    parse_tree,
    render_tree,
    shuffled,
)
from treeproof.tree.workspace import is_in_memory

KINDS = {
    stat.S_IFREG: Kind.FILE,
    stat.S_IFDIR: Kind.DIR,
    stat.S_IFLNK: Kind.SYMLINK,
    stat.S_IFIFO: Kind.FIFO,
    stat.S_IFSOCK: Kind.SOCKET,
    stat.S_IFCHR: Kind.CHARDEV,
    stat.S_IFBLK: Kind.BLOCKDEV,
}
IN_MEMORY_ONLY = pytest.mark.skipif(
    not is_in_memory(default_base()),
    reason="not verified: extreme sizes and times; needs a file system in memory (/dev/shm)",
)


def read_back(root: bytes) -> Tree:
    """Return the recipe of the actual tree, from lstat only."""
    return Tree(tuple(_read_back(root, name) for name in sorted(os.listdir(root))))


def _read_back(parent: bytes, name: bytes) -> Node:
    path = os.path.join(parent, name)
    found = os.lstat(path)
    kind = KINDS[stat.S_IFMT(found.st_mode)]
    return Node(
        name,
        kind,
        size=found.st_size if kind is Kind.FILE else 0,
        target=os.readlink(path) if kind is Kind.SYMLINK else None,
        mode=None if kind is Kind.SYMLINK else stat.S_IMODE(found.st_mode),
        mtime_ns=found.st_mtime_ns,
        children=read_back(path).entries if kind is Kind.DIR else (),
    )


def with_explicit_metadata(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the recipe with explicit defaults and without data that lstat does not give, sorted by name."""
    return tuple(
        Node(
            node.name,
            node.kind,
            size=node.size,
            target=node.target,
            mode=_mode(node),
            mtime_ns=DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns,
            children=with_explicit_metadata(node.children),
        )
        for node in sorted(nodes, key=lambda node: node.name)
    )


def _mode(node: Node) -> int | None:
    if node.kind is Kind.SYMLINK or node.mode is not None:
        return node.mode
    return 0o755 if node.kind is Kind.DIR else 0o644


def assert_built(text: str, root: bytes) -> None:
    tree = parse_tree(text)
    build_tree(tree, root)
    assert render_tree(read_back(root)) == render_tree(Tree(with_explicit_metadata(tree.entries)))


def test_an_existing_directory_gets_entries_and_keeps_its_permissions_and_time(root: bytes) -> None:
    build_tree(parse_tree("a, d/@5%0750{x, e/@6{f}}"), root)
    build_tree(parse_tree("d/{y, e/{g}, new/}"), root, add_to_existing=True)
    assert render_tree(read_back(root)) == render_tree(
        Tree(with_explicit_metadata(parse_tree("a, d/@5%0750{x, y, e/@6{f, g}, new/}").entries))
    )


def test_nothing_is_added_to_a_file_or_without_the_option(root: bytes) -> None:
    build_tree(parse_tree("f, d/"), root)
    with pytest.raises(CannotBuild, match="File exists"):
        build_tree(parse_tree("f/{x}"), root, add_to_existing=True)
    with pytest.raises(CannotBuild, match="File exists"):
        build_tree(parse_tree("d/{x}"), root)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a/{b=3, c/{d, e/}}, l->a, .h, p:fifo, s:sock",
        'x="some text", y=""',
        "..., ..x, '. ', ' '/{' '}",
        "l->gone, loop->loop, up->.., abs->/etc, d/{in->../l}",
        r"'\x01\n\x7f', '\xff\xfe', '\xc3(', '\xed\xa0\x80', 'q\"\\'",
        r"'e\u0301', '\u00e9', '\uff21', '\U0001f600'/{'\U0010ffff'}",
        "'n'*255, l->'t'*4000",
        "s:sock, 's'*255:sock, 'd'*200/{'s'*255:sock}",
        "a%0000, b%4755, c/%0500{x%0400, y/%0700}, e/%1777, p:fifo%0600, s:sock%0000",
        "d/@5, p:fifo@6, l->d@7, e/@8{x@9, y/@10{z@11}}",
        "old@-1, older@-2147483648000, minus@-1ns, half@-1500000ns, new@4294967296000",
        "ns@1700000000000999999ns, d/@1ns{x}, l->x@1234567890123",
        "f=2147483648, g=4294967297",
        "f000..f200, d00..d49/{x, y, z}",
        "g!L, d/!R{x}",
    ],
)
def test_a_tree_is_built_exactly(text: str, root: bytes) -> None:
    assert_built(text, root)


def test_the_umask_has_no_effect(root: bytes) -> None:
    mask = os.umask(0o077)
    try:
        assert_built("d/{x}, y%0666, e/%0777, p:fifo, s:sock", root)
    finally:
        os.umask(mask)


def test_the_root_gets_the_default_time_and_is_created_if_missing(root: bytes) -> None:
    build_tree(parse_tree("a"), root + b"/new")
    assert os.listdir(root + b"/new") == [b"a"]
    assert os.lstat(root + b"/new").st_mtime_ns == DEFAULT_MTIME_NS


def test_content_is_written_unchanged(root: bytes) -> None:
    build_tree(Tree((Node(b"x", Kind.FILE, size=256, content=bytes(range(256))),)), root)
    assert Path(os.fsdecode(root), "x").read_bytes() == bytes(range(256))


def test_sizes_are_set_without_writing(root: bytes) -> None:
    build_tree(parse_tree("f=8589934592"), root)
    found = os.lstat(root + b"/f")
    assert (found.st_size, found.st_blocks) == (8589934592, 0)


def test_a_hard_link_is_the_same_file(root: bytes) -> None:
    build_tree(parse_tree('d/{b=>a}, a="text"%0600@5'), root)
    first, second = os.lstat(root + b"/a"), os.lstat(root + b"/d/b")
    assert first.st_ino == second.st_ino
    assert (first.st_nlink, first.st_mtime_ns) == (2, 5_000_000)
    assert os.lstat(root + b"/d").st_mtime_ns == DEFAULT_MTIME_NS


def test_a_hard_link_to_a_missing_file_is_refused(root: bytes) -> None:
    with pytest.raises(CannotBuild, match="b: No such file"):
        build_tree(Tree((Node(b"b", Kind.FILE, hardlink=b"missing"),)), root)


def test_a_socket_in_a_deep_directory_is_a_bound_socket(root: bytes) -> None:
    build_tree(parse_tree("d/{" * 40 + "'s'*100:sock" + "}" * 40), root)
    path = root + b"/d" * 40 + b"/" + b"s" * 100
    assert stat.S_ISSOCK(os.lstat(path).st_mode)
    assert os.listdir(os.path.dirname(path)) == [b"s" * 100]
    with socket.socket(socket.AF_UNIX) as caller, pytest.raises(ConnectionRefusedError):
        directory = os.open(os.path.dirname(path), os.O_RDONLY)
        os.symlink(b"s" * 100, "short", dir_fd=directory)
        try:
            caller.connect(f"/proc/self/fd/{directory}/short")
        finally:
            os.close(directory)


def test_restrictive_modes_of_directories_are_set_last(root: bytes) -> None:
    build_tree(parse_tree("a/%0000{x/%0000{y}}, b/%0444{x@5}, c/%0111{x/{y}}@7"), root)
    modes = {name: stat.S_IMODE(os.lstat(os.path.join(root, name)).st_mode) for name in os.listdir(root)}
    assert modes == {b"a": 0o000, b"b": 0o444, b"c": 0o111}
    assert os.lstat(root + b"/c").st_mtime_ns == 7_000_000
    for name in (b"a", b"b", b"c", b"a/x"):
        os.chmod(os.path.join(root, name), 0o700)
    assert os.path.exists(root + b"/a/x/y")
    assert os.lstat(root + b"/b/x").st_mtime_ns == 5_000_000


def test_a_character_device_is_built_where_that_is_allowed(root: bytes) -> None:
    try:
        os.mknod(root + b"/probe", 0o644 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError as refusal:
        pytest.skip(f"not verified: building a device; needs the permission to create one: {refusal.strerror}")
    build_tree(parse_tree("c:chr"), root)
    assert stat.S_ISCHR(os.lstat(root + b"/c").st_mode)


def test_a_device_that_may_not_be_created_is_refused(
    root: bytes, as_user: Callable[[Callable[[], object]], None]
) -> None:
    def attempt() -> None:
        with pytest.raises(CannotBuild, match="c: Operation not permitted"):
            build_tree(parse_tree("c:chr"), opened + b"/theirs")

    outside = os.path.dirname(root)
    os.chmod(os.path.dirname(outside), 0o711)
    opened = root
    os.chmod(root, 0o777)
    as_user(attempt)


def test_placeholders_in_targets_are_replaced(root: bytes) -> None:
    build_tree(
        parse_tree("l->$ROOT/x, m->$OUTSIDE, n->$OTHER, d/{o->$ROOT}"),
        root,
        substitutions={b"$ROOT": b"/r\xff", b"$OUTSIDE": b"/o"},
    )
    targets = {name: os.readlink(os.path.join(root, name)) for name in (b"l", b"m", b"n", b"d/o")}
    assert targets == {b"l": b"/r\xff/x", b"m": b"/o", b"n": b"$OTHER", b"d/o": b"/r\xff"}


def test_the_creation_order_is_followed(root: bytes, workspace: Workspace) -> None:
    tree = parse_tree("f00..f29, d/{g0..g9}")

    def creation_order(order_name: str) -> list[bytes]:
        order = {"listed": LISTED, "reversed": REVERSED, "7": shuffled(7), "8": shuffled(8)}[order_name]
        root = workspace.create_sandbox()
        build_tree(tree, root, order=order)
        assert read_back(root) == Tree(with_explicit_metadata(tree.entries))
        names = [name for name in os.listdir(root) if name != b"d"]
        return sorted(names, key=lambda name: os.lstat(os.path.join(root, name)).st_ino)

    listed = creation_order("listed")
    assert listed == sorted(listed)
    assert creation_order("reversed") == listed[::-1]
    assert creation_order("7") == creation_order("7")
    assert creation_order("7") != creation_order("8")
    assert creation_order("7") != listed


@pytest.mark.parametrize("name", ["d", "'n'*250"])
def test_three_hundred_levels_are_built_with_short_and_long_names(name: str, root: bytes) -> None:
    build_tree(parse_tree(f"{name}/@5{{" * 300 + "x=7@6, s:sock" + "}" * 300), root)
    directory = os.open(root, os.O_RDONLY)
    for _ in range(300):
        (below,) = os.listdir(directory)
        assert os.stat(below, dir_fd=directory).st_mtime_ns == 5_000_000
        inner = os.open(below, os.O_RDONLY, dir_fd=directory)
        os.close(directory)
        directory = inner
    found = os.stat("x", dir_fd=directory)
    assert (found.st_size, found.st_mtime_ns) == (7, 6_000_000)
    os.close(directory)


def test_twenty_thousand_files_are_built_fast(root: bytes) -> None:
    began = os.times().elapsed
    build_tree(parse_tree("f00000..f19999"), root)
    assert os.times().elapsed - began < 10
    assert len(os.listdir(root)) == 20_000


@IN_MEMORY_ONLY
@pytest.mark.parametrize(
    "text",
    [
        "f=9223372036854775807, g=9007199254740993, h=8796093022208",
        "a@253402300799999, b@8640000000000001, c@9007199254740992000",
        "a@4611686018427387904000, b@-4611686018427387904000, d/@4611686018427387904000{x}",
    ],
)
def test_extreme_values_are_kept_in_memory(text: str, root: bytes) -> None:
    assert_built(text, root)


@pytest.fixture
def disk() -> Iterator[bytes]:
    base = find_disk_base()
    if base is None:
        pytest.skip("not verified: sizes and times on a disk; needs a writable /var/tmp that is no tmpfs")
    with Workspace.create(base) as workspace:
        yield workspace.create_sandbox()


@pytest.mark.parametrize("text", ["f=9223372036854775807", "d/{x@4611686018427387904000}", "l->x@9223372036854775"])
def test_values_that_a_disk_cannot_store_are_refused(text: str, disk: bytes) -> None:
    with pytest.raises(CannotBuild, match="^(f: |d/x: the file system keeps|l: the file system keeps)"):
        build_tree(parse_tree(text), disk)


def test_a_disk_builds_ordinary_trees(disk: bytes) -> None:
    assert_built(r"a/{b=3@5ns, '\xff'}, l->a@-1, .h%0600, p:fifo, s:sock, f=4294967296", disk)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("'n'*256", "File name too long"),
        ("l->'t'*5000", "File name too long"),
        ("a@99999999999999999999999", "timestamp out of range"),
    ],
)
def test_values_that_no_file_system_supports_are_refused(text: str, cause: str, root: bytes) -> None:
    with pytest.raises(CannotBuild, match=cause) as refusal:
        build_tree(parse_tree(text), root)
    assert refusal.value.reason == str(refusal.value)
    assert len(refusal.value.reason) < 400


def test_an_existing_name_is_refused(root: bytes) -> None:
    build_tree(parse_tree("a"), root)
    with pytest.raises(CannotBuild, match="a: File exists"):
        build_tree(parse_tree("a/"), root)


def test_nothing_is_built_through_a_link(root: bytes) -> None:
    os.mkdir(root + b"/real")
    os.symlink(b"real", root + b"/link")
    with pytest.raises(CannotBuild):
        build_tree(parse_tree("a"), root + b"/link")
    assert os.listdir(root + b"/real") == []


def test_no_descriptor_stays_open(root: bytes) -> None:
    before = open_descriptors()
    build_tree(parse_tree("'n'*250/{" * 30 + "s:sock, l->x, x=5" + "}" * 30), root)
    with pytest.raises(CannotBuild):
        build_tree(parse_tree("'m'*250/{" * 30 + "'n'*256" + "}" * 30), root)
    assert open_descriptors() == before


NAMES = st.binary(min_size=1, max_size=20).filter(lambda name: name not in (b".", b"..") and not {0, 47} & set(name))
LEAVES = st.one_of(
    st.builds(Node, name=NAMES, kind=st.just(Kind.FILE), size=st.integers(0, 2**40), mode=st.integers(0o400, 0o777)),
    st.builds(Node, name=NAMES, kind=st.just(Kind.SYMLINK), target=NAMES, mtime_ns=st.integers(-(10**18), 10**19)),
    st.builds(Node, name=NAMES, kind=st.sampled_from([Kind.FIFO, Kind.SOCKET])),
)


def siblings(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[tuple[Node, ...]]:
    return st.lists(nodes, max_size=6, unique_by=lambda node: node.name).map(tuple)


TREES = siblings(
    st.recursive(LEAVES, lambda nodes: st.builds(Node, NAMES, st.just(Kind.DIR), children=siblings(nodes)))
).map(Tree)


@settings(max_examples=20)
@given(TREES)
def test_every_random_tree_is_built_exactly(tree: Tree) -> None:
    with Workspace.create() as workspace:
        root = workspace.create_sandbox()
        build_tree(tree, root)
        assert render_tree(read_back(root)) == render_tree(Tree(with_explicit_metadata(tree.entries)))
    assert workspace.leftovers == []
