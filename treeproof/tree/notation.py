"""Trees as text and back: `a/{b=3, 'x y'}, l->a, p:fifo, d/@5%0500!R{x}, f000..f199`. Names are in
name_notation.py.

    item     x            an empty file                   d/  d/{…}     a directory
             x=12         a file of 12 bytes              x="text"      a file with this content
                                                          x="ab"*4000   the same text 4000 times
                                                          x="ab"*9"c"   parts, one after the other
             l->target    a symbolic link                 x=>a/b        a hard link of a/b (from the top)
             x:fifo  x:sock  x:chr  x:blk                 a named pipe, a socket, a character or block device
    suffix   @N  @Nns     modified at N ms, N ns          %0444         permissions, octal
             !L  !L=EIO   its lstat fails (with EIO)      !R  !R=EIO    its opening or reading fails
             !R2          its reading fails half way
    name     bare, '…' with escapes, '…'*200, a mix of these, or a range f000..f199 that stands for many; a path
             'd/'*99'f' in quotes stands for its directories too

Suffixes come in any order; those of a directory come before or after its braces.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from treeproof.tree.name_notation import (
    SPECIAL_CHARACTERS,
    Cursor,
    escape_name,
    format_name,
    format_path,
    format_value,
    read_names,
)
from treeproof.tree.recipe import FAULT_SUFFIXES, MAX_SIZE, Kind, Node, Tree

_TARGET_STOPS = frozenset(",{}'\"@%!")
_MAX_NODES = 1_000_000
_MAX_PERIOD = 64
_MAX_CONTENT_BYTES = 16 * 1024 * 1024
_SPECIAL_KINDS = {kind.value: kind for kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV)}
_DIGITS = re.compile("[0-9]{1,19}")
_TIME = re.compile("(-?[0-9]{1,40})(ns)?")
_OCTAL = re.compile("[0-7]{1,5}(?![0-9])")
_SYMBOL = re.compile("E[A-Z0-9]+")
_WORD = re.compile("[a-z]+")
_MAX_KEPT_NODES, _MAX_KEPT_TREES = 200, 2000


@dataclass
class _Item:
    """The parsed part of one item, or of all items of a range; `fields` are those of Node."""

    names: list[bytes]
    start: int
    fields: dict[str, Any] = field(default_factory=lambda: {"kind": Kind.FILE})
    children: list[Node] = field(default_factory=list)

    def nodes(self, cursor: Cursor) -> list[Node]:
        try:
            children = tuple(self.children)
            return [_nested(name, children, self.fields) for name in self.names]
        except ValueError as problem:
            raise cursor.error(str(problem), self.start) from None


def _nested(path: bytes, children: tuple[Node, ...], fields: dict[str, Any]) -> Node:
    *above, name = path.split(b"/")
    node = Node(name, children=children, **fields)
    for directory in reversed(above):
        node = Node(directory, Kind.DIR, children=(node,))
    return node


_kept_trees: dict[str, Tree] = {}
"""Small trees by their text: two of three trees of a specification's scenarios have occurred before."""


def parse_tree(text: str) -> Tree:
    """Return the tree that `text` describes; "" is the empty tree. Raises NotationError."""
    kept = _kept_trees.get(text)
    return kept if kept is not None else _parse(text)


def _remedy(before: str, after: str) -> str:
    """Return what to write instead, where an item goes on unexpectedly."""
    if before == "/":
        return "write what is in a directory in braces: d/{x, y}"
    if before.isdigit() and after.isalpha():
        return "write a number without a unit: @1000 (or @1000ns), =12"
    return "write ',' between two items, and '…' around a name with special characters"


def _parse(text: str) -> Tree:
    cursor = Cursor(text)
    top = _Item([], 0)
    open_items, count, factor = [top], 0, [1]
    cursor.skip_blanks()
    while cursor.position < len(text):
        item = _parse_item(cursor)
        count += len(item.names) * factor[-1]
        if count > _MAX_NODES:
            raise cursor.error(f"a tree has at most {_MAX_NODES} entries", item.start)
        if cursor.accept("{"):
            _expect_directory(cursor, item)
            open_items.append(item)
            factor.append(factor[-1] * len(item.names))
            cursor.skip_blanks()
            if cursor.next_character != "}":
                continue
        else:
            open_items[-1].children += item.nodes(cursor)
        while cursor.accept("}"):
            if len(open_items) == 1:
                raise cursor.error("this '}' closes nothing; remove it", cursor.position - 1)
            item = open_items.pop()
            factor.pop()
            _parse_suffixes(cursor, item)
            open_items[-1].children += item.nodes(cursor)
        if cursor.position == len(text):
            break
        if not cursor.accept(","):
            raise cursor.error(_remedy(text[cursor.position - 1], cursor.next_character))
        cursor.skip_blanks()
        if cursor.position == len(text):
            raise cursor.error("an item is missing after the last ','")
    if len(open_items) > 1:
        raise cursor.error("the braces of this directory are not closed; write '}'", open_items[-1].start)
    try:
        tree = Tree(tuple(top.children))
    except ValueError as problem:
        raise cursor.error(str(problem), 0) from None
    _expect_linked_files(cursor, tree)
    if count <= _MAX_KEPT_NODES and len(_kept_trees) < _MAX_KEPT_TREES:
        _kept_trees[text] = tree
    return tree


def _parse_item(cursor: Cursor) -> _Item:
    start = cursor.position
    names = read_names(cursor, SPECIAL_CHARACTERS)
    if names == [b""]:
        raise cursor.error("a name is missing here; quote one that starts with a special character")
    item = _Item(names, start)
    _parse_suffixes(cursor, item)
    return item


def _parse_suffixes(cursor: Cursor, item: _Item) -> None:
    """Read the suffixes of a name, up to `{`, `}`, `,` or the end."""
    while _parse_suffix(cursor, item):
        pass
    cursor.skip_blanks()


def _read_content(cursor: Cursor) -> bytes:
    """Read the rest of a content after its first quote: adjacent parts, each with its repetition."""
    content = cursor.read_repetition(cursor.read_quoted('"'), _MAX_CONTENT_BYTES)
    while cursor.accept('"'):
        content += cursor.read_repetition(cursor.read_quoted('"'), _MAX_CONTENT_BYTES - len(content))
    if len(content) > _MAX_CONTENT_BYTES:
        raise cursor.error(f"write a content of at most {_MAX_CONTENT_BYTES} bytes")
    return content


def _parse_suffix(cursor: Cursor, item: _Item) -> bool:
    start = cursor.position
    if cursor.accept("/"):
        _set_fields(cursor, item, start, kind=Kind.DIR)
    elif cursor.accept("->"):
        _set_fields(cursor, item, start, kind=Kind.SYMLINK, target=cursor.read_value(_TARGET_STOPS))
    elif cursor.accept("=>"):
        _set_fields(cursor, item, start, hardlink=cursor.read_value(SPECIAL_CHARACTERS - {"/"}))
    elif cursor.accept('="'):
        content = _read_content(cursor)
        _set_fields(cursor, item, start, content=content, size=len(content))
    elif cursor.accept("="):
        digits = cursor.accept_pattern(_DIGITS)
        if digits is None or int(digits) > MAX_SIZE:
            raise cursor.error(f"after '=' write a size up to {MAX_SIZE} bytes or a content as \"…\"", start)
        _set_fields(cursor, item, start, size=int(digits))
    elif cursor.accept(":"):
        word = cursor.accept_pattern(_WORD)
        if word not in _SPECIAL_KINDS:
            raise cursor.error("no such kind; write :fifo, :sock, :chr or :blk, or quote the name", start)
        _set_fields(cursor, item, start, kind=_SPECIAL_KINDS[word])
    elif cursor.accept("@"):
        _set_fields(cursor, item, start, mtime_ns=_parse_time(cursor, start))
    elif cursor.accept("%"):
        digits = cursor.accept_pattern(_OCTAL)
        if digits is None:
            raise cursor.error("after '%' write octal permissions such as 0444", start)
        _set_fields(cursor, item, start, mode=int(digits, 8))
    elif cursor.accept("!"):
        fault = next((fault for fault, suffix in FAULT_SUFFIXES.items() if cursor.accept(suffix[1:])), None)
        if fault is None:
            raise cursor.error("no such fault; write !L (lstat), !R (reading) or !R2 (half way)", start)
        item.fields["faults"] = item.fields.get("faults", frozenset()) | {fault}
        if cursor.accept("="):
            _set_fields(cursor, item, start, error=cursor.accept_pattern(_SYMBOL) or "")
    else:
        return False
    return True


def _set_fields(cursor: Cursor, item: _Item, start: int, **fields: Any) -> None:
    for key, value in fields.items():
        if key in item.fields and (key != "kind" or item.fields[key] is not Kind.FILE):
            raise cursor.error(f"the {key} of this item is given twice", start)
        item.fields[key] = value


def _parse_time(cursor: Cursor, start: int) -> int:
    text = cursor.accept_pattern(_TIME)
    if text is None:
        raise cursor.error("after '@' write a time in ms, or in ns as @5ns", start)
    return int(text[:-2]) if text.endswith("ns") else int(text) * 1_000_000


def _expect_directory(cursor: Cursor, item: _Item) -> None:
    if item.fields["kind"] is not Kind.DIR:
        raise cursor.error("only a directory holds entries; write '/' before '{'", cursor.position - 1)


def _expect_linked_files(cursor: Cursor, tree: Tree) -> None:
    if "=>" not in cursor.text:
        return
    for path, node in tree.walk():
        linked = tree.find(node.hardlink) if node.hardlink is not None else node
        if linked is None or (linked is not node and (linked.kind is not Kind.FILE or linked.hardlink is not None)):
            remedy = "after '=>' write the path, from the top of the tree, of a file in it"
            raise cursor.error(
                f"{format_path(path)} is a hard link of {format_path(node.hardlink or b'')}: {remedy}", 0
            )


def render_tree(tree: Tree) -> str:
    """Return the notation of the tree, on one line: `parse_tree(render_tree(tree)) == tree`."""
    parts: list[str] = []
    pending: list[Node | str] = _with_commas(tree.entries)
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(format_name(item.name) + _format_fields(item))
        if item.children:
            parts.append("{")
            pending.append("}")
            pending += _with_commas(item.children)
    return "".join(parts)


def _with_commas(nodes: tuple[Node, ...]) -> list[Node | str]:
    items: list[Node | str] = []
    for node in reversed(nodes):
        items += [node, ", "]
    return items[:-1]


def _format_fields(node: Node) -> str:
    text = _format_kind(node)
    if node.mode is not None:
        text += f"%{node.mode:04o}"
    if node.mtime_ns is not None:
        ms, ns = divmod(node.mtime_ns, 1_000_000)
        text += f"@{node.mtime_ns}ns" if ns else f"@{ms}"
    text += "".join(FAULT_SUFFIXES[fault] for fault in sorted(node.faults))
    return text if node.error is None else f"{text}={node.error}"


def _format_kind(node: Node) -> str:
    match node.kind:
        case Kind.DIR:
            return "/"
        case Kind.SYMLINK:
            return "->" + format_value(node.target or b"", _TARGET_STOPS)
        case Kind.FIFO | Kind.SOCKET | Kind.CHARDEV | Kind.BLOCKDEV:
            return ":" + node.kind.value
        case Kind.FILE if node.hardlink is not None:
            return "=>" + format_path(node.hardlink)
        case Kind.FILE if node.content is not None:
            return "=" + _format_content(node.content)
        case Kind.FILE:
            return f"={node.size}" if node.size else ""


def _format_content(content: bytes) -> str:
    """Return the content between quotes; a long periodic beginning as a repetition."""
    if len(content) > _MAX_PERIOD:
        # The second occurrence of its beginning gives the period.
        period = content.find(content[:_MAX_PERIOD], 1)
        if 0 < period <= _MAX_PERIOD:
            piece = content[:period]
            count = len(content) // period
            while content[: count * period] != piece * count:
                count //= 2
            while content.startswith(piece, count * period):
                count += 1
            tail = content[count * period :]
            rest = _quoted(tail) if tail else ""
            return f"{_quoted(piece)}*{count}{rest}"
    return _quoted(content)


def _quoted(content: bytes) -> str:
    return f'"{escape_name(content, chr(34))}"'
