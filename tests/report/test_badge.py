"""Badges: the endpoint schema of shields.io, and a picture that loads nothing and can be heard."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from treeproof.report.formats import badge

Json = dict[str, Any]

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {
    "conformant": "brightgreen",
    "partial": "yellowgreen",
    "non-conformant": "red",
    "incomplete": "orange",
    "fault": "lightgrey",
}


@pytest.mark.parametrize("word", COLOURS)
def test_the_endpoint_says_the_word_in_a_colour_of_its_own(run: Callable[..., Json], word: str) -> None:
    told = json.loads(badge.dump_endpoint_json(run([], [], verdict=word)))
    error = {"isError": True} if word == "fault" else {}
    assert told == {
        "schemaVersion": 1,
        "label": "list_directory 1.1",
        "message": word,
        "color": COLOURS[word],
        **error,
    }


def test_several_specifications_have_one_badge(run: Callable[..., Json]) -> None:
    both = run([], [])
    both["specs"] *= 2
    assert json.loads(badge.dump_endpoint_json(both))["label"] == "treeproof"


@pytest.mark.parametrize("word", COLOURS)
def test_the_picture_can_be_heard_and_loads_nothing(run: Callable[..., Json], word: str) -> None:
    picture = ElementTree.fromstring(badge.dump_svg(run([], [], verdict=word)))
    title = picture.findtext(f"{SVG}title")
    assert picture.get("role") == "img" and picture.get("aria-label") == title == f"list_directory 1.1: {word}"
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
    assert (label.text, message.text) == ("list_directory 1.1", word)
    width = int(picture.get("width", "0"))
    assert width == int(label.get("textLength", "0")) + int(message.get("textLength", "0")) + 24


def test_white_text_can_be_read_on_every_colour() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    for _, colour in badge._COLOURS.values():
        assert 1.05 / (light(colour) + 0.05) >= 4.5, colour


def test_a_narrowed_run_says_so_where_there_is_room(run: Callable[..., Json]) -> None:
    picture = ElementTree.fromstring(badge.dump_svg(run([], [], verdict="partial", claim=False)))
    assert picture.findtext(f"{SVG}title") == "list_directory 1.1: partial (not a conformance claim)"
