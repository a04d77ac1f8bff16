"""The limit of open files, which candidates inherit: a low one would fail right implementations in deep trees."""

from __future__ import annotations

from treeproof.errors import UsageError

_NEEDED, _USUAL = 256, 1024


def raise_open_file_limit() -> None:
    """Raise this process's limit of open files to the usual one, as far as the system permits.

    Raises UsageError if it stays below what a run needs.
    """
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_low = soft != resource.RLIM_INFINITY and soft < _USUAL
    if not is_low:
        return
    limit = _USUAL if hard == resource.RLIM_INFINITY else min(hard, _USUAL)
    if limit < _NEEDED:
        raise UsageError(
            f"the limit of open files is {limit}, and a run needs {_NEEDED}; raise it with 'ulimit -n {_USUAL}'"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
