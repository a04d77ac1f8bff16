"""``python -m treeproof``: the command line without its script."""

import sys

from treeproof.cli import command

sys.exit(command())
