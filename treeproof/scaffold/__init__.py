"""Writes the files of new candidates and packs from templates.

The first lines of a tool's body come from the pack, if it has ``starters/<language>.template``.
"""

from treeproof.scaffold.candidate import ADAPTERS, LANGUAGES, new_candidate
from treeproof.scaffold.file_plan import Plan

__all__ = ["ADAPTERS", "LANGUAGES", "Plan", "new_candidate"]
