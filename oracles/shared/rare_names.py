"""Names and paths that programs take for something else, change or refuse, for the families of rare cases."""

from __future__ import annotations

from treeproof.api import Kind, Node


def as_bytes(*names: str) -> tuple[bytes, ...]:
    """Return names as UTF-8."""
    return tuple(map(str.encode, names))


RARE_NAMES: tuple[tuple[bytes, ...], ...] = (
    as_bytes("a b", "a  b", "a", " a", "a ", "c  d", "c d", "e\u00a0f", "\u3000", "\t", "g\th"),
    as_bytes(
        *("$HOME", "~e", "~", "`c`", "k;l", "$(m)", "%s", "100%", "a%20b", "%41", "&amp;", "a+b", "'b'", '"a"', "[e]"),
        *("{f,g}", "h*", "i?", "#j", "a:b", "c:", ":d", "a|b", "<n>", "o\\p", "(q)"),
    ),
    as_bytes(
        *("con", "nul.txt", "aux", "F.TXT", "B.Tar.GZ", "a~", "a.bak", "#a#", "~$a", "core", "Thumbs.db", ".DS_Store"),
        *("desktop.ini", "lost+found", "__pycache__", "a.o", "b.tmp", "c.lock", "d.log", ".a.swp", "dist", "vendor"),
    ),
    as_bytes(
        "constructor", "toString", "__proto__", "hasOwnProperty", "1", "01", "1.0", "10", "1e1", "0", "true", "nil"
    ),
    as_bytes("\u00e9", "e\u0301", "\u212b", "\u00e5", "A\u030a", "\ufb01", "fi", "\u6587", "e", "\u00c9", "\U0001f600"),
    as_bytes("\ufeffa", "a", "b\u200bc", "bc", "\u202ed", "d", "e\u00adf", "\x01", "\x1b[m", "\x7f", "a\nb", "c\r"),
    as_bytes("Ab", "aB", "ab", "AB", "d", "D", "e"),
    as_bytes("n" * 255, "m" * 200, "k" * 120, "\u00e9" * 127, "x", "w" * 201),
    as_bytes("..a", "..c", ".a", "a.", "...", "a...b", ".env", ".git", "a.tar.gz", "c.."),
    as_bytes("a: b", "c -> d", "e, f", "g | h", "i = j", "k; l", "a", "total 0", "-l", "m - n"),
)
"""Groups of names: the names of a group occur together."""

IGNORED_NAMES = as_bytes(".git", ".gitignore", ".ignore", "y", "b", ".ignore")
IGNORE_CONTENTS = (b"y\n", b"b\ny\n")
"""Names of files that name what other programs leave out, and their contents."""

RARE_COMPONENTS = (
    *("con", "aux.txt", "nul", "com1", "a:12", "[a]", "{b,c}", "d?", "!e", "**", "~root", "~", "f~", "`a`", "$(b)"),
    *("${c}", "d&e", "f|g", "#h", "a#b", "a?b", "a;b", "a+b", "100%", "%s", "%2f", "%2e%2e", "%41", "a  b", "e "),
    *(" e", "c\u00a0", "\u3000d", "a\u200b", "\u202eb", "\ufeffc", "d\u00ade", "e\u0301", "\u00e9", "\u212b", "'q'"),
    *('"q"', "it's", "\u6587", "\t", "a\tb", "\x01", "\x7f", "n" * 255, "$&", "%n", "\\", "a\\b", "h.", ".h", "..c"),
    *("...", "0", "00", "1e1", "-", "--", "*", "q\n", "b:7", "'", "{path}", "<h>", "A.TXT", "undefined", "null"),
)
"""Names of directories in a path."""

WAYS_OUT = (
    *("..\\outside", "%2e%2e/outside", "..%2foutside", "%252e%252e%252foutside", " ../outside", "\n../outside"),
    *("'../outside'", '"../outside"', "..\u200b/outside", "\uff0e\uff0e/outside", "file://$OUTSIDE/outside"),
    *("\t../outside", "a/..\\..\\outside", "../outside ", "`../outside`", "~/../outside", "..\\/outside"),
)
"""Paths that name nothing as they are written, and something outside for a tool that decodes or trims them."""

MANY = (64, 100, 128, 200, 256, 500, 512, 1000, 1024)
"""Numbers of names that programs read at once, or after which they stop."""


def long_directories(*further: int) -> tuple[Node, ...]:
    """Return directories d64, d100, … with as many files, and with these further numbers."""
    counts = (*MANY, *further)
    files = tuple(Node(b"f%04d" % number, Kind.FILE) for number in range(max(counts)))
    return tuple(Node(b"d%d" % count, Kind.DIR, children=files[:count]) for count in counts)


def nested(depth: int, name: str, last: Node) -> Node:
    """Return directories of one name, each in the one before it, and what is in the last one."""
    node = last
    for _ in range(depth):
        node = Node(name.encode(), Kind.DIR, children=(node,))
    return node
