"""Windows programs under Wine: the launcher, and the prefix of a run, with the drives on which its trees are.

A prefix has no registry but the keys below, and no services: Wine then starts in a tenth of a second, and no process
but its server runs beside the candidate. The server ends with the last program, and at the latest with the prefix.
Contains no rule about trees.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from treeproof.candidate.drives import Drives
from treeproof.candidate.manifest import Target
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError

_SECONDS = 10.0
_VERSION = re.compile(r"wine-(\d[\w.]*)")
_SERVER = "wineserver"

# Without a debugger a crash ends at once; hidden files are no rule of Windows.
_SYSTEM_KEYS = r"""WINE REGISTRY Version 2
#arch=win64
[Software\\Microsoft\\Windows NT\\CurrentVersion\\AeDebug]
"Auto"="0"
"Debugger"="false"
"""
_USER_KEYS = r"""WINE REGISTRY Version 2
#arch=win64
[Software\\Wine]
"ShowDotFiles"="Y"
"""


def examined(target: Target) -> Target:
    """Return a target with the name of its platform and the version of Wine.

    Raises UsageError for a launcher that is missing, that is not Wine, or that has no server beside it.
    """
    if target.platform is None:
        return target
    program = _program(target, target.launcher[0])
    try:
        done = subprocess.run(
            [program, *target.launcher[1:], "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        said = done.stdout[:200].decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError) as problem:
        said = str(problem)
    version = _VERSION.match(said)
    if version is None:
        raise UsageError(
            f"{target.manifest}: candidate.launcher: '{format_untrusted(program)}' --version does not print the "
            f"version of Wine but '{format_untrusted(said.strip(), 80)}'; name wine64"
        )
    return replace(target, platform_label=f"Windows (Wine {version[1]})", wine_server=_server(target, program))


def _program(target: Target, name: str) -> str:
    place = shutil.which(str(target.folder / name) if "/" in name else name)
    if place is None:
        raise UsageError(
            f"{target.manifest}: candidate.launcher: there is no program '{format_untrusted(name)}'; install Wine, or "
            'name its program, as in launcher = ["/usr/lib/wine/wine64"]'
        )
    return place


def _server(target: Target, program: str) -> str:
    beside = Path(os.path.realpath(program)).with_name(_SERVER)
    server = shutil.which(str(beside)) or shutil.which(_SERVER)
    if server is None:
        raise UsageError(
            f"{target.manifest}: candidate.launcher: Wine needs its program {_SERVER}, and neither {beside} nor one on "
            "the PATH can be started; install it"
        )
    return server


class WinePrefix:
    """A prefix of Wine in ``folder``, an empty directory of the run, with the workspace as a drive."""

    def __init__(self, target: Target, folder: Path, workspace: Path) -> None:
        self._server, self._folder = target.wine_server, folder
        system = folder / "drive_c/windows/system32"
        system.mkdir(parents=True)
        (folder / "dosdevices").mkdir()
        for letter, place in (("c:", "../drive_c"), ("z:", "/")):
            (folder / "dosdevices" / letter).symlink_to(place)
        (folder / ".update-timestamp").write_text("disable", encoding="ascii")
        (folder / "system.reg").write_text(_SYSTEM_KEYS, encoding="ascii")
        (folder / "user.reg").write_text(_USER_KEYS, encoding="ascii")
        # Programs of Go need it, and Wine has it since version 9 only.
        random = _forwarding_library("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036")
        (system / "bcryptprimitives.dll").write_bytes(random)
        self.drives = Drives(folder / "dosdevices", str(workspace))

    @property
    def env(self) -> Mapping[str, str]:
        """The variables of every process."""
        return {
            "WINEPREFIX": str(self._folder),
            "WINESERVER": self._server,
            "WINEDEBUG": "-all",
            "WINEBOOTSTRAPMODE": "1",  # libraries are found although the prefix has no copies of them
            "LC_ALL": "C.UTF-8",  # by which Wine reads the names of files; no program for Windows does
        }

    def close(self) -> None:
        """End the server with all programs of the prefix, and remove its socket. Idempotent."""
        for option in ("-k", "-w"):
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                subprocess.run(
                    [self._server, option],
                    env={**os.environ, **self.env},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_SECONDS,
                    check=False,
                )
        self._remove_socket()

    def _remove_socket(self) -> None:
        """Remove the directory of the socket: in one of Debian's, which a file of the prefix names, or the user's."""
        names = [f".wine-{os.getuid()}"]
        with contextlib.suppress(OSError):  # the candidate can have written anything there
            file = os.open(self._folder / _SERVER, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            names += re.findall(r"\Awine-\w{6}\Z", os.read(file, 64).decode("ascii", "replace"))
            os.close(file)
        with contextlib.suppress(OSError):
            made = self._folder.stat()
            for name in names:
                above = Path(tempfile.gettempdir()) / name
                with contextlib.suppress(OSError):
                    place = above / f"server-{made.st_dev:x}-{made.st_ino:x}"
                    for entry in ("socket", "lock"):
                        (place / entry).unlink(missing_ok=True)
                    place.rmdir()
                    above.rmdir()


def _forwarding_library(name: str, function: str, to: str) -> bytes:
    """Return a library for 64 bits whose only function is that of another library: a header and a table of exports."""
    start, texts = 0x1000, [text.encode("ascii") + b"\0" for text in (name, function, to)]
    # The table (40 bytes) is followed by one address, one name and one ordinal number, and then by the texts.
    places = [start + 50 + sum(map(len, texts[:number])) for number in range(3)]
    table = struct.pack("<IIHH7I", 0, 0, 0, 0, places[0], 1, 1, 1, start + 40, start + 44, start + 48)
    exports = table + struct.pack("<IIH", places[2], places[1], 0) + b"".join(texts)
    optional = struct.pack(
        "<HBB5IQ2I6H4I2H4Q2I",
        *(0x20B, 0, 0, 0, 0x200, 0, 0, 0x1000, 0x180000000, 0x1000, 0x200, 6, 0, 0, 0, 6, 0, 0, 0x2000, 0x200),
        *(0, 2, 0x40, 0x100000, 0x1000, 0x100000, 0x1000, 0, 16),
    )
    optional += struct.pack("<II", start, len(exports)) + bytes(15 * 8)
    header = b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, len(optional), 0x2022) + optional
    section = b".rdata\0\0" + struct.pack("<6I2HI", len(exports), start, 0x200, 0x200, 0, 0, 0, 0, 0x40000040)
    beginning = b"MZ" + bytes(58) + struct.pack("<I", 64) + header + section
    return beginning.ljust(0x200, b"\0") + exports.ljust(0x200, b"\0")
