"""Converts the faults of a tree to arguments of strace that inject them. Starts no process.

strace's path filter matches a call by the absolute path, by the bare name (calls relative to a directory
descriptor) and by the path of a descriptor. Therefore an entry with a fault needs a name that no other entry of the
tree has. Runtimes without calls relative to a descriptor use its link in `/proc`.
"""

from collections.abc import Iterable, Mapping, Sequence

from treeproof.tree.builder import CannotBuild
from treeproof.tree.recipe import Fault, Kind, Tree

STAT_CALLS = ("lstat", "lstat64", "stat", "stat64", "newfstatat", "fstatat64", "statx")
OPEN_CALLS = ("open", "openat", "openat2")
READDIR_CALLS = ("getdents", "getdents64")

RENAME_CALLS = ("rename", "renameat", "renameat2")
RENAME_OR_LINK_CALLS = (*RENAME_CALLS, "link", "linkat")
"""System calls that give an entry another name; a link followed by an unlink has the same effect."""
UNLINK_CALLS = ("unlink", "unlinkat")
CONTENT_CALLS = ("read", "pread64", "readv", "preadv", "preadv2", "copy_file_range", "sendfile", "splice", "mmap")
"""System calls that transfer a file's content."""

DEFAULT_ERROR = "EACCES"
_DIRECTORY_DESCRIPTORS = range(3, 64)
"""Descriptors that a process may use for directories. In Node the first is 18, and each level of a walk needs one;
each adds half a millisecond to the start of strace.
"""


def fault_args(tree: Tree, root: bytes, *, spares_opens: bool = False) -> tuple[bytes, ...]:
    """Return strace's arguments for the faults of ``tree``, built at the absolute path ``root``.

    With ``spares_opens``, a directory that cannot be read can be opened; reading its names fails.

    Raises CannotBuild if the tree mixes operations or errors (they share one path filter), or if another entry
    has the same name as an entry with a fault.
    """
    faults = tree.faults()
    kinds = {(fault.operation, fault.error or DEFAULT_ERROR) for fault in faults}
    if len(kinds) != 1:
        raise CannotBuild("one tree can have faults of one operation with one error only")
    ((operation, error),) = kinds
    _check_unique_names(tree, faults)
    nodes = [tree.find(fault.path) for fault in faults]
    all_directories = all(node is not None and node.kind is Kind.DIR for node in nodes)
    args = [arg for fault in faults for arg in _path_filters(root, fault.path)]
    calls = _calls_of(operation, all_directories)
    if spares_opens and operation == "readdir":
        # The C library takes ENOENT from reading for the end of the directory.
        calls, error = READDIR_CALLS, "ESTALE" if error == "ENOENT" else error
    tail = ":when=2+" if operation == "reread" else ""
    return (*args, *_trace_arg(calls), *_inject_arg(calls, f"error={error}{tail}"))


def delay_args(path: bytes, root: bytes, microseconds: int, calls: Sequence[str] = OPEN_CALLS) -> tuple[bytes, ...]:
    """Return strace's arguments that delay ``calls`` on one entry for ``microseconds``."""
    return (*_path_filters(root, path), *_trace_arg(calls), *_inject_arg(calls, f"delay_enter={microseconds}"))


def failure_args(
    calls: Sequence[str], injection: str, paths: Iterable[bytes], root: bytes, *, after: int = 0
) -> tuple[bytes, ...]:
    """Return strace's arguments that inject ``injection`` into ``calls`` on ``paths``, relative to ``root``.

    ``injection`` has strace's syntax: `error=EIO`, `signal=SIGKILL`. The first ``after`` calls of each kind
    succeed.
    """
    args = [arg for path in paths for arg in _path_filters(root, path)]
    when = f":when={after + 1}+" if after else ""
    # Without a trace option, so that several of these can be combined.
    return (*args, *_inject_arg(calls, f"{injection}{when}"))


def _trace_arg(calls: Sequence[str]) -> tuple[bytes, bytes]:
    return b"-e", f"trace={','.join(f'?{call}' for call in calls)}".encode()


def _inject_arg(calls: Sequence[str], injection: str) -> tuple[bytes, bytes]:
    return b"-e", f"inject={','.join(f'?{call}' for call in calls)}:{injection}".encode()


def _calls_of(operation: str, directories: bool) -> tuple[str, ...]:
    table: Mapping[str, tuple[str, ...]] = {
        # A program may open a file to get its metadata.
        "lstat": STAT_CALLS if directories else (*STAT_CALLS, *OPEN_CALLS),
        "readdir": (*OPEN_CALLS, *READDIR_CALLS),
        "reread": READDIR_CALLS,
    }
    return table[operation]


def met_path_only_open(tree: Tree, lines: Iterable[str]) -> bool:
    """Return whether a fault of reading a directory met an open with O_PATH, by which no name can be read."""
    return any(fault.operation == "readdir" for fault in tree.faults()) and any(
        line.endswith("(INJECTED)") and "O_PATH" in line for line in lines
    )


def _path_filters(root: bytes, path: bytes) -> list[bytes]:
    """Return filters for all names of the entry at ``path``: absolute, bare, and below a directory descriptor."""
    name = path.rpartition(b"/")[2]
    below = [b"/proc/self/fd/%d/%s" % (number, name) for number in _DIRECTORY_DESCRIPTORS]
    return [arg for path in (root + b"/" + path, name, *below) for arg in (b"-P", path)]


def _check_unique_names(tree: Tree, faults: Iterable[Fault]) -> None:
    names = [path.rpartition(b"/")[2] for path, _ in tree.walk()]
    for fault in faults:
        name = fault.path.rpartition(b"/")[2]
        if names.count(name) > 1:
            raise CannotBuild(f"{name.decode('utf-8', 'backslashreplace')}: another entry has the same name")
