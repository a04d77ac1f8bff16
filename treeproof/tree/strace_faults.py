"""From the faults of a recipe to the words that make strace inject them. Pure: nothing is started here.

A path filter of strace knows a call by the absolute path, by the bare name (calls relative to a directory's
descriptor) and by a descriptor's own path. So a victim needs a name that nothing else in the tree has. Runtimes that
know no calls relative to a descriptor have its link in `/proc` for it.
"""

from collections.abc import Iterable, Mapping, Sequence

from treeproof.tree.recipe import Fault, Kind, Tree

STAT_CALLS = ("lstat", "lstat64", "stat", "stat64", "newfstatat", "fstatat64", "statx")
OPEN_CALLS = ("open", "openat", "openat2")
READDIR_CALLS = ("getdents", "getdents64")

RENAME_CALLS = ("rename", "renameat", "renameat2")
RENAME_OR_LINK_CALLS = (*RENAME_CALLS, "link", "linkat")
"""What gives an entry another name; a second one that the first is then taken from serves the same end."""
UNLINK_CALLS = ("unlink", "unlinkat")
CONTENT_CALLS = (
    "read",
    "pread64",
    "readv",
    "preadv",
    "preadv2",
    "copy_file_range",
    "sendfile",
    "splice",
    "mmap",
)
"""What brings a file's content along."""

DEFAULT_ERROR = "EACCES"
_DIRECTORY_DESCRIPTORS = range(3, 64)
"""Of the directories that a process has open. The first of a runtime like Node is 18, and each level takes one; strace
starts half a millisecond later for all of them.
"""


class CannotInject(Exception):
    """These faults cannot be injected together, or not without hitting something else; one line that says why."""


def fault_args(tree: Tree, root: bytes) -> tuple[bytes, ...]:
    """Return strace's words for the faults of ``tree``, built at the absolute path ``root``.

    Raises CannotInject when the recipe mixes operations or errors (one path filter serves all of them), or when a
    victim shares its name with another entry.
    """
    faults = tree.faults()
    kinds = {(fault.operation, fault.error or DEFAULT_ERROR) for fault in faults}
    if len(kinds) != 1:
        raise CannotInject("one tree can have faults of one operation with one error only")
    ((operation, error),) = kinds
    _check_unique_names(tree, faults)
    directories = [tree.find(fault.path) for fault in faults]
    all_directories = all(node is not None and node.kind is Kind.DIR for node in directories)
    words = [word for fault in faults for word in _path_filters(root, fault.path)]
    calls = _calls_of(operation, directories=all_directories)
    tail = ":when=2+" if operation == "reread" else ""
    names = ",".join(f"?{call}" for call in calls)
    words += [b"-e", f"trace={names}".encode(), b"-e", f"inject={names}:error={error}{tail}".encode()]
    return tuple(words)


def delay_args(
    path: bytes, root: bytes, microseconds: int, calls: Sequence[str] = OPEN_CALLS
) -> tuple[bytes, ...]:
    """Return strace's words that hold up every opening of one entry, or other ``calls``, for ``microseconds``."""
    names = ",".join(f"?{call}" for call in calls)
    return (
        *_path_filters(root, path),
        b"-e",
        f"trace={names}".encode(),
        b"-e",
        f"inject={names}:delay_enter={microseconds}".encode(),
    )


def failure_args(
    calls: Sequence[str], injection: str, paths: Iterable[bytes], root: bytes, *, after: int = 0
) -> tuple[bytes, ...]:
    """Return strace's words by which `calls` that name one of `paths`, from `root`, come to `what`.

    `what` is strace's: `error=EIO`, `signal=SIGKILL`. The first `after` calls of each kind go through.
    """
    names = ",".join(f"?{call}" for call in calls)
    words = [word for path in paths for word in _path_filters(root, path)]
    when = f":when={after + 1}+" if after else ""
    # Without a trace of its own, so that several of these go together.
    return (*words, b"-e", f"inject={names}:{injection}{when}".encode())


def _calls_of(operation: str, *, directories: bool) -> tuple[str, ...]:
    table: Mapping[str, tuple[str, ...]] = {
        # Whoever opens a file to look at it has not got its metadata either.
        "lstat": STAT_CALLS if directories else (*STAT_CALLS, *OPEN_CALLS),
        "readdir": (*OPEN_CALLS, *READDIR_CALLS),
        "reread": READDIR_CALLS,
    }
    return table[operation]


def _path_filters(root: bytes, path: bytes) -> list[bytes]:
    """Every way to name the entry at ``path``: absolute, bare, and below a directory's descriptor."""
    name = path.rpartition(b"/")[2]
    below = [b"/proc/self/fd/%d/%s" % (number, name) for number in _DIRECTORY_DESCRIPTORS]
    return [word for way in (root + b"/" + path, name, *below) for word in (b"-P", way)]


def _check_unique_names(tree: Tree, faults: Iterable[Fault]) -> None:
    names = [path.rpartition(b"/")[2] for path, _ in tree.walk()]
    for fault in faults:
        name = fault.path.rpartition(b"/")[2]
        if names.count(name) > 1:
            raise CannotInject(f"{name.decode('utf-8', 'backslashreplace')}: another entry has the same name")
