"""Adds the addresses of the project to its metadata. A release workflow knows them; no file of the project does."""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {"Documentation": "tree/main/docs", "Issues": "issues", "Changelog": "blob/main/CHANGELOG.md"}


class ProjectUrls(MetadataHookInterface):
    """Takes them from the variables that GitHub sets in each job."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``urls``, to none outside of a workflow."""
        server, repository = (os.environ.get(f"GITHUB_{name}") for name in ("SERVER_URL", "REPOSITORY"))
        address = f"{server}/{repository}"
        known = {"Source": address, **{name: f"{address}/{page}" for name, page in PAGES.items()}}
        metadata["urls"] = known if server and repository else {}
