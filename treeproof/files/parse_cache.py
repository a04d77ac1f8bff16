"""A cache of parsed files, in the folder `__pycache__` beside them, as Python caches byte code.

Contains no parser. A cached value counts only for the very text that it was made from, read by the same parser. So the
cache is never needed and never stale. It is beside the files and not in a folder of the user, so that a program which
can change the cache can also change the files: the cache adds no way to change a verdict.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

from treeproof.errors import why_unreadable

_FOLDER = "__pycache__"
_DIGEST_BYTES = hashlib.sha256().digest_size
_MAX_BYTES = 64 << 20


def digest_of(*parts: bytes) -> bytes:
    """Return a digest of the texts and versions that a value was made from."""
    content = hashlib.sha256(sys.implementation.cache_tag.encode() if sys.implementation.cache_tag else b"")
    for part in parts:
        content.update(b"%d\n" % len(part) + part)
    return content.digest()


def load(source: Path, digest: bytes, classes: Collection[type]) -> Any:
    """Return the cached value of a file, or None. It contains plain values and objects of ``classes`` only."""
    file = _cache_file(source)
    try:
        if why_unreadable(file, _MAX_BYTES) is not None:  # a named pipe there must not stop a run
            return None
        content = file.read_bytes()
        if content[:_DIGEST_BYTES] != digest:
            return None
        known = {(one.__module__, one.__qualname__): one for one in classes}
        return _Reader(io.BytesIO(memoryview(content)[_DIGEST_BYTES:]), known).load()
    except Exception:  # a damaged file raises almost anything
        return None


def store(source: Path, digest: bytes, value: object) -> None:
    """Write the value of a file. Does nothing where that is impossible, or unwanted as for byte code."""
    if sys.dont_write_bytecode:
        return
    target = _cache_file(source)
    with contextlib.suppress(OSError):
        target.parent.mkdir(exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f"{target.name}.", dir=target.parent)
        try:
            with open(descriptor, "wb") as stream:
                stream.write(digest)
                pickle.dump(value, stream, protocol=5)
            os.chmod(name, 0o644)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise


def _cache_file(source: Path) -> Path:
    return source.parent / _FOLDER / f"{source.name}.{sys.implementation.cache_tag}.parsed"


class _Reader(pickle.Unpickler):
    """Creates objects of known classes and calls nothing else."""

    def __init__(self, stream: io.BytesIO, classes: dict[tuple[str, str], type]) -> None:
        super().__init__(stream)
        self._classes = classes

    def find_class(self, module: str, name: str) -> type:
        found = self._classes.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} does not belong into a cache")
        return found
