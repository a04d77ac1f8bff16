"""A candidate whose import fails."""

import a_module_that_nobody_has  # type: ignore[import-not-found]  # noqa: F401
