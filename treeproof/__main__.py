"""``python -m treeproof``: the command line without its script."""

import sys

if not sys.flags.safe_path:
    # `python -m` puts the working directory first on the import path. A file there, perhaps of the candidate, would
    # take the place of a library.
    del sys.path[0]

from treeproof.cli import command

command()
