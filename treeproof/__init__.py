"""treeproof: does this implementation do what its specification says?

Only the version and the place of the content folders live here. In a wheel the content folders (features, steps,
fixtures, adapters, reference_impl, oracles) lie inside this package; in a checkout they stand at its top, so the
checkout's root is appended to the package's search path.
"""

from pathlib import Path

__version__ = "0.1.0"

if not (Path(__file__).parent / "features").is_dir():
    __path__.append(str(Path(__file__).parent.parent))
