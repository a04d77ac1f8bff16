"""The table of inputs, the labels of a call, and the scenarios that are generated for what nothing reaches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.model.case import Case
from treeproof.model.case_facts import (
    EARLIER,
    Surroundings,
    describe_target,
    entries_below,
    roots_of,
    target_of,
    ways_of,
)
from treeproof.model.input_table import InputTable
from treeproof.scaffold.specification import new_spec
from treeproof.spec import open_pack
from treeproof.tree import parse_tree

TABLE = """
[scenario]
rule = "PETS-NAM-01"
tool = "pets"
tree = "t/{$entries}, f"
entry = "$kind"
arguments = {path = "$way"}
steps = [
  'Given the tree "<tree>"',
  'When <tool> is called with <arguments>',
  'Then the answer is right, for example <expected>',
]

[[dimension]]
name = "kind"
of = "entry kind"
values = [
  {name = "empty file", text = "$entry_name"},
  {name = "fifo", text = "$entry_name:fifo"},
  {name = "hard link", text = "$entry_name=>f"},
]

[[dimension]]
name = "entry_name"
of = "entry name"
values = [
  {name = "plain", is = {pattern = "^[a-z]+$"}, text = "plain"},
  {name = "blank", is = {pattern = " "}, text = "'a b'"},
]

[[dimension]]
name = "way"
of = "way of path"
values = [{name = "plain", text = "t"}, {name = "parent", text = ".."}]

[[impossible]]
of = ["way: parent"]
with = ["kind", "entry_name"]
why = "what is above is not listed"
"""


@pytest.fixture
def pets(tmp_path: Path) -> Path:
    folder = new_spec("pets", tmp_path / "pets", with_oracle=True).folder
    (folder / "inputs.toml").write_text(TABLE, "utf-8")
    return folder


def coverage(folder: Path, *options: str) -> int:
    return main(["coverage", "--spec", str(folder), *options])


def test_gaps_are_printed_filled_and_then_reached(pets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage(pets) == 1
    output = capsys.readouterr().out
    assert "no call has kind: hard link" in output
    assert "no call has way: parent" in output
    assert coverage(pets, "--write") == 1
    assert "no call has" in capsys.readouterr().out
    generated = (pets / "generated.feature").read_text("utf-8")
    assert "PETS-GEN-001" in generated
    assert coverage(pets, "--report", str(pets / "coverage.json")) == 0
    found = json.loads((pets / "coverage.json").read_text("utf-8"))["pets"]
    assert all(found["values"].values())
    assert found["missing_pairs"] == []
    assert main(["lint", str(pets)]) == 0
    assert main(["run", "reference", "--spec", str(pets), "--select", "PETS-GEN"]) == 3


def test_a_row_needs_no_capability_that_its_pairs_do_not_need(pets: Path) -> None:
    limit = '[[dimension]]\nname = "limit"\nof = "context.config.tools.pets.limit"\n'
    limit += 'values = [{name = "omitted", absent = true}, {name = "3", write = 3}]\n\n'
    table = TABLE.replace("'When <tool>", "'And the context <context>',\n  'When <tool>")
    (pets / "inputs.toml").write_text(table.replace("[[impossible]]", f"{limit}[[impossible]]"), "utf-8")
    coverage(pets, "--write")
    rows = [line for line in (pets / "generated.feature").read_text("utf-8").splitlines() if "| PETS-GEN-" in line]
    assert "limit: omitted" in rows[0] and "limit: 3" in rows[-1]
    candidate, report = pets / "treeproof.toml", pets / "run.json"
    candidate.write_text('[candidate]\nadapter = "python"\nfactory = "pets_reference:Candidate"\ncapabilities = []\n')
    main(["run", str(candidate), "--spec", str(pets), "--select", "@generated", "--report", f"json={report}"])
    records = json.loads(report.read_text())["specs"][0]["scenarios"]
    assert [one["outcome"] == "not-applicable" for one in records] == ["limit: 3" in row for row in rows]


def test_a_value_has_steps_of_its_own_and_other_rows_do_without(pets: Path) -> None:
    earlier = '[[dimension]]\nname = "earlier"\nof = "earlier"\nvalues = [\n'
    earlier += "".join(f'  {{name = "{name}", text = ""}},\n' for name in EARLIER) + "]\n\n"
    call = '\'When pets is called with {"path": "."}\''
    table = TABLE.replace("[[impossible]]", f"{earlier}[[impossible]]")
    table = table.replace(
        "  'Given", f'  {{for = "earlier: an earlier call on another tree", step = {call}}},\n  \'Given'
    )
    table = table.replace("  'When <", f'  {{for = "earlier: an earlier call", step = {call}}},\n  \'When <')
    (pets / "inputs.toml").write_text(table, "utf-8")
    coverage(pets, "--write")
    assert coverage(pets) == 0
    first, *others = (pets / "generated.feature").read_text("utf-8").split("Scenario Outline")[1:]
    assert len(others) == 2
    for one in (first, *others):
        assert one.count("When pets is called with") == (2 if "earlier: an earlier call" in one else 1)
    # The tree that is built between two calls is no change by the candidate.
    assert main(["run", "reference", "--spec", str(pets), "--select", "PETS-GEN"]) == 3


def test_a_row_that_the_model_does_not_expect_any_more_is_stale(pets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coverage(pets, "--write")
    file = pets / "generated.feature"
    file.write_text(file.read_text("utf-8").replace('plain\\\\"', 'other\\\\"', 1), "utf-8")
    capsys.readouterr()
    assert coverage(pets) == 1
    assert 'PETS-GEN-001: the model expects "' in capsys.readouterr().out


@pytest.mark.parametrize(
    "old, new, problem",
    [
        ('name = "hard link"', 'name = "hard lnk"', "'hard lnk' is unknown here; write \"hard link"),
        ('with = ["kind",', 'with = ["kinds",', "'kinds' is no value and no dimension; write \"kind"),
        ('of = "entry kind"', 'of = "entry knd"', 'the key "of" holds "entry knd"; write tool, roots'),
        ('name = "entry_name"', 'name = "kind"', "another dimension has this name; choose a new one"),
        ("'When <tool>", "{for = \"way: up\", step = 'x'}, 'When <tool>", "'way: up' is no value; write \"way: pl"),
        ('name = "blank"', 'name = "plain"', "another value is named 'plain'; choose a new name"),
        ('of = "way of path"', 'of = "way of path"\nlike = "inputs.toml"\nwithout = ["up"]', "'up' is no value;"),
    ],
)
def test_a_mistake_in_the_table_is_one_line(
    pets: Path, old: str, new: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (pets / "inputs.toml").write_text(TABLE.replace(old, new), "utf-8")
    assert main(["lint", str(pets)]) == 2
    output = capsys.readouterr().out
    assert problem in output.replace("\n", " ")
    assert "inputs.toml:" in output
    assert coverage(pets) == 2
    assert problem in capsys.readouterr().err


def test_values_of_another_file_come_first_and_own_keys_replace_theirs(pets: Path) -> None:
    (pets / "shared.toml").write_text(
        '[[dimension]]\nname = "way"\nof = "way of source"\nvalues = [{name = "empty", text = ""}, {name = "slash"}]\n',
        "utf-8",
    )
    table = TABLE.replace('of = "way of path"', 'of = "way of path"\nlike = "shared.toml"\nwithout = ["slash"]')
    (pets / "inputs.toml").write_text(table, "utf-8")
    values = [value for value in InputTable(open_pack(str(pets))).values if value.dimension == "way"]
    assert [(value.name, value.text) for value in values] == [("empty", ""), ("plain", "t"), ("parent", "..")]


OUTSIDE = "outside/{f, sub/{x}}, root2/, Root/"
LINKS = "d/{e/, up->.., out->../../outside}, l->d, far->../outside, loop->loop, gone->nowhere, f=3, c/%0000{x}"


@pytest.mark.parametrize(
    "path, target, ways",
    [
        ("d", "a directory", {"plain"}),
        ("d/e", "an empty directory", {"plain"}),
        ("c", "an unreadable directory", {"plain"}),
        ("c/x", "behind a closed directory", {"plain"}),
        ("f", "a file", {"plain"}),
        ("f/x", "below a file", {"plain"}),
        ("nope", "nothing", {"plain"}),
        ("loop", "a loop", {"link"}),
        ("", "a directory", {"empty"}),
        (".", "a directory", {"the root"}),
        ("d/", "a directory", {"final slash"}),
        ("./d//e", "an empty directory", {"dot", "double slash"}),
        ("d/../f", "a file", {"up inside"}),
        ("..", "outside", {"parent"}),
        ("../..", "outside", {"ancestor", "elsewhere"}),
        ("d/../..", "outside", {"down and out"}),
        ("/", "outside", {"slash", "elsewhere"}),
        ("$ROOT/d", "a directory", {"absolute"}),
        ("../root2", "outside", {"sibling that continues the name of the root"}),
        ("../Root", "outside", {"sibling that differs in case"}),
        ("../nope", "nothing outside", set()),
        ("l/e", "an empty directory", {"link"}),
        ("far", "outside", {"link out"}),
        ("far/gone", "nothing outside", {"missing name behind a link out"}),
        ("far/..", "outside", {"parent of a link", "link out", "up inside"}),
        (None, "a directory", {"omitted"}),
        (5, "outside", {"no text"}),
    ],
)
def test_what_a_path_leads_to_and_how(path: Any, target: str, ways: set[str]) -> None:
    case = Case("tool", parse_tree(LINKS), {}, outside=parse_tree(OUTSIDE))
    found = target_of(case, path, Surroundings(case))
    assert describe_target(found) == target
    assert set(ways_of(path, path is not None, found)) == ways


@pytest.mark.parametrize(
    "roots, expected",
    [
        (["$ROOT"], {"the root"}),
        (["$ROOT", "$ROOT/d"], {"several roots", "the root", "another root", "a root in another root"}),
        (["/"], {"the root of the file system"}),
        (["$ROOT/l"], {"a root that is a link"}),
        (["$ROOT/nope"], {"a missing root"}),
        (["$ROOT/f"], {"a root that is a file"}),
    ],
)
def test_what_the_roots_are(roots: list[str], expected: set[str]) -> None:
    case = Case("tool", parse_tree(LINKS), {}, {"roots": roots}, outside=parse_tree(OUTSIDE))
    assert set(roots_of(case, Surroundings(case))) == expected


def test_the_entries_below_a_target_have_kinds_and_twins() -> None:
    tree = parse_tree(
        "d/{a, ab, A, b->a, c->b, e->..|, g->../d, h=>d/a, i->../../outside/f, j->/x, p:fifo}".replace("|", "")
    )
    case = Case("tool", tree, {}, outside=parse_tree(OUTSIDE))
    surroundings = Surroundings(case)
    found = {one.name: one for one in entries_below(target_of(case, "d", surroundings), surroundings, deep=False)}
    assert {name: one.kinds for name, one in found.items()} == {
        "a": ("empty file",),
        "ab": ("empty file",),
        "A": ("empty file",),
        "b": ("link to a file",),
        "c": ("link to a file", "link to a link"),
        "e": ("link to its own directory",),
        "g": ("link to its own directory",),
        "h": ("hard link",),
        "i": ("link out to a file",),
        "j": ("absolute link", "dangling link out"),
        "p": ("fifo",),
    }
    assert found["a"].twins == ("case twin", "prefix of another name")
    assert found["ab"].twins == ()


def test_an_entry_that_a_value_of_the_call_hides_has_no_labels(pets: Path) -> None:
    table = InputTable(open_pack(str(pets)))
    names = {value.number: str(value) for value in table.values}
    case = Case("pets", parse_tree("t/{'a b', p:fifo}"), {"path": "t"})
    shown = table.labels(case, EARLIER[0])
    assert {names[number] for number in shown.values()} == {
        *("kind: empty file", "entry_name: blank", "kind: fifo", "entry_name: plain", "way: plain")
    }
    pairs = {(names[one], names[other]) for one, other in shown.pairs()}
    assert ("kind: fifo", "entry_name: blank") not in pairs  # no entry is both
    hidden = table.labels(Case("pets", case.tree, {"path": ".."}), EARLIER[0])
    assert {names[number] for number in hidden.values()} == {"way: parent"}
