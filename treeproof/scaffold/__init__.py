"""New candidates: glue, manifest and CI workflow from templates. What a tool does is not known here: the first lines
of its body come from the pack (``starters/<language>.template``) where it has some.
"""

from treeproof.scaffold.candidate import ADAPTERS, LANGUAGES, new_candidate
from treeproof.scaffold.plan import Plan

__all__ = ["ADAPTERS", "LANGUAGES", "Plan", "new_candidate"]
