"""Badges: the endpoint schema of shields.io, and a self-contained picture with an accessible name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from treeproof.report.formats import badge
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {
    "conformant": "brightgreen",
    "partial": "yellowgreen",
    "non-conformant": "red",
    "incomplete": "orange",
    "fault": "lightgrey",
}


@pytest.mark.parametrize("conclusion", COLOURS)
def test_the_endpoint_shows_each_conclusion_in_its_own_colour(run: Callable[..., Json], conclusion: str) -> None:
    endpoint = json.loads(badge.dump_endpoint_json(RunDocument.from_json(run([], [], verdict=conclusion))))
    error = {"isError": True} if conclusion == "fault" else {}
    assert endpoint == {
        "schemaVersion": 1,
        "label": "list_directory 1.1",
        "message": conclusion,
        "color": COLOURS[conclusion],
        **error,
    }


def test_several_specifications_have_one_badge(run: Callable[..., Json]) -> None:
    both = run([], [])
    both["specs"] *= 2
    assert json.loads(badge.dump_endpoint_json(RunDocument.from_json(both)))["label"] == "treeproof"


@pytest.mark.parametrize("conclusion", COLOURS)
def test_the_picture_has_an_accessible_name_and_loads_nothing(run: Callable[..., Json], conclusion: str) -> None:
    picture = ElementTree.fromstring(badge.dump_svg(RunDocument.from_json(run([], [], verdict=conclusion))))
    title = picture.findtext(f"{SVG}title")
    assert picture.get("role") == "img" and picture.get("aria-label") == title == f"list_directory 1.1: {conclusion}"
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == {
        "svg",
        "title",
        "rect",
        "path",
        "g",
        "text",
    }
    assert not any("href" in name for element in picture.iter() for name in element.attrib)
    label, message = picture.iter(f"{SVG}text")
    assert (label.text, message.text) == ("list_directory 1.1", conclusion)
    width = int(picture.get("width", "0"))
    assert width == int(label.get("textLength", "0")) + int(message.get("textLength", "0")) + 24


def test_white_text_can_be_read_on_every_colour() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    for _, colour in badge._COLOURS.values():
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5, colour


def test_the_title_of_a_partial_run_states_that_it_is_no_claim(run: Callable[..., Json]) -> None:
    picture = ElementTree.fromstring(badge.dump_svg(RunDocument.from_json(run([], [], verdict="partial", claim=False))))
    assert picture.findtext(f"{SVG}title") == "list_directory 1.1: partial (not a conformance claim)"
