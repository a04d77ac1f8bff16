"""The step definitions that only read_text has."""

from treeproof.api import CallResult, Mismatch, World, then
from treeproof.steps.shared.interpretations import INTERPRETATION_IDS, match_outcomes, parse_outcome_table


def compare(expected: str, answer: CallResult) -> None:
    """Raise Mismatch unless the call returned this content."""
    if answer.status != "ok" or answer.content != expected:
        raise Mismatch("the content differs", expected=expected, got=str(answer.content))


@then(r'the content is "(?P<text>.+)"', example='the content is "a"')
def the_content_is(world: World, text: str) -> None:
    """Require exactly this content."""
    compare(text, world.answer)


@then("the content is the text")
def the_content_is_the_text(world: World, docstring: str) -> None:
    """Require the text block as the content."""
    compare(docstring, world.answer)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the content is one of",
    example="by AMB-RT2-01 the content is one of",
    columns=("reading", "content", "fails"),
)
def the_content_is_one_of(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one per reading."""
    entries, rows = parse_outcome_table(ids, datatable)
    match_outcomes(
        world,
        entries,
        rows,
        lambda row: compare(row["content"].replace("|", "\n"), world.answer),
    )


@then(
    r'a control call with (?P<arguments>\{.*\}) gives "(?P<text>.+)"',
    example='a control call with {"path": "a"} gives "x"',
    role="control",
)
def a_control_call(world: World, arguments: str, text: str) -> None:
    """Require that the same candidate returns this content for another call."""
    _, answer = world.control_call("read_text", arguments)
    compare(text, answer)


@then("each file of the tree gives its content")
def each_file(world: World) -> None:
    """Require the content of the files a and b, which are their names."""
    for name in ("a", "b"):
        _, answer = world.control_call("read_text", f'{{"path": "{name}"}}')
        compare(name, answer)
