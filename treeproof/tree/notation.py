"""Trees as text and back: `a/{b=3, 'x y'}, l->a, p:fifo, d/@5%0500!R{x}, f000..f199`.

The grammar of trees and its inverse live here; how a single name is spelled is in names.py.

    item     x            an empty file                   d/  d/{…}     a directory
             x=12         a file of 12 bytes              x="text"      a file with this content
                                                          x="ab"*4000   the same text 4000 times
             l->target    a symbolic link                 x=>a/b        a hard link of a/b (from the top)
             x:fifo  x:sock  x:chr                        a named pipe, a socket, a character device
    suffix   @N  @Nns     modified at N ms, N ns          %0444         permissions, octal
             !L  !L=EIO   its lstat fails (with EIO)      !R  !R=EIO    its opening or reading fails
             !R2          its reading fails half way
    name     bare, '…' with escapes, '…'*200, a mix of these, or a range f000..f199 that stands for many

Suffixes come in any order, for a directory before or after its braces.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from treeproof.tree.names import (
    SPECIAL,
    Cursor,
    NotationError,
    escaped,
    parse_names,
    read_names,
    show_name,
    show_path,
    show_value,
)
from treeproof.tree.recipe import FAULTS, LARGEST_SIZE, Kind, Node, Tree

__all__ = ["NotationError", "escaped", "parse", "parse_names", "render", "show_name", "show_path"]

_TARGET_STOPS = frozenset(",{}'\"@%!")
_MOST_NODES = 1_000_000
_LONG_CONTENT = 64
_LONGEST_CONTENT = 16 * 1024 * 1024
_SPECIAL_KINDS = {kind.value: kind for kind in (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV)}
_DIGITS = re.compile("[0-9]{1,19}")
_TIME = re.compile("(-?[0-9]{1,40})(ns)?")
_OCTAL = re.compile("[0-7]{1,5}(?![0-9])")
_SYMBOL = re.compile("E[A-Z0-9]+")
_WORD = re.compile("[a-z]+")


@dataclass
class _Item:
    """What has been read of one item, or of all items of a range; `fields` are those of Node."""

    names: list[bytes]
    start: int
    fields: dict[str, Any] = field(default_factory=lambda: {"kind": Kind.FILE})
    children: list[Node] = field(default_factory=list)

    def nodes(self, cursor: Cursor) -> list[Node]:
        try:
            children = tuple(self.children)
            return [Node(name=name, children=children, **self.fields) for name in self.names]
        except ValueError as wrong:
            raise cursor.fail(str(wrong), self.start) from None


def parse(text: str) -> Tree:
    """The tree that `text` describes; "" is the empty tree. Raises NotationError."""
    cursor = Cursor(text)
    top = _Item([], 0)
    open_items, count, factor = [top], 0, [1]
    cursor.skip_blanks()
    while cursor.at < len(text):
        item = _item(cursor)
        count += len(item.names) * factor[-1]
        if count > _MOST_NODES:
            raise cursor.fail(f"a tree has at most {_MOST_NODES} entries", item.start)
        if cursor.taken("{"):
            _expect_directory(cursor, item)
            open_items.append(item)
            factor.append(factor[-1] * len(item.names))
            cursor.skip_blanks()
            if cursor.next != "}":
                continue
        else:
            open_items[-1].children += item.nodes(cursor)
        while cursor.taken("}"):
            if len(open_items) == 1:
                raise cursor.fail("this '}' closes nothing; remove it", cursor.at - 1)
            item = open_items.pop()
            factor.pop()
            _suffixes(cursor, item)
            open_items[-1].children += item.nodes(cursor)
        if cursor.at == len(text):
            break
        if not cursor.taken(","):
            raise cursor.fail("write ',' between two items, and '…' around a name with special characters")
        cursor.skip_blanks()
        if cursor.at == len(text):
            raise cursor.fail("an item is missing after the last ','")
    if len(open_items) > 1:
        raise cursor.fail("the braces of this directory are not closed; write '}'", open_items[-1].start)
    try:
        tree = Tree(tuple(top.children))
    except ValueError as wrong:
        raise cursor.fail(str(wrong), 0) from None
    _expect_linked_files(cursor, tree)
    return tree


def _item(cursor: Cursor) -> _Item:
    start = cursor.at
    names = read_names(cursor, SPECIAL)
    if names == [b""]:
        raise cursor.fail("a name is missing here; quote one that starts with a special character")
    item = _Item(names, start)
    _suffixes(cursor, item)
    return item


def _suffixes(cursor: Cursor, item: _Item) -> None:
    """Read what follows a name, up to and without `{`, `}`, `,` or the end."""
    while _suffix(cursor, item):
        pass
    cursor.skip_blanks()


def _suffix(cursor: Cursor, item: _Item) -> bool:
    start = cursor.at
    if cursor.taken("/"):
        _set(cursor, item, start, kind=Kind.DIR)
    elif cursor.taken("->"):
        _set(cursor, item, start, kind=Kind.SYMLINK, target=cursor.value(_TARGET_STOPS))
    elif cursor.taken("=>"):
        _set(cursor, item, start, hardlink=cursor.value(SPECIAL - {"/"}))
    elif cursor.taken('="'):
        content = cursor.repeated(cursor.quoted('"'), _LONGEST_CONTENT)
        _set(cursor, item, start, content=content, size=len(content))
    elif cursor.taken("="):
        digits = cursor.matched(_DIGITS)
        if digits is None or int(digits) > LARGEST_SIZE:
            raise cursor.fail(
                f"after '=' write a size up to {LARGEST_SIZE} bytes or a content as \"…\"", start
            )
        _set(cursor, item, start, size=int(digits))
    elif cursor.taken(":"):
        word = cursor.matched(_WORD)
        if word not in _SPECIAL_KINDS:
            raise cursor.fail("no such kind; write :fifo, :sock or :chr, or quote the name", start)
        _set(cursor, item, start, kind=_SPECIAL_KINDS[word])
    elif cursor.taken("@"):
        _set(cursor, item, start, mtime_ns=_time(cursor, start))
    elif cursor.taken("%"):
        digits = cursor.matched(_OCTAL)
        if digits is None:
            raise cursor.fail("after '%' write octal permissions such as 0444", start)
        _set(cursor, item, start, mode=int(digits, 8))
    elif cursor.taken("!"):
        fault = next((fault for fault, suffix in FAULTS.items() if cursor.taken(suffix[1:])), None)
        if fault is None:
            raise cursor.fail("no such fault; write !L (lstat), !R (reading) or !R2 (half way)", start)
        item.fields["faults"] = item.fields.get("faults", frozenset()) | {fault}
        if cursor.taken("="):
            _set(cursor, item, start, error=cursor.matched(_SYMBOL) or "")
    else:
        return False
    return True


def _set(cursor: Cursor, item: _Item, start: int, **fields: Any) -> None:
    for key, value in fields.items():
        if key in item.fields and (key != "kind" or item.fields[key] is not Kind.FILE):
            raise cursor.fail(f"the {key} of this item is given twice", start)
        item.fields[key] = value


def _time(cursor: Cursor, start: int) -> int:
    text = cursor.matched(_TIME)
    if text is None:
        raise cursor.fail("after '@' write a time in ms, or in ns as @5ns", start)
    return int(text[:-2]) if text.endswith("ns") else int(text) * 1_000_000


def _expect_directory(cursor: Cursor, item: _Item) -> None:
    if item.fields["kind"] is not Kind.DIR:
        raise cursor.fail("only a directory holds entries; write '/' before '{'", cursor.at - 1)


def _expect_linked_files(cursor: Cursor, tree: Tree) -> None:
    if "=>" not in cursor.text:
        return
    for path, node in tree.walk():
        linked = tree.find(node.hardlink) if node.hardlink is not None else node
        if linked is None or (
            linked is not node and (linked.kind is not Kind.FILE or linked.hardlink is not None)
        ):
            wrong = "after '=>' write the path, from the top of the tree, of a file in it"
            raise cursor.fail(
                f"{show_path(path)} is a hard link of {show_path(node.hardlink or b'')}: {wrong}", 0
            )


def render(tree: Tree) -> str:
    """The notation of the tree, on one line: `parse(render(tree)) == tree`."""
    written: list[str] = []
    waiting: list[Node | str] = _separated(tree.entries)
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        written.append(show_name(item.name) + _shown_fields(item))
        if item.children:
            written.append("{")
            waiting.append("}")
            waiting += _separated(item.children)
    return "".join(written)


def _separated(nodes: tuple[Node, ...]) -> list[Node | str]:
    items: list[Node | str] = []
    for node in reversed(nodes):
        items += [node, ", "]
    return items[:-1]


def _shown_fields(node: Node) -> str:
    shown = _shown_kind(node)
    if node.mode is not None:
        shown += f"%{node.mode:04o}"
    if node.mtime_ns is not None:
        ms, ns = divmod(node.mtime_ns, 1_000_000)
        shown += f"@{node.mtime_ns}ns" if ns else f"@{ms}"
    shown += "".join(FAULTS[fault] for fault in sorted(node.faults))
    return shown if node.error is None else f"{shown}={node.error}"


def _shown_kind(node: Node) -> str:
    match node.kind:
        case Kind.DIR:
            return "/"
        case Kind.SYMLINK:
            return "->" + show_value(node.target or b"", _TARGET_STOPS)
        case Kind.FIFO | Kind.SOCKET | Kind.CHARDEV:
            return ":" + node.kind.value
        case Kind.FILE if node.hardlink is not None:
            return "=>" + show_path(node.hardlink)
        case Kind.FILE if node.content is not None:
            return "=" + _shown_content(node.content)
        case Kind.FILE:
            return f"={node.size}" if node.size else ""


def _shown_content(content: bytes) -> str:
    """The content between quotes; a long one that repeats itself by what it repeats."""
    if len(content) > _LONG_CONTENT:
        # The second place where the beginning stands is where it begins again.
        period = content.find(content[:_LONG_CONTENT], 1)
        if 0 < period <= _LONG_CONTENT and len(content) % period == 0:
            piece = content[:period]
            if piece * (len(content) // period) == content:
                return f'"{escaped(piece, chr(34))}"*{len(content) // period}'
    return f'"{escaped(content, chr(34))}"'
