"""A candidate whose import fails."""

import a_missing_module  # type: ignore[import-not-found]  # noqa: F401
