"""From the faults of a recipe to the words that make strace inject them. Pure: nothing is started here.

A path filter of strace knows a call by the absolute path, by the bare name (calls relative to a directory's
descriptor) and by a descriptor's own path. So a victim needs a name that nothing else in the tree has.
"""

from collections.abc import Iterable, Mapping

from treeproof.tree.recipe import Fault, Kind, Tree

LOOK = ("lstat", "lstat64", "stat", "stat64", "newfstatat", "fstatat64", "statx")
OPEN = ("open", "openat", "openat2")
READ = ("getdents", "getdents64")

DEFAULT_ERROR = "EACCES"


class CannotInject(Exception):
    """These faults cannot be injected together, or not without hitting something else; one line that says why."""


def injection(tree: Tree, root: bytes) -> tuple[bytes, ...]:
    """Return strace's words for the faults of ``tree``, built at the absolute path ``root``.

    Raises CannotInject when the recipe mixes operations or errors (one path filter serves all of them), or when a
    victim shares its name with another entry.
    """
    faults = tree.faults()
    kinds = {(fault.operation, fault.error or DEFAULT_ERROR) for fault in faults}
    if len(kinds) != 1:
        raise CannotInject("one tree can have faults of one operation with one error only")
    ((operation, error),) = kinds
    _refuse_namesakes(tree, faults)
    directories = [tree.find(fault.path) for fault in faults]
    all_directories = all(node is not None and node.kind is Kind.DIR for node in directories)
    words = [word for fault in faults for word in _path(root, fault.path)]
    calls = _calls(operation, directories=all_directories)
    tail = ":when=2+" if operation == "reread" else ""
    names = ",".join(f"?{call}" for call in calls)
    words += [b"-e", f"trace={names}".encode(), b"-e", f"inject={names}:error={error}{tail}".encode()]
    return tuple(words)


def delay(path: bytes, root: bytes, microseconds: int) -> tuple[bytes, ...]:
    """Return strace's words that hold up every opening of one entry for ``microseconds``."""
    names = ",".join(f"?{call}" for call in OPEN)
    return (
        *_path(root, path),
        b"-e",
        f"trace={names}".encode(),
        b"-e",
        f"inject={names}:delay_enter={microseconds}".encode(),
    )


def _calls(operation: str, *, directories: bool) -> tuple[str, ...]:
    table: Mapping[str, tuple[str, ...]] = {
        # Whoever opens a file to look at it has not got its metadata either.
        "lstat": LOOK if directories else (*LOOK, *OPEN),
        "readdir": (*OPEN, *READ),
        "reread": READ,
    }
    return table[operation]


def _path(root: bytes, path: bytes) -> list[bytes]:
    return [b"-P", root + b"/" + path, b"-P", path.rpartition(b"/")[2]]


def _refuse_namesakes(tree: Tree, faults: Iterable[Fault]) -> None:
    names = [path.rpartition(b"/")[2] for path, _ in tree.walk()]
    for fault in faults:
        name = fault.path.rpartition(b"/")[2]
        if names.count(name) > 1:
            raise CannotInject(f"{name.decode('utf-8', 'backslashreplace')}: another entry has the same name")
