"""The entry point that pytest loads: the options, and nothing else until one of them is given.

Every pytest run of a user who has treeproof installed loads this file, so it imports pytest alone.
``-p no:treeproof`` disables it.
"""

from __future__ import annotations

import pytest

PLUGIN_NAME = "treeproof-conformance"
HELP = "Also run the scenarios against this candidate: a manifest, its folder, kind:target or 'reference'"
MARKER = "treeproof: a scenario of a specification, run against the candidate that --treeproof names"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("treeproof", "treeproof: conformance of a candidate")
    group.addoption("--treeproof", metavar="TARGET", help=HELP)
    group.addoption(
        "--treeproof-spec",
        action="append",
        metavar="NAME[@VERSION]",
        help="Use only this specification; repeatable",
    )
    group.addoption(
        "--treeproof-profile",
        choices=("default", "strict", "lenient"),
        help="Set the strictness, as `treeproof run --profile` does [default]",
    )
    group.addoption(
        "--treeproof-baseline",
        metavar="FILE",
        help="Report the failures that FILE lists as xfailed",
    )
    group.addoption(
        "--treeproof-report",
        action="append",
        metavar="FORMAT=FILE",
        help="Write a report of the scenarios, as `treeproof run --report` does",
    )
    parser.addini("treeproof", "Default of --treeproof; paths start from the folder of this file")
    parser.addini("treeproof_spec", "Default of --treeproof-spec, one per line", type="linelist")
    parser.addini("treeproof_profile", "Default of --treeproof-profile")
    parser.addini("treeproof_baseline", "Default of --treeproof-baseline")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    target = config.getoption("--treeproof")
    if target is None:
        target = config.getini("treeproof")
    if not target or config.option.help:
        return
    from treeproof.pytest_plugin.conformance import ConformancePlugin

    config.pluginmanager.register(ConformancePlugin.from_config(config), PLUGIN_NAME)
