"""treeproof: conformance tests for the file-system tools of AI agents.

Contains only the version and the search path of the content folders (features, steps, fixtures, adapters,
reference_impl, rows, mutants, variants, oracles). In a wheel they are inside this package; in a checkout they are
beside it, and the root of the checkout is appended to the search path.
"""

from pathlib import Path

__version__ = "0.1.0"

if not (Path(__file__).parent / "features").is_dir():
    __path__.append(str(Path(__file__).parent.parent))
