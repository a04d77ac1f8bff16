"""The fields of an entry from its metadata, without a file system."""

import errno
import os
import stat

import pytest

from treeproof.reference_impl.list_directory import entries


@pytest.mark.parametrize(
    ("mtime_ns", "milliseconds"),
    [
        (0, 0),
        (1_700_000_000_002_000_000, 1_700_000_000_002),
        (1_700_000_000_000_999_999, 1_700_000_000_000),
        (-1_000_000, -1),
        (-1_500_000, -2),
        (-1, -1),
        (2**62 * 10**9, None),
        ((2**63 - 1) * 10**6, 2**63 - 1),
        (2**63 * 10**6, None),
        (-(2**63) * 10**6, -(2**63)),
        (-(2**63) * 10**6 - 1, None),
    ],
)
def test_milliseconds_are_exact_rounded_down_and_bounded(mtime_ns: int, milliseconds: int | None) -> None:
    assert entries.to_epoch_ms(mtime_ns) == milliseconds


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (OSError(errno.EACCES, ""), "permission_denied"),
        (OSError(errno.EPERM, ""), "permission_denied"),
        (OSError(errno.EIO, ""), "io_error"),
        (OSError(errno.ENOENT, ""), "metadata_unavailable"),
        (OSError(errno.ENAMETOOLONG, ""), "metadata_unavailable"),
        (OSError(errno.EMFILE, ""), "metadata_unavailable"),
        (ValueError(), "unknown"),
    ],
)
def test_a_failure_has_a_fixed_code_and_a_short_message(failure: Exception, code: str) -> None:
    assert entries.error_code_of(failure) == code
    assert 0 < len(entries.ERROR_MESSAGES[code]) <= 40


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (stat.S_IFREG, "file"),
        (stat.S_IFDIR, "dir"),
        (stat.S_IFLNK, "symlink"),
        (stat.S_IFIFO, "other"),
        (stat.S_IFSOCK, "other"),
        (stat.S_IFCHR, "other"),
        (stat.S_IFBLK, "other"),
    ],
)
def test_the_mode_decides_the_type(mode: int, kind: str) -> None:
    assert entries.entry_type(os.stat_result((mode | 0o644, *[0] * 9))) == kind
