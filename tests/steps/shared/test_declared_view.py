"""The table [view]: each form of answers is read, and another form is a difference; and steps on the whole output."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeproof.api import Call, CallResult, Mismatch, View
from treeproof.run.runner import Options, run
from treeproof.scaffold.specification import new_spec
from treeproof.steps.shared.declared_view import declared_view

CALL = Call("glob", {}, {"roots": ["/r"]})


def read(view: View, text: str) -> list[str]:
    return declared_view(view).parse(CallResult("ok", text, None, None, None, None, None, b""), CALL).keys


LINES = View("lines", empty="No files found", other_lines=r"\(.*\)")
MARKED = View("lines", line=r"(?:\[(?P<type>DIR)\] )?(?P<path>.+?)(?P<slash>/?)")
INNER = View("objects", entries="result.files", key="name")
ABSOLUTE = View("names", is_absolute=True)


@pytest.mark.parametrize(
    ("view", "text", "keys"),
    [
        (LINES, "b\na c\n", ["b", "a c"]),
        (LINES, "b\n(1 more)", ["b"]),
        (LINES, "No files found\n", []),
        (LINES, "", []),
        (LINES, "a\n\nb", ["a", "", "b"]),
        (MARKED, "[DIR] d\ne/\nf", ["d", "e", "f"]),
        (LINES, "a\x85b\r\n", ["a\x85b\r"]),
        (View("names"), '["b", "a"]', ["b", "a"]),
        (View("names", entries="files"), '{"files": ["a"], "more": 1}', ["a"]),
        (View("objects"), '[{"path": "a", "size": 1}]', ["a"]),
        (INNER, '{"result": {"files": [{"name": "a"}]}}', ["a"]),
        (ABSOLUTE, '["/r/a/b", "/r", "/elsewhere"]', ["a/b", ".", "/elsewhere"]),
    ],
)
def test_the_entries_of_each_form(view: View, text: str, keys: list[str]) -> None:
    assert read(view, text) == keys


@pytest.mark.parametrize(
    ("view", "text", "message"),
    [
        (MARKED, "[DIR] a\n\n[DIR] b", "a line has another form"),
        (View("names"), "a", "the output is not JSON"),
        (View("names"), "{}", "the output is not a list of texts"),
        (View("names"), '[{"path": "a"}]', "the output is not a list of texts"),
        (View("objects"), '["a"]', "the output is not a list of objects with a text path"),
        (INNER, '{"result": []}', "result.files is not a list of objects with a text name"),
        (INNER, '{"result": {"files": [{"path": "a"}]}}', "result.files is not a list of objects with a text name"),
        (ABSOLUTE, '["a"]', "a path is not absolute"),
    ],
)
def test_another_form_is_a_difference(view: View, text: str, message: str) -> None:
    with pytest.raises(Mismatch, match=message):
        read(view, text)


def test_an_error_has_no_entries() -> None:
    answer = CallResult("error", None, "BadArgs", "no", None, None, None, b"")
    with pytest.raises(Mismatch, match="the call failed with BadArgs: no"):
        declared_view(LINES).parse(answer, CALL)


def test_the_groups_of_a_line_are_members() -> None:
    answer = CallResult("ok", "[DIR] d\ne/", None, None, None, None, None, b"")
    found = declared_view(MARKED).parse(answer, CALL).entries
    assert found == [{"type": "DIR", "path": "d", "slash": ""}, {"path": "e", "slash": "/"}]


SCENARIO = """
    @PETS-OUT-01-{number}
    Scenario: the whole output {number}
      Given the tree "one/{{x}}, number/{{1}}, b"
      When pets is called with {{"path": "{path}"}}
      Then {step}
"""
TABLE = "\n        | reading | output |\n        | no | x |\n        | yes | y |"
STEPS = [
    ("one", 'the output is "x"', ""),
    ("one", 'the output is "y"', "the output differs"),
    (".", 'the output has the line "b"', ""),
    (".", 'the output has the line "c"', 'the output has no line "c"'),
    ("number", "the output fits the schema", ""),
    ("number", 'the output is the JSON value\n        """\n        1.0\n        """', ""),
    ("number", 'the output is the JSON value\n        """\n        true\n        """', "the output differs"),
    (".", "the output fits the schema", "the output is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ("missing", 'the output is "x"', "the call failed with ExecutionFailed: "),
    (".", f"by AMB-PETS-01 the answer is one of{TABLE}", "the answer fits none of the readings"),
]


def test_steps_on_the_whole_output(tmp_path: Path) -> None:
    folder = new_spec("pets", tmp_path / "pets").folder
    catalogue, feature = folder / "spec.toml", folder / "first.feature"
    catalogue.write_text(catalogue.read_text("utf-8") + '\n[spec.schemas]\noutput = "output.json"\n', "utf-8")
    (folder / "output.json").write_text('{"type": "number"}', "utf-8")
    blocks = [SCENARIO.format(number=10 + at, path=path, step=step) for at, (path, step, _) in enumerate(STEPS)]
    start, rule, rest = feature.read_text("utf-8").partition("  @PETS-ERR-01")
    feature.write_text(start + "".join(blocks) + "\n" + rule + rest, "utf-8")
    scenarios = run(Options(target="reference", specs=(str(folder),))).document.to_json()["specs"][0]["scenarios"]
    found = [one["evidence"].get("message", "") for one in scenarios if one["title"].startswith("the whole output")]
    assert len(found) == len(STEPS)
    for message, (*_, due) in zip(found, STEPS, strict=True):
        assert message.startswith(due)
        assert bool(message) == bool(due), message
    warned = [one["title"] for one in scenarios if any("does not fit its schema" in text for text in one["warnings"])]
    assert "files and directories" in warned  # a pack without `output_form`
    assert "the whole output 14" not in warned


@pytest.mark.parametrize(("owner", "failed"), [("", {"PETS-OUT-01", "PETS-ERR-01"}), ("PETS-OUT-01", {"PETS-OUT-01"})])
def test_one_requirement_can_own_the_form(tmp_path: Path, owner: str, failed: set[str]) -> None:
    folder = new_spec("pets", tmp_path / "pets").folder
    catalogue, feature = folder / "spec.toml", folder / "first.feature"
    text = catalogue.read_text("utf-8").replace('form = "lines"', 'form = "lines"\nis_absolute = true')
    if owner:
        text = text.replace('prefix = "PETS"', f'prefix = "PETS"\noutput_form = "{owner}"')
    catalogue.write_text(text, "utf-8")
    lines = feature.read_text("utf-8").replace("Then the call fails with any error", 'Then the entries are "a"')
    feature.write_text(lines.replace('{"path": "missing"}', '{"path": "a"}'), "utf-8")
    spec = run(Options(target="reference", specs=(str(folder),))).document.to_json()["specs"][0]
    assert {one["id"] for one in spec["requirements"] if one["verdict"] == "FAIL"} == failed
