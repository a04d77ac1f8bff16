"""The open descriptors of the process that runs the tests."""

import gc
import os


def open_descriptors() -> list[str]:
    """Return number and target of each descriptor, without the one that lists them.

    Garbage is collected first: an earlier test's objects (an exception holds its frames) close theirs only then, and a
    collection at a random moment would look like a change.
    """
    gc.collect()
    found = []
    for number in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:  # the one that listed them, which is closed
            continue
        found.append(f"{number} {target}")
    return sorted(found)
