"""Then: the output of a call as a whole: its text, its JSON value, its schema, and the reading that it shows."""

from __future__ import annotations

import json

from treeproof.api import Mismatch, World, then

from .errors import content_of, json_of
from .interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, PATH_COLUMNS, InterpretationTable
from .own_text import own_text
from .values import first_difference, format_json


@then(r'the output is "(?P<text>.*)"', example='the output is "No files found"')
def the_output_is(world: World, text: str) -> None:
    """Compare the whole text, without a line feed at its end."""
    assert_output(world, text)


def assert_output(world: World, text: str) -> None:
    """Raise Mismatch unless the last answer has this text, without a line feed at its end."""
    content_of(world.answer)
    got = own_text(world.answer).removesuffix("\n")
    if got != text:
        raise Mismatch("the output differs", expected=text, got=got, diff=first_difference(text, got))


@then(r'the output has the line "(?P<text>.*)"', example='the output has the line "(more files match)"')
def the_output_has_the_line(world: World, text: str) -> None:
    """Require this line at any place."""
    content_of(world.answer)
    got = own_text(world.answer)
    if text not in got.split("\n"):
        raise Mismatch(f"the output has no line {format_json(text)}", got=got[:2000], kind="a line is missing")


@then("the output is the JSON value")
def the_output_is_the_value(world: World, docstring: str) -> None:
    """Compare the whole value with that in the text block. The order of members is not compared."""
    import jsonschema  # by its rules true is not 1, and 1.0 is 1

    expected, got = json.loads(docstring), json_of(world.answer)
    if not jsonschema.Draft202012Validator({"const": expected}).is_valid(got):
        raise Mismatch("the output differs", expected=format_json(expected), got=format_json(got))


@then("the output fits the schema", schema="output")
def the_output_fits_the_schema(world: World) -> None:
    """Validate the output against the schema `output` of the pack, with the library jsonschema."""
    import jsonschema

    pack = world.session.pack
    schema = json.loads(pack.schemas["output"].read_text("utf-8"))
    problem = next(jsonschema.Draft202012Validator(schema).iter_errors(json_of(world.answer)), None)
    if problem is not None:
        where = f"{problem.json_path}: " if problem.path else ""
        raise Mismatch(f"{where}{problem.message}", got=(world.answer.content or "")[:2000])


TABLE = InterpretationTable({**ENTRY_COLUMNS, "output": assert_output})


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LD-01 the answer is one of",
    columns=TABLE.columns,
    paths=(*PATH_COLUMNS, "in order"),
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing."""
    TABLE.check(world, ids, datatable)
