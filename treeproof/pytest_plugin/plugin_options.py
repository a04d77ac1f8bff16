"""The options of the command line and of the adopter's pytest configuration, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from treeproof.errors import UsageError
from treeproof.report.formats import registry
from treeproof.verdict import Profile


@dataclass(frozen=True)
class PluginOptions:
    """The options of a conformance run.

    ``from_command_line``: scenarios run even if the user names other tests; else (from a configuration file) only in
    whole runs. Relative targets start from ``folder``: the working directory, or that of the configuration file.
    """

    target: str
    folder: Path
    from_command_line: bool
    specs: tuple[str, ...]
    profile: Profile
    baseline: Path | None
    reports: tuple[registry.ReportRequest, ...]


def read_options(config: pytest.Config) -> PluginOptions:
    """Read the options of ``config``. Raises UsageError for an invalid value."""
    here = config.invocation_params.dir
    base = config.inipath.parent if config.inipath is not None else config.rootpath
    named = config.getoption("--treeproof")
    baseline = config.getoption("--treeproof-baseline")
    known = config.getini("treeproof_baseline")
    profile = config.getoption("--treeproof-profile") or config.getini("treeproof_profile") or "default"
    if profile not in tuple(Profile):
        raise UsageError(f"treeproof_profile = {profile}: write one of {', '.join(Profile)}")
    return PluginOptions(
        target=named or config.getini("treeproof"),
        folder=here if named else base,
        from_command_line=bool(named),
        specs=tuple(config.getoption("--treeproof-spec") or config.getini("treeproof_spec")),
        profile=Profile(profile),
        baseline=here / baseline if baseline else base / known if known else None,
        reports=registry.parse_requests(config.getoption("--treeproof-report") or ()),
    )
