"""Pages for a browser: each one file that needs nothing beside it, no network, no font, no server.

A page is a pure function of what it is given. Templates, styles and scripts are files of their own in this folder;
`rendering.py` puts them together so that no text of a candidate can become markup, and no markup a script.
"""

from treeproof.report.html.rendering import render
from treeproof.report.html.run_page import dump

__all__ = ["dump", "render"]
