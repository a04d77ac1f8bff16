"""The configuration table of list_directory."""

from typing import Any

import pytest

from treeproof.reference_impl.list_directory import settings
from treeproof.reference_impl.shared import errors


@pytest.mark.parametrize(
    "config",
    [
        None,
        {},
        {"tools": {}},
        {"tools": {"list_directory": {}}},
        {"list_directory": {"max_entries": 1}},
        {"tools": {"list-directory": {"max_entries": 1}, "read_file": {"max_entries": 1}}},
        {"tools": {"list_directory": {"foo": 1, "include_hidden": True}}},
    ],
)
def test_other_configurations_keep_the_built_in_values(config: Any) -> None:
    assert settings.read_settings(config) == settings.BUILT_IN


def test_missing_keys_have_their_built_in_values() -> None:
    read = settings.read_settings({"tools": {"list_directory": {"max_entries": 50, "include_files_default": False}}})
    assert read == settings.Settings(max_entries=50, include_files_default=False)


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ([], "the configuration"),
        ({"tools": 1}, "tools"),
        ({"tools": {"list_directory": []}}, "tools.list_directory"),
        ({"tools": {"list_directory": {"max_entries": 0}}}, "tools.list_directory.max_entries"),
        ({"tools": {"list_directory": {"max_entries": "5"}}}, "tools.list_directory.max_entries"),
        ({"tools": {"list_directory": {"max_depth": 2.5}}}, "tools.list_directory.max_depth"),
        ({"tools": {"list_directory": {"max_depth": True}}}, "tools.list_directory.max_depth"),
        ({"tools": {"list_directory": {"include_other_default": "yes"}}}, "include_other_default"),
    ],
)
def test_an_invalid_configuration_is_refused_with_its_key(config: Any, key: str) -> None:
    with pytest.raises(errors.ToolError, match=key) as caught:
        settings.read_settings(config)
    assert caught.value.kind == "ConfigInvalid"
