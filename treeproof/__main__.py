"""``python -m treeproof``: the command line, where its script is not on the path."""

import sys

from treeproof.cli import command

sys.exit(command())
